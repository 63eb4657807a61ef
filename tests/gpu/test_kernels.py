"""Loops over blocks and threads become kernels that compute the same values, without races."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import INDEX_WIDTHS, kernels_ptx
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import children_of, rebuild, walk

from .device import Race, Unready
from .programs import by_ptx, lowered, on_device

X, Y, XI, YI = hl.vars("x y xi yi")
IMAGE = np.random.default_rng(3).integers(0, 256, (11, 37), np.uint8)


def blur() -> tuple[hl.Func, hl.Func]:
    a = hl.ImageParam(hl.UInt(8), 2, "a")
    h, f = hl.Func("h"), hl.Func("f")
    h[X, Y] = hl.u16(a[X, Y]) + a[X + 1, Y] + a[X + 2, Y]
    f[X, Y] = h[X, Y] + h[X, Y + 1] + h[X, Y + 2]
    return h, f


def blurred(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    a = a.astype(np.uint16)
    h = a[:, :-2] + a[:, 1:-1] + a[:, 2:]
    return np.asarray(h[:-2] + h[1:-1] + h[2:])


Schedule = Callable[[hl.Func, hl.Func], Any]
SCHEDULES: dict[str, Schedule] = {
    "inlined": lambda h, f: f.gpu_tile(X, Y, XI, YI, 16, 4),
    "in shared memory": lambda h, f: (
        f.gpu_tile(X, Y, XI, YI, 16, 4),
        h.compute_at(f, X).gpu_threads(X, Y),
    ),
    "for each row": lambda h, f: (
        f.gpu_tile(X, XI, 16),
        h.compute_at(f, X).gpu_threads(X),
    ),
    "before": lambda h, f: (
        f.gpu_tile(X, Y, XI, YI, 8, 8),
        h.compute_root().gpu_tile(X, Y, XI, YI, 32, 2),
    ),
    "on the host before": lambda h, f: (f.gpu_tile(X, Y, XI, YI, 8, 8), h.compute_root()),
    "by each thread": lambda h, f: (
        f.gpu_tile(X, Y, XI, YI, 8, 8),
        h.compute_at(f, XI),
    ),
    "by the first thread": lambda h, f: (f.gpu_tile(X, Y, XI, YI, 8, 4), h.compute_at(f, X)),
    "in vectors": lambda h, f: (
        f.split(X, X, XI, 32).vectorize(XI, 4).gpu_blocks(Y, X).gpu_threads(XI)
    ),
    "in a loop of a block": lambda h, f: (
        f.split(Y, Y, YI, 4).reorder(X, YI, Y).gpu_blocks(Y).split(X, X, XI, 16).gpu_threads(XI),
        h.compute_at(f, X).gpu_threads(X),
    ),
    "rows that slide": lambda h, f: (
        f.split(X, X, XI, 16).reorder(XI, Y, X).gpu_blocks(X).gpu_threads(XI),
        h.store_at(f, X).compute_at(f, Y).gpu_threads(X),
    ),
    "one thread": lambda h, f: f.gpu_single_thread(),
}


def scaled(alignment: int, multiple: int) -> str:
    """PTX of four elements a thread, of rows that begin at multiples of so many elements."""
    a = hl.ImageParam(hl.Float(32), 2, "a")
    f, v = hl.Func("f"), hl.Var("v")
    f[X, Y] = a[X, Y] * 2.0
    f.split(X, X, v, 4, hl.TailStrategy.RoundUp).vectorize(v)
    f.gpu_tile(X, Y, XI, YI, 16, 8, hl.TailStrategy.RoundUp)
    for buffer in (a, f.output_buffer()):
        buffer.set_host_alignment(alignment)
        buffer.dim(0).set_min(0)
        buffer.dim(1).set_min(0)
        stride = buffer.dim(1).stride()
        buffer.dim(1).set_stride(stride / multiple * multiple)
    return kernels_ptx(lowered(f).kernels, widths=(32,))


def test_vectors_go_at_once_where_their_addresses_are_known_to_be_multiples() -> None:
    made = scaled(16, 4)
    assert made.count("ld.global.nc.v4") == made.count("st.global.v4") == 1
    assert scaled(8, 4).count("ld.global.nc.v2") == scaled(16, 2).count("ld.global.nc.v2") == 2
    assert "global.nc.v" not in scaled(4, 4) + scaled(16, 1)


def test_vectors_of_what_lies_between_go_at_once() -> None:
    a = hl.ImageParam(hl.Float(32), 1, "a")
    f, g, v = hl.Func("f"), hl.Func("g"), hl.Var("v")
    f[X] = a[X] * 2.0
    g[X] = f[X] + 1.0
    for stage in (f, g):
        stage.compute_root()
        stage.split(X, X, v, 4, hl.TailStrategy.RoundUp).vectorize(v)
        stage.gpu_tile(X, XI, 16, hl.TailStrategy.RoundUp)
    made = kernels_ptx(lowered(g).kernels, widths=(32,))
    assert made.count("ld.global.nc.v4") == made.count("st.global.v4") == 1


LAUNCHES = {"before": 2, "for each row": IMAGE.shape[0] - 2}


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_blur_has_the_same_values_under_all_schedules(name: str) -> None:
    h, f = blur()
    SCHEDULES[name](h, f)
    fn = lowered(f)
    height, width = IMAGE.shape
    shapes = {"f": (width - 2, height - 2)}
    made, counts = on_device(fn, {"a": IMAGE}, {fn.args[-1].name: shapes["f"]})
    np.testing.assert_array_equal(made[fn.args[-1].name], blurred(IMAGE))
    assert counts.launches == LAUNCHES.get(name, 1)
    for width in INDEX_WIDTHS[: 2 if name in ("in shared memory", "in vectors") else 1]:
        launcher = by_ptx(fn, width=width)
        made, _ = on_device(fn, {"a": IMAGE}, {fn.args[-1].name: shapes["f"]}, launcher)
        np.testing.assert_array_equal(made[fn.args[-1].name], blurred(IMAGE))


def without(stmt: s.Stmt, barrier: s.Barrier) -> s.Stmt:
    if stmt is barrier:
        return s.Block(())
    return rebuild(stmt, tuple(without(c, barrier) for c in children_of(stmt)), lambda e: e)


def product(size: int = 16) -> tuple[hl.Func, dict[str, Any]]:
    """A product of matrices, tiles of which a block brings into its memory."""
    a, b = (hl.ImageParam(hl.Int(32), 2, name) for name in "ab")
    f, sa, sb, tile = (hl.Func(name) for name in ("f", "sa", "sb", "tile"))
    k, ko, ki, u, v = hl.RDom([(0, size)], "k"), hl.RVar("ko"), hl.RVar("ki"), *hl.vars("u v")
    sa[X, Y], sb[X, Y] = a[X, Y], b[X, Y]
    tile[X, Y] = 0
    tile[X, Y] += sa[k, Y] * sb[X, k]
    f[X, Y] = tile[X, Y]
    f.gpu_tile(X, Y, XI, YI, 4, 4)
    tile.compute_at(f, X).gpu_threads(X, Y)
    tile.update().split(k, ko, ki, 8).reorder(ki, X, Y, ko).gpu_threads(X, Y)
    for stage in (sa, sb):
        stage.compute_at(tile, ko).split(X, X, u, 4).split(Y, Y, v, 4).reorder(X, Y, u, v)
        stage.gpu_threads(u, v)
    rng = np.random.default_rng(1)
    return f, {name: rng.integers(-9, 9, (size, size), np.int32) for name in "ab"}


def test_a_product_of_matrices_brings_tiles_of_both_into_shared_memory() -> None:
    f, images = product()
    fn = lowered(f)
    (kernel,) = fn.kernels
    shared = [x for x in walk(kernel.body) if isinstance(x, s.Allocate) and x.memory == "shared"]
    assert {x.buffer.split("$")[0] for x in shared} == {"sa", "sb", "tile"}
    made, _ = on_device(fn, images, {fn.args[-1].name: (16, 16)})
    np.testing.assert_array_equal(made[fn.args[-1].name], images["a"] @ images["b"])


@pytest.mark.parametrize(
    ("program", "count", "needed"), (("blur", 1, 1), ("product", 2, 2), ("slides", 0, 0))
)
def test_a_barrier_less_is_a_race(program: str, count: int, needed: int) -> None:
    """Rows of an output that are written one after the other are no reason to wait."""
    if program == "product":
        f, images = product()
        shape = (16, 16)
    else:
        h, f = blur()
        SCHEDULES["rows that slide" if program == "slides" else "in shared memory"](h, f)
        images, shape = {"a": IMAGE}, (IMAGE.shape[1] - 2, IMAGE.shape[0] - 2)
    fn = lowered(f)
    (kernel,) = fn.kernels
    found = [x for x in walk(kernel.body) if isinstance(x, s.Barrier)]
    races = 0
    for barrier in found:
        broken = replace(kernel, body=without(kernel.body, barrier))
        try:
            on_device(replace(fn, kernels=(broken,)), images, {fn.args[-1].name: shape})
        except (Race, Unready):
            races += 1
    assert (len(found), races) == (count, needed)


def test_threads_that_use_their_own_elements_alone_do_not_wait() -> None:
    h, f = blur()
    f.gpu_tile(X, Y, XI, YI, 8, 8)
    h.compute_at(f, XI)
    assert not [x for x in walk(lowered(f).kernels[0].body) if isinstance(x, s.Barrier)]


def test_what_a_block_leaves_in_the_devices_memory_is_waited_for() -> None:
    """An update of an output reads what other threads of the block have stored."""
    f, r = hl.Func("f"), hl.RDom([(1, 31)], "r")
    f[X, Y] = hl.u8(X) + hl.u8(Y)
    f[r, Y] += f[r - 1, Y]
    g = hl.Func("g")
    g[X, Y] = f[X, Y] + hl.u8(1)
    f.compute_at(g, Y).gpu_threads(X).bound_extent(X, 32)
    f.update().reorder(r, Y)
    g.bound(X, 0, 32).gpu_blocks(Y).gpu_threads(X)
    fn = lowered(g)
    made, _ = on_device(fn, {}, {fn.args[-1].name: (32, 3)})
    start = np.add.outer(np.arange(3), np.arange(32))
    np.testing.assert_array_equal(made[fn.args[-1].name], np.cumsum(start, 1, np.uint8) + 1)


@pytest.mark.parametrize("size", ((0, 0), (1, 1), (0, 7), (3, 17)))
def test_sizes_that_no_block_divides(size: tuple[int, int]) -> None:
    f = hl.Func("f")
    f[X, Y] = X * 100 + Y
    f.gpu_tile(X, Y, XI, YI, 16, 4, hl.TailStrategy.GuardWithIf)
    fn = lowered(f)
    made, _ = on_device(fn, {}, {fn.args[-1].name: size})
    np.testing.assert_array_equal(
        made[fn.args[-1].name], np.add.outer(np.arange(size[1]), np.arange(size[0]) * 100)
    )


def test_updates_that_meet_are_races() -> None:
    f, r = hl.Func("f"), hl.RDom([(0, 64)], "r")
    f[X] = 0
    f[r % 4] += r.x
    f.gpu_blocks(X)
    f.update().allow_race_conditions().gpu_threads(r.x)
    b = hl.RVar("b")
    f.update().split(r.x, b, r.x, 32).gpu_blocks(b)
    fn = lowered(f)
    with pytest.raises(Race):
        on_device(fn, {}, {fn.args[-1].name: (4,)})


@pytest.mark.parametrize("where", ("in the device's memory", "in shared memory"))
def test_updates_that_meet_are_made_one_after_the_other_where_they_are_atomic(where: str) -> None:
    a, r = hl.ImageParam(hl.UInt(8), 1, "a"), hl.RDom([(0, 96)], "r")
    count, f = hl.Func("count"), hl.Func("f")
    count[X] = hl.u32(0)
    count[a[r] % 8] += hl.u32(1)
    b, t, xi = hl.RVar("b"), hl.RVar("t"), hl.Var("xi")
    f[X, Y] = count[X] + hl.u32(3)
    f.bound(X, 0, 8).gpu_blocks(Y).gpu_threads(X)
    if where == "in shared memory":
        count.compute_at(f, Y).gpu_threads(X)
        count.update().atomic().split(r, b, t, 32).gpu_threads(t)
    else:
        count.compute_root().gpu_tile(X, xi, 8)
        count.update().atomic().split(r, b, t, 32).gpu_blocks(b).gpu_threads(t)
    fn = lowered(f)
    data = np.random.default_rng(9).integers(0, 256, 96, np.uint8)
    for launcher in (None, by_ptx(fn)):
        made, _ = on_device(fn, {"a": data}, {fn.args[-1].name: (8, 2)}, launcher)
        expected = np.tile(np.bincount(data % 8, minlength=8) + 3, (2, 1))
        np.testing.assert_array_equal(made[fn.args[-1].name], expected)


@pytest.mark.parametrize("is_atomic", (True, False))
def test_atomic_updates_wait_for_what_is_none_alone(is_atomic: bool) -> None:
    """Those of one iteration for none of another's; but where one reads what another adds up."""
    a, r = hl.ImageParam(hl.UInt(8), 2, "a"), hl.RDom([(0, 32), (0, 3)], "r")
    count, f = hl.Func("count"), hl.Func("f")
    count[X] = hl.u32(0)
    count[a[r.x, r.y] % 8] += hl.u32(1) if is_atomic else hl.u32(a[r.x, r.y]) % 2 + 1
    f[X, Y] = count[X]
    f.bound(X, 0, 8).gpu_blocks(Y).gpu_threads(X)
    count.compute_at(f, Y).gpu_threads(X)
    update = count.update().reorder(r.x, r.y)
    if is_atomic:
        update.atomic().gpu_threads(r.x)
    fn = lowered(f)
    (kernel,) = fn.kernels
    loops = [x for x in walk(kernel.body) if isinstance(x, s.For)]
    inside = [y for x in loops for y in walk(x.body) if isinstance(y, s.Barrier)]
    assert len([x for x in walk(kernel.body) if isinstance(x, s.Barrier)]) == 2 and not inside
    data = np.random.default_rng(9).integers(0, 256, (3, 32), np.uint8)
    made, _ = on_device(fn, {"a": data}, {fn.args[-1].name: (8, 2)})
    weights = None if is_atomic else (data % 2 + 1).ravel()
    expected = np.bincount((data % 8).ravel(), weights, 8)
    np.testing.assert_array_equal(made[fn.args[-1].name], np.tile(expected, (2, 1)))


@pytest.mark.parametrize("size", (4, 5, 0))
def test_what_all_blocks_check_alike_is_checked_before_they_run(size: int) -> None:
    width = hl.Param(hl.Int(32), "width", size)
    h, f = hl.Func("h"), hl.Func("f")
    h[X, Y] = X + Y
    r = hl.RDom([(0, width)], "r")
    f[X] = hl.sum(h[X, r])
    h.compute_at(f, X).bound_storage(Y, 4).gpu_threads(X)
    f.gpu_tile(X, XI, 8)
    fn = lowered(f)
    given = {fn.args[-1].name: (16,)}
    if size == 5:
        with pytest.raises(AssertionError, match="allocation bound"):
            on_device(fn, {}, given, width=size)
        return
    made, _ = on_device(fn, {}, given, width=size)
    expected = [sum(x + y for y in range(size)) for x in range(16)]
    np.testing.assert_array_equal(made[fn.args[-1].name], expected)


def test_an_update_waits_for_what_it_overwrites() -> None:
    """It reads nothing of the stage: other threads than those that began to fill it store."""
    g, f, r = hl.Func("g"), hl.Func("f"), hl.RDom([(0, 8)], "r")
    g[X, Y] = X
    g[7 - r, Y] = r * 2
    f[X, Y] = g[X, Y]
    f.bound(X, 0, 8).gpu_blocks(Y).gpu_threads(X)
    g.compute_at(f, Y).gpu_threads(X)
    g.update().gpu_threads(r.x)
    fn = lowered(f)
    made, _ = on_device(fn, {}, {fn.args[-1].name: (8, 2)})
    np.testing.assert_array_equal(made[fn.args[-1].name], np.tile(np.arange(14, -2, -2), (2, 1)))


def test_an_iteration_waits_for_the_one_before() -> None:
    """A row of `h` lies where the row before it lay."""
    h, f, yi = hl.Func("h"), hl.Func("f"), hl.Var("yi")
    h[X, Y] = X + 5 * Y
    f[X, Y] = h[X, Y] + h[X + 1, Y]
    f.split(X, X, XI, 8).split(Y, Y, yi, 3).reorder(XI, yi, X, Y).gpu_blocks(X, Y).gpu_threads(XI)
    h.compute_at(f, yi).gpu_threads(X)
    fn = lowered(f)
    made, _ = on_device(fn, {}, {fn.args[-1].name: (8, 3)})
    y, x = np.mgrid[0:3, 0:8]
    np.testing.assert_array_equal(made[fn.args[-1].name], 2 * x + 1 + 10 * y)
    (kernel,) = fn.kernels
    assert len([b for b in walk(kernel.body) if isinstance(b, s.Barrier)]) == 2
