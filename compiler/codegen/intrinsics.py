"""LLVM translations of the functions in `compiler/ir/intrinsics.py`, one for each name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import ir
from ..ir import F32, F64, Bool, Type
from .builder import FunctionBuilder, Value
from .conversions import convert
from .llvm_types import element_type, intrinsic_suffix, register_type
from .operators import call_intrinsic

Translation = Callable[[FunctionBuilder, Type, Sequence[Value]], Value]
"""From the function, the operands' type and the operands; the result is in a register."""


def _abs(f: FunctionBuilder, type: Type, args: Sequence[Value]) -> Value:
    if type.is_uint:
        return args[0]
    if type.is_int:
        return call_intrinsic(f, "abs", type, args[0], extra="i1 false")
    return call_intrinsic(f, "fabs", type, args[0])


def _absd(f: FunctionBuilder, type: Type, args: Sequence[Value]) -> Value:
    a, b = args
    if type.is_float:
        return call_intrinsic(f, "fabs", type, f.emit(a.type, f"fsub {a}, {b.text}"))
    sign = "s" if type.is_int else "u"
    larger = call_intrinsic(f, sign + "max", type, a, b)
    smaller = call_intrinsic(f, sign + "min", type, a, b)
    return f.emit(a.type, f"sub {larger}, {smaller.text}")


def _saturating(name: str) -> Translation:
    def translate(f: FunctionBuilder, type: Type, args: Sequence[Value]) -> Value:
        if type.is_float:
            return f.emit(args[0].type, f"f{name} {args[0]}, {args[1].text}")
        return call_intrinsic(f, f"{'s' if type.is_int else 'u'}{name}.sat", type, *args)

    return translate


def _llvm(name: str) -> Translation:
    return lambda f, type, args: call_intrinsic(f, name, type, *args)


def _c_library(name: str) -> Translation:
    """The C library's function, called on each lane; half precision goes by way of float32."""

    def translate(f: FunctionBuilder, type: Type, args: Sequence[Value]) -> Value:
        scalar = F64 if type.bits == 64 else F32
        wide = type if type.bits >= 32 else F32.with_lanes(type.lanes)
        args = [convert(f, arg, type, wide) for arg in args]
        register = element_type(scalar)
        callee = f.module.declare(
            name if scalar is F64 else name + "f",
            register,
            ", ".join([register] * len(args)),
            # `nobuiltin`: what LLVM knows to be nearly the same (pow(2, x) and exp2(x), pow(x, 0.5)
            # and sqrt(x)) has other last bits.
            "nobuiltin nounwind willreturn memory(none)",
        )
        if type.lanes == 1:
            return convert(f, f.call(register, callee, args), wide, type)
        result = Value(register_type(wide), "poison")
        for lane in range(type.lanes):
            lanes = [f.emit(register, f"extractelement {arg}, i32 {lane}") for arg in args]
            one = f.call(register, callee, lanes)
            result = f.emit(result.type, f"insertelement {result}, {one}, i32 {lane}")
        return convert(f, result, wide, type)

    return translate


def _counted(name: str, literal: str = "") -> Translation:
    return lambda f, type, args: call_intrinsic(f, name, type, args[0], extra=literal)


def _class_of(mask: int) -> Translation:
    """Whether a float is of one of the classes in LLVM's `mask`."""

    def translate(f: FunctionBuilder, type: Type, args: Sequence[Value]) -> Value:
        result = register_type(Bool(type.lanes))
        parameters = f"{register_type(type)}, i32"
        callee = f.module.declare(f"llvm.is.fpclass.{intrinsic_suffix(type)}", result, parameters)
        return f.emit(result, f"call {result} {callee}({args[0]}, i32 {mask})")

    return translate


TRANSLATIONS: dict[str, Translation] = {
    "abs": _abs,
    "absd": _absd,
    "saturating_add": _saturating("add"),
    "saturating_sub": _saturating("sub"),
    "sqrt": _llvm("sqrt"),
    "fma": _llvm("fma"),
    "floor": _llvm("floor"),
    "ceil": _llvm("ceil"),
    "trunc": _llvm("trunc"),
    "round": _llvm("roundeven"),
    "popcount": _counted("ctpop"),
    "count_leading_zeros": _counted("ctlz", "i1 false"),
    "count_trailing_zeros": _counted("cttz", "i1 false"),
    "is_nan": _class_of(0x003),
    "is_inf": _class_of(0x204),
    "is_finite": _class_of(0x1F8),
    **{name: _c_library(name) for name in ir.C_FUNCTIONS},
}


def mask_type(lanes: int) -> str:
    """LLVM's name of a mask with a bit a lane."""
    return register_type(Bool(lanes))
