"""Loops over threads inside of others: each statement is run by the threads of all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.ir import Const
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk
from compiler.lower.emulation import emulated

from .device import Race, Unready
from .programs import by_ptx, lowered, on_device, some_slow
from .test_kernels import IMAGE, blur, blurred, without

X, Y, XI, YI, XO = hl.vars("x y xi yi xo")
GUARD = hl.TailStrategy.GuardWithIf


def tiled(h: hl.Func, f: hl.Func) -> hl.Func:
    f.gpu_tile(X, Y, XI, YI, 8, 4, GUARD)
    return h


SCHEDULES: dict[str, tuple[Callable[[hl.Func, hl.Func], Any], tuple[int, int, int]]] = {
    "rows by the threads of each row": (
        lambda h, f: tiled(h, f).compute_at(f, YI).gpu_threads(X), (8, 4, 1)
    ),
    "rows by one thread of each row": (lambda h, f: tiled(h, f).compute_at(f, YI), (8, 4, 1)),
    "columns by threads of each point": (
        lambda h, f: tiled(h, f).compute_at(f, XI).gpu_threads(Y), (3, 8, 4)
    ),
    "in a loop of each row": (
        lambda h, f: (
            f.split(Y, Y, YI, 4, GUARD).split(X, X, XI, 8, GUARD),
            f.reorder(XI, X, YI, Y).gpu_blocks(Y).gpu_threads(YI, XI),
            h.compute_at(f, X).gpu_threads(X),
        ),
        (8, 4, 1),
    ),
    "in parts of each row": (
        lambda h, f: (
            tiled(h, f).compute_at(f, YI).split(X, X, XO, 4, GUARD).gpu_threads(XO)
        ),
        (8, 4, 1),
    ),
    "on the heap": (
        lambda h, f: tiled(h, f).compute_at(f, YI).store_in(hl.MemoryType.Heap).gpu_threads(X),
        (8, 4, 1),
    ),
}  # fmt: skip


SHARED_BY_THREADS = (
    "rows by one thread of each row", "columns by threads of each point", "in parts of each row"
)  # fmt: skip
"""Where threads read what others have computed."""
IN_REGISTERS = ("rows by the threads of each row", "in a loop of each row")
"""Where each reads what it has computed itself."""


def outcome(fn: s.LoweredFunction, launcher: Any = None) -> np.ndarray[Any, Any]:
    name = fn.args[-1].name
    shape = (IMAGE.shape[1] - 2, IMAGE.shape[0] - 2)
    return on_device(fn, {"a": IMAGE}, {name: shape}, launcher)[0][name]


@pytest.mark.parametrize("name", some_slow(SCHEDULES, ("rows by one thread of each row",)))
def test_a_blur_has_the_same_values(name: str) -> None:
    h, f = blur()
    schedule, threads = SCHEDULES[name]
    schedule(h, f)
    fn = lowered(f)
    (kernel,) = fn.kernels
    assert [x.value for x in kernel.threads if isinstance(x, Const)] == list(threads)
    emulation = replace(fn, body=emulated(fn.body, fn.kernels, True), kernels=())
    for run, launcher in ((fn, None), (fn, by_ptx(fn)), (emulation, None)):
        np.testing.assert_array_equal(outcome(run, launcher), blurred(IMAGE))
    barriers = [x for x in walk(kernel.body) if isinstance(x, s.Barrier)]
    assert bool(barriers) == (name not in IN_REGISTERS)
    races = 0
    for barrier in barriers if name in SHARED_BY_THREADS else ():
        try:
            outcome(replace(fn, kernels=(replace(kernel, body=without(kernel.body, barrier)),)))
        except (Race, Unready):
            races += 1
    assert races == SHARED_BY_THREADS.count(name)


def up_to(rows: bool) -> hl.Func:
    """How much of a stage is needed depends on the thread, and is never more than `w` + 1."""
    a, h, f = hl.ImageParam(hl.Int(32), 1, "a"), hl.Func("h"), hl.Func("f")
    h[X, Y] = a[Y if rows else X] + 10 * (X if rows else Y)
    most = hl.min(Y % 4, hl.clamp(hl.Param(hl.Int(32), "w"), 0, 3)) + 1
    f[X, Y] = h[Y, X % most] if rows else h[X % most, Y]
    f.gpu_tile(X, Y, XI, YI, 4, 4, GUARD)
    h.compute_at(f, YI).gpu_threads(X)
    return f


def test_loops_over_threads_that_are_as_long_as_a_thread_says() -> None:
    fn = lowered(up_to(False))
    y, x = np.mgrid[0:7, 0:9]
    a, name = np.arange(2, dtype=np.int32), fn.args[-1].name
    for launcher in (None, by_ptx(fn)):
        made, _ = on_device(fn, {"a": a}, {name: (9, 7)}, launcher, w=1)
        np.testing.assert_array_equal(made[name], x % (np.minimum(y % 4, 1) + 1) + 10 * y)


def test_loops_around_threads_that_are_as_long_as_a_thread_says_are_refused() -> None:
    with pytest.raises(hl.HalideError, match="is as long as a thread around it says"):
        lowered(up_to(True))
