"""The range of a coordinate as a whole number: coordinates are taken not to overflow.

Extents are known not to be negative; of any other variable nothing is known.
"""

from __future__ import annotations

import operator

from . import nodes as n
from .bounds_of_values import value_range
from .coordinate_sums import SUMS, Sum, is_extent, sum_of
from .nodes import Call, Cast, Const, Expr
from .operators import Algebra
from .types import I32, I64

Limits = tuple[float, float]
"""(smallest, largest), infinite where unknown; whole numbers where they are finite."""

LIMITS: Algebra[float] = Algebra(operator.add, operator.sub, operator.neg, min, max)
_INFINITE = float("inf")
ANY: Limits = (-_INFINITE, _INFINITE)
_DEPTH = 3
"""How many extremes in a difference are taken apart, one inside of the other."""
_MOST_CHOICES = 3
"""A sum of more extremes than this is not taken apart: each is tried with both sides."""

_Choice = n.Min | n.Max | n.Select

_terms: dict[Expr, Limits] = {}
_never_positive: dict[tuple[frozenset[tuple[Expr, int]], int, int], bool] = {}
"""What `never_positive` found: the same extremes are compared again and again, and taken apart in
any order."""
_MOST_REMEMBERED = 1 << 17


def range_of(expr: Expr) -> Limits:
    """The range of an int32 or int64 coordinate."""
    return range_of_sum(sum_of(expr)) if isinstance(expr, SUMS) else _range_of_term(expr)


def range_of_sum(total: Sum) -> Limits:
    """The range of a sum, with what quotients in it leave over taken into account."""
    low, high = _added(total)
    if low == -_INFINITE or high == _INFINITE:
        for term, factor in total.terms.items():
            whole = _multiple(term, factor)
            if whole is not None:
                # d * (a / d) lies within d - 1 below a.
                times, least = whole
                dividend = sum_of(term.children[0]).times(times)
                other_low, other_high = _added(total.without((term,)).plus(dividend))
                low = max(low, other_low + min(0, least))
                high = min(high, other_high + max(0, least))
    return low, high


def _multiple(term: Expr, factor: int) -> tuple[int, int] | None:
    """For factor * (a / d) where d divides the factor: (factor / d, the most that a is off)."""
    if not (isinstance(term, n.Div) and isinstance(term.b, Const)):
        return None
    divisor = int(term.b.value)
    if divisor <= 0 or factor % divisor:
        return None
    times = factor // divisor
    return times, -times * (divisor - 1)


def _added(total: Sum) -> Limits:
    low: float = total.constant
    high: float = total.constant
    for term, factor in total.terms.items():
        a, b = _range_of_term(term)
        if factor < 0:
            a, b = b, a
        low += a * factor
        high += b * factor
    return low, high


def _range_of_term(node: Expr) -> Limits:
    found = _terms.get(node)
    if found is None:
        if len(_terms) > _MOST_REMEMBERED:
            _terms.clear()
        found = _terms[node] = _compute(node)
    return found


def _compute(node: Expr) -> Limits:
    if is_extent(node):
        return 0, _INFINITE
    match node:
        case Const(value=value):
            return int(value), int(value)
        case n.Min(a=a, b=b) | n.Max(a=a, b=b) | n.Select(a=a, b=b):
            return LIMITS.of(node.__class__, range_of(a), range_of(b))
        case n.Mod(b=Const(value=value)) if value > 0:
            return 0, int(value) - 1
        case n.Div(a=a, b=Const(value=value)) if value > 0:
            low, high = range_of(a)
            return _quotient(low, int(value)), _quotient(high, int(value))
        case n.Mul(a=a, b=b) if range_of(a)[0] >= 0 and range_of(b)[0] >= 0:
            return 0, _INFINITE
        case Call(name="likely" | "likely_if_innermost", args=(a,)):
            return range_of(a)
        case Cast(value=value) if value.type in (I32, I64):
            return range_of(value)
        case Cast(value=value) if value.type.is_integer and value.type.lanes == 1:
            return value_range(node)
    return ANY


def _quotient(end: float, divisor: int) -> float:
    return end if abs(end) == _INFINITE else int(end) // divisor


def never_positive(total: Sum, depth: int = _DEPTH) -> bool:
    """Whether a sum is surely at most 0.

    Minima, maxima and selects in it are taken apart: max(a, b) + c <= 0 where a + c <= 0 and
    b + c <= 0, min(a, b) + c <= 0 where one of them is.
    """
    if range_of_sum(total)[1] <= 0:
        return True
    choices = _choices(total, depth)
    if not choices:
        return False
    key = frozenset(total.terms.items()), total.constant, depth
    found = _never_positive.get(key)
    if found is None:
        if len(_never_positive) > _MOST_REMEMBERED:
            _never_positive.clear()
        found = _never_positive[key] = any(
            _is_never_positive(total, term, factor, depth) for term, factor in choices
        )
    return found


def _is_never_positive(total: Sum, term: _Choice, factor: int, depth: int) -> bool:
    """Whether a sum with `factor` times a choice in it is seen to be at most 0 by its operands."""
    rest = total.without((term,))
    either = isinstance(term, n.Min) == (factor > 0) and not isinstance(term, n.Select)
    for operand in (term.a, term.b):
        if never_positive(rest.plus(sum_of(operand), factor), depth - 1) == either:
            return either
    return not either


def _choices(total: Sum, depth: int) -> list[tuple[_Choice, int]]:
    """The extremes and selects of a sum that are to be taken apart, and their factors."""
    if depth == 0 or len(total.terms) < 2:
        return []
    found = [(t, c) for t, c in total.terms.items() if isinstance(t, (n.Min, n.Max, n.Select))]
    return found if len(found) <= _MOST_CHOICES else []


def largest_of(total: Sum, depth: int = _DEPTH) -> float:
    """A number that a sum never exceeds, infinite where none is known; extremes are taken apart as
    in `never_positive`: min(a + 7, b) - a is at most 7."""
    found = range_of_sum(total)[1]
    for term, factor in _choices(total, depth):
        rest = total.without((term,))
        limits = [largest_of(rest.plus(sum_of(x), factor), depth - 1) for x in (term.a, term.b)]
        either = isinstance(term, n.Min) == (factor > 0) and not isinstance(term, n.Select)
        found = min(found, min(limits) if either else max(limits))
    return found
