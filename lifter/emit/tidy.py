"""Exact rewrites that remove what C++ had to say and the DSL need not.

`tidy(e)` equals `e` for every value of its variables and every content of its images, undefined
cases excepted. Applied to a summary before it is printed, and to both sides of the round-trip
check, so that two spellings of one thing count as the same.
"""

from __future__ import annotations

from compiler.ir import (
    BOOL,
    I32,
    I64,
    MIRROR,
    Add,
    And,
    Binary,
    BitAnd,
    BitNot,
    BitOr,
    Cast,
    Comparison,
    Const,
    Expr,
    Let,
    Max,
    Min,
    Mul,
    Neg,
    Not,
    Or,
    Sub,
    Type,
    Variable,
    substitute,
    transform,
)  # fmt: skip


def tidy(expr: Expr) -> Expr:
    """The tidied form of `expr` (same type)."""
    previous = None
    while previous is not expr:
        previous, expr = expr, transform(expr, _visit)
    return expr


def _visit(node: Expr) -> Expr:
    tidied: Expr = node
    match node:
        case Cast():
            tidied = _cast(node.type, node.value)
        case Neg() if node.type.is_float:
            tidied = Mul(Const(node.type, -1.0), node.value)
        case Neg():
            tidied = Sub(Const(node.type, 0), node.value)
        case Add() | Sub():
            tidied = _sum(node)
        case Min(a=Max(b=Const()) as inner, b=Const() as high) if _ordered(inner.b, high):
            tidied = Max(Min(inner.a, high), inner.b)
        # Grouped to the right, as the language groups several operands.
        case Min(a=Min() as inner, b=last) if node.type.is_integer:
            tidied = _visit(Min(inner.a, _visit(Min(inner.b, last))))
        case Max(a=Max() as inner, b=last) if node.type.is_integer:
            tidied = _visit(Max(inner.a, _visit(Max(inner.b, last))))
        case Comparison():
            tidied = _comparison(node)
        case BitAnd() if node.type.is_bool:
            tidied = And(node.a, node.b)
        case BitOr() if node.type.is_bool:
            tidied = Or(node.a, node.b)
        case BitNot() if node.type.is_bool:
            tidied = Not(node.value)
        case Let():
            tidied = substitute(node.body, {Variable(node.name, node.value.type): node.value})
    return tidied


def _ordered(low: Expr, high: Expr) -> bool:
    assert isinstance(low, Const) and isinstance(high, Const)
    return low.type.is_integer and low.value <= high.value


def _cast(type: Type, value: Expr) -> Expr:
    if value.type is type:
        return value
    if isinstance(value, Const):
        return _constant(type, value)
    if isinstance(value, Cast) and type.is_integer and not type.is_bool:
        inner = value.value
        # Conversion of integers is reduction modulo 2**bits: a wider stop on the way, or one that
        # keeps every value, changes nothing.
        through = value.type
        wraps = through.bits >= type.bits and not inner.type.is_bool
        integers = inner.type.is_integer and through.is_integer and not through.is_bool
        if integers and (wraps or through.contains_all(inner.type)):
            return _cast(type, inner)
    if isinstance(value, Cast) and type.is_float and value.type.contains_all(value.value.type):
        return _cast(type, value.value)
    if type is I32 and value.type is I64 and isinstance(value, (Add, Sub, Mul)):
        # Sums and products wrap: their low 32 bits are those of the operands' low 32 bits.
        return _visit(value.__class__(_cast(I32, value.a), _cast(I32, value.b)))
    made: Expr = Cast(type, value)
    return made


def _constant(type: Type, value: Const) -> Expr:
    number = value.value
    if type is BOOL:
        return Const(BOOL, int(number != 0))
    if type.is_float:
        return Const(type, float(number))
    if isinstance(number, int):
        return Const(type, type.wrap(number))
    # Out of the type's range (or no number at all) the conversion is left as it is.
    inside = abs(number) < 2.0**64 and type.contains(int(number))
    made: Expr = Const(type, int(number)) if inside else Cast(type, value)
    return made


def _sum(node: Binary) -> Expr:
    """x + -3 is x - 3, x - -3 is x + 3: for signed integers, by wrapping."""
    b = node.b
    if isinstance(b, Const) and b.type.is_int and b.type.min < b.value < 0:
        other = Sub if isinstance(node, Add) else Add
        made: Expr = other(node.a, Const(b.type, -b.value))
        return made
    return node


def _comparison(node: Comparison) -> Expr:
    """Constants stand on the right; operands lose casts that keep their values."""
    a, b, kind = node.a, node.b, type(node)
    if isinstance(a, Const) and not isinstance(b, Const):
        a, b, kind = b, a, MIRROR[kind]
    if isinstance(a, Cast) and a.type.contains_all(a.value.type) and not a.value.type.is_bool:
        inner = a.value
        if isinstance(b, Const) and inner.type.contains(int(b.value)):
            a, b = inner, Const(inner.type, b.value)
        elif isinstance(b, Cast) and b.value.type is inner.type:
            a, b = inner, b.value
    made: Expr = kind(a, b)
    return made
