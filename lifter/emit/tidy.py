"""Exact rewrites that remove what C++ had to say and the DSL need not.

`tidy(e)` equals `e` for every value of its variables and every content of its images, undefined
cases excepted. Applied to a summary before it is printed, and to both sides of the round-trip
check, so that two spellings of one thing count as the same.
"""

from __future__ import annotations

from compiler.ir import (  # fmt: skip
    BOOL,
    COMPARISONS,
    I32,
    I64,
    MIRROR,
    Add,
    BitAnd,
    BitNot,
    BitOr,
    Cast,
    Comparison,
    Const,
    Expr,
    Let,
    Mul,
    Sub,
    Type,
    Variable,
    substitute,
    transform,
)
from compiler.ir.formula import Formula
from compiler.ir.operators import Range
from compiler.ir.rewriting import AnyRule, Context, Rule, RuleSet, coded


def tidy(expr: Expr) -> Expr:
    """The tidied form of `expr` (same type)."""
    previous = None
    while previous is not expr:
        previous, expr = expr, transform(expr, _visit)
    return expr


class _OneStep:
    """What rules of this list ask: a node that they build is visited once."""

    def simplify(self, expr: Expr) -> Expr:
        return TIDY_RULES.first(expr, self) or expr

    def ranges(self, expr: Expr) -> Range:
        raise TypeError("no rule of the printer asks for ranges")


_ONE_STEP = _OneStep()
_visit = _ONE_STEP.simplify


def _cast(type: Type, value: Expr) -> Expr:
    if value.type is type:
        return value
    if isinstance(value, Const):
        return _constant(type, value)
    if isinstance(value, Cast) and type.is_integer and not type.is_bool:
        inner = value.value
        # Conversion of integers is reduction modulo 2**bits: a wider stop on the way, or one that
        # keeps every value, changes nothing.
        through = value.type
        wraps = through.bits >= type.bits and not inner.type.is_bool
        integers = inner.type.is_integer and through.is_integer and not through.is_bool
        if integers and (wraps or through.contains_all(inner.type)):
            return _cast(type, inner)
    if isinstance(value, Cast) and type.is_float and value.type.contains_all(value.value.type):
        return _cast(type, value.value)
    if type is I32 and value.type is I64 and isinstance(value, (Add, Sub, Mul)):
        # Sums and products wrap: their low 32 bits are those of the operands' low 32 bits.
        return _visit(value.__class__(_cast(I32, value.a), _cast(I32, value.b)))
    made: Expr = Cast(type, value)
    return made


def _constant(type: Type, value: Const) -> Expr:
    number = value.value
    if type is BOOL:
        return Const(BOOL, int(number != 0))
    if type.is_float:
        return Const(type, float(number))
    if isinstance(number, int):
        return Const(type, type.wrap(number))
    # Out of the type's range (or no number at all) the conversion is left as it is.
    inside = abs(number) < 2.0**64 and type.contains(int(number))
    made: Expr = Const(type, int(number)) if inside else Cast(type, value)
    return made


def _comparison(node: Comparison) -> Expr:
    """Constants stand on the right; operands lose casts that keep their values."""
    a, b, kind = node.a, node.b, type(node)
    if isinstance(a, Const) and not isinstance(b, Const):
        a, b, kind = b, a, MIRROR[kind]
    if isinstance(a, Cast) and a.type.contains_all(a.value.type) and not a.value.type.is_bool:
        inner = a.value
        if isinstance(b, Const) and inner.type.contains(int(b.value)):
            a, b = inner, Const(inner.type, b.value)
        elif isinstance(b, Cast) and b.value.type is inner.type:
            a, b = inner, b.value
    made: Expr = kind(a, b)
    return made


_LIST: list[AnyRule] = [
    Rule("negated-float", "f", lambda w: (-w.x, -1.0 * w.x)),
    Rule("negated", "iu", lambda w: (-w.x, 0 - w.x)),
    Rule("negative-constant", "i", lambda w: [(w.x + w.c, w.x - -w.c), (w.x - w.c, w.x + -w.c)],
         lambda f: f.type.min < f["c"] < 0),
    Rule("clamp-order", "iu", lambda w: (w.x.max(w.c).min(w.d), w.x.min(w.d).max(w.c)),
         lambda f: f["c"] <= f["d"]),
    # Grouped to the right, as the language groups several operands.
    Rule("extremes-to-the-right", "iu", lambda w: [
        (w.x.min(w.y).min(w.z), w.x.min(w.y.min(w.z))),
        (w.x.max(w.y).max(w.z), w.x.max(w.y.max(w.z))),
    ]),
    Rule("logic-of-bits", "b", lambda w: [
        (w.of(BitAnd, w.x, w.y), w.x & w.y), (w.of(BitOr, w.x, w.y), w.x | w.y),
        (Formula(BitNot(w.x.node)), ~w.x),
    ]),
]  # fmt: skip


@coded(_LIST, "cast", "u8(i32(x: u8)) = x, i32(a + b: i64) = i32(a) + i32(b)", Cast)
def _casts(node: Expr, context: Context) -> Expr | None:
    assert isinstance(node, Cast)
    made = _cast(node.type, node.value)
    return None if made is node else made


@coded(_LIST, "comparison", "3 < i32(x: u8) = x > u8(3)", *COMPARISONS)
def _comparisons(node: Expr, context: Context) -> Expr | None:
    assert isinstance(node, Comparison)
    made = _comparison(node)
    return None if made is node else made


@coded(_LIST, "let", "(let t = x in t + t) = x + x", Let)
def _lets(node: Expr, context: Context) -> Expr | None:
    assert isinstance(node, Let)
    return substitute(node.body, {Variable(node.name, node.value.type): node.value})


TIDY_RULES = RuleSet(_LIST)
