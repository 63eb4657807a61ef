"""Equal contents of one array, by two programs that see what was there before either of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from compiler.ir import (
    EQ,
    I64,
    LE,
    NE,
    TRUE,
    And,
    Cast,
    Const,
    Expr,
    Or,
    Select,
    Sub,
    const,
    postorder,
)

from ..dag import negate
from ..verify import Decision, PureProof
from ..verify.pure import exact_formula
from ..verify.stage_proof import Piece

_WIDEST = 32
"""Bits of numbers whose difference is exact in 64, and of floats."""
MOST_CASES = 3
"""How many choices by place are taken apart, one inside of the other."""


class ContentsProof(PureProof):
    """A composition that is given, of the stores that another one makes.

    What either reads is what was there before, whatever they write, so nothing is asked about the
    order of reads and stores.
    """

    within: float = 0
    """How far numbers may be apart."""
    _depth = 0

    def run(self) -> bool:
        return self.region() and self.values()

    def _defined(self, theirs: Expr) -> list[Expr]:
        """That the source's own arithmetic is defined says nothing of a summary's."""
        return []

    def _same_value(self, ours: Expr, theirs: Expr, given: Sequence[Expr]) -> Decision:
        decision = super()._same_value(ours, theirs, given)
        if decision.proved or not self.within or ours.type.bits > _WIDEST:
            return decision
        return self.prover.equal(near(ours, theirs, self.within), TRUE, given)

    def _value(self, piece: Piece) -> bool:
        """At once, or else on either side of a choice by place: at a border and inside."""
        return self.first_that_holds(
            (
                lambda proof: proof._value_at_once(piece),
                lambda proof: proof._value_in_cases(piece),
            )
        )

    def _value_at_once(self, piece: Piece) -> bool:
        return super()._value(piece)

    def _value_in_cases(self, piece: Piece) -> bool:
        choice = next(self._choices(piece), None) if self._depth < MOST_CASES else None
        if choice is None:
            return False
        self._depth += 1
        return all(
            self._value(replace(piece, given=(*piece.given, c))) for c in (choice, negate(choice))
        )

    def _choices(self, piece: Piece) -> Iterator[Expr]:
        """The conditions by place that an iteration doesn't decide."""
        flattener = self.flattener(piece)
        for node in postorder(self.summary.expression):
            for test in _tests(node.condition) if isinstance(node, Select) else ():
                if not self._is_by_place(test):
                    continue
                formula = exact_formula(flattener.value(test), flattener.ranges)
                if formula is None:
                    continue
                known = (*self.assumptions.formulas, *piece.given)
                sides = (formula, negate(formula))
                if not any(self.prover.integers(s, known).proved for s in sides):
                    yield formula


def near(a: Expr, b: Expr, within: float) -> Expr:
    """Whether two numbers of 32 bits are at most so far apart; floats that are equal are, and NaN
    is from NaN."""
    if not a.type.is_float:
        a, b, most = Cast(I64, a), Cast(I64, b), const(int(within), I64)
        return And(LE(Sub(a, b), most), LE(Sub(b, a), most))
    limit = Const(a.type, float(within))
    close = And(LE(Sub(a, b), limit), LE(Sub(b, a), limit))
    return Or(Or(EQ(a, b), And(NE(a, a), NE(b, b))), close)


def _tests(condition: Expr) -> Iterator[Expr]:
    if isinstance(condition, And | Or):
        yield from _tests(condition.a)
        yield from _tests(condition.b)
    else:
        yield condition
