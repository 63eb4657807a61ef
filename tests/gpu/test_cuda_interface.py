"""Halide's device interface, as programs in C use it: parts of buffers, copies, wrapped memory."""

from __future__ import annotations

import ctypes
import itertools
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.buffers import BufferRecord
from compiler.codegen.ptx import kernel_symbol

from .cuda_calls import Cuda
from .emulated_driver import FOLDER, Driver, emulated_driver
from .native_runtime import Runtime, record_of

HOST_DIRTY, DEVICE_DIRTY = 1, 2
WHOLE = np.arange(2 * 5 * 7, dtype=np.int32).reshape(2, 5, 7).T


@pytest.fixture
def driver() -> Iterator[Driver]:
    with emulated_driver(fresh=True) as made:
        yield made
        assert made.live()["memories"] == 0


@pytest.fixture
def runtime(driver: Driver) -> Runtime:
    return Runtime()


def at(buffer: BufferRecord) -> Any:
    return ctypes.byref(buffer)


def on_device(runtime: Runtime, array: np.ndarray[Any, Any], **said: Any) -> BufferRecord:
    buffer = record_of(array, **said)
    interface = ctypes.c_void_p(runtime.interface)
    assert runtime.by_interface("copy_to_device", at(buffer), interface) == (0, "")
    return buffer


def freed(runtime: Runtime, *buffers: BufferRecord) -> None:
    for buffer in buffers:
        assert runtime.by_interface("device_free", at(buffer)) == (0, "")
        assert (buffer.device, buffer.device_interface) == (0, None)


def part_of(
    whole: BufferRecord, array: np.ndarray[Any, Any], mins: tuple[int, ...]
) -> BufferRecord:
    """A part without memory on the device, at coordinates of the whole."""
    return record_of(array, mins=mins)


@pytest.mark.parametrize("flags", (0, HOST_DIRTY, DEVICE_DIRTY))
def test_a_crop_is_a_part_of_the_memory(flags: int, runtime: Runtime) -> None:
    array = WHOLE.copy(order="K")
    whole = on_device(runtime, array)
    array[...] = -1
    whole.flags = flags
    own = array[2:6, 1:4, :]
    crop = part_of(whole, own, (2, 1, 0))
    assert runtime.by_interface("device_crop", at(whole), at(crop)) == (0, "")
    assert crop.device == whole.device + 4 * (2 + 7) and crop.flags == flags
    assert runtime.by_interface("device_crop", at(whole), at(crop)) == (
        -41,
        "A crop has device memory already",
    )
    assert runtime.by_interface("copy_to_host", at(crop)) == (0, "")
    if flags == DEVICE_DIRTY:
        np.testing.assert_array_equal(own, WHOLE[2:6, 1:4, :])
        assert (array == -1).sum() == array.size - own.size + (own == -1).sum()
        own[...] = 5
        crop.flags = HOST_DIRTY
        assert runtime.by_interface("copy_to_device", at(crop), None) == (0, "")
        assert runtime.by_interface("copy_to_host", at(whole)) == (0, "")
        expected = WHOLE.copy()
        expected[2:6, 1:4, :] = 5
        np.testing.assert_array_equal(array, expected)
    crop.flags = DEVICE_DIRTY
    assert runtime.by_interface("device_release_crop", at(crop)) == (0, "")
    assert (crop.device, crop.flags) == (0, DEVICE_DIRTY)  # for the owner of the whole to see
    freed(runtime, whole)


def test_a_slice_is_a_part_of_the_memory(runtime: Runtime) -> None:
    array = WHOLE.copy(order="K")
    whole = on_device(runtime, array)
    for dimension, position in ((0, 3), (1, 4), (2, 1)):
        own = np.take(array, position, dimension)
        view = array[(slice(None),) * dimension + (position,)]
        part = record_of(view)
        found = runtime.by_interface("device_slice", at(whole), dimension, position, at(part))
        assert found == (0, "")
        view[...] = 0
        part.flags = DEVICE_DIRTY
        assert runtime.by_interface("copy_to_host", at(part)) == (0, "")
        np.testing.assert_array_equal(view, own)
        assert runtime.by_interface("device_release_crop", at(part)) == (0, "")
    freed(runtime, whole)


def test_parts_lie_inside(runtime: Runtime) -> None:
    whole = on_device(runtime, WHOLE.copy(order="K"))
    for low, extents, d in (((-1, 0, 0), (2, 2, 2), 0), ((0, 0, 1), (7, 5, 2), 2)):
        part = record_of(None, extents, low)
        said = f"A part of a buffer goes beyond the buffer in dimension {d}"
        assert runtime.by_interface("device_crop", at(whole), at(part)) == (-41, said)
        assert part.device == 0
    for dimension, position in ((0, 7), (2, -1), (3, 0), (-1, 0)):
        part = record_of(None, (5, 2), (0, 0))
        status, said = runtime.by_interface(
            "device_slice", at(whole), dimension, position, at(part)
        )
        assert status == -41 and "goes beyond the buffer" in said
    none = record_of(WHOLE)
    part = record_of(WHOLE[1:3], mins=(1, 0, 0))
    assert runtime.by_interface("device_crop", at(none), at(part)) == (0, "")
    assert part.device == 0
    freed(runtime, whole)


SIDES = ("host", "device", "both", "device, host old", "host, device old")


@pytest.mark.parametrize("to_device", (False, True))
@pytest.mark.parametrize("source", SIDES)
def test_copies_between_buffers(
    source: str, to_device: bool, runtime: Runtime, driver: Driver
) -> None:
    """Of a part at coordinates, to other strides, in one piece or in rows or one by one."""
    for order, gap in itertools.product(itertools.permutations(range(3)), (0, 3)):
        array = WHOLE.copy(order="K")
        given = record_of(array, mins=(10, 20, 30))
        interface = ctypes.c_void_p(runtime.interface)
        if source != "host":
            assert runtime.by_interface("copy_to_device", at(given), interface) == (0, "")
        if source == "device, host old":
            array[...] = -9
            given.flags = DEVICE_DIRTY
        if source == "host, device old":
            array += 100
            given.flags = HOST_DIRTY
        if source == "device":
            given.host = None
        expected = (WHOLE + 100 if source == "host, device old" else WHOLE)[1:6, 2:4, :]
        shape = tuple(expected.shape[d] for d in order)
        room = np.full((shape[0] + gap, *shape[1:]), -5, np.int32, order="F")
        target = room[: shape[0]].transpose(np.argsort(order))
        taken = record_of(target, mins=(11, 22, 30))
        taken.flags = HOST_DIRTY if to_device else DEVICE_DIRTY
        found = runtime.by_interface(
            "buffer_copy", at(given), interface if to_device else None, at(taken)
        )
        assert found == (0, "")
        assert taken.flags == (DEVICE_DIRTY if to_device else HOST_DIRTY)
        assert bool(taken.device) == to_device
        if to_device:
            assert (target == -5).all()
            assert runtime.by_interface("copy_to_host", at(taken)) == (0, "")
        np.testing.assert_array_equal(target, expected)
        assert (room[shape[0] :] == -5).all()
        freed(runtime, *(b for b in (given, taken) if b.device))


def test_what_cant_be_copied(runtime: Runtime) -> None:
    interface = ctypes.c_void_p(runtime.interface)
    array = WHOLE.copy(order="K")
    given = record_of(array)

    def copy(to: BufferRecord, where: Any = interface) -> tuple[int, str]:
        return runtime.by_interface("buffer_copy", at(given), where, at(to))

    for other in (record_of(array[0]), record_of(array.astype(np.int16))):
        assert copy(other) == (-39, "A copy is between buffers of one type and shape")
    beyond = record_of(array[:3], mins=(5, 0, 0))
    assert copy(beyond) == (-39, "A copy is of elements that aren't there (dimension 0)")
    no_host = record_of(None, array.shape)
    assert copy(no_host, None) == (-39, "A copy is to memory that isn't there")
    assert copy(no_host, ctypes.c_void_p(8))[0] == -42
    given.host = None
    assert copy(record_of(array), None) == (-39, "A copy is from memory that isn't there")
    given = record_of(array)
    given.device, given.device_interface, given.flags = 4096, 8, DEVICE_DIRTY
    assert copy(record_of(array.copy()), None)[0] == -42
    given.flags = HOST_DIRTY | DEVICE_DIRTY
    assert copy(record_of(array.copy()), None)[0] == -37
    # Of a buffer of another runtime what the host has is still to be had.
    given.flags = 0
    taken = np.zeros_like(array)
    assert copy(record_of(taken), None) == (0, "")
    np.testing.assert_array_equal(taken, array)
    for buffer in (beyond, no_host):
        if buffer.device:
            freed(runtime, buffer)


def test_copies_of_no_elements_do_nothing(runtime: Runtime, driver: Driver) -> None:
    array = WHOLE.copy(order="K")
    given = on_device(runtime, array)
    taken = record_of(array[3:3].copy(), mins=(3, 0, 0))
    interface = ctypes.c_void_p(runtime.interface)
    driver.forget_calls()
    for where in (interface, None):
        assert runtime.by_interface("buffer_copy", at(given), where, at(taken)) == (0, "")
    assert not [c for c in driver.calls() if c.name.startswith("cuMemcpy")]
    freed(runtime, given, taken)


def test_memory_of_others_is_wrapped(runtime: Runtime, driver: Driver) -> None:
    cuda = Cuda(driver.library)
    memory = cuda.memory(WHOLE.nbytes)
    array = WHOLE.copy(order="K")
    buffer = record_of(array)
    interface = ctypes.c_void_p(runtime.interface)
    assert runtime.by_interface("wrap_native", at(buffer), memory, interface) == (0, "")
    assert (buffer.device, buffer.device_interface) == (memory.value, runtime.interface)
    assert runtime.by_interface("wrap_native", at(buffer), memory, interface) == (
        -32,
        "A buffer has device memory already",
    )
    buffer.flags = HOST_DIRTY
    assert runtime.by_interface("copy_to_device", at(buffer), interface) == (0, "")
    array[...] = 0
    buffer.flags = DEVICE_DIRTY
    assert runtime.by_interface("copy_to_host", at(buffer)) == (0, "")
    np.testing.assert_array_equal(array, WHOLE)
    assert runtime.by_interface("detach_native", at(buffer)) == (0, "")
    assert buffer.device == 0 and driver.live()["memories"] == 1
    cuda("cuMemFree_v2", memory)


@pytest.mark.parametrize("has_pools", (True, False))
def test_memory_on_both_sides(has_pools: bool, runtime: Runtime, driver: Driver) -> None:
    driver.set_attribute(0, 115, has_pools)
    interface = ctypes.c_void_p(runtime.interface)
    buffer = record_of(None, (7, 5))
    assert runtime.by_interface("device_and_host_malloc", at(buffer), interface) == (0, "")
    assert buffer.host % 128 == 0 and buffer.device and driver.live()["memories"] == 1
    assert runtime.by_interface("device_sync", None) == (0, "")
    (memory,) = driver.memories()
    assert memory.bytes.size == 7 * 5 * 4
    own = np.ctypeslib.as_array((ctypes.c_int32 * 35).from_address(buffer.host))
    own[:] = np.arange(35)
    buffer.flags = HOST_DIRTY
    assert runtime.by_interface("copy_to_device", at(buffer), interface) == (0, "")
    own[:] = 0
    buffer.flags = DEVICE_DIRTY
    assert runtime.by_interface("copy_to_host", at(buffer)) == (0, "")
    np.testing.assert_array_equal(own, np.arange(35))
    assert runtime.by_interface("device_and_host_free", at(buffer)) == (0, "")
    assert (buffer.host, buffer.device, buffer.flags) == (None, 0, 0)
    runtime.by_interface("device_sync", None)
    runtime.by_interface("device_release", interface)
    driver.inject("cuMemAllocAsync" if has_pools else "cuMemAlloc_v2", 1)
    status, said = runtime.by_interface("device_and_host_malloc", at(buffer), interface)
    assert status == -16 and buffer.host is None and "28" not in said


def test_a_copy_that_failed_isnt_taken_for_one(runtime: Runtime, driver: Driver) -> None:
    array = WHOLE.copy(order="K")
    buffer = record_of(array)
    driver.inject("cuMemcpyHtoDAsync_v2", 1)
    interface = ctypes.c_void_p(runtime.interface)
    assert runtime.by_interface("copy_to_device", at(buffer), interface)[0] == -15
    assert runtime.by_interface("copy_to_device", at(buffer), interface) == (0, "")
    array[...] = 0
    buffer.flags = DEVICE_DIRTY
    assert runtime.by_interface("copy_to_host", at(buffer)) == (0, "")
    np.testing.assert_array_equal(array, WHOLE)
    freed(runtime, buffer)


X, Y, XI, YI = hl.vars("x y xi yi")
PROGRAM = """
#include "filter.h"
#include "emulated.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { WIDTH = 16, HEIGHT = 12 };
static void run(void **parameters, const unsigned grid[3], const unsigned block[3], unsigned shared)
{
    int *f = *(int **)parameters[%(written)d], *a = *(int **)parameters[%(read)d];
    (void)grid, (void)block, (void)shared;
    for (int i = 0; i < WIDTH * HEIGHT; i++) f[i] = a[i] + 1;
}
static void buffer(struct halide_buffer_t *made, struct halide_dimension_t *dim, int *host)
{
    memset(made, 0, sizeof *made);
    memset(dim, 0, 2 * sizeof *dim);
    dim[0].extent = WIDTH, dim[0].stride = 1, dim[1].extent = HEIGHT, dim[1].stride = WIDTH;
    made->host = (void *)host;
    made->type.code = 0, made->type.bits = 32, made->type.lanes = 1;
    made->dimensions = 2, made->dim = dim;
}
#define CHECK(x) do { if (!(x)) { printf("line %%d: %%s\\n", __LINE__, #x); return 1; } } while (0)
int main(void)
{
    static int from[WIDTH * HEIGHT], to[WIDTH * HEIGHT], part[WIDTH * HEIGHT];
    void *driver = dlopen(getenv("LIFT_CUDA_LIBRARY"), RTLD_NOW);
    void (*add)(const char *, kernel) = (void (*)())dlsym(driver, "emulated_register");
    long (*live)(int) = (long (*)(int))dlsym(driver, "emulated_live");
    const struct halide_device_interface_t *cuda = lift_cuda_device_interface();
    struct halide_buffer_t a, f;
    struct halide_dimension_t dims[2][2];
    add("%(symbol)s", run);
    for (int i = 0; i < WIDTH * HEIGHT; i++) from[i] = i * 3;
    buffer(&a, dims[0], from);
    buffer(&f, dims[1], to);
    CHECK(filter(&a, &f) == 0);
    CHECK(a.device && f.device && a.flags == 0 && f.flags == 2);
    CHECK(f.device_interface == cuda && live(5) == 2);
    CHECK(to[5] == 0 && cuda->copy_to_host(0, &f) == 0 && f.flags == 0);
    for (int i = 0; i < WIDTH * HEIGHT; i++) CHECK(to[i] == i * 3 + 1);
    CHECK(filter(&f, &a) == 0 && a.flags == 2);
    CHECK(cuda->copy_to_host(0, &a) == 0 && from[7] == 7 * 3 + 2);
    a.flags = 1, a.host[0] = 200;
    CHECK(filter(&a, &f) == 0 && cuda->copy_to_host(0, &f) == 0 && to[0] == 201);
    a.flags = 3;
    CHECK(filter(&a, &f) == -37);
    a.flags = 0, a.host = 0, f.host = 0; /* neither is touched on the host */
    CHECK(filter(&a, &f) == 0 && f.flags == 2);
    CHECK(cuda->copy_to_host(0, &f) == -34);
    f.host = (void *)part;
    CHECK(cuda->copy_to_host(0, &f) == 0 && part[0] == 201);
    CHECK(cuda->device_free(0, &a) == 0 && cuda->device_free(0, &f) == 0 && live(5) == 0);
    printf("well\\n");
    return 0;
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ("object", "static_library"))
def test_a_program_in_c(kind: str, tmp_path: Path) -> None:
    a, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("filter")
    f[X, Y] = a[X, Y] + 1
    f.gpu_tile(X, Y, XI, YI, 8, 4)
    target = hl.Target("host-cuda")
    name = str(tmp_path / "filter")
    if kind == "object":
        f.compile_to_file(name, [a], "filter", target)
    else:
        f.compile_to_static_library(name, [a], "filter", target)
    (built,) = (p for p in tmp_path.iterdir() if p.suffix in (".o", ".a"))
    (kernel,) = f.lowered("filter", [a], target).kernels
    places = {p.is_written: i for i, p in enumerate(kernel.parameters) if p.is_memory}
    said = {"written": places[True], "read": places[False], "symbol": kernel_symbol(kernel)}
    (tmp_path / "main.c").write_text(PROGRAM % said)
    made = tmp_path / "main"
    command = [
        "gcc",
        "-std=gnu17",
        "-Wall",
        "-I",
        str(tmp_path),
        "-I",
        str(FOLDER),
        str(tmp_path / "main.c"),
    ]
    subprocess.run([*command, str(built), "-o", str(made), "-ldl", "-lpthread", "-lm"], check=True)
    with emulated_driver(fresh=True) as driver:
        environment = {"LIFT_CUDA_LIBRARY": str(driver.path)}
        done = subprocess.run([str(made)], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "well\n"), done.stderr
