"""Copies into a block's memory are asked for, and waited for in front of the next barrier."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import kernels_ptx
from compiler.ir import stmts as s
from compiler.ir.evaluate import dtype_of
from compiler.ir.stmt_transform import children_of, rebuild, walk
from compiler.lower.emulation import emulated
from tests.codegen.ptxas import NEEDS_PTXAS, usage
from tests.ptx.text import PtxError

from .programs import by_ptx, lowered, on_device, some_slow

X, Y, XI, YI, U = hl.vars("x y xi yi u")
SIZE = (40, 6)
KINDS = (hl.Int(32), hl.Float(32), hl.Float(64))
ASYNC = hl.MemoryType.GPUSharedAsync
Image = np.ndarray[Any, Any]


def tiled(
    type: hl.Type, schedule: Callable[[hl.Func], Any] | None = None, aligned: bool = False
) -> s.LoweredFunction:
    """Sums of neighbours, of which a block copies a tile into its memory."""
    a = hl.ImageParam(type, 2, "a")
    tile, f = hl.Func("tile"), hl.Func("f")
    tile[X, Y] = a[X, Y]
    f[X, Y] = tile[X, Y] + tile[X + 1, Y + 1]
    f.gpu_tile(X, Y, XI, YI, 16 if aligned else 8, 4, hl.TailStrategy.GuardWithIf)
    tile.compute_at(f, X).store_in(ASYNC)
    if schedule is None:
        tile.gpu_threads(X, Y)
    else:
        schedule(tile)
    if aligned:
        f.output_buffer().dim(0).set_min(0)
        a.set_host_alignment(16)
        a.dim(0).set_min(0)
        a.dim(1).set_stride(a.dim(1).stride() / 16 * 16)
    return lowered(f)


def image(type: hl.Type) -> Image:
    return np.random.default_rng(2).integers(0, 99, (7, 64)).astype(dtype_of(type))


def outcomes(
    fn: s.LoweredFunction, a: Image, capabilities: tuple[int, ...] = (75, 80)
) -> list[Any]:
    name = fn.args[-1].name
    whole = {name: SIZE}
    made = [on_device(fn, {"a": a}, whole)[0][name]]
    made += [on_device(fn, {"a": a}, whole, by_ptx(fn, c))[0][name] for c in capabilities]
    emulation = replace(fn, body=emulated(fn.body, fn.kernels, True), kernels=())
    return [*made, on_device(emulation, {"a": a}, whole)[0][name]]


def sums(a: Image) -> Image:
    return np.asarray(a[:-1, :40] + a[1:, 1:41])


@pytest.mark.parametrize("type", some_slow(KINDS, (hl.Int(32),)), ids=str)
def test_tiles_are_copied(type: hl.Type) -> None:
    fn = tiled(type)
    copies = [x for x in walk(fn.kernels[0].body) if isinstance(x, s.AsyncCopy)]
    assert copies
    a = image(type)
    for made in outcomes(fn, a):
        np.testing.assert_array_equal(made, sums(a))
    bytes = type.bits() // 8
    assert "cp.async.ca.shared.global" in kernels_ptx(fn.kernels, 80)
    assert f"], {bytes};" in kernels_ptx(fn.kernels, 80)
    assert "cp.async" not in kernels_ptx(fn.kernels, 75)


WIDE: dict[str, tuple[hl.Type, int, str]] = {
    "four floats": (hl.Float(32), 4, "cg.shared.global"),
    "two floats": (hl.Float(32), 2, "ca.shared.global"),
    "sixteen bytes": (hl.UInt(8), 16, "cg.shared.global"),
    "four bytes": (hl.UInt(8), 4, "ca.shared.global"),
}


def in_vectors(tile: hl.Func, lanes: int) -> None:
    """Tiles that begin at multiples of 16, as rows of memory do."""
    tile.align_bounds(X, 16).align_storage(X, 16)
    tile.split(X, X, U, lanes, hl.TailStrategy.RoundUp).vectorize(U).gpu_threads(X, Y)


@pytest.mark.parametrize("name", some_slow(WIDE, ("four floats",)))
def test_several_elements_are_copied_at_once(name: str) -> None:
    type, lanes, way = WIDE[name]
    fn = tiled(type, lambda tile: in_vectors(tile, lanes), aligned=True)
    text = kernels_ptx(fn.kernels, 80)
    assert f"cp.async.{way}" in text and f"], {lanes * type.bits() // 8};" in text
    a = image(type)
    for made in outcomes(fn, a):
        np.testing.assert_array_equal(made, sums(a))


def test_elements_at_unknown_places_are_copied_one_by_one() -> None:
    fn = tiled(hl.Float(32), lambda t: t.split(X, X, U, 4).vectorize(U).gpu_threads(X, Y))
    text = kernels_ptx(fn.kernels, 80)
    assert "], 4;" in text and "], 16;" not in text
    a = image(hl.Float(32))
    for made in outcomes(fn, a):
        np.testing.assert_array_equal(made, sums(a))


def test_what_an_output_may_lie_in_is_copied_before_the_thread_goes_on() -> None:
    fn = tiled(hl.Int(32))
    text = kernels_ptx(fn.kernels, 80, in_place=[("a", fn.args[-1].name)])
    assert "cp.async.ca" not in text and "cp.async.ca" in kernels_ptx(fn.kernels, 80)


def without(stmt: s.Stmt, kind: type[s.Stmt]) -> s.Stmt:
    if isinstance(stmt, kind):
        return s.Block(())
    return rebuild(stmt, tuple(without(c, kind) for c in children_of(stmt)), lambda e: e)


@pytest.mark.parametrize("kind", (s.AwaitCopies, s.Barrier))
def test_what_is_not_waited_for_is_not_there(kind: type[s.Stmt]) -> None:
    fn = tiled(hl.Int(32))
    (kernel,) = fn.kernels
    broken = replace(fn, kernels=(replace(kernel, body=without(kernel.body, kind)),))
    a = image(hl.Int(32))
    whole = {fn.args[-1].name: SIZE}
    for launcher in (None, by_ptx(broken, 80)):
        with pytest.raises((AssertionError, PtxError)):
            on_device(broken, {"a": a}, whole, launcher)


def test_a_thread_waits_for_what_it_has_copied_itself() -> None:
    """Nobody else reads it, and a barrier wouldn't be needed for a plain store."""
    a, tile, f = hl.ImageParam(hl.Int(32), 1, "a"), hl.Func("tile"), hl.Func("f")
    tile[X] = a[X]
    f[X] = tile[X] * 3
    f.gpu_tile(X, XI, 8)
    tile.compute_at(f, X).store_in(ASYNC).gpu_threads(X)
    fn = lowered(f)
    kinds = [type(x) for x in walk(fn.kernels[0].body)]
    assert kinds.index(s.AsyncCopy) < kinds.index(s.AwaitCopies) < kinds.index(s.Barrier)
    data = np.arange(19, dtype=np.int32)
    for launcher in (None, by_ptx(fn, 80)):
        made, _ = on_device(fn, {"a": data}, {fn.args[-1].name: (19,)}, launcher)
        np.testing.assert_array_equal(made[fn.args[-1].name], data * 3)


def test_tiles_in_a_loop_are_copied_anew_behind_a_barrier() -> None:
    a, tile, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("tile"), hl.Func("f")
    k, ko, ki = hl.RDom([(0, 16)], "k"), hl.RVar("ko"), hl.RVar("ki")
    tile[X, Y] = a[X, Y]
    f[X, Y] = 0
    f[X, Y] += tile[k, Y] * (X + 1)
    f.gpu_tile(X, Y, XI, YI, 4, 4)
    f.update().split(k, ko, ki, 4).reorder(ki, X, Y, ko)
    f.update().split(Y, Y, YI, 4).split(X, X, XI, 4).reorder(ki, XI, YI, ko, X, Y)
    f.update().gpu_blocks(X, Y).gpu_threads(XI, YI)
    tile.compute_at(f, ko).store_in(ASYNC).gpu_threads(X, Y)
    fn = lowered(f)
    data = np.random.default_rng(1).integers(-9, 9, (8, 16), np.int32)
    name = fn.args[-1].name
    for launcher in (None, by_ptx(fn, 80)):
        made, _ = on_device(fn, {"a": data}, {name: (8, 8)}, launcher)
        np.testing.assert_array_equal(made[name], np.outer(data.sum(1), np.arange(1, 9)))


REFUSED: dict[str, tuple[Callable[[Any], Any], hl.Type, str]] = {
    "a sum": (lambda a: a[X, Y] + 1, hl.Int(32), "what is stored is computed"),
    "a conversion": (lambda a: hl.f32(a[X, Y]), hl.UInt(8), "what is stored is computed"),
    "bytes": (lambda a: a[X, Y], hl.UInt(8), "isn't 4, 8 or 16 bytes in a row"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_plain_copy_is_refused(name: str) -> None:
    value, type, reason = REFUSED[name]
    a, tile, f = hl.ImageParam(type, 2, "a"), hl.Func("tile"), hl.Func("f")
    tile[X, Y] = value(a)
    f[X, Y] = tile[X, Y] + tile[X + 1, Y]
    f.gpu_tile(X, Y, XI, YI, 8, 4)
    tile.compute_at(f, X).store_in(ASYNC).gpu_threads(X, Y)
    with pytest.raises(hl.HalideError, match=f"must be a plain copy .*{reason}"):
        lowered(f)


def test_what_the_kernel_itself_makes_is_not_copied_so() -> None:
    """A copy may be made before, or after, others have written what it is of."""
    a, tile, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("tile"), hl.Func("f")
    made = hl.Func("made")
    made[X, Y] = a[X, Y] + 1
    tile[X, Y] = made[X, Y]
    f[X, Y] = tile[X, Y] + tile[X + 1, Y]
    f.gpu_tile(X, Y, XI, YI, 8, 4)
    made.compute_at(f, X).gpu_threads(X, Y)
    tile.compute_at(f, X).store_in(ASYNC).gpu_threads(X, Y)
    with pytest.raises(hl.HalideError, match="is of memory that the kernel writes, too"):
        lowered(f)


def test_copies_inside_of_a_thread_are_refused() -> None:
    a, tile, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("tile"), hl.Func("f")
    tile[X, Y] = a[X, Y]
    f[X, Y] = tile[X, Y] + tile[X + 1, Y]
    f.gpu_tile(X, Y, XI, YI, 8, 4)
    tile.compute_at(f, XI).store_in(ASYNC)
    with pytest.raises(hl.HalideError, match="compute it at a loop around them"):
        lowered(f)


@NEEDS_PTXAS
@pytest.mark.parametrize("capability", (80, 90))
def test_ptxas_takes_copies(capability: int) -> None:
    fn = tiled(hl.Float(32), lambda tile: in_vectors(tile, 4), aligned=True)
    assert usage(kernels_ptx(fn.kernels, capability), capability)
