"""The guards of split loops leave the steady state."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import (
    I32,
    Add,
    And,
    Cast,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Sub,
    Variable,
    const,
    simplify,
    substitute,
)
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.coordinate_sums import is_far, sum_of
from ..ir.simplify import linear_terms
from ..ir.stmt_transform import block, children_of, expressions_of, map_expressions, rebuild, walk

FEW = 16
"""A remainder of up to this part of a vector is not worth a vector."""


MANY = 8
"""So many steps of an unrolled loop are not written out where they run once."""


def partition_tails(stmt: s.Stmt, masked: bool = False, cut: set[str] | None = None) -> s.Stmt:
    """Loops with a guard `o * k + i < e` run unguarded, but for the last, partial step of `o`.

    Where the inner loop is serial it is cut to `min(k, e - o * k)` steps; where it is vectorized or
    unrolled, the outer loop is split in whole steps and a remainder: a serial loop, or, where
    `masked` (the machine can switch lanes off), one guarded vector unless it is short. Each point
    is still computed exactly once and nothing outside is touched. Needs coordinates bound, and
    loops not yet unrolled. Adds the names of the outer loops to `cut`.

        for o in [0, +(e+7)/8):                    for o in [0, +e/8):
          vectorized i in [0, +8):         ->        vectorized i in [0, +8): f[o*8+i] = ...
            if o*8+i < e: f[o*8+i] = ...           for i in [0, +e%8): f[e/8*8+i] = ...
    """
    cut = set() if cut is None else cut
    children = tuple(partition_tails(child, masked, cut) for child in children_of(stmt))
    stmt = rebuild(stmt, children, lambda e: e)
    if not isinstance(stmt, s.For):
        return stmt
    guard = _find_guard(stmt)
    if guard is None:
        return stmt
    step, outer = const(guard.step), Variable(stmt.name, I32)
    free = _without(stmt.body, guard.condition)
    whole_inner = guard.inner[0] if len(guard.inner) == 1 and guard.is_plain else None
    if whole_inner is not None and whole_inner.kind in ("serial", "parallel"):
        left = guard.inner_steps(simplify(Min(Sub(guard.extent, Mul(outer, step)), step)))
        body = _with_extent(free, whole_inner.name, left, whole_inner.kind)
        cut.add(stmt.name)
        return s.For(stmt.name, stmt.min, stmt.extent, stmt.kind, body)
    if stmt.kind not in ("serial", "parallel") or not any(
        x.kind in ("vectorized", "unrolled") for x in guard.inner
    ):
        return stmt
    cut.add(stmt.name)
    if guard.is_alone:
        whole = simplify(n.Div(guard.extent, step))
        rest = simplify(n.Mod(guard.extent, step))
        some: Expr = n.LT(const(0), rest)
    else:
        whole = simplify(Max(Min(n.Div(guard.extent, step), stmt.extent), const(0)))
        rest = simplify(Sub(guard.extent, Mul(whole, step)))
        some = And(n.LT(const(0), rest), n.LT(whole, stmt.extent))
    main = s.For(stmt.name, const(0), whole, stmt.kind, free)
    left = guard.inner_steps(rest)
    if masked and whole_inner is not None and _is_in_rows(whole_inner):
        within = n.LT(Variable(whole_inner.name, I32), left)
        tail = _with_condition(stmt.body, guard.condition, within)
        # A few steps are faster one by one, and no load of the next row waits for a masked store.
        few = n.LE(left, const(guard.step * guard.divisor // FEW))
        one_by_one = _with_extent(free, whole_inner.name, left, "serial")
        tail = s.IfThenElse(simplify(few), one_by_one, tail)
    elif whole_inner is not None:
        tail = _with_extent(free, whole_inner.name, left, "serial")
    else:
        tail = stmt.body
        for loop in guard.inner:
            if loop.kind == "vectorized":
                tail = _with_extent(tail, loop.name, loop.extent, "serial")
    tail = rolled(map_expressions(tail, lambda e: simplify(substitute(e, {outer: whole}))))
    return block(main, s.IfThenElse(simplify(some), tail))


def rolled(stmt: s.Stmt) -> s.Stmt:
    """`stmt`, which runs once, with unrolled loops around others as serial ones: less code."""
    made = rebuild(stmt, tuple(map(rolled, children_of(stmt))), lambda e: e)
    if isinstance(made, s.For) and made.kind == "unrolled" and isinstance(made.extent, Const):
        around = any(isinstance(x, s.For) and x.kind != "unrolled" for x in walk(made.body))
        if around and int(made.extent.value) >= MANY:
            return s.For(made.name, made.min, made.extent, "serial", made.body)
    return made


def _is_in_rows(loop: s.For) -> bool:
    """Whether all memory that a vectorized loop touches lies in a row, or is one place for all.

    Elements further apart are touched one by one under a mask: a short serial loop does as well.
    """
    if loop.kind != "vectorized":
        return False
    variable: Expr = Variable(loop.name, I32)
    for stmt in walk(loop.body):
        indices = [stmt.index] if isinstance(stmt, s.Store) else []
        for node in n.postorder(*expressions_of(stmt)):
            if isinstance(node, Load):
                indices += node.indices
        if any(_step(index, variable) is None for index in indices):
            return False
        if isinstance(stmt, s.Store) and _step(stmt.index, variable) == 0:
            return False
    return True


def _step(index: Expr, variable: Expr) -> int | None:
    """What the index grows by with each step of `variable`: 0, 1 or -1; None for anything else.

    `variable / k * k` counts as 0: what it reads lies in the row, too.
    """
    step = 0
    for term, factor in linear_terms(index)[0].items():
        place = term.value if isinstance(term, Cast) else term
        if place is variable:
            step += index.type.wrap(factor)
        elif _is_quotient(place, variable, factor):
            continue  # It grows by the divisor every divisor-th step: it stays in the row.
        elif variable in n.postorder(term):
            return None
    return step if abs(step) <= 1 else None


def _is_quotient(term: Expr, variable: Expr, factor: int) -> bool:
    """Whether `factor * term` is `variable / k * k`."""
    if not isinstance(term, n.Div) or term.a is not variable:
        return False
    return isinstance(term.b, Const) and int(term.b.value) == factor


@dataclass(frozen=True)
class _Guard:
    """`condition` says step * outer + (inner loops, below step) < extent.

    The one inner loop of a plain guard may be that of a fusion, `i / divisor` in the condition.
    """

    condition: Expr
    step: int
    inner: tuple[s.For, ...]
    is_plain: bool
    """Whether the one inner loop takes each of `step` places once."""
    extent: Expr
    is_alone: bool
    """Whether `extent` is the dimension's own, so that the loop has ceil(extent / step) steps."""
    divisor: int = 1

    def inner_steps(self, places: Expr) -> Expr:
        """The steps of the one inner loop for so many places of the guarded dimension."""
        return simplify(Mul(places, const(self.divisor)))


def _find_guard(loop: s.For) -> _Guard | None:
    if not (isinstance(loop.min, Const) and loop.min.value == 0):
        return None
    inners: dict[Expr, s.For] = {
        Variable(x.name, I32): x for x in walk(loop.body) if isinstance(x, s.For)
    }
    for stmt in walk(loop.body):
        if isinstance(stmt, s.IfThenElse) and isinstance(stmt.condition, n.LT):
            found = _guard_of(stmt, loop, inners)
            if found is not None:
                return found
    return None


def _guard_of(stmt: s.IfThenElse, loop: s.For, inners: dict[Expr, s.For]) -> _Guard | None:
    condition = stmt.condition
    if stmt.otherwise is not None or not isinstance(condition, n.LT) or condition.a.type is not I32:
        return None
    terms, constant = linear_terms(condition.a)
    outer: Expr = Variable(loop.name, I32)
    step = terms.pop(outer, 0)
    if step < 2:
        return None
    parts = {t: part for t in terms if (part := _part_of(t, inners)) is not None}
    mine = list(parts)
    reach = 0
    for term, (inner, divisor) in parts.items():
        starts_at_zero = isinstance(inner.min, Const) and inner.min.value == 0
        if terms[term] < 1 or not starts_at_zero or not isinstance(inner.extent, Const):
            return None
        steps = int(inner.extent.value)
        if steps % divisor or (divisor > 1 and len(parts) > 1):
            return None
        reach += terms[term] * (steps // divisor - 1)
    others: Expr = const(constant)
    for term, factor in terms.items():
        if term not in parts:
            others = Add(others, Mul(term, const(factor)))
    changing = {outer, *inners}
    if not mine or reach >= step or changing & set(n.postorder(others, condition.b)):
        return None
    single = len(mine) == 1 and terms[mine[0]] == 1 and reach == step - 1
    alone = len(mine) == len(terms) and constant == 0
    if is_far(sum_of(condition.b).plus(sum_of(others), -1).constant + step, I32):
        return None
    extent = simplify(Sub(condition.b, others))
    divisor = parts[mine[0]][1]
    if divisor > 1 and not single:
        return None
    loops = tuple(inner for inner, _ in parts.values())
    return _Guard(condition, step, loops, single, extent, alone, divisor)


def _part_of(term: Expr, inners: dict[Expr, s.For]) -> tuple[s.For, int] | None:
    """(loop, k) where `term` is a loop's variable divided by k, or is the variable."""
    if term in inners:
        return inners[term], 1
    if isinstance(term, n.Div) and term.a in inners and isinstance(term.b, Const):
        return (inners[term.a], int(term.b.value)) if term.b.value > 0 else None
    return None


def _without(stmt: s.Stmt, condition: Expr) -> s.Stmt:
    if isinstance(stmt, s.IfThenElse) and stmt.condition is condition:
        return _without(stmt.then, condition)
    return rebuild(stmt, tuple(_without(c, condition) for c in children_of(stmt)), lambda e: e)


def _with_condition(stmt: s.Stmt, old: Expr, new: Expr) -> s.Stmt:
    if isinstance(stmt, s.IfThenElse) and stmt.condition is old:
        return s.IfThenElse(new, _with_condition(stmt.then, old, new))
    children = tuple(_with_condition(c, old, new) for c in children_of(stmt))
    return rebuild(stmt, children, lambda e: e)


def _with_extent(stmt: s.Stmt, name: str, extent: Expr, kind: s.ForKind) -> s.Stmt:
    if isinstance(stmt, s.For) and stmt.name == name:
        return s.For(name, stmt.min, extent, kind, stmt.body)
    children = tuple(_with_extent(c, name, extent, kind) for c in children_of(stmt))
    return rebuild(stmt, children, lambda e: e)
