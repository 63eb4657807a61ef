"""Pass 7: the guards of split loops leave the steady state."""

from __future__ import annotations

from ..ir import I32, LT, Add, Const, Expr, Min, Mul, Sub, Variable, const, simplify, substitute
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, map_expressions, rebuild, walk


def partition_tails(stmt: s.Stmt) -> s.Stmt:
    """Loops over `o * k + i` with a guard `o * k + i < e` run unguarded, but for the last, partial one.

    Where the inner loop is serial it is cut to `min(k, e - o * k)` steps; where it is vectorized or
    unrolled, the outer loop is split in whole steps and a serial remainder. Each point is still
    computed exactly once and nothing outside is touched. A parallel outer loop is never split.

        for o in [0, +(e+7)/8):                    for o in [0, +e/8):
          vectorized i in [0, +8):         ->        vectorized i in [0, +8): f[o*8+i] = ...
            if o*8+i < e: f[o*8+i] = ...           for i in [0, +e%8): f[e/8*8+i] = ...
    """
    stmt = rebuild(stmt, tuple(map(partition_tails, children_of(stmt))), lambda e: e)
    if not isinstance(stmt, s.For):
        return stmt
    guard = _find_guard(stmt)
    if guard is None:
        return stmt
    condition, inner, extent = guard
    factor = const(int(inner.extent.value))  # type: ignore[attr-defined]
    outer = Variable(stmt.name, I32)
    if inner.kind in ("serial", "parallel"):
        left = simplify(Min(factor, Sub(extent, Mul(outer, factor))))
        return s.For(
            stmt.name, stmt.min, stmt.extent, stmt.kind,
            _with_extent(_without(stmt.body, condition), inner.name, left, inner.kind),
        )  # fmt: skip
    if stmt.kind not in ("serial", "parallel"):
        return stmt
    whole = simplify(n.Div(extent, factor))
    rest = simplify(n.Mod(extent, factor))
    main = s.For(stmt.name, const(0), whole, stmt.kind, _without(stmt.body, condition))
    tail = _with_extent(_without(stmt.body, condition), inner.name, rest, "serial")

    def last(e: Expr) -> Expr:
        return simplify(substitute(e, {outer: whole}))

    tail = map_expressions(tail, last)
    return block(main, s.IfThenElse(LT(const(0), rest), tail))


def _find_guard(loop: s.For) -> tuple[Expr, s.For, Expr] | None:
    """(guard, the inner loop, the extent) of a split whose outer loop is `loop`."""
    outer = Variable(loop.name, I32)
    inners = {x.name: x for x in walk(loop.body) if isinstance(x, s.For)}
    for stmt in walk(loop.body):
        if not isinstance(stmt, s.IfThenElse) or stmt.otherwise is not None:
            continue
        match stmt.condition:
            case n.LT(a=Add(a=Mul(a=a, b=Const(value=k)), b=Variable(name=name)), b=extent):
                inner = inners.get(name)
                if (
                    a is outer
                    and inner is not None
                    and isinstance(inner.extent, Const)
                    and isinstance(inner.min, Const)
                    and inner.min.value == 0
                    and inner.extent.value == k
                    and outer not in set(n.postorder(extent))
                ):
                    return stmt.condition, inner, extent
    return None


def _without(stmt: s.Stmt, condition: Expr) -> s.Stmt:
    if isinstance(stmt, s.IfThenElse) and stmt.condition is condition:
        return _without(stmt.then, condition)
    return rebuild(stmt, tuple(_without(c, condition) for c in children_of(stmt)), lambda e: e)


def _with_extent(stmt: s.Stmt, name: str, extent: Expr, kind: s.ForKind) -> s.Stmt:
    if isinstance(stmt, s.For) and stmt.name == name:
        return s.For(name, stmt.min, extent, kind, stmt.body)
    children = tuple(_with_extent(c, name, extent, kind) for c in children_of(stmt))
    return rebuild(stmt, children, lambda e: e)
