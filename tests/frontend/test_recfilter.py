"""Recursive filters: what they give, which may change places, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.recfilter import (
    RecFilter,
    RecFilterDim,
    bspline_weights,
    gaussian_weights,
    integral_image_coeff,
)

Array = np.ndarray[Any, Any]
X, Y = hl.vars("x y")
WIDTH, HEIGHT = 61, 45
SX, SY = RecFilterDim("x", WIDTH), RecFilterDim("y", HEIGHT)
FLOATS = np.random.default_rng(5).random((HEIGHT, WIDTH)).astype(np.float32)
BYTES = np.random.default_rng(6).integers(0, 256, (HEIGHT, WIDTH)).astype(np.uint8)


def of(image: Array, name: str = "filter") -> RecFilter:
    made = RecFilter(name)
    buffer = hl.Buffer(image)
    made[SX, SY] = buffer[X, Y] if image.dtype == np.float32 else hl.u32(buffer[X, Y])
    return made


def result(made: RecFilter) -> Array:
    return np.array(made.realize([WIDTH, HEIGHT]))


def along(lines: Array, weights: Sequence[float], clamped: bool) -> Array:
    """The filter down the first axis, in float64."""
    gain, *feedback = weights
    out = np.zeros_like(lines)
    before = gain / (1 - sum(feedback)) * lines[0] if clamped else 0 * lines[0]
    for i in range(len(lines)):
        out[i] = gain * lines[i]
        for lag, a in enumerate(feedback, 1):
            out[i] += a * (out[i - lag] if i >= lag else before)
    return out


def expected(image: Array, filters: list[tuple[str, Sequence[float]]], clamped: bool) -> Array:
    made = image.astype(np.float64)
    for direction, weights in filters:
        turned = made.T if direction[1] == "x" else made
        lines = turned[::-1] if direction[0] == "-" else turned
        lines = along(lines, weights, clamped)
        turned = lines[::-1] if direction[0] == "-" else lines
        made = turned.T if direction[1] == "x" else turned
    return made


DIRECTIONS = {"+x": +SX, "-x": -SX, "+y": +SY, "-y": -SY}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("clamped", [False, True])
@pytest.mark.parametrize("tile", [0, 8])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_gaussian_there_and_back(clamped: bool, tile: int, order: int) -> None:
    weights = gaussian_weights(3.0, order)
    made = of(FLOATS)
    for direction in DIRECTIONS.values():
        made.add_filter(direction, weights)
    if clamped:
        made.set_clamped_image_border()
    if tile:
        made.split_all_dimensions(tile)
    else:
        made.cpu_auto_schedule()
    wanted = expected(FLOATS, [(d, weights) for d in DIRECTIONS], clamped)
    np.testing.assert_allclose(result(made), wanted, atol=3e-6)


@pytest.mark.parametrize("tile", [0, 8])
def test_a_summed_area_table_is_exact(tile: int) -> None:
    made = of(BYTES)
    made.add_filter(+SX, integral_image_coeff(1)).add_filter(+SY, integral_image_coeff(1))
    if tile:
        made.split_all_dimensions(tile)
    np.testing.assert_array_equal(result(made), BYTES.astype(np.uint32).cumsum(0).cumsum(1))


def test_sums_of_sums_are_one_filter_of_second_order() -> None:
    assert integral_image_coeff(2) == [1, 2, -1]
    once = of(BYTES).add_filter(+SX, [1, 1]).add_filter(+SX, [1, 1])
    merged = once.overlap_to_higher_order_filter()
    assert [f.feedback for f in merged.filters] == [(2.0, -1.0)]
    wanted = BYTES.astype(np.uint32).cumsum(1).cumsum(1)
    np.testing.assert_array_equal(result(merged), wanted)


def test_a_cascade_gives_what_its_filters_give() -> None:
    weights = gaussian_weights(2.0, 2)
    wanted = expected(FLOATS, [(d, weights) for d in DIRECTIONS], False)

    def made() -> RecFilter:
        made = of(FLOATS)
        for direction in DIRECTIONS.values():
            made.add_filter(direction, weights)
        return made

    for parts in (made().cascade([2, 3], [0, 1]), made().cascade_by_dimension()):
        assert len(parts) == 2
        np.testing.assert_allclose(result(parts[-1]), wanted, atol=3e-6)
    assert [len(p.filters) for p in made().cascade_by_causality()] == [1, 1, 1, 1]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 9])
def test_a_line_may_be_shorter_than_the_filter(size: int) -> None:
    line, buffer = RecFilterDim("x", size), hl.Buffer(FLOATS[0, :size].copy())
    weights = gaussian_weights(2.0, 3)
    made = RecFilter()
    made[line] = buffer[X]
    made.add_filter(+line, weights).add_filter(-line, weights).cpu_auto_schedule()
    rows = FLOATS[:1, :size]
    wanted = expected(rows, [("+x", weights), ("-x", weights)], False)[0]
    np.testing.assert_allclose(np.array(made.realize([size])), wanted, atol=1e-6)


@pytest.mark.parametrize(
    "width, height",
    [
        (1, 7),
        (7, 9),
        *(pytest.param(*size, marks=pytest.mark.slow) for size in ((17, 5), (18, 40))),
    ],
)
def test_an_image_may_be_smaller_than_a_tile(width: int, height: int) -> None:
    across, down = RecFilterDim("x", width), RecFilterDim("y", height)
    image = BYTES[:height, :width].copy()
    made = RecFilter()
    made[across, down] = hl.u32(hl.Buffer(image)[X, Y])
    for direction in (+across, -across, +down, -down):
        made.add_filter(direction, [1, 1, 2])
    wanted = image.astype(np.uint32)
    for turned in (wanted.T, wanted.T[::-1], wanted, wanted[::-1]):
        for i in range(1, len(turned)):
            turned[i] += turned[i - 1] + (2 * turned[i - 2] if i > 1 else 0)
    made.split_all_dimensions(16)
    np.testing.assert_array_equal(np.array(made.realize([width, height])), wanted)


@pytest.mark.parametrize("degree", [3, 5])
def test_splines_go_through_what_was_prefiltered(degree: int) -> None:
    made = of(FLOATS)
    for weights in bspline_weights(degree):
        made.add_filter(+SX, weights).add_filter(-SX, weights)
    spline = {3: np.array([1, 4, 1]) / 6, 5: np.array([1, 26, 66, 26, 1]) / 120}[degree]
    middle = slice(25, -25)  # far from borders of 0
    through = np.array([np.convolve(line, spline, "same") for line in result(made)])
    np.testing.assert_allclose(through[:, middle], FLOATS[:, middle], atol=2e-5)


def test_what_makes_no_sense_is_refused() -> None:
    weights = gaussian_weights(2.0, 1)

    def refuses(what: str, call: Any) -> None:
        with pytest.raises(hl.HalideError, match=what):
            call()

    refuses("unstable: a pole of magnitude 1.5", lambda: of(FLOATS).add_filter(+SX, [1, 1.5]))
    refuses("aren't finite", lambda: of(FLOATS).add_filter(+SX, [1, float("nan")]))
    refuses("without feedback", lambda: of(FLOATS).add_filter(+SX, [1]))
    refuses("whole numbers", lambda: of(BYTES).add_filter(+SX, [1, 0.5]))
    refuses("a tile of 0 steps", lambda: of(FLOATS).split(SX, 0))
    refuses("no such dimension", lambda: of(FLOATS).add_filter(+RecFilterDim("z", 3), weights))
    refuses("their border is 0", lambda: of(BYTES).set_clamped_image_border())
    refuses("no number above 0", lambda: gaussian_weights(0.0))
    refuses("orders 1 to 3", lambda: gaussian_weights(1.0, 4))
    both = of(FLOATS).add_filter(+SX, weights).add_filter(-SX, weights)
    refuses("their directions differ", lambda: both.cascade([1], [0]))
    refuses("each of 2 filters once", lambda: both.cascade([0]))
    clamped = of(FLOATS).add_filter(+SX, weights).add_filter(+SX, weights)
    clamped.set_clamped_image_border()
    refuses("the border is clamped", lambda: clamped.cascade([1], [0]))
    refuses("clamped border", clamped.overlap)
    tiled = of(FLOATS).add_filter(+SX, [1, 0.1, 0.1, 0.1]).split(SX, 2)
    refuses("tiles of at least as many steps", tiled.as_func)
