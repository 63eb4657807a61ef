"""Stores into pixels of which some channels are left out: nothing else is touched."""

from __future__ import annotations

import ctypes
import mmap

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.interleaving import StoreGroup, interleaved
from compiler.ir import U8, Add, Const, Load, Ramp, Variable
from compiler.ir.stmts import Store
from compiler.ir.types import I64

PAGE = mmap.PAGESIZE
TYPES = {1: hl.UInt(8), 2: hl.UInt(16), 4: hl.Float(32), 8: hl.UInt(64)}


def before_nothing(size: int) -> np.ndarray:
    """Bytes whose last one is the last of a page; behind it nobody may read or write."""
    pages = -(-size // PAGE)
    memory = mmap.mmap(-1, (pages + 1) * PAGE)
    every = np.frombuffer(memory, np.uint8)
    behind = every.ctypes.data + pages * PAGE
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.mprotect(ctypes.c_void_p(behind), ctypes.c_size_t(PAGE), 0) == 0
    return every[pages * PAGE - size : pages * PAGE]


def pixels(memory: np.ndarray, type: np.dtype, channels: int) -> np.ndarray:
    """The first channels of pixels that have room for four; the last pixel ends with them."""
    values = memory.view(type)
    count, step = (len(values) + 4 - channels) // 4, type.itemsize
    return np.lib.stride_tricks.as_strided(values, (count, channels), (4 * step, step))


@pytest.mark.sampled
@pytest.mark.parametrize("bytes_", TYPES)
@pytest.mark.parametrize("channels", [1, 2, 3])
def test_what_is_left_out_may_be_nobodys(bytes_: int, channels: int) -> None:
    c, x = hl.Var("c"), hl.Var("x")
    image = hl.ImageParam(TYPES[bytes_], 2)
    f = hl.Func("f")
    f[c, x] = image[c, x] + image[0, x]
    for buffer in (image, f.output_buffer()):
        buffer.dim(0).set_bounds(0, channels)
        buffer.dim(1).set_stride(4)
    rng = np.random.default_rng(bytes_)
    for count in (1, 2, 3, 15, 16, 17, 64, 65, 200):
        size = (4 * (count - 1) + channels) * bytes_
        type = np.dtype({1: "u1", 2: "u2", 4: "f4", 8: "u8"}[bytes_])
        source, target = before_nothing(size), before_nothing(size)
        a, out = pixels(source, type, channels), pixels(target, type, channels)
        a[:] = rng.integers(0, 100, a.shape)
        target[:] = rng.integers(0, 256, size)
        kept = target.copy()
        image.set(hl.Buffer(a))
        f.realize(hl.Buffer(out))
        expected = pixels(kept, type, channels)
        expected[:] = a + a[:, :1]
        assert (target == kept).all(), count


@pytest.mark.parametrize("lane", [0, 1, 3])
@pytest.mark.parametrize("period", [2, 4])
def test_of_a_row_only_the_lanes_that_count_are_read(lane: int, period: int) -> None:
    lane %= period
    x = hl.Var("x")
    image = hl.ImageParam(hl.UInt(8), 1)
    f = hl.Func("f")
    f[x] = image[x / period * period + lane] + image[x / period * period + lane]
    f.output_buffer().dim(0).set_min(0)
    image.dim(0).set_min(0)
    for count in (1, 2, 7, 16, 63, 64, 65, 130, 515):
        last = (count - 1) // period * period + lane
        a = before_nothing(last + 1)
        a[:] = np.random.default_rng(count).integers(0, 100, last + 1)
        image.set(hl.Buffer(a))
        out = np.zeros(count, np.uint8)
        f.realize(hl.Buffer(out))
        assert (out == 2 * a[np.arange(count) // period * period + lane]).all(), count


def store(first: int, stride: int, value: object = None) -> Store:
    base = Variable("i", I64)
    index = Ramp(Add(base, Const(I64, first)), Const(I64, stride), 8)
    read = Load("in", (Ramp(base, Const(I64, 1), 8),), U8.with_lanes(8))
    return Store("out", value or read, index)  # type: ignore[arg-type]


def test_stores_that_leave_gaps_are_groups_only_where_lanes_can_be_off() -> None:
    three = [store(2, 4), store(0, 4), store(1, 4)]
    (group,) = interleaved(three, gaps=True)
    assert isinstance(group, StoreGroup) and group.has_gaps
    assert [*group.stores.values()] == [three[1], three[2], three[0]]
    assert list(interleaved(three, gaps=False)) == three


def test_stores_further_apart_than_a_stride_are_no_group() -> None:
    groups = list(interleaved([store(0, 4), store(4, 4), store(1, 3)], gaps=True))
    assert [len(g.stores) for g in groups if isinstance(g, StoreGroup)] == [1, 1, 1]


def test_what_reads_an_earlier_store_of_the_group_is_in_the_next() -> None:
    own = Load("out", (store(0, 4).index,), U8.with_lanes(8))
    groups = list(interleaved([store(0, 4), store(1, 4, own)], gaps=True))
    assert [len(g.stores) for g in groups if isinstance(g, StoreGroup)] == [1, 1]
