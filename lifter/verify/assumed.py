"""Expressions where conditions are known to hold: their tests are made.

`select(a != 0, f(a), d)` under `a != 0` is `f(a)`, which may be another term's equal part by part.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.ir import FALSE, TRUE, And, Const, Expr, Not, Or, Select, transform

from ..dag import conjuncts, negate


def assuming(expr: Expr, hypotheses: Iterable[Expr]) -> Expr:
    """`expr` with `hypotheses` (typed booleans) and their opposites decided where they occur.

    The result equals `expr` wherever all hypotheses hold, and may differ elsewhere.
    """
    known: dict[Expr, Expr] = {}
    for hypothesis in hypotheses:
        for part in conjuncts(hypothesis):
            if not isinstance(part, Const):
                known[part] = TRUE
                known[negate(part)] = FALSE
    return transform(expr, lambda node: decided(known.get(node, node))) if known else expr


def decided(node: Expr) -> Expr:
    """A choice, or a test made of others, of which a part is a constant."""
    if isinstance(node, Select) and isinstance(node.condition, Const):
        return node.a if node.condition.value else node.b
    if isinstance(node, Not) and isinstance(node.value, Const):
        return FALSE if node.value.value else TRUE
    if isinstance(node, (And, Or)):
        decisive = FALSE if isinstance(node, And) else TRUE
        if decisive in (node.a, node.b):
            return decisive
        if isinstance(node.a, Const):
            return node.b
        if isinstance(node.b, Const):
            return node.a
    return node
