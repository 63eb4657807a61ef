"""The table of operators: how each is written, which laws it keeps, what it means.

One row an operator. What it means stands here on whole numbers, on numpy arrays and on intervals;
rooms above add columns of their own by `column` (the encoder Z3's form, the code generator LLVM's,
the emitter Python's binding strengths), and a column without a cell for each row is an error where
it is made. tests/ir/test_operators.py proves rows consistent: the laws by trying all values, the
meanings against one another on every pair of bytes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from . import nodes as n
from .nodes import FALSE, TRUE, Const, Expr
from .types import Type

Range = tuple[int, int]
"""(smallest, largest): an interval of whole numbers."""
Where = Literal["nowhere", "integers", "everywhere"]
"""On which operands a law holds: on integers (and booleans), or on floats too."""


@dataclass(frozen=True, slots=True)
class Operator:
    """One row.

    `on_integers` is exact: the type's range plays no part, who computes in a type wraps. Where the
    operator is undefined (C++'s division by zero, a shift by a negative number) it gives some value
    or raises. `on_arrays` works on numpy arrays of the operands' type. `on_intervals` holds all
    that the operator makes of members of the intervals; None: nothing better than the type's whole
    range is known. It looks at the type for shifts alone.
    """

    kind: type[Expr]
    symbol: str
    """C++'s; a name for what C++ writes as a call."""
    strength: int
    """How tightly C++ binds it (higher binds tighter); 0 for a call."""
    on_integers: Callable[..., int]
    on_arrays: Callable[..., Any]
    on_intervals: Callable[..., Range | None]
    """From the type of the result and the operands' intervals."""
    commutes: Where = "nowhere"
    associates: Where = "nowhere"
    """Sums and products of floats don't: they round."""
    opposite: type[n.Comparison] | None = None
    """!(a OP b) is a OPPOSITE b: on integers, of `EQ` and `NE` on floats too."""
    mirror: type[n.Comparison] | None = None
    """a OP b is b MIRROR a."""
    neutral: Callable[[Type], int | float] | None = None
    """The number that an operand of a type may be combined with at no change."""
    mark: str = ""
    """What tells it, in text for people, from another operator of the same symbol."""

    @property
    def is_infix(self) -> bool:
        return self.strength > 0 and issubclass(self.kind, n.Binary)


def euclidean_quotient(a: int, b: int) -> int:
    """a / b with a remainder that isn't negative; 0 for b = 0."""
    return 0 if b == 0 else a // b if b > 0 else -(a // -b)


def euclidean_remainder(a: int, b: int) -> int:
    """a - b * (a / b), in [0, |b|); 0 for b = 0."""
    return a % abs(b) if b else 0


def truncated_quotient(a: int, b: int) -> int:
    """a / b rounded toward zero, as C++ has it; 0 where C++ leaves b = 0 undefined."""
    magnitude = abs(a) // abs(b) if b else 0
    return magnitude if (a < 0) == (b < 0) else -magnitude


def truncated_remainder(a: int, b: int) -> int:
    return a - b * truncated_quotient(a, b)


# On numpy arrays.


def _euclidean(a: Any, b: Any) -> tuple[Any, Any]:
    zero = b == 0
    safe = np.where(zero, np.ones_like(b), b)
    if a.dtype.kind == "u":
        quotient, remainder = a // safe, a % safe
    else:
        quotient, remainder = _truncated(a, safe)
        negative = remainder < 0
        step = np.where(safe > 0, np.ones_like(b), -np.ones_like(b))
        quotient = np.where(negative, quotient - step, quotient)
        remainder = np.where(negative, remainder + safe * step, remainder)
    nothing = np.zeros_like(quotient)
    return np.where(zero, nothing, quotient), np.where(zero, nothing, remainder)


def _truncated(a: Any, b: Any) -> tuple[Any, Any]:
    if a.dtype.kind == "u":
        return a // b, a % b
    quotient = a // b
    quotient = quotient + ((a % b != 0) & ((a < 0) != (b < 0))).astype(quotient.dtype)
    return quotient, a - quotient * b


def _div(a: Any, b: Any) -> Any:
    return np.true_divide(a, b) if a.dtype.kind == "f" else _euclidean(a, b)[0]


def _mod(a: Any, b: Any) -> Any:
    return a - b * np.floor(a / b) if a.dtype.kind == "f" else _euclidean(a, b)[1]


def _truncating(place: int) -> Callable[[Any, Any], Any]:
    return lambda a, b: _truncated(a, np.where(b == 0, np.ones_like(b), b))[place]


# On intervals.


End = TypeVar("End")


@dataclass(frozen=True, slots=True)
class Algebra(Generic[End]):
    """How intervals are computed, whatever their ends are: numbers, unbounded numbers, expressions,
    text of a program.

    An operator that rises or falls in each operand has its ends at its operands' ends, and that is
    all one has to know: `of` says it once for sums, differences, negations, extremes and choices.
    What isn't monotone needs comparisons of ends, which only numbers allow: products, quotients and
    bits of numbers stand in the table below (`on_intervals`), and each domain of symbolic ends says
    how far it goes with them. Those stay apart on purpose: bounds inference may lack an end and
    counts on coordinates not to overflow, guards have both ends and C's conversions, and what
    autoschedulers ask a million times is text that is compiled once.
    """

    add: Callable[[End, End], End]
    subtract: Callable[[End, End], End]
    negate: Callable[[End], End]
    least: Callable[[End, End], End]
    most: Callable[[End, End], End]
    least_known: Callable[[End, End], End] | None = None
    """The least of two ends, or the one that is known; as `least` where all ends are."""
    most_known: Callable[[End, End], End] | None = None

    def of(
        self, kind: type[Expr], a: tuple[End, End], b: tuple[End, End] | None = None
    ) -> tuple[End, End]:
        """The interval of a `Neg`, `Add`, `Sub`, `Min`, `Max`, or of a `Select` between two."""
        if kind is n.Neg:
            return self.negate(a[1]), self.negate(a[0])
        assert b is not None
        if kind is n.Add:
            return self.add(a[0], b[0]), self.add(a[1], b[1])
        if kind is n.Sub:
            return self.subtract(a[0], b[1]), self.subtract(a[1], b[0])
        if kind is n.Min:
            return self.least(a[0], b[0]), (self.least_known or self.least)(a[1], b[1])
        if kind is n.Max:
            return (self.most_known or self.most)(a[0], b[0]), self.most(a[1], b[1])
        if kind is n.Select:
            return self.least(a[0], b[0]), self.most(a[1], b[1])
        raise TypeError(f"{kind.__name__} isn't monotone in its operands")


MONOTONE = (n.Add, n.Sub, n.Min, n.Max)
"""The binary operators of which `Algebra.of` knows."""

NUMBERS: Algebra[int] = Algebra(operator.add, operator.sub, operator.neg, min, max)
"""Intervals of whole numbers."""


def _monotone(kind: type[Expr]) -> Callable[..., Range]:
    return lambda _, *operands: NUMBERS.of(kind, *operands)


def _products(_: Type, a: Range, b: Range) -> Range:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _quotients(quotient: Callable[[int, int], int]) -> Callable[[Type, Range, Range], Range]:
    def divide(_: Type, a: Range, b: Range) -> Range:
        if b[0] <= 0 <= b[1]:
            # Euclid's x / 0 is 0; toward zero it is undefined.
            if a[0] >= 0 and b[0] >= 0:
                return 0, a[1]
            size = max(abs(a[0]), abs(a[1]))
            return -size, size
        corners = [quotient(x, y) for x in a for y in b]
        return min(corners), max(corners)

    return divide


def _remainders(is_euclids: bool) -> Callable[[Type, Range, Range], Range]:
    def divide(_: Type, a: Range, b: Range) -> Range:
        if b[0] <= 0 <= b[1]:
            if not is_euclids and (a[0] < 0 or b[0] < 0):
                return min(a[0], 0), max(a[1], 0)
            # Euclid's x % 0 is 0, as x % 1 is.
            b = (1, max(1, -b[0], b[1]))
        elif a[0] >= 0 and a[1] < min(abs(b[0]), abs(b[1])):
            return a
        largest = max(abs(b[0]), abs(b[1])) - 1
        if a[0] >= 0:
            return 0, min(a[1], largest)
        return (0, largest) if is_euclids else (max(-largest, a[0]), max(0, min(largest, a[1])))

    return divide


def _shifted_left(type: Type, a: Range, b: Range) -> Range | None:
    if b[0] < 0 or b[1] >= type.bits:
        return None
    return _products(type, a, (1 << b[0], 1 << b[1]))


def _shifted_right(type: Type, a: Range, b: Range) -> Range | None:
    if b[0] < 0 or b[1] >= type.bits:
        return None
    corners = [x >> y for x in a for y in b]
    return min(corners), max(corners)


def _bits_in_both(_: Type, a: Range, b: Range) -> Range | None:
    if a[0] < 0 and b[0] < 0:
        return None
    return 0, min(r[1] for r in (a, b) if r[0] >= 0)


def _bits_in_either(_: Type, a: Range, b: Range) -> Range | None:
    if a[0] < 0 or b[0] < 0:
        return None
    # Neither has a bit above the highest bit of the larger.
    return max(a[0], b[0]), (1 << max(a[1], b[1]).bit_length()) - 1


def _bits_in_one(type: Type, a: Range, b: Range) -> Range | None:
    found = _bits_in_either(type, a, b)
    return None if found is None else (0, found[1])


def _never_and_always(low: bool, high: bool) -> Range:
    return int(low), int(high)


def _inverted(type: Type, a: Range) -> Range:
    if type.is_int:
        return -1 - a[1], -1 - a[0]
    return type.element.max - a[1], type.element.max - a[0]


_ROWS = (
    Operator(n.Mul, "*", 10, lambda a, b: a * b, lambda a, b: a * b, _products,
             commutes="everywhere", associates="integers", neutral=lambda t: 1),
    Operator(n.Div, "/", 10, euclidean_quotient, _div, _quotients(euclidean_quotient)),
    Operator(n.Mod, "%", 10, euclidean_remainder, _mod, _remainders(is_euclids=True)),
    Operator(n.TruncDiv, "/", 10, truncated_quotient, _truncating(0),
             _quotients(truncated_quotient), mark="t"),
    Operator(n.TruncMod, "%", 10, truncated_remainder, _truncating(1),
             _remainders(is_euclids=False), mark="t"),
    Operator(n.Add, "+", 9, lambda a, b: a + b, lambda a, b: a + b,
             _monotone(n.Add),
             commutes="everywhere", associates="integers", neutral=lambda t: 0),
    Operator(n.Sub, "-", 9, lambda a, b: a - b, lambda a, b: a - b,
             _monotone(n.Sub)),
    Operator(n.Shl, "<<", 8, lambda a, b: a << b, lambda a, b: a << b, _shifted_left),
    Operator(n.Shr, ">>", 8, lambda a, b: a >> b, lambda a, b: a >> b, _shifted_right),
    Operator(n.LT, "<", 7, lambda a, b: a < b, lambda a, b: a < b,
             lambda t, a, b: _never_and_always(a[1] < b[0], a[0] < b[1]),
             opposite=n.GE, mirror=n.GT),
    Operator(n.LE, "<=", 7, lambda a, b: a <= b, lambda a, b: a <= b,
             lambda t, a, b: _never_and_always(a[1] <= b[0], a[0] <= b[1]),
             opposite=n.GT, mirror=n.GE),
    Operator(n.GT, ">", 7, lambda a, b: a > b, lambda a, b: a > b,
             lambda t, a, b: _never_and_always(a[0] > b[1], a[1] > b[0]),
             opposite=n.LE, mirror=n.LT),
    Operator(n.GE, ">=", 7, lambda a, b: a >= b, lambda a, b: a >= b,
             lambda t, a, b: _never_and_always(a[0] >= b[1], a[1] >= b[0]),
             opposite=n.LT, mirror=n.LE),
    Operator(n.EQ, "==", 6, lambda a, b: a == b, lambda a, b: a == b,
             lambda t, a, b: _never_and_always(a == b and a[0] == a[1],
                                               a[0] <= b[1] and b[0] <= a[1]),
             commutes="everywhere", opposite=n.NE, mirror=n.EQ),
    Operator(n.NE, "!=", 6, lambda a, b: a != b, lambda a, b: a != b,
             lambda t, a, b: _never_and_always(a[0] > b[1] or b[0] > a[1],
                                               not (a == b and a[0] == a[1])),
             commutes="everywhere", opposite=n.EQ, mirror=n.NE),
    Operator(n.BitAnd, "&", 5, lambda a, b: a & b, lambda a, b: a & b, _bits_in_both,
             commutes="everywhere", associates="everywhere",
             neutral=lambda t: -1 if t.is_int else t.max),
    Operator(n.BitXor, "^", 4, lambda a, b: a ^ b, lambda a, b: a ^ b, _bits_in_one,
             commutes="everywhere", associates="everywhere", neutral=lambda t: 0),
    Operator(n.BitOr, "|", 3, lambda a, b: a | b, lambda a, b: a | b, _bits_in_either,
             commutes="everywhere", associates="everywhere", neutral=lambda t: 0),
    Operator(n.And, "&&", 2, lambda a, b: a and b, lambda a, b: a & b,
             lambda t, a, b: (a[0] & b[0], a[1] & b[1]),
             commutes="everywhere", associates="everywhere", neutral=lambda t: 1),
    Operator(n.Or, "||", 1, lambda a, b: a or b, lambda a, b: a | b,
             lambda t, a, b: (a[0] | b[0], a[1] | b[1]),
             commutes="everywhere", associates="everywhere", neutral=lambda t: 0),
    Operator(n.Min, "min", 0, lambda a, b: b if b < a else a, lambda a, b: np.where(b < a, b, a),
             _monotone(n.Min),
             commutes="integers", associates="integers",
             neutral=lambda t: float("inf") if t.is_float else t.max),
    Operator(n.Max, "max", 0, lambda a, b: b if a < b else a, lambda a, b: np.where(a < b, b, a),
             _monotone(n.Max),
             commutes="integers", associates="integers",
             neutral=lambda t: float("-inf") if t.is_float else t.min),
    Operator(n.Neg, "-", 11, lambda a: -a, lambda a: -a, _monotone(n.Neg)),
    Operator(n.BitNot, "~", 11, lambda a: ~a, lambda a: ~a, _inverted),
    Operator(n.Not, "!", 11, lambda a: not a, np.logical_not, lambda t, a: (1 - a[1], 1 - a[0])),
)  # fmt: skip

OPERATORS: dict[type[Expr], Operator] = {row.kind: row for row in _ROWS}
"""Each operator by its node: what binds tightest first, calls and prefixes last."""
BINARY: tuple[type[n.Binary], ...] = tuple(k for k in OPERATORS if issubclass(k, n.Binary))
COMPARISONS: tuple[type[n.Comparison], ...] = tuple(
    k for k in OPERATORS if issubclass(k, n.Comparison)
)
COMPARISON_OF: dict[str, type[n.Comparison]] = {OPERATORS[k].symbol: k for k in COMPARISONS}
"""Comparisons by their symbols."""
COMMUTATIVE: tuple[type[n.Binary], ...] = tuple(
    k for k in BINARY if OPERATORS[k].commutes != "nowhere"
)
"""On integers at least."""
ASSOCIATIVE: tuple[type[n.Binary], ...] = tuple(
    k for k in BINARY if OPERATORS[k].associates != "nowhere"
)
"""On integers at least."""
OPPOSITE: dict[type[Expr], type[n.Comparison]] = {
    k: row.opposite for k, row in OPERATORS.items() if row.opposite is not None
}
MIRROR: dict[type[Expr], type[n.Comparison]] = {
    k: row.mirror for k, row in OPERATORS.items() if row.mirror is not None
}

Cell = TypeVar("Cell")
COLUMNS: dict[str, Mapping[type[Expr], Any]] = {}
"""What rooms above have added, by name."""


def column(name: str, cells: dict[type[Expr], Cell]) -> dict[type[Expr], Cell]:
    """`cells` as a column of the table; raises `ValueError` where a row has no cell, or a cell no
    row."""
    if cells.keys() != OPERATORS.keys():
        odd = ", ".join(sorted(k.__name__ for k in cells.keys() ^ OPERATORS.keys()))
        raise ValueError(f"the column {name} has not one cell for each operator: {odd}")
    COLUMNS[name] = cells
    return cells


def neutral(kind: type[Expr], type: Type) -> int | float:
    """The number that an operand of `type` is combined with at no change; raises `KeyError` for an
    operator without one."""
    found = OPERATORS[kind].neutral
    if found is None:
        raise KeyError(kind)
    return found(type)


def commutes(node: Expr) -> bool:
    """Whether the operands of `node` may be exchanged: the value is the same, bit by bit."""
    row = OPERATORS.get(type(node))
    return row is not None and _holds(row.commutes, node)


def associates(node: Expr) -> bool:
    """Whether a chain of the operator of `node` may be grouped in any way."""
    row = OPERATORS.get(type(node))
    return row is not None and _holds(row.associates, node)


def _holds(where: Where, node: Expr) -> bool:
    return where == "everywhere" or (where == "integers" and not node.children[0].type.is_float)


def negation(condition: Expr) -> Expr:
    """The boolean that holds where `condition` doesn't, without a `Not` where there is a way.

    Comparisons become the opposite one: of floats `==` and `!=` alone, since an unordered pair
    fails `a < b` and `a >= b` alike.
    """
    if isinstance(condition, Const):
        return FALSE if condition.value else TRUE
    if isinstance(condition, n.Not):
        return condition.value
    if isinstance(condition, n.Comparison):
        kind = type(condition)
        if not condition.a.type.is_float or kind in (n.EQ, n.NE):
            return OPPOSITE[kind](condition.a, condition.b)
    return n.Not(condition)


def mirrored(comparison: n.Comparison) -> n.Comparison:
    """The same comparison with its operands exchanged."""
    return MIRROR[type(comparison)](comparison.b, comparison.a)
