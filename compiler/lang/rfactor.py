"""`rfactor`: part of an associative reduction becomes a stage of its own.

    f(x) = 0                          g(x, u) = 0
    f(x) += a(x, r.x, r.y)     ->     g(x, u) += a(x, r.x, u)
                                      f(x) = 0
    f.update().rfactor(r.y, u)        f(x) += g(x, r.y)

The steps of `g` for different u touch different points: they may run in parallel or as lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .. import ir
from ..ir import Expr, Variable, const, simplify
from ..ir import nodes as n
from .associativity import AssociativeOperation, associative_operation
from .errors import fail
from .function import Definition, Function
from .schedule import Change, Fuse, LoopDimension, Once, Rename, Split, StageSchedule
from .variables import ReductionDomain, RVar, Var

if TYPE_CHECKING:
    from .handles import DefinitionHandle

_Bounds = tuple[Expr, Expr]


@dataclass
class _Reduction:
    """The definition over the loops that the directives so far have made of its domain."""

    loops: dict[str, _Bounds]
    """(min, extent) of each reduction loop."""
    values: dict[Expr, Expr]
    """The original reduction variables in terms of the loops' variables."""
    guards: list[Expr]
    """What keeps split loops within the domain, by the loops' variables."""

    def in_loops(self, e: Expr) -> Expr:
        return ir.substitute(e, self.values)


def rfactor(stage: DefinitionHandle, preserved: Sequence[tuple[RVar, Var]]) -> Function:
    """The stage that reduces over all but the `preserved` loops; it keeps those as coordinates.

    Raises `HalideError` where the update isn't provably associative, where a preserved loop does
    not exist, where a new coordinate's name is taken, or where the update isn't commutative and an
    inner loop is to be kept.
    """
    function, schedule = stage.function, stage.schedule
    definition = function.definitions[stage.index]
    operation = _operation(stage, definition)
    kept = {r.name(): v.name() for r, v in preserved}
    if len(kept) < len(preserved):
        fail(_problem(stage, "that keeps the same loop under two names"))
    _check(stage, kept, operation)
    # Coordinates come as their loops do, the innermost first: what inner loops reach is close.
    kept = {d.name: kept[d.name] for d in schedule.dimensions if d.name in kept}
    reduction = _reduction(definition, schedule)
    if operation.needs_steps and _may_be_empty(definition, reduction, kept):
        fail(
            _problem(
                stage,
                "because it keeps the last of equal values, and a group of steps may be empty: the "
                "group's index would stand for a value that is not there",
            )
        )
    intermediate = _intermediate(function, definition, schedule, reduction, kept, operation)
    _merge(stage, definition, reduction, kept, operation, intermediate)
    return intermediate


def _may_be_empty(definition: Definition, reduction: _Reduction, kept: dict[str, str]) -> bool:
    """Whether the steps that are reduced for one value of the kept loops may be none."""
    inner = [extent for name, (_, extent) in reduction.loops.items() if name not in kept]
    some = all(isinstance(e, ir.Const) and int(e.value) > 0 for e in inner)
    return not some or bool(definition.predicates or reduction.guards)


def _problem(stage: DefinitionHandle, why: str) -> str:
    names = " ".join([*(d.name for d in stage.schedule.dimensions), "__outermost"])
    return f"In schedule for {stage.name()}: can't perform rfactor() {why}\nVars: {names}"


def _operation(stage: DefinitionHandle, definition: Definition) -> AssociativeOperation:
    function = stage.function
    own = tuple(
        ir.Call(function.value_name(i), definition.args, t, "func")
        for i, t in enumerate(function.types)
    )
    found = associative_operation(own, definition.values)
    if found is None:
        fail(_problem(stage, "because we can't prove associativity of the operator"))
    return found


def _check(stage: DefinitionHandle, kept: dict[str, str], operation: AssociativeOperation) -> None:
    reductions = [d.name for d in stage.schedule.dimensions if not d.is_pure]
    for name in kept:
        if name not in reductions:
            fail(
                _problem(
                    stage,
                    f"on {name} since either it is not in the reduction domain, or has already "
                    "been consumed by another scheduling directive",
                )
            )
    for name, coordinate in kept.items():
        taken = {d.name for d in stage.schedule.dimensions} | set(stage.function.args)
        if coordinate in taken or list(kept.values()).count(coordinate) > 1:
            fail(
                _problem(
                    stage,
                    f"on {name} because the name {coordinate} is already used elsewhere in the "
                    "Func's schedule.",
                )
            )
    inner = [r for i, r in enumerate(reductions) if r in kept and
             any(o not in kept for o in reductions[i + 1:])]  # fmt: skip
    if inner and not operation.is_commutative:
        fail(
            _problem(
                stage,
                f"on the inner dimension {inner[0]} without reordering: the operator isn't "
                "commutative",
            )
        )


def _reduction(definition: Definition, schedule: StageSchedule) -> _Reduction:
    """Follows the splits and fuses of reduction loops from the domain to the loops there are."""
    domain = definition.domain
    assert domain is not None
    made = _Reduction(dict(zip(domain.names, domain.bounds, strict=True)), {}, [])
    for change in schedule.splits:
        if isinstance(change, Split) and change.old in made.loops:
            low, extent = made.loops.pop(change.old)
            factor = change.factor if isinstance(change.factor, Expr) else const(change.factor)
            outer, inner = _variable(change.outer), _variable(change.inner)
            position = n.Add(n.Mul(outer, factor), inner)
            count = simplify(n.Div(n.Add(extent, n.Sub(factor, const(1))), factor))
            made.loops[change.outer] = const(0), count
            made.loops[change.inner] = const(0), factor
            if _divides(factor, extent):
                _define(made, change.old, n.Add(position, low))
            else:
                # The guard keeps the rest from running; what is read is bounded by the clamp.
                inside = n.Min(position, n.Sub(extent, const(1)))
                _define(made, change.old, n.Add(inside, low))
                made.guards.append(n.LT(position, extent))
        elif isinstance(change, Fuse) and change.inner in made.loops:
            if change.outer not in made.loops:
                fail(f"rfactor: {change.fused} fuses a reduction variable with another one.")
            (inner_low, inner_extent) = made.loops.pop(change.inner)
            (outer_low, outer_extent) = made.loops.pop(change.outer)
            fused = _variable(change.fused)
            _define(made, change.inner, n.Add(n.Mod(fused, inner_extent), inner_low))
            _define(made, change.outer, n.Add(n.Div(fused, inner_extent), outer_low))
            made.loops[change.fused] = const(0), simplify(n.Mul(inner_extent, outer_extent))
        elif isinstance(change, Rename) and change.old in made.loops:
            made.loops[change.new] = made.loops.pop(change.old)
            _define(made, change.old, _variable(change.new))
    return made


def _divides(factor: Expr, extent: Expr) -> bool:
    """Whether it is known that `factor` divides `extent`."""
    if not isinstance(factor, ir.Const) or not isinstance(extent, ir.Const):
        return False
    return int(extent.value) % int(factor.value) == 0


def _define(made: _Reduction, name: str, value: Expr) -> None:
    """`name` stands for `value` from now on, also in what was said of others before."""
    old = _variable(name)
    made.values = {k: simplify(ir.substitute(v, {old: value})) for k, v in made.values.items()}
    made.guards = [ir.substitute(g, {old: value}) for g in made.guards]
    if old not in made.values:
        made.values[old] = value


def _variable(name: str) -> Expr:
    return Variable(name, ir.I32)


def _intermediate(
    function: Function,
    definition: Definition,
    schedule: StageSchedule,
    reduction: _Reduction,
    kept: dict[str, str],
    operation: AssociativeOperation,
) -> Function:
    made = Function(f"{function.name}_intm")
    made.args = (*function.args, *kept.values())
    made.types = function.types
    made.make_outputs()
    coordinates = tuple(_variable(v) for v in kept.values())
    to_coordinates = {_variable(r): _variable(v) for r, v in kept.items()}
    names = {function.value_name(i): made.value_name(i) for i in range(len(function.types))}

    def moved(e: Expr) -> Expr:
        """`e`, which is about the domain's variables."""
        return placed(reduction.in_loops(e))

    def placed(e: Expr) -> Expr:
        """`e`, which is about the loops' variables."""
        e = ir.substitute(e, to_coordinates)

        def renamed(node: Expr) -> Expr:
            if isinstance(node, ir.Call) and node.kind == "func" and node.name in names:
                return ir.Call(names[node.name], (*node.args, *coordinates), node.type, "func")
            return node

        return ir.transform(e, renamed)

    rest = {name: bounds for name, bounds in reduction.loops.items() if name not in kept}
    domain = _domain(rest, definition, [moved(p) for p in definition.predicates])
    domain.predicates += [placed(g) for g in reduction.guards]
    all_args = tuple(_variable(a) for a in made.args)
    made.definitions.append(
        Definition(all_args, operation.identities, frozenset(), None, definition.location)
    )
    made.schedule.stages.append(StageSchedule([LoopDimension(a) for a in made.args]))
    args = (*map(moved, definition.args), *coordinates)
    sources = (definition.sources - {definition.domain}) | {domain}
    values = tuple(map(moved, definition.values))
    made.definitions.append(Definition(args, values, sources, domain, definition.location))
    dimensions = [
        LoopDimension(kept[d.name]) if d.name in kept else replace(d) for d in schedule.dimensions
    ]
    made.schedule.stages.append(StageSchedule(dimensions, _pure_splits(schedule, definition)))
    made.frozen = True
    return made


def _domain(
    loops: dict[str, _Bounds], definition: Definition, predicates: list[Expr]
) -> ReductionDomain:
    made = ReductionDomain((), ())
    made.names, made.bounds = tuple(loops), tuple(loops.values())
    made.predicates = predicates
    if definition.domain is not None:
        made.sources = definition.domain.sources
    return made


def _pure_splits(schedule: StageSchedule, definition: Definition) -> list[Change]:
    """The splits of loops that are no reduction's; the others are in the definitions now."""
    assert definition.domain is not None
    reductions = set(definition.domain.names)
    kept: list[Change] = []
    for change in schedule.splits:
        if isinstance(change, Split):
            olds, news = {change.old}, {change.outer, change.inner}
        elif isinstance(change, Fuse):
            olds, news = {change.inner, change.outer}, {change.fused}
        elif isinstance(change, Once):
            olds, news = set(), set()
        else:
            olds, news = {change.old}, {change.new}
        if olds & reductions:
            reductions |= news
        else:
            kept.append(change)
    return kept


def _merge(
    stage: DefinitionHandle,
    definition: Definition,
    reduction: _Reduction,
    kept: dict[str, str],
    operation: AssociativeOperation,
    intermediate: Function,
) -> None:
    """Turns the definition of `stage` into the reduction of `intermediate` over the kept loops."""
    function, schedule = stage.function, stage.schedule
    gone = {_variable(name) for name in reduction.loops if name not in kept}
    args: list[Expr] = []
    replaced: list[str] = []
    for name, given in zip(function.args, definition.args, strict=True):
        arg = reduction.in_loops(given)
        if gone & set(ir.postorder(arg)):
            # Where it goes depends on what has been reduced: all points are merged.
            arg = _variable(name)
            replaced.append(name)
        args.append(arg)
    own, partial = [], []
    for i, type in enumerate(function.types):
        own.append(ir.Call(function.value_name(i), tuple(args), type, "func"))
        place = (*args, *(_variable(r) for r in kept))
        partial.append(ir.Call(intermediate.value_name(i), place, type, "func"))
    values = operation.combine(tuple(own), tuple(partial))
    loops = {name: bounds for name, bounds in reduction.loops.items() if name in kept}
    domain = _domain(loops, definition, [])
    sources = frozenset({intermediate, domain}) | domain.sources
    function.definitions[stage.index] = Definition(
        tuple(args), values, sources, domain, definition.location
    )
    pure = {a.name for a in args if isinstance(a, Variable) and a.name in function.args}
    splits = _pure_splits(schedule, definition)
    dimensions = [d for d in schedule.dimensions if d.is_pure or d.name in kept]
    dimensions += [LoopDimension(a) for a in replaced if a in pure]
    schedule.dimensions[:] = [
        d if d.is_pure else replace(d, kind="serial", is_independent=False) for d in dimensions
    ]
    schedule.splits[:] = splits
    schedule.touched = True
