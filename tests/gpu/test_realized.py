"""Programs of several stages, some on the host and some on the device, give what the CPU gives."""

from __future__ import annotations

import ctypes
import gc
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import IndexWidth, kernel_symbol
from compiler.frontend.target import in_process_target
from compiler.runtime import compile_in_process
from compiler.runtime import device as runtime

from .emulated_driver import Driver, Runs, emulated_driver

CUDA = hl.Target("host-cuda")
X, Y, XI, YI, C = hl.vars("x y xi yi c")
IMAGE = np.random.default_rng(3).integers(0, 256, (21, 37), dtype=np.uint8)
SEEDS = itertools.count(1)
Schedule = Callable[[], Any]
Program = tuple[Any, Schedule, list[int]]
"""What is computed, what puts it on the device, and its sizes."""
PROGRAMS: dict[str, Callable[[], Program]] = {}


@pytest.fixture(
    params=(
        pytest.param((Runs.LATE, False), marks=pytest.mark.slow),
        (Runs.LATE, True),
        pytest.param((Runs.SOMETIMES, True), marks=pytest.mark.slow),
        pytest.param((Runs.AT_ONCE, False), marks=pytest.mark.slow),
    ),
    ids=("host read at once", "host read late", "some runs late", "all runs at once"),
)
def driver(request: pytest.FixtureRequest) -> Iterator[Driver]:
    runs, reads_host_late = request.param
    with emulated_driver(runs=runs, reads_host_late=reads_host_late, seed=7) as made:
        yield made
        gc.collect()
        live = made.live()
        assert live["memories"] == live["modules"] == live["functions"] == 0, live


def program(make: Callable[[], Program]) -> Callable[[], Program]:
    PROGRAMS[make.__name__.replace("_", " ")] = make
    return make


def tiled(*stages: Any) -> None:
    for stage in stages:
        stage.gpu_tile(X, Y, XI, YI, 8, 4)


CURRENT = [IMAGE]


def image() -> hl.Buffer:
    return hl.Buffer(CURRENT[0].copy())


@pytest.fixture
def another_image() -> Iterator[None]:
    """So that nothing that an earlier run left in memory is taken for right."""
    CURRENT[0] = np.random.default_rng(next(SEEDS)).integers(0, 256, IMAGE.shape, dtype=np.uint8)
    yield
    CURRENT[0] = IMAGE


def at(buffer: Any, *where: Any) -> Any:
    return hl.BoundaryConditions.repeat_edge(buffer)[where]


@program
def a_stage_of_the_host_before() -> Program:
    f, g = hl.Func("f"), hl.Func("g")
    f[X, Y] = hl.cast(hl.UInt(16), at(image(), X, Y)) * 3
    g[X, Y] = f[X - 1, Y] + f[X + 1, Y + 1]
    f.compute_root()
    return g, lambda: tiled(g), [37, 21]


@program
def a_stage_of_the_host_after() -> Program:
    f, g = hl.Func("f"), hl.Func("g")
    f[X, Y] = hl.cast(hl.Int(32), at(image(), X, Y)) * X
    g[X, Y] = f[X, Y] - f[X + 2, Y]
    f.compute_root()
    return g, lambda: tiled(f), [30, 20]


@program
def a_stage_of_the_host_between() -> Program:
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[X, Y] = hl.cast(hl.Float(32), at(image(), X, Y)) / 3
    g[X, Y] = f[X, Y] * f[X, Y + 1]
    h[X, Y] = g[X, Y] + f[X + 1, Y] + g[X, Y + 2]
    f.compute_root()
    g.compute_root()
    return h, lambda: tiled(f, h), [33, 17]


@program
def a_loop_of_the_host_that_launches() -> Program:
    f, g = hl.Func("f"), hl.Func("g")
    f[X, Y] = hl.cast(hl.UInt(8), at(image(), X, Y) ^ 7)
    g[X, Y] = f[X, Y] + f[X + 1, Y]

    def schedule() -> None:
        g.split(X, X, XI, 8).reorder(XI, X, Y).gpu_blocks(X).gpu_threads(XI)
        f.compute_at(g, Y).split(X, X, XI, 8).gpu_blocks(X).gpu_threads(XI)

    return g, schedule, [19, 5]


@program
def a_loop_with_both_sides_in_it() -> Program:
    f, g = hl.Func("f"), hl.Func("g")
    f[X, Y] = hl.cast(hl.Int(16), at(image(), X, Y)) * 5
    g[X, Y] = f[X, Y] + f[X + 1, Y]

    def schedule() -> None:
        g.vectorize(X, 4)
        f.compute_at(g, Y).split(X, X, XI, 8).gpu_blocks(X).gpu_threads(XI)

    return g, schedule, [18, 6]


@program
def tuples_on_both_sides() -> Program:
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[X, Y] = hl.Tuple(hl.cast(hl.UInt(16), at(image(), X, Y)) + X, hl.cast(hl.Float(64), Y) / 3)
    g[X, Y] = f[X + 1, Y][0] - 2
    h[X, Y] = hl.Tuple(g[X, Y], f[X, Y][1] * g[X, Y], hl.cast(hl.UInt(1), g[X, Y] > 9))
    f.compute_root()
    g.compute_root()
    return h, lambda: tiled(f, h), [20, 10]


@program
def updates_on_both_sides() -> Program:
    f = hl.Func("f")
    r = hl.RDom([(0, 3)], "r")
    f[X, Y] = hl.cast(hl.Int(32), at(image(), X, Y))
    f[X, Y] += X * r
    f[X, 0] = f[X, 1] + 5
    f[X, Y] = f[X, Y] * 3

    def schedule() -> None:
        tiled(f, f.update(0))
        f.update(2).gpu_tile(X, Y, XI, YI, 8, 4)

    return f, schedule, [25, 9]


@program
def a_histogram_of_the_host() -> Program:
    hist, f = hl.Func("hist"), hl.Func("f")
    r = hl.RDom([(0, 37), (0, 21)], "r")
    source = image()
    hist[X] = 0
    hist[hl.cast(hl.Int(32), source[r.x, r.y])] += 1
    f[X, Y] = hist[hl.cast(hl.Int(32), source[X, Y])]
    hist.compute_root()
    hist.split(X, X, XI, 32)
    return f, lambda: (hist.gpu_blocks(X).gpu_threads(XI), tiled(f)), [37, 21]


@program
def elements_of_a_bit() -> Program:
    f, g = hl.Func("f"), hl.Func("g")
    f[X, Y] = at(image(), X, Y) > 100
    g[X, Y] = hl.select(f[X, Y] & ~f[X + 1, Y], 1, 0)
    f.compute_root()
    return g, lambda: tiled(f), [20, 12]


def arrays(made: Any) -> list[np.ndarray[Any, Any]]:
    return [np.array(b) for b in (made if isinstance(made, tuple) else (made,))]


QUICK = ("a stage of the host between", "updates on both sides")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in PROGRAMS]
)
def test_a_program_gives_the_same_on_both_sides(
    name: str, driver: Driver, another_image: None
) -> None:
    func, schedule, sizes = PROGRAMS[name]()
    schedule()
    made = func.realize(sizes, CUDA)
    func, _, sizes = PROGRAMS[name]()
    for one, other in zip(arrays(made), arrays(func.realize(sizes)), strict=True):
        np.testing.assert_array_equal(one, other)
    assert driver.calls("cuLaunchKernel")


TYPES = [hl.Int(8), hl.UInt(8), hl.Int(16), hl.UInt(16), hl.Int(32), hl.UInt(32), hl.Int(64),
         hl.UInt(64), hl.Float(32), hl.Float(64), hl.Bool()]  # fmt: skip


def test_numbers_of_every_type_come_to_kernels(driver: Driver) -> None:
    params = [hl.Param(t, f"p{i}") for i, t in enumerate(TYPES)]
    values: list[Any] = [-7, 250, -30000, 60000, -(2**31), 2**32 - 1, -(2**63), 2**64 - 1]
    values += [np.float32(0.1), 0.2, True]  # fmt: skip
    f = hl.Func("f")
    f[X, Y] = hl.Tuple(*(p + 0 * hl.cast(p.type(), X) if p.type() != hl.Bool() else p ^ (X > Y)
                         for p in params))  # fmt: skip
    tiled(f)
    for param, value in zip(params, values, strict=True):
        param.set(value)
    for (param, value), made in zip(
        zip(params, values, strict=True), f.realize([9, 5], CUDA), strict=True
    ):
        array = np.array(made)
        if param.type() == hl.Bool():
            assert (array == (np.arange(9)[None] <= np.arange(5)[:, None])).all()
        else:
            assert (array == value).all(), param.type()


@pytest.mark.parametrize("sizes", ([0, 5], [5, 0], [0, 0], [1, 1]))
def test_nothing_is_launched_for_no_elements(sizes: list[int], driver: Driver) -> None:
    f, g = hl.Func("f"), hl.Func("g")
    f[X, Y] = X + Y
    g[X, Y] = f[X, Y] + f[X + 1, Y]
    f.compute_root()
    tiled(f, g)
    assert np.array(g.realize(sizes, CUDA)).shape == tuple(sizes[::-1])
    assert bool(driver.calls("cuLaunchKernel")) == (sizes == [1, 1])


def test_an_input_may_have_no_elements(driver: Driver) -> None:
    a, f = hl.ImageParam(hl.UInt(8), 1, "a"), hl.Func("f")
    f[X] = a[X] + 1
    f.gpu_tile(X, XI, 8)
    a.set(hl.Buffer(np.zeros(0, np.uint8)))
    assert np.array(f.realize([0], CUDA)).shape == (0,)


def test_a_question_for_bounds_computes_nothing(driver: Driver) -> None:
    a, f = hl.ImageParam(hl.UInt(8), 2, "a"), hl.Func("f")
    f[X, Y] = a[X + 1, Y] + a[X, Y + 2]
    tiled(f)
    query = hl.Buffer.make_bounds_query(hl.UInt(8), [0, 0])
    a.set(query)
    f.realize(hl.Buffer(hl.UInt(8), [10, 6]), CUDA)
    assert [query.dim(d).extent() for d in (0, 1)] == [11, 8]
    assert not driver.calls("cuLaunchKernel")
    f.infer_input_bounds([10, 6], CUDA)


def test_input_and_output_may_be_one_buffer(driver: Driver) -> None:
    a, f = hl.ImageParam(hl.UInt(8), 2, "a"), hl.Func("f")
    f[X, Y] = a[X, Y] * 2 + 1
    f.gpu_tile(X, Y, XI, YI, 8, 4, hl.TailStrategy.GuardWithIf)
    buffer = image()
    a.set(buffer)
    for _ in range(2):
        f.realize(buffer, CUDA)
    np.testing.assert_array_equal(np.array(buffer), (IMAGE * 2 + 1) * 2 + 1)
    assert len(driver.calls("cuMemAllocAsync")) == 1


def copies(driver: Driver) -> list[str]:
    return [call.name for call in driver.calls() if call.name.startswith("cuMemcpy")]


def chain() -> tuple[hl.ImageParam, hl.Func]:
    a, f = hl.ImageParam(hl.UInt(8), 2, "a"), hl.Func("f")
    f[X, Y] = a[X, Y] + 3
    tiled(f)
    return a, f


def test_what_stays_on_the_device_isnt_copied(driver: Driver) -> None:
    a, f = chain()
    first, second = image(), hl.Buffer(hl.UInt(8), [37, 21])
    a.set(first)
    f.realize(second, CUDA)
    assert copies(driver) == ["cuMemcpyHtoDAsync_v2"]
    for _ in range(3):
        a.set(second)
        f.realize(first, CUDA)
        a.set(first)
        f.realize(second, CUDA)
    assert copies(driver) == ["cuMemcpyHtoDAsync_v2"]
    np.testing.assert_array_equal(np.array(second), IMAGE + 21)
    assert second[3, 4] == IMAGE[4, 3] + 21
    assert copies(driver) == ["cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2"]
    assert len(driver.calls("cuModuleLoadDataEx")) == 1


def test_what_the_cpu_only_reads_stays_new_on_the_device(driver: Driver) -> None:
    a, f = chain()
    b, g = hl.ImageParam(hl.UInt(8), 2, "b"), hl.Func("g")
    g[X, Y] = b[X, Y] * 2
    made = hl.Buffer(hl.UInt(8), [37, 21])
    a.set(image())
    f.realize(made, CUDA)
    b.set(made)
    np.testing.assert_array_equal(np.array(g.realize([37, 21])), (IMAGE + 3) * 2)
    assert not made.host_dirty() and not made.device_dirty()
    a.set(made)
    driver.forget_calls()
    np.testing.assert_array_equal(np.array(f.realize([37, 21], CUDA)), IMAGE + 6)
    assert copies(driver) == ["cuMemcpyDtoHAsync_v2"]


def test_what_the_host_changed_is_copied_again(driver: Driver) -> None:
    a, f = chain()
    source = image()
    a.set(source)
    f.realize([37, 21], CUDA)
    source[5, 6] = 77
    assert np.array(f.realize([37, 21], CUDA))[6, 5] == 80
    array = np.asarray(source)
    array[6, 5] = 99
    source.set_host_dirty()
    assert np.array(f.realize([37, 21], CUDA))[6, 5] == 102


@pytest.mark.parametrize("part", ("crop", "slice", "whole"))
def test_parts_of_buffers_are_taken_and_given(part: str, driver: Driver) -> None:
    a, f = chain()
    g, b = hl.Func("g"), hl.ImageParam(hl.UInt(8), 1, "b")
    g[X] = b[X] + 3
    g.gpu_tile(X, XI, 8)
    source, target = image(), hl.Buffer(np.zeros((21, 37), np.uint8))
    expected = np.zeros((21, 37), np.uint8)
    for _ in range(2):
        if part == "slice":
            b.set(source.sliced(1, 4))
            g.realize(target.sliced(1, 5), CUDA)
            expected[5] = IMAGE[4] + 3
        else:
            box = [(3, 20), (2, 11)] if part == "crop" else [(0, 37), (0, 21)]
            a.set(source.cropped(box))
            f.realize(target.cropped(box), CUDA)
            (x, w), (y, h) = box
            expected[y : y + h, x : x + w] = IMAGE[y : y + h, x : x + w] + 3
    np.testing.assert_array_equal(np.array(target), expected)


def test_one_buffer_may_be_passed_twice_at_other_coordinates(driver: Driver) -> None:
    a, b, f = hl.ImageParam(hl.UInt(8), 2, "a"), hl.ImageParam(hl.UInt(8), 2, "b"), hl.Func("f")
    f[X, Y] = a[X, Y] - b[X + 10, Y]
    tiled(f)
    source = image()
    a.set(source)
    b.set(source.translated([10, 0]))
    for _ in range(2):
        assert not np.array(f.realize([37, 21], CUDA)).any()
    b.set(source.translated([9, 0]))
    expected = IMAGE[:, :36] - IMAGE[:, 1:]
    np.testing.assert_array_equal(np.array(f.realize([36, 21], CUDA)), expected)


def test_arrays_of_numpy_come_back_at_once(driver: Driver) -> None:
    a, f = chain()
    a.set(image())
    run = compile_in_process(f.lowered("", None, CUDA), in_process_target(CUDA))
    made = np.zeros_like(IMAGE)
    run(IMAGE.copy(), made)
    np.testing.assert_array_equal(made, IMAGE + 3)
    assert not driver.live()["memories"]
    with pytest.raises(TypeError):
        run(IMAGE, made.astype(np.int8))


def test_rows_apart_in_memory_keep_what_is_between(driver: Driver) -> None:
    a, f = chain()
    wide = np.full((21, 64), 9, np.uint8)
    a.set(image())
    f.realize(hl.Buffer(wide[:, 5:42]), CUDA)
    made = hl.Buffer(wide[:, 5:42])
    f.realize(made, CUDA)
    made.copy_to_host()
    np.testing.assert_array_equal(wide[:, 5:42], IMAGE + 3)
    assert (wide[:, :5] == 9).all() and (wide[:, 42:] == 9).all()


def test_a_function_that_dies_unloads_its_modules(driver: Driver) -> None:
    a, f = chain()
    a.set(image())
    kept = f.realize([37, 21], CUDA)
    assert driver.live()["modules"] == 1
    f.invalidate_cache()
    del f
    gc.collect()
    assert driver.live()["modules"] == 0
    np.testing.assert_array_equal(np.array(kept), IMAGE + 3)


class Far:
    """An array on the device that is larger than anybody looks at."""

    def __init__(self, driver: Driver, shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
        size = sum(abs(s) * (n - 1) for s, n in zip(strides, shape, strict=True)) + 1
        self.memory = ctypes.c_uint64()
        assert driver.library.cuMemAlloc_v2(ctypes.byref(self.memory), ctypes.c_size_t(size)) == 0
        before = -sum(s * (n - 1) for s, n in zip(strides, shape, strict=True) if s < 0)
        self.__cuda_array_interface__ = {
            "shape": shape,
            "strides": strides,
            "typestr": "|u1",
            "data": (self.memory.value + before, False),
            "version": 3,
        }


def test_large_memories_have_indices_of_64_bits(driver: Driver) -> None:
    driver.set_memory(0, 1 << 40)
    a, f = hl.ImageParam(hl.UInt(8), 2, "a"), hl.Func("f")
    f[X, Y] = a[X, Y] + 3
    f.gpu_tile(X, Y, XI, YI, 32, 32, hl.TailStrategy.GuardWithIf)
    a.dim(0).set_stride(hl.Expr())
    (kernel,) = f.lowered("", None, CUDA).kernels
    widths: tuple[IndexWidth, IndexWidth] = (32, 64)
    for width in widths:
        driver.register(kernel_symbol(kernel, width), lambda launch: None)
    runtime.describe()
    context = ctypes.c_void_p()
    assert driver.library.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert driver.library.cuCtxPushCurrent_v2(context) == 0
    large, row = 1 << 31, 1 << 20
    for width, shape, strides in (
        (32, (32, 64), (64, 1)),
        (64, (2, 32), (large, 1)),
        (64, (2, 32), (-large, 1)),
        (64, (2100, 2100), (-row, row)),  # together no steps at all
        (64, (2100, 2100), (row, -row)),
        (32, (1000, 1000), (row, -row)),
    ):
        far = Far(driver, shape, strides)
        a.set(hl.Buffer(far))
        driver.forget_calls()
        f.realize(list(shape[::-1]), CUDA)
        (launch,) = driver.calls("cuLaunchKernel")
        assert launch.arguments.startswith(kernel_symbol(kernel, widths[width == 64]) + ",")
        assert driver.library.cuMemFree_v2(far.memory) == 0
    assert driver.library.cuCtxPopCurrent_v2(ctypes.byref(context)) == 0


@pytest.mark.parametrize("kind", ("array", "list", "callable", "callable, bytes"))
def test_arrays_hold_what_was_computed_into_them(kind: str, driver: Driver) -> None:
    a, f = chain()
    source, target = image(), bytearray(37 * 21)
    a.set(source)
    made = np.frombuffer(target, np.uint8).reshape(21, 37)
    for factor in (1, 2):
        source.fill(factor)
        if kind == "array":
            f.realize(made, CUDA)
        elif kind == "list":
            f.realize([made], CUDA)
        else:
            run = f.compile_to_callable([a], CUDA)
            view = memoryview(target).cast("B", (21, 37))
            run(source, view if "bytes" in kind else made)
        assert (made == factor + 3).all()
