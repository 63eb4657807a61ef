"""Trip counts: how many iterations a loop runs, from its condition over the counter of its
iterations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd
from typing import Literal

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    Comparison,
    Const,
    Div,
    Expr,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Sub,
    Variable,
    postorder,
)

from ..model.diagnostic import Span
from .failure import unsupported
from .polynomial import (
    ONE,
    ZERO,
    Monomial,
    Polynomial,
    conjunction,
    from_polynomial,
    normal,
    polynomial,
)

Claimer = Callable[[Literal["termination"], Expr, str], None]


@dataclass(frozen=True)
class TripCount:
    """Counts the iterations of one loop; what the count relies on goes to `claim`.

    Raises `LiftError` (`loop-bound`) where the condition is no simple bound.
    """

    counter: Variable
    span: Span
    claim: Claimer

    def of(self, condition: Expr) -> Expr:
        """How many iterations from 0 on satisfy `condition`, which is monotone in the counter."""
        if isinstance(condition, Const):
            if condition is FALSE:
                return ZERO
            raise unsupported(
                "loop-bound", "this loop never ends", self.span, "give it a condition that ends it"
            )
        if any(
            isinstance(n, Load) and self.counter in set(postorder(n)) for n in postorder(condition)
        ):
            raise unsupported(
                "loop-bound", "what this loop reads decides how many iterations it runs", self.span,
                "only loops that run a countable number of iterations are understood: give the "
                "length as a parameter",
            )  # fmt: skip
        if isinstance(condition, And):
            nearer = _nearer(condition.a, condition.b)
            if nearer is not None:
                return self.of(nearer)
            return normal(Min(self.of(condition.a), self.of(condition.b)))
        if isinstance(condition, Comparison):
            aligned = self._until_multiple(condition)
            if aligned is not None:
                return aligned
            distance = distance_to_end(condition)
            if distance is not None:
                return self._until(distance, isinstance(condition, NE))
        raise unsupported(
            "loop-bound", f"the loop's condition `{condition}` isn't a simple bound", self.span,
            "a loop must count up or down by a fixed amount to a bound that it doesn't change",
        )  # fmt: skip

    def _until_multiple(self, condition: Comparison) -> Expr | None:
        """Iterations while `place % m` isn't 0, where the place grows or falls by one."""
        a, b = condition.a, condition.b
        if not isinstance(condition, (NE, GT)) or b is not ZERO or not isinstance(a, Mod):
            return None
        terms = polynomial(a.a)
        step = terms.get((self.counter,), 0)
        start = from_polynomial({m: c for m, c in terms.items() if self.counter not in m})
        others = [m for m in terms if self.counter in m and m != (self.counter,)]
        is_known = isinstance(a.b, Const) and a.b.value > 0 and self.counter not in postorder(start)
        if step not in (1, -1) or others or not is_known:
            return None
        return normal(Mod(Neg(start) if step == 1 else start, a.b))

    def _until(self, distance: Expr, exact: bool) -> Expr:
        """Iterations while `distance` > 0, where it falls by the same each iteration.

        By how much may be a parameter's to say; that it falls at all is claimed then. With `exact`
        the loop runs while distance != 0: it must start at a multiple of the fall that is not
        negative (else the original runs away); that is claimed.
        """
        # How far a pointer to structures is from its end counts the numbers that these are made of.
        unit = max(gcd(*polynomial(distance).values()), 1)
        terms = {m: c // unit for m, c in polynomial(distance).items()}
        slope = {_without(m, self.counter): -c for m, c in terms.items() if self.counter in m}
        start = from_polynomial({m: c for m, c in terms.items() if self.counter not in m})
        fall = from_polynomial(slope)
        if not slope or self.counter in postorder(fall) or self.counter in postorder(start):
            raise unsupported(
                "loop-bound",
                f"the loop's step isn't known: `{distance}` must fall by the same each time",
                self.span,
            )  # fmt: skip
        if exact and slope[max(slope, key=len)] < 0:
            start, fall = normal(Sub(ZERO, start)), normal(Sub(ZERO, fall))
        if isinstance(fall, Const) and fall.value <= 0:
            raise unsupported(
                "loop-bound", "the loop runs away from its bound", self.span,
                "a loop must count up or down by a fixed amount to a bound that it doesn't change",
            )  # fmt: skip
        if not isinstance(fall, Const):
            self._claim(GT(fall, ZERO))
        if not exact:
            return _ceiling(start, fall)
        whole, rest = divided(start, fall)
        if rest is ZERO:
            self._claim(GE(whole, ZERO))
            return whole
        self._claim(conjunction((GE(start, ZERO), EQ(Mod(start, fall), ZERO))))
        return normal(Div(start, fall))

    def _claim(self, formula: Expr) -> None:
        self.claim("termination", normal(formula), f"the loop ends: {normal(formula)}")


def _ceiling(a: Expr, by: Expr) -> Expr:
    """`a / by`, rounded up, for by > 0."""
    whole, rest = divided(a, by)
    if any(_is_brought_back(m, c) for m, c in polynomial(a).items()):
        return normal(Sub(whole, Div(Neg(rest), by)))
    if polynomial(whole).get((), 0) < 0:
        return normal(Add(Add(whole, ONE), Div(Sub(rest, ONE), by)))
    if rest is not ZERO and rest is not ONE:
        rest = Div(Sub(Add(rest, by), ONE), by)
    return normal(Add(whole, rest))


def _is_brought_back(monomial: Monomial, coefficient: int) -> bool:
    """Whether iterations of a loop around take away from a number, to which this loop adds until it
    is as it was (error_terms.py): the number itself, or how often something was added by then."""
    if len(monomial) == 1 and coefficient < 0:
        (atom,) = monomial
        return isinstance(atom, Mod) or (isinstance(atom, Variable) and "@" in atom.name)
    counts = (side for m in monomial if isinstance(m, Max) for side in m.children)
    return any(
        c < 0 and len(m) == 1 and isinstance(m[0], Div)
        for count in counts
        for m, c in polynomial(count).items()
    )


def divided(a: Expr, by: Expr) -> tuple[Expr, Expr]:
    """How many times `by` is taken out of `a` as they are written, and what is left of `a`."""
    divisor = polynomial(by)
    if len(divisor) > 1:
        return ZERO, a
    ((unit, size),) = divisor.items()
    whole: Polynomial = {}
    for monomial, coefficient in polynomial(a).items():
        rest = _quotient(monomial, unit)
        if rest is not None and coefficient % size == 0:
            whole[rest] = coefficient // size
    return from_polynomial(whole), normal(Sub(a, Mul(from_polynomial(whole), by)))


def _quotient(product: Monomial, by: Monomial) -> Monomial | None:
    """What is left of a product without the factors of another one, if it has them all."""
    for atom in by:
        if atom not in product:
            return None
        product = _without(product, atom)
    return product


def _without(monomial: Monomial, atom: Expr) -> Monomial:
    """A product without one of its factors."""
    position = monomial.index(atom)
    return monomial[:position] + monomial[position + 1 :]


def _nearer(one: Expr, other: Expr) -> Expr | None:
    """Of two bounds that are always equally far apart, the one that is reached first."""
    bounds = [c for c in (one, other) if isinstance(c, Comparison) and not isinstance(c, NE)]
    distances = [d for d in map(distance_to_end, bounds) if d is not None]
    if len(distances) < 2:
        return None
    apart = normal(Sub(distances[0], distances[1]))
    if not isinstance(apart, Const):
        return None
    return one if apart.value <= 0 else other


def distance_to_end(condition: Comparison) -> Expr | None:
    """An expression that is > 0 exactly while the condition holds (!= 0 for `!=`)."""
    a, b = condition.a, condition.b
    if isinstance(condition, LT):
        return normal(Sub(b, a))
    if isinstance(condition, LE):
        return normal(Add(Sub(b, a), ONE))
    if isinstance(condition, GT):
        return normal(Sub(a, b))
    if isinstance(condition, GE):
        return normal(Add(Sub(a, b), ONE))
    if isinstance(condition, NE):
        return normal(Sub(b, a))
    return None
