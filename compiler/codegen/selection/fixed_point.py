"""Patterns of fixed-point arithmetic: saturation, rounding shifts, high halves of products."""

from __future__ import annotations

from ... import ir
from ...ir import I16, Call, Cast, Expr, Type, const
from ..target import Target
from .matching import clamped, constant_of, narrowed, with_constant


def saturating_sum(e: Expr, target: Target) -> Expr | None:
    """`u8(min(u16(a) + u16(b), 255))` and `u8(max(i16(a) - i16(b), 0))`, in 8 and 16 bits."""
    type = e.type.element
    if not isinstance(e, Cast) or not type.is_uint or type.bits not in (8, 16):
        return None
    wide = e.value.type
    if not wide.is_integer or wide.bits <= type.bits:
        return None
    found = with_constant(e.value, ir.Min)
    if found is not None and found[1] == type.max and isinstance(found[0], ir.Add):
        # The sum must not wrap: one bit more is enough for it.
        return _both(e, "saturating_add", found[0], type)
    found = with_constant(e.value, ir.Max)
    if found is not None and found[1] == 0 and wide.is_int and isinstance(found[0], ir.Sub):
        return _both(e, "saturating_sub", found[0], type)
    return None


def _both(e: Expr, name: str, operation: ir.Binary, type: Type) -> Expr | None:
    a, b = narrowed(operation.a, type), narrowed(operation.b, type)
    return None if a is None or b is None else Call(name, (a, b), e.type, "intrinsic")


def rounding_shift(e: Expr, target: Target) -> Expr | None:
    """`i16((i32(a) + 8) >> 4)`, the rounding of a number that has no more bits than the result.

    The sum with half a unit needs a bit more than `a` has; a shift by one less, a sum and a shift
    by one do not.
    """
    if not isinstance(e, Cast) or not e.type.is_integer or e.type.is_bool:
        return None
    shifted = with_constant(e.value, ir.Shr)
    if shifted is None or e.value.type.bits <= e.type.bits or not 2 <= shifted[1] < e.type.bits:
        return None
    added = with_constant(shifted[0], ir.Add)
    if added is None or added[1] != 1 << (shifted[1] - 1):
        return None
    a = narrowed(added[0], e.type.element)
    if a is None:
        return None
    if target.architecture == "aarch64":
        return Call("aarch64_rounding_shift", (a, const(shifted[1], a.type)), a.type, "intrinsic")
    one = const(1, a.type)
    return ir.Shr(ir.Add(ir.Shr(a, const(shifted[1] - 1, a.type)), one), one)


_HALVES = {
    "halving_add": "hadd",
    "rounding_halving_add": "rhadd",
    "halving_sub": "hsub",
}


def halves(e: Expr, target: Target) -> Expr | None:
    """Averages, half differences and rounding shifts on AArch64, that LLVM knows by their formulas
    only until it has sorted the sums in which they stand."""
    if not isinstance(e, Call) or target.architecture != "aarch64":
        return None
    type = e.type.element
    if not type.is_integer or type.is_bool or type.bits > 32:
        return None
    if e.name == "rounding_shift_right" and e.args[1].type.bits == type.bits:
        return Call("aarch64_rounding_shift", e.args, e.type, "intrinsic")
    if e.name not in _HALVES:
        return None
    sign = "s" if type.is_int else "u"
    return Call(f"aarch64_{sign}{_HALVES[e.name]}", e.args, e.type, "intrinsic")


def rounded_product(e: Expr, target: Target) -> Expr | None:
    """`i16((i32(a) * i32(b) + 16384) >> 15)` of 16-bit numbers, saturated where the source does."""
    if not isinstance(e, Cast) or e.type.element is not I16:
        return None
    wide = e.value.type
    if not wide.is_int or wide.bits < 32:
        return None
    inside = clamped(e.value, I16.min, I16.max)
    if inside is None:
        # The largest is 32768, alone beyond the range.
        found = with_constant(e.value, ir.Min)
        inside = found[0] if found is not None and found[1] == I16.max else None
    product = _scaled_product(inside if inside is not None else e.value)
    if product is None:
        return None
    if target.architecture == "aarch64":
        return (
            Call("aarch64_sqrdmulh", product, e.type, "intrinsic") if inside is not None else None
        )
    if not target.is_x86:
        return None
    rounded: Expr = Call("x86_pmulhrsw", product, e.type, "intrinsic")
    if inside is None:
        return rounded
    # -1 * -1 is the only product that gives the lowest number; its complement is the highest one.
    lowest = ir.EQ(rounded, const(I16.min, e.type))
    return ir.Select(lowest, const(I16.max, e.type), rounded)


def _scaled_product(e: Expr) -> tuple[Expr, Expr] | None:
    shifted = with_constant(e, ir.Shr)
    if shifted is None or shifted[1] != 15:
        return None
    added = with_constant(shifted[0], ir.Add)
    if added is None or added[1] != 1 << 14 or not isinstance(added[0], ir.Mul):
        return None
    a, b = narrowed(added[0].a, I16), narrowed(added[0].b, I16)
    return None if a is None or b is None else (a, b)


def narrow_saturation(e: Expr, target: Target) -> Expr | None:
    """`u8(clamp(x, 0, 255))` of 32-bit numbers: by way of 16 bits, where there are instructions."""
    if not isinstance(e, Cast) or e.type.element is not ir.U8 or e.value.type.element is not ir.I32:
        return None
    inside = clamped(e.value, 0, 255)
    if inside is None or constant_of(inside) is not None or target.architecture != "aarch64":
        return None
    half = ir.I16.with_lanes(e.type.lanes)
    wide = inside.type
    low = ir.Max(ir.Min(inside, const(I16.max, wide)), const(I16.min, wide))
    narrow = Cast(half, low)
    return Cast(e.type, ir.Max(ir.Min(narrow, const(255, half)), const(0, half)))
