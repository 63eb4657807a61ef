"""Builds the loops of one definition from its schedule.

A coordinate `x` of stage f's definition i is the variable `f.s0.x`; the region that is computed is
`f.min.0`, `f.extent.0`, ... (of the caller's buffer for an output, inferred for others).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .. import ir
from ..ir import Add, Const, Expr, Variable, const, simplify
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import block
from ..lang import Fuse, Split, is_undef
from ..lang.names import buffer_field
from .plan import PlannedDefinition, StagePlan
from .region import Clamp


@dataclass
class Nest:
    """A stage's loops, and what bounds inference must know of split coordinates."""

    body: s.Stmt
    clamps: dict[str, Clamp] = field(default_factory=dict)


def loop_name(stage: str, index: int, variable: str) -> str:
    """The loop variable of `variable` in definition `index` of a stage."""
    return f"{stage}.s{index}.{variable}"


def coordinate(name: str) -> Variable:
    variable: Variable = Variable(name, ir.I32)
    return variable


def stage_nest(plan: StagePlan) -> Nest:
    """All definitions of a stage, one after the other."""
    nest = Nest(s.Block(()))
    parts: list[s.Stmt] = []
    for index, definition in enumerate(plan.definitions):
        body = _definition_nest(plan, index, definition, nest.clamps)
        if body is not None:
            parts.append(body)
    nest.body = block(*parts) if parts else s.Block(())
    return nest


@dataclass
class _Loop:
    """The loop of one dimension, of variable `name`: `extent` steps from `offset`, or from 0."""

    name: str
    extent: Expr
    offset: Expr | None


def _definition_nest(
    plan: StagePlan, index: int, definition: PlannedDefinition, clamps: dict[str, Clamp]
) -> s.Stmt | None:
    provide = _provide(plan, definition)
    if provide is None:
        return None
    names = _coordinate_names(plan, index, definition)

    def renamed(e: Expr) -> Expr:
        mapping: dict[Expr, Expr] = {coordinate(k): coordinate(v) for k, v in names.items()}
        return ir.substitute(e, mapping)

    body: s.Stmt = s.Provide(
        plan.name, tuple(map(renamed, provide.values)), tuple(map(renamed, provide.args))
    )
    for predicate in definition.predicates:
        body = s.IfThenElse(renamed(predicate), body)
    loops = _loops(plan, index, definition, renamed)
    schedule = plan.schedule.stages[index]
    lets: list[tuple[str, Expr]] = []
    guards: list[Expr] = []

    for change in schedule.splits:
        if isinstance(change, Split):
            _split(change, loops, lets, guards, clamps)
        elif isinstance(change, Fuse):
            _fuse(change, loops, lets, clamps)
        else:
            loops[change.new] = loops.pop(change.old)
    for guard in guards:
        body = s.IfThenElse(guard, body)
    for name, value in lets:
        body = s.LetStmt(name, value, body)
    for dimension in schedule.dimensions:
        loop = loops[dimension.name]
        start = loop.offset if loop.offset is not None else const(0)
        body = s.For(loop.name, start, loop.extent, dimension.kind, body)
    return body


def _coordinate_names(plan: StagePlan, index: int, definition: PlannedDefinition) -> dict[str, str]:
    names = {a: loop_name(plan.name, index, a) for a in plan.args}
    names.update({v: loop_name(plan.name, index, v) for v, _, _ in definition.domain})
    return names


def _provide(plan: StagePlan, definition: PlannedDefinition) -> s.Provide | None:
    """The assignment; None when it assigns nothing. An `undef` inside keeps what is there."""
    if all(is_undef(v) for v in definition.values):
        return None
    values = []
    for name, value in zip(plan.value_names(), definition.values, strict=True):
        kept = ir.Call(name, definition.args, value.type, "func")
        undef = ir.Call("undef", (), value.type, "pure")
        values.append(simplify(ir.substitute(value, {undef: kept})))
    return s.Provide(plan.name, tuple(values), definition.args)


def _loops(
    plan: StagePlan, index: int, definition: PlannedDefinition, renamed: Callable[[Expr], Expr]
) -> dict[str, _Loop]:
    loops = {}
    for i, a in enumerate(plan.args):
        low, extent = (buffer_field(plan.name, field, i) for field in ("min", "extent"))
        loops[a] = _Loop(loop_name(plan.name, index, a), extent, low)
    for name, start, size in definition.domain:
        loops[name] = _Loop(loop_name(plan.name, index, name), renamed(size), renamed(start))
    return loops


def _split(
    split: Split,
    loops: dict[str, _Loop],
    lets: list[tuple[str, Expr]],
    guards: list[Expr],
    clamps: dict[str, Clamp],
) -> None:
    """`old = outer * factor + inner + offset`, guarded where the factor may not divide.

    Every tail strategy is a guard: the values are the same, and no point is computed twice, so an
    output may lie on an input.
    """
    old = loops.pop(split.old)
    outer_name, inner_name = f"{old.name}.{split.outer}", f"{old.name}.{split.inner}"
    factor = const(split.factor)
    count = simplify(n.Div(Add(old.extent, const(split.factor - 1)), factor))
    position = Add(n.Mul(coordinate(outer_name), factor), coordinate(inner_name))
    offset = old.offset if old.offset is not None else const(0)
    lets.append((old.name, simplify(Add(position, offset))))
    loops[split.outer] = _Loop(outer_name, count, None)
    loops[split.inner] = _Loop(inner_name, factor, None)
    if not (isinstance(old.extent, Const) and int(old.extent.value) % split.factor == 0):
        guards.append(n.LT(position, old.extent))
        last = simplify(n.Sub(Add(offset, old.extent), const(1)))
        clamps[old.name] = Clamp(outer_name, offset, last)


def _fuse(
    fuse: Fuse,
    loops: dict[str, _Loop],
    lets: list[tuple[str, Expr]],
    clamps: dict[str, Clamp],
) -> None:
    """`inner = fused % extent + offset`, `outer = fused / extent + offset`."""
    inner, outer = loops.pop(fuse.inner), loops.pop(fuse.outer)
    name = f"{outer.name}.{fuse.fused}"
    fused = coordinate(name)
    for loop, position in (
        (inner, n.Mod(fused, inner.extent)),
        (outer, n.Div(fused, inner.extent)),
    ):
        low = loop.offset if loop.offset is not None else const(0)
        lets.append((loop.name, simplify(Add(position, low))))
        last = simplify(n.Sub(Add(low, loop.extent), const(1)))
        clamps[loop.name] = Clamp(name, low, last)
    loops[fuse.fused] = _Loop(name, simplify(n.Mul(inner.extent, outer.extent)), None)
