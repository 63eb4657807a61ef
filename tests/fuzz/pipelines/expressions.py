"""Random expressions whose values are known to stay in range, so that nothing is undefined.

Signed 32-bit arithmetic must not overflow (both packages assume that); narrower arithmetic wraps
and may. Floats stay finite, so that minima and maxima never meet a NaN.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

LIMIT = 2**31 - 1
RANGES = {
    "u8": (0, 255), "i8": (-128, 127), "u16": (0, 65535), "i16": (-32768, 32767),
    "u32": (0, 2**32 - 1), "i32": (-(2**31), 2**31 - 1), "bool": (0, 1),
}  # fmt: skip
FLOAT_LIMIT = 1e6


@dataclass(frozen=True)
class Term:
    """Text of type int32 (or float32) and the range of its values."""

    text: str
    low: float
    high: float

    @property
    def size(self) -> float:
        return max(abs(self.low), abs(self.high))


Leaf = Callable[[], Term]


def integer(r: random.Random, leaf: Leaf, depth: int) -> Term:
    """An int32 expression over leaves of int32."""
    if depth == 0:
        if r.random() < 0.12:
            value = r.choice([0, 1, 2, 3, 7, 100, 127, 128, 255, 256])
            return Term(f"hl.i32({value})", value, value)
        return leaf()
    a, b = integer(r, leaf, depth - 1), integer(r, leaf, r.randint(0, depth - 1))
    for _ in range(8):
        made = _combined(r, a, b, leaf)
        if made is not None and made.size <= LIMIT:
            return made
    return _narrow(r, a)


def _narrow(r: random.Random, a: Term) -> Term:
    name = r.choice(["u8", "i8", "u16", "i16"])
    return Term(f"hl.i32(hl.{name}({a.text}))", *RANGES[name])


def _corners(a: Term, b: Term) -> tuple[float, float]:
    products = [p * q for p in (a.low, a.high) for q in (b.low, b.high)]
    return min(products), max(products)


def _combined(r: random.Random, a: Term, b: Term, leaf: Leaf) -> Term | None:
    k = r.choice([1, 2, 3, 5, 7, 16, 255])
    shift = r.randint(0, 6)
    match r.randint(0, 21):
        case 0 | 1:
            return Term(f"({a.text} + {b.text})", a.low + b.low, a.high + b.high)
        case 2:
            return Term(f"({a.text} - {b.text})", a.low - b.high, a.high - b.low)
        case 3:
            return Term(f"({a.text} * {b.text})", *_corners(a, b))
        case 4:
            return Term(f"({a.text} * {k})", *_corners(a, Term("", k, k)))
        case 5:
            return Term(f"({a.text} / {k})", a.low // k, a.high // k)
        case 6:
            return Term(f"({a.text} % {k})", 0, k - 1)
        case 7:
            return Term(f"hl.min({a.text}, {b.text})", min(a.low, b.low), min(a.high, b.high))
        case 8:
            return Term(f"hl.max({a.text}, {b.text})", max(a.low, b.low), max(a.high, b.high))
        case 9:
            return Term(f"hl.clamp({a.text}, 0, 255)", 0, 255)
        case 10 | 11:
            c, d = leaf(), leaf()
            test = r.choice(["<", "<=", ">", "==", "!="])
            low, high = min(a.low, b.low), max(a.high, b.high)
            return Term(f"hl.select({c.text} {test} {d.text}, {a.text}, {b.text})", low, high)
        case 12:
            size = a.size + b.size
            return Term(f"hl.i32(hl.absd({a.text}, {b.text}))", 0, size)
        case 13:
            return Term(f"({a.text} >> {shift})", int(a.low) >> shift, int(a.high) >> shift)
        case 14:
            scale = Term("", 1 << shift, 1 << shift)
            return Term(f"({a.text} << {shift})", *_corners(a, scale))
        case 15:
            return Term(f"({a.text} & {k})", 0, k)
        case 16:
            op = r.choice(["+", "-", "*", "&", "|", "^"])
            kind = r.choice(["u8", "u16", "i16", "i8"])
            return Term(f"hl.i32(hl.{kind}({a.text}) {op} hl.{kind}({b.text}))", *RANGES[kind])
        case 17:
            kind = r.choice(["u8", "u16", "i16", "i8"])
            name = r.choice(["u8_sat", "u16_sat", "i16_sat", "i8_sat"])
            return Term(f"hl.i32(hl.{name}({a.text}))", *RANGES[name[:-4]])
        case 18:
            kind = r.choice(["u8", "u16", "i16", "i8"])
            name = r.choice(["saturating_add", "saturating_sub", "halving_add",
                             "rounding_halving_add"])  # fmt: skip
            return Term(
                f"hl.i32(hl.{name}(hl.{kind}({a.text}), hl.{kind}({b.text})))", *RANGES[kind]
            )
        case 19:
            text = f"hl.widening_mul(hl.u8({a.text}), hl.u8({b.text}))"
            return Term(f"hl.i32({text})", 0, 65535)
        case 20:
            weight = f"hl.u8({leaf().text})"
            text = f"hl.lerp(hl.u8({a.text}), hl.u8({b.text}), {weight})"
            return Term(f"hl.i32({text})", 0, 255)
        case _:
            divisor = f"(hl.i32(hl.u8({b.text})) + {r.choice([0, 1])})"
            return Term(f"({a.text} / {divisor})", -a.size, a.size)


def real(r: random.Random, leaf: Leaf, depth: int) -> Term:
    """A float32 expression over leaves of float32."""
    if depth == 0:
        if r.random() < 0.15:
            value = r.choice([0.0, 0.5, 1.0, 0.25, -1.5, 3.0])
            return Term(f"hl.f32({value})", value, value)
        return leaf()
    a, b = real(r, leaf, depth - 1), real(r, leaf, r.randint(0, depth - 1))
    for _ in range(6):
        made = _combined_reals(r, a, b, leaf)
        if made.size <= FLOAT_LIMIT:
            return made
    return Term(f"hl.clamp({a.text}, hl.f32(-1.0), hl.f32(1.0))", -1, 1)


def _combined_reals(r: random.Random, a: Term, b: Term, leaf: Leaf) -> Term:
    match r.randint(0, 9):
        case 0 | 1:
            return Term(f"({a.text} + {b.text})", a.low + b.low, a.high + b.high)
        case 2:
            return Term(f"({a.text} - {b.text})", a.low - b.high, a.high - b.low)
        case 3 | 4:
            return Term(f"({a.text} * {b.text})", *_corners(a, b))
        case 5:
            return Term(f"hl.min({a.text}, {b.text})", min(a.low, b.low), min(a.high, b.high))
        case 6:
            return Term(f"hl.max({a.text}, {b.text})", max(a.low, b.low), max(a.high, b.high))
        case 7:
            return Term(f"hl.sqrt(hl.abs({a.text}))", 0, max(1.0, a.size))
        case 8:
            return Term(f"hl.floor({a.text})", a.low - 1, a.high)
        case _:
            c, d = leaf(), leaf()
            low, high = min(a.low, b.low), max(a.high, b.high)
            return Term(f"hl.select({c.text} < {d.text}, {a.text}, {b.text})", low, high)
