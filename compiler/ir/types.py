"""Scalar and vector types of the expression language (DESIGN section 2).

A `Type` is interned: two equal types are the same object, so `is` compares them.

The compiler's rooms read a type's properties (`t.bits`), programs in Halide's dialect call them
(`t.bits()`): both work, because each property is a number (or a text) that may be called.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, ClassVar, Final

_CODES: Final = ("int", "uint", "float", "bfloat")


class TypeCode(enum.Enum):
    """What Halide's programs call the code of a type; a bfloat counts as `Float` there."""

    Int = 0
    UInt = 1
    Float = 2
    Handle = 3


class _Number(int):
    """An integer property of a type: `t.bits` and `t.bits()` are the same number."""

    def __call__(self) -> int:
        return int(self)


class _Answer(int):
    """A yes or no about a type, true or false with and without being called."""

    def __call__(self) -> bool:
        return bool(self)


class _Code(str):
    """The code of a type, a text; called, it is Halide's `TypeCode`."""

    __slots__ = ()

    def __call__(self) -> TypeCode:
        return _TYPE_CODES[str(self)]


class _Limit(int):
    """The smallest or largest value of an integer type; called, what the language says for it."""

    type: Type

    def __call__(self) -> Any:
        return Type.limit_in_language(self.type, int(self))


_TYPE_CODES: Final = {
    "int": TypeCode.Int,
    "uint": TypeCode.UInt,
    "float": TypeCode.Float,
    "bfloat": TypeCode.Float,
}
_YES: Final = _Answer(1)
_NO: Final = _Answer(0)


class Type:
    """A number format and a lane count.

    `code` is one of `int`, `uint`, `float`, `bfloat`; `bits` is the width of one lane and
    `lanes` is 1 for a scalar. `uint1` is the boolean type.
    """

    __slots__ = (
        "bits", "bytes", "code", "is_bfloat", "is_bool", "is_float", "is_int", "is_integer",
        "is_scalar", "is_uint", "is_vector", "lanes", "max", "min",
    )  # fmt: skip
    _interned: ClassVar[dict[tuple[str, int, int], Type]] = {}
    limit_in_language: ClassVar[Callable[[Type, int], Any]] = staticmethod(
        lambda type, value: value
    )
    """What `t.min()` and `t.max()` give; the language above puts its own `Expr` here."""

    code: str
    bits: int
    lanes: int
    bytes: int
    """Bytes that one lane takes in memory; a boolean takes one."""
    is_bool: bool
    is_int: bool
    """Signed integer."""
    is_uint: bool
    """Unsigned integer, the boolean included."""
    is_integer: bool
    """Signed or unsigned integer."""
    is_float: bool
    """bfloat16 included."""
    is_bfloat: bool
    is_scalar: bool
    is_vector: bool
    min: int
    """The smallest value of an integer type."""
    max: int
    """The largest value of an integer type."""

    def __new__(cls, code: str | TypeCode, bits: int, lanes: int = 1) -> Type:
        found = cls._interned.get((code, bits, lanes))  # type: ignore[arg-type]
        if found is not None:
            return found
        if isinstance(code, TypeCode):
            return Type(code.name.lower(), bits, lanes)
        if code not in _CODES or bits < 1 or lanes < 1:
            raise ValueError(f"no such type: {code}{bits}x{lanes}")
        made = super().__new__(cls)
        made.code, made.bits, made.lanes = _Code(code), _Number(bits), _Number(lanes)
        made.bytes = _Number((bits + 7) // 8)
        signed = code == "int"
        made.is_int, made.is_uint = _answer(signed), _answer(code == "uint")
        made.is_integer = _answer(code in ("int", "uint"))
        made.is_bool = _answer(code == "uint" and bits == 1)
        made.is_float, made.is_bfloat = _answer(not made.is_integer), _answer(code == "bfloat")
        made.is_scalar, made.is_vector = _answer(lanes == 1), _answer(lanes > 1)
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
        made.min, made.max = _Limit(low), _Limit(high)
        made.min.type = made.max.type = made
        cls._interned[(code, bits, lanes)] = made
        return made

    def __reduce__(self) -> tuple[type[Type], tuple[str, int, int]]:
        return Type, (self.code, self.bits, self.lanes)

    def __repr__(self) -> str:
        name = "bool" if self.is_bool else f"{self.code}{self.bits}"
        return name if self.lanes == 1 else f"{name}x{self.lanes}"

    @property
    def element(self) -> Type:
        """The scalar type of one lane."""
        return self if self.lanes == 1 else Type(self.code, self.bits)

    def with_lanes(self, lanes: int) -> Type:
        return Type(self.code, self.bits, lanes)

    def with_bits(self, bits: int) -> Type:
        return Type(self.code, bits, self.lanes)

    def with_code(self, code: str | TypeCode) -> Type:
        return Type(code, self.bits, self.lanes)

    def element_of(self) -> Type:
        """The scalar type of one lane."""
        return self.element

    def is_handle(self) -> bool:
        """Whether values are addresses; this compiler's values never are."""
        return False

    def same_handle_type(self, other: Type) -> bool:
        """Whether both are addresses of the same thing, or neither is an address."""
        return True

    def is_max(self, value: int) -> bool:
        return not self.is_float and value == self.max

    def is_min(self, value: int) -> bool:
        return not self.is_float and value == self.min

    def can_represent(self, other: Type | float) -> bool:
        """Whether every value of the type `other` (or that number) is a value of this type."""
        if not isinstance(other, Type):
            return self.contains(int(other)) if self.is_integer else True
        if self is other:
            return True
        if other.lanes != self.lanes:
            return False
        if self.is_integer:
            return bool(other.is_integer) and self.min <= other.min and other.max <= self.max
        if other.is_integer:
            # Halide's rule: a size below the significand's, so 8 and 16 in 32, 32 in 64.
            return 2 * other.bits <= self.bits and self.bits >= 32
        return other.bits < self.bits

    def wrap(self, value: int) -> int:
        """`value` modulo 2**bits, in the range of this integer type."""
        value &= (1 << self.bits) - 1
        if self.is_int and value >> (self.bits - 1):
            value -= 1 << self.bits
        return value

    def contains(self, value: int) -> bool:
        return self.min <= value <= self.max

    def contains_all(self, other: Type) -> bool:
        """Whether both are integer types and every number of `other` is one of this type; how many
        lanes they have plays no part."""
        integers = self.is_integer and other.is_integer
        return bool(integers) and self.min <= other.min and other.max <= self.max


def _answer(holds: object) -> Any:
    return _YES if holds else _NO


def Int(bits: int, lanes: int = 1) -> Type:
    return Type("int", bits, lanes)


def UInt(bits: int, lanes: int = 1) -> Type:
    return Type("uint", bits, lanes)


def Float(bits: int, lanes: int = 1) -> Type:
    return Type("float", bits, lanes)


def BFloat(bits: int, lanes: int = 1) -> Type:
    return Type("bfloat", bits, lanes)


def Bool(lanes: int = 1) -> Type:
    return Type("uint", 1, lanes)


BOOL: Final = Bool()
U8: Final = UInt(8)
U16: Final = UInt(16)
U32: Final = UInt(32)
U64: Final = UInt(64)
I8: Final = Int(8)
I16: Final = Int(16)
I32: Final = Int(32)
I64: Final = Int(64)
F32: Final = Float(32)
F64: Final = Float(64)
