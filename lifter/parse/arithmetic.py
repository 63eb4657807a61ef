"""What operators compute of numbers."""

from __future__ import annotations

from compiler.ir import (
    I32,
    OPERATORS,
    Arithmetic,
    Div,
    Expr,
    IntegerArithmetic,
    Mod,
    TruncDiv,
    Type,
)

from .folding import convert, fold

ARITHMETIC: dict[str, type[Expr]] = {
    row.symbol: kind
    for kind, row in OPERATORS.items()
    if row.is_infix and issubclass(kind, Arithmetic | IntegerArithmetic)
    and kind not in (Div, Mod)  # C++ divides toward zero
}  # fmt: skip


def operation(operator: str, a: Expr, b: Expr) -> Expr:
    """`a operator b` of two operands of one type (a shift's amount may have another)."""
    if operator in ("<<", ">>"):
        b = convert(b, a.type)
    kind = ARITHMETIC[operator]
    if kind is TruncDiv and a.type.is_float:
        kind = Div
    return fold(kind(a, b))


def promoted(type: Type) -> Type:
    """The type after C++'s integer promotion."""
    return I32 if type.is_integer and type.bits < 32 else type
