"""What a condition says about ranges: in `select(x < 128, here, there)`, x < 128 here."""

from __future__ import annotations

from collections.abc import Callable

from ..ir import Cast, Const, Expr, Sub
from ..ir import nodes as n
from ..ir.operators import Range

Refined = dict[Expr, Range]


def refinements(condition: Expr, holds: bool, range_of: Callable[[Expr], Range]) -> Refined:
    """Ranges of integer nodes that are narrower than `range_of` where `condition` is `holds`.

    Only comparisons of integers, `&&`, `||` and `!` of them say anything. An empty range (the
    condition can't be so) is left out.
    """
    match condition:
        case n.Not(value=value):
            return refinements(value, not holds, range_of)
        case n.And(a=a, b=b) if holds:
            return _both(refinements(a, True, range_of), refinements(b, True, range_of))
        case n.Or(a=a, b=b) if not holds:
            return _both(refinements(a, False, range_of), refinements(b, False, range_of))
        case n.LT(a=a, b=b) if a.type.is_integer:
            return _below(a, b, 1, range_of) if holds else _below(b, a, 0, range_of)
        case n.LE(a=a, b=b) if a.type.is_integer:
            return _below(a, b, 0, range_of) if holds else _below(b, a, 1, range_of)
        case n.GT(a=a, b=b) if a.type.is_integer:
            return _below(b, a, 1, range_of) if holds else _below(a, b, 0, range_of)
        case n.GE(a=a, b=b) if a.type.is_integer:
            return _below(b, a, 0, range_of) if holds else _below(a, b, 1, range_of)
        case n.EQ(a=a, b=b) if a.type.is_integer and not a.type.is_bool:
            return _equal(a, b, range_of) if holds else _unequal(a, b, range_of)
        case n.NE(a=a, b=b) if a.type.is_integer and not a.type.is_bool:
            return _unequal(a, b, range_of) if holds else _equal(a, b, range_of)
    return {}


def _both(a: Refined, b: Refined) -> Refined:
    made = dict(a)
    for node, (low, high) in b.items():
        old = made.get(node, (low, high))
        made[node] = (max(low, old[0]), min(high, old[1]))
    return {k: v for k, v in made.items() if v[0] <= v[1]}


def _below(a: Expr, b: Expr, least: int, range_of: Callable[[Expr], Range]) -> Refined:
    """From a + least <= b."""
    (a_low, a_high), (b_low, b_high) = range_of(a), range_of(b)
    made = _narrowed(a, a_low, min(a_high, b_high - least), range_of)
    made.update(_narrowed(b, max(b_low, a_low + least), b_high, range_of))
    # The difference, too, where it does not wrap: select(a < b, b - a, a - b).
    type = a.type
    if not isinstance(a, Const) and not isinstance(b, Const):
        for difference, low, high in (
            (Sub(b, a), max(least, b_low - a_high), b_high - a_low),
            (Sub(a, b), a_low - b_high, min(-least, a_high - b_low)),
        ):
            fits = type.contains(b_high - a_low) and type.contains(a_low - b_high)
            if fits and low <= high:
                made[difference] = (low, high)
    return made


def _equal(a: Expr, b: Expr, range_of: Callable[[Expr], Range]) -> Refined:
    (a_low, a_high), (b_low, b_high) = range_of(a), range_of(b)
    low, high = max(a_low, b_low), min(a_high, b_high)
    return {**_narrowed(a, low, high, range_of), **_narrowed(b, low, high, range_of)}


def _unequal(a: Expr, b: Expr, range_of: Callable[[Expr], Range]) -> Refined:
    """An end of a range falls away when it is the constant that the other side is not."""
    if isinstance(a, Const):
        a, b = b, a
    if not isinstance(b, Const):
        return {}
    low, high = range_of(a)
    if b.value == low:
        low += 1
    if b.value == high:
        high -= 1
    return _narrowed(a, low, high, range_of)


def _narrowed(node: Expr, low: int, high: int, range_of: Callable[[Expr], Range]) -> Refined:
    """The range for `node`, and for what it converts without changing the number."""
    if isinstance(node, Const) or low > high:
        return {}
    made = {node: (low, high)}
    while isinstance(node, Cast) and node.value.type.is_integer and not node.value.type.is_bool:
        inner_low, inner_high = range_of(node.value)
        if not (node.type.contains(inner_low) and node.type.contains(inner_high)):
            break
        node = node.value
        made[node] = (low, high)
    return made
