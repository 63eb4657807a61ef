"""Sizes of memory that threads share are constants: never below what is needed, and no more."""

from __future__ import annotations

import random

import numpy as np
import pytest

import compiler as hl
from compiler.ir import (
    I32,
    I64,
    Add,
    Cast,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mul,
    Sub,
    Variable,
    evaluate,
)
from compiler.ir.stmt_transform import walk
from compiler.ir.stmts import Allocate, Block, For
from compiler.lower.constant_size import Facts, facts_of, largest_size
from tests.gpu.programs import lowered, on_device

X, Y, W, H = (Variable(name, I32) for name in ("x", "y", "f.extent.0", "f.extent.1"))


def number(value: int) -> Expr:
    return Const(I32, value)


def blocks_of(size: int, extent: Expr = W, variable: str = "x") -> For:
    """The loop over blocks that cover `extent`."""
    count = Div(Add(extent, number(size - 1)), number(size))
    return For(variable, number(0), count, "gpu_block", Block(()))


IN_BLOCKS = facts_of([blocks_of(16), blocks_of(4, H, "y")], [])
NESTED = Add(Min(W, Max(H, X)), Max(Min(X, H), Sub(W, Min(H, Mul(X, number(3))))))
OTHER = Max(Variable("n", I32), number(1))
END = Min(W, Add(Mul(X, number(16)), number(16)))


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (Sub(Add(X, number(3)), X), 3),
        (Sub(Max(END, number(16)), END), 15),
        (Sub(Min(Add(W, number(15)), Max(END, number(16))), END), 15),
        (Sub(Add(Max(END, number(1)), number(17)), END), 17),
        (Sub(END, Mul(X, number(16))), 16),
        (Max(Add(Sub(Mul(X, number(16)), W), number(1)), number(0)), 0),
        (Min(W, number(9)), 9),
        (Mul(Min(W, number(9)), Min(H, number(7))), 63),
        (Sub(Cast(I64, Add(END, number(2))), Cast(I64, END)), 2),
        (Sub(Div(Add(X, number(9)), number(4)), Div(X, number(4))), 3),
        (Sub(Div(Add(NESTED, number(9)), number(4)), Div(NESTED, number(4))), 3),
        (Sub(Div(NESTED, number(4)), Div(NESTED, number(4))), 0),
        (Sub(Min(OTHER, Add(X, number(32))), Min(OTHER, Add(X, number(1)))), 31),
        (Sub(Max(Add(X, number(5)), OTHER), Max(OTHER, Add(X, number(1)))), 4),
        (Sub(Min(OTHER, Add(X, number(1))), Min(OTHER, Add(X, number(32)))), 0),
    ],
    ids=str,
)
def test_what_is_there_twice_cancels_out(size: Expr, expected: int) -> None:
    assert largest_size(size, IN_BLOCKS) == expected


@pytest.mark.parametrize(
    "size",
    [W, Add(X, number(1)), Sub(W, X), Mul(W, number(2)), Sub(Max(END, H), END),
     Mul(Sub(number(0), W), Sub(number(0), H)), Sub(Min(OTHER, W), Min(X, W)),
     Sub(Max(OTHER, H), Min(OTHER, X))],
    ids=str,
)  # fmt: skip
def test_what_has_no_bound_has_none(size: Expr) -> None:
    found = largest_size(size, IN_BLOCKS)
    assert found is None or found >= 2**31 - 1


def test_nothing_is_known_outside_of_the_loops() -> None:
    assert largest_size(Sub(Max(END, number(16)), END), Facts()) is None


def test_a_variable_of_two_loops_is_in_either() -> None:
    loops = [For("i", number(low), number(4), "serial", Block(())) for low in (-3, 2)]
    minus = Sub(number(0), Variable("i", I32))
    assert largest_size(minus, facts_of([], loops)) == 3
    assert largest_size(minus, facts_of([], [*loops, For("i", W, W, "serial", Block(()))])) is None


def random_sum(pick: random.Random, depth: int) -> Expr:
    if depth == 0:
        return pick.choice((X, Y, W, H, number(pick.randint(-9, 9))))
    a, b = random_sum(pick, depth - 1), random_sum(pick, depth - 1)
    match pick.randrange(6):
        case 0 | 1:
            return pick.choice((Min, Max))(a, b)
        case 2:
            return Div(a, number(pick.choice((2, 3, 4))))
        case 3:
            return Mul(a, number(pick.choice((-2, 2, 4))))
        case 4:
            return Add(a, b)
    return Sub(a, b)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("seed", range(40))
def test_no_size_exceeds_its_bound(seed: int) -> None:
    pick = random.Random(seed)
    loops = [blocks_of(pick.choice((1, 4, 16))), blocks_of(pick.choice((1, 2)), H, "y")]
    facts = facts_of(loops, [])
    points: dict[str, list[int]] = {name: [] for name in ("x", "y", "f.extent.0", "f.extent.1")}
    for _ in range(200):
        for loop, extent in zip(loops, ("f.extent.0", "f.extent.1"), strict=True):
            value = pick.choice((1, 2, 3, 15, 16, 17, pick.randint(1, 100)))
            points[extent].append(value)
            count = int(evaluate(loop.extent, {extent: value}))
            points[loop.name].append(pick.choice((0, count - 1, pick.randrange(count))))
    given = {name: np.array(values, np.int32) for name, values in points.items()}
    bounded = 0
    for _ in range(40):
        size = random_sum(pick, pick.randint(1, 4))
        wide = Sub(size, random_sum(pick, 2))
        if pick.random() < 0.3:
            wide = Mul(wide, random_sum(pick, 2))
        bound = largest_size(wide, facts)
        if bound is not None:
            bounded += bound < 1 << 20
            assert np.max(evaluate(wide, given)) <= bound, str(wide)
    assert bounded >= 3


CHAIN = ("b", "c", "d", "e", "f", "g")


@pytest.mark.parametrize("tail", ["GuardWithIf", "RoundUp", "ShiftInwards"])
def test_a_chain_of_stages_is_shared(tail: str) -> None:
    x, y, xi, yi = hl.vars("x y xi yi")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    stages: list[hl.Func] = []
    before = image
    for name in CHAIN:
        stage = hl.Func(name)
        stage[x, y] = before[x, y] + before[x + 1, y] * 2.0 - before[x, y + 2]
        stages.append(stage)
        before = stage
    *inner, last = stages
    last.gpu_tile(x, y, xi, yi, 8, 4, getattr(hl.TailStrategy, tail))
    for stage in inner:
        stage.compute_at(last, x).gpu_threads(x, y)
    fn = lowered(last)
    (kernel,) = fn.kernels
    sizes = {
        s.buffer: int(s.size.value)
        for s in walk(kernel.body)
        if isinstance(s, Allocate) and isinstance(s.size, Const)
    }
    left = range(len(inner), 0, -1)
    assert sizes == {s.name(): (8 + n) * (4 + 2 * n) for s, n in zip(inner, left, strict=True)}
    given = np.random.default_rng(5).standard_normal((8 + 12, 16 + 6)).astype(np.float32)
    expected = given
    for _ in CHAIN:
        expected = (
            expected[:-2, :-1] + expected[:-2, 1:] * np.float32(2) - expected[2:, :-1]
        )  # fmt: skip
    made, _ = on_device(fn, {"image": given}, {last.name(): (16, 8)})
    assert np.array_equal(made[last.name()], expected)
