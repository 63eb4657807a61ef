"""Reads that a condition on the place guards, clamped to where the condition lets them be.

    d[i] = i + 1 < n ? s[i + 1] : 0        d(x) = select(x + 1 < n, s(min(x + 1, n - 1)), 0)

    d[i] = (unsigned)(u >> 16) < (unsigned)w ? s[u >> 16] : 0
                                           d(x) = select(.., s(max(min(t / 65536, w - 1), 0)), 0)

Where the choice takes the read, the clamp changes nothing, which is proved here of each one: of
numbers without bounds, or of those of 32 bits that condition and place are both made of. But
whoever looks at the definition alone, as bounds inference does, sees that `s` is read from 1 to
n - 1, which is what the original reads.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import partial

from compiler.ir import (
    EQ,
    GE,
    GT,
    I64,
    LE,
    LT,
    MIRROR,
    NE,
    TRUE,
    Add,
    Call,
    Cast,
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
    substitute,
    transform,
)

from ..dag import Ranges, Reduce, conjuncts, domain, normal, normalize_indices
from ..model.stage import Loop
from ..model.summary import Dimension, Layout
from ..synth.paths import PathRead, reads_of
from .assumptions import Assumptions
from .canonical import LeafIntervals, canonical
from .compose import as_int32
from .decide import Decision
from .encode import is_leaf, value_postorder
from .flatten import (
    NOWHERE,
    Flattener,
    meaning_the_same,
    place_formula,
    strict_formula,
    strict_place,
)
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
        self._same_numbers: dict[tuple[Expr, Expr, Expr, tuple[Reduce, ...]], Decision] = {}

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
        if any(_is_looked_up(n) for a in inlined.args for n in postorder(a)):
            return call
        places = self._flattener(read).coordinates(inlined)
        formulas = self.formulas(read)
        made = call
        for number, place in enumerate(places):
            moves = self._moving(read) & set(postorder(place))
            if not moves or self._is_channel(place):
                continue
            for is_upper, kind in ((True, Min), (False, Max)):
                touched = self._touched_ends(number, is_upper, output, call, anyway)
                limit = self._limit(place, is_upper, read, formulas, touched) if formulas else None
                if limit is not None:
                    bound = as_int32(limit, self.prover.parameters)
                    made = _with_argument(made, number, kind(made.args[number], bound))
                elif not formulas:
                    made = self._limited_by_bits(made, number, is_upper, read)
        return made if made is call or self._same_place(made, read).proved else call

    def _limited_by_bits(self, call: Call, number: int, is_upper: bool, read: PathRead) -> Call:
        """With a bound that conditions say of what a place is made of, as it stands there."""
        kind = Min if is_upper else Max
        place = call.args[number]
        plain = read.call.args[number]
        shift = 0
        if isinstance(plain, Add) and isinstance(plain.b, Const):
            shift = int(plain.b.value)
        inside = {n for n in postorder(place) if n.children}
        around = (*self.assumptions.formulas, *self.given)
        for tested, bound in self._compared(read, is_upper):
            if bound.type is place.type and inside & set(postorder(tested)):
                end, doubts = strict_place(bound, self._ranges())
                if not all(self._holds(doubt, around) for doubt in doubts):
                    continue
                end = normal(Add(end, const(shift, I64)))
                limit = as_int32(end, self.prover.parameters)
                made = _with_argument(call, number, kind(place, limit))
                if self._same_number(made.args[number], place, read).proved:
                    return made
        return call

    def _compared(self, read: PathRead, is_upper: bool) -> Iterator[tuple[Expr, Expr]]:
        """What conditions on the way to a read compare with numbers of the whole region, and the
        bound that follows."""
        moving = {*self.names, *(r.counter for r in read.reductions)}
        for part in conjuncts(read.condition):
            if not isinstance(part, LT | LE | GT | GE):
                continue
            for kind, tested, end in (
                (type(part), part.a, part.b),
                (MIRROR[type(part)], part.b, part.a),
            ):
                if any(n in moving or isinstance(n, Call) for n in postorder(end)):
                    continue
                is_unsigned = tested.type.is_uint
                if is_unsigned and isinstance(end, Cast):
                    end = end.value
                one = Const(end.type, 1) if end.type.is_integer and not end.type.is_bool else None
                if one is None or (is_unsigned and kind not in (LT, LE)):
                    continue
                if is_upper and kind in (LT, LE):
                    yield tested, end if kind is LE else Sub(end, one)
                elif is_unsigned and not is_upper:
                    yield tested, Const(end.type, 0)
                elif not is_upper and kind in (GT, GE):
                    yield tested, end if kind is GE else Add(end, one)

    def _same_number(self, a: Expr, b: Expr, read: PathRead) -> Decision:
        """That two coordinates are one number, as the DSL computes it, where a read counts.

        What both and the conditions are made of may be any number, but where sizes alone say it.
        """
        key = (a, b, read.condition, read.reductions)
        if key not in self._same_numbers:
            self._same_numbers[key] = self._compared_by_bits(a, b, read)
        return self._same_numbers[key]

    def _ranges(self) -> Ranges:
        """What is known at a point of the region, as in a loop that goes over it."""
        loops = (
            Loop(c, d.upper, NOWHERE)
            for d, c in zip(self.region, self.coordinates, strict=True)
            if isinstance(d.lower, Const) and d.lower.value == 0
        )
        return Ranges(self.prover.parameters, tuple(loops))

    def _compared_by_bits(self, a: Expr, b: Expr, read: PathRead) -> Decision:
        flattener = self._flattener(read)
        around = (*self.assumptions.formulas, *self.given, *self._domains(read))
        known = meaning_the_same(around, self._ranges())
        # The same sums of low bits are made of 64 bits and of 32.
        values = [
            canonical(normalize_indices(flattener.value(e)), LeafIntervals({}))
            for e in (a, b, *conjuncts(read.condition))
        ]
        mine, yours, *others = (set(value_postorder(value)) for value in values)
        free = self._moving(read)
        shared = {
            n
            for n in mine & yours & set().union(*others)
            if any(p in free or isinstance(p, Call | Load) for p in postorder(n))
        }
        names: dict[Expr, Expr] = {}
        for value in values:
            for node in _outermost(value, shared):
                names.setdefault(node, Variable(f"shared{len(names)}'", node.type))
        ours, theirs, *said = (substitute(value, names) for value in values)
        return self.prover.equal(ours, theirs, [*known, *said], _SECONDS)

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
                break
        else:
            return decision
        for mine, yours in zip(other.args, read.call.args, strict=True):
            decision = self._same_number(mine, yours, read)
            if not decision.proved:
                break
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


def _is_looked_up(node: Expr) -> bool:
    return isinstance(node, Call) and node.kind == "image"


def _outermost(expr: Expr, chosen: Container[Expr]) -> Iterator[Expr]:
    """The largest parts of an expression that are among the chosen ones, and are computed."""
    if expr in chosen and expr.children:
        yield expr
    elif not is_leaf(expr):
        for child in expr.children:
            yield from _outermost(child, chosen)


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
