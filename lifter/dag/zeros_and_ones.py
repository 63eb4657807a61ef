"""Minima and maxima of integers as what they are of zeros and ones.

The zero-one principle (Knuth, The Art of Computer Programming, volume 3, section 5.3.4): for any
bound t, min and max commute with the question whether a number is at least t. So what two
expressions of minima and maxima have in common for zeros and ones (that they are equal, or that one
is at most the other), they have in common for all numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compiler.ir import Expr, Max, Min, number_behind

MOST_NUMBERS = 16


class ZerosAndOnes:
    """Integers as sets of the cases in which they are 1, one bit each: of n numbers that are no
    minima and maxima themselves, case i gives number k the bit k of i."""

    def __init__(self, *exprs: Expr) -> None:
        self.roots = exprs
        self.numbers = list(dict.fromkeys(n for e in exprs for n in _numbers(e)))
        """What the minima and maxima are made of, whatever that is."""
        self._cases: dict[Expr, int] = {}
        if self.are_few:
            count = 1 << len(self.numbers)
            for place, number in enumerate(self.numbers):
                run = 1 << place
                pattern, length = ((1 << run) - 1) << run, 2 * run
                while length < count:
                    pattern, length = pattern | pattern << length, 2 * length
                self._cases[number] = pattern

    @property
    def are_few(self) -> bool:
        """Whether there are few enough numbers to look at all cases."""
        return len(self.numbers) <= MOST_NUMBERS

    def cases(self, expr: Expr) -> int:
        """The cases in which an expression of these numbers is 1."""
        for node in _bottom_up(expr, self._cases):
            if node not in self._cases:
                a, b = (self._cases[number_behind(c)] for c in node.children)
                self._cases[node] = a & b if isinstance(node, Min) else a | b
        return self._cases[number_behind(expr)]

    def is_at_most(self, a: Expr, b: Expr) -> bool:
        """Whether one is at most the other, whatever the numbers are."""
        return not self.cases(a) & ~self.cases(b)


def parts_apart(exprs: Sequence[Expr]) -> Iterator[ZerosAndOnes]:
    """Expressions in parts that are made of other numbers each, so that nothing is known of one and
    another; without parts that are made of too many."""
    parts: list[tuple[set[Expr], list[Expr]]] = []
    for expr in exprs:
        numbers, together = set(_numbers(expr)), [expr]
        for part in [p for p in parts if not p[0].isdisjoint(numbers)]:
            parts.remove(part)
            numbers, together = numbers | part[0], part[1] + together
        parts.append((numbers, together))
    found = (ZerosAndOnes(*together) for numbers, together in parts if len(numbers) <= MOST_NUMBERS)
    yield from found


def _is_extreme(expr: Expr) -> bool:
    return isinstance(expr, (Min, Max)) and expr.type.is_integer and not expr.type.is_bool


def _numbers(expr: Expr) -> Iterator[Expr]:
    return (node for node in _bottom_up(expr, {}) if not _is_extreme(node))


def _bottom_up(root: Expr, known: dict[Expr, int]) -> Iterator[Expr]:
    """Minima, maxima and the numbers that they are made of, as they were before conversions that
    keep them; operands before what they are operands of, and nothing below what is `known`."""
    seen: set[Expr] = set()
    pending = [(number_behind(root), False)]
    while pending:
        node, is_ready = pending.pop()
        if node in seen or node in known:
            continue
        if is_ready or not _is_extreme(node):
            seen.add(node)
            yield node
        else:
            pending += [(node, True), *((number_behind(c), False) for c in reversed(node.children))]
