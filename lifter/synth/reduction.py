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
    Add,
    Const,
    Expr,
    Load,
    Select,
    Type,
    Variable,
    const,
    postorder,
    substitute,
    transform,
)
from compiler.ir.fold import fold

from ..dag import Ranges
from ..model.stage import Stage, Write
from ..model.summary import Dimension, Witness
from .terminals import Mapping

_AXES = ("x", "y", "z", "w")
BIN_LIMIT = 1 << 24


@dataclass(frozen=True)
class ReductionUpdate:
    """`output(place) += added` for each point of `domain`; or any function of what is there, in
    the domain's order."""

    write: Write
    domain: tuple[Dimension, ...]
    mapping: Mapping
    added: Expr
    """Typed, over flat loads and counters; what the store adds in an iteration."""
    own: Load
    """The element as the store finds it."""
    is_sum: bool
    """Whether `added` is added; else it is what is stored, made of `own` too."""
    bounds: tuple[Expr, Expr]
    """Least and greatest-plus-one element that the nest can update, as index expressions."""
    is_bounded: bool = False
    """Whether it is only the array's end that says so: places are kept inside."""


def find_update(
    stage: Stage, parameters: dict[str, Type], elements: Expr | None
) -> ReductionUpdate | None:
    """The stage as an update, when its one store reads in a loop the element that it writes;
    `elements` is how many its array has, where that is known."""
    if len(stage.writes) != 1 or len(stage.writes[0].indices) != 1:
        return None
    write = stage.writes[0]
    own = Load(write.array, write.indices, write.value.type)
    if not write.loops or not (stage.is_fold or own in set(postorder(write.value))):
        return None
    counters = {loop.counter for loop in write.loops}
    if any(counters & set(postorder(loop.extent)) for loop in write.loops):
        return None
    added = transform(substitute(write.value, {own: const(0, own.type)}), fold)
    is_one = not counters & set(postorder(*write.indices))
    is_sum = _adds(write.value, own) if is_one else write.value.type.is_integer
    is_sum = is_sum and not stage.is_fold
    if not is_sum:
        if not is_one or write.condition is not TRUE:
            return None
        added = write.value
    if write.condition is not TRUE:
        added = Select(write.condition, added, const(0, own.type))
    updates = [added, *(w.value for w in stage.together)]
    if not counters & set(postorder(*updates, *write.indices)) and not _is_once(write):
        return None  # the DSL does once what no coordinate of a domain tells apart
    # Stages that update one array have one region.
    places = [Ranges(parameters, w.loops).interval(w.indices[0]) for w in (write, *stage.beside)]
    low, high = min(low for low, _ in places), max(high for _, high in places)
    is_bounded = low < 0 or high >= BIN_LIMIT
    bounds: tuple[Expr, Expr]
    if not is_bounded:
        bounds = const(low, I64), const(high + 1, I64)
    elif elements is None or not is_sum:
        return None
    else:
        bounds = const(0, I64), elements
    names = domain_names(len(write.loops), parameters)
    domain = tuple(
        Dimension(Variable(name, I32), const(0, I64), loop.extent)
        for name, loop in zip(names, reversed(write.loops), strict=True)
    )
    coordinates = tuple(Variable(d.variable.name, I64) for d in domain)
    point = tuple(loop.counter for loop in reversed(write.loops))
    witness = Witness(point, tuple(reversed(coordinates)))
    mapping = Mapping(write, witness.point, witness.counters, coordinates)
    return ReductionUpdate(write, domain, mapping, added, own, is_sum, bounds, is_bounded)


def _is_once(write: Write) -> bool:
    return all(isinstance(loop.extent, Const) and loop.extent.value == 1 for loop in write.loops)


def _adds(value: Expr, own: Load) -> bool:
    """Whether a value is an integer element and something that is added to it."""
    if not value.type.is_integer or value.type.is_bool:
        return False
    if isinstance(value, Select):
        return all(side is own or _adds(side, own) for side in (value.a, value.b)) and (
            own not in set(postorder(value.condition))
        )
    if not isinstance(value, Add):
        return False
    sides = [(value.a, value.b), (value.b, value.a)]
    return any((a is own or _adds(a, own)) and own not in set(postorder(b)) for a, b in sides)


def domain_names(count: int, parameters: Collection[str]) -> tuple[str, ...]:
    """Names for the coordinates of a domain, innermost first; from the fifth on, numbers."""
    axes = (*_AXES[:count], *map(str, range(len(_AXES), count)))
    base = "r"
    while any(f"{base}.{a}" in parameters for a in axes):
        base += "_"
    return tuple(f"{base}.{a}" for a in axes)
