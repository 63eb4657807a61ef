"""Scalar and vector types of the expression language (DESIGN section 2).

A `Type` is interned: two equal types are the same object, so `is` compares them.
"""

from __future__ import annotations

from typing import ClassVar, Final

_CODES: Final = ("int", "uint", "float", "bfloat")


class Type:
    """A number format and a lane count.

    `code` is one of `int`, `uint`, `float`, `bfloat`; `bits` is the width of one lane and
    `lanes` is 1 for a scalar. `uint1` is the boolean type.
    """

    __slots__ = ("bits", "code", "lanes")
    _interned: ClassVar[dict[tuple[str, int, int], Type]] = {}

    code: str
    bits: int
    lanes: int

    def __new__(cls, code: str, bits: int, lanes: int = 1) -> Type:
        key = (code, bits, lanes)
        found = cls._interned.get(key)
        if found is not None:
            return found
        if code not in _CODES or bits < 1 or lanes < 1:
            raise ValueError(f"no such type: {code}{bits}x{lanes}")
        made = super().__new__(cls)
        made.code, made.bits, made.lanes = code, bits, lanes
        cls._interned[key] = made
        return made

    def __reduce__(self) -> tuple[type[Type], tuple[str, int, int]]:
        return Type, (self.code, self.bits, self.lanes)

    def __repr__(self) -> str:
        name = "bool" if self.is_bool else f"{self.code}{self.bits}"
        return name if self.lanes == 1 else f"{name}x{self.lanes}"

    @property
    def is_bool(self) -> bool:
        return self.code == "uint" and self.bits == 1

    @property
    def is_int(self) -> bool:
        """Signed integer."""
        return self.code == "int"

    @property
    def is_uint(self) -> bool:
        """Unsigned integer, the boolean included."""
        return self.code == "uint"

    @property
    def is_integer(self) -> bool:
        """Signed or unsigned integer."""
        return self.code in ("int", "uint")

    @property
    def is_float(self) -> bool:
        return self.code in ("float", "bfloat")

    @property
    def element(self) -> Type:
        """The scalar type of one lane."""
        return self if self.lanes == 1 else Type(self.code, self.bits)

    def with_lanes(self, lanes: int) -> Type:
        return Type(self.code, self.bits, lanes)

    @property
    def bytes(self) -> int:
        """Bytes that one lane takes in memory; a boolean takes one."""
        return (self.bits + 7) // 8

    @property
    def min(self) -> int:
        """The smallest value of an integer type."""
        return -(1 << (self.bits - 1)) if self.is_int else 0

    @property
    def max(self) -> int:
        """The largest value of an integer type."""
        return (1 << (self.bits - 1)) - 1 if self.is_int else (1 << self.bits) - 1

    def wrap(self, value: int) -> int:
        """`value` modulo 2**bits, in the range of this integer type."""
        value &= (1 << self.bits) - 1
        if self.is_int and value >> (self.bits - 1):
            value -= 1 << self.bits
        return value

    def contains(self, value: int) -> bool:
        return self.min <= value <= self.max


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
