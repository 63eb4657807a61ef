"""A constant that the size of a memory never exceeds: what the threads of a block share has one.

    (max(min(w, x*16 + 16), 16) - min(w, x*16 + 16) + 1) * 18    ->    288 for x >= 0, w >= 1

Coordinates are taken not to overflow, as everywhere in lowering. Extremes are taken apart one after
the other, the largest first: what stands inside of them may be there once more, and cancels out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import isinf

from ..ir import I32, I64, Cast, Const, Expr, Variable, postorder
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.coordinate_range import range_of_sum
from ..ir.coordinate_sums import Sum, sum_of

_MOST_STEPS = 2000
"""How many sums are looked at for one size."""


@dataclass
class Facts:
    """What is known of the place where a size is needed."""

    least: dict[Expr, int] = field(default_factory=dict)
    """Numbers that expressions are not below."""
    most: dict[Expr, Sum] = field(default_factory=dict)
    """Sums that variables don't exceed."""

    def of_loop(self, loop: s.For) -> None:
        """Notes that the place is inside of the loop."""
        variable = Variable(loop.name, I32)
        if isinstance(loop.min, Const):
            self.note(variable, int(loop.min.value))
        end = sum_of(loop.min).plus(sum_of(loop.extent))
        self.most[variable] = end.plus(Sum({}, -1))
        self.note(loop.extent, 1)

    def note(self, expr: Expr, least: int) -> None:
        """Notes that `expr` is at least `least`, and what follows for what it is made of."""
        known = self.least.get(expr)
        if known is not None and known >= least:
            return
        self.least[expr] = least
        match expr:
            case n.Min(a=a, b=b):
                self.note(a, least)
                self.note(b, least)
            case n.Div(a=a, b=Const(value=value)) if value > 0:
                self.note(a, least * int(value))
            case n.Add(a=a, b=Const(value=value)):
                self.note(a, least - int(value))
            case n.Sub(a=a, b=Const(value=value)):
                self.note(a, least + int(value))
            case Cast(value=value) if expr.type is I64 and value.type is I32:
                self.note(value, least)


def facts_of(around: Iterable[s.For], inside: Iterable[s.For]) -> Facts:
    """What is known within the loops `around`, and anywhere of the variables of those `inside`,
    of which several may have one."""
    made = Facts()
    mins: dict[str, list[Expr]] = {}
    for loop in inside:
        mins.setdefault(loop.name, []).append(loop.min)
    for name, several in mins.items():
        numbers = [int(each.value) for each in several if isinstance(each, Const)]
        if len(numbers) == len(several):
            made.note(Variable(name, I32), min(numbers))
    for loop in around:
        made.of_loop(loop)
    return made


def largest_size(size: Expr, facts: Facts) -> int | None:
    """A number that the integer `size` never exceeds; None where none is found."""
    if isinstance(size, n.Mul) and not isinstance(size.b, Const):
        parts = [largest_size(part, facts) for part in (size.a, size.b)]
        a, b = (None if part is None else max(part, 0) for part in parts)
        # Of two factors below 0 the product may be larger.
        above = all(_is_never_negative(part, facts) for part in (size.a, size.b))
        return a * b if a is not None and b is not None and above else None
    return _Search(facts).most(whole_sum(sum_of(size)))


def _is_never_negative(size: Expr, facts: Facts) -> bool:
    if isinstance(size, n.Mul) and not isinstance(size.b, Const):
        return all(_is_never_negative(part, facts) for part in (size.a, size.b))
    lowest = _Search(facts).most(whole_sum(sum_of(size)).times(-1))
    return lowest is not None and lowest <= 0


def whole_sum(total: Sum) -> Sum:
    """`total` with int32 numbers in it that were widened, as the sums that they are."""
    made = Sum({}, total.constant)
    for term, factor in total.terms.items():
        if isinstance(term, Cast) and term.type is I64 and term.value.type is I32:
            made = made.plus(whole_sum(sum_of(term.value)), factor)
        else:
            made = made.plus(Sum({term: 1}, 0), factor)
    return made


class _Search:
    """The search for one size, which remembers what it has found."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.steps = 0
        self.found: dict[frozenset[tuple[Expr, int]], int | None] = {}

    def most(self, total: Sum) -> int | None:
        """The largest that a sum can be, as far as it is found."""
        key = frozenset(total.terms.items())
        if key not in self.found:
            self.steps += 1
            if self.steps > _MOST_STEPS:
                return None
            self.found[key] = None
            self.found[key] = self._most(Sum(total.terms, 0))
        found = self.found[key]
        return None if found is None else found + total.constant

    def _most(self, total: Sum) -> int | None:
        extremes = [
            (-len(list(postorder(term))), factor < 0, position)
            for position, (term, factor) in enumerate(total.terms.items())
            if isinstance(term, n.Min | n.Max)
        ]
        if not extremes:
            opened = self._opened(total)
            if not opened.terms:
                return opened.constant
            limits = (self.most(each) for each in self._above(total))
            found = [self._plain(total), *limits, *self._of_multiples(total)]
            return min((limit for limit in found if limit is not None), default=None)
        term, factor = list(total.terms.items())[min(extremes)[2]]
        assert isinstance(term, n.Min | n.Max)
        rest = total.without((term,))
        parts = [self.most(rest.plus(whole_sum(sum_of(x)), factor)) for x in (term.a, term.b)]
        known = [part for part in parts if part is not None]
        bounds = [limit for limit in self._of_pairs(total) if limit is not None]
        if isinstance(term, n.Min) == (factor > 0):
            bounds += known
        elif len(known) == 2:
            bounds.append(max(known))
        return min(bounds, default=None)

    def _of_pairs(self, total: Sum) -> Iterator[int | None]:
        """What follows where two extremes have an operand in common, of which one goes off:
        min(a, b) - min(a, c) is at most b - c, or at most 0."""
        extremes = [(x, f) for x, f in total.terms.items() if isinstance(x, n.Min | n.Max)]
        for above, factor in extremes:
            for below, negative in extremes:
                if factor <= 0 or negative != -factor or type(above) is not type(below):
                    continue
                for a, b in ((above.a, above.b), (above.b, above.a)):
                    if a in (below.a, below.b):
                        c = below.b if a is below.a else below.a
                        apart = whole_sum(sum_of(b)).plus(whole_sum(sum_of(c)), -1)
                        rest = total.without((above, below))
                        parts = self.most(rest.plus(apart, factor)), self.most(rest)
                        yield None if None in parts else max(x for x in parts if x is not None)

    def _above(self, total: Sum) -> Iterator[Sum]:
        """Sums that `total` does not exceed, which have another term in the place of one."""
        for term, factor in total.terms.items():
            rest = total.without((term,))
            if factor > 0 and term in self.facts.most:
                yield rest.plus(whole_sum(self.facts.most[term]), factor)
            opened = self._dividend(term, factor)
            if opened is not None:
                yield rest.plus(opened)

    def _opened(self, total: Sum) -> Sum:
        """A sum that `total` does not exceed, which has dividends in the place of all quotients:
        what stands in several of them may cancel out."""
        made = total
        for term, factor in total.terms.items():
            opened = self._dividend(term, factor)
            if opened is not None:
                made = made.plus(Sum({term: factor}, 0), -1).plus(opened)
        return made

    def _dividend(self, term: Expr, factor: int) -> Sum | None:
        """What `factor * term` does not exceed, without the quotient that `term` is."""
        if not isinstance(term, n.Div) or not isinstance(term.b, Const):
            return None
        divisor = int(term.b.value)
        if divisor <= 0 or factor % divisor:
            return None
        # divisor * (a / divisor) lies from divisor - 1 below a up to a.
        dividend = whole_sum(sum_of(term.a))
        if factor < 0:
            dividend = dividend.plus(Sum({}, 1 - divisor))
        return Sum({}, 0).plus(dividend, factor // divisor)

    def _of_multiples(self, total: Sum) -> Iterator[int]:
        """What follows from multiples of the sum, of which quotients go."""
        for term, factor in total.terms.items():
            if isinstance(term, n.Div) and isinstance(term.b, Const):
                divisor = int(term.b.value)
                if divisor > 0 and factor % divisor:
                    most = self.most(total.times(divisor))
                    if most is not None:
                        yield most // divisor

    def _plain(self, total: Sum) -> int | None:
        """Of a sum without extremes, by what is known of each term by itself."""
        moved = total
        for term, factor in total.terms.items():
            least = self.facts.least.get(term)
            if least is not None and factor < 0:
                moved = moved.without((term,)).plus(Sum({}, factor * least))
        found = min(range_of_sum(total)[1], range_of_sum(moved)[1])
        return None if isinf(found) else int(found)


__all__ = ["Facts", "facts_of", "largest_size", "whole_sum"]
