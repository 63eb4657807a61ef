"""Where a value of the original is defined: elsewhere the lifted code may give anything."""

from __future__ import annotations

from compiler.ir import (
    NE,
    And,
    Const,
    Expr,
    Load,
    Or,
    Select,
    TruncDiv,
    TruncMod,
    const,
    postorder,
)

from ..dag import (
    disjunction,
    negate,
)


def definedness(expr: Expr) -> list[Expr]:
    """What must hold for a value of the original to be defined: divisors aren't zero."""
    found: list[Expr] = []
    divides: dict[Expr, bool] = {}
    for node in postorder(expr):
        divides[node] = _divides(node) or any(divides[c] for c in node.children)
    seen: set[tuple[Expr, tuple[Expr, ...]]] = set()

    def walk(node: Expr, path: tuple[Expr, ...]) -> None:
        if not divides[node] or (node, path) in seen:
            return
        seen.add((node, path))
        if isinstance(node, Select):
            walk(node.condition, path)
            walk(node.a, (*path, node.condition))
            walk(node.b, (*path, negate(node.condition)))
            return
        if isinstance(node, (And, Or)):
            walk(node.a, path)
            walk(node.b, (*path, node.a if isinstance(node, And) else negate(node.a)))
            return
        if isinstance(node, (TruncDiv, TruncMod)) and _divides(node):
            nonzero: Expr = NE(node.b, const(0, node.b.type))
            for condition in path:
                nonzero = disjunction((negate(condition), nonzero))
            found.append(nonzero)
        if not isinstance(node, Load):
            for child in node.children:
                walk(child, path)

    walk(expr, ())
    return list(dict.fromkeys(found))


def _divides(node: Expr) -> bool:
    """Whether an operation may be a division by zero."""
    return isinstance(node, (TruncDiv, TruncMod)) and not isinstance(node.b, Const)
