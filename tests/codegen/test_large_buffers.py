"""Buffers beyond 2 GiB: addresses have 64 bits, coordinates 32, and nothing wraps on the way."""

from __future__ import annotations

import mmap

import numpy as np
import pytest

import compiler as hl

GIB = 2**30


def spread(rows: int, columns: int, pitch: int, dtype: type) -> np.ndarray:
    """Rows `pitch` elements apart, in memory of which only the touched pages exist."""
    size = np.dtype(dtype).itemsize
    memory = np.frombuffer(mmap.mmap(-1, rows * pitch * size), dtype)
    return np.lib.stride_tricks.as_strided(memory, (rows, columns), (pitch * size, size))


@pytest.mark.parametrize("schedule", ["scalar", "vector", "parallel"])
def test_rows_far_apart(schedule: str) -> None:
    x, y = hl.Var("x"), hl.Var("y")
    source = hl.ImageParam(hl.UInt(16), 2)
    f = hl.Func("f")
    f[x, y] = source[x, y] + source[x, y + 1]
    if schedule != "scalar":
        f.vectorize(x, 16)
    if schedule == "parallel":
        f.parallel(y)
    a = spread(5, 64, GIB, np.uint16)
    out = spread(4, 64, 2**30 - 13, np.uint16)
    a[:] = np.arange(5 * 64).reshape(5, 64)
    source.set(hl.Buffer(a))
    f.realize(hl.Buffer(out))
    assert (out == a[:-1] + a[1:]).all()


def test_a_row_of_more_than_two_gibibytes_is_written_at_its_end() -> None:
    x = hl.Var("x")
    count = 2**31 - 1000
    source = hl.ImageParam(hl.UInt(8), 1)
    lowest = hl.RDom([(0, 100)])
    f = hl.Func("f")
    f[x] = hl.u32(0)
    f[x] += hl.u32(source[count - 100 + lowest.x]) + hl.u32(x)
    memory = spread(1, count, count, np.uint8)[0]
    memory[-100:] = 7
    source.set(hl.Buffer(memory))
    out = hl.Buffer(hl.UInt(32), [3])
    f.realize(out)
    assert list(np.array(out)) == [700, 800, 900]


def test_gathers_reach_everywhere() -> None:
    x = hl.Var("x")
    source, where = hl.ImageParam(hl.UInt(8), 2), hl.ImageParam(hl.Int(32), 1)
    f = hl.Func("f")
    f[x] = source[hl.clamp(where[x], 0, 63), x % 5]
    f.vectorize(x, 16)
    a = spread(5, 64, 2**31 - 64, np.uint8)
    a[:] = np.arange(5 * 64).reshape(5, 64)
    places = np.arange(64)[::-1].astype(np.int32)
    source.set(hl.Buffer(a))
    where.set(hl.Buffer(places))
    out = np.zeros(64, np.uint8)
    f.realize(hl.Buffer(out))
    assert (out == a[np.arange(64) % 5, places]).all()


def test_coordinates_that_no_int32_holds_are_refused() -> None:
    x = hl.Var("x")
    f = hl.Func("f")
    f[x] = x
    out = hl.Buffer(hl.Int(32), [100])
    out.set_min([2**31 - 50])
    with pytest.raises(hl.HalideError, match="exceeds the largest coordinate"):
        f.realize(out)
    out.set_min([2**31 - 101])
    f.realize(out)
    assert np.array(out)[-1] == 2**31 - 2


def test_sums_of_coordinates_do_not_wrap_in_checks() -> None:
    x = hl.Var("x")
    source = hl.ImageParam(hl.UInt(8), 1)
    f = hl.Func("f")
    f[x] = source[x + 2_000_000_000]
    source.set(hl.Buffer(np.zeros(100, np.uint8)))
    out = hl.Buffer(hl.UInt(8), [10])
    out.set_min([2_000_000_000])
    with pytest.raises(hl.HalideError, match="beyond the max"):
        f.realize(out)
