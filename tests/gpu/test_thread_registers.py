"""What a block computes of which each thread has elements of its own lies in registers."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import kernels_ptx
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk
from compiler.lower.emulation import emulated
from tests.codegen.ptxas import ASSEMBLED_FOR, NEEDS_PTXAS, usage

from .device import Race, Unready
from .programs import by_ptx, lowered, on_device, some_slow
from .test_async_copies import without

X, Y, XO, YO, XI, YI, U, V = hl.vars("x y xo yo xi yi u v")
KO, KI = hl.RVar("ko"), hl.RVar("ki")
REGISTER, STACK, SHARED = hl.MemoryType.Register, hl.MemoryType.Stack, hl.MemoryType.GPUShared
Image = np.ndarray[Any, Any]
Way = Callable[[Any], Any]


def marked(f: Any, inner: str = "unrolled", lanes: bool = False) -> Any:
    """Loops over U and V, in X and Y, of which the outer ones are threads."""
    f.reorder(U, V, X, Y)
    if inner != "serial":
        f.unroll(V)
        f.vectorize(U) if inner == "vectorized" else f.unroll(U)
    return f.gpu_threads(Y).gpu_lanes(X) if lanes else f.gpu_threads(X, Y)


def in_tiles(f: Any, width: int = 4, height: int = 2) -> Any:
    """Elements beside one another are one thread's."""
    return f.split(X, X, U, width).split(Y, Y, V, height)


def far_apart(f: Any) -> Any:
    """A thread's elements are as far from one another as threads are many."""
    return f.split(X, U, X, 8).split(Y, V, Y, 4)


WAYS: dict[str, tuple[Way, int]] = {
    "unrolled": (lambda f: marked(in_tiles(f)), 8),
    "in vectors": (lambda f: marked(in_tiles(f), "vectorized"), 8),
    "in loops": (lambda f: marked(in_tiles(f), "serial"), 8),
    "far apart": (lambda f: marked(far_apart(f)), 8),
    "far apart in loops": (lambda f: marked(far_apart(f), "serial"), 8),
    "in lanes": (lambda f: marked(in_tiles(f), "vectorized", lanes=True), 8),
    "one element": (lambda f: marked(in_tiles(f, 1, 1)), 1),
}  # fmt: skip
"""With how many elements a thread has."""


def product(
    first: Way,
    update: Way | None = None,
    last: Way | None = None,
    memory: Any = REGISTER,
    read: Callable[[hl.Func], Any] = lambda p: p[X, Y],
    at_zero: bool = False,
) -> hl.Func:
    """A product of matrices, in tiles of 32 by 8 elements, and the sums of a tile in `memory`."""
    a, b = hl.ImageParam(hl.Int(32), 2, "a"), hl.ImageParam(hl.Int(32), 2, "b")
    k = hl.RDom([(0, 5)], "k")
    p, f = hl.Func("p"), hl.Func("f")
    p[X, Y] = X
    p[X, Y] += a[k.x, Y] * b[X, k.x]
    f[X, Y] = read(p)
    if at_zero:
        f.bound(X, 0, 32).bound(Y, 0, 8).split(Y, YO, Y, 8).gpu_blocks(YO)
    else:
        f.tile(X, Y, XO, YO, X, Y, 32, 8, hl.TailStrategy.RoundUp).gpu_blocks(XO, YO)
    p.compute_at(f, YO if at_zero else XO).bound_extent(X, 32).bound_extent(Y, 8).store_in(memory)
    (last or first)(f)
    first(p)
    (update or first)(p.update()).split(k.x, KO, KI, 4).reorder(U, V, KI, X, Y, KO)
    return f


A, B = (np.random.default_rng(n).integers(-9, 9, shape, np.int32)
        for n, shape in ((1, (8, 5)), (2, (5, 64))))  # fmt: skip
EXPECTED = A @ B + np.arange(64, dtype=np.int32)


def kept(fn: s.LoweredFunction) -> dict[str, tuple[int, str]]:
    """The memories of a kernel: how many elements they have, and where they lie."""
    found = (x for x in walk(fn.kernels[0].body) if isinstance(x, s.Allocate))
    return {x.buffer.split("$")[0]: (int(x.size.value), x.memory) for x in found}  # type: ignore[attr-defined]


def barriers(fn: s.LoweredFunction) -> int:
    return sum(isinstance(x, s.Barrier) for k in fn.kernels for x in walk(k.body))


def outcomes(fn: s.LoweredFunction) -> list[Image]:
    emulation = replace(fn, body=emulated(fn.body, fn.kernels, backwards=True), kernels=())
    images, name = {"a": A, "b": B}, fn.args[-1].name
    ways = (fn, None), (fn, by_ptx(fn)), (emulation, None)
    return [on_device(f, images, {name: (64, 8)}, way)[0][name] for f, way in ways]


@pytest.mark.parametrize("name", some_slow(WAYS, ("in vectors",)))
def test_each_thread_keeps_the_sums_of_its_own_elements(name: str) -> None:
    way, count = WAYS[name]
    fn = lowered(product(way))
    assert kept(fn) == {"p": (count, "register")}
    assert barriers(fn) == 0
    if "loops" not in name:
        assert ".local" not in kernels_ptx(fn.kernels)
    for made in outcomes(fn):
        np.testing.assert_array_equal(made, EXPECTED)


@pytest.mark.parametrize("name", some_slow(WAYS, ("far apart",)))
def test_a_threads_stack_has_what_registers_have(name: str) -> None:
    way, count = WAYS[name]
    fn = lowered(product(way, memory=STACK))
    assert kept(fn) == {"p": (count, "stack")}
    assert barriers(fn) == 0
    for made in outcomes(fn):
        np.testing.assert_array_equal(made, EXPECTED)


@pytest.mark.slow
def test_vectors_and_single_elements_are_one_memory() -> None:
    fn = lowered(product(WAYS["in vectors"][0], WAYS["unrolled"][0], WAYS["in loops"][0]))
    assert kept(fn) == {"p": (8, "register")}
    for made in outcomes(fn):
        np.testing.assert_array_equal(made, EXPECTED)


def test_tiles_of_a_factor_are_shared_and_the_sums_are_not() -> None:
    a, b = hl.ImageParam(hl.Int(32), 2, "a"), hl.ImageParam(hl.Int(32), 2, "b")
    k = hl.RDom([(0, 5)], "k")
    p, f, rows = hl.Func("p"), hl.Func("f"), hl.Func("rows")
    rows[X, Y] = hl.select(X < 5, a[hl.min(X, 4), Y], 0)
    p[X, Y] = X
    p[X, Y] += rows[k.x, Y] * b[X, k.x]
    f[X, Y] = p[X, Y]
    f.tile(X, Y, XO, YO, X, Y, 32, 8, hl.TailStrategy.RoundUp).gpu_blocks(XO, YO)
    way = WAYS["in lanes"][0]
    way(f)
    p.compute_at(f, XO).bound_extent(X, 32).bound_extent(Y, 8).store_in(REGISTER)
    way(p)
    way(p.update()).split(k.x, KO, KI, 4).reorder(U, V, KI, X, Y, KO)
    rows.compute_at(p, KO).bound_extent(X, 4).bound_extent(Y, 8).gpu_threads(Y).gpu_lanes(X)
    fn = lowered(f)
    assert kept(fn) == {"p": (8, "register"), "rows": (32, "shared")}
    assert barriers(fn) == 2
    for made in outcomes(fn):
        np.testing.assert_array_equal(made, EXPECTED)


def swapped(p: hl.Func) -> Any:
    """Every second thread reads its elements in another order."""
    return p[hl.clamp(X ^ ((X / 4) % 2), 0, 31), Y]


def application(hl: ModuleType, type: Any, tiles: tuple[int, int, int], size: int) -> list[Any]:
    """The product of matrices of the real package's apps/cuda_mat_mul, with its schedule: rows of
    lanes, each with pairs of `wide` times `rows` elements, in `high` times as many tiles."""
    wide, high, rows = tiles
    x, y, xi, yi, xo, yo, ty, u = (hl.Var(n) for n in ("x", "y", "xi", "yi", "xo", "yo", "ty", "u"))
    a, b = (hl.ImageParam(type, 2, name) for name in "ab")
    k, ko, ki = hl.RDom([(0, size)], "k"), hl.RVar("ko"), hl.RVar("ki")
    p, f = hl.Func("p"), hl.Func("f")
    p[x, y] = hl.cast(type, 0)
    p[x, y] += a[x, k.x] * b[k.x, y]
    f[x, y] = p[x, y]
    f.bound(x, 0, size).bound(y, 0, size).tile(x, y, xi, yi, 64 * wide, high * rows)
    f.split(yi, ty, yi, rows).vectorize(xi, 2).split(xi, xo, u, 32)
    f.reorder(xo, yi, u, ty, x, y).unroll(xo).unroll(yi).gpu_blocks(x, y).gpu_threads(ty)
    f.gpu_lanes(u)
    p.store_in(hl.MemoryType.Register).compute_at(f, x)
    for stage in (p, p.update()):
        stage.split(x, xo, xi, 64, hl.TailStrategy.RoundUp).split(y, ty, y, rows)
        stage.gpu_threads(ty).unroll(xi, 2).gpu_lanes(xi)
    p.update().split(k.x, ko, ki, 32).unroll(ki, 1).reorder(xi, xo, y, ki, ty, ko)
    for stage in (p, p.update()):
        stage.unroll(xo).unroll(y)
    lines, tile = b.in_(), a.in_()
    pairs = tile.in_()
    for stage, level in ((lines, ty), (tile, ko), (pairs, ki)):
        column, row = stage.args()[:2]
        stage.compute_at(p, level)
        if stage is not lines:
            stage.vectorize(column, 2)
        stage.split(column, xo, xi, 32).gpu_lanes(xi).unroll(xo)
        if stage is tile:
            stage.split(row, yo, yi, high).gpu_threads(yi).unroll(yo)
        else:
            stage.unroll(row)
    for image in (a, b, f.output_buffer()):
        image.set_host_alignment(16)
        image.dim(0).set_bounds(0, size).set_stride(1)
        image.dim(1).set_bounds(0, size).set_stride(size)
    return [f, a, b]


@pytest.mark.parametrize("with_ptx", (False, pytest.param(True, marks=pytest.mark.slow)))
def test_the_real_packages_application_has_its_sums_in_registers(with_ptx: bool) -> None:
    fn = lowered(application(hl, hl.Int(32), (1, 2, 2), 64)[0])
    memories = [x for x in walk(fn.kernels[0].body) if isinstance(x, s.Allocate)]
    assert sorted(x.memory for x in memories) == ["register"] * 3 + ["shared"]
    assert kept(fn)["p"] == (4, "register") and barriers(fn) == 2
    a, b = (np.random.default_rng(n).integers(-9, 9, (64, 64), np.int32) for n in (7, 8))
    name = fn.args[-1].name
    made, _ = on_device(fn, {"a": a, "b": b}, {name: (64, 64)}, by_ptx(fn) if with_ptx else None)
    np.testing.assert_array_equal(made[name], b @ a)


REFUSED: dict[str, tuple[Callable[[], hl.Func], str]] = {
    "where the caller says": (
        lambda: product(WAYS["unrolled"][0], read=lambda p: p[X ^ 4, Y]),
        r"which thread has an element depends on f\S*.min.0",
    ),
    "another column": (
        lambda: product(WAYS["unrolled"][0], read=lambda p: p[31 - X, Y]), "access one element",
    ),
    "other threads": (
        lambda: product(WAYS["unrolled"][0], WAYS["far apart"][0]), "access one element",
    ),
    "rows and columns": (
        lambda: product(WAYS["one element"][0], last=lambda f: marked(in_tiles(f, 1, 2))),
        "access one element",
    ),
    "in an order that threads decide": (
        lambda: product(WAYS["unrolled"][0], read=swapped, at_zero=True),
        "not all threads have theirs in the same order",
    ),
    "memory": (
        lambda: product(WAYS["unrolled"][0], read=lambda p: p[X, hl.clamp(p[X, Y], 0, 7)]),
        "where it is accessed depends on memory",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_other_threads_read_is_refused(name: str) -> None:
    make, reason = REFUSED[name]
    with pytest.raises(
        hl.HalideError,
        match=f"register memory outside of the loops .* own, but .*({reason}).*Use GPUShared",
    ):
        lowered(make())


def test_more_than_a_thread_has_registers_for_is_refused() -> None:
    a, p, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("p"), hl.Func("f")
    p[X, Y] = a[X, Y] * 3
    f[X, Y] = p[X, Y]
    f.bound(X, 0, 512).split(X, X, U, 512).reorder(U, X, Y).gpu_blocks(Y).gpu_threads(X)
    p.compute_at(f, Y).split(X, X, U, 512).gpu_threads(X).store_in(REGISTER)
    with pytest.raises(hl.HalideError, match="each would need 2048 bytes, of 1024 at most"):
        lowered(f)
    p.store_in(STACK)
    assert kept(lowered(f)) == {"p": (512, "stack")}


@pytest.mark.parametrize("is_own", (True, False))
def test_what_threads_inside_of_a_thread_hand_on_to_none_lies_in_registers(is_own: bool) -> None:
    """Nobody has said where: in shared memory only where threads need what others have."""
    a, h, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("h"), hl.Func("f")
    h[X, Y] = a[X, Y] * 2
    f[X, Y] = h[X, Y] + (1 if is_own else h[7 - X, Y])
    f.bound(X, 0, 8).split(Y, Y, YI, 4, hl.TailStrategy.GuardWithIf)
    f.gpu_blocks(Y).gpu_threads(YI, X)
    f.reorder(X, YI, Y)
    h.compute_at(f, YI).gpu_threads(X)
    fn = lowered(f)
    assert kept(fn) == {"h": (1, "register") if is_own else (32, "shared")}
    assert barriers(fn) == (0 if is_own else 1)
    image = np.random.default_rng(4).integers(-99, 99, (6, 8), np.int32)
    name = fn.args[-1].name
    for launcher in (None, by_ptx(fn)):
        made = on_device(fn, {"a": image}, {name: (8, 6)}, launcher)[0][name]
        other = 1 if is_own else image[:, ::-1] * 2
        np.testing.assert_array_equal(made, image * 2 + other)


class RandomProgram:
    """A tile of 16 by 8 elements, of which threads make some and read some."""

    def __init__(self, seed: int, memory: Any) -> None:
        pick = random.Random(seed)
        a, p, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("p"), hl.Func("f")
        p[X, Y] = a[X, Y] * 3
        if pick.random() < 0.5:
            p[X, Y] += a[X, Y]
        read = pick.choice((p[X, Y], p[X, Y], p[X, Y], p[15 - X, Y], p[X, 7 - Y], p[X / 2, Y]))
        f[X, Y] = read + X
        self.out, self.p = f, p
        f.bound(X, 0, 16).bound(Y, 0, 8).split(Y, YO, Y, 8).gpu_blocks(YO)
        p.compute_at(f, YO).bound_extent(X, 16).bound_extent(Y, 8).store_in(memory)
        ways = [self.way(pick) for _ in range(pick.choice((1, 1, 2)))]
        for stage in (f, p, *(p.update(n) for n in range(p.num_update_definitions()))):
            pick.choice(ways)(stage)

    @staticmethod
    def way(pick: random.Random) -> Way:
        width, height, inner = pick.choice((1, 2, 4)), pick.choice((1, 2)), pick.choice(INNER)
        tiled, swapped = pick.random() < 0.6, pick.random() < 0.2

        def schedule(f: Any) -> Any:
            if tiled:
                in_tiles(f, width, height)
            else:
                f.split(X, U, X, 16 // width).split(Y, V, Y, 8 // height)
            f.reorder(U, V, X, Y)
            if inner != "serial":
                f.unroll(V)
                f.vectorize(U) if inner == "vectorized" else f.unroll(U)
            return f.gpu_threads(Y, X) if swapped else f.gpu_threads(X, Y)

        return schedule


INNER = ("unrolled", "unrolled", "vectorized", "serial")


def check(seed: int, everywhere: bool = False) -> bool:
    """Whether a random program's tile lies in registers, which is where no thread needs what
    another one has: then its values are those of the definitions."""
    try:
        fn = lowered(RandomProgram(seed, REGISTER).out)
    except hl.HalideError:
        fn = lowered(RandomProgram(seed, SHARED).out)
        (kernel,) = fn.kernels
        fn = replace(fn, kernels=(replace(kernel, body=without(kernel.body, s.Barrier)),))
        with pytest.raises((Race, Unready)):
            on_device(fn, {"a": TILE}, {fn.args[-1].name: (16, 8)})
        return False
    expected = lowered(RandomProgram(seed, SHARED).out)
    name = expected.args[-1].name
    wanted = on_device(expected, {"a": TILE}, {name: (16, 8)})[0][name]
    for launcher in (None, by_ptx(fn)) if everywhere else (None,):
        name = fn.args[-1].name
        made = on_device(fn, {"a": TILE}, {name: (16, 8)}, launcher)[0][name]
        np.testing.assert_array_equal(made, wanted)
    return True


TILE = np.random.default_rng(5).integers(-99, 99, (8, 16), np.int32)


def test_random_tiles() -> None:
    assert 2 < sum(check(seed) for seed in range(10)) < 9


@pytest.mark.slow
def test_many_random_tiles() -> None:
    assert 80 < sum(check(seed, seed % 4 == 0) for seed in range(100, 400)) < 250


@NEEDS_PTXAS
@pytest.mark.slow
def test_ptxas_has_the_applications_sums_in_registers() -> None:
    text = kernels_ptx(lowered(application(hl, hl.Float(32), (3, 4, 8), 192)[0]).kernels)
    for capability in ASSEMBLED_FOR:
        for taken in usage(text, capability).values():
            assert taken.spilled == taken.stack == 0
            assert taken.shared <= 24576 + 1024 * (capability >= 90)


@NEEDS_PTXAS
@pytest.mark.parametrize("name", some_slow(("unrolled", "in vectors", "in lanes"), ("unrolled",)))
def test_ptxas_has_the_sums_in_registers(name: str) -> None:
    text = kernels_ptx(lowered(product(WAYS[name][0])).kernels)
    for capability in ASSEMBLED_FOR:
        for taken in usage(text, capability).values():
            assert taken.spilled == taken.stack == taken.barriers == 0
            assert taken.shared <= 1024 * (capability >= 90)
