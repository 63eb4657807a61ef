"""`Cast`: conversion between number formats, as C++ has it where C++ defines it."""

from __future__ import annotations

from ..ir import F32, I32, Bool, Type
from .builder import FunctionBuilder, Value
from .llvm_types import register_type, splat


def convert(f: FunctionBuilder, value: Value, source: Type, target: Type) -> Value:
    """`value` of type `source` as a value of type `target` with as many lanes.

    A float out of an integer's range gives some value, on narrow integers the low bits of the
    32-bit one as compilers for x86 have it. bfloat16 rounds by way of float32.
    """
    if source is target:
        return value
    if source.code == "bfloat":
        single = bfloat_to_float(f, value, source)
        return convert(f, single, F32.with_lanes(source.lanes), target)
    if target.code == "bfloat":
        single = convert(f, value, source, F32.with_lanes(source.lanes))
        return float_to_bfloat(f, single, target)
    to = register_type(target)
    if target.is_bool:
        return _differs_from_zero(f, value, source)
    if source.is_integer and target.is_integer:
        if target.bits == source.bits:
            return Value(to, value.text)
        op = "trunc" if target.bits < source.bits else "sext" if source.is_int else "zext"
        return f.emit(to, f"{op} {value} to {to}")
    if source.is_integer:
        return f.emit(to, f"{'sitofp' if source.is_int else 'uitofp'} {value} to {to}")
    if target.is_integer:
        return _to_integer(f, value, source, target)
    return f.emit(to, f"{'fptrunc' if target.bits < source.bits else 'fpext'} {value} to {to}")


def _differs_from_zero(f: FunctionBuilder, value: Value, source: Type) -> Value:
    to = register_type(Bool(source.lanes))
    compare = "icmp ne" if source.is_integer else "fcmp une"
    return f.emit(to, f"{compare} {value}, zeroinitializer" if source.lanes > 1 else
                  f"{compare} {value}, {'0' if source.is_integer else '0.0'}")  # fmt: skip


def _to_integer(f: FunctionBuilder, value: Value, source: Type, target: Type) -> Value:
    if target.bits < 32:
        wide = _to_integer(f, value, source, I32.with_lanes(target.lanes))
        return f.emit(register_type(target), f"trunc {wide} to {register_type(target)}")
    to = register_type(target)
    # Frozen, because an out-of-range value must not make other code undefined.
    raw = f.emit(to, f"{'fptosi' if target.is_int else 'fptoui'} {value} to {to}")
    return f.emit(to, f"freeze {raw}")


def bfloat_to_float(f: FunctionBuilder, value: Value, source: Type) -> Value:
    """The float32 with the same value: the bits, then sixteen zero bits."""
    integers, floats = (
        register_type(I32.with_lanes(source.lanes)),
        register_type(F32.with_lanes(source.lanes)),
    )
    wide = f.emit(integers, f"zext {value} to {integers}")
    shifted = f.emit(integers, f"shl {wide}, {splat('i32', '16', source.lanes)}")
    return f.emit(floats, f"bitcast {shifted} to {floats}")


def float_to_bfloat(f: FunctionBuilder, value: Value, target: Type) -> Value:
    """Rounded to nearest even; a NaN stays one."""
    lanes = target.lanes
    integers, result = register_type(I32.with_lanes(lanes)), register_type(target)
    bits = f.emit(integers, f"bitcast {value} to {integers}")

    def op(name: str, a: Value, constant: int) -> Value:
        return f.emit(integers, f"{name} {a}, {splat('i32', str(constant), lanes)}")

    odd = op("and", op("lshr", bits, 16), 1)
    rounded = f.emit(integers, f"add {op('add', bits, 0x7FFF)}, {odd.text}")
    nan = f.emit(register_type(Bool(lanes)), f"fcmp uno {value}, {value.text}")
    quiet = op("or", bits, 0x400000)
    chosen = f.emit(integers, f"select {nan}, {quiet}, {rounded}")
    return f.emit(result, f"trunc {op('lshr', chosen, 16)} to {result}")


def same_bits(f: FunctionBuilder, value: Value, target: Type) -> Value:
    """The bits of `value` as a value of `target`, which has as many."""
    to = register_type(target)
    return Value(to, value.text) if to == value.type else f.emit(to, f"bitcast {value} to {to}")
