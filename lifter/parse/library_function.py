"""Which function of the C or C++ library a declaration is: what clang resolved decides, not a name.

A function is the library's in one of two ways:

* *C's*: external linkage, the library's own symbol (what the linker sees, so neither a namespace
  nor an `asm` label deceives) and exactly its type. Who wrote the declaration doesn't matter: C
  reserves these names for the library in every program that has one ([C11] 7.1.3), so there can be
  no other function of the name behind it; where there may be (`-ffreestanding`, `-fno-builtin`), a
  declaration of the source's own isn't enough.
* *C++'s*: a member of namespace `std` that a system header, or a header of ours, declares, with a
  number of parameters and types that the library's function has.

A function whose body (or alias) stands in the source is the source's, whatever it is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .syntax import Node, in_system_header, scopes_of
from .types import is_pointer, is_record, is_reference, scalar_type

UNARY = {
    "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "rint": "round",
    "nearbyint": "round", "round": "", "exp": "exp", "log": "log", "sin": "sin", "cos": "cos",
    "fabs": "abs",
}  # fmt: skip
"""The functions of one float, by the intrinsic that they are; "" for one that is more than that."""
BINARY = ("pow", "fmin", "fmax")
TO_LONG = ("lrint", "lround")


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """A function of the library: which meaning it has here."""

    meaning: str
    """A name of C's without a suffix for its type (`sqrt` for `sqrtf` too), or one below `std`
    (`min`, `vector::size`, `numeric_limits::max`)."""
    is_std: bool
    """Whether it is one of the templates and overloads of C++."""


_DEFINING = re.compile(r"\b(alias|ifunc|weakref)\b")
"""Attributes that make a declaration without a body lead elsewhere."""
_ANY = "any type"
"""Of a function that is only refused."""


def _c_table() -> dict[str, tuple[str, str]]:
    """By symbol: the type and the meaning."""
    typed = {
        "void * (void *, const void *, unsigned long)": ("memcpy", "memmove"),
        "void * (void *, int, unsigned long)": ("memset",),
        "void (void *)": ("free",),
        "void * (unsigned long)": ("malloc",),
        "void * (unsigned long, unsigned long)": ("calloc", "aligned_alloc"),
        "void * (void *, unsigned long)": ("realloc",),
        "int (const char *, ...)": ("printf",),
        "int (const char *)": ("puts",),
        "void (void *, unsigned long, unsigned long, int (*)(const void *, const void *))": (
            "qsort",
        ),
    }
    # Of our headers (`lift/lanes.h`): C has no type for these numbers that all compilers know.
    typed["float (unsigned short)"] = ("__float_of_half",)
    typed["unsigned short (float)"] = ("__half_of_float",)
    table = {"fprintf": (_ANY, "printf")}
    table |= {name: (type, name) for type, names in typed.items() for name in names}
    for short, name in (("int", "abs"), ("long", "labs"), ("long long", "llabs")):
        table[name] = (f"{short} ({short})", "abs")
    for real, suffix in (("double", ""), ("float", "f")):
        for name in UNARY:
            table[name + suffix] = (f"{real} ({real})", name)
        for name in BINARY:
            table[name + suffix] = (f"{real} ({real}, {real})", name)
        table["fma" + suffix] = (f"{real} ({real}, {real}, {real})", "fma")
        for name in TO_LONG:
            table[name + suffix] = (f"long ({real})", name)
    return table


_C = _c_table()


def _numbers(types: Sequence[Any]) -> bool:
    return all(scalar_type(t) is not None for t in types)


def _any(types: Sequence[Any]) -> bool:
    return True


def _alike(types: Sequence[Any]) -> bool:
    """One list, or two of one type: what else is `std::min` takes a comparison."""
    if len(types) == 1:
        return is_record(types[0]) and "initializer_list<" in str(types[0].spelling)
    return is_reference(types[0]) and types[0] == types[1]


def _from_pointer(types: Sequence[Any]) -> bool:
    return is_pointer(types[0])


_Fits = Callable[[Sequence[Any]], bool]
_STD: dict[str, tuple[tuple[int, ...], _Fits]] = {
    **dict.fromkeys((*UNARY, *TO_LONG, "abs"), ((1,), _numbers)),
    **dict.fromkeys(BINARY, ((2,), _numbers)),
    "fma": ((3,), _numbers),
    **dict.fromkeys(("min", "max", "minmax"), ((1, 2), _alike)),
    "clamp": ((3,), _any),
    "swap": ((2,), _any),
    "make_unique": ((1,), _numbers),
    **dict.fromkeys(("fill", "fill_n", "copy", "copy_n"), ((3,), _from_pointer)),
    **dict.fromkeys(("sort", "stable_sort"), ((2, 3), _from_pointer)),
    **dict.fromkeys(("nth_element", "partial_sort"), ((3, 4), _from_pointer)),
}
"""By name below `std`: the numbers of parameters, and what else must hold of their types."""


def library_function(cursor: Any, hosted: bool = True) -> LibraryFunction | None:
    """The library function that a called declaration is; None for one that has no meaning here.

    `hosted`: whether C's names are the C library's in this program, however they are declared.
    """
    if cursor is None or not cursor.kind.is_declaration():
        return None
    body = cursor.get_definition()
    name = str(cursor.spelling)
    if str(cursor.mangled_name) == name:
        return _c_function(cursor, name, hosted) if body is None else None
    if not in_system_header(cursor if body is None else body):
        return None
    scopes = scopes_of(cursor)
    return _std_function(cursor, name, scopes[1:]) if scopes[:1] == ["std"] else None


def _c_function(cursor: Any, name: str, hosted: bool) -> LibraryFunction | None:
    if cursor.kind.name != "FUNCTION_DECL" or cursor.linkage.name != "EXTERNAL":
        return None
    is_builtin = name.startswith("__builtin_")
    type, meaning = _C.get(name.removeprefix("__builtin_"), (None, ""))
    if type is None or type not in (_type(cursor), _ANY):
        return None
    if in_system_header(cursor) or is_builtin:
        return LibraryFunction(meaning, False)
    if not hosted or any(_DEFINING.search(Node(c).printed()) for c in (cursor, cursor.canonical)):
        return None
    return LibraryFunction(meaning, False)


def _std_function(cursor: Any, name: str, scopes: Sequence[str]) -> LibraryFunction | None:
    if scopes:
        is_known = scopes[-1] in ("vector", "numeric_limits")
        return LibraryFunction(f"{scopes[-1]}::{name}", True) if is_known else None
    counts, fits = _STD.get(name, ((), _any))
    parameters = [p.type.get_canonical() for p in cursor.get_arguments()]
    if len(parameters) not in counts or not fits(parameters):
        return None
    return LibraryFunction(name, True)


def _type(cursor: Any) -> str:
    """A function's type without exception specifications: `double (double)`."""
    type = cursor.type.get_canonical()
    if type.kind.name != "FUNCTIONPROTO":
        return ""
    parameters = [str(t.get_canonical().spelling) for t in type.argument_types()]
    if type.is_function_variadic():
        parameters.append("...")
    return f"{type.get_result().get_canonical().spelling} ({', '.join(parameters)})"
