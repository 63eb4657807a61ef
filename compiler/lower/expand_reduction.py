"""A reduction over a few constant steps as one expression, so that it can be inlined."""

from __future__ import annotations

import itertools

from .. import ir
from ..ir import Call, Const, Expr, Select, Variable, const, simplify, substitute
from ..lang import is_undef
from .plan import PlannedDefinition, StagePlan

MOST_STEPS = 32
"""More steps than this stay a loop: the expression would be too long to be worth it."""


def constant_steps(definition: PlannedDefinition) -> int | None:
    """How many steps the definition's domain has; None when that is not constant."""
    steps = 1
    for _, low, extent in definition.domain:
        if not (isinstance(low, Const) and isinstance(extent, Const)):
            return None
        steps *= max(0, int(extent.value))
    return steps


def expanded_value(plan: StagePlan) -> Expr | None:
    """The value of a stage with updates in terms of its coordinates; None where it isn't simple.

    Simple is: one value, each update at the point itself over at most `MOST_STEPS` constant steps,
    reading its own stage nowhere else. The steps keep their order, so floats are the same too.

        s(x) = 0; s(x) += a(x + r), r in [0, 3)   ->   0 + a(x + 0) + a(x + 1) + a(x + 2)
    """
    if len(plan.types) != 1 or is_undef(plan.definitions[0].values[0]):
        return None
    here = tuple(Variable(a, ir.I32) for a in plan.args)
    own = Call(plan.name, here, plan.types[0], "func")
    value = plan.definitions[0].values[0]
    left = MOST_STEPS
    for definition in plan.definitions[1:]:
        steps = constant_steps(definition)
        if steps is None or steps > left or definition.args != here:
            return None
        left -= steps
        if _reads_elsewhere(definition, plan.name, own):
            return None
        for step in _steps(definition):
            value = _after(definition, step, own, value)
    return value


def _reads_elsewhere(definition: PlannedDefinition, name: str, own: Expr) -> bool:
    return any(
        isinstance(node, Call) and node.kind == "func" and node.name == name and node is not own
        for node in ir.postorder(*definition.expressions)
    ) or any(is_undef(node) for node in ir.postorder(*definition.values))


def _steps(definition: PlannedDefinition) -> list[dict[Expr, Expr]]:
    """The reduction variables' values at each step, first variable fastest."""
    ranges = []
    for _, low, extent in reversed(definition.domain):
        assert isinstance(low, Const) and isinstance(extent, Const)
        ranges.append(range(int(low.value), int(low.value) + int(extent.value)))
    names = [Variable(name, ir.I32) for name, _, _ in reversed(definition.domain)]
    return [
        dict(zip(names, map(const, values), strict=True)) for values in itertools.product(*ranges)
    ]


def _after(definition: PlannedDefinition, step: dict[Expr, Expr], own: Expr, value: Expr) -> Expr:
    made = substitute(substitute(definition.values[0], step), {own: value})
    for predicate in definition.predicates:
        holds = substitute(substitute(predicate, step), {own: value})
        made = Select(holds, made, value)
    return simplify(made)
