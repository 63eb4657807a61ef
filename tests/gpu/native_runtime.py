"""The runtime for GPUs, compiled by gcc and called by itself: each copy as in a new process."""

from __future__ import annotations

import atexit
import ctypes
import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import compiler
from compiler.codegen.buffers import BufferRecord, DimensionRecord
from compiler.codegen.ptx import dynamic_shared_bytes, kernel_symbol, kernels_ptx
from compiler.ir.stmts import LoweredFunction

SOURCE = Path(compiler.__file__).parent / "codegen" / "runtime_library" / "cuda.c"
_ERRORS = """
char lift_last_error[1024];
void lift_error(const char *message) {
    int i = 0;
    for (; message[i] && i < 1023; i++) lift_last_error[i] = message[i];
    lift_last_error[i] = 0;
}
"""
FUNCTIONS = (
    *("device_malloc", "device_free", "device_sync", "device_release"),
    *("copy_to_host", "copy_to_device", "device_and_host_malloc", "device_and_host_free"),
    *("buffer_copy", "device_crop", "device_slice", "device_release_crop"),
    *("wrap_native", "detach_native", "compute_capability"),
)
"""Of Halide's `halide_device_interface_t`, in order."""
_copies = itertools.count()


class FailureRecord(ctypes.Structure):
    _fields_ = (("taken", ctypes.c_int32), ("message", ctypes.c_char * 1020))


class KernelRecord(ctypes.Structure):
    _fields_ = (
        ("symbol", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("memories", ctypes.c_char_p),
        ("aligned", ctypes.POINTER(ctypes.c_uint32)),
        ("parameters", ctypes.c_uint32),
        ("shared", ctypes.c_uint32),
    )


class ProgramRecord(ctypes.Structure):
    _fields_ = (
        ("image", ctypes.c_char_p),
        ("kernels", ctypes.POINTER(KernelRecord)),
        ("loaded", ctypes.c_void_p),
        ("count", ctypes.c_uint32),
    )


@cache
def folder() -> Path:
    """Where the library is built, which goes with this process."""
    made, owner = Path(tempfile.mkdtemp(prefix="native_runtime")), os.getpid()
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(made, ignore_errors=True))
    (made / "errors.c").write_text(_ERRORS)
    sources = [str(SOURCE), str(made / "errors.c")]
    options = ["-std=gnu11", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror"]
    command = ["gcc", *options, *sources, "-o", str(made / "runtime.so"), "-ldl", "-lpthread"]
    subprocess.run(command, check=True)
    return made


class Runtime:
    """A copy of the runtime that nobody has used."""

    def __init__(self) -> None:
        path = folder() / f"runtime{next(_copies)}.so"
        shutil.copy(folder() / "runtime.so", path)
        self.library = ctypes.CDLL(str(path))
        get = self.library.lift_cuda_device_interface
        get.restype = ctypes.c_void_p
        self.interface = int(get())
        self._functions = (ctypes.c_void_p * len(FUNCTIONS)).from_address(self.interface)

    def __call__(self, name: str, *arguments: Any) -> tuple[int, str]:
        """Calls `lift_cuda_NAME` with a record for failures; the status and what is said."""
        record = FailureRecord()
        status = self.library[f"lift_cuda_{name}"](ctypes.byref(record), *arguments)
        return status, record.message.decode()

    def done(self, name: str, *arguments: Any) -> None:
        status, said = self(name, *arguments)
        assert status == 0, said

    def by_interface(self, name: str, *arguments: Any) -> tuple[int, str]:
        """Calls a function of Halide's interface; the status and the last error."""
        last = (ctypes.c_char * 1024).in_dll(self.library, "lift_last_error")
        last.value = b""
        function = ctypes.CFUNCTYPE(ctypes.c_int)(self._functions[FUNCTIONS.index(name)] or 0)
        return function(ctypes.c_void_p(0), *arguments), last.value.decode()


class Program:
    """The kernels of a function, as code generation tells the runtime of them."""

    def __init__(self, fn: LoweredFunction, image: str | None = None) -> None:
        self.fn = fn
        made = []
        for kernel in fn.kernels:
            multiples = [
                max(p.multiple_of, p.type.bytes) if p.is_memory else 0 for p in kernel.parameters
            ]
            memories = b"".join(p.name.encode() + b"\0" for p in kernel.parameters if p.is_memory)
            aligned = (ctypes.c_uint32 * len(multiples))(*multiples)
            names = kernel_symbol(kernel).encode(), kernel.name.encode(), memories
            made.append(KernelRecord(*names, aligned, len(multiples), dynamic_shared_bytes(kernel)))
        self.kernels = (KernelRecord * len(made))(*made)
        text = kernels_ptx(fn.kernels) if image is None else image
        self.record = ProgramRecord(text.encode(), self.kernels, None, len(made))

    def launch(
        self,
        runtime: Runtime,
        *parameters: Any,
        index: int = 0,
        blocks: Sequence[int] = (1, 1, 1),
        threads: Sequence[int] = (1, 1, 1),
    ) -> tuple[int, str]:
        slots = (ctypes.c_void_p * len(parameters))(*(ctypes.addressof(p) for p in parameters))
        grid, block = ((ctypes.c_int32 * 3)(*n) for n in (blocks, threads))
        return runtime("launch", ctypes.byref(self.record), index, grid, block, slots)


def record_of(
    array: np.ndarray[Any, Any] | None,
    shape: Sequence[int] = (),
    mins: Sequence[int] = (),
    bits: int = 32,
) -> BufferRecord:
    """A `halide_buffer_t` of an array whose axis i is dimension i, or of no memory at all."""
    if array is not None:
        shape, bits = array.shape, 8 * array.itemsize
        strides = [stride // array.itemsize for stride in array.strides]
    else:
        strides = [int(np.prod(shape[:d])) for d in range(len(shape))]
    dims = (DimensionRecord * max(len(shape), 1))()
    for d, (extent, stride) in enumerate(zip(shape, strides, strict=True)):
        low = mins[d] if mins else 0
        dims[d].min, dims[d].extent, dims[d].stride = low, extent, stride
    return BufferRecord(
        host=None if array is None else array.ctypes.data,
        type_code=0 if array is None else "iuf".index(array.dtype.kind),
        type_bits=bits,
        type_lanes=1,
        dimensions=len(shape),
        dim=dims,
    )
