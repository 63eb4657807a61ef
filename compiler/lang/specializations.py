"""`specialize` and `specialize_fail`: other loops for a definition where a condition holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import ir
from .errors import fail
from .expr import Expr
from .names import is_pure_variable_name
from .schedule import Specialization
from .variables import ReductionDomain

if TYPE_CHECKING:
    from .handles import DefinitionHandle


def specialize(stage: DefinitionHandle, condition: Expr) -> DefinitionHandle:
    """The stage whose directives count where `condition` holds.

    It starts as a copy of the schedule as it is now; the same condition twice is the same stage.
    """
    if not condition.node.type.is_bool:
        fail("Argument passed to specialize must be of type bool")
    reductions = {n for s in condition.sources if isinstance(s, ReductionDomain) for n in s.names}
    for node in ir.postorder(condition.node):
        if isinstance(node, ir.Variable) and (
            is_pure_variable_name(node.name) or node.name in reductions
        ):
            fail(
                f"Specialization condition {condition} for {stage.name()} depends on Var or RVar "
                f"{node.name}. Specialization conditions may not depend on any Vars or RVars."
            )
    schedule = stage.schedule
    if any(s.failure is not None for s in schedule.specializations):
        fail("Cannot add new specializations after specialize_fail().")
    for known in schedule.specializations:
        if known.condition is condition.node and known.failure is None:
            return type(stage)(stage.function, stage.index, known.schedule)
    own = schedule.copy()
    own.specializations = []
    schedule.specializations.append(Specialization(condition.node, own))
    schedule.touched = True
    stage.function.schedule.sources |= condition.sources
    return type(stage)(stage.function, stage.index, own)


def specialize_fail(stage: DefinitionHandle, message: str) -> None:
    """Makes the call fail where no earlier condition holds."""
    if not message:
        fail("Argument passed to specialize_fail() must not be empty.")
    schedule = stage.schedule
    if any(s.failure is not None for s in schedule.specializations):
        fail("Only one specialize_fail() may be defined per Stage.")
    always = ir.const(True, ir.BOOL)
    own = schedule.copy()
    own.specializations = []
    schedule.specializations.append(Specialization(always, own, message))
    schedule.touched = True
