"""Trip counts: how many iterations a loop runs, from its condition over the counter of its
iterations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    GT,
    I64,
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
    Min,
    Mod,
    Sub,
    Variable,
    const,
    postorder,
)

from ..model.diagnostic import Span
from .failure import unsupported
from .polynomial import ONE, ZERO, conjunction, from_polynomial, normal, polynomial

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
            return normal(Min(self.of(condition.a), self.of(condition.b)))
        if isinstance(condition, Comparison):
            distance = _distance(condition)
            if distance is not None:
                return self._until(distance, isinstance(condition, NE))
        raise unsupported(
            "loop-bound", f"the loop's condition `{condition}` isn't a simple bound", self.span,
            "a loop must count up or down by a fixed amount to a bound that it doesn't change",
        )  # fmt: skip

    def _until(self, distance: Expr, exact: bool) -> Expr:
        """Iterations while `distance` > 0, where it falls by a constant each iteration.

        With `exact` the loop runs while distance != 0: it must start at a multiple of the fall that
        is not negative (else the original runs away); that is claimed.
        """
        terms = polynomial(distance)
        slope = {
            tuple(a for a in m if a is not self.counter): c
            for m, c in terms.items()
            if self.counter in m
        }
        start = from_polynomial({m: c for m, c in terms.items() if self.counter not in m})
        if set(slope) != {()} or any(m.count(self.counter) > 1 for m in terms):
            raise unsupported(
                "loop-bound",
                f"the loop's step isn't a constant: `{distance}` must fall by a fixed amount",
                self.span,
            )  # fmt: skip
        fall = -slope[()]
        if exact and fall < 0:
            start, fall = normal(Sub(ZERO, start)), -fall
        if fall <= 0:
            raise unsupported(
                "loop-bound", "the loop runs away from its bound", self.span,
                "a loop must count up or down by a fixed amount to a bound that it doesn't change",
            )  # fmt: skip
        if not exact:
            return (
                start
                if fall == 1
                else normal(Div(Add(start, const(fall - 1, I64)), const(fall, I64)))
            )
        formula: Expr = GE(start, ZERO)
        if fall > 1:
            formula = conjunction((formula, EQ(Mod(start, const(fall, I64)), ZERO)))
        self.claim("termination", normal(formula), f"the loop ends: {normal(formula)}")
        return start if fall == 1 else normal(Div(start, const(fall, I64)))


def _distance(condition: Comparison) -> Expr | None:
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
