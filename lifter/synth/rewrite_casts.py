"""Rules about conversions, and about the width at which things are computed and compared."""

from __future__ import annotations

from compiler.ir import BOOL, COMPARISONS, FALSE, I32, TRUE, Const, Expr
from compiler.ir import nodes as n
from compiler.ir.rewriting import AnyRule, Context, Rule, coded

from .rewrite_rule import below, convert, is_whole, number, widened

CAST_RULES: list[AnyRule] = []
LAST_RULES: list[AnyRule] = []
"""Tried when all else is done: they hide from other rules that a sum may wrap."""


CAST_RULES.append(Rule("cast-to-same-type", "iufb", lambda w: (w.same_type(w.x), w.x)))


@coded(CAST_RULES, "cast-of-constant", "T(c) = c converted", n.Cast)
def _constant(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Cast)
    value = expr.value
    if not isinstance(value, Const):
        return None
    if value.type.is_integer and expr.type.is_integer:
        return convert(expr.type, value)
    if value.type.is_integer and expr.type.is_float:
        # Only where no rounding happens: every float format here holds 11 bits and a sign.
        exact = abs(value.value) < (1 << min(expr.type.bits - 9, 52)) and expr.type.bits >= 32
        return Const(expr.type, value.value) if exact else None
    if value.type.is_float and expr.type.code == "float" and expr.type.bits == 64:
        return Const(expr.type, value.value)
    return None


@coded(CAST_RULES, "cast-chain", "T(M(x)) = T(x) where M keeps the bits that T needs", n.Cast)
def _chain(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Cast)
    middle = expr.value
    if not isinstance(middle, n.Cast):
        return None
    x = middle.value
    if not (middle.type.is_integer and x.type.is_integer):
        return None
    low, high = context.ranges(x)
    kept = middle.type.min <= low and high <= middle.type.max
    low_bits = is_whole(expr.type) and is_whole(middle.type) and expr.type.bits <= middle.type.bits
    return convert(expr.type, x) if kept or low_bits else None


@coded(CAST_RULES, "cast-of-select", "T(select(c, M(a), k)) = select(c, a, k)", n.Cast)
def _sink(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Cast)
    choice = expr.value
    if not isinstance(choice, n.Select):
        return None
    a = context.simplify(convert(expr.type, choice.a))
    b = context.simplify(convert(expr.type, choice.b))
    return context.simplify(n.Select(choice.condition, a, b))


@coded(CAST_RULES, "cast-of-min", "T(min(M(a), M(b))) = min(a, b)", n.Cast)
def _sink_min(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Cast)
    outer = expr.value
    if not isinstance(outer, (n.Min, n.Max)) or not is_whole(expr.type) or not is_whole(outer.type):
        return None
    for operand in outer.children:
        low, high = context.ranges(operand)
        if low < expr.type.min or high > expr.type.max:
            return None
    a, b = (context.simplify(convert(expr.type, x)) for x in outer.children)
    return context.simplify(type(outer)(a, b))


@coded(
    CAST_RULES,
    "cast-out-of-choice",
    "select(c, T(a), T(b)) = T(select(c, a, b)), one arm a constant or a narrower value perhaps;"
    " the same for min, max when T keeps the order",
    n.Select,
    n.Min,
    n.Max,
)
def _hoist(expr: Expr, context: Context) -> Expr | None:
    a, b = expr.children[-2:]
    if not is_whole(expr.type):
        return None
    source = a.value if isinstance(a, n.Cast) else b.value if isinstance(b, n.Cast) else None
    if source is None or not is_whole(source.type):
        return None
    narrow = source.type
    widens = expr.type.contains_all(narrow)
    if not widens and not isinstance(expr, n.Select):
        return None
    inside: list[Expr] = []
    for arm in (a, b):
        value = number(arm)
        if isinstance(arm, n.Cast) and arm.value.type is narrow:
            inside.append(arm.value)
        elif value is not None and narrow.contains(value):
            inside.append(Const(narrow, value))
        elif narrow.contains_all(arm.type):
            inside.append(context.simplify(convert(narrow, arm)))
        else:
            return None
    hoisted = context.simplify(expr.rebuild((*expr.children[:-2], *inside)))
    return context.simplify(n.Cast(expr.type, hoisted))


_LOW_BITS = (n.Add, n.Sub, n.Mul, n.BitAnd, n.BitOr, n.BitXor, n.Neg, n.BitNot)


@coded(
    CAST_RULES,
    "narrow-arithmetic",
    "T(k - M(a)) = k - a where T holds all values on the way; bitwise operators always",
    n.Cast,
)
def _narrow(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Cast)
    inner = expr.value
    if not isinstance(inner, _LOW_BITS) or not (is_whole(expr.type) and is_whole(inner.type)):
        return None
    bitwise = isinstance(inner, (n.BitAnd, n.BitOr, n.BitXor, n.BitNot))
    held = all(_fits(context, x, *_limits(expr)) for x in (inner, *inner.children))
    return _in_low_bits(expr, context) if bitwise or held else None


@coded(
    LAST_RULES,
    "narrow-wrapping",
    "T(M(a) + M(b)) = a + b: the low bits of a sum need only low bits",
    n.Cast,
)
def _narrow_wrapping(expr: Expr, context: Context) -> Expr | None:
    # Clearer only when no conversion is left at all: otherwise the reader has to see what wraps.
    made = _in_low_bits(expr, context)
    if made is None or any(isinstance(part, n.Cast) for part in below(made)):
        return None
    return made


def _limits(expr: Expr) -> tuple[int, int]:
    return expr.type.min, expr.type.max


def _in_low_bits(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Cast)
    inner = expr.value
    if not isinstance(inner, _LOW_BITS) or not (is_whole(expr.type) and is_whole(inner.type)):
        return None
    if expr.type.bits > inner.type.bits:
        return None
    if expr.type.is_int and expr.type.bits >= 32 and not isinstance(inner, n.BitNot):
        # The DSL leaves signed overflow open at 32 bits and above: only where there is none.
        low, high = context.ranges(inner)
        if (low, high) == (inner.type.min, inner.type.max) or low < expr.type.min:
            return None
        if high > expr.type.max:
            return None
    parts = tuple(context.simplify(convert(expr.type, x)) for x in inner.children)
    return context.simplify(inner.rebuild(parts))


_EXACT_IN_32_BITS = (
    n.Add, n.Sub, n.Mul, n.Div, n.Mod, n.TruncDiv, n.TruncMod, n.Min, n.Max, n.Neg,
)  # fmt: skip


@coded(
    CAST_RULES,
    "widen-less",
    "u8(i64(a) * i64(b) / 255) = u8(i32(a) * i32(b) / 255) where 32 bits hold all values",
    n.Cast,
    *COMPARISONS,
)
def _widen_less(expr: Expr, context: Context) -> Expr | None:
    if any(not is_whole(x.type) or x.type.bits <= 32 for x in expr.children):
        return None
    parts = [_in_32_bits(x, context) for x in expr.children]
    if any(part is None for part in parts):
        return None
    return context.simplify(expr.rebuild(tuple(p for p in parts if p is not None)))


def _in_32_bits(expr: Expr, context: Context) -> Expr | None:
    """The same number as an int32, computed in int32 all the way, or None."""
    if not _fits(context, expr, I32.min, I32.max):
        return None
    if isinstance(expr, Const):
        return convert(I32, expr)
    if isinstance(expr, n.Cast) and is_whole(expr.value.type) and expr.value.type.bits <= 32:
        return context.simplify(convert(I32, expr.value))
    if isinstance(expr, n.Select):
        a, b = _in_32_bits(expr.a, context), _in_32_bits(expr.b, context)
        if a is None or b is None:
            return None
        return context.simplify(n.Select(expr.condition, a, b))
    amount = number(expr.b) if isinstance(expr, n.Shr) else None
    if not isinstance(expr, _EXACT_IN_32_BITS) and not (amount is not None and 0 <= amount < 32):
        return None
    parts = [_in_32_bits(x, context) for x in expr.children]
    if any(part is None for part in parts):
        return None
    return context.simplify(expr.rebuild(tuple(p for p in parts if p is not None)))


def _fits(context: Context, expr: Expr, low: int, high: int) -> bool:
    interval = context.ranges(expr)
    return low <= interval[0] and interval[1] <= high


@coded(
    CAST_RULES,
    "compare-narrow",
    "M(a) < M(b) = a < b; M(a) < k = a < k where a's type holds k",
    *COMPARISONS,
)
def _compare(expr: Expr, context: Context) -> Expr | None:
    a, b = expr.children
    left, right = widened(a), widened(b)
    kind = type(expr)
    made: Expr
    if left is not None and right is not None:
        if left.type is right.type:
            made = kind(left, right)
            return made
        # Different narrow types: meet in the wider of the two where it holds both.
        for one, other in ((left, right), (right, left)):
            if one.type.contains_all(other.type):
                meet = n.Cast(one.type, other)
                made = kind(left, meet) if one is left else kind(meet, right)
                return made
        return None
    narrow, other = (left, b) if left is not None else (right, a)
    value = number(other)
    if narrow is None or value is None or not narrow.type.contains(value):
        return None
    small: Expr = Const(narrow.type, value)
    made = kind(narrow, small) if left is not None else kind(small, narrow)
    return made


CAST_RULES.append(
    Rule("compare-bool", "iu", lambda w: [
        (w.p.to(w.type).differs(0), w.p), (w.p.to(w.type).equals(0), ~w.p),
        (w.p.to(w.type).equals(1), w.p), (w.p.to(w.type).differs(1), ~w.p),
    ])
)  # fmt: skip


@coded(CAST_RULES, "bool-of-comparison", "bool(T(c)) = c; bool(select(c, 1, 0)) = c", n.Cast)
def _to_bool(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Cast)
    if expr.type is not BOOL or not isinstance(expr.value, n.Select):
        return None
    choice = expr.value
    a, b = number(choice.a), number(choice.b)
    if a is None or b is None:
        return None
    if (a != 0) == (b != 0):
        return TRUE if a != 0 else FALSE
    return choice.condition if a != 0 else context.simplify(n.Not(choice.condition))
