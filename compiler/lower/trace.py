"""`trace_loads`, `trace_stores`, `trace_realizations`: lines on stderr about what a stage does.

f(x) = e      ->      f(x) = trace:"Store f.0({}) = {}"(x, e)
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import I32, Call, Expr, transform
from ..ir import stmts as s
from ..ir.message_text import literal
from ..ir.stmt_transform import block, children_of, rebuild
from ..lang.names import buffer_field
from .plan import StagePlan

_CODES = {"int": 0, "uint": 1, "float": 2, "handle": 3, "bfloat": 4}


def trace(body: s.Stmt, plans: Sequence[StagePlan]) -> s.Stmt:
    """Needs the loops of all stages, before memory is laid out; leaves effects in them.

    Nothing changes where no stage is traced.
    """
    traced = {p.name: p for p in plans if p.schedule.traced}
    if not traced:
        return body
    body = _traced(body, traced)
    for plan in (p for p in plans if p.is_output and p.name in traced):
        if "realizations" in plan.schedule.traced:
            bounds = _output_bounds(plan)
            body = _between("Begin realization", "End realization", plan, bounds, body)
    tags = [_line(line, ()) for p in traced.values() for line in _tags(p)]
    shapes = [_shape(p) for p in traced.values() if p.is_output]
    output = next(p for p in plans if p.is_output).name.replace("$", "_")
    begin, end = (_line(f"{w} pipeline {output}.0()", ()) for w in ("Begin", "End"))
    return block(begin, *shapes, *tags, body, end)


def _traced(stmt: s.Stmt, traced: dict[str, StagePlan]) -> s.Stmt:
    loads = {
        name: (plan, i)
        for plan in traced.values()
        if "loads" in plan.schedule.traced
        for i, name in enumerate(plan.value_names())
    }

    def loading(e: Expr) -> Expr:
        return transform(e, visit) if loads else e

    def visit(node: Expr) -> Expr:
        if not (isinstance(node, Call) and node.kind == "func" and node.name in loads):
            return node
        plan, index = loads[node.name]
        return _event("Load", plan, index, node.args, node)

    def walk(stmt: s.Stmt, regions: dict[str, tuple[tuple[Expr, Expr], ...]]) -> s.Stmt:
        if isinstance(stmt, s.Realize):
            regions = {**regions, stmt.func: stmt.bounds}
        children = tuple(walk(c, regions) for c in children_of(stmt))
        is_work = isinstance(stmt, (s.Provide, s.Evaluate, s.IfThenElse, s.LetStmt))
        made = rebuild(stmt, children, loading if is_work else lambda e: e)
        name = getattr(stmt, "func", "")
        plan = traced.get(name)
        if plan is None:
            return made
        if isinstance(made, s.Provide) and "stores" in plan.schedule.traced:
            values = tuple(
                _event("Store", plan, i, made.args, v) for i, v in enumerate(made.values)
            )
            return s.Provide(made.func, values, made.args)
        if "realizations" not in plan.schedule.traced:
            return made
        bounds = regions.get(name) or _output_bounds(plan)
        if isinstance(made, s.Realize):
            inner = _between("Begin realization", "End realization", plan, bounds, made.body)
            return s.Realize(made.func, made.types, made.bounds, inner, made.memory)
        if isinstance(made, s.ProducerConsumer):
            word = "produce" if made.is_producer else "consume"
            inner = _between(word.capitalize(), f"End {word}", plan, bounds, made.body)
            return s.ProducerConsumer(made.func, made.is_producer, inner)
        return made

    return walk(stmt, {})


def _event(what: str, plan: StagePlan, index: int, args: tuple[Expr, ...], value: Expr) -> Expr:
    shown = ", ".join("{}" for _ in args)
    text = f"trace:{what} {_name(plan)}.{index}({shown}) = {{}}\n"
    return Call(text, (*args, value), value.type, "effect")


def _name(plan: StagePlan) -> str:
    return plan.name.replace("{", "(").replace("}", ")")


def _between(
    begin: str, end: str, plan: StagePlan, bounds: tuple[tuple[Expr, Expr], ...], body: s.Stmt
) -> s.Stmt:
    values = tuple(e for pair in bounds for e in pair)
    shown = ", ".join("{}" for _ in values)
    first, last = (_line(f"{w} {_name(plan)}.0({shown})", values) for w in (begin, end))
    return block(first, body, last)


def _line(text: str, values: tuple[Expr, ...]) -> s.Stmt:
    return s.Evaluate(Call(f"print_line:{text}\n", values, I32, "effect"))


def _tags(plan: StagePlan) -> list[str]:
    """The user's tags, which Halide shows where reads or realizations are traced."""
    shown = plan.schedule.traced & {"realizations", *(() if plan.is_output else ("loads",))}
    if not shown:
        return []
    texts = map(literal, plan.schedule.trace_tags)
    return [f'Tag {_name(plan)}.0() tag = "{text}"' for text in texts]


def _shape(plan: StagePlan) -> s.Stmt:
    """The stage's types, and the region that is realized."""
    values = tuple(e for pair in _output_bounds(plan) for e in pair)
    types = " ".join(f"{_CODES[t.code]} {t.bits} 1" for t in plan.types)
    shown = " ".join([str(len(plan.types)), types, str(len(plan.args)), *("{}" for _ in values)])
    return _line(f'Tag {_name(plan)}.0() tag = "func_type_and_dim: {shown}"', values)


def _output_bounds(plan: StagePlan) -> tuple[tuple[Expr, Expr], ...]:
    return tuple(
        (buffer_field(plan.name, "min", d), buffer_field(plan.name, "extent", d))
        for d in range(len(plan.args))
    )
