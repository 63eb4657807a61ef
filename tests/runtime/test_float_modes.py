"""Threads of the pool round as their caller does, and a program can ask whether that is usual."""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import compiler as hl
from compiler import runtime
from compiler.codegen import Target
from compiler.codegen.entry import BufferBinding, Entry, EntryParam
from compiler.codegen.library import build_library
from compiler.frontend.lowering import schedule_and_lower
from compiler.ir import F32, I64, Const

UPWARD = {"x86_64": 0x800, "aarch64": 0x400000}.get(platform.machine())
X, Y = hl.vars("x y")

pytestmark = pytest.mark.skipif(UPWARD is None, reason="FE_UPWARD isn't known on this machine")


@contextmanager
def rounding_up() -> Iterator[None]:
    """This thread rounds up, with the C library's own function."""
    libm = ctypes.CDLL(None)
    assert libm.fesetround(UPWARD) == 0
    try:
        yield
    finally:
        assert libm.fesetround(0) == 0


@pytest.fixture
def four_threads() -> Iterator[None]:
    before = runtime.num_threads()
    runtime.set_num_threads(4)
    yield
    runtime.set_num_threads(before)


def thirds() -> hl.Func:
    f = hl.Func("thirds")
    f[X, Y] = hl.f32(X * 10 + Y) / 3.0
    f.parallel(Y)
    return f


WANTED = np.arange(4000, dtype=np.float32)[None, :] * 10 + np.arange(400, dtype=np.float32)[:, None]
NEAREST = (WANTED / np.float32(3)).astype(np.float32)
EXACT = WANTED.astype(np.float64) / 3
ABOVE = np.where(NEAREST < EXACT, np.nextafter(NEAREST, np.float32(np.inf)), NEAREST)


@pytest.mark.usefixtures("four_threads")
def test_every_thread_rounds_as_the_caller_does() -> None:
    assert (ABOVE != NEAREST).any()
    f, out = thirds(), np.zeros((400, 4000), np.float32)
    for _ in range(3):
        f.realize(hl.Buffer(out))
        assert (out == NEAREST).all()
        with rounding_up():
            f.realize(hl.Buffer(out))
        assert (out == ABOVE).all()
    f.realize(hl.Buffer(out))
    assert (out == NEAREST).all()


@pytest.mark.usefixtures("four_threads")
def test_threads_that_begin_under_other_modes_do_not_keep_them() -> None:
    runtime.set_num_threads(7)
    f, out = thirds(), np.zeros((400, 4000), np.float32)
    with rounding_up():
        f.realize(hl.Buffer(out))
    f.realize(hl.Buffer(out))
    assert (out == NEAREST).all()


def test_a_library_says_whether_the_modes_are_the_usual_ones(tmp_path: Path) -> None:
    f = hl.Func("f")
    f[X] = hl.f32(0.5)
    fn = schedule_and_lower([f.function], "half", Target.host())
    ten = Const(I64, 10)
    binding = BufferBinding("dst", Const(I64, 0), (Const(I64, 0),), (ten,), (Const(I64, 1),))
    params = (EntryParam("dst", "pointer", F32, "float *"),)
    built = build_library(fn, Entry("half_lifted", params, {f.name(): binding}), tmp_path)
    library = ctypes.CDLL(str(built.shared))
    assert library.lift_default_float_modes() == 1
    with rounding_up():
        assert library.lift_default_float_modes() == 0
    assert library.lift_default_float_modes() == 1


def test_tiny_numbers_that_count_as_zero_are_not_usual(tmp_path: Path) -> None:
    """FTZ and DAZ, each by itself, and an exception that traps."""
    if platform.machine() != "x86_64":
        pytest.skip("MXCSR is x86's")
    from compiler.codegen.runtime_library import float_modes
    from compiler.runtime.jit import LoadedModule

    target = Target.host()
    text = (
        float_modes(target.triple)
        + """
define i32 @usual_with(i64 %modes) {
  %own = call i64 @lift_float_modes()
  call void @lift_set_float_modes(i64 %modes)
  %now = call i64 @lift_float_modes()
  %kept = icmp eq i64 %now, %modes
  %usual = call i32 @lift_default_float_modes()
  call void @lift_set_float_modes(i64 %own)
  %answer = select i1 %kept, i32 %usual, i32 -1
  ret i32 %answer
}
"""
    )
    loaded = LoadedModule(text, target)
    usual = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64)(loaded.address("usual_with"))
    assert usual(0x1F80) == 1
    for other in (0x9F80, 0x1FC0, 0x3F80, 0x5F80, 0x7F80, 0x1F00):
        assert usual(other) == 0
