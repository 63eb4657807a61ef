"""What a run keeps of a function: plain data that crosses processes, the cache, and `explain`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .diagnostic import Diagnostic, Span

if TYPE_CHECKING:
    from .lifted import Status

RoleName = Literal["in", "out", "inout", "scalar"]
STEPS = ("parse", "roi", "terminals", "expression", "verify", "total")
"""What `Record.seconds` and reports have times for."""


@dataclass(frozen=True, slots=True)
class StageRecord:
    """One stage as the report shows it: bounds and definitions are text in the DSL's notation."""

    name: str
    output: str
    kind: str
    roi: tuple[tuple[str, str], ...]
    terminals: tuple[str, ...]
    definition: str
    domain: tuple[tuple[str, str, str], ...] = ()
    """Of a reduction: what it runs over, by name, lower and upper bound."""

    def entry(self) -> dict[str, Any]:
        """The stage in reports and in `summary.json`."""
        found: dict[str, Any] = {
            "output": self.output,
            "roi": [list(bounds) for bounds in self.roi],
            "terminals": list(self.terminals),
            "definition": self.definition,
            "kind": self.kind,
        }
        if self.domain:
            found["domain"] = [list(part) for part in self.domain]
        return found

    @classmethod
    def from_entry(cls, data: dict[str, Any]) -> StageRecord:
        """From `entry`, whose stage has no name of its own; raises `KeyError`, `TypeError` or
        `ValueError` for odd data."""
        output, kind, definition = (str(data[key]) for key in ("output", "kind", "definition"))
        roi = tuple((str(low), str(high)) for low, high in data["roi"])
        terminals = tuple(map(str, data["terminals"]))
        domain = tuple((str(n), str(a), str(b)) for n, a, b in data.get("domain", ()))
        return cls(output, output, kind, roi, terminals, definition, domain)


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
    regions: tuple[str, ...] = ()
    """Of a function that is lifted loop by loop: the names of its regions."""
    proved_regions: int = 0
    """How many of these are proved."""
    as_a_whole: Diagnostic | None = None
    """Of such a function: why it isn't lifted as it is."""
    counterexample_data: dict[str, Any] | None = None
    """`CounterexampleTables.to_json()` of the closest candidate, where refuted."""
    unit: str = ""
    """The source that `file` is included by and compiled with; "" where that is `file` itself."""

    @property
    def read_from(self) -> str:
        """The file to give to a parser that shall see the function."""
        return self.unit or self.file

    def entry(self) -> dict[str, Any]:
        """The function as an entry of `functions` in reports, and at the head of `summary.json`
        (docs/design.md)."""
        diagnostic = self.diagnostic
        return {
            "name": self.name,
            "file": self.file,
            "line": self.line,
            "signature": self.signature,
            "params": list(self.params),
            "status": self.status,
            "code": diagnostic.code if diagnostic else None,
            "message": diagnostic.message if diagnostic else None,
            "preconditions": [p.text for p in self.preconditions],
            "warnings": [str(w) for w in self.warnings],
            "stages": [stage.entry() for stage in self.stages],
            "proof": {"obligations": len(self.obligations), "by": self.proved_by}
            if self.obligations
            else None,
            "seconds": {step: self.seconds.get(step, 0.0) for step in STEPS},
            **({"regions": list(self.regions)} if self.regions else {}),
            **({"as_a_whole": self.as_a_whole.message} if self.as_a_whole else {}),
            **({"unit": self.unit} if self.unit else {}),
        }

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
                            "domain": tuple((n, a, b) for n, a, b in stage.get("domain", ())),
                        }
                    )
                    for stage in data["stages"]
                ),
                "obligations": tuple(ObligationRecord(**o) for o in data["obligations"]),
                "files": tuple(data["files"]),
                "regions": tuple(data.get("regions", ())),
                "as_a_whole": _diagnostic(data["as_a_whole"]) if data.get("as_a_whole") else None,
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
