"""The source that is compiled in place of the user's: that source itself, and an entry a function.

The entries come after it, so they know its classes, and its macros and headers know nothing of us.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..emit.guarded import CallTexts, call_of, choice, compared_function, outputs_function
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
    def own_entry(self) -> str:
        """What its entry is called in C++, in the original's namespace."""
        return f"lift_entry_{self.symbol}"

    @property
    def entry(self) -> str:
        """The linker's name of its entry.

        In C++ that is the name which the original's own type makes of `own_entry`: an entry that
        has another type by mistake isn't found under it.
        """
        if self.interface.is_c:
            return self.own_entry
        *spaces, plain = self.interface.qualified_name.split("::")
        end = self.symbol.removeprefix(_mangled([*spaces, plain]))
        return _mangled([*spaces, self.own_entry]) + end

    @property
    def original(self) -> str:
        return f"lift_original.{self.symbol}"


def why_not(interface: Interface) -> str | None:
    """Why calls of a function can't be switched in an object; None where they can."""
    if interface.symbol is None:
        return "lifted by an older lift"
    if not interface.symbol:
        return "static: no other file calls it"
    qualified = interface.qualified_name
    if "<" in qualified:
        return "an instance of a template"
    if call_of(interface) is None:
        return "a method, or it takes an object with a vector"
    if not (interface.is_c or interface.symbol.startswith(_mangled(qualified.split("::")))):
        return "its linker's name says more than name and type"
    return None


def _mangled(parts: Sequence[str]) -> str:
    """How the linker's names of functions called `A::B::name` begin: their types follow (Itanium
    C++ ABI, section 5.1)."""
    *spaces, plain = (f"{len(part)}{part}" for part in parts)
    return f"_ZN{''.join(spaces)}{plain}E" if spaces else f"_Z{plain}"


def switch_text(replaced: Sequence[Replaced], is_clang: bool) -> tuple[str, list[range]]:
    """The entries of all functions, and the lines of each."""
    lines = [
        "#pragma GCC system_header",
        "#pragma pack()",  # what the source has left behind isn't for what all sources share
        *preamble([r.interface for r in replaced]),
    ]
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
    own = parameter_list(replaced.signature, call)
    result = _result(replaced.signature, interface)
    entry, original = replaced.own_entry, f"lift_original_{number}"
    linkage = ['extern "C" {'] if interface.is_c else []
    closing = ["}"] if linkage else []
    promise = " noexcept" if interface.is_noexcept else ""
    path = "::".join(["", *spaces])
    lines = [
        # Another library of the program may have a function of this name: its code isn't meant.
        "#pragma GCC visibility push(hidden)",
        *entry_and_admits(interface),
        "#pragma GCC visibility pop",
        *outputs_function(interface),
        *(f"namespace {space} {{" for space in spaces),
        f'{result} {original}({own}) __asm__("{replaced.original}");',
        *compared_function(interface, call, original, own),
        *linkage,
        f"{result} {entry}({own});",
        f"{result} {entry}({own})",
        *choice(interface, call, original),
        *closing,
        # Another type would be another way to pass arguments. This stands before any declaration
        # below could make an overload of that type.
        f"static const __typeof__(&{path}::{entry}) lift_check_{number} __attribute__((unused)) = "
        f"&{path}::{plain};",
        # So that calls in this file aren't what the compiler knows of the function.
        *(
            []
            if is_clang
            else [*linkage, f"__attribute__((noipa)) {result} {plain}({own}){promise};", *closing]
        ),
        *("}" for _ in spaces),
    ]
    if not is_clang:
        # Else the assembler itself resolves calls in this file.
        lines.append(f'__asm__(".weak {replaced.symbol}");')
    return lines


def parameter_list(signature: str, call: CallTexts) -> str:
    """The parameters with the very types that the original has, `signature` as clang spells it."""
    if not call.names:
        return ""
    return ", ".join(map(declared_as, _parameter_types(signature), call.names))


def _parameter_types(signature: str) -> list[str]:
    """The types in `void (int, T<A, B> &, int (*)[3]) noexcept`."""
    depth, types = 0, [""]
    for character in signature[signature.index("(") + 1 :]:
        if character == ")" and not depth:
            break
        depth += (character in "([<{") - (character in ")]>}")
        if character == "," and not depth:
            types.append("")
        else:
            types[-1] += character
    return [text.strip() for text in types]


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
