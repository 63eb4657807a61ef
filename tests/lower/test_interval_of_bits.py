"""Intervals of `|` and `^` with a constant: both chroma samples of a pair, the other of two."""

from __future__ import annotations

import pytest

from compiler.ir import I32, BitOr, BitXor, Const, Variable, simplify
from compiler.lower.interval import Intervals

X = Variable("x", I32)


@pytest.mark.parametrize("operator", [BitOr, BitXor])
@pytest.mark.parametrize("bits", [0, 1, 2, 3, 5, 8])
def test_all_values_lie_between_the_ends(operator, bits):
    for first in range(-9, 10):
        for last in range(first, 12):
            intervals = Intervals({"x": (Const(I32, first), Const(I32, last))})
            ends = intervals.of(operator(X, Const(I32, bits)))
            low, high = (int(simplify(end).value) for end in ends)
            reached = [x | bits if operator is BitOr else x ^ bits for x in range(first, last + 1)]
            assert low <= min(reached) and max(reached) <= high
            assert low >= min(reached) - 15 and high <= max(reached) + 15


@pytest.mark.parametrize("operator", [BitOr, BitXor])
def test_negative_bits_have_no_ends(operator):
    intervals = Intervals({"x": (Const(I32, 0), Const(I32, 7))})
    assert intervals.of(operator(X, Const(I32, -2))) == (None, None)
