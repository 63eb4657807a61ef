"""What a run keeps of a function: plain data that crosses processes, the cache, and `explain`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .diagnostic import Diagnostic, Span

if TYPE_CHECKING:
    from .lifted import Status

RoleName = Literal["in", "out", "inout", "scalar"]
_STEPS = ("parse", "roi", "terminals", "expression", "verify")


@dataclass(frozen=True, slots=True)
class StageRecord:
    """One stage as the report shows it: bounds and definitions are text in the DSL's notation."""

    name: str
    output: str
    kind: str
    roi: tuple[tuple[str, str], ...]
    terminals: tuple[str, ...]
    definition: str


@dataclass(frozen=True, slots=True)
class ObligationRecord:
    """One obligation of a proof and what became of it."""

    name: str
    stage: str
    text: str
    verdict: str
    by: str | None
    seconds: float


@dataclass(frozen=True, slots=True)
class PreconditionRecord:
    """What a proof assumes; `kind` and `origin` as in `verify.proof.Precondition`."""

    text: str
    kind: str
    origin: str
    arrays: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One function of a run, without anything that only a living process can hold."""

    name: str
    file: str
    line: int
    signature: str
    status: Status
    params: tuple[dict[str, str], ...] = ()
    diagnostic: Diagnostic | None = None
    warnings: tuple[Diagnostic, ...] = ()
    preconditions: tuple[PreconditionRecord, ...] = ()
    stages: tuple[StageRecord, ...] = ()
    obligations: tuple[ObligationRecord, ...] = ()
    counterexample: str | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    folder: str | None = None
    """Where the emitted files are, below the output folder."""
    files: tuple[str, ...] = ()
    """The emitted files, below `folder`."""
    source: str = ""
    """The function's own text, when it was lifted; "" of one that was skipped."""
    counterexample_data: dict[str, Any] | None = None
    """`Counterexample.to_json()` of the closest candidate, where refuted."""

    def to_json(self) -> dict[str, Any]:
        """A form that `from_json` gives back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Record:
        """Raises `KeyError`, `TypeError` or `ValueError` when `data` isn't from `to_json`."""
        return cls(
            **{
                **data,
                "params": tuple(data["params"]),
                "diagnostic": _diagnostic(data["diagnostic"]) if data["diagnostic"] else None,
                "warnings": tuple(map(_diagnostic, data["warnings"])),
                "preconditions": tuple(
                    PreconditionRecord(**{**p, "arrays": tuple(p["arrays"])})
                    for p in data["preconditions"]
                ),
                "stages": tuple(
                    StageRecord(
                        **{
                            **stage,
                            "roi": tuple((low, high) for low, high in stage["roi"]),
                            "terminals": tuple(stage["terminals"]),
                        }
                    )
                    for stage in data["stages"]
                ),
                "obligations": tuple(ObligationRecord(**o) for o in data["obligations"]),
                "files": tuple(data["files"]),
            }
        )

    @property
    def proved_by(self) -> dict[str, int]:
        """How many proved obligations each decider settled."""
        counts = {"structural": 0, "z3": 0, "complete": 0}
        for obligation in self.obligations:
            if obligation.verdict == "proved" and obligation.by:
                counts[obligation.by] = counts.get(obligation.by, 0) + 1
        return counts


def _diagnostic(data: dict[str, Any]) -> Diagnostic:
    span = Span(**data["span"]) if data["span"] else None
    return Diagnostic(**{**data, "span": span, "notes": tuple(data["notes"])})
