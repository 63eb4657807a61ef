"""Intervals of numbers that hypotheses give: `0 <= a && a <= 255` says that a is in 0..255."""

from __future__ import annotations

from collections.abc import Iterable

from compiler.ir import (
    EQ,
    GE,
    GT,
    I64,
    LE,
    LT,
    MIRROR,
    NE,
    Add,
    Cast,
    Comparison,
    Const,
    Expr,
    Sub,
    Variable,
)
from compiler.ir.operators import Range

from ..dag import conjuncts
from .encode import is_leaf


def known_ranges(given: Iterable[Expr]) -> dict[Expr, Range]:
    """The interval of each leaf that comparisons bound, with constants or with one another.

    `given` are typed booleans that hold; what isn't such a comparison says nothing here. Variables
    of index expressions (I64) are numbers without overflow, so constants may stand beside them.
    """
    found: dict[Expr, Range] = {}
    parts = [p for formula in given for p in conjuncts(formula) if isinstance(p, Comparison)]
    # That a number isn't the least of its interval says something once the interval is known, and
    # that it is above another once that one's is: counters first, then the extents above them.
    differences = [p for p in parts if type(p) is NE]
    for chosen in ([p for p in parts if type(p) is not NE], differences, parts, differences):
        for part in chosen:
            _learn(part, found)
    return found


def _learn(comparison: Expr, found: dict[Expr, Range]) -> None:
    for kind, (a, b) in (
        (type(comparison), comparison.children),
        (MIRROR[type(comparison)], comparison.children[::-1]),
    ):
        if not b.type.is_integer or b.type.is_bool:
            return
        (leaf, shift), (other, by) = _shifted(a), _shifted(b)
        if leaf is None:
            continue
        if isinstance(b, Const):
            low = high = int(b.value)
        elif other in found and kind is not NE:
            low, high = (end + by for end in found[other])
        else:
            continue
        _meet(found, leaf, kind, low - shift, high - shift)


def _shifted(expr: Expr) -> tuple[Expr | None, int]:
    """(leaf, k) where `expr` is leaf + k, its conversions changing nothing."""
    shift = 0
    while True:
        if isinstance(expr, Cast) and expr.type.is_integer and expr.value.type.is_integer:
            inner = expr.value.type
            if inner.is_bool or not expr.type.contains_all(inner):
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


def _meet(found: dict[Expr, Range], leaf: Expr, kind: type[Expr], least: int, most: int) -> None:
    """That `leaf` compares so with some number between `least` and `most`."""
    low, high = found.get(leaf, (leaf.type.min, leaf.type.max))
    if kind in (GE, GT, EQ):
        low = max(low, least + (kind is GT))
    if kind in (LE, LT, EQ):
        high = min(high, most - (kind is LT))
    if kind is NE:
        low, high = low + (least == low), high - (most == high)
    if low <= high and (low, high) != (leaf.type.min, leaf.type.max):
        found[leaf] = (low, high)
