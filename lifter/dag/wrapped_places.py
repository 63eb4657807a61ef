"""Remainders that are made positive are Euclid's, the DSL's own.

C's `%` has the sign of what is divided, so that who wraps a place around an image writes

    i %= n; if (i < 0) i += n;        (i % n + n) % n

both of which are `Mod(i, n)` where n is positive. Of other divisors they are something else.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.ir import GT, LT, Add, Const, Expr, Mod, Select, TruncMod, mirrored

from .polynomial import negate


def euclids(expr: Expr, is_positive: Callable[[Expr], bool]) -> Expr | None:
    """Euclid's remainder that a typed expression is at its root; None where it is none.

    `is_positive` is asked of divisors. What would overflow on the way is undefined, and of types
    whose arithmetic wraps nothing is said.
    """
    if not expr.type.is_int or expr.type.bits < 32:
        return None
    found = _of_choice(expr) if isinstance(expr, Select) else _of_sum(expr)
    return Mod(found.a, found.b) if found is not None and is_positive(found.b) else None


def _of_choice(expr: Select) -> TruncMod | None:
    """`i % n` of `i % n < 0 ? i % n + n : i % n`."""
    for condition, more, left in (
        (expr.condition, expr.a, expr.b),
        (negate(expr.condition), expr.b, expr.a),
    ):
        if isinstance(left, TruncMod) and _is_negative(condition, left) and _is_next(more, left):
            return left
    return None


def _of_sum(expr: Expr) -> TruncMod | None:
    """`i % n` of `(i % n + n) % n`."""
    if not isinstance(expr, TruncMod) or not isinstance(expr.a, Add):
        return None
    for side in expr.a.children:
        if isinstance(side, TruncMod) and side.b is expr.b and _is_next(expr.a, side):
            return side
    return None


def _is_negative(condition: Expr, left: Expr) -> bool:
    if isinstance(condition, GT):
        condition = mirrored(condition)
    if not isinstance(condition, LT) or condition.a is not left:
        return False
    return isinstance(condition.b, Const) and condition.b.value == 0


def _is_next(more: Expr, left: TruncMod) -> bool:
    """Whether a sum is the remainder and its divisor."""
    return isinstance(more, Add) and (
        more.children == (left, left.b) or more.children == (left.b, left)
    )
