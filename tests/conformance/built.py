"""Many proved kernels as machine code: one library of them all, and calls on exact memory.

Each array of a call is the elements that the original touches and no more, between pages that
nobody may touch, and can't be written where the original writes nothing.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from compiler.codegen.library import build_library
from compiler.codegen.target import Target
from compiler.ir import dtype_of
from lifter.build import lowered
from lifter.emit.emit import emit
from lifter.emit.header import header_text
from lifter.emit.interface import load_interface
from lifter.lifted import FunctionResult
from lifter.parse import Kernel
from lifter.verify.cases import Case, run_case
from lifter.verify.interpret import Outcome
from lifter.verify.memory import POISON
from tests.end_to_end.original import may_be_called
from tests.fenced import fenced, in_child
from tests.fuzz.whole_path import run

_COMPILERS = {"c": ("gcc", "-std=gnu99"), "cpp": ("g++", "-std=c++17")}
_LIBC = ctypes.CDLL(None, use_errno=True)
_READ_ONLY = 1


@dataclass(frozen=True)
class Built:
    """A proved kernel whose object lies in `folder`, with the inputs that it is called on."""

    kernel: Kernel
    folder: Path
    inputs: Sequence[Case]


def build(kernel: Kernel, result: FunctionResult, folder: Path, inputs: Iterable[Case]) -> Built:
    """Compiles what a kernel was lifted to, without linking. Raises what `lowered` raises."""
    own = folder / kernel.name
    emit(result, own)
    interface, machine = load_interface(own), Target.host()
    made = lowered(own, interface, machine)
    header = header_text(interface)
    build_library(made.fn, made.entry, own, machine, stem=kernel.name, header=header, shared=False)
    return Built(kernel, own, list(inputs))


def differences(source: Path, built: Sequence[Built]) -> dict[str, str]:
    """What each kernel that is wrong as machine code does wrong, by the kernel's name.

    Calls go through the guard, which must admit them. Raises `RuntimeError` with the compiler's
    words where headers or objects don't fit together.
    """
    if not built:
        return {}
    library = _linked(source, built)
    progress = library.with_suffix(".progress")
    found: dict[str, str] = {}
    left = list(built)
    while left:
        progress.write_text("")
        signal = in_child(lambda left=left: _run(library, left, progress))  # type: ignore[misc]
        seen = [line.split(" ", 1) for line in progress.read_text().splitlines()]
        found.update((words[0], words[1]) for words in seen if len(words) == 2)
        if not signal:
            break
        at = next(n for n, one in enumerate(left) if one.kernel.name == seen[-1][0])
        found.setdefault(seen[-1][0], f"as machine code, a call ended by signal {signal}")
        left = left[at + 1 :]
    return found


def _linked(source: Path, built: Sequence[Built]) -> Path:
    """A library with `admits_NAME` and `NAME_lifted` of all kernels."""
    language = source.suffix[1:]
    names = [one.kernel.name for one in built]
    entries = [f'#include "{source.resolve()}"\n']
    entries += [f'#include "{one.folder / one.kernel.name}.h"\n' for one in built]
    opening = 'extern "C" ' if language == "cpp" else ""
    entries += [f"{opening}int admits_{n}(ARGUMENTS) {{ return {n}_admits(d, s, m, k); }}\n"
                .replace("ARGUMENTS", "void *d, const void *s, int m, int k")
                .replace("_admits(d, s", f"_admits(({_type(one)} *)d, (const {_type(one)} *)s")
                for n, one in zip(names, built, strict=True)]  # fmt: skip
    text = source.with_name(f"entries.{language}")
    text.write_text("".join(entries))
    made, library = text.with_suffix(".o"), source.with_name(f"{names[0]}-{names[-1]}.so")
    compiler = _COMPILERS[language]
    run(*compiler, "-O0", "-DNDEBUG", "-w", "-fPIC", "-c", str(text), "-o", str(made))
    archives = [str(one.folder / f"lib{one.kernel.name}.a") for one in built]
    whole = ("-Wl,--whole-archive", *archives, "-Wl,--no-whole-archive")
    run("g++", "-shared", str(made), *whole, "-lm", "-lpthread", "-o", str(library))
    return library


def _type(one: Built) -> str:
    return one.kernel.params[0].spelling.removesuffix("*").strip()


def _run(library: Path, built: Sequence[Built], progress: Path) -> None:
    """Calls all kernels; a line for each that is begun, one with more words if it is wrong."""
    loaded = ctypes.CDLL(str(library))
    with progress.open("w") as told:
        for one in built:
            told.write(f"{one.kernel.name}\n")
            told.flush()
            wrong = next(_wrong(loaded, one), None)
            if wrong is not None:
                told.write(f"{one.kernel.name} {wrong}\n")
                told.flush()


def _wrong(library: ctypes.CDLL, one: Built) -> Iterator[str]:
    name = one.kernel.name
    admits, lifted = library[f"admits_{name}"], library[f"{name}_lifted"]
    lifted.restype = None
    for number, case in enumerate(one.inputs):
        outcome = run_case(one.kernel, case)
        if not may_be_called(outcome):
            continue
        arrays = {a: _Exact(case, outcome, a, bool(number % 2)) for a in ("d", "s")}
        arguments = [
            *(ctypes.c_void_p(arrays[a].pointer) for a in ("d", "s")),
            *(ctypes.c_int(int(case.scalars[a])) for a in ("n", "k")),
        ]
        if not admits(*arguments):
            yield f"the guard doesn't admit {case}"
            continue
        lifted(*arguments)
        for array in arrays.values():
            yield from (f"as machine code, {case}: {text}" for text in array.differences())


class _Exact:
    """The elements of one array that the original touches, in memory of their own."""

    def __init__(self, case: Case, outcome: Outcome, name: str, at_end: bool) -> None:
        self.name, self.after = name, outcome.arrays[name]
        before = case.memories()[name]
        touched = [at for (at,) in self.after.touched()]
        self.first = min(touched, default=0)
        count = max(touched, default=self.first - 1) + 1 - self.first
        kind: Any = dtype_of(before.type)
        self.values = fenced((count,), kind, at_end=at_end)
        for offset in range(count):
            self.values[offset] = before.peek((self.first + offset,))
        self.before = self.values.copy()
        address = int(self.values.ctypes.data) if count else 4096
        self.pointer = address - self.first * kind.itemsize
        if count and not self.after.written:
            page = address & -4096
            size = address + self.values.nbytes - page
            if _LIBC.mprotect(ctypes.c_void_p(page), ctypes.c_size_t(size), _READ_ONLY):
                raise OSError(ctypes.get_errno(), "mprotect")

    def differences(self) -> Iterator[str]:
        for offset, (before, value) in enumerate(zip(self.before, self.values, strict=True)):
            at = self.first + offset
            expected = self.after.cells[(at,)] if (at,) in self.after.written else before
            if expected is not POISON and not _same(expected, value):
                yield f"{self.name}[{at}] is {value!r}, not {expected!r}"


def _same(a: Any, b: Any) -> bool:
    """Equal as bits, but for the payload of a NaN."""
    if isinstance(b, np.floating):
        return bool((np.isnan(a) and np.isnan(b)) or (a == b and np.signbit(a) == np.signbit(b)))
    return bool(a == b)
