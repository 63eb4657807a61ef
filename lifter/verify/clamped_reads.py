"""Reads that a condition on the place guards, clamped to where the condition lets them be.

    d[i] = i + 1 < n ? s[i + 1] : 0        d(x) = select(x + 1 < n, s(min(x + 1, n - 1)), 0)

Where the choice takes the read, the clamp changes nothing, which is proved here of each one. But
whoever looks at the definition alone, as bounds inference does, sees that `s` is read from 1 to
n - 1, which is what the original reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from compiler.ir import (
    EQ,
    GE,
    GT,
    I64,
    LE,
    LT,
    NE,
    TRUE,
    Add,
    Call,
    Comparison,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Sub,
    Variable,
    const,
    postorder,
    transform,
)

from ..dag import conjuncts, domain, normal, normalize_indices
from ..model.stage import Loop
from ..model.summary import Dimension, Layout
from ..synth.paths import PathRead, reads_of
from .assumptions import Assumptions
from .compose import as_int32
from .decide import Decision
from .flatten import NOWHERE, Flattener, place_formula, strict_formula
from .remedies import remedies_for_a_doubt

_SECONDS = 2.0
_FACTORS = (1, 2, 3, 4)
"""What a condition is multiplied by for its coordinates to cancel those of a place."""


class Clamps:
    """The clamps of one definition over a region."""

    def __init__(
        self, region: Sequence[Dimension], layouts: dict[str, Layout], assumptions: Assumptions
    ) -> None:
        self.region = region
        self.names = [d.variable for d in region]
        self.coordinates = [Variable(v.name, I64) for v in self.names]
        self.layouts, self.assumptions = layouts, assumptions
        self.prover = assumptions.prover
        self.given = [
            bound
            for d, c in zip(region, self.coordinates, strict=True)
            for bound in (LE(d.lower, c), LT(c, d.upper))
        ]

    def clamped(self, expression: Expr, output: str, skipped: frozenset[str]) -> Expr:
        """`expression`, a definition of `output`, with those reads clamped that conditions limit.

        Reads of the arrays in `skipped` stay as they are, and so do those that something reads
        under no condition, and those of elements that are touched in any case.
        """
        made: dict[Expr, Expr] = {}
        reads = [r for r in reads_of((expression, TRUE)) if r.call.name not in skipped]
        for read in reads:
            if read.condition is not TRUE:
                anyway = [other.call for other in reads if other.call.name == read.call.name]
                made[read.call] = self._limited(read, output, anyway)
        return transform(expression, lambda node: made.get(node, node)) if made else expression

    def free(self, expression: Expr) -> tuple[Expr, list[tuple[str, Decision]]]:
        """`expression` without clamps that change nothing where their reads count, and what was
        proved of each."""
        made: dict[Expr, Expr] = {}
        proved: list[tuple[str, Decision]] = []
        for read in reads_of((expression, TRUE)):
            plain, decision = self._freed(read)
            if decision is not None:
                made[read.call] = plain
                proved.append((f"{read.call!r} is {plain!r} where it is read", decision))
        if not made:
            return expression, []
        return transform(expression, lambda node: made.get(node, node)), proved

    def _freed(self, read: PathRead) -> tuple[Call, Decision | None]:
        """The read without its outermost clamps, as many as change nothing."""
        plain, last = read.call, None
        for number in range(len(plain.args)):
            while (inner := _unclamped(plain.args[number])) is not None:
                less = _with_argument(plain, number, inner)
                decision = self._same_place(less, read)
                if not decision.proved:
                    break
                plain, last = less, decision
        return plain, last

    def _limited(self, read: PathRead, output: str, anyway: Sequence[Call]) -> Call:
        call = read.call
        inlined = self.prover.inlined(call)
        assert isinstance(inlined, Call)
        if any(isinstance(n, Call) for a in inlined.args for n in postorder(a)):
            return call  # a place that is looked up
        places = self._flattener(read).coordinates(inlined)
        formulas = self.formulas(read)
        made = call
        for number, place in enumerate(places):
            own = formulas and self._moving(read) & set(postorder(place))
            if own and self._is_channel(place):
                continue
            for is_upper, kind in ((True, Min), (False, Max)) if own else ():
                touched = self._touched_ends(number, is_upper, output, call, anyway)
                limit = self._limit(place, is_upper, read, formulas, touched)
                if limit is not None:
                    bound = as_int32(limit, self.prover.parameters)
                    made = _with_argument(made, number, kind(made.args[number], bound))
        return made if made is call or self._same_place(made, read).proved else call

    def _moving(self, read: PathRead) -> set[Expr]:
        return {*self.coordinates, *(r.counter for r in read.reductions)}

    def _is_channel(self, place: Expr) -> bool:
        """Whether a place is one of the few of a pixel, all of which are there in any image."""
        few = {
            c
            for d, c in zip(self.region, self.coordinates, strict=True)
            if isinstance(d.lower, Const) and isinstance(d.upper, Const)
        }
        return all(n in few for n in postorder(place) if isinstance(n, Variable))

    def _touched_ends(
        self, number: int, is_upper: bool, output: str, call: Call, anyway: Sequence[Call]
    ) -> list[Expr]:
        """Coordinates that are touched in dimension `number` in any case."""
        found: list[Expr] = []
        if call.name == output:
            dimension = self.region[number]
            last = Sub(dimension.upper, const(1, I64))
            found.append(normal(last) if is_upper else dimension.lower)
        for other in anyway:
            place = other.args[number]
            if isinstance(place, Const):
                found.append(const(int(place.value), I64))
        return found

    def _limit(
        self,
        place: Expr,
        is_upper: bool,
        read: PathRead,
        formulas: Sequence[Expr],
        touched: Sequence[Expr],
    ) -> Expr | None:
        """The closest bound over parameters that the conditions imply, and the region alone
        doesn't."""
        around = [*self.assumptions.formulas, *self.given, *self._domains(read)]
        beyond = LE if is_upper else GE
        if any(self._holds(beyond(place, end), around) for end in touched):
            return None
        moving = self._moving(read)
        found: Expr | None = None
        for slack in self._slacks(formulas, around):
            for factor in _FACTORS:
                more = slack if factor == 1 else Mul(const(factor, I64), slack)
                bound = normal(Add(place, more) if is_upper else Sub(place, more))
                if moving & set(postorder(bound)):
                    continue
                if found is not None and not _is_closer(bound, found, is_upper):
                    break
                inside: Expr = beyond(place, bound)
                if not self._holds(inside, around) and self._holds(inside, (*around, *formulas)):
                    found = bound
                break
        return found

    def _holds(self, formula: Expr, known: Sequence[Expr]) -> bool:
        return self.prover.integers(formula, known, _SECONDS).proved

    def _slacks(self, formulas: Sequence[Expr], given: Sequence[Expr]) -> list[Expr]:
        """What isn't negative where the formulas hold."""
        found: list[Expr] = []
        for formula in formulas:
            if not isinstance(formula, Comparison) or formula.a.type is not I64:
                continue
            a, b = formula.a, formula.b
            one = const(1, I64)
            if isinstance(formula, NE):
                below = self._holds(LE(a, b), given)
                above = not below and self._holds(GE(a, b), given)
                if not below and not above:
                    continue
                formula = LT(a, b) if below else GT(a, b)
            if isinstance(formula, (LT, LE, EQ)):
                found.append(
                    normal(Sub(b, a) if not isinstance(formula, LT) else Sub(Sub(b, a), one))
                )
            if isinstance(formula, (GT, GE, EQ)):
                found.append(
                    normal(Sub(a, b) if not isinstance(formula, GT) else Sub(Sub(a, b), one))
                )
        return found

    def _same_place(self, other: Call, read: PathRead) -> Decision:
        """That `other` is of the same element as `read` where that counts."""
        flattener = self._flattener(read)
        ours, theirs = (
            flattener.coordinates(inlined)
            for inlined in map(self.prover.inlined, (other, read.call))
            if isinstance(inlined, Call)
        )
        known = (
            *self.assumptions.formulas, *self.given, *self._domains(read), *self.formulas(read),
        )  # fmt: skip
        decision = Decision("proved", "structural", 0.0)
        goals = [EQ(a, b) for a, b in zip(ours, theirs, strict=True) if a is not b]
        for goal in (*goals, *(doubt for doubt, _ in flattener.doubts)):
            decision = self.prover.integers(goal, known, _SECONDS)
            if not decision.proved:
                return decision
        return decision

    def settle(self, read: PathRead) -> None:
        """Assumes what conditions on the way to a read need for their arithmetic to fit its type,
        where the parameters can be small enough for that."""
        flattener = self._flattener(read)
        given = (*self.given, *self._domains(read))
        for part in conjuncts(read.condition):
            value = normalize_indices(flattener.value(part))
            formula, doubts = strict_formula(value, flattener.ranges)
            if formula is None or any(isinstance(n, (Call, Load)) for n in postorder(formula)):
                continue
            for doubt in dict.fromkeys(doubts):
                remedies = remedies_for_a_doubt(doubt, given, self.prover.parameters)
                self.assumptions.decide(doubt, given, remedies)

    def formulas(self, read: PathRead) -> list[Expr]:
        """What the conditions on the way to a read say of places."""
        flattener = self._flattener(read)
        known = (*self.assumptions.formulas, *self.given, *self._domains(read))
        found: list[Expr] = []
        for part in conjuncts(read.condition):
            if any(isinstance(n, Call) for n in postorder(part)):
                continue
            value = normalize_indices(flattener.value(part))
            # A part counts where those before it hold.
            holds = partial(self._holds, known=(*known, *found))
            formula = place_formula(value, flattener.ranges, holds)
            found += [] if formula is None else conjuncts(formula)
        return found

    def _flattener(self, read: PathRead) -> Flattener:
        loops = tuple(Loop(r.counter, r.extent, NOWHERE) for r in read.reductions)
        return Flattener(self.names, self.coordinates, self.layouts, self.prover.parameters, loops)

    def _domains(self, read: PathRead) -> tuple[Expr, ...]:
        return domain(Loop(r.counter, r.extent, NOWHERE) for r in read.reductions)


def _with_argument(call: Call, number: int, argument: Expr) -> Call:
    args = (*call.args[:number], argument, *call.args[number + 1 :])
    return Call(call.name, args, call.type, "image")


def _is_closer(bound: Expr, other: Expr, is_upper: bool) -> bool:
    """Whether one bound is inside of another one by a number that is known."""
    less = normal(Sub(other, bound) if is_upper else Sub(bound, other))
    return isinstance(less, Const) and less.value > 0


def _unclamped(place: Expr) -> Expr | None:
    """A coordinate without its outermost bound; None where it has none."""
    return place.a if isinstance(place, (Min, Max)) else None


__all__ = ["Clamps"]
