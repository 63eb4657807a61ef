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
from compiler.ir.operators import OPERATORS

from .cost import is_terminal

Interval = tuple[int, int]
Facts = Callable[[Expr], Interval]
"""Lowest and highest value of an integer symbol."""


class SymbolRanges:
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
        if isinstance(node, (n.Comparison, n.Logical, n.Not)) and node.children[0].type.is_integer:
            operands = [value_range(c, None, self._done) for c in node.children]
            return OPERATORS[type(node)].on_intervals(node.type, *operands)
        return None
