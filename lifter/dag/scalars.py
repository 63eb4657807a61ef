"""Scalars without a known value, and simplification at the root of an expression."""

from __future__ import annotations

from compiler.ir import (
    EQ,
    FALSE,
    TRUE,
    BitAnd,
    BitOr,
    Cast,
    Const,
    Expr,
    Not,
    Select,
    Shl,
    Shr,
    Type,
    Variable,
)
from compiler.ir.fold import fold as fold_operator
from compiler.ir.formula import Formula, select
from compiler.ir.operators import Range
from compiler.ir.rewriting import AnyRule, Context, Rule, RuleSet, coded

from .polynomial import negate

_UNKNOWN = ("undefined", "carried", "stale", "unset", "counted", "unordered")


def unknown(kind: str, name: str, type: Type) -> Variable:
    """A marker for a scalar without a known value.

    It is `undefined`, `carried` from another iteration, `unset` (carried on from `undefined`),
    `stale`: read from an element that a nest may have overwritten since, `counted`: what
    iterations make whose number is read from memory anew for each element, or `unordered`: which of
    several values that are put in order it is, the source leaves open, or depends on these.
    """
    return Variable(f"{kind}:{name}", type)


def is_unknown(expr: Expr, kind: str | None = None) -> bool:
    prefixes = (f"{kind}:",) if kind else tuple(f"{k}:" for k in _UNKNOWN)
    return isinstance(expr, Variable) and expr.name.startswith(prefixes)


class _AtTheRoot:
    """What rules build stays as it is: operands are folded when they are made."""

    def simplify(self, expr: Expr) -> Expr:
        return expr

    def ranges(self, expr: Expr) -> Range:
        raise TypeError("no rule here asks for ranges")


_CONTEXT = _AtTheRoot()


def fold(expr: Expr) -> Expr:
    """`expr` simplified at its root only where operands are constants or neutral."""
    folded = fold_operator(expr)
    return folded if folded is not expr else FOLDING_RULES.first(expr, _CONTEXT) or expr


_TRUE, _FALSE = Formula(TRUE), Formula(FALSE)
_LIST: list[AnyRule] = [
    Rule("select-decided", "iufb", lambda w: [
        (select(_TRUE, w.x, w.y), w.x), (select(_FALSE, w.x, w.y), w.y),
    ]),
    Rule("select-same", "iufb", lambda w: (select(w.p, w.x, w.x), w.x)),
    Rule("select-not", "iufb", lambda w: (select(~w.p, w.x, w.y), select(w.p, w.y, w.x))),
    Rule("logic", "b", lambda w: [
        (_TRUE & w.x, w.x), (w.x & w.x, w.x), (w.x & True, w.x), (_FALSE & w.x, False),
        (w.x & False, False), (_FALSE | w.x, w.x), (w.x | w.x, w.x), (w.x | False, w.x),
        (_TRUE | w.x, True), (w.x | True, True),
    ]),
    Rule("select-boolean", "b", lambda w: [
        (select(w.p, _TRUE, _FALSE), w.p), (select(w.p, _FALSE, _TRUE), ~w.p),
        (select(w.p, w.x, _FALSE), w.p & w.x),
    ]),
    Rule("cast-to-same-type", "iufb", lambda w: (w.same_type(w.x), w.x)),
    Rule("add-zero", "iu", lambda w: [(w.x + 0, w.x), (w.x - 0, w.x), (0 + w.x, w.x)]),
    Rule("unequal-zero", "iu", lambda w: (w.p.to(w.type).differs(0), w.p)),
]  # fmt: skip


@coded(_LIST, "undefined-arm", "select(c, undefined, y) = y: C++ reads no undefined value", Select)
def _defined_arm(node: Expr, context: Context) -> Expr | None:
    assert isinstance(node, Select)
    if is_unknown(node.b, "undefined"):
        return node.a
    return node.b if is_unknown(node.a, "undefined") else None


@coded(_LIST, "opposite", "!(a < b && c) = a >= b || !c, i32(c) == 0 = !c", Not, EQ)
def _opposite(node: Expr, context: Context) -> Expr | None:
    if isinstance(node, Not):
        made = negate(node.value)
        return None if made is node else made
    assert isinstance(node, EQ)
    flag, zero = node.a, isinstance(node.b, Const) and node.b.value == 0
    return (
        negate(flag.value) if zero and isinstance(flag, Cast) and flag.value.type.is_bool else None
    )


@coded(_LIST, "boolean-again", "bool(i32(c)) = c", Cast)
def _boolean_again(node: Expr, context: Context) -> Expr | None:
    assert isinstance(node, Cast)
    if not node.type.is_bool or not isinstance(node.value, Cast):
        return None
    return node.value.value if node.value.value.type.is_bool else None


@coded(_LIST, "bits-of-a-part", "(a << 24 | b & 255) & 255 = b & 255, of what has no sign", BitAnd)
def _bits_of_a_part(node: Expr, context: Context) -> Expr | None:
    assert isinstance(node, BitAnd)
    if not (node.type.is_uint and isinstance(node.b, Const)):
        return None
    part, mask = node.a, int(node.b.value)
    if isinstance(part, BitOr):
        for one, other in ((part.a, part.b), (part.b, part.a)):
            if not _may_be_set(one) & mask:
                made = BitAnd(other, node.b)
                return _bits_of_a_part(made, context) or made
    if isinstance(part, BitAnd) and isinstance(part.b, Const):
        return BitAnd(part.a, Const(node.type, int(part.b.value) & mask))
    return None


def _may_be_set(part: Expr) -> int:
    """The bits of a number without sign that aren't certainly 0."""
    every = int(part.type.max)
    if isinstance(part, BitAnd) and isinstance(part.b, Const):
        return int(part.b.value)
    if isinstance(part, (Shl, Shr)) and isinstance(part.b, Const):
        by = int(part.b.value)
        if 0 <= by < part.type.bits:
            return every << by & every if isinstance(part, Shl) else every >> by
    return every


FOLDING_RULES = RuleSet(_LIST)
