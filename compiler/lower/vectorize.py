"""Pass 11: the iterations of vectorized loops become lanes."""

from __future__ import annotations

from ..ir import (
    I32,
    U8,
    Add,
    Broadcast,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Mul,
    Ramp,
    Select,
    Sub,
    Variable,
    const,
    simplify,
)
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, rebuild
from ..lang import HalideError


class _NotVectorizable(Exception):
    """The loop's body has no form in lanes; it runs as a serial loop, which is always right."""


def vectorize(stmt: s.Stmt) -> s.Stmt:
    """Every `vectorized` loop (of constant extent) as vector statements.

    A guard `lane < n` around the whole body becomes the stores' predicate where all memory that the
    body touches lies in a row. A body that has no form in lanes (a store of all lanes to one place,
    a branch that differs between lanes) stays a serial loop.

        vectorized i in [0, +8): f[i] = a[i] + c   ->   f[ramp(0, 1, 8)] = a[ramp(0, 1, 8)] + x8(c)
        vectorized i in [0, +8): if i < n: f[i] = a[i]
        ->  f[ramp(0, 1, 8)] = a[ramp(0, 1, 8)] if ramp(0, 1, 8) < x8(n)
    """
    stmt = rebuild(stmt, tuple(map(vectorize, children_of(stmt))), lambda e: e)
    if not (isinstance(stmt, s.For) and stmt.kind == "vectorized"):
        return stmt
    if not isinstance(stmt.extent, Const):
        raise HalideError(
            f"Can only vectorize for loops over a constant extent; loop {stmt.name} runs over "
            f"{stmt.extent}. Vectorize by a factor, or promise the extent with set_bounds."
        )
    lanes = int(stmt.extent.value)
    if lanes == 1:
        return s.For(stmt.name, stmt.min, stmt.extent, "serial", stmt.body)
    variable = Variable(stmt.name, I32)
    guarded = _guarded(stmt)
    try:
        if guarded is None:
            return _Lanes(variable, stmt.min, lanes).statement(stmt.body)
        count, body = guarded
        return _Lanes(variable, stmt.min, lanes, _first_lanes(count, lanes)).statement(body)
    except _NotVectorizable:
        if guarded is not None:
            count, body = guarded
            fewer = simplify(n.Min(count, stmt.extent))
            return s.For(stmt.name, stmt.min, fewer, "serial", body)
        return s.For(stmt.name, stmt.min, stmt.extent, "serial", stmt.body)


def _guarded(loop: s.For) -> tuple[Expr, s.Stmt] | None:
    """For the loop `i in [0, +L): if i < n: body`, what `n` and the body are."""
    if not (isinstance(loop.body, s.IfThenElse) and loop.body.otherwise is None):
        return None
    condition = loop.body.condition
    variable: Expr = Variable(loop.name, I32)
    if not isinstance(condition, n.LT) or condition.a is not variable:
        return None
    starts_at_zero = isinstance(loop.min, Const) and loop.min.value == 0
    if not starts_at_zero or variable in n.postorder(condition.b):
        return None
    return condition.b, loop.body.then


def _first_lanes(count: Expr, lanes: int) -> Expr:
    """The mask of the first `count` lanes, compared in the narrowest type: one instruction."""
    type = U8 if lanes <= U8.max else I32
    inside = n.Max(n.Min(count, const(lanes)), const(0))
    return n.LT(Ramp(const(0, type), const(1, type), lanes), Broadcast(Cast(type, inside), lanes))


class _Lanes:
    """Replaces one scalar loop variable by a ramp, and widens whatever depends on it."""

    def __init__(self, variable: Expr, start: Expr, lanes: int, mask: Expr | None = None) -> None:
        self.lanes = lanes
        self.mask = mask
        self.done: dict[Expr, Expr] = {variable: Ramp(start, const(1), lanes)}

    def statement(self, stmt: s.Stmt) -> s.Stmt:
        match stmt:
            case s.Block(stmts):
                return block(*map(self.statement, stmts))
            case s.Store(buffer, value, index, None):
                wide_value, wide_index = self.expression(value), self.expression(index)
                if self.mask is not None and not _lies_in_a_row(wide_index, wide_value):
                    raise _NotVectorizable
                if wide_index.type.lanes == 1:
                    if wide_value.type.lanes == 1 and wide_value is value:
                        return stmt
                    raise _NotVectorizable
                return s.Store(buffer, self._wide(wide_value), wide_index, self.mask)
            case s.IfThenElse(condition, then, otherwise):
                if self.expression(condition) is not condition:
                    raise _NotVectorizable
                rest = None if otherwise is None else self.statement(otherwise)
                return s.IfThenElse(condition, self.statement(then), rest)
            case s.For(name, low, extent, "serial", body):
                if any(self.expression(e) is not e for e in (low, extent)):
                    raise _NotVectorizable
                return s.For(name, low, extent, "serial", self.statement(body))
            case s.LetStmt(name, value, body):
                wide = self.expression(value)
                if self.mask is not None and any(isinstance(x, Load) for x in n.postorder(wide)):
                    raise _NotVectorizable
                if wide is not value:
                    self.done[Variable(name, value.type)] = Variable(name, wide.type)
                return s.LetStmt(name, wide, self.statement(body))
        raise _NotVectorizable

    def expression(self, expr: Expr) -> Expr:
        for node in n.postorder(expr):
            if node not in self.done:
                self.done[node] = self._node(node)
        return self.done[expr]

    def _wide(self, e: Expr) -> Expr:
        return Broadcast(e, self.lanes) if e.type.lanes == 1 else e

    def _node(self, node: Expr) -> Expr:
        children = tuple(self.done[c] for c in node.children)
        if all(c.type.lanes == 1 for c in children):
            return node
        ramp = _ramp(node, children)
        if ramp is not None:
            return ramp
        if isinstance(node, Cast):
            return Cast(node.type.with_lanes(self.lanes), children[0])
        if isinstance(node, Load):
            return Load(node.array, children, node.type.with_lanes(self.lanes))
        wide = tuple(map(self._wide, children))
        if isinstance(node, Call):
            return Call(node.name, wide, node.type.with_lanes(self.lanes), node.kind)
        if isinstance(node, Select) and children[0].type.lanes == 1:
            return Select(children[0], wide[1], wide[2])
        return node.rebuild(wide)


def _lies_in_a_row(*exprs: Expr) -> bool:
    """Whether the stored place and the loads of `exprs` are elements in a row, or one for all."""
    index, *_ = exprs
    loaded = [
        x for e in exprs for node in n.postorder(e) if isinstance(node, Load) for x in node.indices
    ]
    return (
        all(
            isinstance(i, Ramp) and isinstance(i.stride, Const) and abs(i.stride.value) == 1
            for i in (index, *loaded)
            if i.type.lanes > 1
        )
        and index.type.lanes > 1
    )


def _ramp(node: Expr, children: tuple[Expr, ...]) -> Expr | None:
    """The ramp that index arithmetic on a ramp gives, so that dense accesses stay visible.

    Coordinates don't overflow, so widening one is widening its base and stride.
    """
    if isinstance(node, Cast) and isinstance(children[0], Ramp) and node.type.bits >= 64:
        r = children[0]
        if node.type.is_int and r.type.is_int:
            return Ramp(
                simplify(Cast(node.type, r.base)), simplify(Cast(node.type, r.stride)), r.lanes
            )
        return None
    if len(children) != 2:
        return None
    a, b = children
    if isinstance(node, (Add, Sub)) and node.type.is_int and node.type.bits >= 32:
        kind = type(node)
        if isinstance(a, Ramp) and isinstance(b, Ramp):
            return Ramp(simplify(kind(a.base, b.base)), simplify(kind(a.stride, b.stride)), a.lanes)
        if isinstance(a, Ramp) and b.type.lanes == 1:
            return Ramp(simplify(kind(a.base, b)), a.stride, a.lanes)
        if isinstance(b, Ramp) and a.type.lanes == 1:
            stride = b.stride if kind is Add else simplify(n.Neg(b.stride))
            return Ramp(simplify(kind(a, b.base)), stride, b.lanes)
    if isinstance(node, Mul) and node.type.is_int and node.type.bits >= 32:
        if isinstance(b, Ramp):
            a, b = b, a
        if isinstance(a, Ramp) and b.type.lanes == 1:
            return Ramp(simplify(Mul(a.base, b)), simplify(Mul(a.stride, b)), a.lanes)
    return None
