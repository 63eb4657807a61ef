"""Stages compute nothing where nobody needs it: what is read there may not be in memory.

    f(x) = select(m(x), s(x), 0)     s(x) += a(x, r)     ->     s(x) += select(m(x), a(x, r), 0)

Readers take a stage's value at their own coordinates, under conditions; the stage's terms have
these conditions then, too, and `guard_loads` keeps what is read to them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ..ir import (
    I32,
    TRUE,
    Add,
    Call,
    Expr,
    Not,
    Select,
    Variable,
    const,
    postorder,
    substitute,
)
from .guard_loads import either, when_it_counts
from .plan import PlannedDefinition, StagePlan


def with_conditions(plans: Sequence[StagePlan]) -> list[StagePlan]:
    """The plans, producers first, each stage with the conditions under which it is read."""
    made = list(plans)
    for number, plan in reversed(list(enumerate(plans))):
        condition = _needed(number, made)
        if condition is not TRUE:
            made[number] = _under(plan, condition)
    return made


def conditions_of_reads(
    names: Collection[str], definition: PlannedDefinition
) -> Iterator[tuple[Call, Expr]]:
    """The calls of a stage in a definition, each with the condition under which it counts."""
    roots = definition.expressions
    order = list(postorder(*roots))
    calls = [n for n in order if isinstance(n, Call) and n.kind == "func" and n.name in names]
    if calls:
        when = when_it_counts(roots, order, lambda condition: (condition, Not(condition)))
        yield from ((call, when[call]) for call in calls)


def is_over_parameters(condition: Expr, definition: PlannedDefinition) -> bool:
    """Whether a condition is the same at all points of a definition."""
    coordinates = {a for arg in definition.args for a in postorder(arg)}
    coordinates |= {Variable(name, I32) for name, _, _ in definition.domain}
    return not any(isinstance(n, Call) or n in coordinates for n in postorder(condition))


def _needed(number: int, plans: Sequence[StagePlan]) -> Expr:
    """Where anybody reads a stage, over its coordinates; `TRUE` for anywhere, or not known."""
    plan = plans[number]
    if plan.is_output:
        return TRUE
    names = plan.value_names()
    before = {n for p in plans[:number] for n in p.value_names()}
    total: Expr | None = None
    for reader in plans:
        if reader is plan:
            continue
        for definition in reader.definitions:
            for call, condition in conditions_of_reads(names, definition):
                if not all(isinstance(a, Variable) and a in definition.args for a in call.args):
                    return TRUE
                here: dict[Expr, Expr] = {
                    a: Variable(name, I32) for a, name in zip(call.args, plan.args, strict=True)
                }
                free = set(definition.args) - set(call.args)
                free |= {Variable(name, I32) for name, _, _ in definition.domain}
                nodes = set(postorder(condition))
                others = {n.name for n in nodes if isinstance(n, Call) and n.kind == "func"}
                if nodes & free or not others <= before:
                    return TRUE
                told = substitute(condition, here)
                total = told if total is None else either(total, told)
    return TRUE if total is None else total


def _under(plan: StagePlan, condition: Expr) -> StagePlan:
    here = tuple(Variable(name, I32) for name in plan.args)
    made = []
    for definition in plan.definitions:
        if definition.args != here:
            return plan  # what a step reads is for other points, too
        values = tuple(
            _asked(value, Call(name, here, value.type, "func"), condition)
            for name, value in zip(plan.value_names(), definition.values, strict=True)
        )
        made.append(replace(definition, values=values))
    return replace(plan, definitions=tuple(made))


def _asked(value: Expr, own: Expr, condition: Expr) -> Expr:
    if not any(isinstance(n, Call) and n is not own for n in postorder(value)):
        return value
    zero = const(0, value.type)
    if isinstance(value, Add) and own in (value.a, value.b):
        term = value.b if value.a is own else value.a
        if own not in postorder(term):
            added: Expr = Add(own, Select(condition, term, zero))
            return added
    made: Expr = Select(condition, value, own if own in postorder(value) else zero)
    return made


__all__ = ["conditions_of_reads", "is_over_parameters", "with_conditions"]
