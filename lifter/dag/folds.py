"""Folds: scalars whose next value is any function of their own and of what an iteration reads.

    float low = s[0];                               low() = s(0)
    for (i = 1; i < n; i++)                         low() = select(s(r) < low(), s(r), low())
        if (s[i] < low) low = s[i];                     for each r in the loop's order

No accumulation (floats aren't numbers in any order, and `h = h * 31 + s[i]` is no sum): what is
left is the update itself, done for each iteration in the order of the loops.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir import Expr, Load, Variable, postorder, substitute

from ..model.stage import Loop
from .accumulations import reads_written_any
from .closed_forms import LoopAnalysis
from .scalars import unknown
from .symbolic import Executor, markers


@dataclass(frozen=True)
class Fold:
    """A scalar that begins as `entry`, and that each iteration of `loops`, outermost first, leaves
    as `step`, an expression over `carried`, what it was."""

    entry: Expr
    loops: tuple[Loop, ...]
    carried: Variable
    step: Expr

    def step_with(self, expr: Expr, value: Expr) -> Expr:
        """An expression of an iteration, in one that finds `value`."""
        made: Expr = substitute(expr, {self.carried: value})
        return made


def fold_over(
    executor: Executor, analysis: LoopAnalysis, name: str, value: Expr, entry: Expr
) -> Variable | None:
    """A marker for what a loop leaves of a scalar that an iteration leaves as `value`, with its
    fold in `executor.folds`; None where it depends on what else iterations hand on."""
    loop = Loop(analysis.counter, analysis.extent, analysis.span)
    carried = analysis.carried(name)
    inner = executor.folds.get(value) if isinstance(value, Variable) else None
    if inner is not None and inner.entry is carried:
        fold = Fold(entry, (loop, *inner.loops), inner.carried, inner.step)
    elif set(markers(value)) == {carried} and not reads_written_any(value, executor):
        fold = Fold(entry, (loop,), carried, value)
    else:
        return None
    marker = unknown("carried", f"{name}@fold {len(executor.folds)}", carried.type)
    executor.folds[marker] = fold
    return marker


def loads_of_folds(executor: Executor, value: Expr) -> set[Load]:
    """What the folds read whose results `value` is made of, and what they begin as."""
    folds = [executor.folds[m] for m in markers(value) if m in executor.folds]
    steps = [e for fold in folds for e in (fold.step, fold.entry)]
    return {n for n in postorder(*steps) if isinstance(n, Load)} if steps else set()
