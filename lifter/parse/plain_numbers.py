"""What lanes hold, computed as a person would: in `int`, wherever nothing wraps there.

Vectors compute in as many bits as their lanes have, and sums of bytes that became words wrap as
words. Mostly nothing does, which the ranges of their parts show:

    i16(u16(i32(u16(i32(s[i]) - s[j])) + u16(k)))         i32(s[i]) - s[j] + k

Inside of a conversion to so many bits conversions to as many don't matter, if all is computed in
`int` without overflow (wrapping is a homomorphism of rings).
"""

from __future__ import annotations

from compiler.ir import (
    EQ,
    GE,
    GT,
    I32,
    LE,
    LT,
    MIRROR,
    NE,
    Add,
    BitOr,
    BitXor,
    Cast,
    Comparison,
    Const,
    Expr,
    Max,
    Min,
    Mul,
    Neg,
    Select,
    Shl,
    Shr,
    Sub,
    Type,
    postorder,
)
from compiler.ir.bounds_of_values import never_wraps, value_range
from compiler.ir.intrinsics import intrinsic
from compiler.ir.operators import Range

from .folding import choose, convert, fold, number

_RING = (Add, Sub, Mul, Neg)


class PlainNumbers:
    """Rewrites formulas, and remembers what it knows of them."""

    def __init__(self) -> None:
        self._ranges: dict[Expr, Range] = {}
        self._done: dict[Expr, Expr] = {}

    def of(self, value: Expr) -> Expr:
        """The same number, with as few conversions as its parts' ranges allow."""
        for node in postorder(value):
            if node in self._done:
                continue
            children = tuple(self._done[c] for c in node.children)
            made = self._made(fold(node.rebuild(children))) if children else node
            self._done[node] = made
        return self._done[value]

    def _range(self, value: Expr) -> Range:
        return value_range(value, done=self._ranges)

    def _is_within(self, value: Expr, type: Type) -> bool:
        low, high = self._range(value)
        return type.min <= low and high <= type.max

    def _made(self, node: Expr) -> Expr:
        if isinstance(node, Comparison):
            return self._compared(node)
        if isinstance(node, Select):
            return self._chosen(node)
        if not _is_whole(node.type):
            return node
        if isinstance(node, Cast):
            return self._cast(node.type, node.value) if _is_whole(node.value.type) else node
        if isinstance(node, _RING) and node.type.bits <= 32:
            inner = self._exact(node, node.type.bits)
            return node if inner is None else _converted(inner, node.type)
        if isinstance(node, Shr):
            return self._shifted(node)
        if isinstance(node, (Min, Max)):
            return self._extreme(node)
        if isinstance(node, BitXor):
            return self._turned_over(node)
        return node

    def _cast(self, type: Type, value: Expr) -> Expr:
        value = self._lowest(value, type.bits)
        inner = self._exact(value, type.bits) if type.bits <= 32 else None
        return _converted(value if inner is None else inner, type)

    def _lowest(self, value: Expr, bits: int) -> Expr:
        """What alone counts in the lowest bits of numbers that were put side by side."""
        inner = value
        while isinstance(inner, Cast) and inner.type.bits >= bits and _is_whole(inner.value.type):
            inner = inner.value
        if isinstance(inner, BitOr):
            for one, other in ((inner.a, inner.b), (inner.b, inner.a)):
                if _zeros_below(one) >= bits:
                    return self._lowest(other, bits)
        return value

    def _exact(self, value: Expr, bits: int) -> Expr | None:
        """A number that has the lowest bits of `value`, computed in `int` without overflow."""
        if isinstance(value, Const):
            return number(int(value.value), I32) if I32.contains(int(value.value)) else None
        if isinstance(value, Cast) and _is_whole(value.value.type):
            inner = value.value
            if value.type.bits >= bits or self._is_within(inner, value.type):
                found = self._exact(inner, bits)
                if found is not None:
                    return found
        elif isinstance(value, _RING) and (
            value.type.bits >= bits or never_wraps(value, *map(self._range, value.children))
        ):
            parts = [self._exact(c, bits) for c in value.children]
            if all(p is not None for p in parts):
                made = value.rebuild(tuple(p for p in parts if p is not None))
                if never_wraps(made, *map(self._range, made.children)):
                    return fold(made)
        return _converted(value, I32) if self._is_within(value, I32) else None

    def _shifted(self, node: Shr) -> Expr:
        """Bits above others: of what was put side by side the lower part falls out."""
        if not isinstance(node.b, Const):
            return node
        by, value = int(node.b.value), node.a
        if isinstance(value, Cast) and self._is_within(value.value, value.type):
            value = value.value
        if not isinstance(value, BitOr):
            return node
        for one, other in ((value.a, value.b), (value.b, value.a)):
            low, high = self._range(other)
            inner = one.value if isinstance(one, Cast) else one
            if low < 0 or high >= 1 << by or not isinstance(inner, Shl):
                continue
            if not isinstance(inner.b, Const) or inner.b.value != by:
                continue
            least, most = self._range(inner.a)
            if least >= 0 and most << by <= min(one.type.max, inner.type.max):
                return _converted(inner.a, node.type)
        return node

    def _turned_over(self, node: BitXor) -> Expr:
        """`x ^ 255` of what has no other bits is `255 - x`."""
        ones = int(node.b.value) if isinstance(node.b, Const) else 0
        if ones < 1 or ones & (ones + 1):
            return node
        low, high = self._range(node.a)
        inner = self._exact(node.a, 32) if node.type.bits <= 32 else None
        if low < 0 or high > ones or inner is None or not self._is_within(node.a, I32):
            return node
        return _converted(Sub(number(ones, I32), inner), node.type)

    def _compared(self, node: Comparison) -> Expr:
        """A comparison that its sides' ranges decide."""
        if not _is_whole(node.a.type):
            return node
        (low, high), (least, most) = self._range(node.a), self._range(node.b)
        for kind, holds, fails in (
            (EQ, False, high < least or low > most), (NE, high < least or low > most, False),
            (LT, high < least, low >= most), (LE, high <= least, low > most),
            (GT, low > most, high <= least), (GE, low >= most, high < least),
        ):  # fmt: skip
            if type(node) is kind and (holds or fails):
                return Const(node.type, int(holds))
        return node

    def _chosen(self, node: Select) -> Expr:
        condition, a, b = node.children
        if isinstance(condition, Const) or a is b:
            return choose(condition, a, b)
        if not isinstance(condition, (LT, LE, GT, GE)) or not _is_whole(node.type):
            return node
        for kind, left, right in (
            (type(condition), condition.a, condition.b),
            (MIRROR[type(condition)], condition.b, condition.a),
        ):
            # The sides may have been made wider to be compared.
            one, other = (_same_number(node.type, side) for side in (left, right))
            if one is a and other is b:
                return self._extreme(Min(a, b) if kind in (LT, LE) else Max(a, b))
            if other is a and _holds(b, one, a, Min if kind in (LT, LE) else Max):
                return self._extreme(Max(b, a) if kind in (LT, LE) else Min(b, a))
            negated = kind in (LT, LE) and other is not None and _is_zero(other)
            if negated and one is b and self._is_opposite(a, b):
                return _converted(intrinsic("abs", b), node.type)
        return node

    def _extreme(self, node: Expr) -> Expr:
        """`min` or `max`, where ranges don't decide it."""
        assert isinstance(node, (Min, Max))
        for one, other in ((node.a, node.b), (node.b, node.a)):
            (low, high), (least, most) = self._range(one), self._range(other)
            if high <= least if isinstance(node, Min) else low >= most:
                return one
        return node

    def _is_opposite(self, a: Expr, b: Expr) -> bool:
        inner = a.value if isinstance(a, Neg) else a.b if isinstance(a, Sub) else None
        is_from_zero = not isinstance(a, Sub) or _is_zero(a.a)
        return inner is b and is_from_zero and self._range(b)[0] > b.type.min


def _is_whole(type: Type) -> bool:
    return type.is_integer and not type.is_bool


def _is_zero(value: Expr) -> bool:
    return isinstance(value, Const) and not value.value


def _holds(value: Expr, one: Expr | None, limit: Expr, kind: type[Expr]) -> bool:
    """Whether a value is `one`, limited on its other side by a constant: `min(one, 255)`, where the
    `limit` 0 is no larger."""
    if not isinstance(value, kind) or not isinstance(limit, Const):
        return False
    for part, other in (value.children, value.children[::-1]):
        if part is one and isinstance(other, Const):
            return limit.value <= other.value if kind is Min else limit.value >= other.value
    return False


def _converted(value: Expr, type: Type) -> Expr:
    """`convert`, without a conversion in between that changes nothing."""
    while isinstance(value, Cast) and _is_whole(value.value.type):
        inner = value.value.type
        if not value.type.contains_all(inner) and type.bits > value.type.bits:
            break
        value = value.value
    return convert(value, type)


def _same_number(type: Type, side: Expr) -> Expr | None:
    """One side of a comparison as a number of `type`, if it is the same number."""
    if side.type is type:
        return side
    if not _is_whole(side.type):
        return None
    if isinstance(side, Const):
        return number(int(side.value), type) if type.contains(int(side.value)) else None
    if isinstance(side, Cast) and side.value.type is type and side.type.contains_all(type):
        return side.value
    return None


def _zeros_below(value: Expr) -> int:
    """How many of its lowest bits are seen to be zeros."""
    if isinstance(value, Cast) and _is_whole(value.value.type):
        return _zeros_below(value.value)
    if isinstance(value, Shl) and isinstance(value.b, Const):
        return int(value.b.value)
    return 0


__all__ = ["PlainNumbers"]
