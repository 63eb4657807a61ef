"""Loops that bring a place inside of a size, as the one step that they make in the end.

    while (i < 0) i += n;                      i < 0 ? i mod n : i
    while (i >= n) i -= n;                     i >= n ? i mod n : i
    while (i < 0 || i >= n) {                  m = i mod 2n, m < n ? m : 2n - 1 - m
        if (i < 0) i = -i - 1;
        if (i >= n) i = 2 * n - 1 - i;
    }

What the steps of the last one change nothing of is where a place lies in a row that is mirrored at
both ends, again and again, and inside of the row that is the place itself. Of sizes that aren't
positive such a loop has no end, or overflows: the original is undefined there.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir import (
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    Add,
    Cast,
    Comparison,
    Const,
    Expr,
    Mod,
    Mul,
    Or,
    Select,
    Sub,
    Variable,
    const,
    mirrored,
    postorder,
)
from compiler.ir.coordinate_sums import Sum, sum_of


def left_by(condition: Expr, step: Expr, place: Variable) -> Expr | None:
    """What `while (condition) place = step;` leaves, over what the place was before; None where
    it isn't understood. All are of signed integers that don't wrap."""
    if not place.type.is_int or place.type.bits < 32:
        return None
    if isinstance(condition, Or):
        size = _beyond(condition, place)
        inside = None if size is None else _around(step, place, size)
        if inside is None and size is not None and place.type is I32:
            inside = _mirrored(step, place, size)
    else:
        size = _step(condition, step, place)
        inside = None if size is None else Mod(place, size)
    if inside is None or size is None or place in postorder(size):
        return None
    return Select(condition, inside, place)


def _step(condition: Expr, step: Expr, place: Variable) -> Expr | None:
    """The size that is added while a place is negative, or taken away while it is beyond it."""
    if _is_negative(condition, place):
        size = _added(step, place)
    else:
        size = step.b if isinstance(step, Sub) and step.a is place else None
        if size is None or _bound(condition, place) is not size:
            return None
    if isinstance(size, Const) and size.value <= 0:
        return None
    return size


def _added(step: Expr, place: Expr) -> Expr | None:
    if isinstance(step, Add) and place in step.children:
        return step.b if step.a is place else step.a
    return None


def _is_negative(condition: Expr, place: Expr) -> bool:
    if isinstance(condition, GT):
        condition = mirrored(condition)
    zero = isinstance(condition, LT) and isinstance(condition.b, Const) and condition.b.value == 0
    return zero and isinstance(condition, LT) and condition.a is place


def _bound(condition: Expr, place: Expr) -> Expr | None:
    """The size that a place is told to be at or beyond."""
    if isinstance(condition, LE):
        condition = mirrored(condition)
    return condition.b if isinstance(condition, GE) and condition.a is place else None


def _beyond(condition: Or, place: Expr) -> Expr | None:
    """The size of a row that a place is told to be outside of."""
    for low, high in ((condition.a, condition.b), (condition.b, condition.a)):
        if _is_negative(low, place):
            return _bound(high, place)
    return None


def _sides(step: Expr) -> Iterator[Expr]:
    """What a step may give, whatever it asks."""
    if isinstance(step, Select):
        yield from _sides(step.a)
        yield from _sides(step.b)
    else:
        yield step


def _around(step: Expr, place: Expr, size: Expr) -> Expr | None:
    """The remainder, where steps add the size or take it away."""
    for side in _sides(step):
        taken = isinstance(side, Sub) and side.a is place and side.b is size
        if not taken and side is not place and _added(side, place) is not size:
            return None
    return Mod(place, size)


def _mirrored(step: Expr, place: Expr, size: Expr) -> Expr | None:
    """A place of a row that is mirrored at both ends, with its last element or without it.

    Computed in 64 bits: where one step is enough, the original never has twice the size.
    """
    for edge in (1, 0):
        last = sum_of(size).times(2).plus(Sum({}, edge - 2))
        if not _mirrors(step, place, (Sum({}, -edge), last)):
            continue
        wide, two = Cast(I64, place), const(2, I64)
        twice = Sub(Mul(Cast(I64, size), two), const(2 - edge, I64))
        period = Add(twice, const(edge, I64)) if edge else twice
        left = Mod(wide, period)
        inside: Expr = Select(LT(left, Cast(I64, size)), left, Sub(twice, left))
        return Cast(I32, inside)
    return None


def _mirrors(step: Expr, place: Expr, ends: tuple[Sum, Sum]) -> bool:
    """Whether a step mirrors a place at these ends, which are twice where the mirrors stand, once
    or twice or not at all."""
    if step is place:
        return True
    if isinstance(step, Select) and isinstance(step.condition, Comparison):
        return _mirrors(step.a, place, ends) and _mirrors(step.b, place, ends)
    total = sum_of(step)
    turned = [t for t, factor in total.terms.items() if factor == -1 and _holds(t, place)]
    if len(turned) != 1 or any(_holds(t, place) for t in total.terms if t is not turned[0]):
        return False
    rest = total.plus(Sum({turned[0]: 1}, 0))
    return any(_same(rest, end) for end in ends) and _mirrors(turned[0], place, ends)


def _same(a: Sum, b: Sum) -> bool:
    return dict(a.terms) == dict(b.terms) and a.constant == b.constant


def _holds(expr: Expr, place: Expr) -> bool:
    return place in postorder(expr)
