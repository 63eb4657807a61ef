"""Subexpressions that deserve a name of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from compiler.ir import Call, Expr, Variable, postorder

from .expression_text import operations
from .inline_reduction import InlineReduction

_MINIMUM = 2
"""Operators and reads in a subexpression that is named rather than written twice."""


def shared(exprs: Iterable[Expr]) -> list[Expr]:
    """Subexpressions that stand in several places, operands before their users.

    What stands inside of a reduction stays there: its coordinates have no meaning outside.
    """
    exprs = tuple(exprs)
    uses: Counter[Expr] = Counter(exprs)
    inside: set[Expr] = set()
    for node in postorder(*exprs):
        uses.update(node.children)
        if isinstance(node, InlineReduction):
            inside.update(_over_domain(node))
    return [
        node
        for node in postorder(*exprs)
        if uses[node] > 1 and node not in inside and _deserves_name(node)
    ]


def _deserves_name(node: Expr) -> bool:
    if isinstance(node, Call) and node.kind in ("image", "func"):
        return False
    reads = sum(isinstance(n, Call) and n.kind in ("image", "func") for n in postorder(node))
    count = operations(node)
    return count > 0 and count + reads >= _MINIMUM


def _over_domain(reduction: InlineReduction) -> set[Expr]:
    """The nodes of the body that depend on the reduction's coordinates."""
    prefix = reduction.domain + "."
    dependent: set[Expr] = set()
    for node in postorder(reduction.body):
        if isinstance(node, Variable):
            if node.name.startswith(prefix):
                dependent.add(node)
        elif any(c in dependent for c in node.children):
            dependent.add(node)
    return dependent
