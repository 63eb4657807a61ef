"""`bound`, `bound_extent`, `align_bounds`, `align_extent`: what users say of regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..ir import LE, TRUE, Add, And, Div, Expr, Mod, Mul, Sub, const
from ..ir import stmts as s
from ..ir.simplify_coordinate import simplify_coordinate
from ..lang import Bound
from .interval import extent_of
from .plan import StagePlan
from .region import KnownBox


def directed(plan: StagePlan, required: KnownBox) -> tuple[KnownBox, list[s.Stmt]]:
    """The region that is computed where `required` is needed, and the checks that it suffices.

    bound(x, 0, 8)        [1, 6]   ->   [0, 7], checked: 0 <= 1 and 6 <= 7
    bound_extent(x, 8)    [1, 6]   ->   [1, 8], checked: 6 <= 8
    align_bounds(x, 4)    [1, 6]   ->   [0, 7]
    align_extent(x, 4)    [1, 6]   ->   [1, 8]
    """
    made = list(required)
    checks: list[s.Stmt] = []
    for bound in plan.schedule.bounds:
        d = plan.args.index(bound.var)
        low, high = made[d]
        made[d] = _promised(bound, low, high) if bound.modulus is None else _aligned(
            bound, bound.modulus, low, high
        )  # fmt: skip
        if bound.modulus is None:
            checks += _covers(plan, bound.var, made[d], (low, high))
    return made, checks


def with_directed_outputs(
    plans: Sequence[StagePlan],
) -> tuple[list[StagePlan], dict[str, list[s.Stmt]]]:
    """The plans, with what outputs compute for their buffers' regions; and the checks, by name."""
    made: list[StagePlan] = []
    checks: dict[str, list[s.Stmt]] = {}
    for plan in plans:
        if plan.is_output and plan.schedule.bounds:
            asked = [
                (low, simplify_coordinate(Sub(Add(low, extent), const(1))))
                for low, extent in plan.region
            ]
            box, checks[plan.name] = directed(plan, asked)
            region = tuple(
                pair if (a, b) == given else (a, extent_of(a, b))
                for (a, b), given, pair in zip(box, asked, plan.region, strict=True)
            )
            plan = replace(plan, computed=region)
        made.append(plan)
    return made, checks


def _promised(bound: Bound, low: Expr, high: Expr) -> tuple[Expr, Expr]:
    first = low if bound.min is None else bound.min
    if bound.extent is None:
        return first, high
    return simplify_coordinate(first), simplify_coordinate(Sub(Add(first, bound.extent), const(1)))


def _aligned(bound: Bound, modulus: Expr, low: Expr, high: Expr) -> tuple[Expr, Expr]:
    remainder = const(0) if bound.remainder is None else bound.remainder
    first = low if bound.extent_only else Sub(low, Mod(Sub(low, remainder), modulus))
    steps = Div(Add(Sub(high, first), modulus), modulus)
    return simplify_coordinate(first), simplify_coordinate(
        Sub(Add(first, Mul(steps, modulus)), const(1))
    )


def _covers(
    plan: StagePlan, var: str, given: tuple[Expr, Expr], needed: tuple[Expr, Expr]
) -> list[s.Stmt]:
    holds = simplify_coordinate(And(LE(given[0], needed[0]), LE(needed[1], given[1])))
    message = (
        f"Bounds given for {plan.name} in {var} (from {{}} to {{}}) "
        "do not cover required region (from {} to {})"
    )
    return [] if holds is TRUE else [s.AssertStmt(holds, message, (*given, *needed))]


__all__ = ["directed", "with_directed_outputs"]
