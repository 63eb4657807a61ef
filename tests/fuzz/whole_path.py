"""C++ text the whole way to machine code, beside the same text compiled by g++.

`WholePath.lift` lifts, emits and builds one kernel. `WholePath.link` compiles the originals, the
generated headers and the built archives into one library whose guarded entries are called on one
arena of bytes, so that pointers may overlap in any way; a second library has the originals under
g++'s sanitizer with handlers of ours, which say whether a call was defined at all.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from lifter.build import build_function
from lifter.diagnostic import LiftError
from lifter.emit.emit import emit
from lifter.lift_function import LiftOptions, lift_kernel
from lifter.lifted import FunctionResult
from lifter.parse import parse_file
from tests.fuzz.legacy_kernels import LegacyKernel

PRELUDE = """\
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>
"""
OPTIONS = ("-std=c++17", "-O1", "-ffp-contract=off", "-DNDEBUG", "-w", "-shared", "-fPIC")
SEARCH_BUDGET = 20_000
"""What is found shorter is tested with the corpus, which has the whole budget."""
CHECKS = ("signed-integer-overflow", "shift", "integer-divide-by-zero", "bounds",
           "float-cast-overflow", "bool")  # fmt: skip
HANDLERS = ("add_overflow", "sub_overflow", "mul_overflow", "negate_overflow", "divrem_overflow",
             "shift_out_of_bounds", "out_of_bounds", "float_cast_overflow",
             "load_invalid_value")  # fmt: skip

Function = Callable[..., int]


@dataclass(frozen=True, slots=True)
class Built:
    """A proved kernel and the folder of its files."""

    kernel: LegacyKernel
    result: FunctionResult
    folder: Path


@dataclass
class WholePath:
    """What was lifted in one temporary folder."""

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="lift_fuzz_")))
    built: list[Built] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    """Name of a kernel to the code of its diagnostic."""

    def lift(self, kernel: LegacyKernel, timeout: float = 10.0) -> Built | None:
        """None, and an entry in `refused`, where the kernel isn't proved."""
        source = self.folder / f"{kernel.name}.cpp"
        source.write_text(PRELUDE + kernel.source)
        parsed = parse_file(str(source))
        chosen = next((k for k in parsed.kernels if k.name == kernel.name), None)
        if chosen is None:
            self.refused[kernel.name] = "; ".join(d.code for d in parsed.diagnostics)
            return None
        result = lift_kernel(chosen, LiftOptions(timeout=timeout, search_budget=SEARCH_BUDGET))
        if result.status != "proved":
            assert result.diagnostic is not None
            self.refused[kernel.name] = result.diagnostic.code
            return None
        folder = self.folder / kernel.name
        try:
            emit(result, folder)
        except LiftError as error:
            self.refused[kernel.name] = error.diagnostic.code
            return None
        build_function(folder)
        self.built.append(Built(kernel, result, folder))
        return self.built[-1]

    def link(self) -> Libraries:
        """All built kernels beside their originals. Raises `RuntimeError` with g++'s words."""
        sources = [f'#include "{self.folder / b.kernel.name}.cpp"\n' for b in self.built]
        headers = [f'#include "{b.folder / b.kernel.name}.h"\n' for b in self.built]
        archives = [str(b.folder / f"lib{b.kernel.name}.a") for b in self.built]
        both = [_entry(b.kernel, guarded=True) for b in self.built]
        alone = [_entry(b.kernel, guarded=False) for b in self.built]
        handlers = "".join(
            f'extern "C" void __ubsan_handle_{name}() {{ undefined = 1; }}\n' for name in HANDLERS
        )
        flag = 'extern "C" int undefined; int undefined;\n'
        text = "".join((*sources, *headers, *both))
        guarded = _compiled(self.folder / "guarded", text, "-fwrapv", after=archives)
        checks = f"-fsanitize={','.join(CHECKS)}"
        handlers_object = self.folder / "handlers.o"
        handlers_source = self.folder / "handlers.cpp"
        handlers_source.write_text(flag + handlers)
        run("g++", "-c", "-fPIC", str(handlers_source), "-o", str(handlers_object))
        text = "".join((*sources, *alone))
        checked = _compiled(
            self.folder / "checked", text, checks, after=[str(handlers_object)], link_apart=True
        )
        return Libraries(guarded, checked)


@dataclass(frozen=True)
class Libraries:
    """Calls: `numbers` are offsets into the arena for arrays, then the scalars."""

    guarded: ctypes.CDLL
    checked: ctypes.CDLL

    def original(self, name: str, arena: ctypes.Array[ctypes.c_char], numbers: list[float]) -> None:
        self._call(self.guarded, f"original_{name}", arena, numbers)

    def lifted(self, name: str, arena: ctypes.Array[ctypes.c_char], numbers: list[float]) -> bool:
        """Calls the guarded entry; whether the lifted code ran."""
        return bool(self._call(self.guarded, f"guarded_{name}", arena, numbers))

    def is_defined(
        self, name: str, arena: ctypes.Array[ctypes.c_char], numbers: list[float]
    ) -> bool:
        flag = ctypes.c_int.in_dll(self.checked, "undefined")
        flag.value = 0
        self._call(self.checked, f"original_{name}", arena, numbers)
        return flag.value == 0

    @staticmethod
    def _call(
        library: ctypes.CDLL, name: str, arena: ctypes.Array[ctypes.c_char], numbers: list[float]
    ) -> int:
        passed = (ctypes.c_double * len(numbers))(*numbers)
        result: int = library[name](arena, passed)
        return result


def _entry(kernel: LegacyKernel, *, guarded: bool) -> str:
    count = len(kernel.arrays)
    given = [f"({t} *)(arena + (long)v[{i}])" for i, (_, t) in enumerate(kernel.arrays)]
    given += [f"({t})v[{count + i}]" for i, (_, t) in enumerate(kernel.scalars)]
    name, passed = kernel.name, ", ".join(given)
    head = "(char *arena, const double *v)"
    text = f'extern "C" int original_{name}{head} {{ {name}({passed}); return 0; }}\n'
    if guarded:
        text += (
            f'extern "C" int guarded_{name}{head} {{ int yes = {name}_admits({passed}); '
            f"{name}_guarded({passed}); return yes; }}\n"
        )
    return text


def _compiled(
    stem: Path, text: str, *options: str, after: list[str], link_apart: bool = False
) -> ctypes.CDLL:
    source, library = stem.with_suffix(".cpp"), stem.with_suffix(".so")
    source.write_text(text)
    if link_apart:  # the sanitizer's own library must stay out
        made = str(stem.with_suffix(".o"))
        compile_only = [o for o in OPTIONS if o != "-shared"]
        run("g++", *compile_only, *options, "-c", str(source), "-o", made)
        run("g++", "-shared", made, *after, "-o", str(library))
    else:
        run("g++", *OPTIONS, *options, str(source), *after, "-lm", "-lpthread", "-o", str(library))
    return ctypes.CDLL(str(library))


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
