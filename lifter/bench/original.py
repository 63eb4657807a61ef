"""The original, compiled by the system's C++ compiler with its functions callable from C."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..emit.interface import Interface
from ..emit.source_call import PRELUDE, SourceCall, c_source_call, decayed, source_call
from ..model.diagnostic import Diagnostic, LiftError
from ..settings.flags import Flags

FLAGS = ("-O3", "-march=native", "-shared", "-Wl,-z,lazy", "-Wl,-Bsymbolic")
"""A function that is named like one of libc's is called, and not that one."""
_CPP = ("-std=c++17", "-fno-access-control")
_C = ("-std=gnu99",)
_WITH_PATH = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros")
_SAYS_WHAT_IS_MEANT = (
    r"-[DU].+|-std=.+|-f(no-)?((un)?signed-char|short-enums|openmp|exceptions|rtti|char8_t)|-ansi"
    r"|-m(avx|sse|fma|f16c|bmi|popcnt|lzcnt)[\w.-]*"
)
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:) [`']?([^\s`']+)")


@dataclass(frozen=True, slots=True)
class Originals:
    """Libraries of one source: the one to time, and the one to compare results with."""

    timed: Path
    exact: Path


def find_compiler() -> str | None:
    """The system's C++ compiler: `CXX`, else the first of c++, g++, clang++; None without one."""
    return _first("CXX", "c++", "g++", "clang++")


def find_c_compiler() -> str | None:
    """The system's C compiler: `CC`, else the first of cc, gcc, clang; None without one."""
    return _first("CC", "cc", "gcc", "clang")


def _first(variable: str, *usual: str) -> str | None:
    chosen = os.environ.get(variable)
    paths = map(shutil.which, (chosen,) if chosen else usual)
    return next(filter(None, paths), None)


def find_source(interface: Interface, directory: Path) -> Path | None:
    """The original's file: as recorded, or relative to a folder above `directory`."""
    return _find(interface.file, directory)


def find_models(interfaces: Sequence[Interface], directory: Path) -> list[Path]:
    """The model files that the interfaces name, those that are still there, each once."""
    names = dict.fromkeys(m for i in interfaces for m in i.models)
    return [found for found in (_find(name, directory) for name in names) if found is not None]


def _find(file: str, directory: Path) -> Path | None:
    recorded = Path(file)
    for base in (Path(), directory, *directory.resolve().parents):
        if (base / recorded).is_file():
            return (base / recorded).resolve()
    return None


def root_of(recorded: str, source: Path) -> Path:
    """The folder that the recorded paths of a source count from, which was found at `source`."""
    if Path(recorded).is_absolute():
        return Path.cwd()
    parts = len(Path(os.path.normpath(recorded)).parts)
    return source.parents[parts - 1] if parts <= len(source.parents) else Path.cwd()


def original_symbol(interface: Interface) -> str:
    return f"lift_original_{interface.name}"


def _include(source: Path) -> str:
    """The line that includes a file by its absolute path, between marks that aren't part of it."""
    return f"#include <{source}>" if '"' in str(source) else f'#include "{source}"'


def shim_text(source: Path, interfaces: Sequence[Interface]) -> str:
    """C++ that includes the source and gives each function an `extern "C"` entry; C for a C source.

    References become pointers; a vector is made, filled and freed by `lift_vector_*` functions, so
    that no copying is timed.
    """
    return _Shim.of(source, interfaces, is_c(source)).text


@dataclass(frozen=True, slots=True)
class _Shim:
    """The entries' text, and the lines (from 1) that belong to each function."""

    text: str
    places: dict[str, range]
    refused: dict[str, str]
    """Why a function has no entry, by its name."""

    @classmethod
    def of(cls, source: Path, interfaces: Sequence[Interface], in_c: bool) -> _Shim:
        lines = _head_in_c(source) if in_c else _head(source, interfaces)
        places: dict[str, range] = {}
        refused: dict[str, str] = {}
        for interface in interfaces:
            try:
                entry = _entry(interface, "" if in_c else 'extern "C" ', in_c)
            except ValueError as error:
                refused[interface.name] = str(error)
                continue
            places[interface.name] = range(len(lines) + 1, len(lines) + len(entry) + 2)
            lines += ["", *entry]
        return cls("\n".join(lines) + "\n", places, refused)


def _head_in_c(source: Path) -> list[str]:
    return [_include(source), "#include <stdint.h>", "#include <string.h>"]


def _head(source: Path, interfaces: Sequence[Interface]) -> list[str]:
    lines = [_include(source), *PRELUDE.splitlines()]
    lines += ["template <class T> struct lift_vectors {"]
    lines += ["    static void *make(int64_t n) { return new std::vector<T>((size_t)n); }"]
    lines += ["    static void *data(void *v) { return ((std::vector<T> *)v)->data(); }"]
    lines += ["    static void drop(void *v) { delete (std::vector<T> *)v; }", "};", ""]
    for element in sorted({p.element for i in interfaces for p in i.params if p.kind == "vector"}):
        name = element.replace(" ", "_")
        type = f"lift_vectors<{element}>"
        lines += [
            f'extern "C" void *lift_vector_make_{name}(int64_t n) {{ return {type}::make(n); }}',
            f'extern "C" void *lift_vector_data_{name}(void *v) {{ return {type}::data(v); }}',
            f'extern "C" void lift_vector_drop_{name}(void *v) {{ {type}::drop(v); }}',
        ]
    return lines


def is_c(source: Path) -> bool:
    """Whether the file is compiled as C when there is a compiler for it."""
    return source.suffix == ".c" and find_c_compiler() is not None


def _entry(interface: Interface, linkage: str, in_c: bool = False) -> list[str]:
    declared = []
    passed: dict[str, str] = {}
    before: list[str] = []
    plain = {s.name for s in interface.sources if s.passing == "plain"}
    for parameter in interface.params:
        name = parameter.name
        apart = bool(interface.sources) and name not in plain
        if parameter.kind == "vector" and apart:
            # The object's own vector takes the shim's over for the time of the call.
            vector = f"std::vector<{parameter.element}>"
            declared.append(f"void *{name}_vector")
            before.append(f"void *{name} = ((({vector} *){name}_vector)->data());")
            before.append(f"int64_t {name}_size = (int64_t)(({vector} *){name}_vector)->size();")
        elif parameter.kind == "vector":
            declared.append(f"void *{name}")
            passed[name] = f"*(std::vector<{parameter.element}> *){name}"
        elif parameter.kind == "reference" and "&" in parameter.spelling and not apart:
            declared.append(f"{parameter.element} *{name}")
            passed[name] = f"*{name}"
        elif parameter.kind == "scalar":
            declared.append(f"{parameter.element} {name}")
            passed[name] = f"({parameter.spelling}){name}"
        else:
            declared.append(f"void *{name}")
            passed[name] = _cast(parameter.spelling, name)
    made = _call(interface, passed, in_c)
    return [
        f"{linkage}void {original_symbol(interface)}({', '.join(declared)})",
        "{",
        *(f"    {line}" for line in (*before, *made.before)),
        f"    {made.call};",
        *(f"    {line}" for line in made.after),
        "}",
    ]


def _cast(spelling: str, name: str) -> str:
    """A pointer as the parameter that has this type: `int[256]`, or `uint8_t (&)[16]`."""
    if "(&)" in spelling:
        return f"*({spelling.replace('(&)', '(*)')}){name}"
    return f"({decayed(spelling)}){name}"


def _call(interface: Interface, passed: dict[str, str], in_c: bool) -> SourceCall:
    def element(name: str) -> str:
        return interface.parameter(name).element

    if in_c and interface.takes_objects:
        kinds = {p.name: p.kind for p in interface.params}
        return c_source_call(
            interface.qualified_name, interface.sources, kinds, interface.c_record,
            lambda name: name, passed.__getitem__, element,
        )  # fmt: skip
    return source_call(
        interface.qualified_name, interface.sources, interface.params,
        lambda name: name, passed.__getitem__, element,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """How a source is compiled: as its summaries say that it was read."""

    flags: Flags = field(default_factory=Flags)
    root: Path = Path()
    """What the paths in the flags count from."""

    def words(self, in_c: bool) -> list[str]:
        """The compiler's options. Those that only Clang has, or that optimize, stay out."""
        flags = self.flags
        found = [f"-std={flags.std}"] if flags.std else list(_C[:1] if in_c else _CPP[:1])
        if flags.std and in_c == ("++" in flags.std):
            found = list(_C[:1] if in_c else _CPP[:1])
        found += [word for i in flags.includes for word in ("-I", str(self.root / i))]
        found += [f"-D{define}" for define in flags.defines]
        words = iter(flags.clang_arguments)
        for word in words:
            if word in _WITH_PATH:
                found += [word, self._path(next(words, ""))]
            elif word in ("-D", "-U"):
                found += [word, next(words, "")]
            elif match := re.fullmatch(r"(-I|-isystem|-iquote|-idirafter)(.+)", word):
                found += [match[1], self._path(match[2])]
            elif re.fullmatch(_SAYS_WHAT_IS_MEANT, word):
                found.append(word)
        return found

    def _path(self, path: str) -> str:
        there = self.root / path
        return str(there) if there.exists() else path


def compile_originals(
    source: Path,
    interfaces: Sequence[Interface],
    compiler: str,
    folder: Path,
    models: Sequence[Path] = (),
    reading: Reading | None = None,
) -> tuple[Originals, dict[str, str]]:
    """Builds a shared library of the source in `folder`, and where the source computes with floats
    a second one in which multiplications and additions are not contracted: GCC contracts them
    unless told, the lifted code never does, so only uncontracted results can be equal.

    `models` stand in for functions that the source only declares; anything else that it doesn't
    define is there as a name, for those functions that don't need it. Gives also why some of the
    functions couldn't be compiled, by their names. Raises `LiftError` (`original-not-compiled`)
    with the compiler's first error where none could.
    """
    in_c = is_c(source)
    making = _Making(source, compiler, folder, models, reading or Reading(), in_c)
    shim, refused = making.shim(interfaces)
    timed = making.library(shim, f"lib{source.stem}_original.so", ())
    texts = [source.read_text("utf-8", "replace"), *(i.source for i in interfaces)]
    if not any(re.search(r"\b(float|double)\b", text) for text in texts):
        return Originals(timed, timed), refused
    exact = making.library(shim, f"lib{source.stem}_exact.so", ("-ffp-contract=off",))
    return Originals(timed, exact), refused


@dataclass(frozen=True, slots=True)
class _Making:
    """One source on its way to a library."""

    source: Path
    compiler: str
    folder: Path
    models: Sequence[Path]
    reading: Reading
    in_c: bool

    def shim(self, interfaces: Sequence[Interface]) -> tuple[Path, dict[str, str]]:
        """The file with entries for all functions that can have one, and why others can't."""
        path = self.folder / f"{self.source.stem}_original.{'c' if self.in_c else 'cpp'}"
        refused: dict[str, str] = {}
        left = list(interfaces)
        while True:
            made = _Shim.of(self.source, left, self.in_c)
            refused |= made.refused
            path.write_text(made.text, "utf-8")
            done = self._run(["-fsyntax-only", str(path)])
            if done.returncode == 0:
                return path, refused
            found = re.findall(rf"{re.escape(str(path))}:(\d+)(.*)", done.stderr)
            bad = {
                name: _first_error([f"{number}{rest}" for number, rest in found
                                    if int(number) in place])
                for name, place in made.places.items()
                if any(int(number) in place for number, _ in found)
            }  # fmt: skip
            left = [i for i in left if i.name not in bad and i.name not in refused]
            if not bad or not left:
                raise self._failed(done.stderr)
            refused |= bad

    def library(self, shim: Path, name: str, more: Sequence[str]) -> Path:
        """The shared library; what is nowhere defined is defined as nothing that can be run."""
        library = self.folder / name
        words = [*FLAGS, *more, str(shim), *map(str, self.models)]
        if self.models:
            # The source's own definition wins over its model.
            words.append("-Wl,--allow-multiple-definition")
        link = ["-o", str(library), "-lm"]
        done = self._run([*words, "-Wl,-z,defs", "-Wl,--no-demangle", *link])
        missing = dict.fromkeys(_UNDEFINED.findall(done.stderr)) if done.returncode else {}
        if missing:
            stubs = self.folder / f"{library.stem}_stubs.s"
            stubs.write_text("\n".join(_stub(symbol) for symbol in missing), "utf-8")
            done = self._run([*words, str(stubs), *link])
        if done.returncode:
            raise self._failed(done.stderr)
        return library

    def _run(self, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        compiler = (find_c_compiler() or self.compiler) if self.in_c else self.compiler
        own = self.reading.words(self.in_c)
        more = () if self.in_c else _CPP[1:]
        command = [compiler, *own, *more, "-w", "-fPIC", *words]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=self.reading.root
        )

    def _failed(self, said: str) -> LiftError:
        return LiftError(
            Diagnostic(
                "original-not-compiled",
                "error",
                f"{self.compiler} cannot compile {self.source}: {_first_error(said.splitlines())}",
                help="the original column stays empty; pass CXX, and lift it with the flags that "
                "it needs",
            )
        )


def _first_error(lines: Sequence[str]) -> str:
    found = [line for line in lines if "error" in line or "undefined" in line] or list(lines)
    return found[0].strip() if found else "no reason was given"


def _stub(symbol: str) -> str:
    """A symbol for whoever mentions it; whoever calls it ends."""
    return f'.data\n.balign 64\n.globl "{symbol}"\n"{symbol}":\n.zero 4096'
