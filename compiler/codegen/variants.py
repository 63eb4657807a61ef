"""One C function in several variants, the best of which is chosen once, at its first call.

    NAME: load the choice, jump there       the choice: at first `NAME.choose`, which asks for the
    NAME.sse41, NAME.avx2, NAME.avx512      processor's level, stores the variant, and jumps to it

A load and an indirect jump are all that a call costs. Threads that call at once store the same. It
needs nothing of the linker, so it works in static programs and on every C library.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..ir.stmts import LoweredFunction
from .archive import archive
from .builder import ModuleBuilder, escaped
from .entry import Entry, try_name
from .entry_code import add_public_entries, parameters_text, return_type_text, run_symbol
from .library import defined_symbols, entry_module, write_changed
from .optimise import optimised
from .runtime_library import cuda, errors, locks, memory_pool, processor_level, thread_pool
from .shared_library import link_shared
from .target import Target

_TOO_OLD = "this processor lacks SSE4.1, SSSE3, SSE4.2 or POPCNT, which lifted code needs"


@dataclass(frozen=True, slots=True)
class Variant:
    """A kind of processor that code is made for; `name` is what LIFT_CPU calls it."""

    name: str
    level: int
    """What `lift_processor_level` says of such a processor."""
    target: Target


def variants_of(target: Target, only: Target | None = None) -> tuple[Variant, ...]:
    """The variants that a library for machines like `target` has, the plainest first.

    For x86-64 these are three, for other machines one; `only` makes it that very target.
    """
    if only is not None:
        return (Variant("only", 0, only),)
    if not target.is_x86:
        return (Variant("only", 0, _plainest(target)),)
    names = (("sse41", "x86-64"), ("avx2", "x86-64-avx2"), ("avx512", "x86-64-avx512"))
    return tuple(
        Variant(name, level, replace(Target.parse(text), triple=target.triple))
        for level, (name, text) in enumerate(names, 1)
    )


def _plainest(target: Target) -> Target:
    """What every processor of the architecture can run, as far as that is known here."""
    if target.architecture in ("aarch64", "arm64"):
        return replace(Target.parse("aarch64"), triple=target.triple)
    return target


@dataclass(frozen=True, slots=True)
class Member:
    """An object of a library: its file name, its content, the global symbols it defines."""

    name: str
    content: bytes
    symbols: tuple[str, ...]


def variant_member(
    fn: LoweredFunction, entry: Entry, variant: Variant, all_variants: Sequence[Variant], stem: str
) -> Member:
    """The object of one variant, without the runtime; that of the first has the choice too."""
    several = len(all_variants) > 1
    hidden = f"{entry.name}.{variant.name}" if several else None
    text = entry_module([(fn, entry)], variant.target, hidden)
    chooses = several and variant == all_variants[0]
    machine = variant.target.machine()
    also = _choice_texts(entry, all_variants) if chooses else []
    made = optimised(text, variant.target, machine, also=also)
    name = f"{stem}.{variant.name}.o" if several else f"{stem}.o"
    return _member(name, made, machine)


def symbols_of(entry: str, variant: Variant, all_variants: Sequence[Variant]) -> tuple[str, ...]:
    """The global symbols of the object that `variant_member` makes for the entry of that name,
    which has no result."""
    public = (entry, try_name(entry))
    if len(all_variants) == 1:
        return public
    own = f"{entry}.{variant.name}"
    return (*public, f"{entry}.run", own) if variant == all_variants[0] else (own,)


def runtime_member(variants: Sequence[Variant]) -> Member:
    """The object with the whole runtime, for the plainest of the variants."""
    target = variants[0].target
    machine = target.machine()
    parts = [memory_pool(target.triple), locks(), errors()]
    if len(variants) > 1:
        parts.append(processor_level())
    if target.has_device:
        parts.append(cuda(target.triple))
    made = optimised(thread_pool(target.triple), target, machine, also=parts)
    return _member("lift_runtime.o", made, machine)


def _member(name: str, module: Any, machine: Any) -> Member:
    return Member(name, bytes(machine.emit_object(module)), tuple(defined_symbols(module)))


def _choice_texts(entry: Entry, variants: Sequence[Variant]) -> list[str]:
    """LLVM texts of the entry's own symbols and of what chooses."""
    parameters, result, name = (
        parameters_text(entry),
        return_type_text(entry.return_type),
        entry.name,
    )
    linkage = ""
    if entry.return_type is None:
        name, result, linkage = run_symbol(entry), "i32", "hidden "
        parameters = f"{parameters}, ptr %record" if parameters else "ptr %record"
    types = (
        ", ".join(part.rpartition(" ")[0] for part in parameters.split(", ")) if parameters else ""
    )

    def jump(to: str) -> list[str]:
        plain = result.split()[-1]
        return [f"  %r = musttail call {result} {to}({parameters})", f"  ret {plain} %r"]

    first, *others = variants
    declared = [f'declare hidden {result} @"{entry.name}.{v.name}"({types})' for v in variants]
    declared += ["declare i32 @lift_processor_level()", "declare void @lift_error(ptr)"]
    declared += ["declare void @abort()"]
    chosen = [f'  %v0 = select i1 true, ptr @"{entry.name}.{first.name}", ptr null']
    for number, variant in enumerate(others, 1):
        symbol = f'@"{entry.name}.{variant.name}"'
        chosen += [
            f"  %is{number} = icmp uge i32 %level, {variant.level}",
            f"  %v{number} = select i1 %is{number}, ptr {symbol}, ptr %v{number - 1}",
        ]
    message = f"{entry.name}: {_TOO_OLD}".encode() + b"\0"
    text = "\n".join(
        [
            "",
            *declared,
            f'@"{name}.choice" = internal global ptr @"{name}.choose", align 8',
            f'@"{name}.too_old" = private constant [{len(message)} x i8] c"{escaped(message)}"',
            f'define {linkage}{result} @"{name}"({parameters}) {{',
            f'  %to = load atomic ptr, ptr @"{name}.choice" monotonic, align 8',
            *jump("%to"),
            "}",
            f'define internal {result} @"{name}.choose"({parameters}) cold noinline {{',
            "  %level = call i32 @lift_processor_level()",
            f"  %enough = icmp uge i32 %level, {first.level}",
            "  br i1 %enough, label %choose, label %too_old",
            "choose:",
            *chosen,
            f'  store atomic ptr %v{len(others)}, ptr @"{name}.choice" monotonic, align 8',
            *jump(f"%v{len(others)}"),
            "too_old:",
            f'  call void @lift_error(ptr @"{name}.too_old")',
            "  call void @abort()",
            "  unreachable",
            "}",
            "",
        ]
    )
    if entry.return_type is not None:
        return [text]
    public = ModuleBuilder(f"{entry.name}.public", variants[0].target)
    public.add_global(f'declare i32 @"{name}"({types})')
    add_public_entries(public, entry)
    return [text, str(public)]


def write_library(members: Sequence[Member], static: Path, shared: Path, target: Target) -> None:
    """Writes the archive of `members`, and the shared library with all of them.

    Files that are there already with that content stay as they are, so that nobody links again.
    Raises `LinkError` when there is no linker (the archive is there then), `OSError`.
    """
    content = archive([(m.name, m.content, m.symbols) for m in members])
    if not write_changed(static, content) and shared.is_file():
        return
    # What an earlier build left has other functions.
    shared.unlink(missing_ok=True)
    partial = shared.with_name(f"{shared.name}.{os.getpid()}.partial")
    try:
        link_shared([static], partial, target, shared.name, whole=True)
        partial.replace(shared)
    finally:
        partial.unlink(missing_ok=True)
