"""The suggestion for step 3: the stores of a stage combined into one expression over the region.

Stores of one formula at different points (unrolled loops, heads and tails) become that formula;
stores to different channels of a pixel become a selection on the channel; stores under conditions
become a selection on those, with the old value (the *identity* terminal) where nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from compiler.ir import (
    EQ,
    I32,
    I64,
    TRUE,
    Call,
    Const,
    Expr,
    Load,
    Mod,
    Select,
    Variable,
    const,
    postorder,
    substitute,
    transform,
)

from ..dag import disjunction
from .boxes import Box, StorePart, by_box
from .linear import stride_of
from .rewrite import Rewriter
from .roi import Region

MOST_CHANNELS = 8
"""More than a pixel has in practice: loops over more points aren't taken apart."""


@dataclass(frozen=True)
class RegionStore:
    """One store over the region's coordinates: what, when, and at which point."""

    value: Expr
    condition: Expr
    point: tuple[Expr, ...]
    """Index expressions over the counters; a constant picks one channel."""
    box: Box
    """Where the store's iterations go, over parameters."""
    general: tuple[Expr, Expr]
    """Value and condition with coordinates for the one place that the store goes to."""


def combined(
    stores: Sequence[RegionStore],
    region: Region,
    identity: Expr,
    covers: Callable[[Expr], bool],
    coordinate: Callable[[Expr], Expr],
) -> Expr | None:
    """One expression for all stores; `covers(c)` says whether condition c holds everywhere.

    `coordinate` turns an index expression over parameters into an int32 one. None when different
    formulas are stored under no condition and in no place that tells their points apart.
    """
    stores = _spread(stores, region)
    channel = _channel(stores, region)
    named = _named_channel(stores) if channel is None and region.has_gaps else None
    if named is not None:
        return _by_name(stores, named, region, identity, coordinate)
    if channel is None:
        return _in_one_place(stores, region, identity, covers, coordinate)
    places: dict[int, list[RegionStore]] = {}
    for store in stores:
        place = store.point[channel]
        assert isinstance(place, Const)
        places.setdefault(int(place.value), []).append(store)
    values: dict[int, Expr] = {}
    rewriter = Rewriter()  # channels that are taken out of words look alike then
    for number, members in places.items():
        value = _in_one_place(members, region, identity, covers, coordinate)
        if value is None:
            return None
        values[number] = rewriter.simplify(value)
    return _by_channel(values, channel, region, identity)


def _in_one_place(
    stores: Sequence[RegionStore],
    region: Region,
    identity: Expr,
    covers: Callable[[Expr], bool],
    coordinate: Callable[[Expr], Expr],
) -> Expr | None:
    """One expression for stores that no channel tells apart: by their boxes or conditions."""
    values = [_conditional(s.value, s.condition, identity) for s in stores]
    if all(v is values[0] for v in values):
        return values[0]
    phases = _phases(stores, region)
    if phases is not None:
        return _by_phase(phases, region, identity, covers, coordinate)
    branches = _branches(stores, region, identity, covers, coordinate)
    if branches is not None:
        stores = branches
    elif any(s.box != stores[0].box for s in stores):
        parts = [
            StorePart(
                _conditional(s.value, s.condition, identity),
                s.box,
                _conditional(*s.general, identity),
            )
            for s in _at_each_place(stores, identity, covers)
        ]
        placed = by_box(parts, region, coordinate)
        if placed is not None:
            return placed
    if any(s.condition is TRUE for s in stores):
        return None
    result = identity
    rest = list(stores)
    if covers(disjunction(s.condition for s in stores)):
        result = rest.pop().value
    for store in reversed(rest):
        result = Select(store.condition, store.value, result)
    return result


@dataclass(frozen=True)
class _Phases:
    """Stores of loops that go through the same dimension in the same steps, each to coordinates of
    one remainder: two rows in an iteration."""

    dimension: int
    step: int
    stores: dict[int, list[RegionStore]]
    """By remainder."""


def _phases(stores: Sequence[RegionStore], region: Region) -> _Phases | None:
    """What tells all stores apart by remainders, in the first dimension where some do. Along a row
    they are channels in another view of the image."""
    for d in range(1, len(region.dimensions)):
        strides = [stride_of(s.point[d]) for s in stores]
        steps = {stride.step for stride in strides if stride is not None}
        if None in strides or len(steps) != 1:
            continue
        (step,) = steps
        found: dict[int, list[RegionStore]] = {}
        for store, stride in zip(stores, strides, strict=True):
            assert stride is not None
            found.setdefault(stride.remainder, []).append(store)
        if len(found) > 1:
            return _Phases(d, step, found)
    return None


def _by_phase(
    phases: _Phases,
    region: Region,
    identity: Expr,
    covers: Callable[[Expr], bool],
    coordinate: Callable[[Expr], Expr],
) -> Expr | None:
    """One expression for stores of all remainders; those that nothing is stored to keep what they
    have."""
    variable = region.dimensions[phases.dimension].variable
    values: dict[Expr, list[int]] = {}
    for remainder, members in sorted(phases.stores.items()):
        value = _in_one_place(members, region, identity, covers, coordinate)
        if value is None:
            return None
        values.setdefault(value, []).append(remainder)
    is_complete = len(phases.stores) == phases.step
    result = next(reversed(values)) if is_complete else identity
    rest = Mod(variable, const(phases.step, variable.type))
    for value, remainders in reversed(values.items()):
        if value is not result:
            here = disjunction(EQ(rest, const(r, variable.type)) for r in remainders)
            result = Select(here, value, result)
    return result


def _branches(
    stores: Sequence[RegionStore],
    region: Region,
    identity: Expr,
    covers: Callable[[Expr], bool],
    coordinate: Callable[[Expr], Expr],
) -> Sequence[RegionStore] | None:
    """One store for each condition, where one of the conditions holds in each point; None where
    that isn't so, or where each has one store anyway.

    if (mode) { for (x = 0; x + 1 < w; x += 2) ...; for (; x < w; x++) ... } else { the same }
    if (y == 0) { copy the row } else { the first pixel; those between; the last pixel }
    """
    found: dict[Expr, list[RegionStore]] = {}
    for store in stores:
        found.setdefault(store.condition, []).append(store)
    if not 1 < len(found) < len(stores) or not covers(disjunction(found)):
        return None
    branches = []
    for members in found.values():
        first = members[0]
        if any(s.value is not first.value for s in members):
            always = [replace(s, condition=TRUE, general=(s.general[0], TRUE)) for s in members]
            value = _in_one_place(always, region, identity, covers, coordinate)
            if value is None:
                return None
            first = replace(first, value=value)
        branches.append(first)
    return branches


def _spread(stores: Sequence[RegionStore], region: Region) -> list[RegionStore]:
    """A loop over a few channels as a store for each, where other stores go to those channels too.

    if (a <= 0) p[0] = p[1] = 0;                p[0] = 0 where a <= 0, p[0] /= a elsewhere,
    else for (c = 0; c < 2; c++) p[c] /= a;     p[1] = 0 where a <= 0, p[1] /= a elsewhere
    """
    found: list[RegionStore] = []
    for store in stores:
        for d, dimension in enumerate(region.dimensions):
            channels = _few(store.box[d])
            taken = {p.value for s in stores for p in (s.point[d],) if isinstance(p, Const)}
            if isinstance(store.point[d], Const) or taken.isdisjoint(channels):
                continue
            for k in channels:
                there: dict[Expr, Expr] = {dimension.variable: const(k, dimension.variable.type)}
                place = const(k, I64)
                found.append(
                    RegionStore(
                        substitute(store.value, there),
                        substitute(store.condition, there),
                        (*store.point[:d], place, *store.point[d + 1 :]),
                        (*store.box[:d], (place, place), *store.box[d + 1 :]),
                        (
                            substitute(store.general[0], there),
                            substitute(store.general[1], there),
                        ),
                    )
                )
            break
        else:
            found.append(store)
    return found


def _few(interval: tuple[Expr, Expr]) -> range:
    """The channels from the first to the last one, if they are known and few."""
    low, high = interval
    if isinstance(low, Const) and isinstance(high, Const):
        channels = range(int(low.value), int(high.value) + 1)
        return channels if len(channels) <= MOST_CHANNELS else range(0)
    return range(0)


def _conditional(value: Expr, condition: Expr, identity: Expr) -> Expr:
    return value if condition is TRUE else Select(condition, value, identity)


def _at_each_place(
    stores: Sequence[RegionStore], identity: Expr, covers: Callable[[Expr], bool]
) -> Sequence[RegionStore]:
    """Stores of several branches to one place, where others go to other places, as one store."""
    places: dict[tuple[tuple[Expr, ...], Box], list[RegionStore]] = {}
    for store in stores:
        places.setdefault((store.point, store.box), []).append(store)
    if len(places) == 1:
        return stores
    found: list[RegionStore] = []
    for members in places.values():
        first, last = members[0], members[-1]
        if len(members) == 1 or any(s.condition is TRUE for s in members):
            found.extend(members)
            continue
        value, general = identity, identity
        if covers(disjunction(s.condition for s in members)):
            value, general = last.value, last.general[0]
            members = members[:-1]
        for store in reversed(members):
            value = Select(store.condition, store.value, value)
            general = Select(store.general[1], store.general[0], general)
        found.append(RegionStore(value, TRUE, first.point, first.box, (general, TRUE)))
    return found


def _channel(stores: Sequence[RegionStore], region: Region) -> int | None:
    """The dimension in which every store has a constant coordinate of its own."""
    for d in range(len(region.dimensions)):
        if len(stores) > 1 and all(isinstance(s.point[d], Const) for s in stores):
            return d
    return None


def _named_channel(stores: Sequence[RegionStore]) -> int | None:
    """The dimension in which every store goes to a coordinate of its own, that parameters say."""
    for d in range(len(stores[0].point)):
        boxes = [s.box[d] for s in stores]
        if all(low is high for low, high in boxes) and len(set(boxes)) == len(boxes) > 1:
            return d
    return None


def _by_name(
    stores: Sequence[RegionStore],
    d: int,
    region: Region,
    identity: Expr,
    coordinate: Callable[[Expr], Expr],
) -> Expr:
    """One expression for stores to channels that parameters say; the others keep what they have."""
    result = identity
    for store in reversed(stores):
        here = EQ(region.dimensions[d].variable, coordinate(store.point[d]))
        result = Select(here, _conditional(store.value, store.condition, identity), result)
    return result


def _by_channel(values: Mapping[int, Expr], d: int, region: Region, identity: Expr) -> Expr:
    variable = region.dimensions[d].variable
    groups: dict[Expr, list[tuple[Expr, Expr]]] = {}
    for place, value in values.items():
        general = _generalized(value, d, place, variable)
        groups.setdefault(general, []).append((const(place, I32), value))
    _join(groups, variable)
    ordered = sorted(groups.items(), key=lambda item: len(item[1]))
    *others, last = [*ordered, None] if region.has_gaps else ordered
    result = identity if last is None else _group_value(*last)
    for general, members in reversed([o for o in others if o is not None]):
        here = disjunction(EQ(variable, place) for place, _ in members)
        result = Select(here, _group_value(general, members), result)
    return result


def _join(groups: dict[Expr, list[tuple[Expr, Expr]]], variable: Variable) -> None:
    """Channels go to the largest group whose formula says the same of them: one that is read for
    all channels, as alpha is, looks like the channel at hand only in its own."""
    for general in sorted(groups, key=lambda g: -len(groups[g])):
        for other in [g for g in groups if g is not general and general in groups]:
            members = groups[other]
            same = all(_at(p, general, variable) is _at(p, v, variable) for p, v in members)
            if same and len(members) <= len(groups[general]):
                groups[general] += groups.pop(other)


def _at(place: Expr, value: Expr, variable: Variable) -> Expr:
    return substitute(value, {variable: place})


def _group_value(general: Expr, members: list[tuple[Expr, Expr]]) -> Expr:
    return general if len(members) > 1 else members[0][1]


def _generalized(value: Expr, d: int, place: int, variable: Variable) -> Expr:
    """`value` with reads of channel `place` as reads of channel `variable`."""

    def visit(node: Expr) -> Expr:
        if isinstance(node, Call) and node.kind == "image" and len(node.args) > d:
            at = node.args[d]
            if isinstance(at, Const) and at.value == place and len(node.args) > 1:
                return Call(
                    node.name, (*node.args[:d], variable, *node.args[d + 1 :]), node.type, "image"
                )
        return node

    return transform(value, visit)


def reads(expr: Expr) -> list[Expr]:
    """The image reads of an expression, in order."""
    return [
        n
        for n in postorder(expr)
        if isinstance(n, (Call, Load)) and getattr(n, "kind", "image") == "image"
    ]
