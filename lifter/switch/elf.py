"""Objects in the ELF format (64 bits, little-endian): one symbol is made to stand for another.

A symbol table has an entry of 24 bytes a symbol: name, info (binding and type), other (visibility),
section, value, size. What refers to a symbol has the number of its entry, so exchanging what
entries say redirects every reference, without moving a byte.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

_SYMBOL = struct.Struct("<IBBHQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMTAB, _GROUPED = 2, 0x200
_UNDEFINED, _FIRST_SPECIAL = 0, 0xFF00
_GLOBAL, _WEAK, _FUNCTION, _HIDDEN = 1, 2, 2, 2


class NotElf(ValueError):
    """The file is no object that this can read."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """One entry of the symbol table, and where it is in the file."""

    name: str
    place: int
    info: int
    other: int
    section: int
    value: int
    size: int
    grouped: bool
    """Whether its section is one of which a linker keeps one copy, as for inline functions."""

    @property
    def is_defined(self) -> bool:
        return self.section != _UNDEFINED and self.section < _FIRST_SPECIAL


def symbols(content: bytes) -> dict[str, Symbol]:
    """The global symbols of an object by name. Raises `NotElf`."""
    if content[:6] != b"\x7fELF\x02\x01":
        raise NotElf("no ELF object of 64 bits")
    try:
        (start,) = struct.unpack_from("<Q", content, 0x28)
        size, count = struct.unpack_from("<HH", content, 0x3A)
        if size != _SECTION.size:
            raise NotElf("section headers of another size")
        if count == 0:
            count = _SECTION.unpack_from(content, start)[5]
        sections = [_SECTION.unpack_from(content, start + i * size) for i in range(count)]
        table = next((s for s in sections if s[1] == _SYMTAB), None)
        if table is None:
            return {}
        return _read(content, sections, table)
    except (struct.error, IndexError) as error:
        raise NotElf(f"cut off: {error}") from None


def _read(
    content: bytes, sections: list[tuple[int, ...]], table: tuple[int, ...]
) -> dict[str, Symbol]:
    offset, size, strings, first_global = table[4], table[5], sections[table[6]], table[7]
    found = {}
    for number in range(first_global, size // _SYMBOL.size):
        place = offset + number * _SYMBOL.size
        name, info, other, section, value, length = _SYMBOL.unpack_from(content, place)
        begin = strings[4] + name
        text = content[begin : content.index(b"\0", begin)].decode("utf-8", "replace")
        in_file = 0 < section < min(len(sections), _FIRST_SPECIAL)
        grouped = in_file and bool(sections[section][2] & _GROUPED)
        found[text] = Symbol(text, place, info, other, section, value, length, grouped)
    return found


def replaceable(content: bytes, name: str) -> bool:
    """Whether the object defines that function, for all files, and no other object does, too."""
    symbol = symbols(content).get(name)
    return (
        symbol is not None
        and symbol.is_defined
        and not symbol.grouped
        and symbol.info & 15 == _FUNCTION
        and symbol.info >> 4 in (_GLOBAL, _WEAK)
    )


def weak(content: bytes) -> frozenset[str]:
    """The functions that other objects may replace by their own."""
    return frozenset(
        name
        for name, symbol in symbols(content).items()
        if symbol.is_defined and not symbol.grouped and symbol.info >> 4 == _WEAK
    )


def switched(content: bytes, entries: Mapping[str, tuple[str, str]]) -> bytes:
    """The object where each function is what its entry is: {function: (entry, original)}.

    `entry` is the defined symbol of what is to be called in the function's place, `original` the
    undefined one by which the entry calls the function as it was; both can't be seen from other
    objects any more. Raises `NotElf`, `KeyError` for a symbol that isn't there.
    """
    made = bytearray(content)
    found = symbols(content)
    for name, (entry_name, original_name) in entries.items():
        own, entry, original = found[name], found[entry_name], found[original_name]
        function = _GLOBAL << 4 | _FUNCTION
        _put(made, own, function, own.other, entry)
        _put(made, entry, function, _HIDDEN, entry)
        _put(made, original, function, _HIDDEN, own)
    return bytes(made)


def _put(made: bytearray, symbol: Symbol, info: int, other: int, what: Symbol) -> None:
    """The entry keeps its name and says what `what` says."""
    struct.pack_into(
        "<BBHQQ", made, symbol.place + 4, info, other, what.section, what.value, what.size
    )
