"""Vectors whose coordinates are clamped: rows with repeated ends, read without a gather."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler import ir
from compiler.codegen import Target
from compiler.ir import F32, I32, I64, U8, U16, Broadcast, Cast, Expr, Max, Min, Ramp, Type
from compiler.runtime import compile_in_process

from .assembly import instructions, of
from .test_scattered import copied

TYPES = [U8, U16, F32, ir.F64, ir.Type("float", 16)]
CASCADE = "x86-64-avx512+avx512vbmi"
B, S = ir.Variable("b", I32), ir.Variable("s", I32)


@contextmanager
def between_fences(data: np.ndarray[Any, Any]) -> Iterator[np.ndarray[Any, Any]]:
    """A copy of `data` after which, and a page before which, no byte may be touched."""
    page = mmap.PAGESIZE
    inner = -(-data.nbytes // page) * page
    memory = mmap.mmap(-1, inner + 2 * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    protect = ctypes.CDLL(None).mprotect
    whole = np.frombuffer(memory, np.uint8)
    copy = whole[page + inner - data.nbytes : page + inner].view(data.dtype)
    copy[:] = data
    for fence in (start, start + page + inner):
        assert protect(ctypes.c_void_p(fence), page, 0) == 0
    yield copy
    for fence in (start, start + page + inner):
        protect(ctypes.c_void_p(fence), page, 3)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("lanes", [4, 16, 24, 64, 128])
def test_lanes_beyond_the_ends_repeat_them(lanes: int, type: Type) -> None:
    x, f, a = hl.Var("x"), hl.Func("f"), hl.ImageParam(hl.Type.of(type), 1, "a")
    f[x] = a[hl.clamp(x, 0, a.width() - 1)]
    f.vectorize(x, lanes).partition(x, hl.Partition.Never)
    for width in (1, 2, 5, 40, 150):
        values = (np.arange(width) * 7 % 251).astype(str(type))
        with between_fences(values) as data:
            a.set(hl.Buffer(data))
            out = np.zeros(3 * lanes + 2 * width, data.dtype)
            buffer, before = hl.Buffer(out), lanes + width // 2
            buffer.set_min([-before])
            f.realize(buffer)
            nearest = np.clip(np.arange(len(out)) - before, 0, width - 1)
            assert np.array_equal(out, values[nearest])


def limited(lanes: int, wide: bool = False) -> Expr:
    """max(min(b + lane, s), 3) as an index."""
    low, high = Broadcast(ir.const(3), lanes), Broadcast(S, lanes)
    index: Expr = Max(Min(Ramp(B, ir.const(1), lanes), high), low)
    return Cast(I64.with_lanes(lanes), index) if wide else index


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("high", [-5, 3, 20, 900])
def test_limits_may_cross_or_lie_anywhere(high: int, wide: bool) -> None:
    data = np.arange(1000, dtype=np.float32)
    run = compile_in_process(copied(limited(16, wide), F32))
    for base in (-2000, -8, 0, 2, 15, 890, 2**31 - 20):
        out = np.zeros(16, np.float32)
        run(data, high, base, out)
        assert np.array_equal(out, np.maximum(np.minimum(base + np.arange(16), high), 3))


@pytest.mark.parametrize("type, permutation", [(U8, "vpermb"), (U16, "vpermw"), (F32, "vperm")])
def test_one_permutation_takes_the_place_of_a_gather(type: Type, permutation: str) -> None:
    text = of(copied(limited(64 // type.bytes), type), CASCADE)
    names = instructions(text)
    assert any(name.startswith(permutation) for name in names)
    assert not any("gather" in name or name.startswith("vpinsr") for name in names)


def test_machines_without_such_a_permutation_gather() -> None:
    assert "vpermb" not in of(copied(limited(64), U8), "x86-64-avx512")
    assert Target.parse(CASCADE).permutes_bytes


def test_lanes_two_apart_are_no_such_row() -> None:
    index = Max(Min(Ramp(B, ir.const(2), 16), Broadcast(S, 16)), Broadcast(ir.const(0), 16))
    data, out = np.arange(1000, dtype=np.float32), np.zeros(16, np.float32)
    compile_in_process(copied(index, F32))(data, 100, 90, out)
    assert np.array_equal(out, np.minimum(90 + 2 * np.arange(16), 100))
