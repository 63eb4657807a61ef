"""Intervals of bit operations on coordinates: both chroma samples of a pair, the other of two, a
block's first pixel, a sign spread over all bits as a clamp, a level of a pyramid."""

from __future__ import annotations

import pytest

from compiler.ir import I32, BitAnd, BitNot, BitOr, BitXor, Const, Shl, Shr, Variable, simplify
from compiler.ir.nodes import substitute
from compiler.lower.interval import Intervals

X = Variable("x", I32)
K = Variable("k", I32)
SIGN = Shr(X, Const(I32, 31))
LEVEL = BitAnd(K, Const(I32, 3))

OPERATIONS = {BitOr: lambda x, bits: x | bits, BitXor: lambda x, bits: x ^ bits,
              BitAnd: lambda x, bits: x & bits}  # fmt: skip

OF_X = {
    "complement": (BitNot(X), lambda x: ~x),
    "not negative": (BitAnd(X, BitNot(SIGN)), lambda x: max(x, 0)),
    "not positive": (BitAnd(SIGN, X), lambda x: min(x, 0)),
    "shifted by itself": (Shr(X, BitAnd(X, Const(I32, 3))), lambda x: x >> (x & 3)),
    "grown by itself": (Shl(X, BitAnd(X, Const(I32, 3))), lambda x: x << (x & 3)),
    "set by itself": (BitOr(X, BitAnd(X, Const(I32, 6))), lambda x: x | x & 6),
    "changed by itself": (BitXor(BitAnd(X, Const(I32, 6)), X), lambda x: x ^ x & 6),
    "bits of both": (BitAnd(X, BitAnd(X, Const(I32, 5))), lambda x: x & 5),
}


def bounded(expr, first, last, **fixed):
    intervals = Intervals({"x": (Const(I32, first), Const(I32, last))})
    values = {Variable(name, I32): Const(I32, value) for name, value in fixed.items()}
    return tuple(int(simplify(substitute(end, values)).value) for end in intervals.of(expr))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("operator", OPERATIONS)
@pytest.mark.parametrize("bits", [0, 1, 2, 3, 5, 8, -1, -2, -3, -8, -6])
def test_all_values_lie_between_the_ends(operator, bits):
    for first in range(-9, 10):
        for last in range(first, 12):
            low, high = bounded(operator(X, Const(I32, bits)), first, last)
            reached = [OPERATIONS[operator](x, bits) for x in range(first, last + 1)]
            assert low <= min(reached) and max(reached) <= high
            assert low >= min(reached) - 15 and high <= max(reached) + 15


@pytest.mark.parametrize("case", OF_X)
def test_what_moves_with_the_coordinate_lies_between_the_ends(case):
    expr, value = OF_X[case]
    for first in range(-9, 10):
        for last in range(first, 12):
            low, high = bounded(expr, first, last)
            reached = [value(x) for x in range(first, last + 1)]
            assert low <= min(reached) and max(reached) <= high


@pytest.mark.parametrize("operator", [Shl, Shr])
@pytest.mark.parametrize("level", range(4))
def test_a_shift_by_a_parameter_has_exact_ends(operator, level):
    low, high = bounded(operator(X, LEVEL), -5, 9, k=level)
    reached = [x << level if operator is Shl else x >> level for x in range(-5, 10)]
    assert (low, high) == (min(reached), max(reached))


def test_a_shift_by_any_amount_has_no_ends():
    intervals = Intervals({"x": (Const(I32, 0), Const(I32, 7))})
    assert intervals.of(Shr(X, K)) == (None, None)
    assert intervals.of(Shl(X, BitAnd(K, Const(I32, 63)))) == (None, None)


@pytest.mark.parametrize("last", [0, 1, 2, 3, 6, 7, 8])
def test_bits_turned_over_by_a_parameter_stay_in_its_block(last):
    for expr in (BitXor(X, K), BitXor(K, X)):
        for turned in range(-20, 20):
            low, high = bounded(expr, 0, last, k=turned)
            size = 1 << last.bit_length()
            assert (low, high) == (turned // size * size, turned // size * size + size - 1)
