"""What is left of a row is one vector with lanes switched off, where the machine can do that."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import compiler as hl
from compiler.frontend.lowering import schedule_and_lower
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk

from .machines import Machine

X, Y = hl.vars("x y")


A = hl.ImageParam(hl.UInt(8), 2, "a")
TABLE = hl.ImageParam(hl.UInt(8), 1, "table")


def inverted() -> hl.Func:
    f = hl.Func("f")
    f[X, Y] = hl.u8(255 - hl.i32(A[X, Y]))
    return f


def mirrored() -> hl.Func:
    f = hl.Func("f")
    f[X, Y] = hl.max(A[130 - X, Y], A[X, Y])
    return f


def every_second() -> hl.Func:
    f = hl.Func("f")
    f[X, Y] = A[2 * X, Y]
    return f


def looked_up() -> hl.Func:
    f = hl.Func("f")
    f[X, Y] = TABLE[hl.i32(A[X, Y])]
    return f


IN_A_ROW = [inverted, mirrored]
SCATTERED = [every_second, looked_up]


def masked_stores(f: hl.Func, masks_lanes: bool) -> int:
    body = schedule_and_lower([f.function], "f", Machine(512, True, masks_lanes=masks_lanes)).body
    return sum(isinstance(x, s.Store) and x.predicate is not None for x in walk(body))


@pytest.mark.parametrize("build", IN_A_ROW)
def test_a_remainder_in_a_row_is_one_masked_vector(build: Callable[[], hl.Func]) -> None:
    assert masked_stores(build(), True) == 1


@pytest.mark.parametrize("build", IN_A_ROW)
def test_a_machine_without_masks_goes_one_by_one(build: Callable[[], hl.Func]) -> None:
    assert masked_stores(build(), False) == 0


@pytest.mark.parametrize("build", SCATTERED)
def test_what_is_read_here_and_there_goes_one_by_one(build: Callable[[], hl.Func]) -> None:
    assert masked_stores(build(), True) == 0


@pytest.mark.parametrize("build", [*IN_A_ROW, *SCATTERED])
def test_nothing_beyond_the_row_is_read_or_written(build: Callable[[], hl.Func]) -> None:
    """The image ends with the row, so that only the checks and the mask keep reads inside."""
    f = build()
    for width in (1, 8, 9, 31, 63, 64, 65, 72, 73, 127, 129):
        rng = np.random.default_rng(width)
        source = rng.integers(0, 256, (3, 2 * 131), np.uint8)
        table = rng.integers(0, 256, 256, np.uint8)
        A.set(hl.Buffer(source))
        TABLE.set(hl.Buffer(table))
        padded = np.full((3, width + 70), 77, np.uint8)
        f.realize(hl.Buffer(padded[:, :width]))
        wanted = {
            inverted: 255 - source[:, :width],
            mirrored: np.maximum(source[:, 130 - np.arange(width)], source[:, :width]),
            every_second: source[:, : 2 * width : 2],
            looked_up: table[source[:, :width]],
        }[build]
        np.testing.assert_array_equal(padded[:, :width], wanted, str(width))
        assert (padded[:, width:] == 77).all(), width
