"""Rules about numbers that are packed into a word, and taken out of it again."""

from __future__ import annotations

from compiler.ir import Const, Expr, Type, UInt
from compiler.ir import nodes as n
from compiler.ir.rewriting import AnyRule, Context, coded

from .rewrite_rule import convert, number

WORD_RULES: list[AnyRule] = []


@coded(WORD_RULES, "part-of-word", "u8((u32(a) | u32(b) << 8) >> 8) = b", n.Cast)
def _part(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Cast)
    word = expr.value
    if not (expr.type.is_uint and word.type.is_uint and 8 <= expr.type.bits < word.type.bits):
        return None
    if not isinstance(word, n.Shl | n.Shr | n.BitOr | n.BitAnd | n.BitXor | n.Select):
        return None
    found = _bits(word, 0, expr.type)
    return None if found is None else context.simplify(found)


@coded(WORD_RULES, "masked-part", "u32(a) | ... & 255 = u32(a)", n.BitAnd)
def _masked(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.BitAnd)
    mask = number(expr.b)
    if mask not in (0xFF, 0xFFFF) or not expr.type.is_uint or expr.type.bits <= 16:
        return None
    found = _bits(expr.a, 0, UInt(mask.bit_length()))
    return None if found is None else convert(expr.type, context.simplify(found))


def _bits(word: Expr, low: int, type: Type) -> Expr | None:
    """Bits [low, low + type.bits) of a word as a `type`; None where parts meet."""
    whole, width = word.type, type.bits
    if low >= whole.bits:
        return convert(type, Const(whole, 0))
    constant = number(word)
    if constant is not None:
        return Const(type, (constant >> low) & ((1 << width) - 1))
    if isinstance(word, n.Cast) and word.value.type.is_uint and not word.value.type.is_bool:
        inner = word.value
        if low >= inner.type.bits:
            return Const(type, 0)
        if low == 0 and inner.type.bits <= width:
            return convert(type, inner)
        return _bits(inner, low, type) if low + width <= inner.type.bits else None
    if isinstance(word, (n.Shl, n.Shr)):
        amount = number(word.b)
        if amount is None or not 0 <= amount < whole.bits:
            return None
        if isinstance(word, n.Shr):
            fits = low + amount + width <= whole.bits or low + amount >= whole.bits
            return _bits(word.a, low + amount, type) if fits else None
        if low + width <= amount:
            return Const(type, 0)
        return _bits(word.a, low - amount, type) if low >= amount else None
    if isinstance(word, (n.BitOr, n.BitAnd, n.BitXor)):
        return _combined(word, low, type)
    if isinstance(word, n.Select):
        a, b = _bits(word.a, low, type), _bits(word.b, low, type)
        return None if a is None or b is None else n.Select(word.condition, a, b)
    if whole is type and low == 0:
        return word
    return None


def _combined(word: n.BitOr | n.BitAnd | n.BitXor, low: int, type: Type) -> Expr | None:
    ones = (1 << type.bits) - 1
    is_and = isinstance(word, n.BitAnd)
    for one, other in ((word.a, word.b), (word.b, word.a)):
        mask = number(one)
        if is_and and mask is not None:
            part = (mask >> low) & ones
            if part in (0, ones):
                return _bits(other, low, type) if part else Const(type, 0)
    a, b = _bits(word.a, low, type), _bits(word.b, low, type)
    if a is None or b is None:
        return None
    for one, other in ((a, b), (b, a)):
        value = number(one)
        if value == 0:
            return one if is_and else other
        if value == ones and not isinstance(word, n.BitXor):
            return other if is_and else one
    operator = word.__class__
    return operator(a, b)
