"""The emulated driver does as CUDA says, and of what CUDA leaves open what is worst for callers."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import kernel_symbol, kernels_ptx
from compiler.ir.stmts import Kernel, LoweredFunction

from .device import Launcher, Memory
from .emulated_driver import Driver, emulated_driver
from .programs import lowered, on_device

INVALID_VALUE, OUT_OF_MEMORY, NOT_INITIALIZED, NO_DEVICE, INVALID_DEVICE = 1, 2, 3, 100, 101
INVALID_IMAGE, INVALID_CONTEXT, NO_BINARY, INVALID_PTX, NEW_PTX = 200, 201, 209, 218, 222
INVALID_HANDLE, NOT_FOUND, NOT_READY, ILLEGAL_ADDRESS, DESTROYED = 400, 500, 600, 700, 709
MISALIGNED, LAUNCH_FAILED, NOT_SUPPORTED = 716, 719, 801
LEGACY, PER_THREAD = ctypes.c_void_p(1), ctypes.c_void_p(2)

Bytes = np.ndarray[Any, np.dtype[np.uint8]]


class Cuda:
    """CUDA's functions, by ctypes; an error that isn't `expected` fails the test."""

    def __init__(self, driver: Driver, device: int = 0) -> None:
        self.library = driver.library
        self("cuInit", 0)
        self.context = self.retain(device)
        self("cuCtxPushCurrent_v2", self.context)

    def __call__(self, name: str, *arguments: Any, expected: int = 0) -> None:
        assert (name, self.library[name](*arguments)) == (name, expected)

    def made(self, type: Any, name: str, *arguments: Any) -> Any:
        """What a function puts where its first argument points."""
        place = type()
        self(name, ctypes.byref(place), *arguments)
        return place

    def retain(self, device: int) -> ctypes.c_void_p:
        return self.made(ctypes.c_void_p, "cuDevicePrimaryCtxRetain", device)

    def memory(self, size: int) -> ctypes.c_uint64:
        return self.made(ctypes.c_uint64, "cuMemAlloc_v2", ctypes.c_size_t(size))

    def send(self, to: ctypes.c_uint64, data: Any, stream: Any = PER_THREAD) -> None:
        self("cuMemcpyHtoDAsync_v2", to, data.ctypes, ctypes.c_size_t(data.nbytes), stream)

    def fetch(self, data: Any, from_: ctypes.c_uint64, stream: Any = PER_THREAD) -> None:
        self("cuMemcpyDtoHAsync_v2", data.ctypes, from_, ctypes.c_size_t(data.nbytes), stream)

    def wait(self, stream: Any = PER_THREAD) -> None:
        self("cuStreamSynchronize", stream)

    def function(self, text: str, name: str) -> ctypes.c_void_p:
        module = self.made(ctypes.c_void_p, "cuModuleLoadDataEx", text.encode(), 0, None, None)
        return self.made(ctypes.c_void_p, "cuModuleGetFunction", module, name.encode())

    def launch(
        self,
        function: ctypes.c_void_p,
        *parameters: Any,
        grid: tuple[int, int, int] = (1, 1, 1),
        block: tuple[int, int, int] = (1, 1, 1),
        shared: int = 0,
        stream: Any = PER_THREAD,
        expected: int = 0,
    ) -> None:
        places = [ctypes.cast(ctypes.pointer(p), ctypes.c_void_p) for p in parameters]
        table = (ctypes.c_void_p * max(len(places), 1))(*places)
        self(
            "cuLaunchKernel", function, *grid, *block, shared, stream, table, None,
            expected=expected,
        )  # fmt: skip


@pytest.fixture
def driver() -> Iterator[Driver]:
    with emulated_driver() as made:
        yield made


@pytest.fixture
def cuda(driver: Driver) -> Cuda:
    return Cuda(driver)


def by_driver(cuda: Cuda, fn: LoweredFunction) -> Launcher:
    """Runs the kernels of a function through the driver, each on memories of its own."""
    text = kernels_ptx(fn.kernels)

    def launch(
        kernel: Kernel,
        grid: list[int],
        threads: list[int],
        values: Mapping[str, Any],
        memories: Mapping[str, Memory],
    ) -> None:
        function = cuda.function(text, kernel_symbol(kernel))
        parameters: list[Any] = []
        for parameter in kernel.parameters:
            if parameter.is_memory:
                elements = memories[parameter.name].elements
                parameters.append(cuda.memory(elements.nbytes))
                if not parameter.is_written:
                    cuda.send(parameters[-1], elements)
            else:
                parameters.append(ctypes.c_int32(int(values[parameter.name])))
        x, y, z = grid
        tx, ty, tz = threads
        cuda.launch(function, *parameters, grid=(x, y, z), block=(tx, ty, tz))
        for parameter, place in zip(kernel.parameters, parameters, strict=True):
            if parameter.is_written:
                cuda.fetch(memories[parameter.name].elements, place)
        cuda.wait()

    return launch


def test_kernels_of_a_program_compute_what_numpy_does(cuda: Cuda) -> None:
    a, h, f = hl.ImageParam(hl.UInt(8), 2, "a"), hl.Func("h"), hl.Func("f")
    x, y, xi, yi = hl.vars("x y xi yi")
    h[x, y] = hl.u16(a[x, y]) * 3 + a[x + 1, y]
    f[x, y] = h[x, y] + h[x, y + 1]
    f.gpu_tile(x, y, xi, yi, 16, 4)
    h.compute_at(f, x).gpu_threads(x, y)
    fn = lowered(f)
    image = np.random.default_rng(1).integers(0, 256, (9, 38), np.uint8)
    made, _ = on_device(fn, {"a": image}, {fn.args[-1].name: (37, 8)}, by_driver(cuda, fn))
    rows = image[:, :-1].astype(np.uint16) * 3 + image[:, 1:]
    np.testing.assert_array_equal(made[fn.args[-1].name], rows[:-1] + rows[1:])


def test_memory_keeps_what_is_copied_to_it(cuda: Cuda) -> None:
    sent = np.arange(1000, dtype=np.uint8)
    made = np.zeros_like(sent)
    memory = cuda.memory(1000)
    cuda.send(memory, sent)
    cuda.fetch(made, memory)
    cuda.wait()
    np.testing.assert_array_equal(made, sent)


def test_memory_that_nobody_wrote_holds_garbage(cuda: Cuda) -> None:
    made = np.zeros(300, np.uint8)
    cuda.fetch(made, cuda.memory(300))
    cuda.wait()
    assert (made == 0xA5).all()


def test_what_is_copied_comes_when_somebody_waits(driver: Driver, cuda: Cuda) -> None:
    memory, made = cuda.memory(4), np.zeros(4, np.uint8)
    sent = np.full(4, 7, np.uint8)
    cuda.send(memory, sent)
    sent[:] = 9
    cuda.fetch(made, memory)
    assert driver.waiting() == 2 and (made != 7).all()
    cuda.wait()
    assert driver.waiting() == 0 and (made == 7).all()


def test_nothing_works_before_it_is_initialised(driver: Driver) -> None:
    assert driver.library.cuDeviceGetCount(ctypes.byref(ctypes.c_int())) == NOT_INITIALIZED
    driver.set(devices=0)
    assert driver.library.cuInit(0) == NO_DEVICE


def test_a_context_is_needed(cuda: Cuda) -> None:
    cuda("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
    cuda("cuCtxSynchronize", expected=INVALID_CONTEXT)
    place = ctypes.c_uint64()
    cuda("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(4), expected=INVALID_CONTEXT)
