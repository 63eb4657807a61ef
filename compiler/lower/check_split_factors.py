"""The factors of splits that are only known when the pipeline runs are above 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir import LT, const, simplify
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.message_text import literal
from ..ir.stmt_transform import block
from ..lang import Split, StageSchedule
from ..lang.names import PARAMETER_MARK
from .plan import StagePlan
from .splits import split_factor

SPLIT_FACTOR_NOT_POSITIVE = -46
"""The number in Halide's `halide_error_code_t`."""


def check_split_factors(body: s.Stmt, plans: Sequence[StagePlan]) -> s.Stmt:
    """`body` after an `AssertStmt` for each factor that isn't constant, those of specializations
    among them, whether their conditions hold or not.

    f.split(x, xo, xi, p):   body   ->   assert 0 < p; body
    """
    checks: list[s.Stmt] = []
    seen: set[tuple[str, Split]] = set()
    for plan in plans:
        for split in _splits(plan.schedule.stages):
            factor = simplify(split_factor(split))
            if isinstance(factor, n.Const) or (plan.name, split) in seen:
                continue
            seen.add((plan.name, split))
            shown = literal(str(factor).replace(PARAMETER_MARK, ""))
            message = (
                f"In schedule for func {plan.name}, the factor used to split the variable "
                f"{split.old} into {split.outer} and {split.inner} is {shown}. This evaluated to "
                f"{{}}, which is not strictly positive. Consider using max({shown}, 1) instead."
            )
            positive = LT(const(0), factor)
            checks.append(s.AssertStmt(positive, message, (factor,), SPLIT_FACTOR_NOT_POSITIVE))
    return block(*checks, body)


def _splits(stages: Sequence[StageSchedule]) -> Iterator[Split]:
    for stage in stages:
        yield from (x for x in stage.splits if isinstance(x, Split))
        yield from _splits([special.schedule for special in stage.specializations])


__all__ = ["check_split_factors"]
