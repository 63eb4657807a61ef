"""What is done to lanes one by one: bits are combined, numbers computed, masks become choices.

A comparison of vectors makes masks, all ones or all zeros in each lane, and what code does with
masks is to choose:

    m = cmpgt(a, b)                          c = a > b;  m = c ? ~0 : 0
    or(and(m, x), andnot(m, y))              c ? x : y
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compiler.ir import (
    COMPARISON_OF,
    FALSE,
    TRUE,
    Add,
    And,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Call,
    Cast,
    Const,
    Expr,
    Mul,
    Or,
    Select,
    Shl,
    Shr,
    Sub,
    Type,
    Variable,
    postorder,
)
from compiler.ir import Int as signed
from compiler.ir import UInt as unsigned

from .arithmetic import operation
from .folding import choose, fold
from .lanes import Lanes, Number, as_bits, converted

_Pair = Callable[[Expr, Expr], Expr]


def both(a: Expr, b: Expr) -> Expr:
    """`a & b`."""
    if isinstance(a, Const) or (_is_mask(b) and not _is_mask(a)):
        a, b = b, a
    if isinstance(b, Const):
        if not b.value:
            return b
        if _is_ones(b):
            return a
    if a is b:
        return a
    if isinstance(a, Select) and _has_zero_or_ones(a):
        return choose(a.condition, both(a.a, b), both(a.b, b))
    return fold(BitAnd(a, b))


def either(a: Expr, b: Expr) -> Expr:
    """`a | b`."""
    if isinstance(a, Const):
        a, b = b, a
    if isinstance(b, Const):
        if not b.value:
            return a
        if _is_ones(b):
            return b
    if a is b:
        return a
    chosen = _over_one_condition(either, a, b)
    if chosen is not None:
        return chosen
    if _is_mask(a):
        assert isinstance(a, Select)
        return choose(a.condition, either(a.a, b), either(a.b, b))
    if _is_mask(b):
        return either(b, a)
    return fold(BitOr(a, b))


def differing(a: Expr, b: Expr) -> Expr:
    """`a ^ b`."""
    if isinstance(a, Const):
        a, b = b, a
    if isinstance(b, Const):
        if not b.value:
            return a
        if _is_ones(b):
            return opposite(a)
    if a is b:
        return Const(a.type, 0)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, BitXor) and other in (one.a, one.b):
            return one.b if other is one.a else one.a
    chosen = _over_one_condition(differing, a, b)
    if chosen is not None:
        return chosen
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Select) and _has_zero_or_ones(one):
            return choose(one.condition, differing(one.a, other), differing(one.b, other))
    return fold(BitXor(a, b))


def opposite(a: Expr) -> Expr:
    """`~a`."""
    if isinstance(a, BitNot):
        return a.value
    if isinstance(a, Select) and (isinstance(a.a, Const) or isinstance(a.b, Const)):
        return choose(a.condition, opposite(a.a), opposite(a.b))
    return fold(BitNot(a))


def _over_one_condition(combine: _Pair, a: Expr, b: Expr) -> Expr | None:
    """Two choices by one condition are one choice."""
    if isinstance(a, Select) and isinstance(b, Select) and a.condition is b.condition:
        return choose(a.condition, combine(a.a, b.a), combine(a.b, b.b))
    return None


def _is_ones(a: Expr) -> bool:
    return isinstance(a, Const) and a.type.is_integer and a.value in (-1, (1 << a.type.bits) - 1)


def _is_mask(a: Expr) -> bool:
    ends = [] if not isinstance(a, Select) else [a.a, a.b]
    return bool(ends) and all(isinstance(e, Const) and (not e.value or _is_ones(e)) for e in ends)


def _has_zero_or_ones(a: Select) -> bool:
    return any(isinstance(e, Const) and (not e.value or _is_ones(e)) for e in (a.a, a.b))


_BITWISE: dict[str, _Pair] = {"&": both, "|": either, "^": differing}
_RULES: dict[type[Expr], _Pair] = {BitAnd: both, BitOr: either, BitXor: differing}
_WRAPPING = {"+": Add, "-": Sub, "*": Mul}


def bitwise(operator: str, a: Lanes, b: Lanes) -> Lanes:
    """`a & b`, `a | b` and `a ^ b`, which are the same for lanes of any width: the narrowest in
    use, so that nothing is put together for it."""
    type = _common(a, b)
    return Lanes(type, _lane_by_lane(_BITWISE[operator], a, b, type))


def inverted(a: Lanes) -> Lanes:
    """`~a`."""
    a = a.seen_as(unsigned(a.type.bits)) if a.type.is_float else a
    return Lanes(a.type, tuple(None if n is None else opposite(n) for n in a.numbers))


def _common(a: Lanes, b: Lanes) -> Type:
    one, other = (b, a) if a.is_constant else (a, b)
    if not other.is_constant and other.type.bits < one.type.bits:
        one = other
    return unsigned(one.type.bits) if one.type.is_float else one.type


def computed(operator: str, a: Lanes, b: Lanes, type: Type) -> Lanes:
    """An operator of C between two vectors of `type`, which wraps."""
    return Lanes(type, _lane_by_lane(_operator(operator, type), a, b, type))


def compared(operator: str, a: Lanes, b: Lanes, type: Type) -> Lanes:
    """A comparison of two vectors of `type`: -1 in lanes where it holds."""
    mask = signed(type.bits)

    def compare(x: Expr, y: Expr) -> Expr:
        holds = fold(COMPARISON_OF[operator](x, y))
        return choose(holds, Const(mask, -1), Const(mask, 0))

    return Lanes(mask, _lane_by_lane(compare, a, b, type))


def _operator(operator: str, type: Type) -> _Pair:
    def combine(x: Expr, y: Expr) -> Expr:
        if operator in _WRAPPING and type.is_int:
            x, y = (as_bits(v, unsigned(type.bits)) for v in (x, y))
            return as_bits(fold(_WRAPPING[operator](x, y)), type)
        return operation(operator, x, y)

    return combine


def _lane_by_lane(combine: _Pair, a: Lanes, b: Lanes, type: Type) -> tuple[Number, ...]:
    """Two vectors, both seen as lanes of `type`, combined where both hold a number."""
    pairs = zip(a.seen_as(type).numbers, b.seen_as(type).numbers, strict=True)
    return tuple(None if x is None or y is None else combine(x, y) for x, y in pairs)


def rebuilt(value: Expr, known: Mapping[Expr, Expr], done: dict[Expr, Expr]) -> Expr:
    """`value` with other numbers in the places of some, and what that decides; `done` keeps what
    was rebuilt for `known`."""
    for node in postorder(value):
        if node in done:
            continue
        if node in known:
            done[node] = known[node]
            continue
        children = tuple(done[c] for c in node.children)
        done[node] = _made(node, children) if children else node
    return done[value]


def _made(node: Expr, children: tuple[Expr, ...]) -> Expr:
    rule = _RULES.get(type(node))
    if rule is not None:
        bit = _single_bit(node, children)
        return rule(*children) if bit is None else bit
    if isinstance(node, BitNot):
        return opposite(*children)
    if isinstance(node, Cast):
        return converted(children[0], node.type)
    if isinstance(node, Select):
        return choose(*children)
    if isinstance(node, Call) and node.name == "reinterpret" and node.kind == "intrinsic":
        return as_bits(children[0], node.type)
    if len(children) == 2 and any(map(_is_mask, children)) and not all(map(_is_mask, children)):
        return _into_mask(node, children)
    return fold(node.rebuild(children))


def _single_bit(node: Expr, children: tuple[Expr, ...]) -> Expr | None:
    """`mask >> 5 & 1` of a mask that comparisons have made, a bit for each lane: what the fifth one
    says. None for anything else."""
    word, one = children
    if not isinstance(node, BitAnd) or not isinstance(one, Const) or one.value != 1:
        return None
    at = 0
    if isinstance(word, Shr) and isinstance(word.b, Const):
        at = int(word.b.value)
        word = word.a
    holds = None if isinstance(word, (Const, Variable)) else _bit(word, at)
    return None if holds is None else choose(holds, Const(node.type, 1), Const(node.type, 0))


def _bit(word: Expr, at: int) -> Expr | None:
    """Whether a bit of an integer is set; None where that is no formula of what made it."""
    match word:
        case Const(value=value):
            return TRUE if int(value) >> at & 1 else FALSE
        case Cast(value=inner) if inner.type.is_integer and not inner.type.is_bool:
            if at < inner.type.bits:
                return _bit(inner, at)
            return FALSE if inner.type.is_uint else None
        case Shl(a=a, b=Const(value=by)):
            return _bit(a, at - int(by)) if at >= by else FALSE
        case Select(condition=condition, a=a, b=b):
            one, other = _bit(a, at), _bit(b, at)
            if one is None or other is None:
                return None
            if one is TRUE and other is FALSE:
                return condition
            return choose(condition, one, other)
        case BitOr(a=a, b=b) | BitAnd(a=a, b=b):
            one, other = _bit(a, at), _bit(b, at)
            decides = TRUE if isinstance(word, BitOr) else FALSE
            if one is decides or other is decides:
                return decides
            if one is None or other is None:
                return None
            if isinstance(one, Const):
                return other
            return (
                one
                if isinstance(other, Const)
                else (Or if isinstance(word, BitOr) else And)(one, other)
            )
    return None


def _into_mask(node: Expr, children: tuple[Expr, ...]) -> Expr:
    """What is computed of a mask and a constant is a choice of two constants."""
    a, b = children
    if _is_mask(a) and isinstance(b, Const):
        assert isinstance(a, Select)
        return choose(a.condition, fold(node.rebuild((a.a, b))), fold(node.rebuild((a.b, b))))
    return fold(node.rebuild(children))


__all__ = ["bitwise", "both", "compared", "computed", "differing", "either", "inverted", "opposite",
           "rebuilt"]  # fmt: skip
