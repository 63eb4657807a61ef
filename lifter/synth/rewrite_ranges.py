"""Intervals of integer expressions: what the rewrites know about signs and overflow.

`ranges(expr)` is an interval that holds the value for all values of the free symbols. Arithmetic
that may wrap has its type's whole range. More precise facts about symbols (a coordinate is not
negative, a parameter was asserted to be below 256) come in through `given`.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.ir import Expr
from compiler.ir import nodes as n

Interval = tuple[int, int]
Facts = Callable[[Expr], Interval]
"""Lowest and highest value of an integer expression."""


def whole_range(expr: Expr) -> Interval:
    """All values of the expression's type."""
    return expr.type.min, expr.type.max


class Ranges:
    """Intervals by structure, memoized; `given` tightens the answer for any node."""

    def __init__(self, given: Facts | None = None) -> None:
        self._given = given
        self._done: dict[Expr, Interval] = {}

    def __call__(self, expr: Expr) -> Interval:
        """The interval of `expr`; raises `TypeError` for a float."""
        found = self._done.get(expr)
        if found is not None:
            return found
        if not expr.type.is_integer:
            raise TypeError(f"{expr} has no interval: it is {expr.type}")
        for node in n.postorder(expr):
            if node not in self._done and node.type.is_integer:
                self._done[node] = self._bounded(node)
        return self._done[expr]

    def _bounded(self, expr: Expr) -> Interval:
        low, high = whole_range(expr)
        computed = self._compute(expr)
        if computed is not None and low <= computed[0] and computed[1] <= high:
            low, high = computed
        if self._given is not None:
            given = self._given(expr)
            low, high = max(low, given[0]), min(high, given[1])
        return low, high

    def _compute(self, expr: Expr) -> Interval | None:
        if isinstance(expr, n.Const):
            return int(expr.value), int(expr.value)
        if isinstance(expr, n.Cast):
            if not expr.value.type.is_integer:
                return None
            inner = self._done[expr.value]
            if expr.type.is_bool:
                return (int(inner[0] > 0 or inner[1] < 0), int(inner != (0, 0)))
            return inner
        if isinstance(expr, n.Select):
            (a, b), (c, d) = self._done[expr.a], self._done[expr.b]
            return min(a, c), max(b, d)
        if isinstance(expr, n.Neg):
            low, high = self._done[expr.value]
            return -high, -low
        if isinstance(expr, n.BitNot):
            low, high = self._done[expr.value]
            return (
                (~high, ~low) if expr.type.is_int else (expr.type.max - high, expr.type.max - low)
            )
        if isinstance(expr, n.Call) and expr.kind == "intrinsic":
            return self._intrinsic(expr)
        if isinstance(expr, n.Comparison) and expr.a.type.is_integer:
            return _decide(type(expr), self._done[expr.a], self._done[expr.b])
        if isinstance(expr, n.Binary) and not isinstance(expr, n.Comparison):
            return _binary(type(expr), self._done[expr.a], self._done[expr.b])
        return None

    def _intrinsic(self, expr: n.Call) -> Interval | None:
        if not expr.args or not expr.args[0].type.is_integer:
            return None
        intervals = [self._done[a] for a in expr.args]
        if expr.name == "abs":
            low, high = intervals[0]
            return (0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))
        if expr.name == "absd":
            (a, b), (c, d) = intervals
            return max(0, c - b, a - d), max(b - c, d - a)
        if expr.name in ("saturating_add", "saturating_sub"):
            kind = n.Add if expr.name == "saturating_add" else n.Sub
            low, high = _binary(kind, *intervals) or whole_range(expr)
            return (
                min(max(low, expr.type.min), expr.type.max),
                min(max(high, expr.type.min), expr.type.max),
            )
        return None


def _decide(kind: type[Expr], a: Interval, b: Interval) -> Interval:
    """(0, 0), (1, 1) or (0, 1) for a comparison of two intervals."""
    if kind in (n.GT, n.GE):
        return _decide(n.LT if kind is n.GT else n.LE, b, a)
    if kind is n.LT:
        return int(a[1] < b[0]), int(a[0] < b[1])
    if kind is n.LE:
        return int(a[1] <= b[0]), int(a[0] <= b[1])
    same = int(a == b and a[0] == a[1]), int(a[0] <= b[1] and b[0] <= a[1])
    return same if kind is n.EQ else (1 - same[1], 1 - same[0])


def _corners(a: Interval, b: Interval, combine: Callable[[int, int], int]) -> Interval:
    values = [combine(x, y) for x in a for y in b]
    return min(values), max(values)


def _binary(kind: type[Expr], a: Interval, b: Interval) -> Interval | None:
    """The interval of exact (unwrapped) arithmetic; None where nothing is known."""
    if kind is n.Add:
        return a[0] + b[0], a[1] + b[1]
    if kind is n.Sub:
        return a[0] - b[1], a[1] - b[0]
    if kind is n.Mul:
        return _corners(a, b, lambda x, y: x * y)
    if kind is n.Min:
        return min(a[0], b[0]), min(a[1], b[1])
    if kind is n.Max:
        return max(a[0], b[0]), max(a[1], b[1])
    if kind is n.And:
        return a[0] & b[0], a[1] & b[1]
    if kind is n.Or:
        return a[0] | b[0], a[1] | b[1]
    if kind in (n.Div, n.TruncDiv) and b[0] > 0:
        # Euclid's quotient by a positive divisor is the floor; truncation is never further from 0.
        low, high = _corners(a, b, lambda x, y: x // y)
        return low, max(high, 0) if kind is n.TruncDiv and a[0] < 0 else high
    if kind in (n.Div, n.TruncDiv) and a[0] >= 0 and b[0] >= 0:
        return 0, a[1]
    if kind is n.Mod and b[0] > 0:
        return (0, min(a[1], b[1] - 1)) if a[0] >= 0 else (0, b[1] - 1)
    if kind is n.TruncMod and b[0] > 0:
        return (max(a[0], 1 - b[1]) if a[0] < 0 else 0), (min(a[1], b[1] - 1) if a[1] > 0 else 0)
    if kind is n.Shr and b[0] >= 0 and b[1] < 64:
        return _corners(a, b, lambda x, y: x >> y)
    if kind is n.Shl and b[0] >= 0 and b[1] < 64:
        return _corners(a, b, lambda x, y: x << y)
    if kind is n.BitAnd and (a[0] >= 0 or b[0] >= 0):
        return 0, min(x[1] for x in (a, b) if x[0] >= 0)
    if kind in (n.BitOr, n.BitXor) and a[0] >= 0 and b[0] >= 0:
        low = max(a[0], b[0]) if kind is n.BitOr else 0
        return low, (1 << max(a[1].bit_length(), b[1].bit_length())) - 1
    return None
