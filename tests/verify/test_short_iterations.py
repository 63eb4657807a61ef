"""Loops over channels, iteration by iteration: which elements a pixel reads."""

from __future__ import annotations

from compiler.ir import EQ, I32, I64, LT, TRUE, U8, Add, Cast, Expr, Mul, Variable, const
from lifter.dag import normal
from lifter.model.diagnostic import Span
from lifter.model.stage import Loop, Read
from lifter.verify.short_iterations import elements_of_an_iteration

HERE = Span("k.cpp", 1, 1, 1, 1)
PIXEL, C, N = (Variable(name, I64) for name in ("i0", "i1", "n"))
PIXELS, CHANNELS = Loop(PIXEL, N, HERE), Loop(C, const(4, I64), HERE)
ROWS = Loop(Variable("i2", I64), N, HERE)


def at(channel: Expr) -> tuple[Expr, ...]:
    return (normal(Add(Mul(PIXEL, const(4, I64)), channel)),)


def read(*loops: Loop, condition: Expr = TRUE) -> Read:
    return Read("s", at(C), U8, loops, condition, 1, HERE)


def elements(count: int) -> list[tuple[Expr, ...]]:
    return [at(const(k, I64)) for k in range(count)]


def test_a_pixel_reads_all_its_channels() -> None:
    assert elements_of_an_iteration(read(PIXELS, CHANNELS), (PIXELS,)) == elements(4)
    assert set(elements_of_an_iteration(read(PIXELS, CHANNELS), (PIXELS, CHANNELS))) == {
        at(C), *elements(4),
    }  # fmt: skip


def test_a_channel_that_is_left_out_is_not_read() -> None:
    colours = LT(Cast(I32, C), const(3, I32))
    alpha = EQ(Cast(I32, C), const(3, I32))
    only = read(PIXELS, CHANNELS, condition=colours)
    assert elements_of_an_iteration(only, (PIXELS,)) == elements(3)
    last = read(PIXELS, CHANNELS, condition=alpha)
    assert elements_of_an_iteration(last, (PIXELS,)) == [at(const(3, I64))]


def test_rounds_that_nobody_can_count_are_none() -> None:
    assert elements_of_an_iteration(read(PIXELS, ROWS), (PIXELS,)) == []
    assert elements_of_an_iteration(read(ROWS, CHANNELS), (PIXELS,)) == []
