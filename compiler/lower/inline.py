"""Stages that have no storage disappear into their consumers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from .. import ir
from ..ir import Call, Variable, simplify
from ..lang import ComputeLevel, Function, FunctionSchedule, HalideError
from .expand_reduction import expanded_value
from .plan import PlannedDefinition, StagePlan, planned
from .wrappers import definitions_of

Schedules = Mapping[Function, FunctionSchedule]


def inline(
    order: Sequence[Function], outputs: Sequence[Function], schedules: Schedules
) -> list[StagePlan]:
    """The stages that keep storage, producers first, with calls of all others replaced.

    Needs `order` to have producers before consumers. A stage with updates is inlined when it is a
    reduction over a few constant steps and nothing is placed inside of its loops; else it is
    stored around each of its uses.

        g(x) = a(x) + 1          f(x) = (a(x) + 1) * 2
        f(x) = g(x) * 2   ->
    """
    hosts = {
        level.func
        for function in order
        for level in _levels(schedules[function])
        if level is not None and level.place == "at"
    }
    values: dict[str, Callable[[Call], ir.Expr]] = {}
    plans: list[StagePlan] = []

    def resolved(expr: ir.Expr) -> ir.Expr:
        def visit(node: ir.Expr) -> ir.Expr:
            if isinstance(node, Call) and node.kind == "func" and node.name in values:
                return values[node.name](node)
            return node

        return ir.transform(expr, visit)

    for function in order:
        schedule = _with_conditions(function, schedules[function], resolved)
        definitions = tuple(_mapped(planned(d), resolved) for d in definitions_of(function))
        plan = StagePlan(function, definitions, schedule, function in outputs)
        inlined: Sequence[ir.Expr] | None = None
        if schedule.level.place == "inline" and not plan.is_output:
            if len(definitions) == 1:
                inlined = definitions[0].values
                _check_loops(plan)
            elif function.name not in hosts:
                value = expanded_value(plan)
                inlined = None if value is None else (value,)
        if inlined is None:
            plans.append(plan)
            continue
        for name, value in zip(plan.value_names(), inlined, strict=True):
            values[name] = _substituter(plan.args, value)
    return plans


def _levels(schedule: FunctionSchedule) -> Sequence[ComputeLevel | None]:
    return schedule.level, schedule.store_level, schedule.hoist_level


def _with_conditions(
    function: Function, schedule: FunctionSchedule, visit: Callable[[ir.Expr], ir.Expr]
) -> FunctionSchedule:
    """The schedule whose specializations read no stage; raises where one with memory is read."""
    if not any(
        isinstance(node, Call) and node.kind == "func"
        for stage in schedule.stages
        for special in stage.specializations
        for node in ir.postorder(special.condition)
    ):
        return schedule
    made = schedule.copy()
    for stage in made.stages:
        for place, special in enumerate(stage.specializations):
            condition = visit(special.condition)
            for node in ir.postorder(condition):
                if isinstance(node, Call) and node.kind == "func":
                    raise HalideError(
                        f"Specialization condition {special.condition} for {function.name} reads "
                        f"{node.name}, which is not computed before it: it must be inlined.",
                        function.definitions[0].location,
                    )
            stage.specializations[place] = replace(special, condition=condition)
    return made


_MEANINGLESS = {"vectorized": "vectorize", "parallel": "parallelize", "unrolled": "unroll"}


def _check_loops(plan: StagePlan) -> None:
    """Raises where the schedule speaks of loops that an inlined stage doesn't have."""
    for dimension in plan.schedule.stages[0].dimensions:
        doing = _MEANINGLESS.get(dimension.kind)
        if doing is not None:
            raise HalideError(
                f"Cannot {doing} dimension {dimension.name} of function {plan.name} because the "
                "function is scheduled inline.",
                plan.definitions[0].source.location,
            )


def _substituter(args: tuple[str, ...], value: ir.Expr) -> Callable[[Call], ir.Expr]:
    variables = [Variable(a, ir.I32) for a in args]

    def substituted(call: Call) -> ir.Expr:
        return ir.substitute(value, dict(zip(variables, call.args, strict=True)))

    return substituted


def _mapped(
    definition: PlannedDefinition, visit: Callable[[ir.Expr], ir.Expr]
) -> PlannedDefinition:
    def clean(e: ir.Expr) -> ir.Expr:
        return simplify(visit(e))

    return PlannedDefinition(
        tuple(map(clean, definition.args)),
        tuple(map(clean, definition.values)),
        tuple(map(clean, definition.predicates)),
        tuple((n, clean(low), clean(extent)) for n, low, extent in definition.domain),
        definition.source,
    )
