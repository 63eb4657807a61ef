"""In how many of a loop's first iterations a test of their number holds."""

from __future__ import annotations

from collections.abc import Callable

from compiler.ir import (
    EQ,
    GE,
    GT,
    I64,
    LE,
    LT,
    NE,
    Add,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Sub,
    TruncMod,
    Variable,
    const,
    postorder,
)

from .polynomial import ONE, ZERO, normal, polynomial


def iterations_where(
    condition: Expr, counter: Variable, is_invariant: Callable[[Expr], bool]
) -> Expr | None:
    """The number of j with 0 <= j < `counter` for which `condition` holds of j, as an index
    expression in normal form: of `j < n` it is `min(i, max(n, 0))`, of `j % 2 == 1` it is `i / 2`.

    None where the condition isn't a comparison of the counter, or of a remainder of it by a
    constant, with what `is_invariant`.
    """
    if not isinstance(condition, (LT, LE, GE, GT, EQ, NE)) or condition.a.type is not I64:
        return None
    if isinstance(condition, (LT, LE, GE, GT)):
        return _up_to(condition, counter, is_invariant)
    if not isinstance(condition.a, (Mod, TruncMod)):
        return None
    found = _alike(condition.a, condition.b, counter)
    if found is None or isinstance(condition, EQ):
        return found
    return normal(Sub(counter, found))


def _up_to(
    test: LT | LE | GE | GT, counter: Variable, is_invariant: Callable[[Expr], bool]
) -> Expr | None:
    """Those below a bound, or those from one on."""
    difference = normal(Sub(test.a, test.b))
    slope = polynomial(difference).get((counter,), 0)
    rest = normal(Sub(difference, Mul(const(slope, I64), counter)))
    if abs(slope) != 1 or counter in postorder(rest) or not is_invariant(rest):
        return None
    # What is compared with 0 is slope * j + rest.
    if slope > 0:
        bound: Expr = Sub(ZERO if isinstance(test, (LT, GE)) else ONE, rest)
        below = isinstance(test, (LT, LE))
    else:
        bound = Add(rest, ONE if isinstance(test, (LT, GE)) else ZERO)
        below = isinstance(test, (GE, GT))
    first = normal(Min(counter, Max(normal(bound), ZERO)))
    return first if below else normal(Sub(counter, first))


def _alike(remainder: Mod | TruncMod, wanted: Expr, counter: Variable) -> Expr | None:
    """Those that leave a remainder: of numbers one after another, every `divisor`-th does."""
    divisor, offset = remainder.b, normal(Sub(remainder.a, counter))
    if not isinstance(divisor, Const) or not isinstance(wanted, Const) or divisor.value <= 0:
        return None
    if not isinstance(offset, Const) or (isinstance(remainder, TruncMod) and offset.value < 0):
        return None
    if not 0 <= wanted.value < divisor.value:
        return ZERO
    before = const(offset.value - wanted.value - 1, I64)
    count = Sub(Div(Add(counter, before), divisor), Div(before, divisor))
    return normal(count)
