"""Stages of a block whose size only the image says: few threads compute them, in several turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk

from .programs import by_ptx, lowered, on_device

X, Y, XI, YI = hl.vars("x y xi yi")
IMAGE = np.random.default_rng(8).integers(0, 256, (70, 15), np.uint8)
EMULATED = hl.Target("host-cuda_emulated")

Schedule = Callable[[hl.Func, hl.Func], Any]
SCHEDULES: dict[str, tuple[Schedule, tuple[int, int]]] = {
    "rows and columns": (lambda f, g: f.gpu_threads(X, Y), (16, 8)),
    "columns of threads": (lambda f, g: f.reorder(Y, X).gpu_threads(Y, X), (32, 9)),
    "rows alone": (lambda f, g: f.gpu_threads(Y), (32, 8)),
    "in shared memory, said by hand": (
        lambda f, g: f.gpu_threads(X, Y).store_in(hl.MemoryType.GPUShared), (16, 8)
    ),
    "in pairs": (lambda f, g: f.split(X, X, XI, 2).unroll(XI).gpu_threads(X, Y), (16, 8)),
}  # fmt: skip
"""Of `f`, and how many threads along x and y a block has at most."""


def program() -> tuple[hl.Func, hl.Func, hl.ImageParam]:
    """Blocks of `g` need rows of `f` up to their own from row 0 on, which an update doubles."""
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    f, g = hl.Func("f"), hl.Func("g")
    f[X, Y] = hl.u16(image[X, Y]) + 1
    f[X, 0] = f[X, 0] * 2
    g[X, Y] = f[X, Y] + f[X + 1, Y]
    g.gpu_tile(X, Y, XI, YI, 8, 4, hl.TailStrategy.GuardWithIf)
    f.compute_at(g, X)
    return f, g, image


def expected(width: int, height: int) -> np.ndarray[Any, Any]:
    f = IMAGE.astype(np.uint16) + np.uint16(1)
    f[0] *= np.uint16(2)
    return np.asarray(f[:height, :width] + f[:height, 1 : width + 1])


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("size", ((13, 5), (8, 70), (1, 1)))
def test_a_stage_may_reach_down_to_the_first_row(name: str, size: tuple[int, int]) -> None:
    f, g, image = program()
    schedule, (most_x, most_y) = SCHEDULES[name]
    schedule(f, g)
    f.update().gpu_threads(X)
    fn = lowered(g)
    (kernel,) = fn.kernels
    counts = [int(n.value) for n in kernel.threads[:2]]  # type: ignore[attr-defined]
    assert counts[0] <= most_x and counts[1] <= most_y
    output = fn.args[-1].name
    for launcher in (None, by_ptx(fn)):
        made, _ = on_device(fn, {"image": IMAGE}, {output: size}, launcher)
        np.testing.assert_array_equal(made[output], expected(*size))
    image.set(hl.Buffer(IMAGE))
    np.testing.assert_array_equal(np.asarray(g.realize(list(size), EMULATED)), expected(*size))


def test_turns_are_there_only_where_a_size_is_not_known() -> None:
    f, g, _ = program()
    f.gpu_threads(X, Y)
    f.update().gpu_threads(X)
    (kernel,) = lowered(g).kernels
    loops = [x.name for x in walk(kernel.body) if isinstance(x, s.For)]
    # Blocks have 9 columns of `f`, and any number of rows.
    assert [name.rpartition(".")[2] for name in loops if "turn" in name] == ["turn"]
    assert all(".y." in name for name in loops)


def test_lanes_take_no_turns() -> None:
    f, g, _ = program()
    f.reorder(Y, X).gpu_lanes(Y)
    f.update().gpu_threads(X)
    with pytest.raises(hl.HalideError, match="lanes loop must have constant extent"):
        lowered(g)
