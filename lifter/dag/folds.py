"""Folds: scalars whose next value is any function of their own and of what an iteration reads.

    float low = s[0];                               low() = s(0)
    for (i = 1; i < n; i++)                         low() = select(s(r) < low(), s(r), low())
        if (s[i] < low) low = s[i];                     for each r in the loop's order

No accumulation (floats aren't numbers in any order, and `h = h * 31 + s[i]` is no sum): what is
left is the update itself, done for each iteration in the order of the loops.

A loop inside that runs only while a search has found nothing is one that always runs and changes
nothing where something is found already:

    for (y = 0; y < h; y++)                for (y = 0; y < h; y++)
        if (!found)                            for (x = 0; x < w; x++)
            for (x = 0; x < w; x++)                if (!found && p(x, y)) found = 1;
                if (!found && p(x, y))
                    found = 1;
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from compiler.ir import Expr, Load, Select, Variable, postorder, substitute

from ..model.stage import Loop
from .accumulations import reads_written_any
from .closed_forms import LoopAnalysis
from .polynomial import conjunction, conjuncts, negate
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
    passed: tuple[tuple[Expr, Expr], ...] = ()
    """Conditions under which loops inside run, on what those around hand on; and what each asks of
    `carried`, which is the same."""

    def runs_if(self, condition: Expr) -> Fold | None:
        """The fold as that of loops that run where a condition holds and otherwise leave `entry`;
        None where they would leave anything else."""
        if not isinstance(self.step, Select) or self.step.b is not self.carried:
            return None
        entry: dict[Expr, Expr] = {self.carried: self.entry}
        for part in conjuncts(self.step.condition):
            of_it_alone = {n for n in postorder(part) if isinstance(n, (Load, Variable))}
            if of_it_alone == {self.carried} and substitute(part, entry) is condition:
                return replace(self, passed=(*self.passed, (condition, part)))
        return None

    def condition_with(self, condition: Expr, value: Expr) -> Expr:
        """What is around a read in an iteration that finds `value`."""
        passed = dict(self.passed)
        parts = dict.fromkeys(passed.get(p, p) for p in conjuncts(condition))
        return self.step_with(conjunction(parts), value)

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
        loops = (loop, *inner.loops)
        fold = replace(inner, entry=entry, loops=loops)
    elif set(markers(value)) == {carried} and not reads_written_any(value, executor):
        fold = Fold(entry, (loop,), carried, value)
    else:
        return None
    return _marker(executor, name, fold)


def _marker(executor: Executor, name: str, fold: Fold) -> Variable:
    """What stands for a fold's result."""
    marker = unknown("carried", f"{name}@fold {len(executor.folds)}", fold.carried.type)
    executor.folds[marker] = fold
    return marker


def fold_where(
    executor: Executor, name: str, condition: Expr, value: Expr, other: Expr
) -> Expr | None:
    """What is left of a scalar that is a fold's result `value` where a condition holds and `other`
    elsewhere, if that is what the fold gives anyway."""
    for_condition = ((condition, value, other), (negate(condition), other, value))
    for asked, marker, entry in for_condition:
        fold = executor.folds.get(marker)
        if fold is None or fold.entry is not entry:
            continue
        passed = fold.runs_if(asked)
        if passed is not None:
            return _marker(executor, name, passed)
    return None


def loads_of_folds(executor: Executor, value: Expr) -> set[Load]:
    """What the folds read whose results `value` is made of, and what they begin as."""
    folds = [executor.folds[m] for m in markers(value) if m in executor.folds]
    steps = [e for fold in folds for e in (fold.step, fold.entry)]
    return {n for n in postorder(*steps) if isinstance(n, Load)} if steps else set()
