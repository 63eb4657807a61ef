"""How much memory a stage gets: all that is written or read of it while it exists."""

from __future__ import annotations

from ..ir import Expr
from ..ir import stmts as s
from .plan import StagePlan
from .region import KnownBox, extent_of


def realized(plan: StagePlan, body: s.Stmt, touched: KnownBox) -> s.Stmt:
    """`body` with storage for the box of the stage that it touches.

    The box may be larger than what consumers read: loops that are rounded up or shifted write
    beyond it (allocation bounds, halide-2012 section 5.1).

        body   ->   realize f([min, extent]): body
    """
    bounds: tuple[tuple[Expr, Expr], ...] = tuple((a, extent_of(a, b)) for a, b in touched)
    return s.Realize(plan.name, plan.types, bounds, body, plan.schedule.memory)


__all__ = ["realized"]
