"""Conditions of stages: which of them exclude each other, which leave nothing out."""

from __future__ import annotations

from compiler.ir import EQ, TRUE, And, Const, Expr, negation


def exclusive(a: Expr | None, b: Expr | None) -> bool:
    """Whether it is plain that the two never hold together."""
    if a is None or b is None:
        return False
    return any(_contradict(p, q) for p in _conjuncts(a) for q in _conjuncts(b))


def exhaustive(a: Expr | None, b: Expr | None) -> bool:
    """Whether it is plain that one of the two always holds."""
    if a in (None, TRUE) or b in (None, TRUE):
        return True
    assert a is not None and b is not None
    return negation(a) is b or negation(b) is a


def _conjuncts(condition: Expr) -> list[Expr]:
    if isinstance(condition, And):
        return _conjuncts(condition.a) + _conjuncts(condition.b)
    return [condition]


def _contradict(p: Expr, q: Expr) -> bool:
    if negation(p) is q or negation(q) is p:
        return True
    return (
        isinstance(p, EQ) and isinstance(q, EQ) and p.a is q.a
        and isinstance(p.b, Const) and isinstance(q.b, Const) and p.b is not q.b
    )  # fmt: skip
