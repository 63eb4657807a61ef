"""Folds: scalars whose next values are any functions of their own and of what an iteration reads.

    float low = s[0];                               low() = s(0)
    for (i = 1; i < n; i++)                         low() = select(s(r) < low(), s(r), low())
        if (s[i] < low) low = s[i];                     for each r in the loop's order

No accumulation (floats aren't numbers in any order, and `h = h * 31 + s[i]` is no sum): what is
left is the update itself, done for each iteration in the order of the loops. Scalars whose next
values are made of each other's are one fold, whose update is that of a tuple:

    for (i = 0; i < n; i++)                         best() = (1e9, -1)
        if (s[i] < low) {                           best() = select(s(r) < best()[0], (s(r), r),
            low = s[i];                                             best())
            at = i;
        }

A loop inside that runs only while a search has found nothing is one that always runs and changes
nothing where something is found already:

    for (y = 0; y < h; y++)                for (y = 0; y < h; y++)
        if (!found)                            for (x = 0; x < w; x++)
            for (x = 0; x < w; x++)                if (!found && p(x, y)) found = 1;
                if (!found && p(x, y))
                    found = 1;
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from compiler.ir import Expr, Load, Not, Select, Variable, const, postorder, substitute

from ..model.kernel import Store, statements
from ..model.stage import Loop
from .accumulations import reads_written_any, step_of
from .closed_forms import LoopAnalysis
from .polynomial import conjunction, conjuncts, negate
from .scalars import is_unknown, unknown
from .symbolic import Executor, markers


@dataclass(frozen=True)
class Fold:
    """Scalars that begin as `entries`, and that each iteration of `loops`, outermost first, leaves
    as `steps`, expressions over `carried`, what they were."""

    names: tuple[str, ...]
    entries: tuple[Expr, ...]
    loops: tuple[Loop, ...]
    carried: tuple[Variable, ...]
    steps: tuple[Expr, ...]
    passed: tuple[tuple[Expr, Expr], ...] = ()
    """Conditions under which loops inside run, on what those around hand on; and what each asks of
    `carried`, which is the same."""

    def runs_if(self, condition: Expr) -> Fold | None:
        """The fold as that of loops that run where a condition holds and otherwise leave `entries`;
        None where they would leave anything else."""
        entries: dict[Expr, Expr] = dict(zip(self.carried, self.entries, strict=True))
        asked: set[Expr] | None = None
        for step, carried in zip(self.steps, self.carried, strict=True):
            if step is carried:
                continue
            if not isinstance(step, Select) or step.b is not carried:
                return None
            parts = set(conjuncts(step.condition))
            asked = parts if asked is None else asked & parts
        for part in sorted(asked or (), key=repr):
            of_it_alone = {n for n in postorder(part) if isinstance(n, (Load, Variable))}
            if of_it_alone <= set(self.carried) and substitute(part, entries) is condition:
                return replace(self, passed=(*self.passed, (condition, part)))
        return None

    def only_where(self, condition: Expr) -> Fold:
        """The fold of iterations that change nothing where a condition on none of them fails."""

        def step_where(step: Expr, carried: Variable) -> Expr:
            if isinstance(step, Select) and step.b is carried:
                return Select(conjunction((condition, step.condition)), step.a, carried)
            if isinstance(condition, Not):  # of floats, whose comparisons have no opposite
                return Select(condition.value, carried, step)
            return Select(condition, step, carried)

        steps = tuple(map(step_where, self.steps, self.carried))
        return replace(self, steps=steps)

    def condition_with(self, condition: Expr, values: Sequence[Expr]) -> Expr:
        """What is around a read in an iteration that finds `values`."""
        passed = dict(self.passed)
        parts = dict.fromkeys(passed.get(p, p) for p in conjuncts(condition))
        return self.step_with(conjunction(parts), values)

    def step_with(self, expr: Expr, values: Sequence[Expr]) -> Expr:
        """An expression of an iteration, in one that finds `values`."""
        found: dict[Expr, Expr] = dict(zip(self.carried, values, strict=True))
        made: Expr = substitute(expr, found)
        return made


@dataclass(frozen=True)
class FoldResult:
    """What a fold leaves of one of its scalars, in each iteration of the loops `around` it in which
    `conditions` hold, as far as these are the same throughout the fold."""

    fold: Fold
    place: int
    around: tuple[Loop, ...]
    conditions: tuple[Expr, ...]

    @property
    def entry(self) -> Expr:
        """What the scalar begins as."""
        return self.fold.entries[self.place]


def fold_over(
    executor: Executor, analysis: LoopAnalysis, name: str, after: dict[str, Expr]
) -> Variable | None:
    """A marker for what a loop leaves of a scalar, with its fold in `executor.folds`, where an
    iteration leaves the scalars `after`; None where it depends on what else iterations hand on."""
    folds = _Folds(executor, analysis, after)
    fold = folds.around(name)
    return None if fold is None else _marker(executor, fold, fold.names.index(name))


class _Folds:
    """The folds of one loop."""

    def __init__(self, executor: Executor, analysis: LoopAnalysis, after: dict[str, Expr]) -> None:
        self.executor = executor
        self.analysis = analysis
        self.after = after
        self.carried: dict[Expr, str] = {analysis.carried(n): n for n in analysis.heads}

    def around(self, name: str) -> Fold | None:
        """The fold of a scalar with all whose values are made of the same ones."""
        own = self._needed_by(name)
        if own is None:
            return None
        together = set(own)
        others = [n for n in self.analysis.heads if n not in own and self._is_wanted(n)]
        needed = {n: found for n in others if (found := self._needed_by(n)) is not None}
        while more := {m for f in needed.values() if f & together for m in f} - together:
            together |= more
        return self._fold(together) or self._fold(own)

    def _is_wanted(self, name: str) -> bool:
        return self.executor.liveness.is_read_behind(self.analysis.stmt, name)

    def _needed_by(self, name: str) -> frozenset[str] | None:
        """The scalars of which the next values of a scalar are made, itself included; None where
        they are made of anything else that iterations hand on."""
        found, waiting = {name}, [name]
        while waiting:
            one = waiting.pop()
            entry, value = self.analysis.entry[one], self.after.get(one)
            if entry is None or value is None:
                return None
            if one in self.analysis.again:
                return None  # the last iteration leaves before this changes it once more
            step = step_of(value, self.analysis.carried(one))
            if is_unknown(entry, "undefined") and step is not None and step.operator is not None:
                return None  # a sum that begins with nothing
            result = self.executor.folds.get(value)
            if result is not None:
                needed = set(result.fold.names)
            elif reads_written_any(value, self.executor):
                return None
            else:
                needed = {self.carried.get(m, "") for m in markers(value) if not self._is_left(m)}
                if "" in needed:
                    return None
            waiting += sorted(needed - found)
            found |= needed
        return frozenset(found)

    def _is_left(self, marker: Variable) -> bool:
        """Whether a marker stands for what an earlier loop has left, in the same iteration of loops
        around: `var += (s[i] - mean) * (s[i] - mean)`."""
        result = self.executor.folds.get(marker)
        if result is None or not result.around:
            return False
        around: tuple[Loop, ...] = result.around
        return self.executor.loops[: len(around)] == around

    def _fold(self, names: set[str] | frozenset[str]) -> Fold | None:
        """The fold of these scalars, in the order in which the loop names them."""
        analysis, executor = self.analysis, self.executor
        loop = Loop(analysis.counter, analysis.extent, analysis.span)
        ordered = tuple(n for n in analysis.heads if n in names)
        entries = tuple(self._entry(n) for n in ordered)
        carried = tuple(analysis.carried(n) for n in ordered)
        values = tuple(self.after[n] for n in ordered)
        inner: list[Fold] = [executor.folds[v].fold for v in values if v in executor.folds]
        if not inner:
            return Fold(ordered, entries, (loop,), carried, values)
        fold, left = inner[0], executor.left_by_folds[inner[0]]
        if set(fold.names) != set(names) or any(f != fold for f in inner):
            return None
        # An iteration is a run of the loop inside, nothing else.
        if fold.entries != tuple(analysis.carried(n) for n in fold.names):
            return None
        if any(left.get(n) is not self.after[n] for n in fold.names):
            return None
        entries = tuple(self._entry(n) for n in fold.names)
        return replace(fold, entries=entries, loops=(loop, *fold.loops))

    def _entry(self, name: str) -> Expr:
        """What a scalar begins as. One that has no value yet may have any: where a result depends
        on it, the original is undefined."""
        entry = self.analysis.entry[name]
        assert entry is not None
        return const(0, entry.type) if is_unknown(entry, "undefined") else entry


def _marker(executor: Executor, fold: Fold, place: int) -> Variable:
    """What stands for a fold's result."""
    name = f"{fold.names[place]}@fold {len(executor.folds)}"
    marker = unknown("carried", name, fold.carried[place].type)
    executor.folds[marker] = FoldResult(
        fold, place, executor.loops, tuple(c for c in executor.path if _is_steady(executor, c))
    )
    executor.left_by_folds.setdefault(fold, {})[fold.names[place]] = marker
    return marker


def fold_where(
    executor: Executor, name: str, condition: Expr, value: Expr, other: Expr
) -> Expr | None:
    """What is left of a scalar that is a fold's result `value` where a condition holds and `other`,
    what the fold begins as, elsewhere: what a fold gives whose iterations change nothing there."""
    for_condition = ((condition, value, other), (negate(condition), other, value))
    for asked, marker, entry in for_condition:
        result = executor.folds.get(marker)
        if result is None or result.entry is not entry:
            continue
        passed = result.fold.runs_if(asked)
        if passed is not None:
            return _marker(executor, passed, result.place)
        if _is_steady(executor, asked):
            return _marker(executor, result.fold.only_where(asked), result.place)
    return None


def _is_steady(executor: Executor, condition: Expr) -> bool:
    """Whether a condition holds in all iterations of what it is around, or in none: it isn't made
    of what iterations hand on, nor of what any loop stores."""
    stored = {s.array for s in statements(executor.kernel.body) if isinstance(s, Store)}
    loads = (n for n in postorder(condition) if isinstance(n, Load))
    return not any(True for _ in markers(condition)) and not any(n.array in stored for n in loads)


def note_left(executor: Executor, analysis: LoopAnalysis) -> None:
    """Notes what a loop that has just run leaves of the scalars of its folds: of one of them more
    may be known than that a fold leaves it."""
    for name in analysis.heads:
        result = executor.folds.get(executor.env[name])
        if result is not None:
            left = {n: executor.env[n] for n in result.fold.names}
            executor.left_by_folds[result.fold] = left


def loads_of_folds(executor: Executor, value: Expr) -> set[Load]:
    """What the folds read whose results `value` is made of, and what they begin as."""
    folds = [executor.folds[m].fold for m in markers(value) if m in executor.folds]
    steps = [e for fold in folds for e in (*fold.steps, *fold.entries)]
    return {n for n in postorder(*steps) if isinstance(n, Load)} if steps else set()
