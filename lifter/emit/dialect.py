"""How the DSL is spelled: in Python and in C++."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from compiler.ir import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Const,
    Div,
    Expr,
    Mod,
    Mul,
    Or,
    Shl,
    Shr,
    Sub,
    Type,
)  # fmt: skip

INT32 = range(-(2**31), 2**31)


@dataclass(frozen=True)
class Dialect:
    """One spelling. `infix` gives symbol and binding strength (higher binds tighter)."""

    prefix: str
    """Before the names of the language's functions."""
    brackets: tuple[str, str]
    """Around coordinates."""
    infix: dict[type[Expr], tuple[str, int]]
    unary: int
    """Binding strength of a prefix operator."""
    shifts_back: bool = True
    """Whether a shift by a negative amount shifts the other way, as in Halide."""

    def cast(self, type: Type, text: str) -> str:
        raise NotImplementedError

    def type(self, type: Type) -> str:
        """The type as a value of the language, e.g. `hl.UInt(8)`."""
        raise NotImplementedError

    def negation(self, text: str) -> str:
        """The logical negation of an operand that binds as tightly as `unary`."""
        raise NotImplementedError

    def number(self, value: Const) -> tuple[str, bool]:
        """The plain literal, and whether the language reads it as exactly this number.

        Integers take the other operand's type, so plain ones must fit an int32; floats are
        float32 in Python.
        """
        raise NotImplementedError


def _strengths(*levels: tuple[type[Expr], ...]) -> dict[type[Expr], int]:
    return {kind: strength for strength, kinds in enumerate(levels, 1) for kind in kinds}


_COMPARISONS: tuple[type[Expr], ...] = (LT, LE, GT, GE, EQ, NE)
_PYTHON = _strengths(
    _COMPARISONS, (BitOr, Or), (BitXor,), (BitAnd, And), (Shl, Shr), (Add, Sub), (Mul, Div, Mod)
)
_CPP = _strengths(
    (Or,), (And,), (BitOr,), (BitXor,), (BitAnd,), (EQ, NE), (LT, LE, GT, GE), (Shl, Shr),
    (Add, Sub), (Mul, Div, Mod),
)  # fmt: skip
_SYMBOLS: dict[type[Expr], str] = {
    Add: "+", Sub: "-", Mul: "*", Div: "/", Mod: "%", Shl: "<<", Shr: ">>", LT: "<", LE: "<=",
    GT: ">", GE: ">=", EQ: "==", NE: "!=", BitAnd: "&", BitXor: "^", BitOr: "|",
}  # fmt: skip


def _exact_in_single(value: float) -> bool:
    return math.isfinite(value) and float(np.float32(value)) == value


def _shortest(value: Const) -> str:
    """The shortest decimal that rounds to the number in its own type."""
    number = np.float32(value.value) if value.type.bits == 32 else np.float64(value.value)
    text = np.format_float_positional(number, unique=True, trim="0")
    if len(text) > 20:
        text = np.format_float_scientific(number, unique=True, trim="0")
    if value.type.bits == 32 and np.float32(float(text)) != number:
        text = repr(float(number))
    return str(text)


class PythonDialect(Dialect):
    """`import compiler as hl` (or the Halide package)."""

    def __init__(self, prefix: str = "hl.", brackets: tuple[str, str] = ("[", "]")) -> None:
        symbols = _SYMBOLS | {And: "&", Or: "|"}
        infix = {k: (symbols[k], s) for k, s in _PYTHON.items()}
        super().__init__(prefix, brackets, infix, unary=8, shifts_back=prefix != "")

    def cast(self, type: Type, text: str) -> str:
        if type.is_bool or (type.bits == 16 and type.is_float):
            return f"{self.prefix}cast({self.type(type)}, {text})"
        return f"{self.prefix}{'f' if type.is_float else type.code[0]}{type.bits}({text})"

    def type(self, type: Type) -> str:
        if type.is_bool:
            return f"{self.prefix}Bool()"
        name = {"int": "Int", "uint": "UInt", "float": "Float", "bfloat": "BFloat"}[type.code]
        return f"{self.prefix}{name}({type.bits})"

    def negation(self, text: str) -> str:
        return f"{self.prefix}logical_not({text})"

    def number(self, value: Const) -> tuple[str, bool]:
        if not value.type.is_float:
            return str(value.value), value.value in INT32
        if not math.isfinite(value.value):
            return f'float("{value.value}")', False
        text = _shortest(value)
        return text, _exact_in_single(value.value) and float(text) == value.value


class CppDialect(Dialect):
    """A Halide C++ generator."""

    def __init__(self) -> None:
        symbols = _SYMBOLS | {And: "&&", Or: "||"}
        super().__init__("", ("(", ")"), {k: (symbols[k], s) for k, s in _CPP.items()}, unary=11)

    def cast(self, type: Type, text: str) -> str:
        return f"cast<{self.type(type)}>({text})"

    def type(self, type: Type) -> str:
        if type.is_bool:
            return "bool"
        if type.is_float:
            return {16: "float16_t", 32: "float", 64: "double"}[type.bits]
        return f"{type.code}{type.bits}_t"

    def negation(self, text: str) -> str:
        return f"!{text}"

    def number(self, value: Const) -> tuple[str, bool]:
        if not value.type.is_float:
            text = str(value.value)
            if value.value not in INT32:
                text += "ull" if value.value > 2**63 - 1 else "ll"
            return text, value.value in INT32
        suffix = "f" if value.type.bits == 32 else ""
        if not math.isfinite(value.value):
            name = "quiet_NaN" if math.isnan(value.value) else "infinity"
            sign = "-" if value.value < 0 else ""
            return f"{sign}std::numeric_limits<{self.type(value.type)}>::{name}()", True
        return _shortest(value) + suffix, True


PYTHON = PythonDialect()
NOTATION = PythonDialect("", ("(", ")"))
"""For people, in reports: `dst(x, y) = u8(i32(src(x, y)) / 2)`."""
CPP = CppDialect()
PREFIX_SYMBOLS: dict[type[Expr], str] = {BitNot: "~"}
