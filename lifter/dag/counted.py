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
from .trip_count import distance_to_end


def iterations_where(
    condition: Expr, counter: Variable, is_invariant: Callable[[Expr], bool]
) -> Expr | None:
    """The number of j with 0 <= j < `counter` for which `condition` holds of j, as an index
    expression in normal form: of `j < n` it is `min(i, max(n, 0))`, of `j % 2 == 1` it is `i / 2`.

    None where the condition isn't a comparison of the counter, or of a remainder of it by a
    constant, with what `is_invariant`.
    """
    if isinstance(condition, (LT, LE, GE, GT)):
        found = bound_of(condition, counter)
        if found is None or not is_invariant(found[0]):
            return None
        bound, below = found
        first = normal(Min(counter, Max(bound, ZERO)))
        return first if below else normal(Sub(counter, first))
    if not isinstance(condition, (EQ, NE)) or not isinstance(condition.a, (Mod, TruncMod)):
        return None
    alike = _alike(condition.a, condition.b, counter)
    if alike is None or isinstance(condition, EQ):
        return alike
    return normal(Sub(counter, alike))


def bound_of(test: Expr, counter: Variable) -> tuple[Expr, bool] | None:
    """The number below which a comparison holds of the counter, or from which on (then False)."""
    if not isinstance(test, (LT, LE, GE, GT)) or test.a.type is not I64:
        return None
    distance = distance_to_end(test)
    assert distance is not None
    slope = polynomial(distance).get((counter,), 0)
    rest = normal(Sub(distance, Mul(const(slope, I64), counter)))
    if abs(slope) != 1 or counter in postorder(rest):
        return None
    # It holds while slope * j + rest > 0.
    return (rest, True) if slope < 0 else (normal(Sub(ONE, rest)), False)


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
