"""Integer arithmetic is computed in the narrowest exact type, and never in a narrower one."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable

import numpy as np
import pytest

import compiler as hl
from compiler.ir import (
    GT,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    Add,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Mul,
    Select,
    Type,
    Variable,
    const,
    evaluate,
    postorder,
)
from compiler.ir.bounds_of_values import value_range
from compiler.lower.narrow_arithmetic import Narrowing

INDEX = (Const(I64, 0),)
A, B, C = (Cast(I32, Load(name, INDEX, U8)) for name in "abc")
GRID = {
    name: g.ravel()
    for name, g in zip(
        "abc",
        np.meshgrid(*[np.array([0, 1, 2, 3, 63, 127, 128, 129, 200, 254, 255], np.uint8)] * 3),
        strict=True,
    )
}


PARAMETER = Variable("opacity", I32)
WILD = [0, 1, 256, -1, 2**31 - 1, -(2**31), 65537, 0x12345678]


def wrapped(node: Expr) -> hl.Expr:
    return hl.Expr.of(node)


a, b, c, opacity = map(wrapped, (A, B, C, PARAMETER))
t = a * b + 128

BLENDS = [
    (hl.u8(a * b / 255), U16),
    (hl.u8(hl.min(a + b, 254)), U16),
    (hl.u8(255 - (255 - a) * (255 - b) / 255), U16),
    (hl.u8((a * c + b * (255 - c) + 127) / 255), U16),
    (hl.u8((t + (t >> 8)) >> 8), U16),
    (hl.u8(hl.min(a + b, 255)), U8),
    (hl.u8(hl.max(a - b, 0)), U8),
    (hl.u8(hl.abs(a - b)), U16),
    (hl.u8(hl.absd(a, b)), U8),
    (hl.u8((a + b + 1) >> 1), U16),
    (hl.u8(a + b), U8),
    (hl.u8(hl.select(a < b, a, b)), U8),
    (hl.u8(hl.select(a < 128, 2 * a * b / 255, 255 - 2 * (255 - a) * (255 - b) / 255)), U16),
    (hl.u8((a + 2 * b + c + 2) / 4), U16),
    (hl.u8((a * (256 - opacity) + b * opacity) >> 8), U16),
    (hl.u8(a * opacity - (b << 3)), U8),
    (hl.u8((a * opacity >> 4) ^ ~b), U16),
    (hl.u16((a - opacity * b) & 0xFFFF), U16),
    (hl.u16((a * opacity >> 8) & 255), U16),
]
WIDE = [
    hl.u8((a * opacity + b) >> 9),
    hl.u16((a * opacity + b) >> 8),
    hl.u8((a * opacity + b) / 256),
    hl.u8(hl.max(a * opacity, b)),
]


def value(e: Expr, parameter: int = 0) -> np.ndarray:
    scalars = {"opacity": np.full(len(GRID["a"]), parameter, np.int32)}
    return np.asarray(evaluate(e, scalars, lambda node, args: GRID[node.array]))  # type: ignore[attr-defined]


def widest(e: Expr) -> int:
    """Bits of the widest operation whose operands are not all parameters."""
    nodes = [n for n in postorder(e) if n.children and not isinstance(n, Load)]
    return max(n.type.bits for n in nodes)


@pytest.mark.parametrize(("expression", "type"), BLENDS, ids=[str(e) for e, _ in BLENDS])
def test_a_blend_runs_in_words_and_keeps_its_values(expression: hl.Expr, type: Type) -> None:
    narrow = Narrowing().expression(expression.node)
    assert widest(narrow) <= type.bits, narrow
    for parameter in WILD:
        np.testing.assert_array_equal(value(narrow, parameter), value(expression.node, parameter))


@pytest.mark.parametrize("expression", WIDE, ids=str)
def test_what_needs_more_bits_than_are_kept_stays_wide(expression: hl.Expr) -> None:
    narrow = Narrowing().expression(expression.node)
    assert widest(narrow) == 32, narrow
    for parameter in WILD:
        np.testing.assert_array_equal(value(narrow, parameter), value(expression.node, parameter))


COMPARISONS: list[Callable[[hl.Expr, hl.Expr], hl.Expr]] = [
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]


@pytest.mark.parametrize("compare", COMPARISONS)
def test_values_are_compared_with_a_fixed_number_in_their_own_type(
    compare: Callable[[hl.Expr, hl.Expr], hl.Expr],
) -> None:
    edges = [0, 1, 127, 128, 254, 255, 256, 65535, 65536, -1, -128, -129, 2**31 - 1, -(2**31)]
    for values, type in ((a, U8), (a - b, I16), (a * c, U16), (a / 2 - 64, I8)):
        for comparison in (compare(values, opacity), compare(opacity, values)):
            e = Select(comparison.node, const(255, U8), const(7, U8))
            narrow = Narrowing(changing=frozenset()).expression(e)
            loaded = [x for x in postorder(narrow) if any(isinstance(y, Load) for y in x.children)]
            assert max(x.type.bits for x in loaded) <= type.bits, narrow
            for parameter in edges:
                np.testing.assert_array_equal(value(narrow, parameter), value(e, parameter))


def test_a_number_that_a_loop_changes_is_not_narrowed_for_a_comparison() -> None:
    e = Select((a < opacity).node, const(255, U8), const(7, U8))
    for changing in (frozenset({"opacity"}), None):
        narrow = Narrowing(changing=changing).expression(e)
        assert widest(narrow) == 32, narrow


def test_low_bits_of_a_right_shift_need_no_more_than_the_bits_it_drops_besides() -> None:
    """The rule, complete at small widths: W-bit numbers, B bits kept, shift k, M bits known."""
    width = 9
    signed = np.arange(-(2 ** (width - 1)), 2 ** (width - 1))
    holds, fails = 0, 0
    for known in range(1, width):
        for shift in range(known):
            for kept in range(1, width - shift + 1):
                wanted = (signed >> shift) % 2**kept
                made = (signed % 2**known >> shift) % 2**kept
                equal = bool((wanted == made).all())
                assert equal == (kept + shift <= known)
                holds, fails = holds + equal, fails + (not equal)
    assert holds and fails


def test_saturating_sums_are_recognised() -> None:
    for e, name in ((hl.min(a + b, 255), "saturating_add"), (hl.max(a - b, 0), "saturating_sub")):
        narrow = Narrowing().expression(hl.u8(e).node)
        assert isinstance(narrow, Call) and narrow.name == name


def test_a_sum_that_needs_more_bits_keeps_them() -> None:
    for e in (a * b * c, (a * b + c * b + a * c) / 3, (a << 10) / 3, (a - 300) / 7):
        narrow = Narrowing().expression(hl.i32(e).node)
        np.testing.assert_array_equal(value(narrow), value(e.node))
    assert widest(Narrowing().expression((a * b * c / 5).node)) == 32


def test_an_index_keeps_its_type() -> None:
    load = Load("t", (Cast(I64, A),), U8)
    assert Narrowing().expression(Cast(I32, load)) is Cast(I32, load)


def random_expression(r: random.Random, depth: int) -> hl.Expr:
    if depth == 0:
        return r.choice(
            [a, b, c, opacity, hl.Expr(r.choice([0, 1, 2, 3, 127, 128, 255, 256, -1, -200]))]
        )
    x, y = random_expression(r, depth - 1), random_expression(r, r.randint(0, depth - 1))
    k = r.choice([1, 2, 3, 7, 255])
    return r.choice([
        lambda: x + y, lambda: x - y, lambda: x * y, lambda: x / k, lambda: x % k, lambda: x / y,
        lambda: x >> r.randint(0, 9), lambda: x << r.randint(0, 9), lambda: hl.min(x, y),
        lambda: hl.max(x, y), lambda: hl.select(x < y, x, y), lambda: hl.select(x == k, y, x),
        lambda: hl.i32(hl.abs(x)), lambda: hl.i32(hl.absd(x, y)), lambda: x & k, lambda: x ^ y,
        lambda: x | y, lambda: ~x, lambda: -x, lambda: hl.i32(hl.u8(x)), lambda: hl.i32(hl.i8(x)),
        lambda: hl.i32(hl.u8(x) + hl.u8(y)),
        lambda: hl.i32(hl.u8(x) * hl.u8(y) - hl.u8(c)), lambda: hl.i32(hl.i16(x) * hl.i16(y)),
        lambda: hl.i32(hl.u16(x) << 3), lambda: hl.i32(-hl.i8(x)), lambda: hl.i32(~hl.u8(x)),
        lambda: hl.i32(hl.u16(x)), lambda: hl.i32(hl.i16(x)), lambda: hl.clamp(x, 0, 255),
        lambda: hl.i32(hl.u8(hl.min(x + y, 255))), lambda: hl.i32(hl.u8(hl.max(x - y, 0))),
        lambda: hl.div_round_to_zero(x, k), lambda: x * c + y * (255 - c),
    ])()  # fmt: skip


def test_random_expressions_keep_their_values_and_ranges() -> None:
    r = random.Random(11)
    for _ in range(500):
        e = random_expression(r, r.randint(1, 4))
        for type in (U8, U16, I32, U32):
            node = Cast(type, e.node) if type is not I32 else e.node
            with np.errstate(all="ignore"):
                parameter = r.choice(WILD)
                before = value(node, parameter)
                after = value(Narrowing().expression(node), parameter)
            np.testing.assert_array_equal(after, before, str(node))
            low, high = value_range(node)
            assert low <= before.min() and before.max() <= high, node


def test_selects_that_share_their_operands_take_no_exponential_time() -> None:
    e: Expr = Variable("x", I32)
    for i in range(300):
        e = Select(GT(e, const(i)), Add(e, const(1)), const(i))
    Narrowing().whole(e)


def test_a_chain_of_ten_thousand_operators_needs_no_recursion() -> None:
    e: Expr = Variable("x", I32)
    for i in range(10_000):
        e = Add(e, const(i)) if i % 2 else Mul(e, const(3))
    assert Narrowing().whole(e) is e
