"""Numbers whose bits are only moved, compared with what numpy makes of them."""

from __future__ import annotations

import random

import pytest

from compiler.ir import (
    U32,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Cast,
    Expr,
    Shl,
    Shr,
    UInt,
    Variable,
    const,
    evaluate,
)
from lifter.dag.bit_moves import moved, rounds

D = Variable("d", U32)


def number(value: int) -> Expr:
    return const(value, U32)


def turned(by: int) -> Expr:
    return BitOr(Shr(D, number(by)), Shl(D, number(32 - by)))


SWAPPED = BitOr(
    BitOr(Shl(BitAnd(D, number(255)), number(16)), BitAnd(Shr(D, number(16)), number(255))),
    BitAnd(D, number(0xFF00FF00)),
)


@pytest.mark.parametrize(
    ("value", "times"),
    [
        (turned(16), 2),
        (turned(8), 4),
        (turned(24), 4),
        (SWAPPED, 2),
        pytest.param(BitNot(SWAPPED), 2, id="flipped bytes"),
        (BitXor(D, number(5)), 2),
        (BitXor(turned(16), number(7)), 4),
        (BitOr(BitAnd(D, number(0xFFFF)), BitAnd(D, number(0xFFFF0000))), 1),
        (D, 1),
    ],
)
def test_so_often_until_it_is_the_number_again(value: Expr, times: int) -> None:
    found = rounds(value, D, 4)
    assert len(found) == times
    seed = random.randrange(1 << 32)
    print("seed", seed)
    for d in (0, 1, 0x80000000, 0xFFFFFFFF, seed):
        now = d
        for bits in found:
            assert int(evaluate(moved(D, bits), {"d": d})) == now
            now = int(evaluate(value, {"d": now}))
        assert now == d


@pytest.mark.parametrize(
    "value",
    [
        turned(4),
        Shr(D, number(8)),
        BitAnd(D, number(0xFFFF)),
        BitOr(D, number(1)),
        BitOr(turned(8), D),
        BitAnd(turned(16), D),
        BitXor(turned(16), D),
        BitOr(Shr(D, number(8)), Shl(D, number(16))),
        Cast(U32, Cast(UInt(16), D)),
        number(3),
        Variable("e", U32),
    ],
)
def test_what_loses_bits_or_takes_longer_is_none(value: Expr) -> None:
    assert rounds(value, D, 4) == []
