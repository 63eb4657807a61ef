"""Pass 2: the loop nests of all stages, each producer placed where its schedule says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ir import Expr, simplify, substitute
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, rebuild, walk
from ..lang import HalideError
from ..lang.names import buffer_field
from .loop_nest import Nest, loop_name, stage_nest
from .plan import StagePlan
from .region import Box, Clamp, Unbounded, boxes, extent_of, settled, union


def schedule_stages(plans: Sequence[StagePlan]) -> tuple[s.Stmt, dict[str, Clamp]]:
    """One statement that computes all outputs, with `Realize` around the use of each other stage.

    Needs producers before consumers; leaves `f.min.d` and `f.extent.d` of each realized stage
    bound by `LetStmt`s to the region that its consumers read (halide-2012 section 5.1).

        for y: f(y) = g(y) + g(y+1)   ->   let g.min.0 = f.min.0; let g.extent.0 = f.extent.0 + 1
                                           realize g: produce g: for y: g(y) = ...
                                                      consume g: for y: f(y) = g(y) + g(y+1)
    """
    nests = {plan.name: stage_nest(plan) for plan in plans}
    clamps = {k: v for nest in nests.values() for k, v in nest.clamps.items()}
    outputs = [p for p in plans if p.is_output]
    body = block(*(s.ProducerConsumer(p.name, True, nests[p.name].body) for p in outputs))
    for plan in reversed(plans):
        if not plan.is_output:
            body = _place(plan, nests[plan.name], body, clamps)
    return body, clamps


def _place(plan: StagePlan, nest: Nest, body: s.Stmt, clamps: Mapping[str, Clamp]) -> s.Stmt:
    level = plan.schedule.level
    if level.place != "at":
        return _realized(plan, nest, body, clamps)
    prefix = loop_name(level.func, 0, "")[: -len("0.")]
    found = [
        x.name
        for x in walk(body)
        if isinstance(x, s.For)
        and x.name.startswith(prefix)
        and x.name.split(".")[-1].split("$")[-1] == level.var
    ]
    if not found:
        raise HalideError(
            f"Func {plan.name} is computed at {level.func}, {level.var}, "
            "but there is no such loop around its uses.",
            plan.definitions[0].source.location,
        )
    names = set(plan.value_names())

    def inside(stmt: s.Stmt) -> s.Stmt:
        if isinstance(stmt, s.For) and stmt.name in found:
            return s.For(
                stmt.name,
                stmt.min,
                stmt.extent,
                stmt.kind,
                _realized(plan, nest, stmt.body, clamps),
            )
        return rebuild(stmt, tuple(map(inside, children_of(stmt))), lambda e: e)

    placed = inside(body)
    _check_uses(plan, placed, names)
    return placed


def _check_uses(plan: StagePlan, body: s.Stmt, names: set[str]) -> None:
    """All reads of the stage lie inside its realizations."""

    def outside(stmt: s.Stmt) -> s.Stmt:
        if isinstance(stmt, s.Realize) and stmt.func == plan.name:
            return s.Block(())
        return rebuild(stmt, tuple(map(outside, children_of(stmt))), lambda e: e)

    if boxes(outside(body), names, {}).read:
        raise HalideError(
            f"Func {plan.name} is computed at {plan.schedule.level.func}, "
            f"{plan.schedule.level.var}, but it is also used outside of that loop.",
            plan.definitions[0].source.location,
        )


def _realized(plan: StagePlan, nest: Nest, body: s.Stmt, clamps: Mapping[str, Clamp]) -> s.Stmt:
    names = plan.value_names()
    try:
        touched = boxes(body, names, clamps)
        required: Box | None = None
        for name in names:
            if name in touched.read:
                required = union(required, touched.read[name])
        if required is None:
            return body
        required = _with_updates(plan, nest, required, clamps)
    except Unbounded as unbounded:
        raise HalideError(
            f"The region of Func {plan.name} that is read is unbounded: no limits are known for "
            f"{unbounded.args[0]}. Clamp it.",
            plan.definitions[0].source.location,
        ) from None
    low = [buffer_field(plan.name, "min", d) for d in range(len(plan.args))]
    extent = [buffer_field(plan.name, "extent", d) for d in range(len(plan.args))]
    made: s.Stmt = s.Realize(
        plan.name,
        plan.types,
        tuple(zip(low, extent, strict=True)),
        block(
            s.ProducerConsumer(plan.name, True, nest.body),
            s.ProducerConsumer(plan.name, False, body),
        ),
    )
    for d, (a, b) in enumerate(required):
        made = s.LetStmt(low[d].name, a, s.LetStmt(extent[d].name, extent_of(a, b), made))
    return made


def _with_updates(plan: StagePlan, nest: Nest, required: Box, clamps: Mapping[str, Clamp]) -> Box:
    """`required` and what the stage's own updates write or read beyond it (a histogram's bins)."""
    if len(plan.definitions) == 1:
        return required
    mapping: dict[Expr, Expr] = {}
    for d, (a, b) in enumerate(required):
        mapping[buffer_field(plan.name, "min", d)] = a
        mapping[buffer_field(plan.name, "extent", d)] = extent_of(a, b)
    touched = boxes(nest.body, {plan.name, *plan.value_names()}, clamps)
    for box in (*touched.read.values(), *touched.written.values()):
        required = union(required, [_inside(pair, mapping) for pair in box])
    return required


def _inside(pair: tuple[Expr, Expr], mapping: Mapping[Expr, Expr]) -> tuple[Expr, Expr]:
    low, high = pair
    return simplify(substitute(low, mapping)), settled(simplify(substitute(high, mapping)))
