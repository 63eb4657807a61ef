"""What a worker does with one kernel: lift it, and say how it went and what its files would hold.

It reads and writes nothing, so it runs in a child process here or on another machine alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..lift.recorded import record_of
from ..model.diagnostic import LiftError
from ..model.record import Record, StageRecord
from ..settings.options import TIMEOUT

if TYPE_CHECKING:
    from ..model.kernel import Kernel
    from ..model.lifted import FunctionResult
    from ..synth import GrammarText


@dataclass(frozen=True, slots=True)
class Lifted:
    """One function's result: its record, and the texts of its files by name unless it failed."""

    record: Record
    texts: dict[str, str] = field(default_factory=dict)


def lift_one(
    kernel: Kernel,
    grammars: tuple[GrammarText, ...] = (),
    timeout: float = TIMEOUT,
    parse_seconds: float = 0.0,
) -> Lifted:
    """Lifts `kernel`; only a proved function has texts.

    `timeout` is in seconds for the whole function, `parse_seconds` is its share of the parsing.
    """
    from ..lift.lift_function import LiftOptions, lift_kernel

    result = lift_kernel(kernel, LiftOptions(grammars, timeout, parse_seconds=parse_seconds))
    record = _record(result)
    if result.status != "proved":
        return Lifted(record)
    from ..emit import emitted_texts

    try:
        texts = emitted_texts(result)
    except LiftError as error:
        return Lifted(replace(record, status="failed", diagnostic=error.diagnostic))
    return Lifted(replace(record, files=tuple(texts)), texts)


def prepare() -> None:
    """Loads all that lifting needs: processes that are forked afterwards begin at once."""
    from ..dag import loops  # noqa: F401
    from ..lift import lift_function  # noqa: F401
    from ..verify import prepare as prepare_proofs

    prepare_proofs()


def _record(result: FunctionResult) -> Record:
    record = record_of(result)
    if not result.summaries:
        return record
    from ..emit import function_to_json

    told = function_to_json(result)
    stages = (
        StageRecord(
            summary.stage,
            stage["output"],
            stage["kind"],
            tuple((low, high) for low, high in stage["roi"]),
            tuple(stage["terminals"]),
            stage["definition"],
        )
        for summary, stage in zip(result.summaries, told["stages"], strict=True)
    )
    return replace(record, stages=tuple(stages), params=tuple(told["params"]))
