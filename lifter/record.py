"""What a run keeps of a function: plain data that crosses processes, the cache, and `explain`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from .diagnostic import Diagnostic, Span

if TYPE_CHECKING:
    from .lifted import FunctionResult, Status
    from .parse import Skipped

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
    """`lifter.counterexample.Counterexample.to_json()` of the closest candidate, where refuted."""

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


def record_of(result: FunctionResult) -> Record:
    """The record of a function that was lifted, or tried, without its stages."""
    proof = result.proof
    warnings = [*result.warnings, *(proof.warnings if proof else ())]
    if result.kernel is not None:
        warnings = [*result.kernel.warnings, *warnings]
    if result.graph is not None:
        warnings += result.graph.warnings
    return Record(
        name=result.name,
        file=result.span.file,
        line=result.span.line,
        signature=result.signature,
        status=result.status,
        params=_params(result),
        diagnostic=result.diagnostic,
        warnings=tuple(dict.fromkeys(warnings)),
        preconditions=tuple(
            PreconditionRecord(p.text, p.kind, p.origin, p.arrays) for p in proof.preconditions
        )
        if proof
        else (),
        obligations=tuple(
            ObligationRecord(o.name, o.stage, o.text, o.verdict, o.by, round(o.seconds, 4))
            for o in proof.obligations
        )
        if proof
        else (),
        counterexample=str(proof.counterexample) if proof and proof.counterexample else None,
        counterexample_data=_counterexample_data(result),
        seconds={step: round(s, 4) for step, s in result.seconds.items()},
        source=result.kernel.source if result.kernel else "",
    )


def _counterexample_data(result: FunctionResult) -> dict[str, Any] | None:
    found = result.proof.counterexample if result.proof else None
    if found is None or result.kernel is None:
        return None
    from .tabulate import tabulate

    return tabulate(found, result.kernel, result.summaries).to_json()


def record_of_skipped(skipped: Skipped, status: Status) -> Record:
    """The record of a function that the parser set aside."""
    return Record(
        name=skipped.name,
        file=skipped.span.file,
        line=skipped.span.line,
        signature=skipped.signature,
        status=status,
        diagnostic=skipped.diagnostic,
        seconds=dict.fromkeys((*_STEPS, "total"), 0.0),
        source="" if status == "skipped" else _text_of(skipped.span),
    )


def failure(record_for: Record, diagnostic: Diagnostic, seconds: float) -> Record:
    """The record of a function whose process didn't come back."""
    return Record(
        name=record_for.name,
        file=record_for.file,
        line=record_for.line,
        signature=record_for.signature,
        status="failed",
        params=record_for.params,
        diagnostic=diagnostic,
        seconds={**dict.fromkeys(_STEPS, 0.0), "total": round(seconds, 4)},
        source=record_for.source,
    )


def _text_of(span: Span) -> str:
    """What stands there in the file; "" when it can't be read any more."""
    try:
        lines = Path(span.file).read_bytes().decode("utf-8", "replace").split("\n")
    except (OSError, ValueError):
        return ""
    return "\n".join(lines[span.line - 1 : span.end_line]).strip("\n")


def _params(result: FunctionResult) -> tuple[dict[str, str], ...]:
    kernel = result.kernel
    if kernel is None:
        return ()
    from .parse.kernel import Store, statements

    written = {s.array for s in statements(kernel.body) if isinstance(s, Store)}
    read = _arrays_read(result)
    params = []
    for param in kernel.params:
        role: RoleName = "scalar"
        if param.kind != "scalar":
            role = "in"
            if param.name in written:
                role = "inout" if param.name in read else "out"
        params.append({"name": param.name, "type": param.spelling, "role": role})
    return tuple(params)


def _arrays_read(result: FunctionResult) -> set[str]:
    """The arrays that are read anywhere in the body."""
    from dataclasses import fields

    from compiler.ir import Expr, Load, postorder

    from .parse.kernel import Stmt, statements

    assert result.kernel is not None
    found: set[str] = set()
    for stmt in statements(result.kernel.body):
        for part in (getattr(stmt, f.name) for f in fields(stmt)):
            exprs = part if isinstance(part, tuple) else (part,)
            for expr in exprs:
                if isinstance(expr, Expr) and not isinstance(expr, Stmt):
                    found |= {n.array for n in postorder(expr) if isinstance(n, Load)}
    return found
