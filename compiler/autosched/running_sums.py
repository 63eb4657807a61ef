"""Window sums of integers, in constant time a point: a running sum beside the window.

    s(x) = 0                                 run(x)   = 0
    s(x) += f(x + r), r in [a, a + n)   ->   run(x0)  += f(x0 + r)                    the first one
                                             run(q)   = run(q - 1) + f(q + a + n - 1) - f(q - 1 + a)
                                             s(x)     = run(x)

A window over two coordinates runs along one of them over what runs along the other. Integers are
added in any order modulo 2**bits, in an unsigned type, in which nothing overflows; floats stay as
they are. Such a sum is a scan from x0, the first coordinate that anybody needs; vectors go along
what else is free (`scans`). Windows of a few constant steps become expressions instead. Users'
programs stay what they are: what is returned are stages of this module's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from .. import ir
from ..ir import Call, Const, Expr, Variable, const, simplify, substitute
from ..ir import nodes as n
from ..lang import Definition, Function, select
from ..lang import Expr as Handle
from ..lang import max as maximum
from ..lang import min as minimum
from ..lang.expr import Sources
from ..lang.names import fresh_name
from ..lang.variables import ReductionDomain
from ..lower.expand_reduction import MOST_STEPS
from ..lower.guard_loads import both, either
from ..lower.needed_where import conditions_of_reads, is_over_parameters
from ..lower.plan import planned
from .loops import names_of

_PURE = ("func", "image", "pure")
"""Kinds of calls that give the same wherever and however often they stand."""


@dataclass(frozen=True)
class _Moving:
    """A reduction variable whose window moves with a coordinate."""

    counter: Variable
    low: Handle
    """How far from the coordinate the window begins."""
    steps: Handle
    """How many elements it has; 0 and less for none."""
    dimension: int
    first: Handle
    """The first coordinate that is needed."""
    count: Handle
    """How many coordinates are."""


@dataclass(frozen=True)
class _Window:
    """A stage that is a sum over a window."""

    function: Function
    term: Expr
    """What is added, unsigned, at the coordinates and reduction variables."""
    moving: tuple[_Moving, ...]
    still: tuple[tuple[str, Expr, Expr], ...]
    """(name, min, extent) of other reduction variables."""


def with_running_sums(
    order: Sequence[Function], outputs: Sequence[Function]
) -> tuple[list[Function], list[Function]]:
    """(order, outputs) of the same values, in which window sums run along coordinates.

    `order` has all stages, producers first. What doesn't change is the same object; nothing that is
    given changes.
    """
    if any(f.wrappers for f in order):
        return list(order), list(outputs)
    windows = {f: w for f in order if (w := _window(f, order, outputs)) is not None}
    made: list[Function] = []
    instead: dict[Function, Function] = {}
    for function in order:
        window = windows.get(function)
        if window is not None:
            stages = _running(window, instead)
            made += stages
            instead[function] = _copy(function, [_whole(function, stages[-1])])
        elif any(instead.keys() & d.sources for d in function.definitions):
            instead[function] = _copy(function, [_of(d, instead) for d in function.definitions])
        made.append(instead.get(function, function))
    return made, [instead.get(f, f) for f in outputs]


def _window(
    function: Function, order: Sequence[Function], outputs: Sequence[Function]
) -> _Window | None:
    if len(function.types) != 1 or len(function.definitions) != 2:
        return None
    type, (start, update) = function.types[0], function.definitions
    here = tuple(Variable(a, ir.I32) for a in function.args)
    domain, own, value = update.domain, Call(function.name, here, type, "func"), update.values[0]
    if not type.is_integer or type.is_bool or start.values[0] is not const(0, type):
        return None
    if domain is None or domain.predicates or update.args != here or not isinstance(value, n.Add):
        return None
    term = value.b if value.a is own else value.a
    if (value.a is own) == (value.b is own) or not _is_pure(term, function.name):
        return None
    moving: dict[int, _Moving] = {}
    needed: Expr = ir.TRUE
    still: list[tuple[str, Expr, Expr]] = []
    for name, (low, steps) in zip(domain.names, domain.bounds, strict=True):
        counter = Variable(name, ir.I32)
        is_short = isinstance(steps, Const) and steps.value <= MOST_STEPS
        dimension = None if is_short else _dimension(function, term, counter)
        region = None
        if dimension is not None and dimension not in moving:
            region = _region(function, dimension, order, outputs)
        if dimension is None or region is None:
            still.append((name, low, steps))
            continue
        begin, number = (Handle.of(e, extra=domain.sources) for e in (low, steps))
        moving[dimension] = _Moving(counter, begin, number, dimension, *region[:2])
        needed = region[2]
    if not moving:
        return None
    # Along rows last: what goes down columns stores whole rows as they are read then.
    last_first = tuple(moving[d] for d in sorted(moving, reverse=True))
    if needed is not ir.TRUE:
        term = n.Select(needed, term, const(0, type))
    return _Window(function, n.Cast(ir.UInt(type.bits), term), last_first, tuple(still))


def _is_pure(term: Expr, own: str) -> bool:
    calls = [c for c in ir.postorder(term) if isinstance(c, Call)]
    return all(c.kind in _PURE and c.name not in (own, "undef") for c in calls)


def _dimension(function: Function, term: Expr, counter: Variable) -> int | None:
    """The coordinate that a window moves with: the term depends on it by its sum with the counter
    alone."""
    total = Variable(f"{counter.name}.total", ir.I32)
    for dimension, name in enumerate(function.args):
        here = Variable(name, ir.I32)
        moved = simplify(substitute(term, {counter: n.Sub(total, here)}))
        parts = set(ir.postorder(moved))
        if total in parts and here not in parts and counter not in parts:
            return dimension
    return None


@dataclass(frozen=True)
class _Needed:
    """A coordinate of an output, for which a stage is read."""

    output: Function
    dimension: int
    condition: Expr
    """Over parameters: when it is."""


def _region(
    function: Function, dimension: int, order: Sequence[Function], outputs: Sequence[Function]
) -> tuple[Handle, Handle, Expr] | None:
    """(min, extent) of a coordinate over all points of a stage that anybody needs, and when; None
    where they aren't what outputs have of one coordinate each."""
    found = [*_needed(function, dimension, order, outputs)]
    needed = [one for one in found if one is not None]
    if not needed or len(needed) < len(found):
        return None
    places = dict.fromkeys((one.output, one.dimension) for one in needed)
    first, *others = (f.outputs[0].dim(d) for f, d in places)
    low, end = first.min(), first.min() + first.extent()
    for other in others:
        low = minimum(low, other.min())
        end = maximum(end, other.min() + other.extent())
    extent = end - low if others else first.extent()
    return low, extent, reduce(either, (one.condition for one in needed))


def _needed(
    function: Function, dimension: int, order: Sequence[Function], outputs: Sequence[Function]
) -> Iterator[_Needed | None]:
    """The outputs' coordinates that readers of a stage, and theirs, have at one of its own; None
    for a reader that has another, or that doesn't need all: the sums of points that nobody needs
    may be of elements that aren't there."""
    if function in outputs:
        yield _Needed(function, dimension, ir.TRUE)
        return
    names = names_of(function)
    for reader in order:
        for index, definition in enumerate(reader.definitions):
            plan = planned(definition)
            reads = [] if reader is function else list(conditions_of_reads(names, plan))
            if not reads:
                continue
            own = [Variable(a, ir.I32) for a in reader.args]
            (place, *others) = {call.args[dimension] for call, _ in reads}
            is_wider = len(reader.definitions) > 1 and reader not in outputs
            conditions = [condition for _, condition in reads]
            is_asked = not all(is_over_parameters(c, plan) for c in conditions)
            if index or others or place not in own or is_wider or is_asked:
                yield None
                return
            needed = reduce(either, conditions)
            for found in _needed(reader, own.index(place), order, outputs):
                yield found and replace(found, condition=both(needed, found.condition))


def _running(window: _Window, instead: Mapping[Function, Function]) -> list[Function]:
    """The stages that hold the sums, the last one those of whole windows."""
    own = window.function.definitions[1]
    domain = own.domain
    assert domain is not None
    sources: Sources = frozenset(instead.get(s, s) for s in own.sources - {domain})
    sources |= domain.sources
    nowhere: dict[Expr, Expr] = {m.counter: const(0) for m in window.moving}
    value = Handle.of(simplify(substitute(window.term, nowhere)), extra=sources)
    stages: list[Function] = []
    here = [Handle.of(Variable(a, ir.I32)) for a in window.function.args]
    if window.still:
        made = _sums(window.function, "part", here, value.node)
        bounds = [(Handle.of(a, extra=sources), Handle.of(b, extra=sources))
                  for _, a, b in window.still]  # fmt: skip
        names = [f"{fresh_name('r')}$x" for _ in window.still]
        over = ReductionDomain(names, bounds)
        there: dict[Expr, Expr] = {
            Variable(a, ir.I32): Variable(b, ir.I32)
            for (a, _, _), b in zip(window.still, names, strict=True)
        }
        term = Handle.of(substitute(value.node, there), extra=sources | {over})
        made.define(here, [made.read(here) + term])
        stages.append(made)
        value = made.read(here)
    for moving in window.moving:
        stages.append(_along(window.function, moving, here, value))
        value = stages[-1].read(here)
    return stages


def _sums(function: Function, name: str, here: list[Handle], like: Expr) -> Function:
    """A stage of zeros, to be added to."""
    made = Function(f"{function.name}_{name}")
    made.define(here, [Handle.of(const(0, like.type))])
    return made


def _along(function: Function, moving: _Moving, here: list[Handle], value: Handle) -> Function:
    """The sums of a value over a window that moves with one coordinate."""
    made = _sums(function, "running", here, value.node)
    d, zero = moving.dimension, Handle.of(const(0))
    coordinate = here[d].node

    def placed(at: Handle) -> list[Handle]:
        return [*here[:d], at, *here[d + 1 :]]

    def term(at: Handle) -> Handle:
        return Handle.of(simplify(substitute(value.node, {coordinate: at.node})), at, value)

    first, low, steps = moving.first, moving.low, moving.steps
    begin = placed(first)
    step = _over(low, select(moving.count > 0, steps, zero))
    made.define(begin, [made.read(begin) + term(first + step)])
    # Of windows without elements nothing is read that the sums don't read either.
    place = _over(first + 1, select(steps > 0, moving.count - 1, zero))
    enters, leaves = term(place + (low + maximum(steps, zero) - 1)), term(place - 1 + low)
    made.define(placed(place), [made.read(placed(place - 1)) + enters - leaves])
    return made


def _over(low: Handle, extent: Handle) -> Handle:
    """A new reduction variable."""
    domain = ReductionDomain((f"{fresh_name('r')}$x",), ((low, extent),))
    return Handle.of(Variable(domain.names[0], ir.I32), extra=frozenset({domain}))


def _copy(function: Function, definitions: Sequence[Definition]) -> Function:
    """A stage that stands for another one: with its name, and other definitions."""
    made = Function.__new__(Function)
    made.__dict__.update(function.__dict__)
    made.definitions = list(definitions)
    stages = function.schedule.stages[: len(definitions)]
    made.schedule = replace(function.schedule.copy(), stages=[s.copy() for s in stages])
    return made


def _whole(function: Function, running: Function) -> Definition:
    """The stage itself, which reads its sums."""
    here = tuple(Variable(a, ir.I32) for a in function.args)
    value = n.Cast(function.types[0], Call(running.name, here, running.types[0], "func"))
    return replace(function.definitions[0], values=(value,), sources=frozenset({running}))


def _of(definition: Definition, instead: Mapping[Function, Function]) -> Definition:
    return replace(definition, sources=frozenset(instead.get(s, s) for s in definition.sources))


__all__ = ["with_running_sums"]
