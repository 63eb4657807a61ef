"""Values that repeat with a period in the lanes: `x / 2` and `x % 3` of a ramp x.

    (b + p*m + i) / k == (b + i) / k + m        where p lanes make one step of the quotient

so that every p-th lane, from lane i on, is a ramp: what upsampling reads is p rows, interleaved.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import (
    Add,
    Broadcast,
    Cast,
    Const,
    Expr,
    Mul,
    Ramp,
    Sub,
    Type,
    concat_lanes,
    const,
    shuffle_lanes,
    simplify,
)
from ..ir import nodes as n
from .lane_values import Loops, Wide, cast_base

MOST_PHASES = 8


class Phased(Wide):
    """Over one loop: lane p*m + i is `bases[i] + m * step`, for p bases."""

    __slots__ = ("bases", "step")

    def __init__(
        self, type: Type, loops: Loops, sizes: Sequence[int], bases: Sequence[Expr], step: Expr
    ) -> None:
        super().__init__(type, loops, sizes)
        self.bases, self.step = tuple(bases), step

    @property
    def period(self) -> int:
        return len(self.bases)

    def phases(self) -> list[Expr]:
        """The vector (or the scalar, where it doesn't move) of each phase."""
        count = self.lanes // self.period
        still = count == 1 or (isinstance(self.step, Const) and self.step.value == 0)
        return [b if still else Ramp(b, self.step, count) for b in self.bases]

    def _materialized(self) -> Expr:
        count = self.lanes // self.period
        vectors = [Broadcast(v, count) if v.type.lanes < count else v for v in self.phases()]
        return interleaved(vectors)


def interleaved(vectors: Sequence[Expr]) -> Expr:
    """Lane p*m + i is lane m of vector i."""
    joined, count = concat_lanes(*vectors), vectors[0].type.lanes
    order = [i * count + m for m in range(count) for i in range(len(vectors))]
    return shuffle_lanes(joined, order)


def quotient(kind: type[Expr], type: Type, a: Wide, b: Wide) -> Wide | None:
    """`a / b` or `a % b` for an affine a over one loop and a constant b; None where not phased."""
    if kind not in (n.Div, n.Mod) or not b.is_uniform or not isinstance(b.expr, Const):
        return None
    if a.strides is None or a.base is None or len(a.loops) != 1 or not type.is_int:
        return None
    stride, divisor = a.strides[a.loops[0]], int(b.expr.value)
    if not isinstance(stride, Const) or int(stride.value) < 1 or divisor < 2:
        return None
    whole = int(stride.value)
    period = divisor // whole
    if divisor % whole or not 2 <= period <= MOST_PHASES or a.lanes % period:
        return None
    starts = [simplify(Add(a.base, const(whole * i, type))) for i in range(period)]
    bases = [simplify(kind(s, b.expr)) for s in starts]
    step = const(1 if kind is n.Div else 0, type)
    return Phased(type, a.loops, a.sizes, bases, step)


def phased_of(kind: type[Expr], type: Type, sides: Sequence[Wide]) -> Wide | None:
    """Sums, products and widenings of a phased value with what is affine; None where not."""
    first = next((s for s in sides if isinstance(s, Phased)), None)
    if first is None or not type.is_int or type.bits < 32:
        return None
    if kind is Cast:
        if not first.type.is_int or first.type.bits > type.bits:
            return None
        bases = [cast_base(type, b) for b in first.bases]
        return Phased(type, first.loops, first.sizes, bases, cast_base(type, first.step))
    if kind not in (Add, Sub, Mul):
        return None
    parts = [_phases_like(s, first) for s in sides]
    if any(p is None for p in parts):
        return None
    (a, a_step), (b, b_step) = (p for p in parts if p is not None)
    if kind is Mul:
        if not (sides[0].is_uniform or sides[1].is_uniform):
            return None
        factor = b[0] if sides[1].is_uniform else a[0]
        step = simplify(Mul(first.step, factor))
    else:
        step = simplify(kind(a_step, b_step))
    bases = [simplify(kind(x, y)) for x, y in zip(a, b, strict=True)]
    return Phased(type, first.loops, first.sizes, bases, step)


def _phases_like(wide: Wide, like: Phased) -> tuple[list[Expr], Expr] | None:
    """`wide` as bases and step in the phases of `like`."""
    type = like.type if wide.type is like.type else wide.type
    if isinstance(wide, Phased):
        same = wide.loops == like.loops and wide.period == like.period
        return (list(wide.bases), wide.step) if same else None
    if wide.is_uniform:
        return [wide.expr] * like.period, const(0, type)
    if wide.strides is None or wide.base is None or wide.loops != like.loops:
        return None
    stride = wide.strides[wide.loops[0]]
    bases = [simplify(Add(wide.base, Mul(stride, const(i, type)))) for i in range(like.period)]
    return bases, simplify(Mul(stride, const(like.period, type)))
