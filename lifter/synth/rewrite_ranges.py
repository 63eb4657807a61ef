"""Intervals of integer expressions: what the rewrites know about signs and overflow.

The arithmetic is `compiler.ir.bounds_of_values`; here come in what is known about symbols (a
coordinate is not negative, a parameter was asserted to be below 256), and conditions: a comparison
of intervals that do not overlap is decided.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.ir import Expr
from compiler.ir import nodes as n
from compiler.ir.bounds_of_values import value_range

from .cost import is_terminal

Interval = tuple[int, int]
Facts = Callable[[Expr], Interval]
"""Lowest and highest value of an integer symbol."""


class Ranges:
    """An interval that holds an expression for all values of its symbols; memoized.

    `given` tells more about symbols than their types do.
    """

    def __init__(self, given: Facts | None = None) -> None:
        self._given = given
        self._done: dict[Expr, Interval] = {}

    def __call__(self, expr: Expr) -> Interval:
        """The interval of `expr`; raises `TypeError` for a float."""
        found = self._done.get(expr)
        if found is not None:
            return found
        for node in n.postorder(expr):
            if node not in self._done and node.type.is_integer:
                known = self._know(node)
                if known is not None:
                    self._done[node] = known
        return value_range(expr, None, self._done)

    def _know(self, node: Expr) -> Interval | None:
        if is_terminal(node):
            if self._given is None:
                return None
            low, high = self._given(node)
            return max(low, node.type.min), min(high, node.type.max)
        if isinstance(node, n.Comparison) and node.a.type.is_integer:
            return _decide(type(node), self._value(node.a), self._value(node.b))
        if isinstance(node, n.Logical):
            a, b = self._value(node.a), self._value(node.b)
            both = isinstance(node, n.And)
            return (a[0] & b[0], a[1] & b[1]) if both else (a[0] | b[0], a[1] | b[1])
        if isinstance(node, n.Not):
            low, high = self._value(node.value)
            return 1 - high, 1 - low
        return None

    def _value(self, node: Expr) -> Interval:
        return value_range(node, None, self._done)


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
