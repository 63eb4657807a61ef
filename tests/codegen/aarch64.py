"""Runs pipelines as AArch64 machine code under qemu, many in one start of it.

Each pipeline becomes an object for aarch64-linux, made with nothing but LLVM; a C program written
here calls them one after the other on buffers that end where an unreadable page starts, so that a
byte read or written past the end of one is a crash.
"""

from __future__ import annotations

import dataclasses
import math
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
from compiler.frontend.output_regions import grown
from compiler.ir import Type, dtype_of
from compiler.ir.stmts import Argument, LoweredFunction
from compiler.lang.argument import value_of
from compiler.lang.buffer import Buffer

LINKER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"
TARGET = "aarch64"
TIMEOUT = 300.0
"""Seconds for all pipelines of one start of the emulator."""
DIFFERS = -1000
"""The status of a pipeline that leaves other bytes than it did at first."""
_WORD = 4
"""Bytes of a status, which the program writes before the outputs of a pipeline and after them."""

_HEAD = r"""
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
static void done(int32_t status) { fwrite(&status, 4, 1, out); fflush(out); }
/* Keeps the bytes of round 0 and clears them for the next; whether those of later rounds are the
   same. */
static int first(uint8_t *host, size_t bytes, int round, uint8_t **copy) {
    if (!round) memcpy(*copy = malloc(bytes + 1), host, bytes);
    int same = !memcmp(*copy, host, bytes);
    if (round + 1 < ROUNDS) memset(host, 0xa5, bytes);
    return same;
}
"""


def missing() -> str | None:
    """What this machine lacks to run AArch64 code, in words; None where it has all of it."""
    absent = [tool for tool in (LINKER, EMULATOR) if shutil.which(tool) is None]
    return f"{' and '.join(absent)} not installed" if absent else None


@dataclasses.dataclass(frozen=True)
class Job:
    """A lowered function and one value for each of its arguments: a number, an array whose last
    axis is dimension 0, or whatever else `BufferArgument.of` takes.

    Of larger outputs, only the region [0, size) counts, if `size` is there.
    """

    fn: LoweredFunction
    values: Sequence[Any]
    size: tuple[int, ...] | None = None


@dataclasses.dataclass(frozen=True)
class CompiledJob:
    """A job as machine code, which may be handed from one process to another."""

    symbol: str
    object: bytes
    arguments: tuple[Argument, ...]
    values: Sequence[Any]
    size: tuple[int, ...] | None


@dataclasses.dataclass(frozen=True)
class Output:
    """An output buffer that the program writes to its file, dimension 0 first."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    mins: tuple[int, ...]
    size: tuple[int, ...] | None

    @property
    def length(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize

    def asked(self, content: bytes) -> np.ndarray[Any, Any]:
        """The region that was asked for, as an array whose last axis is dimension 0."""
        whole = np.frombuffer(content, self.dtype).reshape(self.shape[::-1])
        if self.size is not None:
            steps = [slice(-m, n - m) for m, n in zip(self.mins, self.size, strict=True)]
            whole = whole[tuple(reversed(steps))]
        return whole.copy()


class RunFailed(AssertionError):
    """The program could not be linked, crashed, or a pipeline returned an error.

    `number` is the place of the pipeline at which it ended, if that is known.
    """

    def __init__(self, message: str, number: int | None = None) -> None:
        super().__init__(message)
        self.number = number


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
    jobs = [
        job_of(pipeline, given or {}, size, target)
        for pipeline, given, size in zip(pipelines, inputs, sizes, strict=True)
    ]
    return run_jobs(jobs, target)


def job_of(
    pipeline: Any, given: Mapping[str, Any], size: Sequence[int], target: str = TARGET
) -> Job:
    """A `Func` or `Pipeline` lowered for `target`; `given` and `size` as above."""
    fn = pipeline.lowered("", None, Target.parse(target))
    values = []
    for argument, source in zip(fn.args, pipeline.argument_sources(), strict=False):
        value = given[argument.name] if argument.name in given else value_of(source)
        values.append(Buffer(value) if isinstance(value, np.ndarray) else value)
    asked = [
        Buffer(np.zeros(tuple(reversed(size)), _dtype(a.type))) for a in fn.args if a.is_output
    ]
    # Loops that end in whole vectors write more than was asked for.
    whole, _ = grown(fn, values, asked)
    # A buffer doesn't go into another process, its array does.
    plain = [
        BufferArgument.of(value, argument.name) if argument.is_buffer else value
        for argument, value in zip(fn.args, [*values, *whole], strict=True)
    ]
    return Job(fn, plain, tuple(size))


def run_jobs(jobs: Sequence[Job], target: str = TARGET) -> list[list[np.ndarray[Any, Any]]]:
    """The outputs of each job, as new arrays whose last axis is dimension 0."""
    return run_compiled([compiled(job, f"job{n}", target) for n, job in enumerate(jobs)])


def compiled(job: Job, symbol: str, target: str = TARGET) -> CompiledJob:
    """The job's object file, in which its function is called `symbol`."""
    fn = dataclasses.replace(job.fn, name=symbol)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "job.o"
        emit(fn, "object", path, target)
        return CompiledJob(symbol, path.read_bytes(), tuple(fn.args), job.values, job.size)


def run_compiled(
    jobs: Sequence[CompiledJob], times: int = 1, threads: int = 2
) -> list[list[np.ndarray[Any, Any]]]:
    """Links all jobs into one program and runs it once; results as `run_jobs` gives them.

    With `times`, each is called so often, and must leave the same bytes every time. Raises
    `RunFailed`.
    """
    with tempfile.TemporaryDirectory() as folder:
        return _run(jobs, Path(folder), times, threads)


def foreign_symbols(jobs: Sequence[CompiledJob]) -> set[str]:
    """What the jobs' objects need that neither the C library nor its mathematics have."""
    libraries = []
    for name in ("libc.so.6", "libm.so.6"):
        found = subprocess.run(
            [LINKER, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        )
        libraries.append(found.stdout.strip())
    known = {name.split("@")[0] for name in _symbols(["-D", "--defined-only", *libraries])}
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{job.symbol}.o" for job in jobs]
        for path, job in zip(paths, jobs, strict=True):
            path.write_bytes(job.object)
        return _symbols(["--undefined-only", *map(str, paths)]) - known


def _symbols(words: Sequence[str]) -> set[str]:
    command = [LINKER.removesuffix("gcc") + "nm", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    return {words[-1] for words in lines if len(words) > 1}


def _dtype(type: Type) -> np.dtype[Any]:
    return np.dtype(np.uint16) if type.code == "bfloat" else dtype_of(type)


def _run(
    jobs: Sequence[CompiledJob], folder: Path, times: int, threads: int
) -> list[list[np.ndarray[Any, Any]]]:
    objects, data = [], bytearray()
    code = [f"#define ROUNDS {times}\n{_HEAD}"]
    buffers: list[list[Output]] = []
    for job in jobs:
        path = folder / f"{job.symbol}.o"
        path.write_bytes(job.object)
        objects.append(str(path))
        text, outputs = _call(job, times, data)
        code.append(text)
        buffers.append(outputs)
    calls = "".join(f"    call_{job.symbol}();\n" for job in jobs)
    code.append(
        'int main(int argc, char **argv) {\n    in = fopen(argv[1], "rb");\n'
        f'    out = fopen(argv[2], "wb");\n{calls}    return fclose(out) || argc != 3;\n}}\n'
    )
    (folder / "main.c").write_text("\n".join(code))
    (folder / "in").write_bytes(data)
    program, out = folder / "program", folder / "out"
    _checked(
        [LINKER, "-static", "-O0", "-w", "-o", program, folder / "main.c", *objects, "-lm"], {}
    )
    out.touch()
    failure: RunFailed | None = None
    try:
        _checked([EMULATOR, program, folder / "in", out], {"LIFT_NUM_THREADS": str(threads)})
    except RunFailed as error:
        failure = error
    return _results(out.read_bytes(), buffers, failure)


def _checked(command: Sequence[Any], more: Mapping[str, str]) -> None:
    environment = {**os.environ, **more}
    words, name = [str(word) for word in command], Path(str(command[0])).name
    try:
        done = subprocess.run(words, capture_output=True, timeout=TIMEOUT, env=environment)
    except subprocess.TimeoutExpired as error:
        raise RunFailed(f"{name} does not end within {TIMEOUT} seconds") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace")[-2000:]
        raise RunFailed(f"{name} exits with {done.returncode}: {said}")


def _call(job: CompiledJob, times: int, data: bytearray) -> tuple[str, list[Output]]:
    """C code that calls the job on what it reads from the input, to which `data` is extended."""
    if len(job.values) != len(job.arguments):
        count = len(job.arguments)
        raise ValueError(f"{job.symbol} takes {count} arguments, not {len(job.values)}")
    lines, passed, written, types, kept = [], [], [], [], []
    pairs = zip(job.arguments, job.values, strict=True)
    outputs: list[Output] = []
    for position, (argument, value) in enumerate(pairs):
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
            outputs.append(Output(_dtype(argument.type), shape, buffer.mins, job.size))
            kept.append(f"first({name}.host, {len(content)}, i, &copy{position})")
            lines.append(f"    uint8_t *copy{position} = 0;")
            written.append(f"    fwrite({name}.host, 1, {len(content)}, out);")
    head = f"int {job.symbol}({', '.join(types) or 'void'});"
    called = f"{job.symbol}({', '.join(passed)})"
    rounds = [
        f"    for (int i = 0; i < {times} && !status; i++) {{",
        f"        status = {called};",
        f"        if (!status && {times} > 1 && !({' & '.join(kept)})) status = {DIFFERS};",
        "    }",
    ]
    body = [*lines, "    int status = 0;", *rounds, "    done(status);", *written, "    done(0);"]
    return "\n".join([head, f"static void call_{job.symbol}(void) {{", *body, "}"]), outputs


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
    content: bytes,
    buffers: Sequence[Sequence[Output]],
    failure: RunFailed | None,
) -> list[list[np.ndarray[Any, Any]]]:
    """Takes apart what the program wrote; `failure` is how it ended early, if it did."""
    made, place = [], 0
    for number, outputs in enumerate(buffers):
        sizes = [output.length for output in outputs]
        if len(content) < place + sum(sizes) + 2 * _WORD:
            raise RunFailed(f"pipeline {number}: {failure}", number)
        (status,) = struct.unpack_from("<i", content, place)
        if status:
            raise RunFailed(f"pipeline {number} returned {status}", number)
        place += _WORD
        arrays = []
        for output, size in zip(outputs, sizes, strict=True):
            arrays.append(output.asked(content[place : place + size]))
            place += size
        place += _WORD
        made.append(arrays)
    if failure is not None:
        raise failure
    return made
