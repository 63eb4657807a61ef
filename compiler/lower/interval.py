"""Symbolic intervals of expressions: the arithmetic of bounds inference (halide-2012 section 5.1).

Coordinates (32-bit signed integers and wider) are assumed not to overflow, as Halide assumes; what
is narrower wraps and is bounded by its values. Floating-point ends are computed in the same
rounding as the expression itself, and rounding is monotone, so they are exact bounds too.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from .. import ir
from ..ir import (
    I32,
    Add,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mul,
    Neg,
    Sub,
    Variable,
    const,
)
from ..ir import nodes as n
from ..ir.bounds_of_values import value_range
from ..ir.coordinate_range import largest_of
from ..ir.coordinate_sums import SUMS, Sum, expr_of, sum_of
from ..ir.multi_point import is_multi_point
from ..ir.operators import Algebra
from ..ir.simplify import linear_terms
from ..ir.simplify_coordinate import simplify_coordinate
from ..ir.types import Type
from ..lang import HalideError

End = Expr | None
"""One end of an interval; None where no limit is known."""

Interval = tuple[End, End]
"""(smallest, largest)."""

EVERYTHING: Interval = (None, None)

SLID = "slid"
"""`slid(part, whole)`: the value `part`; bounds inference takes `whole` (see sliding_window)."""

_RISING = frozenset({"floor", "ceil", "round", "trunc", "sqrt"})

MOST_CASES = 64
"""Choices of operands of the extremes and selects in a sum, up to which they are bounded together
with the rest of it."""


class Intervals:
    """Intervals of expressions in which `known` variables run over theirs; all others are fixed.

    `values` gives the ranges of what stages hold, by the name they are read by.
    """

    def __init__(
        self, known: Mapping[str, Interval], values: Mapping[str, Interval] | None = None
    ) -> None:
        self.known = known
        self.values = values or {}
        self._done: dict[Expr, Interval] = {}
        self._fixed: dict[Expr, bool] = {}
        self._counted: dict[Expr, int] = {}
        self._variables: dict[Expr, frozenset[str]] = {}

    def of(self, expr: Expr) -> Interval:
        """The interval of `expr`, in terms of variables that are not in `known`."""
        if expr.type is I32:
            expr = simplify_coordinate(expr)
        found = self._done.get(expr)
        if found is None:
            low, high = self._compute(expr)
            found = (
                None if low is None else simplify_coordinate(low),
                None if high is None else simplify_coordinate(high),
            )
            self._done[expr] = found
        return found

    def _compute(self, expr: Expr) -> Interval:
        match expr:
            case Const():
                return expr, expr
            case Variable(name=name):
                return self.known.get(name, (expr, expr))
            case n.Let(name=name, value=value, body=body):
                return self.of(n.substitute(body, {Variable(name, value.type): value}))
        if is_multi_point(expr):
            return self._of_points(expr)
        if expr.type.is_bool or expr.type.lanes != 1:
            return EVERYTHING
        if self._is_fixed(expr):
            return expr, expr
        return _limited(expr.type, self._of_operator(expr), expr)

    def _is_fixed(self, expr: Expr) -> bool:
        """Whether the value stays while the known variables run."""
        found = self._fixed.get(expr)
        if found is None:
            if isinstance(expr, Variable):
                found = expr.name not in self.known
            elif (
                is_multi_point(expr)
                or isinstance(expr, n.Load)
                or (isinstance(expr, Call) and expr.kind in ("func", "image", "effect"))
            ):
                found = False
            else:
                found = all(map(self._is_fixed, expr.children))
            self._fixed[expr] = found
        return found

    def _of_operator(self, expr: Expr) -> Interval:
        of = self.of
        if not _keeps_order(expr.type) and not isinstance(expr, (n.Select, Min, Max, Cast, Call)):
            return EVERYTHING
        if expr.type is I32 and isinstance(expr, SUMS):
            total = sum_of(expr)
            if expr not in total.terms:
                return self._sum(total)
        match expr:
            case Add() | Sub() | Min() | Max() | n.Select():
                return _ENDS.of(expr.__class__, of(expr.a), of(expr.b))
            case Neg(value=value):
                return _ENDS.of(Neg, of(value))
            case Mul(a=a, b=b):
                return self._product(of(a), of(b))
            case Div(a=a, b=b):
                return self._quotient(of(a), of(b))
            case n.Mod(a=a, b=b):
                return self._remainder(expr, of(a), of(b))
            case n.Shr(a=a, b=b) if _shifts(expr.type, b):
                return self._shifted(n.Shr, of(a), of(b))
            case n.Shl(a=a, b=b) if _shifts(expr.type, b):
                return self._shifted(n.Shl, of(a), of(b))
            case n.BitNot(value=value):
                low, high = of(value)
                return _complement(high), _complement(low)
            case n.BitAnd(a=a, b=Const() as b):
                if b.value >= 0:
                    return const(0, expr.type), b
                low, high = of(a)
                kept = Const(expr.type, ~_bits_up_to(~int(b.value)))
                return _both(n.BitAnd, low, kept), high
            case n.BitAnd(a=a, b=b):
                return self._common_bits(a, b)
            case n.BitOr(a=a, b=Const() as b):
                if b.value < 0:
                    return b, const(-1, expr.type)
                low, high = of(a)
                bits = Const(expr.type, _bits_up_to(int(b.value)))
                return low, _both(n.BitOr, high, bits)
            case n.BitXor(a=a, b=Const() as b):
                if b.value < 0:
                    low, high = of(n.BitXor(a, Const(expr.type, ~int(b.value))))
                    return _complement(high), _complement(low)
                low, high = of(a)
                changed = _bits_up_to(int(b.value))
                above = _both(n.BitAnd, low, Const(expr.type, ~changed))
                return above, _both(n.BitOr, high, Const(expr.type, changed))
            case n.BitXor(a=a, b=b) if block := self._block(a, b) or self._block(b, a):
                return block
            case n.BitOr(a=a, b=b) | n.BitXor(a=a, b=b):
                return self._moved_by_bits(expr, a, b)
            case Cast(value=value):
                return self._cast(expr, value)
            case Call():
                return self._call(expr)
        return EVERYTHING

    def _sum(self, total: Sum) -> Interval:
        """What moves with an extreme or a select is bounded together with what stands in it:
        32 * s + min(e - 32 * s, 32) is at most e. Each choice between operands is one more
        sum, so that sums with many choices are bounded term by term."""
        choices = [t for t in total.terms if isinstance(t, (Min, Max, n.Select))]
        if prod(map(self._cases, choices)) > MOST_CASES:
            choices = []
        for choice in choices:
            moved, factor = self._moved(choice), total.terms[choice]
            if not moved:
                continue
            rest = total.without((choice,))
            with_it = {t: c for t, c in rest.terms.items() if not moved.isdisjoint(self._moved(t))}
            if with_it:
                parts = [
                    self.of(expr_of(Sum(with_it, 0).plus(sum_of(x), factor), I32))
                    for x in choice.children[-2:]
                ]
                joined = self._joined(choice, factor, *parts)
                others = self._sum(rest.without(with_it))
                return _ENDS.of(Add, joined, others)
        low: End = const(I32.wrap(total.constant))
        high = low
        for term, factor in total.terms.items():
            ends = self.of(term) if factor > 0 else self.of(term)[::-1]
            low = _both(Add, low, _both(Mul, ends[0], const(factor)))
            high = _both(Add, high, _both(Mul, ends[1], const(factor)))
        return low, high

    @staticmethod
    def _joined(term: Expr, factor: int, a: Interval, b: Interval) -> Interval:
        """The interval of `factor * term` moved along, of the intervals of its two operands."""
        if isinstance(term, n.Select):
            return _ENDS.of(n.Select, a, b)
        return _ENDS.of(Min if isinstance(term, Min) == (factor > 0) else Max, a, b)

    def _cases(self, expr: Expr) -> int:
        """How many sums without a choice stand in `expr`."""
        found = self._counted.get(expr)
        if found is None:
            if isinstance(expr, (Min, Max, n.Select)):
                found = sum(map(self._cases, expr.children[-2:]))
            else:
                found = prod(map(self._cases, expr.children)) if isinstance(expr, SUMS) else 1
            self._counted[expr] = found
        return found

    def _moved(self, expr: Expr) -> frozenset[str]:
        """The known variables in `expr`."""
        found = self._variables.get(expr)
        if found is None:
            if isinstance(expr, Variable):
                found = frozenset([expr.name] if expr.name in self.known else [])
            else:
                found = frozenset().union(*map(self._moved, expr.children))
            self._variables[expr] = found
        return found

    def _product(self, a: Interval, b: Interval) -> Interval:
        if isinstance(a[0], Const) and a[0] is a[1]:
            a, b = b, a
        if isinstance(b[0], Const) and b[0] is b[1]:
            if b[0].value == 0 and b[0].type.is_integer:
                return b
            first, last = _both(Mul, a[0], b[0]), _both(Mul, a[1], b[0])
            return (first, last) if b[0].value >= 0 else (last, first)
        if None in (*a, *b):
            if _at_least(a[0], 0) and _at_least(b[0], 0):
                return _both(Mul, a[0], b[0]), _both(Mul, a[1], b[1])
            return EVERYTHING
        return _hull([Mul(x, y) for x in a for y in b if x is not None and y is not None])

    def _quotient(self, a: Interval, b: Interval) -> Interval:
        if isinstance(b[0], Const) and b[0] is b[1]:
            first, last = _both(Div, a[0], b[0]), _both(Div, a[1], b[0])
            return (first, last) if b[0].value >= 0 else (last, first)
        ends = [x for x in a if x is not None]
        if b[0] is not None and b[0] is b[1] and len(ends) == 2:
            # Monotone in the dividend, whatever the divisor's sign is; rounding keeps order.
            return _hull([Div(x, b[0]) for x in ends])
        if len(ends) == 2 and b[1] is not None and _is_positive(b[0]):
            return _hull([Div(x, y) for x in ends for y in b if y is not None])
        return EVERYTHING

    def _remainder(self, expr: n.Mod, a: Interval, b: Interval) -> Interval:
        if expr.type.is_float:
            return EVERYTHING
        zero = const(0, expr.type)
        low, high = a
        if isinstance(b[0], Const) and b[0] is b[1] and b[0].value > 0:
            size = int(b[0].value)
            if isinstance(low, Const) and isinstance(high, Const):
                if int(low.value) // size == int(high.value) // size:
                    return n.Mod(low, b[0]), n.Mod(high, b[0])
            elif low is not None and high is not None:
                apart, difference = linear_terms(Sub(high, low))
                if not apart and difference == 0:
                    return n.Mod(low, b[0]), n.Mod(low, b[0])
            return zero, const(size - 1, expr.type)
        if b[1] is None:
            return zero, None
        one = const(1, expr.type)
        if _at_least(b[0], 1):
            return zero, Sub(b[1], one)
        if b[0] is None:
            return zero, None
        largest = Max(Max(b[1], Neg(b[0])), one)
        return zero, Sub(largest, one)

    @staticmethod
    def _shifted(kind: type[ir.Binary], a: Interval, b: Interval) -> Interval:
        """A shift by an amount between 0 and the width, which may move with what it shifts: what
        is negative is largest where it is shifted right furthest."""
        if b[0] is not None and b[0] is b[1]:
            return _both(kind, a[0], b[0]), _both(kind, a[1], b[0])
        if None in (*a, *b):
            return EVERYTHING
        return _hull([kind(x, y) for x in a for y in b if x is not None and y is not None])

    def _block(self, moved: Expr, fixed: Expr) -> Interval | None:
        """The block of 2**k numbers that `moved ^ fixed` stays in, for a `moved` of k bits."""
        low, high = self.of(moved)
        if not self._is_fixed(fixed) or not isinstance(low, Const) or not isinstance(high, Const):
            return None
        if low.value < 0:
            return None
        bits = _bits_up_to(int(high.value))
        kept = Const(fixed.type, fixed.type.wrap(~bits))
        return n.BitAnd(fixed, kept), n.BitOr(fixed, Const(fixed.type, bits))

    def _moved_by_bits(self, expr: Expr, a: Expr, b: Expr) -> Interval:
        """Bits that make no negative number move the other side by no more than they are."""
        if value_range(b)[0] < 0:
            a, b = b, a
            if value_range(b)[0] < 0:
                return EVERYTHING
        (low, high), (_, most) = self.of(a), self.of(b)
        return low if isinstance(expr, n.BitOr) else _both(Sub, low, most), _both(Add, high, most)

    def _common_bits(self, a: Expr, b: Expr) -> Interval:
        """A sign spread over all bits, or its complement, keeps the other side or makes it 0; and
        what isn't negative leaves no bits that it hasn't."""
        zero = const(0, a.type)
        for mask, value in ((b, a), (a, b)):
            smallest, largest = value_range(mask)
            if smallest >= -1 and largest <= 0:
                low, high = self.of(value)
                return _both(Min, low, zero), _both(Max, high, zero)
        ends = [self.of(x)[1] for x in (a, b) if value_range(x)[0] >= 0]
        known = [end for end in ends if end is not None]
        if known:
            return zero, known[0] if len(known) == 1 else Min(*known)
        return EVERYTHING

    def _cast(self, expr: Cast, value: Expr) -> Interval:
        target, source = expr.type, value.type
        if source.is_bool:
            return Const(target, 0), Const(target, 1)
        low, high = self.of(value)
        if target.is_float or (target.is_int and target.bits >= 32):
            return _cast_end(target, low), _cast_end(target, high)
        if source.is_integer and isinstance(low, Const) and isinstance(high, Const):
            fits = target.contains(int(low.value)) and target.contains(int(high.value))
            return (_cast_end(target, low), _cast_end(target, high)) if fits else EVERYTHING
        return EVERYTHING

    def _of_points(self, expr: Expr) -> Interval:
        """What holds the values for all points of a definition."""
        (low, high), *others = map(self.of, expr.children)
        for a, b in others:
            low, high = _both(Min, low, a), _both(Max, high, b)
        return low, high

    def _call(self, expr: Call) -> Interval:
        args = expr.args
        if expr.kind == "func":
            return self.values.get(expr.name, EVERYTHING)
        if expr.name == SLID:
            return self.of(args[1])
        if expr.kind not in ("intrinsic", "pure"):
            return EVERYTHING
        if expr.name in ("likely", "likely_if_innermost", "strict_float") and len(args) == 1:
            return self.of(args[0])
        if expr.name in _RISING and len(args) == 1 and args[0].type is expr.type:
            low, high = self.of(args[0])
            return tuple(None if e is None else Call(expr.name, (e,), expr.type, expr.kind)
                         for e in (low, high))  # type: ignore[return-value]  # fmt: skip
        if expr.name == "abs" and args[0].type.is_int and args[0].type.bits >= 32:
            low, high = self.of(args[0])
            zero = const(0, expr.type)
            if low is None or high is None:
                return zero, None
            top = Max(Neg(low), high)
            return zero, top if top.type is expr.type else Cast(expr.type, top)
        return EVERYTHING


def _keeps_order(type: Type) -> bool:
    """Whether arithmetic of `type` is taken not to wrap."""
    return type.is_float or (type.is_int and type.bits >= 32)


def _limited(type: Type, found: Interval, expr: Expr) -> Interval:
    """`found`, an unknown end replaced by what the values' types alone say."""
    low, high = found
    if not type.is_integer or (low is not None and high is not None):
        return found
    smallest, largest = value_range(expr)
    if low is None and smallest > type.min:
        low = const(smallest, type)
    if high is None and largest < type.max:
        high = const(largest, type)
    if type.bits < 32:
        low = const(smallest, type) if low is None else low
        high = const(largest, type) if high is None else high
    return low, high


def _bits_up_to(number: int) -> int:
    """All bits that a number could have which is no longer: what `|` and `^` with it may set, and
    `&` with its complement may clear."""
    return (1 << number.bit_length()) - 1


def _shifts(type: Type, amount: Expr) -> bool:
    """Whether a shift by `amount` is one by fewer bits than there are, whatever is shifted."""
    smallest, largest = value_range(amount)
    return smallest >= 0 and largest < type.bits


def _complement(end: End) -> End:
    return None if end is None else n.BitNot(end)


def _both(kind: type[ir.Binary], a: End, b: End) -> End:
    return None if a is None or b is None else kind(a, b)


def _either(kind: type[ir.Binary], a: End, b: End) -> End:
    """min and max keep the limit of one side where the other side has none."""
    if a is None or b is None:
        return b if a is None else a
    return kind(a, b)


def _negated(end: End) -> End:
    return None if end is None else Neg(end)


def _cast_end(type: Type, end: End) -> End:
    return None if end is None else Cast(type, end)


def _at_least(end: End, limit: int) -> bool:
    return isinstance(end, Const) and bool(end.value >= limit)


def _is_positive(end: End) -> bool:
    """Whether a divisor is surely above 0, as the size of a fused loop, max(extent, 1), is."""
    if end is None or end.type is not I32:
        return _at_least(end, 1)
    return largest_of(sum_of(simplify_coordinate(Neg(end)))) <= -1


def _hull(corners: list[Expr]) -> Interval:
    low = high = corners[0]
    for corner in corners[1:]:
        low, high = smaller(low, corner), larger(high, corner)
    return low, high


def smaller(a: Expr, b: Expr) -> Expr:
    """min(a, b) of coordinates, decided where their difference is known (they don't overflow)."""
    return simplify_coordinate(Min(a, b))


def larger(a: Expr, b: Expr) -> Expr:
    """max(a, b) of coordinates, decided where their difference is known."""
    return simplify_coordinate(Max(a, b))


def extent_of(low: Expr, high: Expr) -> Expr:
    """high - low + 1, at least 0. A buffer's own extent is never negative.

    Raises `HalideError` where the type of coordinates doesn't hold it.
    """
    size = sum_of(high).plus(sum_of(low), -1)
    if not size.terms and size.constant >= I32.max:
        raise HalideError(
            "Signed integer overflow occurred during constant-folding: a region from "
            f"{low} to {high} has too many points. Clamp it."
        )
    return simplify_coordinate(Max(Add(Sub(high, low), const(1)), const(0)))


def constant_limit(expr: Expr) -> int | None:
    """A constant that a coordinate never exceeds; None where none is known."""
    limit = largest_of(sum_of(simplify_coordinate(expr)))
    return int(limit) if abs(limit) < I32.max else None


__all__ = [
    "EVERYTHING", "SLID", "End", "Interval", "Intervals", "constant_limit", "extent_of",
    "larger", "smaller",
]  # fmt: skip


_ENDS: Algebra[End] = Algebra(
    add=lambda a, b: _both(Add, a, b),
    subtract=lambda a, b: _both(Sub, a, b),
    negate=_negated,
    least=lambda a, b: _both(Min, a, b),
    most=lambda a, b: _both(Max, a, b),
    least_known=lambda a, b: _either(Min, a, b),
    most_known=lambda a, b: _either(Max, a, b),
)
