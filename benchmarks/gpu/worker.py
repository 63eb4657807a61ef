"""A process that runs one side's compiled programs on a GPU, on demand: `worker.py FOLDER`.

Reads a JSON request a line, answers each by a JSON line: `{"do": "prepare", "program": NAME,
"outputs": FILE.npz}` loads it, gives it inputs and calls it once; `{"do": "run", "seconds": s}`
calls it for about that long and gives the seconds of a call, all calls and one wait together.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from corpus.pipelines import load

CODES = {"i": 0, "u": 1, "b": 1, "f": 2}


class Dimension(ctypes.Structure):
    _fields_ = tuple((n, ctypes.c_int32) for n in ("min", "extent", "stride", "flags"))


class Buffer(ctypes.Structure):
    """`halide_buffer_t`."""

    _fields_ = (
        ("device", ctypes.c_uint64),
        ("interface", ctypes.c_void_p),
        ("host", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("dimensions", ctypes.c_int32),
        ("dim", ctypes.POINTER(Dimension)),
        ("padding", ctypes.c_void_p),
    )


INTERFACE = ctypes.c_void_p * 15
DEVICE_SYNC, COPY_TO_HOST = 2, 4


def buffer_of(array: np.ndarray[Any, Any], is_input: bool) -> Buffer:
    """The buffer over an array, whose last axis is dimension 0."""
    dims = (Dimension * max(array.ndim, 1))()
    shape = zip(array.shape[::-1], array.strides[::-1], strict=True)
    for dim, (extent, stride) in zip(dims, shape, strict=False):
        dim.extent, dim.stride = extent, stride // array.itemsize
    bits = 1 if array.dtype.kind == "b" else array.itemsize * 8
    return Buffer(
        host=array.ctypes.data, flags=int(is_input), code=CODES[array.dtype.kind], bits=bits,
        lanes=1, dimensions=array.ndim, dim=dims,
    )  # fmt: skip


class Worker:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def prepare(self, name: str, outputs: str) -> dict[str, Any]:
        """Loads a program and runs it once; what the first call took."""
        program = load(name)
        import compiler as hl  # for names and types alone

        algorithm = program.build(hl)
        values = program.inputs(program.size, 0)
        self.kept: list[Any] = []
        passed: list[Any] = []
        for key, source in algorithm.inputs.items():
            value = values[key]
            if isinstance(value, np.ndarray):
                array = np.ascontiguousarray(value)
                self.kept.append(array)
                passed.append(buffer_of(array, True))
            else:
                passed.append(np.ctypeslib.as_ctypes_type(_dtype(source.type()))(value))
        shape = program.size[::-1]
        self.made = [
            np.zeros(shape[-f.dimensions() :] if f.dimensions() else (), _dtype(f.type()))
            for f in algorithm.outputs
        ]
        self.results = [buffer_of(array, False) for array in self.made]
        passed += self.results
        self.kept.append(passed)
        self.library = ctypes.CDLL(str(self.folder / f"{name}.so"))
        self.arguments = (ctypes.c_void_p * len(passed))(*map(ctypes.addressof, passed))
        began = time.perf_counter()
        self.call()
        self.wait()
        first = time.perf_counter() - began
        for buffer in self.results:
            self.interface()[COPY_TO_HOST](None, ctypes.addressof(buffer))
        np.savez(outputs, *self.made)
        moved = sum(a.nbytes for a in (*self.kept[:-1], *self.made))
        return {"first": first, "bytes": moved}

    def call(self) -> None:
        status = self.library.program_argv(self.arguments)
        if status:
            raise RuntimeError(f"the program failed: {status}")

    def interface(self) -> list[Any]:
        table = INTERFACE.from_address(self.results[0].interface)
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        return [kind(address) if address else None for address in table]

    def wait(self) -> None:
        if self.interface()[DEVICE_SYNC](None, ctypes.addressof(self.results[0])):
            raise RuntimeError("the device failed")

    def run(self, seconds: float) -> dict[str, Any]:
        count, took = 1, 0.0
        while True:
            began = time.perf_counter()
            for _ in range(count):
                self.call()
            self.wait()
            took = time.perf_counter() - began
            if took >= seconds / 2:
                return {"time": took / count}
            count = max(count * 2, int(count * seconds / max(took, 1e-6)))


def _dtype(type: Any) -> Any:
    code, bits = str(type.code()).rsplit(".", 1)[-1].lower(), type.bits()
    kind = {"int": "int", "uint": "uint", "float": "float"}[code.replace("typecode", "")]
    return np.dtype("bool" if bits == 1 else f"{kind}{bits}")


def main() -> None:
    worker = Worker(Path(sys.argv[1]))
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["do"] == "prepare":
                answer = worker.prepare(request["program"], request["outputs"])
            else:
                answer = worker.run(request["seconds"])
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
