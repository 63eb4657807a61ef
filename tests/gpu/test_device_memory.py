"""What a block or a thread needs and has no room for lies in memory that the host asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.ir import I32, I64, Cast, Expr, Load, Min, Mul, Variable, const, evaluate
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk
from compiler.lower.barriers import Together
from compiler.lower.device_memory import with_pieces
from compiler.lower.emulation import emulated

from .device import Race, Unready
from .programs import by_ptx, lowered, on_device, some_slow
from .test_kernels import IMAGE, blur, blurred, without

X, Y, XI, YI = hl.vars("x y xi yi")
LT_8 = Cast(I64, Min(Variable("n", I32), const(8)))
HEAP, SHARED = hl.MemoryType.Heap, hl.MemoryType.GPUShared

PLACES: dict[str, tuple[Callable[[hl.Func, hl.Func], Any], list[str], list[str]]] = {
    "of a block": (
        lambda h, f: h.compute_at(f, X).store_in(HEAP).gpu_threads(X, Y), ["h"], []
    ),
    "of a block, a row at a time": (
        lambda h, f: h.compute_at(f, X).store_in(HEAP).gpu_threads(X), ["h"], []
    ),
    "of a thread": (lambda h, f: h.compute_at(f, XI).store_in(HEAP), ["h"], []),
    "of a thread, in vectors": (
        lambda h, f: h.compute_at(f, XI).store_in(HEAP).bound_extent(Y, 3).vectorize(Y), ["h"], []
    ),
    "of a thread, in the block's": (lambda h, f: h.compute_at(f, XI).store_in(SHARED), [], ["h"]),
}  # fmt: skip


def tiled(place: Callable[[hl.Func, hl.Func], Any]) -> s.LoweredFunction:
    h, f = blur()
    f.gpu_tile(X, Y, XI, YI, 8, 4)
    place(h, f)
    return lowered(f)


def memories(stmt: s.Stmt) -> dict[str, s.Allocate]:
    return {x.buffer.split("$")[0]: x for x in walk(stmt) if isinstance(x, s.Allocate)}


def outcome(fn: s.LoweredFunction, launcher: Any = None) -> np.ndarray[Any, Any]:
    name = fn.args[-1].name
    shape = (IMAGE.shape[1] - 2, IMAGE.shape[0] - 2)
    return on_device(fn, {"a": IMAGE}, {name: shape}, launcher)[0][name]


@pytest.mark.parametrize("name", some_slow(PLACES, ("of a block", "of a thread")))
def test_a_blur_has_the_same_values_wherever_rows_are_stored(name: str) -> None:
    place, device, shared = PLACES[name]
    fn = tiled(place)
    of_host = memories(fn.body)
    assert [name for name, x in of_host.items() if x.memory == "device"] == device
    inside = memories(fn.kernels[0].body)
    assert [name for name, x in inside.items() if x.memory == "shared"] == shared
    emulation = replace(fn, body=emulated(fn.body, fn.kernels, True), kernels=())
    for run, launcher in ((fn, None), (fn, by_ptx(fn)), (emulation, None)):
        np.testing.assert_array_equal(outcome(run, launcher), blurred(IMAGE))


def test_threads_wait_for_what_others_leave_in_the_devices_memory() -> None:
    """A barrier that is about shared memory alone isn't enough."""
    fn = tiled(PLACES["of a block"][0])
    (kernel,) = fn.kernels
    (barrier,) = (x for x in walk(kernel.body) if isinstance(x, s.Barrier))
    assert barrier.device
    object.__setattr__(barrier, "device", False)
    with pytest.raises((Race, Unready)):
        outcome(fn)
    object.__setattr__(barrier, "device", True)
    outcome(fn)
    with pytest.raises((Race, Unready)):
        outcome(replace(fn, kernels=(replace(kernel, body=without(kernel.body, barrier)),)))


def test_what_is_too_large_for_a_block_lies_in_the_devices_memory() -> None:
    a, f, g = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y] + 1
    g[X, Y] = f[X, Y] + f[a.width() - 1 - X, Y]
    g.gpu_blocks(Y).split(X, X, XI, 8).gpu_threads(XI)
    f.compute_at(g, Y).split(X, X, XI, 4).gpu_threads(XI)
    fn = lowered(g)
    assert memories(fn.body)["f"].memory == "device"
    image = np.arange(30, dtype=np.int32).reshape(3, 10)
    for launcher in (None, by_ptx(fn)):
        made, _ = on_device(fn, {"a": image}, {fn.args[-1].name: (10, 3)}, launcher)
        expected = image + 1 + image[:, ::-1] + 1
        np.testing.assert_array_equal(made[fn.args[-1].name], expected)


def rising(count: hl.Param | int) -> tuple[hl.Func, hl.Func]:
    """Each point needs so many of another stage as its block's number says, or `count`."""
    f, g, r = hl.Func("f"), hl.Func("g"), hl.RDom([(0, count)], "r")
    f[X, Y] = X * 10 + Y
    g[X, Y] = 0
    g[X, Y] += f[r % (Y + 1) if isinstance(count, int) else r, Y]
    g.update().reorder(r, X, Y)
    for stage in (g, g.update()):
        stage.gpu_blocks(Y).split(X, X, XI, 4, hl.TailStrategy.GuardWithIf).gpu_threads(XI)
    return f, g


@pytest.mark.parametrize("where", ("block", "thread"))
def test_pieces_are_as_large_as_the_largest_of_them(where: str) -> None:
    f, g = rising(6)
    f.compute_at(g, Y if where == "block" else XI)
    f.store_in(HEAP)
    fn = lowered(g)
    assert "f" in memories(fn.body)
    for launcher in (None, by_ptx(fn)):
        made, _ = on_device(fn, {}, {fn.args[-1].name: (5, 4)}, launcher)
        for y, row in enumerate(made[fn.args[-1].name]):
            assert set(row) == {sum(10 * (i % (y + 1)) + y for i in range(6))}


@pytest.mark.parametrize("count", (0, 1, 7))
def test_a_thread_has_as_many_elements_as_a_parameter_says(count: int) -> None:
    n = hl.Param(hl.Int(32), "n")
    f, g = rising(n)
    f.compute_at(g, XI)
    fn = lowered(g)
    assert memories(fn.body)["f"].memory == "device"
    made, _ = on_device(fn, {}, {fn.args[-1].name: (5, 2)}, n=count)
    for y, row in enumerate(made[fn.args[-1].name]):
        assert set(row) == {sum(10 * i + y for i in range(count))}


@pytest.mark.parametrize("kind", ("Register", "Stack"))
def test_a_threads_own_memory_has_a_limit(kind: str) -> None:
    f, g = rising(hl.Param(hl.Int(32), "n"))
    f.compute_at(g, XI).store_in(hl.MemoryType[kind])
    with pytest.raises(hl.HalideError, match=rf"own {kind.lower()} memory: 16384 bytes"):
        lowered(g)


@pytest.mark.parametrize(
    ("size", "most"),
    (
        (LT_8, 8),
        (Mul(LT_8, Cast(I64, Variable("block.y", I32))), 8 * 2),
        (Mul(LT_8, Load("a", (const(0),), I64)), None),
        (Load("a", (const(0),), I64), None),
    ),
)
def test_the_largest_size_is_known_before_the_kernel_runs(size: Expr, most: int | None) -> None:
    """Or else it is refused: how much there is stands in memory, where the host doesn't look."""
    body = s.Allocate("f", I32, size, s.Store("f", const(1), const(0)), "heap")
    grid, threads = (const(5), const(3), const(1)), (const(4), const(1), const(1))
    if most is None:
        with pytest.raises(hl.HalideError, match="f has no size that is known before the kernel"):
            with_pieces(body, grid, threads, "y")
        return
    _, (pieces,) = with_pieces(body, grid, threads, "y")
    assert evaluate(pieces.elements(grid, threads), {"n": 100}) == most * 15
    _, (pieces,) = with_pieces(Together(body, threads), grid, threads, "y")
    assert evaluate(pieces.elements(grid, threads), {"n": 100}) == most * 60
