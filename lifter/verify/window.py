"""Windows: sums of the same elements, counted.

    t + s[i + r + 1] - s[i - r]  =  sum(s[i + 1 + j] for -r <= j <= r)
    where t  =  sum(s[i + j] for -r <= j <= r)

Both sides are sums of integers, which wrap modulo 2**bits: a commutative group, in which nothing
counts but how often each element is added. So both are taken apart (`dag/summands.py`), what is
added is told by the place where it is read, and for every place whatsoever it is proved that the
numbers of times are the same. That is a formula over integers: a running index is at a place once
or not at all, one that is kept inside of bounds is at a bound as often as it would lie beyond.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from compiler.ir import (
    EQ,
    GE,
    GT,
    I64,
    LE,
    LT,
    Add,
    Call,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Select,
    Sub,
    Variable,
    const,
    postorder,
    substitute,
    transform,
)

from ..dag import (
    Indexer,
    Ranges,
    Term,
    conjunction,
    conjuncts,
    domain,
    from_polynomial,
    negate,
    normal,
    polynomial,
    replace,
    summands,
    with_extremes,
)
from ..model.stage import Claim, Loop
from .assumptions import Assumptions
from .decide import Decision
from .flatten import NOWHERE
from .remedies import remedies_for_a_doubt

_ZERO, _ONE = const(0, I64), const(1, I64)
_PLACE: Expr = Variable("place'", I64)
"""Any place: no counter or parameter has a name with a mark."""

_UNDECIDED = Decision("undecided", None, 0.0)


_Doubt = tuple[Expr, tuple[Loop, ...]]
"""What has to hold in the iterations of some loops."""


class _Unlike(Exception):
    """A sum of a form that isn't counted here."""


@dataclass(frozen=True)
class _Step:
    """What a place is multiplied by: `y * pitch` moves by `pitch`, `3 * x` by 3."""

    factor: int
    atoms: tuple[Expr, ...]

    @property
    def size(self) -> Expr:
        return from_polynomial({self.atoms: self.factor})

    def split(self, index: Expr, others: set[Expr]) -> tuple[Expr, Expr]:
        """(place, rest) of an index, which is `place * size + rest`: the rest is what no multiple
        of the step is, and what depends on any of `others`."""
        place: dict[tuple[Expr, ...], int] = {}
        rest: dict[tuple[Expr, ...], int] = {}
        for monomial, factor in polynomial(index).items():
            left = _without(monomial, self.atoms)
            if left is None or not others.isdisjoint(postorder(*monomial)):
                rest[monomial] = factor
                continue
            many, few = divmod(factor, self.factor)
            place |= {left: many} if many else {}
            rest |= {monomial: few} if few else {}
        return from_polynomial(place), from_polynomial(rest)


def equal_sums(claim: Claim, assumptions: Assumptions) -> Decision:
    """Whether both sides of a claim are the same number modulo 2**bits wherever what is `given`
    holds. Of the claim's remedies, one that makes it so is assumed."""
    formula = claim.formula
    if not isinstance(formula, EQ) or not formula.a.type.is_integer or formula.a.type.is_bool:
        return _UNDECIDED
    left = summands(Sub(formula.a, formula.b), formula.a.type.bits)
    if not left:
        return Decision("proved", "structural", 0.0)
    decision = _UNDECIDED
    for step in _steps(left):
        trial = assumptions.fork()
        try:
            numbers, doubts = _numbers(left, step, claim.loops, assumptions)
        except _Unlike:
            continue
        goal = conjunction(normal(EQ(number, _ZERO)) for number in numbers)
        decision = trial.decide(goal, claim.given, claim.remedies)
        if decision.proved and all(_is_settled(d, claim, trial) for d in doubts):
            assumptions.adopt(trial)
            return decision
    return decision if not decision.proved else _UNDECIDED


def _is_settled(doubt: _Doubt, claim: Claim, assumptions: Assumptions) -> bool:
    """Whether what is computed for a condition fits its type, or is assumed to."""
    formula, around = doubt
    given = (*claim.given, *domain(around))
    remedies = remedies_for_a_doubt(formula, given, assumptions.prover.parameters)
    return assumptions.decide(formula, given, remedies).proved


def _steps(terms: Iterable[Term]) -> list[_Step]:
    """By what the places may move that sums run over."""
    found: dict[_Step, None] = {}
    for term in terms:
        load = _first_load(term)
        if load is None:
            continue
        for counter, _ in term.loops:
            step = _slope(load.indices[0], counter)
            if step is not None:
                found[step] = None
    return [*found] or [_Step(1, ())]


def _slope(index: Expr, counter: Expr) -> _Step | None:
    """By what an index moves in each iteration, if that is a product: of the counter, or of what
    keeps the counter inside of bounds."""
    moving = {m: c for m, c in polynomial(index).items() if counter in postorder(*m)}
    if len(moving) != 1:
        return None
    ((monomial, factor),) = moving.items()
    atoms = [a for a in monomial if counter in postorder(a)]
    rest = _without(monomial, tuple(atoms))
    return None if len(atoms) != 1 or rest is None else _Step(abs(factor), rest)


def _without(monomial: tuple[Expr, ...], atoms: tuple[Expr, ...]) -> tuple[Expr, ...] | None:
    left = list(monomial)
    for atom in atoms:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)


def _first_load(term: Term) -> Load | None:
    loads = (n for n in postorder(term.value, *term.conditions) if isinstance(n, Load))
    found = next(loads, None)
    return found if found is not None and len(found.indices) == 1 else None


def _numbers(
    terms: dict[Term, Expr], step: _Step, loops: Sequence[Loop], assumptions: Assumptions
) -> tuple[list[Expr], list[_Doubt]]:
    """For each value that is read at a place, how often it is added of any place; and what has to
    hold for conditions to say what they seem to."""
    totals: dict[tuple[Expr, ...], Expr] = {}
    doubts: dict[_Doubt, None] = {}
    for term, times in terms.items():
        counted = _Counted(term, times, step, loops, assumptions)
        key, number = counted.number()
        totals[key] = Add(totals.get(key, _ZERO), number)
        doubts |= dict.fromkeys(counted.doubts)
    return [normal(total) for total in totals.values()], [*doubts]


class _Counted:
    """One term of a sum: which value of a place it adds, and how often."""

    def __init__(
        self,
        term: Term,
        times: Expr,
        step: _Step,
        loops: Sequence[Loop],
        assumptions: Assumptions,
    ) -> None:
        self.term, self.times, self.step = term, times, step
        self.own = tuple(Loop(counter, extent, NOWHERE) for counter, extent in term.loops)
        self.ranges = Ranges(assumptions.prover.parameters, (*loops, *self.own))
        self.doubts: list[_Doubt] = []
        self.load = _first_load(term)
        moving = [loop for loop in term.loops if self._moves(loop[0])]
        if len(moving) > 1:
            raise _Unlike
        self.moving = moving[0] if moving else None
        self.others = [loop for loop in term.loops if loop not in moving]

    def _moves(self, counter: Variable) -> bool:
        if self.load is None:
            return len(self.term.loops) == 1
        return _slope(self.load.indices[0], counter) == self.step

    def number(self) -> tuple[tuple[Expr, ...], Expr]:
        """The value, over places that are told from the one at hand; and how often it is added of
        that."""
        others: set[Expr] = {counter for counter, _ in self.others}
        own = (self.times,) if self.moving is None else (self.times, self.moving[1])
        if not others.isdisjoint(postorder(*own)):
            raise _Unlike  # how often would be told by what the value is, too
        by_place, of_data = list[Expr](), list[Expr]()
        for condition in self.term.conditions:
            formula = self._formula(condition)
            if formula is None or not others.isdisjoint(postorder(formula)):
                of_data.append(condition)
            else:
                by_place += conjuncts(with_extremes(formula))
        place = self._place(others)
        parts = [self._told(part, place) for part in (self.term.value, *of_data)]
        for counter, extent in self.others:
            parts += [counter, extent]
        renamed: dict[Expr, Expr] = {
            counter: Variable(f"{number}'", I64) for number, (counter, _) in enumerate(self.others)
        }
        key = tuple(substitute(part, renamed) for part in parts)
        if self.moving is not None and self.moving[0] in postorder(*key):
            raise _Unlike
        return key, self._how_often(place, by_place)

    def _formula(self, condition: Expr) -> Expr | None:
        """What a condition says of counters and parameters, and that this takes no doubts: those
        are noted. None for one about what is read."""
        doubts: list[Expr] = []
        formula = Indexer(self.ranges, lambda doubt, _: doubts.append(doubt)).formula(condition)
        if formula is None or any(isinstance(n, (Load, Call)) for n in postorder(formula)):
            return None
        self.doubts += [(doubt, self.own) for doubt in doubts]
        return formula

    def _place(self, others: set[Expr]) -> Expr:
        if self.load is None:
            return _ZERO
        return self.step.split(with_extremes(self.load.indices[0]), others)[0]

    def _told(self, part: Expr, place: Expr) -> Expr:
        """A part of the value with places told by how far they are from this one."""
        if self.load is None:
            return part
        counter = None if self.moving is None else self.moving[0]
        from_here = normal(Mul(place, self.step.size))

        def visit(node: Expr) -> Expr:
            if not isinstance(node, Load):
                return node
            if len(node.indices) != 1 or node.indices[0].type is not I64:
                raise _Unlike
            index = with_extremes(node.indices[0])
            distance = normal(Sub(index, from_here))
            if counter is None or counter not in postorder(distance):
                told: Expr = Load(f"{node.array}'", (distance,), node.type)
                return told
            return Load(node.array, (index,), node.type)

        made: Expr = transform(part, visit)
        return made

    def _how_often(self, place: Expr, conditions: list[Expr]) -> Expr:
        if self.moving is None:
            here = conjunction((*conditions, normal(EQ(place, _PLACE))))
            return Select(here, self.times, _ZERO)
        counter, extent = self.moving
        line = _line(place, counter)
        if self.load is not None and line is not None:
            sign, start = line
            at = Sub(_PLACE, start) if sign > 0 else Sub(start, _PLACE)
            there: dict[Expr, Expr] = {counter: normal(at)}
            asked = (GE(counter, _ZERO), LT(counter, extent), *conditions)
            here = conjunction(replace(c, there) for c in asked)
            return Select(here, replace(self.times, there), _ZERO)
        if counter in postorder(self.times):
            raise _Unlike
        if self.load is None:
            return Mul(self.times, _total(counter, extent, conditions))
        upto, below = (
            _at_most(place, limit, counter, extent, conditions)
            for limit in (_PLACE, Sub(_PLACE, _ONE))
        )
        return Mul(self.times, Sub(upto, below))


def _line(place: Expr, counter: Expr) -> tuple[int, Expr] | None:
    """(sign, rest) of a place that is the counter, or its opposite, and something else."""
    terms = polynomial(place)
    sign = terms.pop((counter,), 0)
    rest = from_polynomial(terms)
    return (sign, rest) if abs(sign) == 1 and counter not in postorder(rest) else None


def _at_most(place: Expr, limit: Expr, counter: Expr, extent: Expr, conditions: list[Expr]) -> Expr:
    """In how many of the iterations for which conditions hold a place is at most a limit."""
    if counter not in postorder(place):
        return Select(LE(place, limit), _total(counter, extent, conditions), _ZERO)
    line = _line(place, counter)
    if line is not None:
        return _total(counter, extent, [*conditions, LE(place, limit)])
    if isinstance(place, (Min, Max)):
        bound, inner = place.a, place.b
        if counter in postorder(bound):
            bound, inner = inner, bound
        if counter in postorder(bound):
            raise _Unlike
        within = _at_most(inner, limit, counter, extent, conditions)
        if isinstance(place, Max):
            return Select(LE(bound, limit), within, _ZERO)
        return Select(LE(bound, limit), _total(counter, extent, conditions), within)
    if isinstance(place, Select):
        sides = (
            _at_most(side, limit, counter, extent, [*conditions, *conjuncts(asked)])
            for side, asked in ((place.a, place.condition), (place.b, negate(place.condition)))
        )
        return Add(*sides)
    terms = polynomial(place)
    moving = [m for m in terms if counter in postorder(*m)]
    if len(moving) != 1 or terms.pop(moving[0]) != 1 or len(moving[0]) != 1 or not terms:
        raise _Unlike
    limit = normal(Sub(limit, from_polynomial(terms)))
    return _at_most(moving[0][0], limit, counter, extent, conditions)


def _total(counter: Expr, extent: Expr, conditions: Iterable[Expr]) -> Expr:
    """In how many iterations conditions hold that bound the counter."""
    low, high = _ZERO, extent
    gates: list[Expr] = []
    for condition in conditions:
        if counter not in postorder(condition):
            gates.append(condition)
            continue
        if not isinstance(condition, (LE, LT, GE, GT)):
            raise _Unlike
        a, b = condition.a, condition.b
        if isinstance(condition, (GE, GT)):
            a, b = b, a
        strict = isinstance(condition, (LT, GT))
        line = _line(normal(Sub(a, b)), counter)
        if line is None:
            raise _Unlike
        sign, rest = line
        if sign > 0:  # counter + rest <= 0
            last = Sub(_ZERO, rest)
            high = Min(high, last if strict else Add(last, _ONE))
        else:
            low = Max(low, Add(rest, _ONE) if strict else rest)
    number: Expr = Max(normal(Sub(high, low)), _ZERO)
    return Select(conjunction(gates), number, _ZERO) if gates else number
