"""Intervals, whatever their ends are: numbers, unbounded numbers, expressions, text of a program.

An operator that rises or falls in each operand has its ends at its operands' ends, and that is all
one has to know: `Algebra.of` says it once for sums, differences, negations, extremes and choices.
What isn't monotone needs comparisons of ends, which only numbers allow: products, quotients and
bits of numbers stand in the operator table (`on_intervals`), and each domain of symbolic ends says
how far it goes with them. Those stay apart on purpose: bounds inference may lack an end and counts
on coordinates not to overflow, guards have both ends and C's conversions, and what autoschedulers
ask a million times is text that is compiled once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from .nodes import Add, Expr, Max, Min, Neg, Select, Sub

End = TypeVar("End")


@dataclass(frozen=True, slots=True)
class Algebra(Generic[End]):
    """How ends are computed; an end may be unknown, where the domain has such a one."""

    add: Callable[[End, End], End]
    subtract: Callable[[End, End], End]
    negate: Callable[[End], End]
    least: Callable[[End, End], End]
    most: Callable[[End, End], End]
    least_known: Callable[[End, End], End] | None = None
    """The least of two ends, or the one that is known; as `least` where all ends are."""
    most_known: Callable[[End, End], End] | None = None

    def of(
        self, kind: type[Expr], a: tuple[End, End], b: tuple[End, End] | None = None
    ) -> tuple[End, End]:
        """The interval of a `Neg`, `Add`, `Sub`, `Min`, `Max`, or of a `Select` between two."""
        if kind is Neg:
            return self.negate(a[1]), self.negate(a[0])
        assert b is not None
        if kind is Add:
            return self.add(a[0], b[0]), self.add(a[1], b[1])
        if kind is Sub:
            return self.subtract(a[0], b[1]), self.subtract(a[1], b[0])
        if kind is Min:
            return self.least(a[0], b[0]), (self.least_known or self.least)(a[1], b[1])
        if kind is Max:
            return (self.most_known or self.most)(a[0], b[0]), self.most(a[1], b[1])
        if kind is Select:
            return self.least(a[0], b[0]), self.most(a[1], b[1])
        raise TypeError(f"{kind.__name__} isn't monotone in its operands")


MONOTONE = (Add, Sub, Min, Max)
"""The binary operators of which `Algebra.of` knows."""
