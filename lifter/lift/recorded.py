"""Records of functions that were lifted, or tried, or set aside."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from compiler.ir import Expr, Load, postorder

from ..model.diagnostic import Diagnostic, Span
from ..model.kernel import Skipped, Stmt, Store, statements
from ..model.lifted import FunctionResult, Status
from ..model.record import ObligationRecord, PreconditionRecord, Record, RoleName
from .tabulate import tabulate

_STEPS = ("parse", "roi", "terminals", "expression", "verify")


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

    assert result.kernel is not None
    found: set[str] = set()
    for stmt in statements(result.kernel.body):
        for part in (getattr(stmt, f.name) for f in fields(stmt)):
            exprs = part if isinstance(part, tuple) else (part,)
            for expr in exprs:
                if isinstance(expr, Expr) and not isinstance(expr, Stmt):
                    found |= {n.array for n in postorder(expr) if isinstance(n, Load)}
    return found
