"""How the expression language's types and constants are written in LLVM's language.

In registers a boolean is `i1` and a bfloat16 is its bit pattern, `i16`; in memory a boolean is a
byte that is 0 or 1.
"""

from __future__ import annotations

import struct

from ..ir import Const, Type
from .errors import CodegenError

_FLOATS = {16: "half", 32: "float", 64: "double"}


def _with_lanes(element: str, lanes: int) -> str:
    return element if lanes == 1 else f"<{lanes} x {element}>"


def element_type(type: Type) -> str:
    """LLVM's name of one lane in a register."""
    if type.code == "float":
        if type.bits not in _FLOATS:
            raise CodegenError(f"no machine type for {type}")
        return _FLOATS[type.bits]
    return f"i{type.bits}"


def register_type(type: Type) -> str:
    """LLVM's name of a value of `type` in a register."""
    return _with_lanes(element_type(type), type.lanes)


def memory_type(type: Type) -> str:
    """LLVM's name of a value of `type` in memory."""
    return _with_lanes("i8", type.lanes) if type.is_bool else register_type(type)


def constant(value: Const) -> str:
    """The constant in LLVM's notation."""
    type = value.type
    if type.is_bool:
        return "true" if value.value else "false"
    if type.is_integer:
        return str(value.value)
    return float_constant(float(value.value), type)


def float_constant(value: float, type: Type) -> str:
    """A float in LLVM's notation: bits, so that nothing is rounded on the way."""
    if type.code == "bfloat":
        return str(bfloat_bits(value))
    if type.bits == 16:
        return "0xH" + struct.pack(">e", value).hex().upper()
    return "0x" + struct.pack(">d", value).hex().upper()


def bfloat_bits(value: float) -> int:
    """The bit pattern of `value` as bfloat16, rounded to nearest even from its float32 value."""
    if value != value:
        return 0x7FC0
    try:
        bits = int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        bits = 0x7F800000 if value > 0 else 0xFF800000
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) & 0xFFFF


def splat(element: str, value: str, lanes: int) -> str:
    """The constant vector of `lanes` times `value`."""
    return value if lanes == 1 else "<" + ", ".join([f"{element} {value}"] * lanes) + ">"


def intrinsic_suffix(type: Type) -> str:
    """The type's part in an overloaded intrinsic's name: `v64i16`, `f32`."""
    base = f"f{type.bits}" if type.is_float else f"i{type.bits}"
    return base if type.lanes == 1 else f"v{type.lanes}{base}"
