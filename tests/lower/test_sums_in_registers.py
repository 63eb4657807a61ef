"""Sums over several rows stay in registers while their loop runs, where the rows are apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk

Array = np.ndarray[Any, Any]
ROWS, LANES = 4, 8


def product(rows: int = ROWS, is_sum_outside: bool = False) -> tuple[hl.Func, Any]:
    """c += a * b in blocks of `rows` rows by a vector, around which the sum runs."""
    x, y, yi, xi = hl.vars("x y yi xi")
    a, b = hl.ImageParam(hl.Int(32), 2, "a"), hl.ImageParam(hl.Int(32), 2, "b")
    k = hl.RDom([(0, a.width())], "k")
    c = hl.Func("c")
    c[x, y] = x + y
    c[x, y] += a[k.x, y] * b[x, k.x]
    guarded = hl.TailStrategy.GuardWithIf
    update = c.update()
    update.split(y, y, yi, rows, guarded).split(x, x, xi, LANES, guarded)
    update.reorder(xi, yi, *((x, y, k.x) if is_sum_outside else (k.x, x, y)))
    update.vectorize(xi).unroll(yi)
    return c, (a, b)


def local_sums(body: s.Stmt) -> list[s.Allocate]:
    return [x for x in walk(body) if isinstance(x, s.Allocate) and x.buffer.endswith(".sums")]


def inputs(width: int, height: int, depth: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(width * height * depth)
    return (
        rng.integers(-9, 9, (height, depth)).astype(np.int32),
        rng.integers(-9, 9, (depth, width)).astype(np.int32),
    )


def started(width: int, height: int) -> Array:
    return np.add.outer(np.arange(height), np.arange(width)).astype(np.int32)


def test_rows_of_a_block_are_summed_beside_the_output() -> None:
    (found,) = local_sums(product()[0].lowered().body)
    assert found.memory == "register"
    assert found.size.value == ROWS * LANES  # type: ignore[attr-defined]


def test_one_row_is_left_to_the_optimiser() -> None:
    assert not local_sums(product(rows=1)[0].lowered().body)


def test_a_sum_that_goes_around_the_blocks_is_left_alone() -> None:
    assert not local_sums(product(is_sum_outside=True)[0].lowered().body)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("size", [(8, 4, 3), (16, 8, 1), (19, 7, 5), (1, 1, 2), (33, 9, 17)])
def test_sums_are_those_of_the_loops_as_written(size: tuple[int, int, int]) -> None:
    width, height, _ = size
    c, images = product()
    a, b = inputs(*size)
    for image, array in zip(images, (a, b), strict=True):
        image.set(hl.Buffer(array))
    out = np.zeros((height, width), np.int32)
    hl.Pipeline([c]).realize([hl.Buffer(out)])
    assert np.array_equal(out, started(width, height) + a @ b)


def test_an_output_whose_rows_lie_upside_down_is_summed_too() -> None:
    c, images = product()
    a, b = inputs(16, 8, 5)
    for image, array in zip(images, (a, b), strict=True):
        image.set(hl.Buffer(array))
    out = np.zeros((8, 16), np.int32)
    hl.Pipeline([c]).realize([hl.Buffer(out[::-1])])
    assert np.array_equal(out[::-1], started(16, 8) + a @ b)


def test_rows_that_share_elements_are_summed_in_order() -> None:
    """An output of which each row begins inside the one before: what is written last stands, and
    sums beside the output would lose what one row adds to another's elements."""
    stride, width, height = 3, 8, 4
    c, images = product()
    a, b = inputs(width, height, 6)
    for image, array in zip(images, (a, b), strict=True):
        image.set(hl.Buffer(array))

    def overlapping() -> tuple[Array, Array]:
        memory = np.zeros(stride * height + width, np.int32)
        rows = np.lib.stride_tricks.as_strided(memory, (height, width), (4 * stride, 4))
        return memory, rows

    found, rows = overlapping()
    hl.Pipeline([c]).realize([hl.Buffer(rows)])
    wanted, rows = overlapping()
    for y in range(height):
        rows[y] = started(width, height)[y]
    for k in range(6):
        for y in range(height):
            rows[y] = rows[y] + a[y, k] * b[k]
    assert np.array_equal(found, wanted)
