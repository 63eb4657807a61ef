"""Scans: stores of what is made of elements that earlier iterations have stored.

    for (i = 1; i < n; i++)                  a(r + 1) = a(r + 1) + a(r)
        a[i] += a[i - 1];                        for each r in the loops' order

Such a store is an update over a reduction domain, the iterations of its loops in their order, whose
reads of the output are of what is there by then.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir import (
    I32,
    I64,
    TRUE,
    Add,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Select,
    Sub,
    Type,
    Variable,
    const,
    postorder,
)

from ..dag import from_polynomial, normal, polynomial
from ..model.stage import Stage, Write
from ..model.summary import Dimension, Witness
from .reduction import domain_names
from .roi import Region
from .terminals import Mapping, image_coordinates


@dataclass(frozen=True)
class Scan:
    """`output(place) = value` for each point of `domain`, in its order."""

    write: Write
    domain: tuple[Dimension, ...]
    mapping: Mapping
    value: Expr
    """Typed, over flat loads and counters; the old element where nothing is stored."""
    roi: tuple[Dimension, ...]
    """All elements of the output that are read or stored."""


def hands_on(stage: Stage) -> bool:
    """Whether a stage's one store, to places that loops move, reads elements of its own array."""
    if len(stage.writes) != 1 or stage.is_fold:
        return False
    (write,) = stage.writes
    counters = {loop.counter for loop in write.loops}
    reads = (n for n in postorder(write.value, write.condition) if isinstance(n, Load))
    return not counters.isdisjoint(postorder(*write.indices)) and any(
        read.array == write.array for read in reads
    )


def find_scan(stage: Stage, region: Region, parameters: dict[str, Type]) -> Scan | None:
    """The stage as a scan over a region that its store fills; None where it isn't seen to be one:
    where the number of iterations varies, or elements are read that lie anywhere."""
    (write,) = stage.writes
    counters = {loop.counter for loop in write.loops}
    if any(counters & set(postorder(loop.extent)) for loop in write.loops):
        return None
    own = Load(write.array, write.indices, write.value.type)
    value = write.value if write.condition is TRUE else Select(write.condition, write.value, own)
    loops = tuple(reversed(write.loops))
    names = domain_names(len(loops), parameters)
    starts = [_start(loop.counter, write, region) for loop in loops]
    domain = tuple(
        Dimension(Variable(name, I32), start, normal(Add(start, loop.extent)))
        for name, start, loop in zip(names, starts, loops, strict=True)
    )
    coordinates = tuple(Variable(d.variable.name, I64) for d in domain)
    point = tuple(normal(Add(x.counter, s)) for x, s in zip(loops, starts, strict=True))
    solved = tuple(normal(Sub(c, s)) for c, s in zip(coordinates, starts, strict=True))
    mapping = Mapping(write, point, tuple(reversed(solved)), coordinates)
    roi = _with_what_is_read(region, write, value)
    return None if roi is None else Scan(write, domain, mapping, value, roi)


def witness_of(scan: Scan) -> Witness:
    """Which point of the domain an iteration is."""
    return Witness(scan.mapping.coordinates, scan.mapping.counters)


def _start(counter: Variable, write: Write, region: Region) -> Expr:
    """Where a counter's coordinate starts, so that it is the one that the store goes to."""
    place = image_coordinates(write.indices, region.layout) or ()
    for coordinate in place:
        terms = polynomial(coordinate)
        if terms.pop((counter,), 0) == 1 and all(
            isinstance(atom, Variable) and atom not in {x.counter for x in write.loops}
            for monomial in terms
            for atom in monomial
        ):
            return from_polynomial(terms)
    return const(0, I64)


def _with_what_is_read(region: Region, write: Write, value: Expr) -> tuple[Dimension, ...] | None:
    """The region with the elements that lie as far from those that are stored as the ones read;
    None where that isn't one distance for all of them."""
    place = image_coordinates(write.indices, region.layout)
    counters = {loop.counter for loop in write.loops}
    lower, upper = ([getattr(d, end) for d in region.dimensions] for end in ("lower", "upper"))
    for load in (n for n in postorder(value) if isinstance(n, Load) and n.array == write.array):
        read = image_coordinates(load.indices, region.layout)
        if place is None or read is None:
            return None
        for d, (there, here) in enumerate(zip(read, place, strict=True)):
            distance = normal(Sub(there, here))
            if not counters.isdisjoint(postorder(distance)):
                return None
            if any(isinstance(node, Load) for node in postorder(distance)):
                return None
            lower[d] = _end(Min, lower[d], region.dimensions[d].lower, distance)
            upper[d] = _end(Max, upper[d], region.dimensions[d].upper, distance)
    return tuple(
        Dimension(d.variable, low, high)
        for d, low, high in zip(region.dimensions, lower, upper, strict=True)
    )


def _end(extreme: type[Min | Max], end: Expr, bound: Expr, distance: Expr) -> Expr:
    """Where the region ends if it also has what lies at a distance from one of its bounds."""
    moved = normal(Add(bound, distance))
    difference = normal(Sub(moved, end))
    if isinstance(difference, Const):
        return moved if (difference.value < 0) == (extreme is Min) else end
    return normal(extreme(end, moved))
