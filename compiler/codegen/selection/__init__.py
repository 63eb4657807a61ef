"""Instruction selection: patterns of vector expressions that LLVM alone does not see through.

A pattern is a function from a node (whose operands are selected already) and the target to an equal
expression, or to None. What it makes are plain nodes, or calls of the instructions in
`instructions.py`. Scalars and addresses are left as they are.
"""

from __future__ import annotations

from collections.abc import Callable

from ... import ir
from ...ir import INTRINSICS, Call, Expr
from ..target import Target
from .extremes import clamped_float, float_extreme
from .fixed_point import halves, narrow_saturation, rounded_product, rounding_shift, saturating_sum
from .instructions import INSTRUCTIONS, instruction
from .matching import is_leaf, is_scalar
from .products import accumulated_dot, byte_sum, dot_product, pair_of_products

Pattern = Callable[[Expr, Target], Expr | None]

PATTERNS: dict[type[Expr], tuple[Pattern, ...]] = {
    ir.Cast: (
        saturating_sum,
        rounded_product,
        rounding_shift,
        narrow_saturation,
        clamped_float,
    ),
    ir.Add: (accumulated_dot, pair_of_products),
    ir.Min: (float_extreme,),
    ir.Max: (float_extreme,),
    ir.Call: (dot_product, byte_sum),
}
"""For each node class its patterns; the first that fits is taken."""


class Selection:
    """Selects instructions for one target; keeps what it found for shared nodes."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._done: dict[Expr, Expr] = {}

    def __call__(self, expr: Expr) -> Expr:
        """An expression of the same value, with instructions where a pattern fits."""
        if is_leaf(expr):
            return expr
        found = self._done.get(expr)
        if found is not None:
            return found
        stack = [expr]
        while stack:
            node = stack[-1]
            if node in self._done:
                stack.pop()
                continue
            waiting = [c for c in node.children if c not in self._done and not is_leaf(c)]
            if waiting:
                stack += waiting
            else:
                self._done[node] = self._selected(node)
                stack.pop()
        return self._done[expr]

    def _selected(self, node: Expr) -> Expr:
        children = node.children
        node = node.rebuild(tuple(self._done.get(c, c) for c in children)) if children else node
        if is_scalar(node):
            return node
        if isinstance(node, Call) and node.name in INTRINSICS:
            whole = halves(node, self.target)
            if whole is not None:
                return whole
            formula = INTRINSICS[node.name].formula(*node.args)
            if formula is not None:
                return self(formula)
        for pattern in PATTERNS.get(type(node), ()):
            made = pattern(node, self.target)
            if made is not None:
                return made
        return node


__all__ = ["INSTRUCTIONS", "PATTERNS", "Selection", "instruction"]
