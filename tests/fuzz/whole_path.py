"""C++ text the whole way to machine code, beside the same text compiled by g++.

`WholePath.lift` lifts, emits and builds one kernel. `WholePath.link` compiles the originals, the
generated headers and the built archives into one library of guarded entries, which are called on
arrays at any addresses; a second library has the originals under g++'s sanitizers with functions of
ours behind them, which say whether a call was defined at all, and what it touched.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from lifter.build.build import build_function
from lifter.emit.emit import emit
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.diagnostic import LiftError
from lifter.model.lifted import FunctionResult
from lifter.parse import parse_file
from tests.end_to_end.recorder import THREAD, WRAPPED, record
from tests.fenced import Array
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
OPTIONS = ("-ffp-contract=off", "-DNDEBUG", "-w", "-fPIC", "-c")
SEARCH_BUDGET = 20_000
"""What is found shorter is tested with the corpus, which has the whole budget."""
CHECKS = ("signed-integer-overflow", "shift", "integer-divide-by-zero", "bounds",
           "float-cast-overflow", "bool")  # fmt: skip
HANDLERS = ("add_overflow", "sub_overflow", "mul_overflow", "negate_overflow", "divrem_overflow",
             "shift_out_of_bounds", "out_of_bounds", "float_cast_overflow",
             "load_invalid_value")  # fmt: skip

GUARDED = ("-O1", "-fwrapv")
"""Options of the originals, and of the entries that call lifted code or them."""
CHECKED = (*THREAD, f"-fsanitize={','.join(CHECKS)}")
"""Options of originals that say whether a call was defined, and what it touched."""
ENTRY = "char *arena, const double *v, void **tables"
"""Parameters of a C function that makes a call: see `Places`."""
TABLE_ROWS = 64


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
            build_function(folder)
        except LiftError as error:
            self.refused[kernel.name] = error.diagnostic.code
            return None
        self.built.append(Built(kernel, result, folder))
        return self.built[-1]

    def link(self) -> Libraries:
        """All built kernels beside their originals. Raises `RuntimeError` with g++'s words."""
        sources = [f'#include "{self.folder / b.kernel.name}.cpp"\n' for b in self.built]
        headers = [f'#include "{b.folder / b.kernel.name}.h"\n' for b in self.built]
        archives = [str(b.folder / f"lib{b.kernel.name}.a") for b in self.built]
        both = [_entry(b.kernel, guarded=True) for b in self.built]
        alone = [_entry(b.kernel, guarded=False) for b in self.built]
        guarded = self.folder / "guarded.so"
        linked(guarded, [self._object("guarded", [*sources, *headers, *both], GUARDED)], archives)
        checked = [self._object("checked", [*sources, *alone], CHECKED)]
        return Libraries.loaded(guarded, linked_for_checks(self.folder, checked))

    def _object(self, stem: str, text: list[str], options: Sequence[str]) -> str:
        source = self.folder / f"{stem}.cpp"
        source.write_text("".join(text))
        run("g++", "-std=c++17", *OPTIONS, *options, str(source), "-o", f"{source}.o")
        return f"{source}.o"


def linked(library: Path, objects: Sequence[str], archives: Sequence[str] = ()) -> None:
    """Raises `RuntimeError` with g++'s words."""
    command = ("g++", "-shared", *objects, *archives, "-lm", "-lpthread", "-o", str(library))
    run(*command, *((WRAPPED,) if not archives else ()))


def linked_for_checks(folder: Path, objects: Sequence[str]) -> Path:
    """The originals that were compiled with `CHECKED`, with handlers of ours."""
    handlers = folder / "handlers.c"
    handlers.write_text(
        "int undefined;\n"
        + "".join(f"void __ubsan_handle_{n}() {{ undefined = 1; }}\n" for n in HANDLERS)
    )
    run("gcc", "-w", "-fPIC", "-c", str(handlers), "-o", f"{handlers}.o")
    linked(folder / "checked.so", [*objects, f"{handlers}.o"])
    return folder / "checked.so"


@dataclass(frozen=True)
class Places:
    """What a call is given: `numbers` are offsets of the arrays from the address `base`, then the
    scalars; `tables` are the addresses of the kernel's tables of row pointers."""

    base: int
    numbers: Sequence[float]
    tables: Sequence[int]


@dataclass(frozen=True)
class Libraries:
    """The originals and the guarded entries, and the originals that are checked and recorded."""

    guarded: ctypes.CDLL
    checked: ctypes.CDLL

    @staticmethod
    def loaded(guarded: Path, checked: Path) -> Libraries:
        return Libraries(ctypes.CDLL(str(guarded)), ctypes.CDLL(str(checked)))

    def original(self, name: str, places: Places) -> None:
        _call(self.guarded, f"original_{name}", places)

    def lifted(self, name: str, places: Places) -> bool:
        """Calls the guarded entry; whether the lifted code ran."""
        return bool(_call(self.guarded, f"guarded_{name}", places))

    def tables(self, kernel: LegacyKernel, base: int, numbers: Sequence[float]) -> list[Array]:
        """The pointers of each of the kernel's tables of rows."""
        made = [np.zeros(TABLE_ROWS, np.uint64) for _ in kernel.tables]
        if made:
            addresses = [table.ctypes.data for table in made]
            _call(self.guarded, f"tables_{kernel.name}", Places(base, numbers, addresses))
        return made

    def touched(
        self, name: str, arena: Array, numbers: Sequence[float], tables: Sequence[Array]
    ) -> list[Array] | None:
        """Calls the original; what it does to each byte of the arena and of the tables, as READ and
        WRITTEN bits. None where the call isn't defined."""
        buffers = {str(n): buffer for n, buffer in enumerate((arena, *tables))}
        marks = {n: np.zeros(buffer.nbytes, np.uint8) for n, buffer in buffers.items()}
        places = Places(arena.ctypes.data, numbers, [table.ctypes.data for table in tables])
        flag = ctypes.c_int.in_dll(self.checked, "undefined")
        flag.value = 0
        call = partial(_call, self.checked, f"original_{name}", places)
        record(self.checked, buffers, marks, call)
        return None if flag.value else list(marks.values())


def _call(library: ctypes.CDLL, name: str, places: Places) -> int:
    passed = (ctypes.c_double * len(places.numbers))(*places.numbers)
    tables = (ctypes.c_void_p * len(places.tables))(*places.tables)
    result: int = library[name](ctypes.c_void_p(places.base), passed, tables)
    return result


def _entry(kernel: LegacyKernel, *, guarded: bool) -> str:
    count = len(kernel.arrays)
    given = [f"({t} *)(arena + (long)v[{i}])" for i, (_, t) in enumerate(kernel.arrays)]
    given += [f"({t})v[{count + i}]" for i, (_, t) in enumerate(kernel.scalars)]
    name, passed = kernel.name, ", ".join(given)
    head = f"({ENTRY})"
    text = f'extern "C" int original_{name}{head} {{ {name}({passed}); return 0; }}\n'
    if guarded:
        text += (
            f'extern "C" int guarded_{name}{head} {{ int yes = {name}_admits({passed}); '
            f"{name}_guarded({passed}); return yes; }}\n"
        )
    return text


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
