"""The source that is compiled in place of the user's: that source itself, and an entry a function.

The entries come after it, so they know its classes, and its macros and headers know nothing of us.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..emit.guarded import Call, call_of, choice, compared_function, outputs_function
from ..emit.header import entry_and_admits, preamble
from ..emit.interface import Interface


@dataclass(frozen=True, slots=True)
class Replaced:
    """One function: its interface has the name that its lifted code has in the object."""

    interface: Interface
    signature: str
    """As clang spells the original's type."""
    name: str
    """What `lift` calls the function."""

    @property
    def symbol(self) -> str:
        return self.interface.symbol or ""

    @property
    def entry(self) -> str:
        return f"lift_entry.{self.symbol}"

    @property
    def original(self) -> str:
        return f"lift_original.{self.symbol}"


def why_not(interface: Interface) -> str | None:
    """Why calls of a function can't be switched in an object; None where they can."""
    if interface.symbol is None:
        return "lifted by an older lift"
    if not interface.symbol:
        return "static: no other file calls it"
    if "<" in interface.qualified_name:
        return "an instance of a template"
    if call_of(interface) is None:
        return "a method, or it takes an object with a vector"
    return None


def switch_text(replaced: Sequence[Replaced], is_clang: bool) -> tuple[str, list[range]]:
    """The entries of all functions, and the lines of each."""
    lines = ["#pragma GCC system_header", *preamble([r.interface for r in replaced])]
    lines = "\n".join(lines).split("\n")
    places = []
    for number, one in enumerate(replaced):
        before = len(lines)
        lines += "\n".join(_one(one, number, is_clang)).split("\n")
        places.append(range(before + 1, len(lines) + 1))
    return "\n".join(lines) + "\n", places


def shim_text(source: Path, switch: Path) -> str:
    """What is compiled: the source, then the entries.

    Raises `ValueError` for a path that no `#include` can name.
    """
    if any(c in f"{source}{switch}" for c in '"\n\\'):
        raise ValueError(f"no #include can name {source}")
    return f'#include "{source}"\n#include "{switch}"\n'


def _one(replaced: Replaced, number: int, is_clang: bool) -> list[str]:
    interface = replaced.interface
    call = call_of(interface)
    assert call is not None
    *spaces, plain = interface.qualified_name.split("::")
    own = parameter_list(interface, call)
    result = _result(replaced.signature, interface)
    entry, original = f"lift_entry_{number}", f"lift_original_{number}"
    linkage = ['extern "C" {'] if interface.is_c else []
    promise = " noexcept" if interface.is_noexcept else ""
    path = "::".join(["", *spaces])
    lines = [
        *entry_and_admits(interface),
        *outputs_function(interface),
        *(f"namespace {space} {{" for space in spaces),
        f'{result} {original}({own}) __asm__("{replaced.original}");',
        f'{result} {entry}({own}) __asm__("{replaced.entry}");',
        *compared_function(interface, call, original, own),
        f"{result} {entry}({own})",
        *choice(interface, call, original),
        # So that calls in this file aren't what the compiler knows of the function.
        *(linkage if not is_clang else []),
        *([] if is_clang else [f"__attribute__((noipa)) {result} {plain}({own}){promise};"]),
        *(["}"] if linkage and not is_clang else []),
        *("}" for _ in spaces),
        # Another type would be another way to pass arguments.
        f"static const __typeof__(&{path}::{entry}) lift_check_{number} __attribute__((unused)) = "
        f"&{path}::{plain};",
    ]
    if not is_clang:
        # Else the assembler itself resolves calls in this file.
        lines.append(f'__asm__(".weak {replaced.symbol}");')
    return lines


def parameter_list(interface: Interface, call: Call) -> str:
    """The parameters with the very types that the source gives them."""
    if not interface.sources:
        return call.parameters
    return ", ".join(declared_as(s.spelling, s.name) for s in interface.sources)


def declared_as(spelling: str, name: str) -> str:
    """A declaration of `name` with a type as clang spells it."""
    inner = re.search(r"\((\*|&)+(const)?\)", spelling)
    if inner is not None:
        end = inner.end() - 1
        return f"{spelling[:end]}{name}{spelling[end:]}"
    array = re.search(r"(\[\w*\])+$", spelling)
    if array is not None:
        return f"{spelling[: array.start()]} {name}{array[0]}"
    return f"{spelling} {name}"


def _result(signature: str, interface: Interface) -> str:
    text = signature.partition(" (")[0]
    return interface.result if text in ("", "auto") else text
