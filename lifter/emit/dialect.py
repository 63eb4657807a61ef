"""How the DSL is spelled: in Python and in C++."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from compiler.ir import (  # fmt: skip
    COMPARISONS,
    OPERATORS,
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
)

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

    def function(self, name: str) -> str:
        """What a function that the program defines is called."""
        return name

    def cast(self, type: Type, text: str) -> str:
        raise NotImplementedError

    def same_bits(self, type: Type, text: str) -> str:
        """The bits of a value as one of another type."""
        raise NotImplementedError

    def undefined(self, type: Type) -> str:
        """A value that nobody cares about."""
        raise NotImplementedError

    def constant(self, value: Const) -> str:
        """A constant that carries its own type."""
        return self.cast(value.type, self.number(value)[0])

    def type(self, type: Type) -> str:
        """The type as a value of the language, e.g. `hl.UInt(8)`."""
        raise NotImplementedError

    def several(self, values: Sequence[str]) -> str:
        """Several values as one."""
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


_PYTHON: dict[type[Expr], int] = {
    kind: strength
    for strength, kinds in enumerate(
        (
            COMPARISONS, (BitOr, Or), (BitXor,), (BitAnd, And), (Shl, Shr), (Add, Sub),
            (Mul, Div, Mod),
        ),
        1,
    )
    for kind in kinds
}  # fmt: skip
"""How tightly Python binds what the DSL has as infix operators; they are C++'s but for the logical
ones, which Python doesn't let a library define."""
_PYTHON_SYMBOLS: dict[type[Expr], str] = {And: "&", Or: "|"}


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
    """`from lifter import hl`: our compiler or the Halide package."""

    def __init__(self, prefix: str = "hl.", brackets: tuple[str, str] = ("[", "]")) -> None:
        infix = {k: (_PYTHON_SYMBOLS.get(k, OPERATORS[k].symbol), s) for k, s in _PYTHON.items()}
        super().__init__(prefix, brackets, infix, unary=8, shifts_back=prefix != "")

    def cast(self, type: Type, text: str) -> str:
        if type.is_bool or (type.bits == 16 and type.is_float):
            return f"{self.prefix}cast({self.type(type)}, {text})"
        return f"{self.prefix}{'f' if type.is_float else type.code[0]}{type.bits}({text})"

    def same_bits(self, type: Type, text: str) -> str:
        return f"{self.prefix}reinterpret({self.type(type)}, {text})"

    def undefined(self, type: Type) -> str:
        return f"{self.prefix}undef({self.type(type)})"

    def type(self, type: Type) -> str:
        if type.is_bool:
            return f"{self.prefix}Bool()"
        name = {"int": "Int", "uint": "UInt", "float": "Float", "bfloat": "BFloat"}[type.code]
        return f"{self.prefix}{name}({type.bits})"

    def several(self, values: Sequence[str]) -> str:
        return f"{self.prefix}Tuple([{', '.join(values)}])"

    def negation(self, text: str) -> str:
        return f"{self.prefix}logical_not({text})"

    def number(self, value: Const) -> tuple[str, bool]:
        if not value.type.is_float:
            return str(value.value), value.value in INT32
        if not math.isfinite(value.value):
            return f'float("{value.value}")', False
        text = _shortest(value)
        return text, _exact_in_single(value.value) and float(text) == value.value


_WORDS = """
    abs absd acos acosh asin asinh atan atan2 atanh cast ceil clamp cos cosh
    count_leading_zeros count_trailing_zeros div_round_to_zero erf evaluate exp extract_bits
    fast_cos fast_exp fast_inverse fast_inverse_sqrt fast_log fast_pow fast_sin floor fract
    gather halving_add halving_sub hypot is_finite is_inf is_nan lambda lerp likely log max
    maximum min minimum mod_round_to_zero mul_shift_right mux popcount pow print print_when
    product random_float random_int random_uint reinterpret require iteration rounding_halving_add
    rounding_mul_shift_right rounding_shift_left rounding_shift_right saturating_add
    saturating_cast saturating_sub scatter select sin sinh sqrt strict_float sum tan tanh target
    trunc undef widen_right_add widen_right_mul widen_right_sub widening_add widening_mul
    widening_shift_left widening_shift_right widening_sub
    build configure context generate get_target natural_vector_size schedule using_autoscheduler
"""
_OF_HALIDE = frozenset(_WORDS.split())
"""Functions of Halide's that a generator sees without a prefix, its own class's among them."""


class CppDialect(Dialect):
    """A Halide C++ generator."""

    def __init__(self) -> None:
        rows = [OPERATORS[k] for k in _PYTHON]
        infix = {row.kind: (row.symbol, row.strength) for row in rows}
        super().__init__("", ("(", ")"), infix, unary=OPERATORS[BitNot].strength)

    def function(self, name: str) -> str:
        return f"{name}_" if name in _OF_HALIDE else name

    def cast(self, type: Type, text: str) -> str:
        return f"cast<{self.type(type)}>({text})"

    def same_bits(self, type: Type, text: str) -> str:
        return f"reinterpret<{self.type(type)}>({text})"

    def undefined(self, type: Type) -> str:
        return f"undef<{self.type(type)}>()"

    def type(self, type: Type) -> str:
        if type.is_bool:
            return "bool"
        if type.is_float:
            return {16: "float16_t", 32: "float", 64: "double"}[type.bits]
        return f"{type.code}{type.bits}_t"

    def several(self, values: Sequence[str]) -> str:
        return f"Tuple({', '.join(values)})"

    def negation(self, text: str) -> str:
        return f"!{text}"

    def constant(self, value: Const) -> str:
        plain, _ = self.number(value)
        is_own = value.type.bits > 16 if value.type.is_float else value.value not in INT32
        return f"Expr({plain})" if is_own else self.cast(value.type, plain)

    def number(self, value: Const) -> tuple[str, bool]:
        """As an `Expr` is made of it: it has no operators with a double or a 64-bit integer."""
        type = value.type
        if not type.is_float:
            return _integer(int(value.value), type), value.value in INT32
        suffix, kind = ("", "double") if type.bits == 64 else ("f", "float")
        if math.isfinite(value.value):
            return _shortest(value) + suffix, type.bits == 32
        name = "quiet_NaN" if math.isnan(value.value) else "infinity"
        sign = "-" if value.value < 0 else ""
        return f"{sign}std::numeric_limits<{kind}>::{name}()", type.bits == 32


def _integer(value: int, type: Type) -> str:
    """A number of a type that an `Expr` can be made of on every system."""
    if value in INT32:
        return str(value)
    if type.bits == 32:
        return f"{value}u"
    if value == -(2**63):
        return "INT64_MIN"
    return f"int64_t({value})" if type.is_int else f"uint64_t({value}u)"


PYTHON = PythonDialect()
NOTATION = PythonDialect("", ("(", ")"))
"""For people, in reports: `dst(x, y) = u8(i32(src(x, y)) / 2)`."""
CPP = CppDialect()
PREFIX_SYMBOLS = {BitNot: OPERATORS[BitNot].symbol}
