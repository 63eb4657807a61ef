"""Patterns of sums of products: pairs of 16-bit words, groups of four bytes."""

from __future__ import annotations

from ... import ir
from ...ir import I8, I16, U8, U64, Broadcast, Call, Cast, Const, Expr, Type, reduce_lanes
from ..target import Target
from .matching import constant_of, narrowed

_SUMS = (ir.I32, ir.U32)


def product_of(e: Expr, operands: tuple[Type, Type]) -> tuple[Expr, Expr] | None:
    """(a, b) of the two types where `e` is the exact product of a and b in 32 bits.

    The product may be made in 16 bits and widened, as bytes are multiplied.
    """
    if e.type.element not in _SUMS:
        return None
    if e.type.is_uint:
        # Modulo 2**32 a sum of unsigned products is that of the signed ones.
        signed = _signed(e)
        return None if signed is None else product_of(signed, operands)
    inner = e
    if isinstance(e, Cast) and isinstance(e.value, ir.Mul):
        half = e.value.type.element
        if half not in (I16, ir.U16):
            return None
        inner = e.value
        # A product in 16 bits is exact only for bytes, of which at most one is signed.
        a, b = (_byte(side) for side in (inner.a, inner.b))
        if a is None or b is None:
            return None
        low, high = _product_range(a.type.element, b.type.element)
        if not (half.contains(low) and half.contains(high)):
            return None
        sides = [(a, b)]
    elif isinstance(e, ir.Mul):
        sides = [(e.a, e.b)]
    else:
        return None
    if isinstance(inner, ir.Mul) and all(constant_of(x) is not None for x in (inner.a, inner.b)):
        return None
    for a, b in sides:
        for left, right in ((a, b), (b, a)):
            x, y = _of(left, operands[0]), _of(right, operands[1])
            if x is not None and y is not None:
                return x, y
    return None


def _signed(e: Expr) -> Expr | None:
    """The product in 32 unsigned bits as one in signed ones, equal modulo 2**32."""
    type = ir.I32.with_lanes(e.type.lanes)
    if isinstance(e, Cast):
        return Cast(type, e.value)
    if not isinstance(e, ir.Mul):
        return None
    a, b = _as_signed(e.a), _as_signed(e.b)
    return None if a is None or b is None else ir.Mul(a, b)


def _as_signed(e: Expr) -> Expr | None:
    type = ir.I32.with_lanes(e.type.lanes)
    value = constant_of(e)
    if value is not None:
        return ir.const(ir.I32.wrap(value), type)
    if isinstance(e, ir.Broadcast) and isinstance(e.value, Cast):
        return ir.Broadcast(Cast(ir.I32, e.value.value), e.lanes)
    return Cast(type, e.value) if isinstance(e, Cast) else None


def _byte(e: Expr) -> Expr | None:
    for type in (U8, I8):
        found = narrowed(e, type)
        if found is not None:
            return found
    return None


def _product_range(a: Type, b: Type) -> tuple[int, int]:
    products = [x * y for x in (a.min, a.max) for y in (b.min, b.max)]
    return min(products), max(products)


def _of(e: Expr, type: Type) -> Expr | None:
    found = narrowed(e, type)
    if found is not None:
        return found
    # A byte that was widened no further than its own type.
    own = e.type.element
    if own in (U8, I8) and type is I16:
        return Cast(type.with_lanes(e.type.lanes), e)
    return None


def dot_product(e: Expr, target: Target) -> Expr | None:
    """`reduce_add(i32(a) * i32(b))`: what the machine sums in one instruction, then the rest."""
    if not isinstance(e, Call) or e.name != "reduce_add":
        return None
    value = e.args[0]
    group = value.type.lanes // e.type.lanes
    for name, size, operands, result in _instructions(target):
        if group % size or value.type.lanes // size < 4:
            continue
        if result is not None and value.type.element is not result:
            continue
        found = product_of(value, operands)
        if found is None:
            continue
        partial = Call(name, found, value.type.with_lanes(value.type.lanes // size), "intrinsic")
        return reduce_lanes("add", partial, e.type.lanes)
    return None


def byte_sum(e: Expr, target: Target) -> Expr | None:
    """`reduce_add(u64(bytes))` of eight bytes each: distances from zero, which x86 adds at once."""
    if not (isinstance(e, Call) and e.name == "reduce_add" and target.is_x86):
        return None
    value = e.args[0]
    if not isinstance(value, Cast) or value.value.type.element is not U8:
        return None
    if e.type.element is not U64 or value.type.lanes != 8 * e.type.lanes:
        return None
    bits = e.type.lanes * 64
    if not 128 <= bits <= target.natural_vector_bits or bits & (bits - 1):
        return None
    bytes = value.value
    if isinstance(bytes, Call) and bytes.name == "absd":
        return Call("x86_psadbw", bytes.args, e.type, "intrinsic")
    zero = Broadcast(Const(U8, 0), value.type.lanes)
    return Call("x86_psadbw", (bytes, zero), e.type, "intrinsic")


def _instructions(target: Target) -> list[tuple[str, int, tuple[Type, Type], Type | None]]:
    """(name, products in a sum, types of the operands, type of the sum where it matters)."""
    if target.architecture == "aarch64" and target.has("dotprod"):
        mixed = [("aarch64_usdot", 4, (U8, I8), None)] if target.has("i8mm") else []
        return [("aarch64_udot", 4, (U8, U8), None), ("aarch64_sdot", 4, (I8, I8), None), *mixed]
    if target.is_x86:
        bytes4 = [("x86_vpdpbusd", 4, (U8, I8), None)] if target.byte_products else []
        return [*bytes4, ("x86_pmaddwd", 2, (I16, I16), None)]
    return []


def accumulated_dot(e: Expr, target: Target) -> Expr | None:
    """`sum + dot(a, b)` where the instruction adds to a sum."""
    if not isinstance(e, ir.Add):
        return None
    for total, dot in ((e.a, e.b), (e.b, e.a)):
        if not isinstance(dot, Call) or len(dot.args) != 2:
            continue
        adds = dot.name in ("aarch64_udot", "aarch64_sdot", "aarch64_usdot", "x86_vpdpbusd")
        if adds:
            return Call(dot.name, (*dot.args, total), e.type, "intrinsic")
        if dot.name == "x86_pmaddwd" and target.byte_products:
            return Call("x86_vpdpwssd", (*dot.args, total), e.type, "intrinsic")
    return None


def pair_of_products(e: Expr, target: Target) -> Expr | None:
    """`i32(a) * i32(b) + i32(c) * i32(d)` of 16-bit numbers, lane by lane, on x86."""
    if not isinstance(e, ir.Add) or not target.is_x86:
        return None
    first = product_of(e.a, (I16, I16))
    second = product_of(e.b, (I16, I16)) if first is not None else None
    if first is None or second is None or e.type.lanes % 4:
        return None
    a, b = sorted(first, key=lambda x: constant_of(x) is not None)
    c, d = sorted(second, key=lambda x: constant_of(x) is not None)
    constants = constant_of(b) is not None and constant_of(d) is not None
    if not constants and not (a is b and c is d):
        # Four vectors to interleave cost more than two products.
        return None
    return Call("x86_madd_pairs", (a, b, c, d), e.type, "intrinsic")
