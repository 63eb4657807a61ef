"""What libclang says about flags and targets: which it knows, and which aren't read as they are."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import clang.cindex as ci

TRIPLE = "--target=x86_64-unknown-linux-gnu"
AARCH64 = "--target=aarch64-unknown-linux-gnu"
_FOREIGN = ("windows", "mingw", "cygwin", "msvc", "gnux32", "gnu_ilp32", "uefi")
"""In a triple: `long` or pointers haven't 64 bits, or `wchar_t` hasn't 32."""


_OVERFLOWS = {
    "-fwrapv": True, "-fno-strict-overflow": True, "-ftrapv": True,
    "-fno-wrapv": False, "-fstrict-overflow": False, "-fno-trapv": False,
}  # fmt: skip
"""Whether a flag gives signed overflow a result, or an end; of several, the last one counts."""
_OF_MACHINES = ("-m", "--target", "-target", "-EB", "-EL")
"""How the flags begin that choose a machine."""


@dataclass(frozen=True, slots=True)
class TargetMachine:
    """What the flags say of the machine."""

    is_little: bool
    """Whether a number's lowest byte comes first."""
    fuses: bool
    """Whether it multiplies and adds with one rounding."""


@cache
def _machine(flags: tuple[str, ...]) -> TargetMachine:
    text = (
        "char little[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 1 : 2];\n"
        "#if defined __FMA__ || defined __FMA4__ || defined __ARM_FEATURE_FMA\nchar fuses;\n#endif"
    )
    unit = ci.Index.create().parse(
        "machine.c", args=["-x", "c", TRIPLE, *flags], unsaved_files=[("machine.c", text)]
    )
    found = {c.spelling: c.type for c in unit.cursor.get_children()}
    return TargetMachine(found["little"].element_count == 1, "fuses" in found)


def machine_of(arguments: Sequence[str]) -> TargetMachine:
    """What the arguments of a translation unit say of the machine."""
    flags: list[str] = []
    words = iter(arguments)
    for word in words:
        if word.startswith(_OF_MACHINES):
            flags += [word, next(words, "")] if word == "-target" else [word]
    return _machine(tuple(flags))


def says_machine(arguments: Sequence[str]) -> bool:
    """Whether arguments say which machine a source is for."""
    return any(word.startswith(("-target", "--target")) for word in arguments)


def knows_flag(flag: str) -> bool:
    """Whether libclang takes a flag, tried over an empty file."""
    try:
        unit = ci.Index.create().parse(
            "empty.cpp", args=["-x", "c++", TRIPLE, flag], unsaved_files=[("empty.cpp", "")]
        )
    except ci.TranslationUnitLoadError:
        return False
    return not any(d.severity >= 3 for d in unit.diagnostics)


def foreign_model(unit: Any, arguments: Sequence[str]) -> str | None:
    """Why a unit's types or its arithmetic aren't those that kernels are read with; None where they
    are.

    Types in kernels are those of x86-64 Linux (LP64), whatever the flags say (`types`), and what
    overflows has no result.
    """
    overflows = [a for a in arguments if a in _OVERFLOWS]
    if overflows and _OVERFLOWS[overflows[-1]]:
        return (
            f"`{overflows[-1]}` defines what overflows of signed numbers do, and kernels are read "
            "as the standard has it, where they are undefined"
        )
    if not machine_of(arguments).is_little:
        return "they choose a machine on which a number's highest byte comes first"
    sizes = _foreign_sizes(unit, arguments)
    return sizes and f"{sizes}, and kernels are read with the types of 64-bit Linux"


def _foreign_sizes(unit: Any, arguments: Sequence[str]) -> str | None:
    if "-fshort-wchar" in arguments:
        return "`-fshort-wchar` makes `wchar_t` narrower"
    library = ci.conf.lib
    info = _function(library.clang_getTranslationUnitTargetInfo, ctypes.c_void_p)(unit.obj)
    width = _function(library.clang_TargetInfo_getPointerWidth, ctypes.c_int)(info)
    if width != 64:
        return f"they make pointers of {width} bits"
    triple = _function(library.clang_TargetInfo_getTriple, ci._CXString)(info)
    triple = str(ci._CXString.from_result(triple))
    if any(word in triple for word in _FOREIGN):
        return f"types on `{triple}` have other sizes"
    return None


def _function(function: Any, result: Any) -> Any:
    function.argtypes, function.restype = [ctypes.c_void_p], result
    return function
