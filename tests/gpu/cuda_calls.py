"""CUDA's driver, called from Python: the emulated one, or NVIDIA's."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

INVALID_VALUE, OUT_OF_MEMORY, NOT_INITIALIZED, NO_DEVICE, INVALID_DEVICE = 1, 2, 3, 100, 101
INVALID_IMAGE, INVALID_CONTEXT, NO_BINARY, INVALID_PTX, NEW_PTX = 200, 201, 209, 218, 222
INVALID_HANDLE, NOT_FOUND, NOT_READY, ILLEGAL_ADDRESS, DESTROYED = 400, 500, 600, 700, 709
MISALIGNED, LAUNCH_FAILED, NOT_SUPPORTED = 716, 719, 801
LEGACY, PER_THREAD = ctypes.c_void_p(1), ctypes.c_void_p(2)


END = (
    ("XInBytes", ctypes.c_size_t),
    ("Y", ctypes.c_size_t),
    ("MemoryType", ctypes.c_uint),
    ("Host", ctypes.c_void_p),
    ("Device", ctypes.c_uint64),
    ("Array", ctypes.c_void_p),
    ("Pitch", ctypes.c_size_t),
)


class Copy2D(ctypes.Structure):
    """`CUDA_MEMCPY2D`."""

    _fields_ = (
        *((f"src{name}", type) for name, type in END),
        *((f"dst{name}", type) for name, type in END),
        ("WidthInBytes", ctypes.c_size_t),
        ("Height", ctypes.c_size_t),
    )


class Cuda:
    """CUDA's functions, by ctypes; an error that isn't `expected` fails the test."""

    def __init__(self, library: ctypes.CDLL, device: int = 0) -> None:
        self.library = library
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


def pooled(cuda: Cuda, size: int, stream: Any = PER_THREAD) -> ctypes.c_uint64:
    return cuda.made(ctypes.c_uint64, "cuMemAllocAsync", ctypes.c_size_t(size), stream)


def numbers(cuda: Cuda, values: list[int]) -> ctypes.c_uint64:
    memory = cuda.memory(4 * len(values))
    cuda.send(memory, np.array(values, np.uint32))
    return memory


def load(cuda: Cuda, text: str, expected: int) -> str:
    """Loads a module, or can't; the log of errors."""
    log = ctypes.create_string_buffer(400)
    options = (ctypes.c_int * 2)(5, 6)
    values = (ctypes.c_void_p * 2)(ctypes.addressof(log), 400)
    place = ctypes.c_void_p()
    cuda(
        "cuModuleLoadDataEx", ctypes.byref(place), text.encode(), 2, options, values,
        expected=expected,
    )  # fmt: skip
    assert len(log.value) == (values[1] or 0)
    return log.value.decode()


PTX = """.version 7.0
.target sm_75
.address_size 64
.shared .align 4 .b8 used[64];
.visible .entry add(
    .param .u64 .ptr .global .align 4 add_param_0, // (a comment)
    .param .u32 add_param_1
)
.maxntid 32, 2, 1
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.b64 %rd1, [add_param_0];
    ld.param.b32 %r1, [add_param_1];
    mov.b32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.b32 %r3, [%rd3];
    add.s32 %r4, %r3, %r1;
    st.global.b32 [%rd3], %r4;
    mov.b32 %r5, used;
    ret;
}
.visible .entry other()
{
    ret;
}
"""
