"""Minimum and maximum of float32 and float64 as the machines have them.

`minps(x, y)` is `x < y ? x : y`, so that `Min(a, b)`, `b < a ? b : a`, is `minps(b, a)` to the bit,
NaNs and zeros of both signs included. Compare and select mean the same, but LLVM finds the one
instruction only while no other rule has rewritten the comparison.

AArch64's `fmin` and `fmax` give NaN when either side is one, so that they serve where that has no
meaning anyway: below a conversion to an integer.
"""

from __future__ import annotations

from ... import ir
from ...ir import F32, F64, Call, Expr
from ..target import Target


def clamped_float(e: Expr, target: Target) -> Expr | None:
    """`u8(max(min(x, 255.0), 0.0))` on AArch64: only a NaN of `x` itself reaches the conversion."""
    if not isinstance(e, ir.Cast) or not e.type.is_integer or target.architecture != "aarch64":
        return None
    inside = _clamped(e.value)
    return None if inside is e.value else ir.Cast(e.type, inside)


def _clamped(e: Expr) -> Expr:
    if not isinstance(e, ir.Min | ir.Max) or e.type.element not in (F32, F64):
        return e
    limit = e.b.value if isinstance(e.b, ir.Broadcast) else e.b
    if not isinstance(limit, ir.Const) or limit.value != limit.value:
        return e
    name = "aarch64_fmin" if isinstance(e, ir.Min) else "aarch64_fmax"
    return Call(name, (_clamped(e.a), e.b), e.type, "intrinsic")


def float_extreme(e: Expr, target: Target) -> Expr | None:
    """`min(a, b)` and `max(a, b)` of whole registers."""
    if not isinstance(e, ir.Min | ir.Max) or not target.is_x86:
        return None
    if e.type.element not in (F32, F64) or e.type.lanes * e.type.bits % 128:
        return None
    name = "x86_min" if isinstance(e, ir.Min) else "x86_max"
    return Call(name, (e.b, e.a), e.type, "intrinsic")
