"""What moves the bits of a number and changes nothing else, seen bit by bit: `d >> 8 | d << 24`.

Done often enough it gives the number back, so that of a scalar that each iteration moves on so, a
few values are all that there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from compiler.ir import (
    I64,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Cast,
    Const,
    Expr,
    Mod,
    Shl,
    Shr,
    Sub,
    const,
)

from .index import typed
from .polynomial import normal


@dataclass(frozen=True, slots=True)
class _Bit:
    """The bit of the number at place `of`, or the other one; without a place 0, or 1."""

    of: int | None
    is_other: bool = False


_ZERO, _ONE = _Bit(None), _Bit(None, True)
Bits = tuple[_Bit, ...]
"""From the lowest."""


def rounds(value: Expr, number: Expr, most: int) -> list[Bits]:
    """Where the bits of a number without sign are when nothing was done to it, when `value` was,
    that again, and so on, before it is the number again; nothing where that takes more than `most`
    times, or `value` does something else."""
    step = _bits(value, number)
    if step is None or value.type is not number.type:
        return []
    same = tuple(map(_Bit, range(number.type.bits)))
    found = [same]
    while len(found) <= most:
        after = tuple(_moved(bit, found[-1]) for bit in step)
        if after == same:
            return found
        found.append(after)
    return []


def rotation(value: Expr, number: Expr) -> int | None:
    """By how many places down a value is the number turned around, none left out; None where it is
    anything else."""
    found = _bits(value, number)
    if found is None or value.type is not number.type or found[0].of is None:
        return None
    by, places = found[0].of, len(found)
    same = all(bit == _Bit((place + by) % places) for place, bit in enumerate(found))
    return by if same else None


def turned_by(number: Expr, places: Expr) -> Expr:
    """The number turned around by so many places down, an index expression that isn't negative."""
    type, bits = number.type, const(number.type.bits, I64)
    down = Mod(places, bits)
    up = Mod(Sub(bits, down), bits)
    return BitOr(Shr(number, typed(type, normal(down))), Shl(number, typed(type, normal(up))))


def moved(number: Expr, bits: Bits) -> Expr:
    """The number with its bits where they are told to be: each run of them by one shift."""
    type = number.type
    masks: dict[int, int] = {}
    flipped = 0
    for place, bit in enumerate(bits):
        flipped |= bit.is_other << place
        if bit.of is not None:
            by = place - bit.of
            masks[by] = masks.get(by, 0) | 1 << place
    parts = [_shifted(number, by, mask) for by, mask in sorted(masks.items())]
    made = parts[0] if parts else const(0, type)
    for part in parts[1:]:
        made = BitOr(made, part)
    return BitXor(made, const(flipped, type)) if flipped else made


def _shifted(number: Expr, by: int, mask: int) -> Expr:
    type = number.type
    every = int(type.max)
    if by < 0:
        made: Expr = Shr(number, const(-by, type))
        whole = every >> -by
    else:
        made = Shl(number, const(by, type)) if by else number
        whole = every << by & every
    return made if mask == whole else BitAnd(made, const(mask, type))


def _bits(value: Expr, number: Expr) -> Bits | None:
    """Each bit of a value as one of the number's; None where it isn't one of these alone."""
    type = value.type
    if not type.is_uint or type.is_bool:
        return None
    if value is number:
        return tuple(map(_Bit, range(type.bits)))
    if isinstance(value, Const):
        return tuple(_ONE if int(value.value) >> place & 1 else _ZERO for place in range(type.bits))
    if isinstance(value, (Cast, BitNot)):
        inner = _bits(value.value, number)
        if inner is None:
            return None
        if isinstance(value, BitNot):
            return tuple(map(_other, inner))
        return (*inner[: type.bits], *(_ZERO,) * (type.bits - len(inner)))
    if isinstance(value, (Shl, Shr)):
        inner = _bits(value.a, number)
        if inner is None or not isinstance(value.b, Const) or not 0 <= value.b.value < type.bits:
            return None
        by = int(value.b.value)
        none = (_ZERO,) * by
        return (*none, *inner[: type.bits - by]) if isinstance(value, Shl) else (*inner[by:], *none)
    if isinstance(value, (BitAnd, BitOr, BitXor)):
        sides = [_bits(side, number) for side in (value.a, value.b)]
        made = [_together(value, a, b) for a, b in zip(*map(_known, sides), strict=False)]
        found = tuple(bit for bit in made if bit is not None)
        return found if len(found) == type.bits else None
    return None


def _known(bits: Bits | None) -> Sequence[_Bit]:
    return bits or ()


def _together(operator: Any, a: _Bit, b: _Bit) -> _Bit | None:
    """What an operator makes of two bits; None for what isn't one of them."""
    if a.of is not None and b.of is not None:
        if a.of != b.of:
            return None
        if isinstance(operator, BitXor):
            return _ONE if a != b else _ZERO
        if a == b:
            return a
        return _ZERO if isinstance(operator, BitAnd) else _ONE
    known, other = (a, b) if a.of is None else (b, a)
    if isinstance(operator, BitXor):
        return _other(other) if known.is_other else other
    decides = not known.is_other if isinstance(operator, BitAnd) else known.is_other
    return known if decides else other


def _other(bit: _Bit) -> _Bit:
    return _Bit(bit.of, not bit.is_other)


def _moved(bit: _Bit, bits: Bits) -> _Bit:
    """A bit of what was made of a number, of which those `bits` are the number's."""
    if bit.of is None:
        return bit
    return _other(bits[bit.of]) if bit.is_other else bits[bit.of]
