"""Scans: stores of what is made of elements that earlier iterations have stored.

    for (i = 1; i < n; i++)                  a(r + 1) = a(r + 1) + a(r)
        a[i] += a[i - 1];                        for each r in the loops' order

Such a store is an update over a reduction domain, the iterations of its loops in their order, whose
reads of the output are of what is there by then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from compiler.ir import (
    I32,
    I64,
    TRUE,
    Add,
    Call,
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
from ..model.summary import Dimension, Layout, Witness
from .reduction import domain_names
from .roi import Region
from .terminals import Mapping, image_coordinates, steps_along


@dataclass(frozen=True)
class Scan:
    """`output(place) = value` for each point of `domain`, in its order."""

    write: Write
    domain: tuple[Dimension, ...]
    witness: Witness
    """Which point of the domain an iteration is."""
    mapping: Mapping
    value: Expr
    """Typed, over flat loads and counters; the old element where nothing is stored."""
    is_own: bool
    """Whether the kernel has the array for itself."""
    updated: frozenset[str]
    """The array, and those that are one tuple with it."""


def hands_on(stage: Stage) -> bool:
    """Whether a stage's one store, to places that loops move, reads elements of its own array, or
    is one of a tuple."""
    if len(stage.writes) != 1 or stage.beside or stage.is_joined:
        return False
    (write,) = stage.writes
    counters = {loop.counter for loop in write.loops}
    reads = (n for n in postorder(write.value, write.condition) if isinstance(n, Load))
    return not counters.isdisjoint(postorder(*write.indices)) and (
        stage.is_fold or any(read.array == write.array for read in reads)
    )


def find_scan(
    stage: Stage, region: Region, parameters: dict[str, Type], *, is_own: bool
) -> Scan | None:
    """The stage as a scan over a region that its store fills; None where the number of iterations
    varies. Of an array that the kernel has for itself (`is_own`), iterations count from 0."""
    (write,) = stage.writes
    counters = {loop.counter for loop in write.loops}
    if any(counters & set(postorder(loop.extent)) for loop in write.loops):
        return None
    own = Load(write.array, write.indices, write.value.type)
    value = write.value if write.condition is TRUE else Select(write.condition, write.value, own)
    loops = tuple(reversed(write.loops))
    names = domain_names(len(loops), parameters)
    zero = const(0, I64)
    starts = [zero if is_own else _start(loop.counter, write, region) for loop in loops]
    domain = tuple(
        Dimension(Variable(name, I32), start, normal(Add(start, loop.extent)))
        for name, start, loop in zip(names, starts, loops, strict=True)
    )
    coordinates = tuple(Variable(d.variable.name, I64) for d in domain)
    witness = iterations_as_points(write, domain)
    mapping = Mapping(write, witness.point, witness.counters, coordinates)
    updated = frozenset((write.array, *(w.array for w in stage.together)))
    return Scan(write, domain, witness, mapping, value, is_own, updated)


def iterations_as_points(
    write: Write, bounds: Sequence[Dimension], names: Sequence[Dimension] | None = None
) -> Witness:
    """The iterations of a store as the points of a box with these bounds, in their order, whose
    coordinates have the names of `bounds` or of `names`."""
    counters = [loop.counter for loop in reversed(write.loops)]
    point = tuple(normal(Add(c, d.lower)) for c, d in zip(counters, bounds, strict=True))
    iterations = [
        normal(Sub(Variable(n.variable.name, I64), d.lower))
        for n, d in zip(names or bounds, bounds, strict=True)
    ]
    return Witness(point, tuple(reversed(iterations)))


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


def beside_the_store(
    scan: Scan, value: Expr, layout: Layout
) -> Iterator[tuple[Load, tuple[Expr, ...]]]:
    """The reads of the output in a scan's value, as seen from the place that is stored: of a row
    that is gone through from its end, `d[x + 1]` is in that row and no other. Each with its
    coordinates, index expressions."""
    stored = tuple(scan.mapping.index(i) for i in scan.write.indices)
    here = image_coordinates(stored, layout)
    if here is None or layout.rows:
        return
    moving = set(scan.mapping.names)
    for load in (n for n in postorder(value) if isinstance(n, Load)):
        if load.array != scan.write.array:
            continue
        apart = steps_along(normal(Sub(load.indices[-1], stored[-1])), layout.strides)
        if apart is not None and moving.isdisjoint(postorder(*apart)):
            yield load, tuple(normal(Add(a, b)) for a, b in zip(here, apart, strict=True))


def with_what_is_read(
    region: Sequence[Dimension],
    stored: Sequence[Expr],
    reads: Iterable[Sequence[Expr]],
    moving: set[Expr],
) -> tuple[Dimension, ...] | None:
    """A region with the elements that are read beside those that are stored; None where they lie
    at no distance that parameters say. Places are index expressions over what is `moving`."""
    lower, upper = ([getattr(d, end) for d in region] for end in ("lower", "upper"))
    for read in reads:
        for d, (there, here) in enumerate(zip(read, stored, strict=True)):
            plain, least, most = _without_bounds(there, moving)
            if moving.isdisjoint(postorder(there)):  # one and the same, as the end of a row
                last, first = normal(Sub(upper[d], there)), normal(Sub(there, lower[d]))
                if _is_number(last, 1) or _is_number(first, 0):
                    continue
                lower[d] = _end(Min, lower[d], there)
                upper[d] = _end(Max, upper[d], normal(Add(there, const(1, I64))))
                continue
            distance = normal(Sub(plain, here))
            if any(n in moving or isinstance(n, (Load, Call)) for n in postorder(distance)):
                return None
            low, high = Add(region[d].lower, distance), Add(region[d].upper, distance)
            lower[d] = _end(Min, lower[d], normal(low) if least is None else least)
            past = None if most is None else normal(Add(most, const(1, I64)))
            upper[d] = _end(Max, upper[d], normal(high) if past is None else past)
    return tuple(
        Dimension(d.variable, low, high) for d, low, high in zip(region, lower, upper, strict=True)
    )


def _is_number(distance: Expr, least: int) -> bool:
    return isinstance(distance, Const) and distance.value >= least


def _without_bounds(place: Expr, moving: set[Expr]) -> tuple[Expr, Expr | None, Expr | None]:
    """A place without the bounds that it is kept inside, and these."""
    least = most = None
    while isinstance(place, (Min, Max)):
        bound, inner = place.a, place.b
        if not moving.isdisjoint(postorder(bound)):
            bound, inner = inner, bound
        if isinstance(place, Max):
            least = bound
        else:
            most = bound
        place = inner
    return place, least, most


def _end(extreme: type[Min | Max], end: Expr, moved: Expr) -> Expr:
    """Where the region ends if it also ends there."""
    difference = normal(Sub(moved, end))
    if isinstance(difference, Const):
        return moved if (difference.value < 0) == (extreme is Min) else end
    return normal(extreme(end, moved))
