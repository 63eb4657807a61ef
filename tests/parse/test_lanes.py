"""Numbers in lanes: whatever width they are seen at, their bits stay what they are."""

from __future__ import annotations

import random

import numpy as np
import pytest

from compiler.ir import (
    F32,
    GT,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Const,
    Expr,
    Select,
    Type,
    Variable,
    const,
    evaluate,
    lane_dtype,
    postorder,
)
from lifter.parse.lane_algebra import bitwise, both, differing, either, inverted, opposite
from lifter.parse.lanes import Lanes

INTEGERS = (I8, U8, I16, U16, I32, U32, I64, U64)


def named(name: str, type: Type, count: int) -> Lanes:
    return Lanes(type, tuple(Variable(f"{name}{i}", type) for i in range(count)))


def bytes_of(lanes: Lanes, values: dict[str, object]) -> bytes:
    found = [evaluate(n, values) for n in lanes.numbers if n is not None]
    return b"".join(np.asarray(v).astype(lane_dtype(lanes.type)).tobytes() for v in found)


def drawn(lanes: Lanes, pick: random.Random) -> dict[str, object]:
    made = {}
    for n in lanes.numbers:
        raw = bytes(pick.choice((0, 1, 127, 128, 255, pick.randrange(256))) for _ in range(8))
        made[n.name] = np.frombuffer(raw, lane_dtype(lanes.type))[0]  # type: ignore[union-attr]
    return made


@pytest.mark.parametrize("own", INTEGERS)
@pytest.mark.parametrize("seen", INTEGERS)
def test_bits_stay_what_they_are(own: Type, seen: Type) -> None:
    lanes = named("x", own, 16 // own.bytes)
    values = drawn(lanes, random.Random(own.bits * 100 + seen.bits))
    assert bytes_of(lanes.seen_as(seen), values) == bytes_of(lanes, values)


@pytest.mark.parametrize("own", INTEGERS)
@pytest.mark.parametrize("seen", INTEGERS)
def test_what_was_seen_otherwise_comes_back_as_it_was(own: Type, seen: Type) -> None:
    lanes = named("x", own, 16 // own.bytes)
    assert lanes.seen_as(seen).seen_as(own) == lanes


def test_words_of_bytes_and_zeros_are_bytes_made_wider() -> None:
    x = named("x", U8, 8)
    mixed = [n for pair in zip(x.numbers, [Const(U8, 0)] * 8, strict=True) for n in pair]
    words = Lanes(U8, tuple(mixed)).seen_as(U16)
    assert [str(n) for n in words.numbers[:2]] == ["uint16(x0)", "uint16(x1)"]


def test_floats_are_their_bits() -> None:
    lanes = named("f", F32, 4)
    bits = lanes.seen_as(U32)
    assert bits.seen_as(F32) == lanes
    assert Lanes(F32, (const(1.0, F32),) * 4).seen_as(U32).numbers[0] is Const(U32, 0x3F800000)


def test_lanes_without_values_stay_without() -> None:
    lanes = Lanes(U8, (None, *named("x", U8, 3).numbers))
    (word,) = lanes.seen_as(U32).numbers
    assert word is None
    assert Lanes(U32, (None,)).seen_as(U8).numbers == (None,) * 4


X, Y = Variable("x", U8), Variable("y", U8)
HOLDS = GT(X, Y)
ONES, ZERO = Const(U8, 255), Const(U8, 0)
MASK = Select(HOLDS, ONES, ZERO)


@pytest.mark.parametrize(
    ("made", "meant"),
    [
        (both(MASK, X), Select(HOLDS, X, ZERO)),
        (both(opposite(MASK), Y), Select(HOLDS, ZERO, Y)),
        (either(both(MASK, X), both(opposite(MASK), Y)), Select(HOLDS, X, Y)),
        (differing(both(MASK, differing(X, Y)), Y), Select(HOLDS, X, Y)),
        (both(X, ONES), X),
        (either(X, ZERO), X),
        (differing(X, X), ZERO),
        (opposite(opposite(X)), X),
    ],
)
def test_masks_are_choices(made: Expr, meant: Expr) -> None:
    assert made is meant


def test_combined_bits_are_what_they_are_one_by_one() -> None:
    """Random expressions of masks and numbers against numpy."""
    pick = random.Random(3)
    for _ in range(300):
        parts: list[Expr] = [X, Y, MASK, ONES, ZERO, Const(U8, 15)]
        plain = [np.uint8(0)] * len(parts)
        values = {"x": np.uint8(pick.randrange(256)), "y": np.uint8(pick.randrange(256))}
        plain = [np.asarray(evaluate(p, values)).astype(np.uint8) for p in parts]
        for _ in range(8):
            i, j = pick.randrange(len(parts)), pick.randrange(len(parts))
            rule, same = pick.choice(
                [
                    (both, np.bitwise_and),
                    (either, np.bitwise_or),
                    (differing, np.bitwise_xor),
                    (lambda a, _: opposite(a), lambda a, _: np.bitwise_not(a)),
                ]
            )
            parts.append(rule(parts[i], parts[j]))
            plain.append(same(plain[i], plain[j]))
        for made, meant in zip(parts, plain, strict=True):
            assert np.asarray(evaluate(made, values)).astype(np.uint8) == meant


def test_bits_are_combined_in_the_lanes_that_are_there() -> None:
    """A mask of 64 bits doesn't put bytes together."""
    masks = Lanes(I64, (Const(I64, 0x00FF00FF00FF00FF),) * 2)
    found = bitwise("&", named("x", U8, 16), masks)
    assert found.type is U8
    assert found.numbers[:2] == (Variable("x0", U8), Const(U8, 0))
    assert not any(n is Const(U8, 255) for n in postorder(*filter(None, found.numbers)))
    assert inverted(inverted(found)) == found
