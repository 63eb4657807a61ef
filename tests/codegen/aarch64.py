"""Runs pipelines as AArch64 machine code under qemu, many in one start of it.

Each pipeline becomes an object for aarch64-linux, made with nothing but LLVM; a C program written
here calls them one after the other on buffers that end where an unreadable page starts, so that a
byte read or written past the end of one is a crash.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from compiler.codegen import BufferArgument, Target, emit
from compiler.ir import Type, dtype_of
from compiler.ir.stmts import Argument, LoweredFunction
from compiler.lang.argument import value_of

LINKER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"
TARGET = "aarch64"

_HEAD = r"""
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
struct halide_dimension_t { int32_t min, extent, stride; uint32_t flags; };
struct halide_buffer_t {
    uint64_t device; void *interface; uint8_t *host; uint64_t flags;
    uint32_t type; int32_t dimensions; struct halide_dimension_t *dim; void *padding;
};
static FILE *in, *out;
static uint8_t *block(size_t bytes) {
    size_t page = 65536, whole = (bytes + page - 1) / page * page;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    uint8_t *start = mmap(0, whole + page, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (start == MAP_FAILED || mprotect(start + whole, page, PROT_NONE)) exit(90);
    if (fread(start + whole - bytes, 1, bytes, in) != bytes) exit(91);
    return start + whole - bytes;
}
static void done(int32_t status) { fwrite(&status, 4, 1, out); }
"""


def missing() -> str | None:
    """What this machine lacks to run AArch64 code, in words; None where it has all of it."""
    absent = [tool for tool in (LINKER, EMULATOR) if shutil.which(tool) is None]
    return f"{' and '.join(absent)} not installed" if absent else None


@dataclasses.dataclass(frozen=True)
class Job:
    """A lowered function and one value for each of its arguments: a number, an array whose last
    axis is dimension 0, or whatever else `BufferArgument.of` takes."""

    fn: LoweredFunction
    values: Sequence[Any]


class RunFailed(AssertionError):
    """The program could not be linked, crashed, or a pipeline returned an error."""


def run_on_aarch64(
    pipelines: Sequence[Any],
    inputs: Sequence[Mapping[str, Any] | None],
    sizes: Sequence[Sequence[int]],
    target: str = TARGET,
) -> list[list[np.ndarray[Any, Any]]]:
    """What each of `pipelines` (`Func`s or `Pipeline`s) gives over the region [0, size).

    `inputs[i]` maps names of images and parameters to arrays (last axis is dimension 0) and
    numbers; what isn't there has the value that it is bound to in this process. A result has one
    array for each output value, laid out as `numpy.asarray(pipeline.realize(size))`: the last axis
    is dimension 0. Raises `RunFailed`.
    """
    jobs = []
    for pipeline, given, size in zip(pipelines, inputs, sizes, strict=True):
        fn = pipeline.lowered("", None, Target.parse(target))
        known = dict(given or {})
        values: list[Any] = []
        sources = pipeline.argument_sources()
        for argument, source in zip(fn.args, [*sources, *[None] * len(fn.args)], strict=False):
            if argument.is_output:
                values.append(np.zeros(tuple(reversed(size)), _dtype(argument.type)))
            elif argument.name in known:
                values.append(known[argument.name])
            else:
                values.append(value_of(source))
        jobs.append(Job(fn, values))
    return run_jobs(jobs, target)


def run_jobs(jobs: Sequence[Job], target: str = TARGET) -> list[list[np.ndarray[Any, Any]]]:
    """The outputs of each job, as new arrays whose last axis is dimension 0."""
    with tempfile.TemporaryDirectory() as folder:
        return _run(jobs, Path(folder), target)


def _dtype(type: Type) -> np.dtype[Any]:
    return np.dtype(np.uint16) if type.code == "bfloat" else dtype_of(type)


def _run(jobs: Sequence[Job], folder: Path, target: str) -> list[list[np.ndarray[Any, Any]]]:
    objects, code, data = [], [_HEAD], bytearray()
    buffers: list[list[tuple[Argument, tuple[int, ...]]]] = []
    for number, job in enumerate(jobs):
        fn = dataclasses.replace(job.fn, name=f"job{number}")
        path = folder / f"job{number}.o"
        emit(fn, "object", path, target)
        objects.append(str(path))
        text, outputs = _call(fn, job.values, number, data)
        code.append(text)
        buffers.append(outputs)
    calls = "".join(f"    call{number}();\n" for number in range(len(jobs)))
    code.append(
        'int main(int argc, char **argv) {\n    in = fopen(argv[1], "rb");\n'
        f'    out = fopen(argv[2], "wb");\n{calls}    return fclose(out) || argc != 3;\n}}\n'
    )
    (folder / "main.c").write_text("\n".join(code))
    (folder / "in").write_bytes(data)
    program = folder / "program"
    _checked([LINKER, "-static", "-O0", "-w", "-o", program, folder / "main.c", *objects, "-lm"])
    _checked([EMULATOR, program, folder / "in", folder / "out"])
    return _results((folder / "out").read_bytes(), buffers)


def _checked(command: Sequence[Any]) -> None:
    environment = {**os.environ, "LIFT_NUM_THREADS": "2"}
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, timeout=300, env=environment
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace")[-2000:]
        raise RunFailed(f"{Path(str(command[0])).name} exits with {done.returncode}: {said}")


def _call(
    fn: LoweredFunction, values: Sequence[Any], number: int, data: bytearray
) -> tuple[str, list[tuple[Argument, tuple[int, ...]]]]:
    """C code that calls `fn` on what it reads from the input, to which `data` is extended."""
    if len(values) != len(fn.args):
        raise ValueError(f"{fn.name} takes {len(fn.args)} arguments, not {len(values)}")
    lines, passed, written, types = [], [], [], []
    outputs: list[tuple[Argument, tuple[int, ...]]] = []
    for position, (argument, value) in enumerate(zip(fn.args, values, strict=True)):
        name = f"b{position}"
        if not argument.is_buffer:
            type, text = _scalar(argument.type, value)
            types.append(type)
            lines.append(f"    {type} {name} = {text};")
            passed.append(name)
            continue
        buffer = BufferArgument.of(value, argument.name)
        content = buffer.array.T.tobytes()
        data += content
        shape, stride, dims = buffer.array.shape, 1, []
        for low, extent in zip(buffer.mins, shape, strict=True):
            dims.append(f"{{{low}, {extent}, {stride}, 0}}")
            stride *= extent
        dimensions = ", ".join(dims) or "{0, 0, 0, 0}"
        lines.append(f"    struct halide_dimension_t d{position}[] = {{{dimensions}}};")
        lines.append(
            f"    struct halide_buffer_t {name} = {{0, 0, block({len(content)}), 0, "
            f"{_type_word(argument.type)}, {len(shape)}, d{position}, 0}};"
        )
        types.append("struct halide_buffer_t *")
        passed.append(f"&{name}")
        if argument.is_output:
            outputs.append((argument, tuple(reversed(shape))))
            written.append(f"    fwrite({name}.host, 1, {len(content)}, out);")
    head = f"int {fn.name}({', '.join(types) or 'void'});\nstatic void call{number}(void) {{"
    call = f"    done({fn.name}({', '.join(passed)}));"
    return "\n".join([head, *lines, call, *written, "}"]), outputs


def _type_word(type: Type) -> int:
    from compiler.codegen.buffers import type_word

    return type_word(type)


def _scalar(type: Type, value: Any) -> tuple[str, str]:
    """The C type and an exact C literal of a number."""
    if type.is_float:
        if type.bits == 32:
            bits = struct.unpack("<I", struct.pack("<f", value))[0]
            return "float", f"((union {{uint32_t i; float f;}}){{{bits}u}}).f"
        if type.bits == 64:
            bits = struct.unpack("<Q", struct.pack("<d", value))[0]
            return "double", f"((union {{uint64_t i; double f;}}){{{bits}ull}}).f"
        raise TypeError(f"no C number of type {type}")
    if type.is_bool:
        return "bool", str(int(value))
    suffix = "ull" if type.is_uint else "ll"
    written = str(int(value)) + suffix
    if int(value) == -(1 << 63):
        written = f"({int(value) + 1}ll - 1)"
    return f"{'u' if type.is_uint else ''}int{type.bits}_t", written


def _results(
    content: bytes, buffers: Sequence[Sequence[tuple[Argument, tuple[int, ...]]]]
) -> list[list[np.ndarray[Any, Any]]]:
    made, place = [], 0
    for number, outputs in enumerate(buffers):
        (status,) = struct.unpack_from("<i", content, place)
        place += 4
        if status:
            raise RunFailed(f"pipeline {number} returned {status}")
        arrays = []
        for argument, shape in outputs:
            dtype, count = _dtype(argument.type), int(np.prod(shape, dtype=np.int64))
            arrays.append(np.frombuffer(content, dtype, count, place).reshape(shape).copy())
            place += count * dtype.itemsize
        made.append(arrays)
    return made
