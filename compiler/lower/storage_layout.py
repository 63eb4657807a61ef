"""How stages lie in memory: order of dimensions, alignment, sizes known while compiling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ir import LE, TRUE, Add, Call, Const, Div, Expr, Mul, Sub, const, transform
from ..ir import stmts as s
from ..ir.simplify_coordinate import simplify_coordinate
from ..ir.stmt_transform import block, children_of, map_expressions, rebuild
from .constant_size import facts_of, largest_size
from .interval import constant_limit
from .plan import StagePlan

MOST_SPARE = 1 << 16
"""A size of up to this that is never exceeded is taken for the real one, which varies."""


def storage_layout(body: s.Stmt, plans: Sequence[StagePlan]) -> s.Stmt:
    """`body` with each `Realize` as `reorder_storage`, `align_storage` and `bound_storage` ask.

    Needs coordinates bound and stages not yet flat. An extent that varies but has a small constant
    limit becomes that: strides are constants then, and memory may lie on the stack.

        realize f([a, +min(n, 8)], [b, +3]) reordered to y, x: f(x, y) = ...
        ->  realize f([b, +3], [a, +8]): f(y, x) = ...
    """
    by_name = {p.name: p for p in plans if not p.is_output}
    return _stored(_reordered(body, by_name), by_name)


def _limit(extent: Expr, around: Sequence[s.For], memory: s.MemoryKind) -> int | None:
    """What an extent never exceeds, if that is known; a block's threads share memory of a constant
    size, so more is known of the loops over blocks."""
    found = constant_limit(extent)
    blocks = [loop for loop in around if loop.kind == "gpu_block"]
    if found is not None or not blocks or memory == "heap" or isinstance(extent, Const):
        return found
    return largest_size(extent, facts_of(blocks, [x for x in around if x not in blocks]))


def _stored(stmt: s.Stmt, plans: Mapping[str, StagePlan], around: tuple[s.For, ...] = ()) -> s.Stmt:
    within = (*around, stmt) if isinstance(stmt, s.For) else around
    made = rebuild(stmt, tuple(_stored(c, plans, within) for c in children_of(stmt)), lambda e: e)
    if not isinstance(made, s.Realize) or made.func not in plans:
        return made
    plan = plans[made.func]
    told = {d.var: d for d in plan.schedule.storage}
    order = _order(plan) or tuple(range(len(plan.args)))
    bounds: list[tuple[Expr, Expr]] = []
    checks: list[s.Stmt] = []
    for d, (low, extent) in zip(order, made.bounds, strict=True):
        directive = told.get(plan.args[d])
        size = extent
        limit = _limit(extent, around, made.memory)
        if not isinstance(extent, Const) and limit is not None and 0 <= limit <= MOST_SPARE:
            size = const(limit)
        if directive is not None and directive.bound is not None:
            size = directive.bound
            message = (
                f"The explicit allocation bound ({{}}) of dimension {plan.args[d]} of {plan.name} "
                "is too small to store the required region ({})."
            )
            holds = simplify_coordinate(LE(extent, size))
            if holds is not TRUE:
                checks.append(s.AssertStmt(holds, message, (size, extent)))
        if directive is not None and directive.alignment is not None:
            unit = directive.alignment
            rounded = Div(Sub(Add(size, unit), const(1)), unit)
            size = simplify_coordinate(Mul(rounded, unit))
        bounds.append((low, size))
    return block(*checks, s.Realize(made.func, made.types, tuple(bounds), made.body, made.memory))


def _order(plan: StagePlan) -> tuple[int, ...] | None:
    """The dimensions, innermost first, where that isn't the order of the arguments."""
    order = tuple(plan.args.index(d.var) for d in plan.schedule.storage)
    return None if order in ((), tuple(range(len(plan.args)))) else order


def _reordered(body: s.Stmt, plans: Mapping[str, StagePlan]) -> s.Stmt:
    """`body` with the coordinates of reordered stages in the order of their memory."""
    orders = {name: order for name, p in plans.items() if (order := _order(p)) is not None}
    if not orders:
        return body
    values = {v: order for name, order in orders.items() for v in plans[name].value_names()}

    def read(node: Expr) -> Expr:
        if isinstance(node, Call) and node.kind == "func" and node.name in values:
            args = tuple(node.args[d] for d in values[node.name])
            return Call(node.name, args, node.type, node.kind)
        return node

    def walk(stmt: s.Stmt) -> s.Stmt:
        made = rebuild(stmt, tuple(map(walk, children_of(stmt))), lambda e: e)
        if isinstance(made, s.Provide) and made.func in orders:
            return s.Provide(made.func, made.values, tuple(made.args[d] for d in orders[made.func]))
        if isinstance(made, s.Realize) and made.func in orders:
            bounds = tuple(made.bounds[d] for d in orders[made.func])
            return s.Realize(made.func, made.types, bounds, made.body, made.memory)
        return made

    return walk(map_expressions(body, lambda e: transform(e, read)))


__all__ = ["storage_layout"]
