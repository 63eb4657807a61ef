"""Equal contents of one array, by two programs that see what was there before either of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compiler.ir import And, Expr, Or, Select, postorder

from ..dag import negate
from ..verify import PureProof
from ..verify.pure import exact_formula
from ..verify.stage_proof import Piece

MOST_CASES = 3
"""How many choices by place are taken apart, one inside of the other."""


class ContentsProof(PureProof):
    """A composition that is given, of the stores that another one makes.

    What either reads is what was there before, whatever they write, so nothing is asked about the
    order of reads and stores.
    """

    _depth = 0

    def run(self) -> bool:
        return self.region() and self.values()

    def _defined(self, theirs: Expr) -> list[Expr]:
        """That the source's own arithmetic is defined says nothing of a summary's."""
        return []

    def _value(self, piece: Piece) -> bool:
        """At once, or else on either side of a choice by place: at a border and inside."""
        begin, kept = len(self.obligations), list(self.assumptions.preconditions)
        if super()._value(piece):
            return True
        choice = next(self._choices(piece), None) if self._depth < MOST_CASES else None
        if choice is None:
            return False
        at_once = self.obligations[begin:]
        del self.obligations[begin:]
        self.assumptions.preconditions[:] = kept
        self._depth += 1
        sides = [replace(piece, given=(*piece.given, c)) for c in (choice, negate(choice))]
        holds = all(self._value(side) for side in sides)
        self._depth -= 1
        if not holds:
            self.obligations[begin:] = at_once
        return holds

    def _choices(self, piece: Piece) -> Iterator[Expr]:
        """The conditions by place that a round doesn't decide."""
        flattener = self._flattener(piece)
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


def _tests(condition: Expr) -> Iterator[Expr]:
    if isinstance(condition, And | Or):
        yield from _tests(condition.a)
        yield from _tests(condition.b)
    else:
        yield condition
