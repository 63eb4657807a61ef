"""Scalar expressions inside of vectorized loops, widened: one vector for all iterations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..ir import (
    I32,
    I64,
    U8,
    U16,
    U32,
    And,
    Broadcast,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Ramp,
    Select,
    Sub,
    Type,
    Variable,
    concat_lanes,
    const,
    shuffle_lanes,
    simplify,
)
from ..ir import nodes as n
from ..ir.simplify import linear_terms
from .lane_phases import Phased, interleaved, phased_of, quotient
from .lane_values import (
    LaneDimension,
    Loops,
    Wide,
    affine,
    affine_of,
    combined,
    each_lane,
    lane_numbers,
    lanes_of,
    merged,
    number,
    spread,
    together,
)

MOST_PIECES = 64
"""An access to more rows than this is a gather."""


class SerialEffect(Exception):
    """The expression does something beside giving a value: its lanes run one after the other."""


@dataclass
class Access:
    """A flat index as rows: `order` are the loops with the row's own last, each of `starts` is the
    row's first element, `stride` what its `lanes` elements are apart."""

    order: Loops
    starts: list[Expr]
    stride: Expr
    lanes: int


@dataclass
class Lanes:
    """What holds at one place inside of vectorized loops; makes scalar expressions wide."""

    loops: tuple[LaneDimension, ...]
    """Outermost first."""
    variables: Mapping[Expr, Wide] = field(default_factory=dict)
    """Loop variables and lets that differ between lanes."""
    mask: Wide | None = None
    """Which lanes run."""
    own: Mapping[str, Loops] = field(default_factory=dict)
    """Scratch memory of which each lane of these loops has its own."""
    masked: bool = False
    """Whether the machine loads some lanes of a vector as fast as all."""
    done: dict[Expr, Wide] = field(default_factory=dict)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(d.lanes for d in self.loops)

    def wide(self, expr: Expr) -> Wide:
        for node in n.postorder(expr):
            if node not in self.done:
                self.done[node] = self._node(node)
        return self.done[expr]

    def _node(self, node: Expr) -> Wide:
        known = self.variables.get(node)
        if known is not None:
            return known
        sides = tuple(self.done[c] for c in node.children)
        if isinstance(node, Load):
            return self._load(node, sides[0], None if node.predicate is None else sides[1])
        if isinstance(node, Call) and node.kind == "effect":
            raise SerialEffect
        loops = together(*sides)
        if not loops:
            # Lanes may have cancelled below, so that the node itself still names one.
            parts = tuple(side.expr for side in sides)
            same = all(a is b for a, b in zip(parts, node.children, strict=True))
            return Wide(node.type, (), self.sizes, node if same else node.rebuild(parts))
        if isinstance(node, n.Let):
            return self.wide(n.substitute(node.body, _let(node)))
        straight = affine_of(type(node), node.type, sides)
        if straight is None and len(sides) == 2:
            straight = quotient(type(node), node.type, *sides)
        if straight is None:
            straight = phased_of(type(node), node.type, sides)
        if straight is not None:
            return straight
        return Wide(node.type, loops, self.sizes, self._elementwise(node, sides, loops))

    def _elementwise(self, node: Expr, sides: Sequence[Wide], loops: Loops) -> Expr:
        lanes = lanes_of(loops, self.sizes)
        if isinstance(node, n.Comparison):
            counted = self._counted(node, U8)
            if counted is not None:
                return spread(counted, loops)
        wide = [spread(s, loops) for s in sides]
        if isinstance(node, Cast):
            return Cast(node.type.with_lanes(lanes), wide[0])
        if isinstance(node, Call):
            return Call(node.name, tuple(wide), node.type.with_lanes(lanes), node.kind)
        if isinstance(node, Select):
            if sides[0].is_uniform:
                return Select(sides[0].expr, wide[1], wide[2])
            counted = self._counted(node.condition, {8: U8, 16: U16}.get(node.type.bits, U32))
            if counted is not None:
                return Select(spread(counted, loops), wide[1], wide[2])
        return node.rebuild(tuple(wide))

    def _counted(self, condition: Expr, type: Type) -> Wide | None:
        """`lane + x < limit` as a comparison of lane numbers in a narrow type: one instruction.

        Between the smallest and the largest lane, clamping what is compared changes nothing.
        """
        if not isinstance(condition, (n.LT, n.LE, n.GT, n.GE)) or condition.a.type is not I32:
            return None
        a, b = self.done[condition.a], self.done[condition.b]
        if a.loops and b.loops:
            return None
        moving, limit = (a, b) if a.loops else (b, a)
        if moving.strides is None or moving.base is None:
            return None
        if len(moving.loops) != 1 or moving.strides[moving.loops[0]] is not const(1):
            return None
        if moving.lanes > min(type.max, 1 << 20):
            return None
        below = isinstance(condition, (n.LT, n.LE)) == bool(a.loops)
        strict = isinstance(condition, (n.LT, n.GT))
        # With d = limit - base: lane < d, lane <= d as lane < d + 1; lane > d as lane >= d + 1.
        distance: Expr = Sub(Cast(I64, limit.expr), Cast(I64, moving.base))
        if below != strict:
            distance = n.Add(distance, const(1, I64))
        lanes = moving.lanes
        inside = simplify(Max(Min(distance, const(lanes, I64)), const(0, I64)))
        ramp = Ramp(const(0, type), const(1, type), lanes)
        compared = n.LT if below else n.GE
        count = Broadcast(simplify(Cast(type, inside)), lanes)
        return Wide(condition.type, moving.loops, self.sizes, compared(ramp, count))

    def _load(self, node: Load, index: Wide, guard: Wide | None) -> Wide:
        """`guard` is the load's own predicate."""
        index = self.place(node.array, index)
        if index.is_uniform:
            on = None if guard is None else combined("or", guard, ()) if guard.loops else guard.expr
            made = Load(node.array, (index.expr,), node.type, on)
            return Wide(node.type, (), self.sizes, node if made is node else made)
        mask = self.mask_over(index.loops)
        if guard is not None:
            own = _some_lane(guard, index.loops)
            mask = own if mask is None else And(mask, own)
        if isinstance(index, Phased):
            return self._load_phases(node, index, mask)
        access = rows_of(index)
        if access is None:
            lanes = node.type.with_lanes(index.lanes)
            gathered = Load(node.array, (index.expr,), lanes, mask)
            return Wide(node.type, index.loops, self.sizes, gathered)
        lanes = node.type.with_lanes(access.lanes)
        masks = pieces_of(mask, index.loops, access, self.sizes)
        parts = [
            Load(node.array, (Ramp(start, access.stride, access.lanes),), lanes, part)
            for start, part in zip(access.starts, masks, strict=True)
        ]
        found = Wide(node.type, access.order, self.sizes, concat_lanes(*parts))
        return Wide(node.type, index.loops, self.sizes, reordered(found, index.loops))

    def _load_phases(self, node: Load, index: Phased, mask: Expr | None) -> Wide:
        """Each phase reads a row (or one element, where all its lanes do)."""
        count, period = index.lanes // index.period, index.period
        offsets = _offsets(index) if self.masked else None
        if offsets is not None and count > 1:
            return self._load_one_row(node, index, offsets, mask)
        parts: list[Expr] = []
        for i, place in enumerate(index.phases()):
            lanes = place.type.lanes
            if lanes == 1 and mask is not None:
                lanes, place = count, Broadcast(place, count) if count > 1 else place
            on = None if mask is None else shuffle_lanes(mask, range(i, index.lanes, period))
            if lanes == 1 and on is not None:
                made: Expr = Load(
                    node.array, (index.expr,), node.type.with_lanes(index.lanes), mask
                )
                return Wide(node.type, index.loops, self.sizes, made)
            made = Load(node.array, (place,), node.type.with_lanes(lanes), on)
            parts.append(Broadcast(made, count) if lanes < count else made)
        return Wide(node.type, index.loops, self.sizes, interleaved(parts))

    def _load_one_row(
        self, node: Load, index: Phased, offsets: Sequence[int], mask: Expr | None
    ) -> Wide:
        """All phases read one row, phase i every element that is `offsets[i]` beyond the first of
        `period`: `a[x / 4 * 4 + 3]`. Only those that a lane reads are loaded."""
        count, period = index.lanes // index.period, index.period
        first = index.bases[offsets.index(min(offsets))]
        # The row begins where a pixel does, as the rows that are read of all channels do: one that
        # begins within a pixel lies in one more cache line.
        within = linear_terms(first)[1] % period
        if max(offsets) + within < period:
            offsets = [offset + within for offset in offsets]
            first = simplify(Sub(first, const(within, index.type)))
        row = Ramp(first, const(1, index.type), index.lanes)
        is_all = mask is None and len(set(offsets)) == period
        made: Expr = Load(
            node.array, (row,), node.type.with_lanes(index.lanes),
            None if is_all else _named(index, offsets, mask),
        )  # fmt: skip
        order = [period * m + offset for m in range(count) for offset in offsets]
        return Wide(node.type, index.loops, self.sizes, shuffle_lanes(made, order))

    def place(self, buffer: str, index: Wide) -> Wide:
        """Where `index` lies in memory that each lane has its own of."""
        loops = self.own.get(buffer)
        if not loops:
            return index
        count = const(lanes_of(loops, self.sizes), index.type)
        factor = Wide(index.type, (), self.sizes, count)
        own = lane_numbers(loops, self.sizes, index.type)
        scaled = affine_of(n.Mul, index.type, (index, factor))
        if scaled is not None:
            made = affine_of(n.Add, index.type, (scaled, own))
            assert made is not None
            return made
        vector = n.Mul(index.expr, Broadcast(count, index.lanes))
        scaled = Wide(index.type, index.loops, self.sizes, vector)
        both = together(scaled, own)
        total = n.Add(spread(scaled, both), spread(own, both))
        return Wide(index.type, both, self.sizes, total)

    def reads_unmasked(self, *exprs: Expr) -> bool:
        """Whether `exprs` read something that no part of the mask keeps from being read."""
        mask = self.mask
        if mask is None:
            return False
        for node in n.postorder(*exprs):
            if isinstance(node, Load) and not set(self.wide(node).loops) & set(mask.loops):
                return True
        return False

    def mask_over(self, loops: Loops) -> Expr | None:
        """For each lane of `loops`, whether any of its lanes of the other loops runs."""
        if self.mask is None:
            return None
        if not set(self.mask.loops) & set(loops):
            return None
        return _some_lane(self.mask, loops)


def _some_lane(mask: Wide, loops: Loops) -> Expr:
    """For each lane of `loops`, whether `mask` is on in any of its lanes of the other loops."""
    common = tuple(loop for loop in mask.loops if loop in loops)
    some = combined("or", mask, common) if len(common) < len(mask.loops) else mask.expr
    return spread(Wide(mask.type, common, mask.sizes, some), loops)


def _let(node: n.Let) -> dict[Expr, Expr]:
    return {Variable(node.name, node.value.type): node.value}


def _offsets(index: Phased) -> list[int] | None:
    """How far each phase of `index` is beyond the lowest one, where each goes by a period's
    elements from lane to lane and none lies a whole period further on; None elsewhere."""
    if not isinstance(index.step, Const) or int(index.step.value) != index.period:
        return None
    apart = [simplify(Sub(base, index.bases[0])) for base in index.bases]
    steps = [int(a.value) for a in apart if isinstance(a, Const)]
    if len(steps) < len(apart) or max(steps) - min(steps) >= index.period:
        return None
    return [step - min(steps) for step in steps]


def _named(index: Phased, offsets: Sequence[int], mask: Expr | None) -> Expr:
    """Which elements of a row some lane reads, `offsets[i]` beyond the first of a period."""
    count, period = index.lanes // index.period, index.period
    # Bytes, for machines don't permute the bits of a mask.
    zero, one = const(0, U8), const(1, U8)
    every: Expr = Broadcast(one, count)
    made: list[Expr] = [Broadcast(zero, count)] * period
    on = None
    if mask is not None:
        on = Select(mask, Broadcast(one, index.lanes), Broadcast(zero, index.lanes))
    for i, offset in enumerate(offsets):
        reads = every if on is None else shuffle_lanes(on, range(i, index.lanes, period))
        made[offset] = reads if on is None else simplify(n.Max(made[offset], reads))
    return n.LT(Broadcast(zero, index.lanes), interleaved(made))


def rows_of(index: Wide) -> Access | None:
    """The rows that an affine index reads, in which its elements lie closest; None for a gather."""
    if index.strides is None or index.base is None:
        return None
    groups = merged(index)
    row = min(groups, key=lambda g: abs(g[0].value) if isinstance(g[0], Const) else 1 << 62)
    others = tuple(loop for g in groups if g is not row for loop in g[2])
    rows = each_lane(others, index.sizes)
    if len(rows) > MOST_PIECES or len(rows) >= index.lanes:
        return None
    starts = []
    for lanes in rows:
        start: Expr = index.base
        for loop, lane in lanes.items():
            start = n.Add(start, n.Mul(index.strides[loop], const(lane, index.type)))
        starts.append(simplify(start))
    return Access((*others, *row[2]), starts, row[0], row[1])


def reordered(wide: Wide, loops: Loops) -> Expr:
    """The vector `wide`, laid out over its loops in the order that they have, over `loops`."""
    if wide.loops == loops:
        return wide.expr
    order = [number(lanes, wide.loops, wide.sizes) for lanes in each_lane(loops, wide.sizes)]
    return shuffle_lanes(wide.expr, order)


def pieces_of(
    vector: Expr | None, loops: Loops, access: Access, sizes: Sequence[int]
) -> list[Expr | None]:
    """The parts of `vector`, over `loops`, that belong to the rows of `access`."""
    if vector is None:
        return [None] * len(access.starts)
    order = [number(lanes, loops, sizes) for lanes in each_lane(access.order, sizes)]
    return [
        shuffle_lanes(vector, order[first : first + access.lanes])
        for first in range(0, len(order), access.lanes)
    ]


def start_of(dimension: LaneDimension, position: int, sizes: Sequence[int]) -> Wide:
    """The value of a vectorized loop's variable."""
    return affine(I32, dimension.start, {position: const(1)}, sizes)
