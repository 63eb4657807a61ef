"""Builds the loops of one definition from its schedule.

A coordinate `x` of stage f's definition i is the variable `f.s0.x`; the region that is computed is
`f.min.0`, `f.extent.0`, ... (of the caller's buffer for an output, inferred for others).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from .. import ir
from ..ir import Add, Expr, Select, Sub, Variable, const, simplify
from ..ir import stmts as s
from ..ir.multi_point import point_counts
from ..lang import Once, Split, StageSchedule, is_undef
from .kept_elements import is_kept_by_choice
from .plan import PlannedDefinition, StagePlan
from .region import Loops, updated_low
from .specialize import specialized
from .splits import SHIFTED, SplitLoop, SplitLoops

OUTERMOST = "__outermost"
"""The loop of one iteration around all others of a definition."""

_ROUNDED = ".rounded"
"""Marks a coordinate that may lie beyond the last one: see `SplitLoops.unclamped_reads`."""


def loop_name(stage: str, index: int, variable: str) -> str:
    """The loop variable of `variable` in definition `index` of a stage."""
    return f"{stage}.s{index}.{variable}"


def coordinate(name: str) -> Variable:
    variable: Variable = Variable(name, ir.I32)
    return variable


def definition_nest(
    plan: StagePlan, index: int, known: Loops, levels: Collection[tuple[str, str]] = ()
) -> s.Stmt | None:
    """The loops of definition `index`; None when it assigns nothing.

    `levels` are the (func, loop) at which others are scheduled. Leaves in `known` what bounds
    inference must know.

    Each coordinate and each guard of a split stands as far outside as its loops allow, so that what
    others compute inside of a loop is not computed for steps that do nothing. Specialized schedules
    make nests of their own.
    """

    def build(
        definition: PlannedDefinition, schedule: StageSchedule, condition: Expr
    ) -> s.Stmt | None:
        return _scheduled_nest(plan, index, definition, schedule, condition, known, levels)

    return specialized(plan.definitions[index], plan.schedule.stages[index], build)


def _scheduled_nest(
    plan: StagePlan,
    index: int,
    definition: PlannedDefinition,
    schedule: StageSchedule,
    condition: Expr,
    known: Loops,
    levels: Collection[tuple[str, str]],
) -> s.Stmt | None:
    """The loops of one schedule of definition `index`, which is taken where `condition` holds."""
    provide = _provide(plan, definition)
    if provide is None:
        return None
    made = _split_loops(plan, index, definition, known)
    for change in schedule.splits:
        if isinstance(change, Once):
            name = loop_name(plan.name, index, change.loop)
            made.loops[change.loop] = SplitLoop(name, const(1), None)
        else:
            made.apply(change)
    body: s.Stmt = _in_loops(plan, index, definition, provide, made, schedule.atomic)
    dimensions = [(d.name, d.kind) for d in schedule.dimensions]
    if (plan.name, OUTERMOST) in levels:
        made.loops[OUTERMOST] = SplitLoop(loop_name(plan.name, index, OUTERMOST), const(1), None)
        dimensions.append((OUTERMOST, "serial"))
    for name, _ in dimensions:
        known.by_level.setdefault((plan.name, name), []).append(made.loops[name].name)
    known.guards.update(made.guards)
    known.add_least_extents(plan.name, made.least_extents, condition)
    known.add_clamps(made.lets, made.clamps)
    known.add_steps(made.lets, made.steps)
    order = _by_loop(made, [made.loops[name].name for name, _ in dimensions])
    block = block_loops(schedule)
    for position, (name, kind) in enumerate(dimensions):
        if position == len(block):
            body = _at_once(plan, index, body, [made.loops[b].name for b in block])
        loop = made.loops[name]
        for guard in order[loop.name].guards:
            body = s.IfThenElse(guard, body)
        for let, value in reversed(order[loop.name].lets):
            body = s.LetStmt(let, value, body)
        start = loop.offset if loop.offset is not None else const(0)
        body = s.For(loop.name, start, loop.extent, kind, body)
    if len(block) == len(dimensions):
        body = _at_once(plan, index, body, [made.loops[b].name for b in block])
    outside = order[""]
    for let, value in reversed(outside.lets):
        body = s.LetStmt(let, value, body)
    return body


def _at_once(plan: StagePlan, index: int, body: s.Stmt, loops: Sequence[str]) -> s.Stmt:
    """The block of a pure definition that overwrites what it reads."""
    if plan.overwritten is None or index:
        return body
    extents = zip(loops, plan.overwritten.extents, strict=True)
    return s.AtOnce(plan.name, body, tuple(extents))


def block_loops(schedule: StageSchedule) -> list[str]:
    """The innermost loops that are vectors or unrolled, innermost first, by their dimensions."""
    made = []
    for dimension in schedule.dimensions:
        if dimension.kind not in ("vectorized", "unrolled"):
            break
        made.append(dimension.name)
    return made


def _split_loops(
    plan: StagePlan, index: int, definition: PlannedDefinition, known: Loops
) -> SplitLoops:
    """The loops of the definition before any split: its coordinates and reduction variables."""
    mapping = _coordinates(plan, index, definition)
    loops: dict[str, SplitLoop] = {}
    longer = longer_first(plan, known) if index else ()
    for d, (a, (low, extent)) in enumerate(zip(plan.args, plan.region, strict=True)):
        if d in longer:
            first = updated_low(plan.name, d)
            low, extent = first, simplify(Sub(Add(low, extent), first))
        loops[a] = SplitLoop(loop_name(plan.name, index, a), extent, low, a)
    for name, start, size in definition.domain:
        start, size = (ir.substitute(e, mapping) for e in (start, size))
        loops[name] = SplitLoop(loop_name(plan.name, index, name), size, start)
    return SplitLoops(loops, {}, {})


def longer_first(plan: StagePlan, known: Loops) -> Sequence[int]:
    """Dimensions in which the stage's pure definition may need a longer region than its updates:
    loops of the one are shifted inwards, those of the others run over what is read."""
    least = known.least_extents.get(plan.name, {})
    if plan.is_output or len(plan.definitions) == 1 or not least:
        return ()
    updates = [x for schedule in plan.schedule.stages[1:] for x in _with_special(schedule)]
    if any(isinstance(c, Split) and c.tail in SHIFTED for x in updates for c in x.splits):
        return ()
    return [d for d, name in enumerate(plan.args) if name in least]


def _with_special(schedule: StageSchedule) -> list[StageSchedule]:
    below = [x for branch in schedule.specializations for x in _with_special(branch.schedule)]
    return [schedule, *below]


def needs_constant_extents(plan: StagePlan) -> bool:
    """Whether whole dimensions of the stage are unrolled or vectorized."""
    for schedule in plan.schedule.stages:
        for stage in _with_special(schedule):
            made = {c.inner for c in stage.splits if isinstance(c, Split)}
            kinds = ("unrolled", "vectorized")
            if any(d.kind in kinds and d.name not in made for d in stage.dimensions):
                return True
    return False


def _coordinates(plan: StagePlan, index: int, definition: PlannedDefinition) -> dict[Expr, Expr]:
    names = [*plan.args, *(v for v, _, _ in definition.domain)]
    return {coordinate(v): coordinate(loop_name(plan.name, index, v)) for v in names}


def _in_loops(
    plan: StagePlan,
    index: int,
    definition: PlannedDefinition,
    provide: s.Provide,
    made: SplitLoops,
    atomic: bool,
) -> s.Stmt:
    """The assignment over loop variables, under the definition's predicates."""
    mapping = _coordinates(plan, index, definition)
    reads, writes = (_rounded(mapping, x) for x in (made.unclamped_reads, made.unclamped_writes))
    args = tuple(ir.substitute(a, writes) for a in provide.args)
    values = [ir.substitute(v, reads) for v in provide.values]
    for condition in made.blends:
        kept = [
            ir.Call(name, args, v.type, "func")
            for name, v in zip(plan.value_names(), values, strict=True)
        ]
        values = [Select(condition, v, k) for v, k in zip(values, kept, strict=True)]
    for name in sorted(made.unclamped_reads | made.unclamped_writes):
        made.lets.insert(0, (name + _ROUNDED, _whole_value(name, made)))
        made.steps[name + _ROUNDED] = made.steps[name]
    body: s.Stmt = s.Provide(plan.name, tuple(values), args)
    if atomic:
        body = s.Atomic(plan.name, body)
    for predicate in definition.predicates:
        body = s.IfThenElse(ir.substitute(predicate, reads), body)
    return body


def _rounded(mapping: Mapping[Expr, Expr], names: set[str]) -> dict[Expr, Expr]:
    return {
        k: coordinate(v.name + _ROUNDED) if isinstance(v, Variable) and v.name in names else v
        for k, v in mapping.items()
    }


def _whole_value(name: str, made: SplitLoops) -> Expr:
    return next(value for let, value in made.lets if let == name)


@dataclass
class _AtLoop:
    """What stands just inside of a loop, outermost first."""

    lets: list[tuple[str, Expr]]
    guards: list[Expr]


def _by_loop(made: SplitLoops, loops: list[str]) -> dict[str, _AtLoop]:
    """For each of `loops` (innermost first; "" for outside of all): the lets and guards there."""
    depth = {name: len(loops) - i for i, name in enumerate(loops)}
    names = {0: "", **{d: name for name, d in depth.items()}}
    found = {name: _AtLoop([], []) for name in names.values()}

    def depth_of(expr: Expr) -> int:
        return max(
            (depth.get(x.name, 0) for x in ir.postorder(expr) if isinstance(x, Variable)), default=0
        )

    # A later split makes the variables that an earlier one's coordinate is made of.
    for let, value in reversed(made.lets):
        depth[let] = depth_of(value)
        found[names[depth[let]]].lets.append((let, value))
    for guard in made.guards:
        found[names[depth_of(guard)]].guards.append(guard)
    return found


def _provide(plan: StagePlan, definition: PlannedDefinition) -> s.Provide | None:
    """The assignment; None when it assigns nothing. An `undef` inside keeps what is there: in an
    output, where it ends a choice, by a store less."""
    if all(is_undef(v) for v in definition.values):
        return None
    values = []
    for name, value in zip(plan.value_names(), definition.values, strict=True):
        if plan.is_output and not point_counts(definition.args) and is_kept_by_choice(value):
            values.append(simplify(value))
            continue
        kept = ir.Call(name, definition.args, value.type, "func")
        undef = ir.Call("undef", (), value.type, "pure")
        values.append(simplify(ir.substitute(value, {undef: kept})))
    return s.Provide(plan.name, tuple(values), definition.args)


__all__ = [
    "OUTERMOST", "block_loops", "coordinate", "definition_nest", "longer_first", "loop_name",
    "needs_constant_extents",
]  # fmt: skip
