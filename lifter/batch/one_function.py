"""What a worker does with one kernel: lift it, and say how it went and what its files would hold.

It reads and writes nothing, so it runs in a child process here or on another machine alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..model.diagnostic import LiftError
from ..model.record import Record
from ..settings.options import TIMEOUT

if TYPE_CHECKING:
    from ..model.kernel import Kernel
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
    """Lifts `kernel`; only a proved function has texts, of a program that has been run.

    `timeout` is in seconds for the whole function, `parse_seconds` is its share of the parsing.
    """
    from ..emit import build_program, emitted_texts, record_of
    from ..lift.emitted_difference import refuse_another_program
    from ..lift.lift_function import LiftOptions, lift_kernel

    result = lift_kernel(kernel, LiftOptions(grammars, timeout, parse_seconds=parse_seconds))
    record = record_of(result)
    if result.status != "proved":
        return Lifted(record)
    try:
        program = build_program(result)
        texts = emitted_texts(result, program)
        refuse_another_program(result, program, texts["pipeline.py"])
    except LiftError as error:
        return Lifted(replace(record, status="failed", diagnostic=error.diagnostic))
    return Lifted(replace(record, files=tuple(texts)), texts)


def prepare() -> None:
    """Loads all that lifting needs: processes that are forked afterwards begin at once."""
    from ..dag import loops  # noqa: F401
    from ..lift import emitted_difference, lift_function  # noqa: F401
    from ..verify import prepare as prepare_proofs

    prepare_proofs()
