"""Indices in 32 bits, on machines whose registers have no more.

The low 32 bits of a sum or a product follow from those of its operands, whatever the others are. An
element that is there has an index of so few bits, apart from a constant, so that they say it all:

    a[(y - a.min.1) * a.stride.1 + x + 1]    ->    a + sext(the low bits of the rest) + 1

A minimum has to look at whole numbers, and a loop at how often it runs: those are computed in 32
bits where they fit for all that is known of their variables, in 64 elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import ir
from ..ir import I32, I64, Cast, Const, Expr, Select, Variable
from ..ir.bounds_of_values import value_range, whole
from ..ir.operators import NUMBERS
from .affine import terms
from .builder import Value
from .conversions import convert

if TYPE_CHECKING:
    from .expressions import Expressions

Range = tuple[int, int]

MOST_OFFSET = 1 << 15
"""The largest constant that is added to an address and not to the index; and the most lanes of a
vector, the first of which may be off, and lie that far outside of the memory."""
MARGIN = 2 * MOST_OFFSET
"""By how many elements memories are smaller than 32 bits can tell."""


def place(at: Expressions, expr: Expr) -> Value:
    """The index of an element that is there, as an i64."""
    f = at.function
    found, constant = terms(expr) if expr.type in (I32, I64) else ({expr: 1}, 0)
    total = Value("i32", "0")
    if abs(constant) > MOST_OFFSET:
        total, constant = _constant(constant), 0
    for term, factor in found.items():
        each = at.low(term)
        if factor != 1:
            each = f.emit("i32", f"mul {each}, {_constant(factor).text}")
        total = each if total.text == "0" else f.emit("i32", f"add {total}, {each.text}")
    wide = f.emit("i64", f"sext {total} to i64")
    return f.emit("i64", f"add nsw {wide}, {constant}") if constant else wide


def low_bits(at: Expressions, expr: Expr) -> Value:
    """The low 32 bits of what `expr` is as an index."""
    f = at.function
    if isinstance(expr, Const):
        return _constant(int(expr.value))
    if isinstance(expr, Variable):
        bound = at.bound(expr)
        if bound.low is not None:
            return bound.low
        if expr.type is I32:
            return bound.value if bound.wide is None else _low(at, bound.wide)
    elif isinstance(expr, Cast) and expr.type is I64 and expr.value.type is I32:
        return at.low(expr.value)
    elif expr.type in (I32, I64):
        if isinstance(expr, ir.Add | ir.Sub | ir.Mul):
            op = type(expr).__name__.lower()
            return f.emit("i32", f"{op} {at.low(expr.a)}, {at.low(expr.b).text}")
        if isinstance(expr, ir.Neg):
            return f.emit("i32", f"sub i32 0, {at.low(expr.value).text}")
        if isinstance(expr, ir.Min | ir.Max):
            if not all(fits(index_range(at, x)) for x in expr.children):
                return _low(at, at.wide_index(expr))
            name = f"llvm.s{type(expr).__name__.lower()}.i32"
            callee = f.module.declare(name, "i32", "i32, i32")
            return f.call("i32", callee, [at.low(expr.a), at.low(expr.b)])
        if isinstance(expr, Select):
            condition = at.value(expr.condition)
            return f.emit("i32", f"select {condition}, {at.low(expr.a)}, {at.low(expr.b)}")
    return convert(f, at.value(expr), expr.type, I32)


def index_range(at: Expressions, expr: Expr) -> Range:
    """What `expr` may be as an index, where sums and products of int32 have their whole value."""
    found = at.ranges.get(expr)
    if found is None:
        found = at.ranges[expr] = _index_range(at, expr)
    return found


def _index_range(at: Expressions, expr: Expr) -> Range:
    if isinstance(expr, Variable):
        bound = at.bound(expr)
        return bound.range or whole(expr.type if bound.wide is None else I64)
    if isinstance(expr, Cast) and expr.type is I64 and expr.value.type is I32:
        return index_range(at, expr.value)
    if expr.type is not I32 and expr.type is not I64:
        return value_range(expr)
    match expr:
        case ir.Add(a=a, b=b) | ir.Sub(a=a, b=b) | ir.Min(a=a, b=b) | ir.Max(a=a, b=b):
            found = NUMBERS.of(type(expr), index_range(at, a), index_range(at, b))
        case ir.Neg(value=value):
            found = NUMBERS.of(ir.Neg, index_range(at, value))
        case Select(a=a, b=b):
            found = NUMBERS.of(Select, index_range(at, a), index_range(at, b))
        case ir.Mul(a=a, b=b):
            products = [x * y for x in index_range(at, a) for y in index_range(at, b)]
            found = min(products), max(products)
        case _:
            return value_range(expr)
    # What has 64 bits anyway may wrap around.
    return found if expr.type is I32 or _within(found, whole(I64)) else whole(I64)


def fits(range: Range) -> bool:
    """Whether 32 bits hold each number of the range."""
    return _within(range, whole(I32))


def _within(inner: Range, outer: Range) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _constant(number: int) -> Value:
    return Value("i32", str(I32.wrap(number)))


def _low(at: Expressions, wide: Value) -> Value:
    return at.function.emit("i32", f"trunc {wide} to i32")


__all__ = ["MARGIN", "MOST_OFFSET", "Range", "fits", "index_range", "low_bits", "place"]
