"""The machine's instructions that patterns name, on vectors of any length.

A vector is cut into registers from its start; what is left at its end goes into a register with
open lanes. An operand may have twice or four times as many lanes as the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir import Call, Type
from ..addresses import shuffle
from ..builder import FunctionBuilder, Value
from ..lanes import concatenated
from ..llvm_types import element_type, intrinsic_suffix, splat
from ..target import Target

Translation = Callable[[FunctionBuilder, Type, Sequence[Value]], Value]
"""From the function, the type of one register of results, and the operands' registers."""


def instruction(f: FunctionBuilder, node: Call, args: Sequence[Value]) -> Value:
    """The value of a call of one of `INSTRUCTIONS`."""
    translate, type, lanes = INSTRUCTIONS[node.name], node.type, node.type.lanes
    ratios = [arg.type.lanes // lanes for arg in node.args]
    parts, start = [], 0
    for count, room in register_lanes(type, f.module.target):
        cut = [
            _cut(f, arg, start * ratio, count * ratio, room * ratio)
            for arg, ratio in zip(args, ratios, strict=True)
        ]
        made = translate(f, type.with_lanes(room), cut)
        if room > count:
            made = shuffle(f, made, None, list(range(count)))
        parts.append((made, count))
        start += count
    return concatenated(f, parts)


def register_lanes(type: Type, target: Target) -> list[tuple[int, int]]:
    """(lanes used, lanes there) of the registers that hold a vector of `type`."""
    left, found = type.lanes, []
    width = target.natural_vector_bits
    while left:
        room = width // type.bits
        if room <= left or width == 128:
            found.append((min(room, left), room))
            left -= min(room, left)
        else:
            width //= 2
    return found


def _cut(f: FunctionBuilder, value: Value, start: int, count: int, room: int) -> Value:
    whole = int(value.type[1:].split(" ", 1)[0])
    if start == 0 and count == whole == room:
        return value
    order = [start + lane if lane < count else -1 for lane in range(room)]
    return shuffle(f, value, None, order)


def _called(
    f: FunctionBuilder, name: str, result: str, args: Sequence[Value], more: str = ""
) -> Value:
    parameters = ", ".join([*(arg.type for arg in args), *(["i32"] if more else [])])
    callee = f.module.declare(name, result, parameters)
    operands = ", ".join([*map(str, args), *([more] if more else [])])
    return f.emit(result, f"call {result} {callee}({operands})")


def _register(type: Type) -> str:
    return f"<{type.lanes} x {element_type(type)}>"


def _by_width(names: dict[int, str]) -> Translation:
    def translate(f: FunctionBuilder, type: Type, args: Sequence[Value]) -> Value:
        return _called(f, names[type.bits * type.lanes], _register(type), args)

    return translate


def _extreme(which: str) -> Translation:
    """As it is with the operands in this order: `x < y ? x : y`."""

    def translate(f: FunctionBuilder, type: Type, args: Sequence[Value]) -> Value:
        letter, width = "s" if type.bits == 32 else "d", type.bits * type.lanes
        if width == 512:
            # The last operand is the rounding mode: the current one.
            name = f"llvm.x86.avx512.{which}.p{letter}.512"
            return _called(f, name, _register(type), args, "i32 4")
        family = "avx" if width == 256 else "sse" if letter == "s" else "sse2"
        suffix = ".256" if width == 256 else ""
        return _called(f, f"llvm.x86.{family}.{which}.p{letter}{suffix}", _register(type), args)

    return translate


def _zero(type: Type) -> Value:
    return Value(_register(type), "zeroinitializer")


def _dot(prefix: str, suffix: Callable[[Type], str]) -> Translation:
    """Adds to its third operand, or to zero; LLVM's intrinsic has the sum first."""

    def translate(f: FunctionBuilder, type: Type, args: Sequence[Value]) -> Value:
        total = args[2] if len(args) > 2 else _zero(type)
        feature = f.module.target.byte_products
        if feature is not None:
            f.features.add(feature)
        return _called(f, prefix + suffix(type), _register(type), [total, *args[:2]])

    return translate


def _width(type: Type) -> str:
    return str(type.bits * type.lanes)


def _madd_pairs(f: FunctionBuilder, type: Type, args: Sequence[Value]) -> Value:
    a, b, c, d = args
    lanes = type.lanes
    order = [side * lanes + lane for lane in range(lanes) for side in (0, 1)]
    return INSTRUCTIONS["x86_pmaddwd"](f, type, [shuffle(f, a, c, order), shuffle(f, b, d, order)])


def _rounding_shift(f: FunctionBuilder, type: Type, args: Sequence[Value]) -> Value:
    name = f"llvm.aarch64.neon.{'s' if type.is_int else 'u'}rshl.{intrinsic_suffix(type)}"
    element = element_type(type)
    down = f.emit(
        args[1].type, f"sub {args[1].type} {splat(element, '0', type.lanes)}, {args[1].text}"
    )
    return _called(f, name, _register(type), [args[0], down])


def _neon(name: str) -> Translation:
    def translate(f: FunctionBuilder, type: Type, args: Sequence[Value]) -> Value:
        return _called(
            f, f"llvm.aarch64.neon.{name}.{intrinsic_suffix(type)}", _register(type), args
        )

    return translate


_PMADDWD = {
    128: "llvm.x86.sse2.pmadd.wd",
    256: "llvm.x86.avx2.pmadd.wd",
    512: "llvm.x86.avx512.pmaddw.d.512",
}
_PMULHRSW = {
    128: "llvm.x86.ssse3.pmul.hr.sw.128",
    256: "llvm.x86.avx2.pmul.hr.sw",
    512: "llvm.x86.avx512.pmul.hr.sw.512",
}

_PSADBW = {
    128: "llvm.x86.sse2.psad.bw",
    256: "llvm.x86.avx2.psad.bw",
    512: "llvm.x86.avx512.psad.bw.512",
}

INSTRUCTIONS: dict[str, Translation] = {
    "x86_pmaddwd": _by_width(_PMADDWD),
    "x86_pmulhrsw": _by_width(_PMULHRSW),
    "x86_psadbw": _by_width(_PSADBW),
    "x86_madd_pairs": _madd_pairs,
    "x86_vpdpbusd": _dot("llvm.x86.avx512.vpdpbusd.", _width),
    "x86_vpdpwssd": _dot("llvm.x86.avx512.vpdpwssd.", _width),
    "x86_min": _extreme("min"),
    "x86_max": _extreme("max"),
    "aarch64_udot": _dot("llvm.aarch64.neon.udot.v4i32.v16i8", lambda _: ""),
    "aarch64_sdot": _dot("llvm.aarch64.neon.sdot.v4i32.v16i8", lambda _: ""),
    "aarch64_usdot": _dot("llvm.aarch64.neon.usdot.v4i32.v16i8", lambda _: ""),
    "aarch64_sqrdmulh": _neon("sqrdmulh"),
    "aarch64_fmin": _neon("fmin"),
    "aarch64_fmax": _neon("fmax"),
    "aarch64_rounding_shift": _rounding_shift,
    **{
        f"aarch64_{sign}{name}": _neon(sign + name)
        for sign in "su"
        for name in ("hadd", "rhadd", "hsub")
    },
}
"""What each name in a selected expression is, on one register."""
