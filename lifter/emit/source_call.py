"""C++ that calls the original function from the flat parameters of its kernel.

Where a kernel's parameters are fields (`img.data`, `img.width`), the object is put together from
them: in plain storage, so that a class needs no constructor, and through `lift_assign`, so that
constant members may be set. Private members want `-fno-access-control`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..model.kernel import ParamKind, SourceField, SourceParam

PRELUDE = """\
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <new>
#include <vector>

template <class T, class V> static inline void lift_assign(const T &field, V value)
{
    const_cast<T &>(field) = (T)value;
}

template <class T> static inline void lift_end(const T &field)
{
    field.~T();
}
"""
"""What the calls need."""


class FlatParam(Protocol):
    """A parameter of the kernel, as parsing and as `summary.json` have it."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> ParamKind: ...
    @property
    def spelling(self) -> str: ...


@dataclass(frozen=True, slots=True)
class SourceCall:
    """Statements before the call, the call itself, and statements after it."""

    before: tuple[str, ...]
    call: str
    after: tuple[str, ...]


def identifier(name: str) -> str:
    """A name of Kernel IR in C: `img.width` is `img_width`."""
    return re.sub(r"\W", "_", name)


def source_call(
    qualified: str,
    sources: Sequence[SourceParam],
    params: Sequence[FlatParam],
    named: Callable[[str], str],
    plain: Callable[[str], str],
    element: Callable[[str], str],
) -> SourceCall:
    """The call of the function `qualified` whose source parameters are `sources`.

    `named` gives the C variable of a flat parameter (a pointer, or a number), `plain` the argument
    that stands for one that wasn't taken apart, `element` the C type of one's elements. A vector is
    a pointer and, in a variable of the same name with `_size`, its element count. Raises
    `ValueError` for a vector of pointers to rows, whose number nobody is told.
    """
    kinds = {p.name: p.kind for p in params}
    # A pointer that is only used as `*p` is a reference by kind, not by its C++ type.
    kinds |= {p.name: "array" for p in params if p.kind == "reference" and "&" not in p.spelling}
    if not sources:
        sources = [SourceParam(p.name, "", "plain", "", ()) for p in params]
    before: list[str] = []
    after: list[str] = []
    arguments: list[str] = []
    receiver = ""
    for source in sources:
        if source.passing == "plain":
            arguments.append(plain(source.name))
            continue
        whole = f"lift_{identifier(source.name)}"
        before += _storage(whole, source.record)
        for field in source.fields:
            place = f"{whole}.{field.path}" if field.path else whole
            if field.is_row_vector:
                raise ValueError(f"nobody says how many rows `{field.path}` has")
            _fill(field, place, whole, kinds, named, element, before, after)
        constant = "const " if source.spelling.startswith("const ") else ""
        if source.passing == "this":
            receiver = f"(({constant}{source.record} &){whole})."
        elif source.passing == "pointer":
            arguments.append(f"({constant}{source.record} *)&{whole}")
        else:
            arguments.append(f"({constant}{source.record} &){whole}")
    name = qualified.rpartition("::")[2] if receiver else qualified
    return SourceCall(tuple(before), f"{receiver}{name}({', '.join(arguments)})", tuple(after))


def c_source_call(
    function: str,
    sources: Sequence[SourceParam],
    kinds: dict[str, ParamKind],
    record: Callable[[str], str],
    named: Callable[[str], str],
    plain: Callable[[str], str],
    element: Callable[[str], str],
) -> SourceCall:
    """The same in C (with `__typeof__`, as GCC and Clang have it); `kinds` are those of the flat
    parameters, `record` gives a structure's name in C. Raises `ValueError` for what C hasn't."""
    before: list[str] = []
    after: list[str] = []
    arguments: list[str] = []
    for source in sources:
        if source.passing == "plain":
            arguments.append(plain(source.name))
            continue
        if source.passing == "this" or any(f.record.startswith("std::") for f in source.fields):
            raise ValueError(f"C has no {source.record}")
        whole = f"lift_{identifier(source.name)}"
        before += [f"{record(source.record)} {whole};", f"memset(&{whole}, 0, sizeof {whole});"]
        for field in source.fields:
            place = f"{whole}.{field.path}" if field.path else whole
            if not field.param:
                inner = f"{whole}_{identifier(field.path)}"
                before += [
                    f"__typeof__(*{place}) {inner};",
                    f"memset(&{inner}, 0, sizeof {inner});",
                ]
                before.append(_set_in_c(place, f"&{inner}"))
                continue
            name, value = named(field.param), named(field.param)
            if field.count > 0:
                before.append(f"memcpy((void *)&{place}, {name}, sizeof {place});")
                after.append(f"memcpy((void *){name}, &{place}, sizeof {place});")
                continue
            if kinds[field.param] == "reference":
                value = f"*({element(field.param)} *){name}"
                after.append(f"{value} = {place};")
            before.append(_set_in_c(place, value))
        arguments.append(f"&{whole}" if source.passing == "pointer" else whole)
    return SourceCall(tuple(before), f"{function}({', '.join(arguments)})", tuple(after))


def _set_in_c(place: str, value: str) -> str:
    """Sets a field, which may be constant."""
    made = f"__typeof__({place}) lift_value = (__typeof__({place})){value};"
    return f"{{ {made} memcpy((void *)&{place}, (const void *)&lift_value, sizeof {place}); }}"


def decayed(spelling: str) -> str:
    """The type of a parameter as a cast may name it: `int[256]` is `int *`."""
    found = re.fullmatch(r"(.*?)\s*\[[^\]]*\]((?:\[\w+\])*)", spelling)
    if found is None:
        return spelling
    return f"{found[1]} (*){found[2]}" if found[2] else f"{found[1]} *"


def _storage(name: str, record: str) -> list[str]:
    return [
        f"alignas({record}) unsigned char {name}_bytes[sizeof({record})] = {{}};",
        f"{record} &{name} = *({record} *){name}_bytes;",
    ]


def _lent(owner: str, memory: str) -> str:
    """Gives memory to what never frees it, as no object here ends; `owner` ends in `.` or `->`."""
    return f"{owner}reset((decltype({owner}get())){memory});"


def _fill(
    field: SourceField,
    place: str,
    whole: str,
    kinds: dict[str, ParamKind],
    named: Callable[[str], str],
    element: Callable[[str], str],
    before: list[str],
    after: list[str],
) -> None:
    owner = place.removesuffix("get()")
    if not field.param:
        inner = f"{whole}_{identifier(field.path)}"
        before += _storage(inner, field.record)
        if owner != place:
            before.append(_lent(owner, f"&{inner}"))
        else:
            before.append(f"lift_assign({place}, (void *)&{inner});")
        return
    name = named(field.param)
    if owner != place:
        before.append(_lent(owner, name))
        return
    kind = kinds[field.param]
    if kind == "vector":
        type = f"std::vector<{element(field.param)}>"
        start = f"({element(field.param)} *){name}"
        before.append(f"new ((void *)&{place}) {type}({start}, {start} + {name}_size);")
        copied = f"memcpy((void *){name}, {place}.data(), {place}.size() * sizeof *({start}));"
        after.append(f"if (!{place}.empty()) {copied}")
        after.append(f"lift_end({place});")
    elif field.count > 0:
        before.append(f"memcpy((void *)&{place}, {name}, sizeof {place});")
        after.append(f"memcpy((void *){name}, &{place}, sizeof {place});")
    elif kind == "reference":
        before.append(f"lift_assign({place}, *({element(field.param)} *){name});")
        after.append(f"*({element(field.param)} *){name} = {place};")
    else:
        before.append(f"lift_assign({place}, {name});")
