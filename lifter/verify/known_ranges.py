"""Intervals of numbers that hypotheses give: `0 <= a && a <= 255` says that a is in 0..255."""

from __future__ import annotations

from collections.abc import Iterable

from compiler.ir import EQ, GE, GT, I64, LE, LT, NE, Add, Cast, Const, Expr, Sub, Variable
from compiler.ir.bounds_of_values import Range

from ..dag import conjuncts
from .encode import is_leaf

_MIRROR: dict[type[Expr], type[Expr]] = {LT: GT, LE: GE, GT: LT, GE: LE, EQ: EQ, NE: NE}


def known_ranges(given: Iterable[Expr]) -> dict[Expr, Range]:
    """The interval of each leaf that comparisons with constants bound, within its type.

    `given` are typed booleans that hold; what isn't such a comparison says nothing here. Variables
    of index expressions (I64) are numbers without overflow, so constants may stand beside them.
    """
    found: dict[Expr, Range] = {}
    parts = [p for formula in given for p in conjuncts(formula)]
    # That a number isn't the least of its interval says something once the interval is known.
    for chosen in ([p for p in parts if type(p) is not NE], [p for p in parts if type(p) is NE]):
        for part in chosen:
            kind = type(part)
            if kind not in _MIRROR:
                continue
            a, b = part.children
            if isinstance(a, Const):
                a, b, kind = b, a, _MIRROR[kind]
            if not isinstance(b, Const) or not b.type.is_integer or b.type.is_bool:
                continue
            leaf, shift = _shifted(a)
            if leaf is None:
                continue
            _meet(found, leaf, kind, int(b.value) - shift)
    return found


def _shifted(expr: Expr) -> tuple[Expr | None, int]:
    """(leaf, k) where `expr` is leaf + k, its conversions changing nothing."""
    shift = 0
    while True:
        if isinstance(expr, Cast) and expr.type.is_integer and expr.value.type.is_integer:
            inner = expr.value.type
            if inner.is_bool or not (expr.type.min <= inner.min and inner.max <= expr.type.max):
                return None, 0
            expr = expr.value
        elif isinstance(expr, (Add, Sub)) and isinstance(expr.b, Const) and expr.type is I64:
            shift += int(expr.b.value) if isinstance(expr, Add) else -int(expr.b.value)
            expr = expr.a
        elif isinstance(expr, Add) and isinstance(expr.a, Const) and expr.type is I64:
            shift += int(expr.a.value)
            expr = expr.b
        else:
            whole = expr.type.is_integer and not expr.type.is_bool
            if shift and expr.type is I64 and not isinstance(expr, Variable):
                return None, 0  # the sum may have wrapped
            return (expr, shift) if whole and is_leaf(expr) else (None, 0)


def _meet(found: dict[Expr, Range], leaf: Expr, kind: type[Expr], value: int) -> None:
    low, high = found.get(leaf, (leaf.type.min, leaf.type.max))
    if kind in (GE, GT, EQ):
        low = max(low, value + (kind is GT))
    if kind in (LE, LT, EQ):
        high = min(high, value - (kind is LT))
    if kind is NE:
        low, high = low + (value == low), high - (value == high)
    if low <= high:
        found[leaf] = (low, high)
