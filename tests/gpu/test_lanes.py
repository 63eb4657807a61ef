"""What a warp computes in its lanes lies in their registers; what others have, shuffles fetch."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import kernels_ptx
from compiler.ir import EQ, I32, LT, Add, Load, Variable, const
from compiler.ir import stmts as s
from compiler.ir.evaluate import dtype_of
from compiler.ir.stmt_transform import walk
from compiler.lower.emulation import emulated
from compiler.lower.uniform_barriers import DivergentShuffle, check_shuffles
from tests.codegen.ptxas import NEEDS_PTXAS, usage
from tests.ptx.text import PtxError

from .programs import by_ptx, lowered, on_device, some_slow

X, Y, XI, YI, XO, U = hl.vars("x y xi yi xo u")
ROW, Y_ = Variable(s.THREADS[1], I32), Variable("y", I32)
REGISTER = hl.MemoryType.Register
GUARD = hl.TailStrategy.GuardWithIf


def warps(f: hl.Func, width: int = 32, rows: int = 2) -> hl.Func:
    """Rows of `width` points, one a lane, `rows` of them a block."""
    f.bound(X, 0, width).split(Y, Y, YI, rows, GUARD).reorder(X, YI, Y)
    return f.gpu_blocks(Y).gpu_threads(YI).gpu_lanes(X)


def source(type: hl.Type, width: int = 64) -> hl.ImageParam:
    a = hl.ImageParam(type, 2, "a")
    a.dim(0).set_bounds(0, width)
    return a


Program = Callable[[hl.Func, hl.Func, hl.ImageParam], Any]
Expected = Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]
READS: dict[str, tuple[Program, Expected, str]] = {
    "the lane's own": (lambda f, g, a: f[X, Y] * 2, lambda a: a[:, :32] * 2, ""),
    "the next lane's": (
        lambda f, g, a: f[hl.min(X + 1, 31), Y],
        lambda a: a[:, np.minimum(np.arange(32) + 1, 31)],
        "idx",
    ),
    "the lane's before": (
        lambda f, g, a: hl.select(X < 1, 7, f[hl.max(X - 1, 0), Y]),
        lambda a: np.where(np.arange(32) < 1, 7, a[:, np.maximum(np.arange(32) - 1, 0)]),
        "idx",
    ),
    "the neighbour's": (
        lambda f, g, a: f[X ^ 1, Y], lambda a: a[:, np.arange(32) ^ 1], "bfly",
    ),
    "the other end's": (lambda f, g, a: f[31 - X, Y], lambda a: a[:, 31::-1], "idx"),
    "the first's": (lambda f, g, a: f[0, Y] + f[X, Y], lambda a: a[:, :1] + a[:, :32], "idx"),
    "half of them": (lambda f, g, a: f[X / 2, Y], lambda a: a[:, np.arange(32) // 2], "idx"),
}  # fmt: skip
TYPES = (hl.Int(32), hl.UInt(8), hl.Int(16), hl.Float(32), hl.Float(64), hl.Int(64))


def outcomes(fn: s.LoweredFunction, image: Any, size: tuple[int, int]) -> list[Any]:
    name = fn.args[-1].name
    made = []
    emulations = [
        replace(fn, body=emulated(fn.body, fn.kernels, backwards), kernels=())
        for backwards in (False, True)
    ]
    for run, launcher in ((fn, None), (fn, by_ptx(fn)), *((e, None) for e in emulations)):
        made.append(on_device(run, {"a": image}, {name: size}, launcher)[0][name])
    return made


def registers(fn: s.LoweredFunction) -> dict[str, int]:
    found = (x for k in fn.kernels for x in walk(k.body) if isinstance(x, s.Allocate))
    return {x.buffer.split("$")[0]: x.size.value for x in found if x.memory == "register"}  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", some_slow(READS, ("the next lane's", "the neighbour's")))
def test_lanes_read_what_others_have(name: str) -> None:
    value, expected, way = READS[name]
    a, f, g = source(hl.Int(32)), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y]
    g[X, Y] = value(f, g, a)
    warps(g)
    f.compute_at(g, YI).gpu_lanes(X)
    fn = lowered(g)
    assert registers(fn) == {"f": 1}
    assert not [x for x in walk(fn.kernels[0].body) if isinstance(x, s.Barrier)]
    text = kernels_ptx(fn.kernels)
    fetched = text.count("shfl.sync") / text.count(".entry")
    assert fetched == (1 if way else 0) and f"shfl.sync.{way}" in text + "shfl.sync."
    image = np.random.default_rng(4).integers(-99, 99, (3, 64), np.int32)
    for made in outcomes(fn, image, (32, 3)):
        np.testing.assert_array_equal(made, expected(image))


@pytest.mark.parametrize("type", some_slow(TYPES, (hl.UInt(8), hl.Float(64))), ids=str)
def test_values_of_all_sizes_are_fetched(type: hl.Type) -> None:
    a, f, g = source(type), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y] + hl.cast(type, 1)
    g[X, Y] = f[31 - X, Y]
    warps(g)
    f.compute_at(g, YI).gpu_lanes(X)
    fn = lowered(g)
    dtype = dtype_of(type)
    image = np.random.default_rng(4).integers(0, 99, (3, 64)).astype(dtype)
    if dtype.itemsize == 8:
        image = image * dtype.type(2**33 + 1)
    for made in outcomes(fn, image, (32, 3)):
        np.testing.assert_array_equal(made, image[:, 31::-1] + dtype.type(1))


@pytest.mark.parametrize("width", (20, 30, 32))
def test_a_stencil_over_more_elements_than_lanes(width: int) -> None:
    """Each lane has two of the 64; which of them another one wants depends on that."""
    a, f, g = source(hl.Int(32)), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y] * 3
    g[X, Y] = f[X, Y] + 10 * f[X + 1, Y] + 100 * f[X + 2, Y]
    warps(g, width)
    f.compute_at(g, YI).split(X, XO, XI, 32, hl.TailStrategy.RoundUp).gpu_lanes(XI).unroll(XO)
    fn = lowered(g)
    assert registers(fn) == {"f": 1 if width == 30 else 2 if width == 32 else 1}
    image = np.random.default_rng(4).integers(-99, 99, (3, 64), np.int32)
    taps = [image[:, i : width + i] * 3 * 10**i for i in range(3)]
    for made in outcomes(fn, image, (width, 3)):
        np.testing.assert_array_equal(made, sum(taps))


def test_lanes_may_have_several_elements_in_a_row() -> None:
    a, f, g = source(hl.Int(32)), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y]
    g[X, Y] = f[63 - X, Y]
    g.bound(X, 0, 64).split(X, X, U, 2).unroll(U)
    g.split(Y, Y, YI, 2, GUARD).reorder(U, X, YI, Y).gpu_blocks(Y).gpu_threads(YI).gpu_lanes(X)
    f.compute_at(g, YI).split(X, X, U, 2, hl.TailStrategy.RoundUp).unroll(U).gpu_lanes(X)
    fn = lowered(g)
    assert registers(fn) == {"f": 2}
    image = np.random.default_rng(4).integers(-99, 99, (3, 64), np.int32)
    for made in outcomes(fn, image, (64, 3)):
        np.testing.assert_array_equal(made, image[:, ::-1])


VECTORS: dict[str, tuple[Callable[[hl.Func], Any], Expected, int]] = {
    "the lane's own": (lambda f: f[X, Y], lambda a: a[:, :60], 0),
    "the other end's": (lambda f: f[59 - X, Y], lambda a: a[:, 59::-1], 2),
    "the own and the next one's": (
        lambda f: f[X, Y] + f[X + 1, Y], lambda a: a[:, :60] + a[:, 1:61], 1,
    ),
    "up to the last one's": (
        lambda f: f[X, Y] + f[hl.min(X + 3, 59), Y],
        lambda a: a[:, :60] + a[:, np.minimum(np.arange(60) + 3, 59)], 4,
    ),
    "one lane's": (lambda f: f[X, Y] + f[5, Y], lambda a: a[:, :60] + a[:, 5:6], 1),
    "the own ones turned": (lambda f: f[X ^ 1, Y], lambda a: a[:, np.arange(60) ^ 1], 4),
}  # fmt: skip


@pytest.mark.parametrize("type", (hl.Int(32), pytest.param(hl.UInt(8), marks=pytest.mark.slow)))
@pytest.mark.parametrize(
    "name", some_slow(VECTORS, ("the own and the next one's", "the other end's"))
)
def test_lanes_have_and_fetch_vectors(name: str, type: hl.Type) -> None:
    value, expected, most = VECTORS[name]
    a, f, g = source(type, 128), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y]
    g[X, Y] = hl.cast(type, value(f))
    g.bound(X, 0, 60).split(X, X, U, 2).vectorize(U)
    g.split(Y, Y, YI, 2, GUARD).reorder(U, X, YI, Y).gpu_blocks(Y).gpu_threads(YI).gpu_lanes(X)
    f.compute_at(g, YI).split(X, X, U, 2, hl.TailStrategy.RoundUp).vectorize(U).gpu_lanes(X)
    f.store_in(REGISTER)
    fn = lowered(g)
    assert registers(fn) == {"f": 2}
    text = kernels_ptx(fn.kernels)
    assert text.count("shfl.sync") / text.count(".entry") <= most and ".local" not in text
    image = np.random.default_rng(4).integers(0, 99, (3, 128)).astype(dtype_of(type))
    for made in outcomes(fn, image, (60, 3)):
        np.testing.assert_array_equal(made, expected(image))


def test_lanes_have_vectors_far_from_one_another() -> None:
    """Each lane has four elements in a row, and the same again behind those of all lanes."""
    a, f, g = source(hl.Int(32), 256), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y]
    g[X, Y] = f[255 - X, Y] + f[X, Y]
    for stage in (g, f):
        stage.split(X, XO, X, 128, hl.TailStrategy.RoundUp).split(X, X, U, 4).unroll(XO)
    g.bound(X, 0, 256).split(Y, Y, YI, 2, GUARD).reorder(U, XO, X, YI, Y).gpu_blocks(Y)
    f.compute_at(g, YI).reorder(U, XO, X)
    for stage in (g.gpu_threads(YI), f):
        stage.vectorize(U).gpu_lanes(X)
    fn = lowered(g)
    assert registers(fn) == {"f": 8}
    image = np.random.default_rng(4).integers(-99, 99, (3, 256), np.int32)
    for made in outcomes(fn, image, (256, 3)):
        np.testing.assert_array_equal(made, image[:, ::-1] + image)


def test_vectors_of_which_some_elements_are_left_out_are_not_the_lanes() -> None:
    a, f, g = source(hl.Int(32)), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y]
    g[X, Y] = f[X, Y]
    g.split(X, X, U, 2, hl.TailStrategy.Predicate).vectorize(U).reorder(U, X, Y)
    g.split(X, XO, X, 32, GUARD).gpu_blocks(XO, Y).gpu_lanes(X)
    f.compute_at(g, XO).split(X, X, U, 2, hl.TailStrategy.RoundUp).vectorize(U).gpu_lanes(X)
    f.bound_extent(X, 64).store_in(REGISTER)
    with pytest.raises(hl.HalideError, match="vectors of which some elements are left out"):
        lowered(g)


def test_more_lanes_read_than_have_elements() -> None:
    """Element 16 is the first lane's second one, and none of the seventeenth lane's."""
    a, f, g = source(hl.Int(32)), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y]
    g[X, Y] = f[X, Y]
    warps(g)
    f.compute_at(g, YI).split(X, XO, XI, 16, hl.TailStrategy.RoundUp).gpu_lanes(XI)
    fn = lowered(g)
    assert registers(fn) == {"f": 2}
    image = np.random.default_rng(4).integers(-99, 99, (3, 64), np.int32)
    for made in outcomes(fn, image, (32, 3)):
        np.testing.assert_array_equal(made, image[:, :32])


def test_a_sum_over_a_warp() -> None:
    """By halves, each stage from the registers of the one before."""
    a = source(hl.Int(32), 32)
    stages = [hl.Func("s0")]
    stages[0][X, Y] = a[X, Y]
    for step in (16, 8, 4, 2, 1):
        before = stages[-1]
        stages.append(hl.Func(f"s{len(stages)}"))
        stages[-1][X, Y] = before[X, Y] + before[X ^ step, Y]
    last = warps(stages[-1])
    for stage in stages[:-1]:
        stage.compute_at(last, YI).gpu_lanes(X)
    fn = lowered(last)
    assert set(registers(fn).values()) == {1} and len(registers(fn)) == 5
    text = kernels_ptx(fn.kernels)
    assert text.count("shfl.sync.bfly") == 5 * text.count(".entry")
    image = np.random.default_rng(4).integers(-99, 99, (2, 32), np.int32)
    for made in outcomes(fn, image, (32, 2)):
        np.testing.assert_array_equal(made, np.repeat(image.sum(1)[:, None], 32, 1))


def test_lanes_of_a_block_in_registers() -> None:
    a, f, g = source(hl.Int(32)), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y]
    g[X, Y] = f[31 - X, Y]
    g.bound(X, 0, 32).gpu_blocks(Y).gpu_lanes(X)
    f.compute_at(g, Y).gpu_lanes(X)
    assert registers(lowered(g)) == {}
    f.store_in(REGISTER)
    fn = lowered(g)
    assert registers(fn) == {"f": 1}
    image = np.random.default_rng(4).integers(-99, 99, (3, 64), np.int32)
    for made in outcomes(fn, image, (32, 3)):
        np.testing.assert_array_equal(made, image[:, 31::-1])


REFUSED = {
    "threads": "threads that are no lanes use it",
    "alone": "it is accessed outside of loops over lanes|no lane stores anything",
    "memory": "where it is accessed depends on memory",
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_lanes_can_not_keep_lies_in_shared_memory_or_is_refused(kind: str) -> None:
    a, f, g = source(hl.Int(32)), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y]
    g[X, Y] = f[hl.clamp(a[X, Y], 0, 31), Y] if kind == "memory" else f[31 - X, Y]
    warps(g)
    f.compute_at(g, YI)
    if kind == "threads":
        f.gpu_threads(X)
    elif kind == "memory":
        f.gpu_lanes(X)
    fn = lowered(g)
    assert registers(fn) == {}
    image = np.random.default_rng(4).integers(0, 32, (3, 64), np.int32)
    expected = np.take_along_axis(image, image[:, :32], 1) if kind == "memory" else image[:, 31::-1]
    for made in outcomes(fn, image, (32, 3)):
        np.testing.assert_array_equal(made, expected)
    f.store_in(REGISTER)
    with pytest.raises(hl.HalideError, match=REFUSED[kind]):
        lowered(g)


def test_a_shuffle_that_some_lanes_miss_is_found() -> None:
    a, f, g = source(hl.Int(32)), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y]
    g[X, Y] = f[31 - X, Y]
    warps(g, rows=1)
    f.compute_at(g, YI).gpu_lanes(X)
    fn = lowered(g)
    (kernel,) = fn.kernels
    check_shuffles(kernel)
    lane = Variable(s.THREADS[0], I32)
    for condition in (LT(lane, const(8)), EQ(Load("a", (const(0),), I32), const(0))):
        broken = replace(kernel, body=s.IfThenElse(condition, kernel.body))
        with pytest.raises(DivergentShuffle, match="decides whether lanes come to a shuffle"):
            check_shuffles(broken)
    check_shuffles(replace(kernel, body=s.IfThenElse(LT(ROW, const(1)), kernel.body)))
    moved = s.LetStmt("y", Add(lane, const(1)), s.For("k", const(0), Y_, "serial", kernel.body))
    with pytest.raises(DivergentShuffle, match="y decides"):
        check_shuffles(replace(kernel, body=moved))
    with pytest.raises(DivergentShuffle, match="rows of 16 threads"):
        check_shuffles(replace(kernel, threads=(const(16), const(2), const(1))))
    torn = s.IfThenElse(LT(lane, const(8)), kernel.body)
    torn_fn = replace(fn, kernels=(replace(kernel, body=torn),))
    image = np.zeros((1, 64), np.int32)
    for launcher in (None, by_ptx(torn_fn)):
        with pytest.raises((AssertionError, PtxError), match=r"not all lanes|torn apart"):
            on_device(torn_fn, {"a": image}, {fn.args[-1].name: (32, 1)}, launcher)


def test_lanes_behind_the_end_of_a_row_take_part() -> None:
    """Which lanes have something to do is a condition inside of their loop."""
    a, f, g = source(hl.Int(32), 128), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y] + 5
    g[X, Y] = (f[X, Y] + f[X + 1, Y]) * 2
    g.split(X, X, XI, 32, GUARD).gpu_blocks(Y).gpu_lanes(XI)
    f.compute_at(g, X).store_in(REGISTER).split(X, XO, U, 32, hl.TailStrategy.RoundUp)
    f.unroll(XO).bound_extent(X, 33).gpu_lanes(U)
    fn = lowered(g)
    assert registers(fn) == {"f": 2}
    image = np.random.default_rng(4).integers(-99, 99, (3, 128), np.int32)
    for made in outcomes(fn, image, (40, 3)):
        np.testing.assert_array_equal(made, (image[:, :40] + image[:, 1:41] + 10) * 2)


class RandomProgram:
    """A row of lanes reads another stage's elements at random places."""

    def __init__(self, seed: int) -> None:
        pick = self.pick = random.Random(seed)
        self.lanes = lanes = pick.choice((8, 16, 20, 32))
        self.a, self.f, self.g = source(hl.Int(32), 128), hl.Func("f"), hl.Func("g")
        self.f[X, Y] = self.a[X, Y % 3] * 3 + Y
        self.r = r = hl.RDom([(0, pick.choice((2, 3)))], "r")
        c, below = pick.randint(0, 6), pick.randint(0, 2)
        places: dict[str, Any] = {
            "x + c": X + c, "c + lanes - x": lanes - 1 - X + c, "x / 2": X / 2, "x ^ c": X ^ c,
            "(x + c) % lanes": (X + c) % lanes, "x + r": X + r, "2 * x": 2 * X, "c": hl.i32(c),
            "2 * x % lanes": X * 2 % lanes, "r": hl.i32(0) + r,
        }  # fmt: skip
        names = [pick.choice(list(places)) for _ in range(pick.randint(1, 3))]
        reads = [self.f[places[name], Y + below * (n % 2)] for n, name in enumerate(names)]
        self.g[X, Y] = 0
        self.g[X, Y] += sum(reads[1:], reads[0]) + r
        self.said = f"seed {seed}: {lanes} lanes, c {c}, {below} below, {names}"

    def schedule(self) -> hl.Func:
        pick, f, g = self.pick, self.f, self.g
        for stage, loops in ((g, (X, YI, Y)), (g.update(), (self.r, X, YI, Y))):
            stage.split(Y, Y, YI, 2, GUARD).reorder(*loops)
            stage.gpu_blocks(Y).gpu_threads(YI).gpu_lanes(X)
        g.bound(X, 0, self.lanes)
        f.compute_at(g, YI)
        own = pick.choice((1, 1, 2))
        f.split(X, X, U, own, hl.TailStrategy.RoundUp)
        f.vectorize(U) if own > 1 and random.Random(self.said).random() < 0.5 else f.unroll(U)
        f.split(X, XO, XI, pick.choice((16, 32)), hl.TailStrategy.RoundUp).gpu_lanes(XI)
        if pick.random() < 0.5:
            f.unroll(XO)
        self.said += f", {own} each"
        return g


def check(seed: int, everywhere: bool) -> bool:
    """Whether a random program lies in registers; its values are those of the definitions."""
    program, plain = RandomProgram(seed), RandomProgram(seed)
    fn = lowered(program.schedule())
    image = np.random.default_rng(seed).integers(-99, 99, (3, 128), np.int32)
    plain.f.compute_root()
    plain.a.set(hl.Buffer(image))
    expected = np.asarray(plain.g.realize([program.lanes, 3]))
    size, name = (program.lanes, 3), fn.args[-1].name
    made = [on_device(fn, {"a": image}, {name: size})[0][name]]
    for one in outcomes(fn, image, size) if everywhere else made:
        np.testing.assert_array_equal(one, expected, program.said)
    return bool(registers(fn))


def test_random_rows_of_lanes() -> None:
    assert sum(check(seed, seed % 4 == 0) for seed in range(4)) > 1


@NEEDS_PTXAS
def test_ptxas_keeps_the_lanes_elements_in_registers() -> None:
    a, f, g = source(hl.Float(64)), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y]
    g[X, Y] = f[X, Y] + f[X + 2, Y]
    warps(g)
    f.compute_at(g, YI).split(X, XO, XI, 32, hl.TailStrategy.RoundUp).gpu_lanes(XI).unroll(XO)
    for taken in usage(kernels_ptx(lowered(g).kernels, 80), 80).values():
        assert taken.spilled == taken.stack == taken.shared == taken.barriers == 0


@pytest.mark.slow
def test_many_random_rows_of_lanes() -> None:
    assert sum(check(seed, seed % 4 == 0) for seed in range(100, 300)) > 20
