"""Values of vector types as the numbers in their lanes, and their bits as lanes of any width.

What the source calls a vector doesn't say what is in it: a `__m128i` is 16 bytes here and 8 words
there. So its numbers keep the type that they were made with, and are taken apart or put together
where somebody sees them otherwise; parts that were put together come back as they were:

    unpacklo_epi8(x, zero)       words:    u16(x[0]), u16(x[1]), ...
    packus_epi16(those, ...)     bytes:    x[0], x[1], ...
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from compiler.ir import (
    BitAnd,
    BitOr,
    BitXor,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Shl,
    Shr,
    Type,
    postorder,
)
from compiler.ir import UInt as unsigned
from compiler.ir.formula import reinterpreted

from .folding import choose, convert, fold, number

Number = Expr | None
"""A lane's number; None before it has one."""


@dataclass(frozen=True, slots=True)
class Lanes:
    """A vector's value: its numbers, all of one type, that at the lowest address first."""

    type: Type
    numbers: tuple[Number, ...]

    @property
    def bits(self) -> int:
        return self.type.bits * len(self.numbers)

    @property
    def is_constant(self) -> bool:
        return all(isinstance(n, Const) for n in self.numbers)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been put into it."""
        return all(n is None for n in self.numbers)

    def seen_as(self, type: Type) -> Lanes:
        """The same bits as numbers of another type, the lowest first (little endian)."""
        if type is self.type:
            return self
        own = self.type.bits
        if own == type.bits:
            return Lanes(type, tuple(_same_bits(n, type) for n in self.numbers))
        if own < type.bits:
            count = type.bits // own
            groups = [self.numbers[i : i + count] for i in range(0, len(self.numbers), count)]
            return Lanes(type, tuple(_put_together(group, type) for group in groups))
        places = range(0, own, type.bits)
        return Lanes(type, tuple(_part(n, at, type) for n in self.numbers for at in places))


def bits_of(value: Expr) -> Expr:
    """The bits of a number as an unsigned integer."""
    return as_bits(value, unsigned(value.type.bits))


def as_bits(value: Expr, type: Type) -> Expr:
    """A number of `type` with the bits of another one of the same width."""
    if value.type is type:
        return value
    if value.type.is_integer and type.is_integer:
        return converted(value, type)
    if isinstance(value, Const):
        return _const_bits(value, type)
    if isinstance(value, Call) and value.name == "reinterpret" and value.kind == "intrinsic":
        return as_bits(value.args[0], type)
    if isinstance(value, Select):
        return choose(value.condition, as_bits(value.a, type), as_bits(value.b, type))
    word = unsigned(type.bits)
    if type.is_float and value.type is not word:
        value = convert(value, word)
    if value.type.is_float and type is not word:
        return convert(reinterpreted(word, value), type)
    return reinterpreted(type, value)


def converted(value: Expr, type: Type) -> Expr:
    """`convert`, which undoes what an earlier conversion did, and passes a choice of constants."""
    if isinstance(value, Select) and (isinstance(value.a, Const) or isinstance(value.b, Const)):
        return choose(value.condition, converted(value.a, type), converted(value.b, type))
    if isinstance(value, Cast) and type.is_integer and value.type.is_integer:
        inner = value.value
        keeps = inner.type.is_integer and not inner.type.is_bool
        # What was made wider first and is cut now, or made wider again in the same way.
        if keeps and type.bits <= value.type.bits and inner.type.bits <= value.type.bits:
            return converted(inner, type)
        if keeps and inner.type.is_uint and inner.type.bits < value.type.bits:
            return converted(inner, type)
    if type.is_integer and not type.is_bool and value.type.is_integer:
        narrow = _narrowed(value, type)
        if narrow is not None:
            return narrow
    return convert(value, type)


def _narrowed(value: Expr, type: Type) -> Expr | None:
    """Bits that are combined one by one in a wider type, and cut: combined in the narrow one."""
    if not isinstance(value, (BitAnd, BitOr, BitXor)) or type.bits >= value.type.bits:
        return None
    parts = [c.value if isinstance(c, Cast) else c for c in (value.a, value.b)]
    if any(p.type is not type and not isinstance(p, Const) for p in parts):
        return None
    a, b = (convert(p, type) if isinstance(p, Const) else p for p in parts)
    return fold(value.rebuild((a, b)))


def _const_bits(value: Const, type: Type) -> Const:
    formats = {16: "e", 32: "f", 64: "d"}
    size = value.type.bits
    if value.type.is_float:
        raw = struct.pack(f"<{formats[size]}", value.value)
    else:
        raw = (int(value.value) & ((1 << size) - 1)).to_bytes(size // 8, "little")
    if type.is_float:
        return Const(type, struct.unpack(f"<{formats[size]}", raw)[0])
    return number(int.from_bytes(raw, "little"), type)


def _same_bits(value: Number, type: Type) -> Number:
    return None if value is None else as_bits(value, type)


def _put_together(parts: Sequence[Number], type: Type) -> Number:
    """The number that narrower ones are, the lowest first."""
    if any(p is None for p in parts):
        return None
    known = [bits_of(p) for p in parts if p is not None]
    word, size = unsigned(type.bits), known[0].type.bits
    whole = _same_word(known, word)
    if whole is not None:
        return as_bits(whole, type)
    made: Expr | None = None
    for place, part in enumerate(known):
        if isinstance(part, Const) and not part.value:
            continue
        wide = converted(part, word)
        shifted = fold(Shl(wide, Const(word, place * size))) if place else wide
        made = shifted if made is None else fold(BitOr(made, shifted))
    return as_bits(Const(word, 0) if made is None else made, type)


def _same_word(parts: Sequence[Expr], word: Type) -> Expr | None:
    """The number of which the parts are all parts, in order; None where they aren't."""
    size = parts[0].type.bits
    first: Expr | None = None
    for place, part in enumerate(parts):
        inner = part.value if isinstance(part, Cast) else None
        if place and isinstance(inner, Shr) and isinstance(inner.b, Const):
            inner = inner.a if inner.b.value == place * size else None
        elif place:
            inner = None
        if inner is None or inner.type.is_float or inner.type.bits != word.bits:
            return None
        while isinstance(inner, Cast) and inner.value.type.bits == word.bits:
            inner = inner.value
        if first not in (None, inner) or not inner.type.is_integer:
            return None
        first = inner
    return None if first is None else bits_of(first)


def put_together_of(value: Expr, type: Type) -> list[Expr] | None:
    """The numbers of `type`, the lowest first, that a wider one was put together from, of which
    none is read from memory; None where it wasn't."""
    word = value
    while (
        isinstance(word, Cast) and word.type.is_integer and word.type.bits == word.value.type.bits
    ):
        word = word.value
    if not isinstance(word, BitOr) or any(isinstance(n, Load) for n in postorder(word)):
        return None
    word = bits_of(word)
    parts = [_bits_at(word, at, unsigned(type.bits)) for at in range(0, word.type.bits, type.bits)]
    if any(word in postorder(part) for part in parts):
        return None
    return [as_bits(part, type) for part in parts]


def _part(value: Number, at: int, type: Type) -> Number:
    """`type.bits` bits of a wider number, from bit `at` on."""
    if value is None:
        return None
    return as_bits(_bits_at(bits_of(value), at, unsigned(type.bits)), type)


def _bits_at(word: Expr, at: int, type: Type) -> Expr:
    """Bits of an unsigned number, from bit `at` on, as one of `type`."""
    end = at + type.bits
    match word:
        case Const(value=value):
            return number(int(value) >> at, type)
        case BitOr(a=a, b=b):
            one, other = _bits_at(a, at, type), _bits_at(b, at, type)
            if isinstance(one, Const) and not one.value:
                return other
            if isinstance(other, Const) and not other.value:
                return one
        case BitAnd(a=a, b=Const(value=mask)):
            kept = int(mask) >> at & ((1 << type.bits) - 1)
            if kept == 0:
                return Const(type, 0)
            if kept == (1 << type.bits) - 1:
                return _bits_at(a, at, type)
        case Shl(a=a, b=Const(value=by)):
            if end <= by:
                return Const(type, 0)
            if at >= by:
                return _bits_at(a, at - int(by), type)
        case Shr(a=a, b=Const(value=by)) if word.type.is_uint:
            if at + int(by) >= word.type.bits:
                return Const(type, 0)
            if end + int(by) <= word.type.bits:
                return _bits_at(a, at + int(by), type)
        case Cast(value=inner) if inner.type.is_uint and not inner.type.is_bool:
            if at >= inner.type.bits:
                return Const(type, 0)
            if end <= inner.type.bits:
                return _bits_at(inner, at, type)
        case Select(condition=condition, a=a, b=b) if isinstance(a, Const) or isinstance(b, Const):
            return choose(condition, _bits_at(a, at, type), _bits_at(b, at, type))
    shifted = fold(Shr(word, Const(word.type, at))) if at else word
    return converted(shifted, type)


__all__ = ["Lanes", "Number", "as_bits", "bits_of", "converted"]
