"""Scalar and vector types of the expression language (docs/design.md, "One expression language").

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

    __slots__ = (
        "bits", "bytes", "code", "is_bfloat", "is_bool", "is_float", "is_int", "is_integer",
        "is_scalar", "is_uint", "is_vector", "lanes", "max", "min",
    )  # fmt: skip
    _interned: ClassVar[dict[tuple[str, int, int], Type]] = {}

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

    def __new__(cls, code: str, bits: int, lanes: int = 1) -> Type:
        found = cls._interned.get((code, bits, lanes))
        if found is not None:
            return found
        if code not in _CODES or bits < 1 or lanes < 1:
            raise ValueError(f"no such type: {code}{bits}x{lanes}")
        made = super().__new__(cls)
        made.code, made.bits, made.lanes = code, bits, lanes
        made.bytes = (bits + 7) // 8
        signed = code == "int"
        made.is_int, made.is_uint = signed, code == "uint"
        made.is_integer = code in ("int", "uint")
        made.is_bool = code == "uint" and bits == 1
        made.is_float, made.is_bfloat = not made.is_integer, code == "bfloat"
        made.is_scalar, made.is_vector = lanes == 1, lanes > 1
        made.min = -(1 << (bits - 1)) if signed else 0
        made.max = (1 << (bits - 1 if signed else bits)) - 1
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

    def can_represent(self, other: Type) -> bool:
        """Whether every value of the type `other` is a value of this type."""
        if self is other:
            return True
        if other.lanes != self.lanes:
            return False
        if self.is_integer:
            return other.is_integer and self.min <= other.min and other.max <= self.max
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
F16: Final = Float(16)
F32: Final = Float(32)
F64: Final = Float(64)
