"""The original, compiled by the system's C++ compiler with its functions callable from C."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..diagnostic import Diagnostic, LiftError
from ..emit.interface import Interface
from ..emit.source_call import PRELUDE, source_call

FLAGS = ("-O3", "-march=native", "-shared", "-fPIC", "-w", "-Wl,-z,lazy")
_CPP = ("-std=c++17", "-fno-access-control")
_C = ("-std=gnu99",)


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
    if _is_c(source):
        entries = (line for i in interfaces for line in ("", *_entry(i, "")))
        return "\n".join([_include(source), "#include <stdint.h>", *entries]) + "\n"
    lines = [
        _include(source),
        PRELUDE,
    ]
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
    for interface in interfaces:
        lines += ["", *_entry(interface, 'extern "C" ')]
    return "\n".join(lines) + "\n"


def _is_c(source: Path) -> bool:
    """Whether the file is compiled as C when there is a compiler for it."""
    return source.suffix == ".c" and find_c_compiler() is not None


def _entry(interface: Interface, linkage: str) -> list[str]:
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
            passed[name] = f"({parameter.spelling}){name}"
    made = source_call(
        interface.qualified_name,
        interface.sources,
        interface.params,
        lambda name: name,
        lambda name: passed[name],
        lambda name: interface.parameter(name).element,
    )
    return [
        f"{linkage}void {original_symbol(interface)}({', '.join(declared)})",
        "{",
        *(f"    {line}" for line in (*before, *made.before)),
        f"    {made.call};",
        *(f"    {line}" for line in made.after),
        "}",
    ]


def compile_originals(
    source: Path,
    interfaces: Sequence[Interface],
    compiler: str,
    folder: Path,
    models: Sequence[Path] = (),
) -> Originals:
    """Builds a shared library of the source in `folder`, and where the source computes with floats
    a second one in which multiplications and additions are not contracted: GCC contracts them
    unless told, the lifted code never does, so only uncontracted results can be equal.

    `models` stand in for functions that the source only declares. Raises `LiftError`
    (`original-not-compiled`) with the compiler's first error.
    """
    more = [str(m) for m in models]
    if models:
        # The source's own definition wins over its model.
        more.append("-Wl,--allow-multiple-definition")
    language = "c" if _is_c(source) else "cpp"
    shim = folder / f"{source.stem}_original.{language}"
    shim.write_text(shim_text(source, interfaces), "utf-8")
    timed = _compiled(shim, source, compiler, folder / f"lib{source.stem}_original.so", *more)
    if re.search(r"\b(float|double)\b", source.read_text("utf-8", "replace")) is None:
        return Originals(timed, timed)
    exact = folder / f"lib{source.stem}_exact.so"
    return Originals(timed, _compiled(shim, source, compiler, exact, *more, "-ffp-contract=off"))


def _compiled(shim: Path, source: Path, compiler: str, library: Path, *more: str) -> Path:
    own: tuple[str, ...] = _CPP
    if shim.suffix == ".c":
        compiler, own = find_c_compiler() or compiler, _C
    command = [compiler, *FLAGS, *own, str(shim), *more, "-o", str(library), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr]
        raise LiftError(
            Diagnostic(
                "original-not-compiled",
                "error",
                f"{compiler} cannot compile {source}: {errors[0].strip()}",
                help="the original column stays empty; pass CXX and the flags it needs",
            )
        )
    return library
