"""Expressions of a vectorized loop's iterations as vectors: which lanes they differ in, and how.

Several vectorized loops around one statement make one flat vector: the lanes of the innermost loop
lie next to each other. An expression is computed for the loops alone that it depends on, and spread
over the others where it meets something that depends on them. Index arithmetic is kept as a base
and a stride for each loop as long as that is possible, so that accesses to rows stay visible.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..ir import (
    I32,
    I64,
    Add,
    Broadcast,
    Cast,
    Const,
    Expr,
    Mul,
    Neg,
    Ramp,
    Sub,
    Type,
    Variable,
    const,
    reduce_lanes,
    shuffle_lanes,
    simplify,
)
from ..ir.lanes import Reduction
from .flatten import widened


@dataclass(frozen=True)
class LaneDimension:
    """A vectorized loop: `lanes` iterations of `variable` from `start` on, the same for all lanes
    of the loops around it."""

    variable: str
    start: Expr
    lanes: int


Loops = tuple[int, ...]
"""Positions of vectorized loops, outermost first: those that a vector has lanes for."""


class Wide:
    """A value for each lane of the loops `loops`: a vector `expr`, or `base` + strides."""

    __slots__ = ("_expr", "base", "loops", "sizes", "strides", "type")

    def __init__(
        self,
        type: Type,
        loops: Loops,
        sizes: Sequence[int],
        expr: Expr | None = None,
        base: Expr | None = None,
        strides: Mapping[int, Expr] | None = None,
    ) -> None:
        """`sizes` are the lanes of all loops there are, `type` is that of one lane."""
        self.type, self.loops, self.sizes = type, loops, sizes
        self._expr, self.base, self.strides = expr, base, strides

    @property
    def lanes(self) -> int:
        return lanes_of(self.loops, self.sizes)

    @property
    def is_uniform(self) -> bool:
        return not self.loops

    @property
    def expr(self) -> Expr:
        """The vector (a scalar where no loop matters)."""
        if self._expr is None:
            self._expr = self._materialized()
        return self._expr

    def _materialized(self) -> Expr:
        assert self.base is not None and self.strides is not None
        groups = merged(self)
        if len(groups) == 1:
            stride, lanes, _ = groups[0]
            return Ramp(self.base, stride, lanes)
        total: Expr | None = None
        for i, loop in enumerate(self.loops):
            base = self.base if i == 0 else const(0, self.type)
            one = Ramp(base, self.strides[loop], self.sizes[loop])
            wide = spread(Wide(self.type, (loop,), self.sizes, one), self.loops)
            total = wide if total is None else Add(total, wide)
        assert total is not None
        return total

    def __repr__(self) -> str:
        return f"Wide({self.loops}, {self.base} {self.strides})" if self.base else f"{self._expr}"


def lanes_of(loops: Loops, sizes: Sequence[int]) -> int:
    total = 1
    for loop in loops:
        total *= sizes[loop]
    return total


def merged(wide: Wide) -> list[tuple[Expr, int, Loops]]:
    """The strides of an affine value, outermost first, loops that continue each other as one:
    (stride, lanes, loops)."""
    assert wide.strides is not None
    groups: list[tuple[Expr, int, Loops]] = []
    for loop in reversed(wide.loops):
        stride, lanes = wide.strides[loop], wide.sizes[loop]
        if groups:
            inner, count, loops = groups[0]
            if simplify(Mul(inner, const(count, wide.type))) is stride:
                groups[0] = (inner, count * lanes, (loop, *loops))
                continue
        groups.insert(0, (stride, lanes, (loop,)))
    return groups


def affine(type: Type, base: Expr, strides: Mapping[int, Expr], sizes: Sequence[int]) -> Wide:
    """base + sum of stride * lane; strides of zero fall away."""
    kept = {k: v for k, v in strides.items() if not (isinstance(v, Const) and v.value == 0)}
    if not kept:
        return Wide(type, (), sizes, base)
    return Wide(type, tuple(sorted(kept)), sizes, None, base, kept)


def spread(wide: Wide, loops: Loops) -> Expr:
    """The vector of `wide` with lanes for all of `loops`, which include its own."""
    if loops == wide.loops:
        return wide.expr
    total = lanes_of(loops, wide.sizes)
    if not wide.loops:
        return Broadcast(wide.expr, total)
    order = [number(lanes, wide.loops, wide.sizes) for lanes in each_lane(loops, wide.sizes)]
    return shuffle_lanes(wide.expr, order)


def each_lane(loops: Loops, sizes: Sequence[int]) -> list[dict[int, int]]:
    """The iteration of each loop, for each lane in order."""
    ranges = [range(sizes[loop]) for loop in loops]
    return [dict(zip(loops, values, strict=True)) for values in itertools.product(*ranges)]


def number(lanes: Mapping[int, int], loops: Loops, sizes: Sequence[int]) -> int:
    """The number of the lane with the iterations `lanes` in a vector over `loops`."""
    total = 0
    for loop in loops:
        total = total * sizes[loop] + lanes[loop]
    return total


def together(*wides: Wide) -> Loops:
    """All loops that any of them depends on."""
    return tuple(sorted({loop for w in wides for loop in w.loops}))


def last_of(wide: Wide, kept: Loops) -> Expr:
    """The vector over `kept` with the last iteration of the other loops of `wide`."""
    order = []
    for lanes in each_lane(kept, wide.sizes):
        full = {loop: lanes.get(loop, wide.sizes[loop] - 1) for loop in wide.loops}
        order.append(number(full, wide.loops, wide.sizes))
    return shuffle_lanes(wide.expr, order)


def combined(operation: Reduction, wide: Wide, kept: Loops) -> Expr:
    """The vector over `kept` that reduces the other loops of `wide`."""
    if kept == wide.loops:
        return wide.expr
    others = tuple(loop for loop in wide.loops if loop not in kept)
    order = [
        number({**a, **b}, wide.loops, wide.sizes)
        for a in each_lane(kept, wide.sizes)
        for b in each_lane(others, wide.sizes)
    ]
    grouped = shuffle_lanes(wide.expr, order)
    return reduce_lanes(operation, grouped, lanes_of(kept, wide.sizes))


def affine_of(kind: type[Expr], type: Type, sides: Sequence[Wide]) -> Wide | None:
    """The affine value of a sum, difference, product or widening of affine ones; None where not.

    Only on signed types as wide as an index: coordinates don't overflow, narrower numbers wrap.
    """
    if not (type.is_int and type.bits >= 32):
        return None
    sizes = sides[0].sizes
    if kind is Cast:
        (side,) = sides
        if side.strides is None or not side.type.is_int or side.type.bits > type.bits:
            return None
        strides = {k: cast_base(type, v) for k, v in side.strides.items()}
        assert side.base is not None
        return affine(type, cast_base(type, side.base), strides, sizes)
    if kind is Neg:
        (side,) = sides
        if side.strides is None or side.base is None:
            return None
        strides = {k: simplify(Neg(v)) for k, v in side.strides.items()}
        return affine(type, simplify(Neg(side.base)), strides, sizes)
    if kind not in (Add, Sub, Mul) or any(s.strides is None and s.loops for s in sides):
        return None
    a, b = sides
    bases = [s.base if s.base is not None else s.expr for s in sides]
    if kind is Mul:
        if a.loops and b.loops:
            return None
        moving, factor = (a, bases[1]) if a.loops else (b, bases[0])
        strides = {k: simplify(Mul(v, factor)) for k, v in (moving.strides or {}).items()}
        return affine(type, simplify(Mul(*bases)), strides, sizes)
    zero = const(0, type)
    first, second = a.strides or {}, b.strides or {}
    strides = {
        k: simplify(kind(first.get(k, zero), second.get(k, zero))) for k in {*first, *second}
    }
    return affine(type, simplify(kind(*bases)), strides, sizes)


def cast_base(type: Type, e: Expr) -> Expr:
    """`e` converted to `type`; a coordinate part by part."""
    return simplify(widened(e) if type is I64 else Cast(type, e))


def lane_numbers(loops: Loops, sizes: Sequence[int], type: Type) -> Wide:
    """Each lane's number in a vector over `loops`."""
    strides: dict[int, Expr] = {}
    step = 1
    for loop in reversed(loops):
        strides[loop] = const(step, type)
        step *= sizes[loop]
    return affine(type, const(0, type), strides, sizes)


def loop_variable(dimension: LaneDimension) -> Expr:
    return Variable(dimension.variable, I32)
