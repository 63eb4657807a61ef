"""Files that C programs link: objects, archives, shared libraries, headers, assembly."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from ..ir.stmts import LoweredFunction
from .allocation import ALLOCATE
from .archive import archive
from .atomics import LOCK
from .builder import ModuleBuilder
from .device_call import WANTS
from .entry import Entry
from .entry_code import add_entry
from .header import header_text, pipeline_header_text
from .launches import LAUNCH
from .metadata import add_argv_entry, add_metadata
from .optimise import optimised
from .parallel import PARALLEL_FOR
from .pipeline import ERROR_HANDLER, add_body, add_c_entry, add_checked_entry
from .runtime_library import cuda, errors, float_modes, locks, memory_pool, thread_pool
from .shared_library import link_shared
from .target import Target, llvm_binding, resolved

EmitKind = Literal[
    "object",
    "assembly",
    "llvm",
    "llvm_assembly",
    "bitcode",
    "header",
    "static_library",
    "shared_library",
]
_WITH_WHOLE_RUNTIME = ("object", "static_library", "shared_library")


@dataclass(frozen=True)
class BuiltLibrary:
    """The files of a library; `shared` is None where none was asked for."""

    object: Path
    header: Path
    archive: Path
    shared: Path | None


def emit(
    fn: LoweredFunction, kind: EmitKind, path: str | Path, target: Target | str | None = None
) -> None:
    """Writes the pipeline as C function `int NAME(struct halide_buffer_t *, ...)` to `path`.

    Objects need the C library and threads, nothing else. Raises `ValueError` for an unknown kind,
    `LinkError` where there is no linker for a shared library.
    """
    if kind not in get_args(EmitKind):
        raise ValueError(f"cannot emit '{kind}'; kinds are {', '.join(get_args(EmitKind))}")
    if kind == "header":
        write_whole(Path(path), pipeline_header_text(fn).encode())
        return
    where = resolved(target)
    module = ModuleBuilder(fn.name, where)
    add_body(module, fn)
    add_checked_entry(module, fn, exported=False)
    add_c_entry(module, fn)
    add_argv_entry(module, fn)
    add_metadata(module, fn)
    machine = where.machine()
    made = _with_runtime(str(module), where, machine, whole=kind in _WITH_WHOLE_RUNTIME)
    if kind == "shared_library":
        _link(bytes(machine.emit_object(made)), Path(path), where)
        return
    write_whole(Path(path), _content(made, kind, machine, Path(path).stem))


def _link(content: bytes, library: Path, target: Target) -> None:
    """Links one object to `library`, which is whole or not there."""
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        made = Path(folder) / f"{library.stem}.o"
        made.write_bytes(content)
        linked = Path(folder) / library.name
        link_shared([made], linked, target, library.name)
        linked.replace(library)


def build_library(
    fn: LoweredFunction,
    entry: Entry,
    directory: str | Path,
    target: Target | str | None = None,
    *,
    more: Sequence[tuple[LoweredFunction, Entry]] = (),
    stem: str | None = None,
    header: str | None = None,
    shared: bool = True,
) -> BuiltLibrary:
    """Writes `STEM.o`, `STEM.h`, `libSTEM.a` and `libSTEM.so` of the C function that `entry` tells.

    The function runs `fn`, then the pipelines of `more`, whose entries have the same name and
    parameters. `stem` is `fn.name` unless given, `header` the prototype's. Raises `LinkError` when
    there is no linker for the shared library (the other files are there then), `OSError` when the
    directory can't be written.
    """
    where = resolved(target)
    calls = [(fn, entry), *more]
    machine = where.machine()
    made = _with_runtime(entry_module(calls, where), where, machine, asks_modes=True)
    stem, folder = stem or fn.name, Path(directory)
    content = bytes(machine.emit_object(made))
    built = BuiltLibrary(
        folder / f"{stem}.o",
        folder / f"{stem}.h",
        folder / f"lib{stem}.a",
        folder / f"lib{stem}.so" if shared else None,
    )
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(built.object, content)
    write_whole(built.header, (header if header is not None else header_text(entry)).encode())
    write_whole(built.archive, archive([(built.object.name, content, defined_symbols(made))]))
    if built.shared is not None:
        # Linked under another name, so that a failure leaves no half library behind.
        partial = built.shared.with_suffix(f".so.{os.getpid()}.partial")
        try:
            link_shared([built.object], partial, where, built.shared.name)
            partial.replace(built.shared)
        finally:
            partial.unlink(missing_ok=True)
    return built


def entry_module(
    calls: Sequence[tuple[LoweredFunction, Entry]], target: Target, hidden: str | None = None
) -> str:
    """LLVM text of a flat C entry and its pipelines, without the runtime; see `add_entry`."""
    module = ModuleBuilder(calls[0][1].name, target)
    for fn in {fn.name: fn for fn, _ in calls}.values():
        add_body(module, fn, with_reserves=True)
    for _, entry in calls:
        if entry.device is not None:
            add_body(module, entry.device[0])
    add_entry(module, calls, hidden)
    return str(module)


def _with_runtime(
    text: str, target: Target, machine: Any, whole: bool = False, asks_modes: bool = False
) -> Any:
    """The optimised module, with the parts of the runtime that it calls, or with all of it.

    Callers may ask `lift_default_float_modes` of a library that `asks_modes`.
    """
    parts = [thread_pool(target.triple)] if whole or PARALLEL_FOR in text else []
    parts += [memory_pool(target.triple)] if whole or ALLOCATE in text else []
    parts += [locks()] if LOCK in text else []
    parts += [float_modes(target.triple)] if asks_modes else []
    parts += [cuda(target.triple)] if LAUNCH in text or WANTS in text else []
    parts += [errors()] if whole or ERROR_HANDLER in text or LAUNCH in text else []
    return optimised(text, target, machine, also=parts)


def _content(module: Any, kind: EmitKind, machine: Any, stem: str) -> bytes:
    match kind:
        case "object":
            return bytes(machine.emit_object(module))
        case "assembly":
            return str(machine.emit_assembly(module)).encode()
        case "bitcode":
            return bytes(module.as_bitcode())
        case "static_library":
            content = bytes(machine.emit_object(module))
            return archive([(stem + ".o", content, defined_symbols(module))])
    return str(module).encode()


def defined_symbols(module: Any) -> list[str]:
    """Names that a linker may find in the module's object: defined, and not local to it."""
    linkage = llvm_binding().Linkage
    local = (linkage.private, linkage.internal)
    values = [*module.functions, *module.global_variables]
    return [v.name for v in values if not v.is_declaration and v.linkage not in local]


def write_changed(path: Path, content: bytes) -> bool:
    """Writes a file unless it has that content; whether it was written."""
    if path.is_file() and path.read_bytes() == content:
        return False
    write_whole(path, content)
    return True


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file in one step: it is whole or it is not there."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
