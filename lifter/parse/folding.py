"""Building expressions: conversions and constant arithmetic, folded where C++ would fold them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from compiler.ir import (
    BOOL,
    F32,
    I64,
    NE,
    Add,
    Cast,
    Const,
    Expr,
    Mul,
    Neg,
    Select,
    Sub,
    Type,
    Variable,
    postorder,
)
from compiler.ir.fold import fold as fold_operator


def number(value: int | float, type: Type) -> Const:
    """The constant that a C++ literal of this value has in `type` (integers wrap)."""
    return Const(type, value if type.is_float else type.wrap(int(value)))


def convert(value: Expr, to: Type) -> Expr:
    """`value` converted to `to` as C++ converts; constants are folded."""
    if value.type is to:
        return value
    if isinstance(value, Const):
        folded = _convert_constant(value, to)
        if folded is not None:
            return folded
    if to.is_bool:
        if isinstance(value, Cast) and value.value.type.is_bool:
            return value.value
        nonzero: Expr = NE(value, Const(value.type, 0))
        return nonzero
    cast: Expr = Cast(to, value)
    return cast


def _convert_constant(value: Const, to: Type) -> Const | None:
    content = value.value
    if to.is_bool:
        return Const(BOOL, int(content != 0))
    if to.is_float:
        if isinstance(content, int) and to is F32 and abs(content) > 1 << 53:
            return None
        return Const(to, content)
    if isinstance(content, float):
        if not math.isfinite(content) or not to.contains(math.trunc(content)):
            return None
        return Const(to, math.trunc(content))
    return Const(to, to.wrap(content))


def fold(value: Expr) -> Expr:
    """`value` as a constant where all its operands are, functions of C's library included."""
    return fold_operator(value, calls=True)


def with_constants(value: Expr, constants: Mapping[Expr, Expr]) -> Expr:
    """`value` with constants for some of its parts, folded wherever that decides something."""
    done: dict[Expr, Expr] = dict(constants)
    for node in postorder(value):
        if node not in done:
            children = tuple(done[c] for c in node.children)
            made = fold(node.rebuild(children)) if children else node
            if isinstance(made, Select) and isinstance(made.condition, Const):
                made = made.a if made.condition.value else made.b
            done[node] = made
    return done[value]


def index(value: Expr) -> Expr:
    """`value` as an element offset (int64)."""
    while (
        isinstance(value, Cast)
        and value.type.is_integer
        and value.type.bits == 64
        and value.value.type.is_integer
        and not value.value.type.is_bool
    ):
        value = value.value
    return convert(value, I64)


def add(a: Expr, b: Expr) -> Expr:
    """a + b of offsets, without adding zeros."""
    if isinstance(a, Const) and not a.value:
        return b
    if isinstance(b, Const) and not b.value:
        return a
    return fold(Add(a, b))


def subtract(a: Expr, b: Expr) -> Expr:
    """a - b of offsets, without subtracting zeros."""
    if isinstance(b, Const):
        if not b.value:
            return a
        if isinstance(a, Add) and isinstance(a.b, Const):
            return add(a.a, fold(Sub(a.b, b)))
    return fold(Sub(a, b))


def scale(a: Expr, count: int) -> Expr:
    """a * count of an offset, without multiplying by one."""
    return a if count == 1 else fold(Mul(a, Const(a.type, count)))


def choose(condition: Expr, a: Expr, b: Expr) -> Expr:
    """`condition ? a : b`, decided where the condition is constant."""
    if isinstance(condition, Const):
        return a if condition.value else b
    return a if a is b else Select(condition, a, b)


def divide_exactly(
    value: Expr, size: int, leaf: Callable[[Expr, int], Expr | None] | None = None
) -> Expr | None:
    """`value / size` where the structure shows that `size` divides it; None where it doesn't.

    `leaf` may know more of a variable: it gives the quotient, or None. Overflow of a product of 64
    bits, or of a signed one, is no concern: a byte count that wraps names no memory, and signed
    overflow is undefined. An unsigned product of fewer bits wraps to a count that does.
    """
    if size == 1:
        return value
    if isinstance(value, Const):
        content = int(value.value)
        return Const(value.type, content // size) if content % size == 0 else None
    if isinstance(value, Variable):
        return leaf(value, size) if leaf is not None else None
    if isinstance(value, (Mul, Add, Sub)) and value.type.is_uint and value.type.bits < 64:
        return None
    if isinstance(value, Mul):
        for known in (None, leaf):
            for one, other in ((value.a, value.b), (value.b, value.a)):
                quotient = divide_exactly(other, size, known)
                if quotient is not None:
                    unit = isinstance(quotient, Const) and quotient.value == 1
                    return one if unit else Mul(one, quotient)
    if isinstance(value, (Add, Sub)):
        a = divide_exactly(value.a, size, leaf)
        b = divide_exactly(value.b, size, leaf) if a is not None else None
        return value.rebuild((a, b)) if a is not None and b is not None else None
    if isinstance(value, Neg):
        inner = divide_exactly(value.value, size, leaf)
        return Neg(inner) if inner is not None else None
    if isinstance(value, Cast) and value.type.is_integer and value.value.type.is_integer:
        of, to = value.value.type, value.type
        if to.bits < of.bits or (of.is_int and to.is_uint and to.bits < 64):
            return None  # what wraps to a shorter or a positive number is another count
        inner = divide_exactly(value.value, size, leaf)
        return convert(inner, value.type) if inner is not None else None
    return None
