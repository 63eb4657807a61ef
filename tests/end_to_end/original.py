"""The original, compiled by g++ and called through ctypes on guarded buffers.

`compile_original` builds a shared library of a source file once a session, with one `extern "C"`
wrapper a kernel that turns every parameter into a number or a pointer. `Original.call` runs one
kernel on a `Case`, on buffers as large as the interpreter's run says plus a guard margin on both
sides, and gives back every array's cells.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import re
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from compiler.ir import Type, dtype_of
from lifter.emit.source_call import PRELUDE, source_call
from lifter.model.kernel import Kernel, Param
from lifter.verify.cases import Case
from lifter.verify.interpret import RunOutcome
from lifter.verify.memory import POISON, Memory, typed
from tests.end_to_end.recorder import WRAPPED, is_recorded
from tests.fenced import Fenced

GUARD = 64
"""Elements before and after what the interpreter touched; they must stay as they were."""

_LIMIT = 1 << 22
_CTYPES: dict[str, Any] = {
    "bool": ctypes.c_bool,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
    **{f"int{b}": getattr(ctypes, f"c_int{b}") for b in (8, 16, 32, 64)},
    **{f"uint{b}": getattr(ctypes, f"c_uint{b}") for b in (8, 16, 32, 64)},
}
# Undefined, but with an effect that stays inside of the guards or inside of one value.
HARMLESS = frozenset(
    {"uninitialised", "signed-overflow", "shift-range", "float-range", "out-of-bounds-read"}
)


def may_be_called(outcome: RunOutcome) -> bool:
    """Whether running the original on this input can't crash the process."""
    return outcome.stopped is None and all(e.kind in HARMLESS for e in outcome.undefined)


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell (or the result, `array` None) in which the original disagrees with an outcome."""

    array: str | None
    index: tuple[int, ...]
    original: Any
    other: Any

    def __str__(self) -> str:
        where = "the result" if self.array is None else f"{self.array}{list(self.index)}"
        return f"{where}: the original leaves {self.original!r}, not {self.other!r}"


class _Buffer:
    """A flat buffer of one array, or of one row of it: with guards around what the interpreter
    touched, or fenced and of exactly that, and to be read only where it writes nothing."""

    def __init__(
        self, memory: Memory, prefix: tuple[int, ...], touched: Memory, *, fenced: bool | None
    ) -> None:
        indices = [i for *p, i in touched.touched() if tuple(p) == prefix]
        guard = GUARD if fenced is None else 0
        low = min(indices, default=0) - guard
        high = max(indices, default=-1 if guard == 0 else 0) + guard + 1
        if memory.size is not None and fenced is None:
            low, high = 0, memory.size
        if high - low > _LIMIT:
            raise ValueError(f"a buffer of {high - low} elements is more than a test should need")
        self.low, self.prefix = low, prefix
        self.values = np.empty(high - low, dtype_of(memory.type))
        for position in range(low, high):
            self.values[position - low] = memory.peek((*prefix, position))
        self.before = self.values.copy()
        self.count = high - low if memory.size is None else memory.size
        self.address = int(self.values.ctypes.data)
        if fenced is not None:
            writable = any(tuple(p) == prefix for *p, _ in touched.written)
            self.fence = Fenced(self.values, at_end=fenced, writable=writable)
            self.values, self.address = self.fence.values, self.fence.address

    @property
    def pointer(self) -> int:
        """The address of element 0, which may lie outside of the buffer."""
        return self.address - self.low * self.values.itemsize

    def cells(
        self, written: Iterable[tuple[int, ...]]
    ) -> Iterable[tuple[tuple[int, ...], Any, Any]]:
        """(index, value before, value after) of the cells in `written` and of those that have
        changed, guards included: all others are as they were."""
        size = self.values.itemsize
        bits = (values.view(np.uint8).reshape(-1, size) for values in (self.before, self.values))
        offsets = {int(at) for at in np.flatnonzero(np.not_equal(*bits).any(axis=1))}
        own = (index[-1] - self.low for index in written if index[:-1] == self.prefix)
        offsets.update(at for at in own if 0 <= at < len(self.values))
        for offset in sorted(offsets):
            yield (*self.prefix, self.low + offset), self.before[offset], self.values[offset]


class Original:
    """A compiled source file."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library

    def differences(
        self, kernel: Kernel, case: Case, outcome: RunOutcome, *, fenced: bool | None = None
    ) -> list[Difference]:
        """Runs the original on `case`; each cell that differs from a defined one of `outcome`.

        Cells that the outcome did not write must be as they were, guards included. Where `fenced`
        isn't None, there are none: each array is exactly what the outcome touched of it, flush with
        a page that nobody may touch behind it, or, where it is False, before it.
        """
        buffers, arguments, keep = self._arguments(kernel, case, outcome, fenced)
        function = getattr(self._library, f"lift_test_{kernel.name}")
        function.restype = None if kernel.return_type is None else _ctype(kernel.return_type)
        result = function(*arguments)
        found: list[Difference] = []
        for name, parts in buffers.items():
            memory = outcome.arrays[name]
            for part in parts:
                for index, before, after in part.cells(memory.written):
                    expected = memory.cells[index] if index in memory.written else before
                    if expected is not POISON and not _same(expected, after):
                        found.append(Difference(name, index, after, expected))
        if kernel.return_type is not None and outcome.result is not POISON:
            value = typed(kernel.return_type, result)
            if not _same(outcome.result, value):
                found.append(Difference(None, (), value, outcome.result))
        del keep
        return found

    def _arguments(
        self, kernel: Kernel, case: Case, outcome: RunOutcome, fenced: bool | None
    ) -> tuple[dict[str, list[_Buffer]], list[Any], list[Any]]:
        buffers: dict[str, list[_Buffer]] = {}
        arguments: list[Any] = []
        keep: list[Any] = []
        fresh = case.memories()
        for param in kernel.params:
            if param.kind == "scalar":
                arguments.append(_ctype(param.type)(case.scalars[param.name]))
                continue
            touched = outcome.arrays[param.name]
            if param.kind == "rows":
                parts, table = _rows(fresh[param.name], touched, fenced)
                keep.append(table)
                address = int(table.ctypes.data) - parts[0].prefix[0] * table.itemsize
                arguments.append(ctypes.c_void_p(address))
            else:
                parts = [_Buffer(fresh[param.name], (), touched, fenced=fenced)]
                arguments.append(ctypes.c_void_p(parts[0].pointer))
                if param.kind == "vector":
                    arguments.append(ctypes.c_int64(parts[0].count))
            buffers[param.name] = parts
        return buffers, arguments, keep


def _rows(memory: Memory, touched: Memory, fenced: bool | None) -> tuple[list[_Buffer], Any]:
    rows = {row for row, _ in touched.touched()} or {0}
    parts = [
        _Buffer(memory, (row,), touched, fenced=fenced)
        for row in range(min(rows) - 1, max(rows) + 2)
    ]
    return parts, np.array([p.pointer for p in parts], np.uint64)


def _same(a: Any, b: Any) -> bool:
    """Equal as bits, but for the payload of a NaN."""
    if isinstance(a, np.floating) or isinstance(b, np.floating):
        return bool((np.isnan(a) and np.isnan(b)) or (a == b and np.signbit(a) == np.signbit(b)))
    return bool(a == b)


def _ctype(type: Type) -> Any:
    return _CTYPES["bool" if type.is_bool else f"{type.code}{type.bits}"]


def _cpp_type(type: Type) -> str:
    if type.is_bool:
        return "bool"
    if type.is_float:
        return {32: "float", 64: "double"}[type.bits]
    return f"{type.code}{type.bits}_t"


def _wrapper(kernel: Kernel) -> str:
    """An `extern "C"` function around one kernel: numbers by value, all else by `void *`."""
    params: list[str] = []
    before: list[str] = []
    arguments: dict[str, str] = {}
    after: list[str] = []
    names = {p.name: f"p{number}" for number, p in enumerate(kernel.params)}
    types = {p.name: _cpp_type(p.type) for p in kernel.params}
    apart = {f.param for s in kernel.source_params for f in s.fields}
    for param in kernel.params:
        name = names[param.name]
        params.append(f"{_cpp_type(param.type)} {name}" if param.kind == "scalar" else _void(name))
        match param.kind:
            case "scalar":
                arguments[param.name] = f"({param.spelling}){name}"
            case "reference" if "&" in param.spelling:
                arguments[param.name] = f"*({_plain(param)} *){name}"
            case "vector":
                element = _cpp_type(param.type)
                params.append(f"int64_t {name}_size")
                if param.name in apart:
                    continue
                before.append(
                    f"std::vector<{element}> {name}_vector(({element} *){name}, "
                    f"({element} *){name} + {name}_size);"
                )
                arguments[param.name] = f"{name}_vector"
                after.append(
                    f"std::copy({name}_vector.begin(), {name}_vector.end(), ({element} *){name});"
                )
            case _:
                arguments[param.name] = f"({_decayed(param.spelling)}){name}"
    made = source_call(
        kernel.qualified_name,
        kernel.source_params,
        kernel.params,
        names.__getitem__,
        arguments.__getitem__,
        types.__getitem__,
    )
    if kernel.return_type is None:
        run, result, last = f"{made.call};", "void", ""
    else:
        result = _cpp_type(kernel.return_type)
        run, last = f"{result} result = {made.call};", "return result;"
    body = "\n    ".join((*before, *made.before, run, *made.after, *after, last))
    return f'extern "C" {result} lift_test_{kernel.name}({", ".join(params)}) {{\n    {body}\n}}\n'


def _decayed(spelling: str) -> str:
    """The pointer that a parameter is which is spelled as an array; pointers to arrays are ones."""
    return spelling if "(*)" in spelling else re.sub(r"\[\w*\]", "(*)", spelling, count=1)


def _void(name: str) -> str:
    return f"void *{name}"


def _plain(param: Param) -> str:
    return param.spelling.replace("&", "").strip()


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="lift_original_")


LENIENT = ("-O1", "-fwrapv")
"""Also for inputs on which the original is undefined: see `HARMLESS`."""


def compile_original(
    path: Path,
    kernels: Iterable[Kernel],
    models: tuple[Path, ...] = (),
    options: tuple[str, ...] = LENIENT,
) -> Original:
    """The kernels of the file at `path` as machine code; `models` define what it only declares.

    Asserts are compiled out: cases satisfy them. Raises `RuntimeError` with g++'s words.
    """
    return Original(ctypes.CDLL(str(original_library(path, kernels, models, options))))


def stated_flags(path: Path) -> tuple[str, ...]:
    """The compiler's flags that a source asks for in its first line: `// flags: -mssse3`."""
    first, _, _ = path.read_text("utf-8").partition("\n")
    start, found, flags = first.partition("// flags: ")
    return tuple(flags.split()) if found and not start else ()


def original_library(
    path: Path,
    kernels: Iterable[Kernel],
    models: tuple[Path, ...] = (),
    options: tuple[str, ...] = LENIENT,
) -> Path:
    """The shared library of `compile_original`."""
    options = (*options, *stated_flags(path))
    if path.suffix == ".c":
        wrappers = (_wrapper(k).removeprefix('extern "C" ') for k in kernels)
        text = f'#include <stdint.h>\n#include "{path.resolve()}"\n{"".join(wrappers)}'
        return _compiled(text, path.stat().st_mtime_ns, "c", options)
    lines = ["#include <algorithm>\n#include <cstdint>\n", PRELUDE]
    lines.extend(f'#include "{p.resolve()}"\n' for p in (path, *models))
    lines.extend(_wrapper(k) for k in kernels)
    return _compiled("".join(lines), path.stat().st_mtime_ns, "cpp", options)


@functools.cache
def _compiled(text: str, changed: int, language: str, options: tuple[str, ...]) -> Path:
    # Another library's name for each change of the file: a loaded one isn't loaded again.
    stem = hashlib.sha256(f"{changed} {options} {text}".encode()).hexdigest()[:16]
    source = Path(_folder().name) / f"{stem}.{language}"
    library = source.with_suffix(".so")
    source.write_text(text)
    command = [
        *(("gcc", "-std=gnu99") if language == "c" else ("g++", "-std=c++17")),
        *options,
        "-ffp-contract=off",
        "-DNDEBUG",
        "-w",
        *(() if language == "c" else ("-fno-access-control",)),
    ]
    steps = [[*command, "-shared", "-fPIC", str(source), "-o", str(library)]]
    if is_recorded(options):
        parts = source.with_suffix(".o")
        steps = [
            [*command, "-c", "-fPIC", str(source), "-o", str(parts)],
            [command[0], "-shared", WRAPPED, str(parts), "-o", str(library)],
        ]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
    return library
