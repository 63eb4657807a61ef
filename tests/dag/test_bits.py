"""Bits of numbers as index expressions: quotients and remainders that mean the same number."""

from __future__ import annotations

import pytest

from compiler.ir import EQ, I32, I64, NE, U32, BitAnd, BitXor, Cast, Expr, Mod, Sub, Variable, const
from lifter.dag import Indexer, Ranges, concrete
from lifter.model.diagnostic import Span
from lifter.model.stage import Loop

HERE = Span("bits.cpp", 1, 1, 1, 9)
P, K = Variable("p", I32), Variable("k", I64)


def index_of(expr: Expr) -> Expr:
    return Indexer(Ranges({"p": I32}), lambda formula, text: None).index(expr)


@pytest.mark.parametrize("mask", [1, 2, 4, 6, 7, 8, 0x38, 0xF8, 0x80, 0x7FFFFFFF, 0x60000000])
def test_bits_side_by_side_are_a_quotient_s_remainder(mask: int) -> None:
    found = concrete(index_of(BitAnd(P, const(mask, I32))))
    for value in (*range(-300, 300), -(1 << 31), (1 << 31) - 1):
        assert found({"p": value}) == value & mask


@pytest.mark.parametrize("mask", [1, 3, 7, 255])
@pytest.mark.parametrize("modulus", [1, 4, 8, 256])
def test_bits_are_turned_over_where_there_are_no_others(mask: int, modulus: int) -> None:
    expr = BitXor(Mod(P, const(modulus, I32)), const(mask, I32))
    index = index_of(expr)
    assert isinstance(index, Cast) == (modulus > mask + 1)
    for value in range(-300, 300) if not isinstance(index, Cast) else ():
        assert concrete(index)({"p": value}) == (value % modulus) ^ mask


@pytest.mark.parametrize("kind", [EQ, NE])
@pytest.mark.parametrize("modulus", [4, 8, 16])
def test_the_highest_bit_says_which_half(kind: type[EQ] | type[NE], modulus: int) -> None:
    asked = kind(BitAnd(Mod(P, const(modulus, I32)), const(4, I32)), const(0, I32))
    formula = Indexer(Ranges({"p": I32}), lambda formula, text: None).formula(asked)
    assert formula is not None
    for value in range(-40, 40):
        is_set = value % modulus & 4 != 0
        assert concrete(formula)({"p": value}) == (is_set == (kind is NE))


def test_a_counter_s_bits_have_bounds_and_those_of_what_wraps_have_none() -> None:
    def bounds(index: Expr) -> tuple[int, int]:
        expr = BitXor(Cast(U32, index), const(8, U32))
        return Ranges({"p": I32}, (Loop(K, const(6, I64), HERE),)).interval(Cast(I64, expr))

    assert bounds(K) == (0, 15)
    assert bounds(Sub(K, const(1, I64)))[1] == (1 << 32) - 1
    assert bounds(Variable("p", I64))[1] == (1 << 32) - 1
