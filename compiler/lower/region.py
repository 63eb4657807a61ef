"""Symbolic intervals of coordinates, and the box of a stage or image that a statement touches.

The arithmetic of bounds inference (halide-2012 section 5.1). Coordinates are int32 and assumed not
to overflow; everything narrower wraps and is bounded by its values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .. import ir
from ..ir import (
    I32,
    Add,
    BitAnd,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Select,
    Shl,
    Shr,
    Sub,
    Variable,
    const,
    simplify,
)  # fmt: skip
from ..ir import stmts as s
from ..ir.bounds_of_values import value_range
from ..ir.simplify import linear_terms
from ..ir.stmt_transform import children_of, expressions_of

Interval = tuple[Expr, Expr]
"""(smallest, largest), as int32 expressions."""

Box = list[Interval]


class Unbounded(Exception):
    """No finite interval is known; `args[0]` is the expression."""


@dataclass(frozen=True)
class Clamp:
    """What a split coordinate never leaves: [low, high], when its loop `outer` runs inside."""

    outer: str
    low: Expr
    high: Expr


@dataclass
class Scope:
    """Intervals of the variables that are bound between a statement and an expression in it."""

    intervals: dict[str, Interval] = field(default_factory=dict)
    clamps: Mapping[str, Clamp] = field(default_factory=dict)

    regions: Mapping[Expr, Expr] = field(default_factory=dict)
    """Mins and extents of realized stages, replaced by their values before anything is bounded: a
    region ends at min + extent - 1, and bounding the two apart would lose their relation."""

    def with_variable(self, name: str, interval: Interval) -> Scope:
        return Scope({**self.intervals, name: interval}, self.clamps, self.regions)

    def with_region(self, name: str, value: Expr) -> Scope:
        regions = {**self.regions, Variable(name, I32): value}
        return Scope(self.intervals, self.clamps, regions)

    def resolved(self, expr: Expr) -> Expr:
        return simplify(ir.substitute(expr, self.regions)) if self.regions else expr


def interval(expr: Expr, scope: Scope) -> Interval:
    """The interval of an int32 `expr`, in terms of what is not in `scope`.

    Raises `Unbounded` where there is none: the value of memory, unclamped, for example.
    """
    low, high = _interval(expr, scope, {})
    return simplify(low), simplify(high)


def _interval(expr: Expr, scope: Scope, done: dict[Expr, Interval]) -> Interval:
    found = done.get(expr)
    if found is None:
        found = done[expr] = _compute(expr, scope, done)
    return found


def _compute(expr: Expr, scope: Scope, done: dict[Expr, Interval]) -> Interval:
    def of(e: Expr) -> Interval:
        return _interval(e, scope, done)

    match expr:
        case Const():
            return expr, expr
        case Variable(name=name):
            return scope.intervals.get(name, (expr, expr))
        case Add(a=a, b=b):
            (al, ah), (bl, bh) = of(a), of(b)
            return Add(al, bl), Add(ah, bh)
        case Sub(a=a, b=b):
            (al, ah), (bl, bh) = of(a), of(b)
            return Sub(al, bh), Sub(ah, bl)
        case Neg(value=value):
            low, high = of(value)
            return Neg(high), Neg(low)
        case Mul(a=a, b=b):
            return _product(expr, of(a), of(b))
        case Div(a=a, b=Const() as b) if b.value > 0:
            low, high = of(a)
            return Div(low, b), Div(high, b)
        case Div(a=a, b=Const() as b) if b.value < 0:
            low, high = of(a)
            return Div(high, b), Div(low, b)
        case Mod(a=a, b=Const() as b) if b.value > 0:
            low, high = of(a)
            if low is high:
                return expr, expr
            return const(0), const(int(b.value) - 1)
        case Min(a=a, b=b):
            return _bounded_side(expr, of, Min)
        case Max(a=a, b=b):
            return _bounded_side(expr, of, Max)
        case Select(a=a, b=b):
            (al, ah), (bl, bh) = of(a), of(b)
            return smaller(al, bl), larger(ah, bh)
        case Shr(a=a, b=Const() as b):
            low, high = of(a)
            return Shr(low, b), Shr(high, b)
        case Shl(a=a, b=Const() as b):
            low, high = of(a)
            return Shl(low, b), Shl(high, b)
        case BitAnd(b=Const() as b) if b.value >= 0:
            return const(0), b
        case Cast(value=value) if value.type is ir.I64 and isinstance(value, Cast):
            return of(value.value) if value.value.type is I32 else _by_values(expr)
    sides = [of(c) for c in expr.children if c.type is I32]
    if sides and len(sides) == len(expr.children) and all(low is high for low, high in sides):
        made = expr.rebuild(tuple(low for low, _ in sides))
        return made, made
    if any(isinstance(v, Variable) and v.name in scope.intervals for v in ir.postorder(expr)):
        return _by_type(expr)
    return _by_values(expr)


def _bounded_side(expr: ir.Binary, of: object, kind: type[ir.Binary]) -> Interval:
    """min and max keep the bound of one side where the other side has none."""
    sides: list[Interval] = []
    for operand in (expr.a, expr.b):
        try:
            sides.append(of(operand))  # type: ignore[operator]
        except Unbounded:
            continue
    if len(sides) == 2:
        (al, ah), (bl, bh) = sides
        return kind(al, bl), kind(ah, bh)
    if sides:
        low, high = sides[0]
        limit = const(I32.min if kind is Min else I32.max)
        # Half-bounded: the open end is the type's own, which an outer max or min then cuts.
        return (limit, high) if kind is Min else (low, limit)
    raise Unbounded(expr)


def _product(expr: Expr, a: Interval, b: Interval) -> Interval:
    if isinstance(a[0], Const) and a[0] is a[1]:
        a, b = b, a
    if b[0] is b[1] and isinstance(b[0], Const):
        first, last = Mul(a[0], b[0]), Mul(a[1], b[0])
        return (first, last) if b[0].value >= 0 else (last, first)
    if a[0] is a[1] and b[0] is b[1]:
        made = Mul(a[0], b[0])
        return made, made
    corners = [simplify(Mul(x, y)) for x in a for y in b]
    low, high = corners[0], corners[0]
    for corner in corners[1:]:
        low, high = smaller(low, corner), larger(high, corner)
    return low, high


def _by_values(expr: Expr) -> Interval:
    """The interval from the values' types alone: a byte from memory is in [0, 255]."""
    if not _reads_memory(expr):
        # A parameter, or arithmetic of parameters: a value fixed for the whole run.
        names = [n for n in ir.postorder(expr) if isinstance(n, Variable)]
        if all("." not in n.name or _is_field(n.name) for n in names):
            return expr, expr
    return _by_type(expr)


def _by_type(expr: Expr) -> Interval:
    low, high = value_range(expr)
    if (low, high) == (I32.min, I32.max):
        raise Unbounded(expr)
    return const(low), const(high)


def _is_field(name: str) -> bool:
    return any(f".{field}." in name for field in ("min", "extent", "stride"))


def _reads_memory(expr: Expr) -> bool:
    return any(
        isinstance(n, ir.Load) or (isinstance(n, Call) and n.kind in ("func", "image"))
        for n in ir.postorder(expr)
    )


def union(a: Box | None, b: Box) -> Box:
    """The smallest box that holds both."""
    if a is None:
        return b
    return [(smaller(al, bl), larger(ah, bh)) for (al, ah), (bl, bh) in zip(a, b, strict=True)]


def smaller(a: Expr, b: Expr) -> Expr:
    """min(a, b) of coordinates, decided where their difference is known (they don't overflow)."""
    return _extreme(Min, a, b)


def larger(a: Expr, b: Expr) -> Expr:
    """max(a, b) of coordinates, decided where their difference is known."""
    return _extreme(Max, a, b)


def _extreme(kind: type[ir.Binary], a: Expr, b: Expr) -> Expr:
    kept: list[Expr] = []
    for operand in (*_operands(kind, a), *_operands(kind, b)):
        for i, other in enumerate(kept):
            terms, difference = linear_terms(Sub(operand, other))
            if not terms:
                if (difference < 0) == (kind is Min):
                    kept[i] = operand
                break
        else:
            kept.append(operand)
    made = kept[0]
    for operand in kept[1:]:
        made = kind(made, operand)
    return simplify(made)


def _operands(kind: type[ir.Binary], e: Expr) -> list[Expr]:
    if isinstance(e, kind):
        return [*_operands(kind, e.a), *_operands(kind, e.b)]
    return [e]


def extent_of(low: Expr, high: Expr) -> Expr:
    """high - low + 1, at least 0. A buffer's own extent is never negative."""
    size = simplify(Add(Sub(high, low), const(1)))
    terms, constant = linear_terms(size)
    if constant >= 0 and all(
        c > 0 and isinstance(t, Variable) and ".extent." in t.name for t, c in terms.items()
    ):
        return size
    return simplify(Max(size, const(0)))


@dataclass
class Touched:
    """Boxes read and written by a statement, by the name of the stage or image."""

    read: dict[str, Box] = field(default_factory=dict)
    written: dict[str, Box] = field(default_factory=dict)


def boxes(stmt: s.Stmt, names: Iterable[str], clamps: Mapping[str, Clamp]) -> Touched:
    """The boxes of the stages and images `names` that `stmt` touches.

    They are in terms of variables that `stmt` does not bind. Raises `Unbounded`.
    """
    touched = Touched()
    _collect(stmt, frozenset(names), Scope({}, clamps), touched)
    return touched


def _collect(stmt: s.Stmt, names: frozenset[str], scope: Scope, touched: Touched) -> None:
    for expr in expressions_of(stmt):
        for node in ir.postorder(scope.resolved(expr)):
            if isinstance(node, Call) and node.kind in ("func", "image") and node.name in names:
                box = [interval(a, scope) for a in node.args]
                touched.read[node.name] = union(touched.read.get(node.name), box)
    if isinstance(stmt, s.Provide) and stmt.func in names:
        box = [interval(scope.resolved(a), scope) for a in stmt.args]
        touched.written[stmt.func] = union(touched.written.get(stmt.func), box)
    if isinstance(stmt, s.For):
        low, last = _ends(scope.resolved(stmt.min), scope.resolved(stmt.extent))
        scope = scope.with_variable(stmt.name, (interval(low, scope)[0], interval(last, scope)[1]))
    elif isinstance(stmt, s.LetStmt):
        scope = _with_let(stmt, scope)
    for child in children_of(stmt):
        _collect(child, names, scope, touched)


def _ends(low: Expr, extent: Expr) -> Interval:
    """The first and last step of a loop; the last of an empty one is just before the first."""
    return low, settled(simplify(Sub(Add(low, extent), const(1))))


def settled(end: Expr) -> Expr:
    """a + max(d, 0) as max(a + d, a), so that what `d` subtracts of `a` cancels."""
    for term, factor in linear_terms(end)[0].items():
        if factor == 1 and isinstance(term, Max) and term.b is const(0):
            rest = Sub(end, term)
            return larger(settled(simplify(Add(rest, term.a))), simplify(rest))
    return end


def _with_let(stmt: s.LetStmt, scope: Scope) -> Scope:
    if _is_field(stmt.name):
        return scope.with_region(stmt.name, scope.resolved(stmt.value))
    clamp = scope.clamps.get(stmt.name)
    if clamp is not None and clamp.outer in scope.intervals:
        # The split loop runs inside: all of the dimension, not what the rounded-up loops reach.
        low, high = scope.resolved(clamp.low), settled(scope.resolved(clamp.high))
        low, high = interval(low, scope)[0], interval(high, scope)[1]
        return scope.with_variable(stmt.name, (low, high))
    try:
        low, high = interval(scope.resolved(stmt.value), scope)
    except Unbounded:
        return scope
    if clamp is not None and low is not high:
        last = settled(scope.resolved(clamp.high))
        high = smaller(high, interval(last, scope)[1])
    return scope.with_variable(stmt.name, (low, high))
