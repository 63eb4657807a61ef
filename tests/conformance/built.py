"""Many proved kernels as machine code: one library of them all, and calls on exact memory.

Each array of a call is the elements that the original touches and no more, between pages that
nobody may touch, and can't be written where the original writes nothing.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from compiler.codegen.library import build_library
from compiler.codegen.target import Target
from lifter.build.build import lowered
from lifter.emit.emit import emit
from lifter.emit.header import header_text
from lifter.emit.interface import load_interface
from lifter.model.kernel import Kernel
from lifter.model.lifted import FunctionResult
from lifter.verify.cases import Case, run_case
from tests.end_to_end.original import Original, may_be_called
from tests.fenced import Say, told_by_child
from tests.fuzz.whole_path import run

_COMPILERS = {"c": ("gcc", "-std=gnu99"), "cpp": ("g++", "-std=c++17")}


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
    found: dict[str, str] = {}
    left = list(built)
    while left:
        child = told_by_child(lambda say, left=left: _run(library, left, say))  # type: ignore[misc]
        seen = [line.split(" ", 1) for line in child.said.splitlines()]
        found.update((words[0], words[1]) for words in seen if len(words) == 2)
        if not child.signal:
            break
        at = next(n for n, one in enumerate(left) if one.kernel.name == seen[-1][0])
        found.setdefault(seen[-1][0], f"as machine code, a call ended by signal {child.signal}")
        left = left[at + 1 :]
    return found


def _linked(source: Path, built: Sequence[Built]) -> Path:
    """A library of all kernels' guarded code, named as that of originals is; `left_out` is a
    number that says whether a guard has refused a call."""
    language = source.suffix[1:]
    names = [one.kernel.name for one in built]
    entries = [f'#include "{source.resolve()}"\n']
    entries += [f'#include "{one.folder / one.kernel.name}.h"\n' for one in built]
    entries.append('extern "C" int left_out = 0;\n' if language == "cpp" else "int left_out = 0;\n")
    entries += [_entry(one, language) for one in built]
    text = source.with_name(f"entries.{language}")
    text.write_text("".join(entries))
    made, library = text.with_suffix(".o"), source.with_name(f"{names[0]}-{names[-1]}.so")
    compiler = _COMPILERS[language]
    run(*compiler, "-O0", "-DNDEBUG", "-w", "-fPIC", "-c", str(text), "-o", str(made))
    archives = [str(one.folder / f"lib{one.kernel.name}.a") for one in built]
    run("g++", "-shared", str(made), *archives, "-lm", "-lpthread", "-o", str(library))
    return library


def _entry(one: Built, language: str) -> str:
    name, element = one.kernel.name, one.kernel.params[0].spelling.removesuffix("*").strip()
    opening = 'extern "C" ' if language == "cpp" else ""
    return (
        f"{opening}void lift_test_{name}({element} *d, const {element} *s, int n, int k)\n"
        f"{{\n    if ({name}_admits(d, s, n, k)) {name}_lifted(d, s, n, k);\n"
        f"    else left_out = 1;\n}}\n"
    )


def _run(library: Path, built: Sequence[Built], say: Say) -> None:
    """Calls all kernels; a line for each that is begun, one with more words if it is wrong."""
    loaded = ctypes.CDLL(str(library))
    for one in built:
        say(f"{one.kernel.name}\n")
        wrong = next(_wrong(loaded, one), None)
        if wrong is not None:
            say(f"{one.kernel.name} {wrong}\n")


def _wrong(library: ctypes.CDLL, one: Built) -> Iterator[str]:
    lifted, left_out = Original(library), ctypes.c_int.in_dll(library, "left_out")
    for number, case in enumerate(one.inputs):
        outcome = run_case(one.kernel, case)
        if not may_be_called(outcome):
            continue
        found = lifted.differences(one.kernel, case, outcome, fenced=number % 2 == 0)
        if left_out.value:
            yield f"the guard doesn't admit {case}"
        yield from (f"as machine code, {case}: {text}" for text in found)
