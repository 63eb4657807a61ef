"""Random numbers: the same for every schedule and call, and as good as dice."""

from __future__ import annotations

import numpy as np
import pytest

import compiler as hl

X, Y = hl.vars("x y")
SIZE = 256


def numbers(value: hl.Expr) -> np.ndarray:
    f = hl.Func("f")
    f[X, Y] = value
    return np.array(f.realize([SIZE, SIZE]))


def test_floats_lie_in_the_unit_interval_and_are_spread_evenly() -> None:
    drawn = numbers(hl.random_float()).astype(np.float64)
    assert drawn.min() >= 0.0 and drawn.max() < 1.0
    assert abs(drawn.mean() - 0.5) < 0.005
    assert abs(drawn.var() - 1 / 12) < 0.002
    counts, _ = np.histogram(drawn, 64, (0.0, 1.0))
    expected = SIZE * SIZE / 64
    # 63 degrees of freedom: above 120 in one of 50,000 draws.
    assert ((counts - expected) ** 2 / expected).sum() < 120


def test_neighbours_are_independent() -> None:
    drawn = numbers(hl.random_float()).astype(np.float64) - 0.5
    for a, b in ((drawn[:, 1:], drawn[:, :-1]), (drawn[1:], drawn[:-1])):
        assert abs((a * b).mean() * 12) < 0.02


def test_each_bit_of_an_integer_is_set_half_of_the_time() -> None:
    drawn = numbers(hl.random_uint())
    for bit in range(32):
        assert abs(((drawn >> np.uint32(bit)) & np.uint32(1)).mean() - 0.5) < 0.01
    assert numbers(hl.random_int()).dtype == np.int32


def test_a_pipeline_gives_the_same_numbers_again_and_under_another_schedule() -> None:
    f = hl.Func("f")
    f[X, Y] = hl.random_uint()
    first = np.array(f.realize([SIZE, SIZE]))
    np.testing.assert_array_equal(np.array(f.realize([SIZE, SIZE])), first)
    f.vectorize(X, 8).parallel(Y)
    np.testing.assert_array_equal(np.array(f.realize([SIZE, SIZE])), first)


def test_another_seed_gives_other_numbers() -> None:
    seed = hl.Param(hl.Int(32), "seed")
    f = hl.Func("f")
    f[X, Y] = hl.random_uint(seed)
    draws = []
    for value in (1, 2, 1):
        seed.set(value)
        draws.append(np.array(f.realize([64, 64])))
    assert (draws[0] != draws[1]).mean() > 0.99
    np.testing.assert_array_equal(draws[0], draws[2])


def test_two_calls_and_two_stages_give_different_numbers() -> None:
    value = hl.random_uint(7)
    assert (numbers(value) != numbers(value)).mean() > 0.99
    assert (numbers(value ^ hl.random_uint(7)) != 0).mean() > 0.99


def test_an_update_draws_for_each_step() -> None:
    f, r = hl.Func("f"), hl.RDom([(0, 1000)])
    f[X] = 0.0
    f[X] += hl.random_float() + 0.0 * hl.f32(r)
    assert np.abs(np.array(f.realize([8])) - 500).max() < 50


@pytest.mark.parametrize("text", ["random_float(hl.u8(X))", "random_int(hl.f32(X))"])
def test_a_seed_of_another_type_is_refused(text: str) -> None:
    with pytest.raises(hl.HalideError, match="seed"):
        eval("hl." + text, {"hl": hl, "X": X})
