"""The record of a function that was lifted, or tried: what all reports of it are views of."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from compiler.ir import I32, Call, Cast, Expr, Load, postorder, to_text

from ..model.diagnostic import Diagnostic
from ..model.kernel import Kernel, Stmt, Store, statements
from ..model.lifted import FunctionResult
from ..model.record import ObligationRecord, PreconditionRecord, Record, RoleName, StageRecord
from ..model.summary import Summary
from .dialect import NOTATION
from .expression_text import ExpressionText
from .names import Names
from .reductions import inline_reductions
from .tabulate import tabulate
from .tidy import tidy


def record_of(result: FunctionResult) -> Record:
    """The record of a function; whoever writes its files adds their names and place."""
    proof = result.proof
    kernel = result.kernel
    scalars = {p.name for p in kernel.params if p.kind == "scalar"} if kernel else set()
    return Record(
        name=result.name,
        file=result.span.file,
        line=result.span.line,
        signature=result.signature,
        status=result.status,
        params=_params(result),
        diagnostic=result.diagnostic,
        warnings=warnings_of(result),
        preconditions=tuple(
            PreconditionRecord(p.text, p.kind, p.origin, p.arrays) for p in proof.preconditions
        )
        if proof
        else (),
        stages=tuple(_stage(summary, scalars) for summary in result.summaries),
        obligations=tuple(
            ObligationRecord(o.name, o.stage, o.text, o.verdict, o.by, round(o.seconds, 4))
            for o in proof.obligations
        )
        if proof
        else (),
        counterexample=str(proof.counterexample) if proof and proof.counterexample else None,
        counterexample_data=_counterexample_data(result),
        seconds={step: round(s, 4) for step, s in result.seconds.items()},
        source=kernel.source if kernel else "",
    )


def warnings_of(result: FunctionResult) -> tuple[Diagnostic, ...]:
    """The warnings of all steps, each once."""
    return tuple(
        dict.fromkeys(
            (
                *(result.kernel.warnings if result.kernel else ()),
                *(result.graph.warnings if result.graph else ()),
                *result.warnings,
                *(result.proof.warnings if result.proof else ()),
            )
        )
    )


def _counterexample_data(result: FunctionResult) -> dict[str, Any] | None:
    found = result.proof.counterexample if result.proof else None
    if found is None or result.kernel is None:
        return None
    return tabulate(found, result.kernel, result.summaries).to_json()


def _params(result: FunctionResult) -> tuple[dict[str, str], ...]:
    """The parameters with their roles: what the summaries say, else what the body does."""
    kernel = result.kernel
    if kernel is None:
        return ()
    if result.summaries:
        written = {s.output for s in result.summaries}
        read = {
            node.name
            for summary in result.summaries
            for node in postorder(summary.expression, *summary.update_point)
            if isinstance(node, Call) and node.kind == "image"
        }
    else:
        written = {s.array for s in statements(kernel.body) if isinstance(s, Store)}
        read = _arrays_read(kernel)
    params = []
    for param in kernel.params:
        role: RoleName = "scalar"
        if param.kind != "scalar":
            role = "in"
            if param.name in written:
                role = "inout" if param.name in read else "out"
        params.append({"name": param.name, "type": param.spelling, "role": role})
    return tuple(params)


def _arrays_read(kernel: Kernel) -> set[str]:
    """The arrays that are read anywhere in the body."""
    found: set[str] = set()
    for stmt in statements(kernel.body):
        for part in (getattr(stmt, f.name) for f in fields(stmt)):
            for expr in part if isinstance(part, tuple) else (part,):
                if isinstance(expr, Expr) and not isinstance(expr, Stmt):
                    found |= {n.array for n in postorder(expr) if isinstance(n, Load)}
    return found


def _stage(summary: Summary, scalars: set[str]) -> StageRecord:
    """A stage as people read it: bounds, terminals and definition as text."""
    text = ExpressionText(NOTATION)

    def shown(expr: Expr) -> Expr:
        value, _ = inline_reductions(tidy(expr), names, lambda e: tidy(Cast(I32, e)), scalars)
        return tidy(value)

    names = Names({d.variable.name for d in summary.roi})
    point = summary.update_point if summary.domain else tuple(d.variable for d in summary.roi)
    left = text.access(summary.output, tuple(map(shown, point)))
    right = text.value(shown(summary.expression))
    return StageRecord(
        summary.stage,
        summary.output,
        summary.kind,
        tuple((to_text(d.lower), to_text(d.upper)) for d in summary.roi),
        tuple(text.text(tidy(t)) for t in summary.terminals),
        f"{left} = {right}",
        tuple((d.variable.name, to_text(d.lower), to_text(d.upper)) for d in summary.domain),
    )
