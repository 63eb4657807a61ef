"""Reductions into an array: `bins[f(x, y)] += g(x, y)`, histograms and their kin.

A store that adds to the element that it writes can't be a pure definition: iterations meet at one
element. It is an update over a reduction domain, the iterations of its loops.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from compiler.ir import (
    I32,
    I64,
    TRUE,
    Expr,
    Load,
    Select,
    Type,
    Variable,
    const,
    postorder,
    substitute,
)

from ..dag import Ranges
from ..model.stage import Stage, Write
from ..model.summary import Dimension, Witness
from .terminals import Mapping

_AXES = ("x", "y", "z", "w")
BIN_LIMIT = 1 << 24


@dataclass(frozen=True)
class ReductionUpdate:
    """`output(place) += added` for each point of `domain`."""

    write: Write
    domain: tuple[Dimension, ...]
    mapping: Mapping
    added: Expr
    """Typed, over flat loads and counters; what the store adds in an iteration."""
    bounds: tuple[Expr, Expr]
    """Least and greatest-plus-one element that an iteration can update, as index expressions."""


def find_update(stage: Stage, parameters: dict[str, Type]) -> ReductionUpdate | None:
    """The stage as an update, when its one store reads the element that it writes."""
    if len(stage.writes) != 1 or len(stage.writes[0].indices) != 1:
        return None
    write = stage.writes[0]
    own = Load(write.array, write.indices, write.value.type)
    if own not in set(postorder(write.value)) or not write.value.type.is_integer:
        return None
    counters = {loop.counter for loop in write.loops}
    if any(counters & set(postorder(loop.extent)) for loop in write.loops):
        return None
    added = substitute(write.value, {own: const(0, own.type)})
    if write.condition is not TRUE:
        added = Select(write.condition, added, const(0, own.type))
    low, high = Ranges(parameters, write.loops).interval(write.indices[0])
    if low < 0 or high >= BIN_LIMIT:
        return None
    names = _names(len(write.loops), parameters)
    domain = tuple(
        Dimension(Variable(name, I32), const(0, I64), loop.extent)
        for name, loop in zip(names, reversed(write.loops), strict=True)
    )
    coordinates = tuple(Variable(d.variable.name, I64) for d in domain)
    point = tuple(loop.counter for loop in reversed(write.loops))
    witness = Witness(point, tuple(reversed(coordinates)))
    mapping = Mapping(write, witness.point, witness.counters, coordinates)
    return ReductionUpdate(write, domain, mapping, added, (const(low, I64), const(high + 1, I64)))


def _names(count: int, parameters: Collection[str]) -> tuple[str, ...]:
    base = "r"
    while any(f"{base}.{a}" in parameters for a in _AXES):
        base += "_"
    return tuple(f"{base}.{a}" for a in _AXES[:count])
