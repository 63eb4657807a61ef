"""A definition's specialized schedules: one nest for each condition, the first that holds counts.

f.specialize(w >= 32).vectorize(x, 8)   ->   if w >= 32: vectorized loops of f
                                             else:       f's own loops
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..ir import FALSE, TRUE, Call, Expr, Load, Variable, simplify
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, prune, rebuild
from ..lang import StageSchedule
from .facts import Facts
from .plan import PlannedDefinition

Build = Callable[[PlannedDefinition, StageSchedule, Expr], s.Stmt | None]
"""Makes the loops of a definition under a schedule that is taken where the condition holds."""


def specialized(
    definition: PlannedDefinition, schedule: StageSchedule, build: Build, taken: Expr = TRUE
) -> s.Stmt | None:
    """What `build` makes of the definition, under each condition of the schedule's specializations.

    `taken` is where the schedule is at all. In the branch of a condition the definition is
    simplified by what the condition says. A specialization that fails is an assertion. None where
    the definition assigns nothing.
    """
    conditions = [simplify(special.condition) for special in schedule.specializations]
    before = [taken]
    for condition in conditions:
        before.append(simplify(n.And(before[-1], n.Not(condition))))
    made = build(definition, schedule, before[-1])
    if made is None:
        return None
    cases = zip(schedule.specializations, conditions, before[:-1], strict=True)
    for special, condition, reached in reversed(list(cases)):
        if special.failure is not None:
            message = f"A schedule specialized with specialize_fail() was chosen: {special.failure}"
            made = s.AssertStmt(FALSE, message)
            continue
        here = simplify(n.And(reached, condition))
        then = specialized(_assuming(definition, condition), special.schedule, build, here)
        assert then is not None
        made = then if condition is TRUE else s.IfThenElse(condition, then, made)
    return made


def _assuming(definition: PlannedDefinition, condition: Expr) -> PlannedDefinition:
    facts = Facts().with_condition(condition, True)

    def visit(e: Expr) -> Expr:
        return facts.simplified(e)

    return replace(
        definition,
        args=tuple(map(visit, definition.args)),
        values=tuple(map(visit, definition.values)),
        predicates=tuple(map(visit, definition.predicates)),
        domain=tuple((v, visit(low), visit(extent)) for v, low, extent in definition.domain),
    )


def simplify_branches(stmt: s.Stmt) -> s.Stmt:
    """Each branch of a condition on parameters simplified by what the condition says.

    Needs flat memory, so that what is known of strides makes rows dense.

        if a.stride.0 == 1: f[x] = a[x * a.stride.0] else: ...   ->   if ...: f[x] = a[x] else: ...
    """
    return prune(_known(stmt, Facts()))


def _known(stmt: s.Stmt, facts: Facts) -> s.Stmt:
    """`stmt` with what `facts`, and the conditions around each place in it, say put in."""
    if isinstance(stmt, s.IfThenElse) and stmt.otherwise is not None and _is_fixed(stmt.condition):
        condition = facts.simplified(stmt.condition)
        then = _known(stmt.then, facts.with_condition(condition, True))
        otherwise = _known(stmt.otherwise, facts.with_condition(condition, False))
        return s.IfThenElse(condition, then, otherwise)
    children = tuple(_known(child, facts) for child in children_of(stmt))
    return rebuild(stmt, children, facts.simplified)


def _is_fixed(condition: Expr) -> bool:
    """Whether nothing in the run changes the condition: no loop variable, no memory."""
    return not any(
        isinstance(x, (Call, Load)) or (isinstance(x, Variable) and ".s" in x.name)
        for x in n.postorder(condition)
    )
