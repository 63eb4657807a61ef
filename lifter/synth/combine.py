"""The suggestion for step 3: the stores of a stage combined into one expression over the region.

Stores of one formula at different points (unrolled loops, heads and tails) become that formula;
stores to different channels of a pixel become a selection on the channel; stores under conditions
become a selection on those, with the old value (the *identity* terminal) where nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compiler.ir import (
    EQ,
    I32,
    TRUE,
    Call,
    Const,
    Expr,
    Load,
    Select,
    Variable,
    const,
    postorder,
    transform,
)

from ..dag import disjunction
from .boxes import Box, Part, by_box
from .roi import Region


@dataclass(frozen=True)
class Store:
    """One store over the region's coordinates: what, when, and at which point."""

    value: Expr
    condition: Expr
    point: tuple[Expr, ...]
    """Index expressions over the counters; a constant picks one channel."""
    box: Box
    """Where the store's rounds go, over parameters."""


def combined(
    stores: Sequence[Store],
    region: Region,
    identity: Expr,
    covers: Callable[[Expr], bool],
    coordinate: Callable[[Expr], Expr],
) -> Expr | None:
    """One expression for all stores; `covers(c)` says whether condition c holds everywhere.

    `coordinate` turns an index expression over parameters into an int32 one. None when different
    formulas are stored under no condition and in no place that tells their points apart.
    """
    channel = _channel(stores, region)
    if channel is not None:
        return _by_channel(stores, channel, region, identity)
    values = [_conditional(s, identity) for s in stores]
    if all(v is values[0] for v in values):
        return values[0]
    if any(s.box != stores[0].box for s in stores):
        parts = [Part(v, s.box) for v, s in zip(values, stores, strict=True)]
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


def _conditional(store: Store, identity: Expr) -> Expr:
    return (
        store.value if store.condition is TRUE else Select(store.condition, store.value, identity)
    )


def _channel(stores: Sequence[Store], region: Region) -> int | None:
    """The dimension in which every store has a constant coordinate of its own."""
    for d in range(len(region.dimensions)):
        if len(stores) > 1 and all(isinstance(s.point[d], Const) for s in stores):
            return d
    return None


def _by_channel(stores: Sequence[Store], d: int, region: Region, identity: Expr) -> Expr:
    variable = region.dimensions[d].variable
    groups: dict[Expr, list[tuple[Expr, Expr]]] = {}
    for store in stores:
        place = store.point[d]
        assert isinstance(place, Const)
        value = _conditional(store, identity)
        general = _generalized(value, d, int(place.value), variable)
        groups.setdefault(general, []).append((const(place.value, I32), value))
    ordered = sorted(groups.items(), key=lambda item: len(item[1]))
    *others, last = [*ordered, None] if region.has_gaps else ordered
    result = identity if last is None else _group_value(*last)
    for general, members in reversed([o for o in others if o is not None]):
        here = disjunction(EQ(variable, place) for place, _ in members)
        result = Select(here, _group_value(general, members), result)
    return result


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
