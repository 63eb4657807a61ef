"""Rules about integer arithmetic, comparisons and logic. Floats are left as they are written."""

from __future__ import annotations

from compiler.ir import (
    COMMUTATIVE,
    COMPARISONS,
    FALSE,
    MIRROR,
    OPPOSITE,
    TRUE,
    Const,
    Expr,
    evaluate,
    intrinsic,
)
from compiler.ir import nodes as n

from .rewrite_rule import Context, Rule, is_whole, number, rule, widened

ARITHMETIC_RULES: list[Rule] = []

_COMMUTATIVE = tuple(k for k in COMMUTATIVE if issubclass(k, n.Arithmetic | n.IntegerArithmetic))
_INTEGER = (
    *_COMMUTATIVE, n.Sub, n.Div, n.Mod, n.TruncDiv, n.TruncMod, n.Shl, n.Shr, n.Neg, n.BitNot,
)  # fmt: skip


@rule(ARITHMETIC_RULES, "fold", "an operator of constants is a constant", *_INTEGER, *COMPARISONS)
def _fold(expr: Expr, context: Context) -> Expr | None:
    values = [number(x) for x in expr.children]
    if any(v is None for v in values):
        return None
    last = values[-1] or 0
    if isinstance(expr, (n.Shl, n.Shr)) and not 0 <= last < expr.type.bits:
        return None
    if isinstance(expr, (n.TruncDiv, n.TruncMod)) and last in (0, -1):
        return None
    return Const(expr.type, int(evaluate(expr)))


@rule(
    ARITHMETIC_RULES,
    "decided-by-range",
    "an integer or a condition with a single possible value is that value",
    *COMPARISONS,
    n.And,
    n.Or,
    n.Not,
    n.Select,
    n.BitAnd,
    n.Mod,
    n.Shr,
    n.Div,
    n.Min,
    n.Max,
)
def _decided(expr: Expr, context: Context) -> Expr | None:
    if not expr.type.is_integer:
        return None
    low, high = context.ranges(expr)
    return Const(expr.type, low) if low == high else None


@rule(
    ARITHMETIC_RULES,
    "constant-right",
    "3 + x = x + 3, 3 < x = x > 3; but 2 * x is how people write it",
    *(kind for kind in _COMMUTATIVE if kind is not n.Mul),
    *COMPARISONS,
    canonical=True,
)
def _constant_right(expr: Expr, context: Context) -> Expr | None:
    a, b = expr.children
    if not a.type.is_integer or not isinstance(a, Const) or isinstance(b, Const):
        return None
    made: Expr = MIRROR.get(type(expr), type(expr))(b, a)
    return made


@rule(ARITHMETIC_RULES, "neutral", "x + 0 = x * 1 = x | 0 = x >> 0 = x, x * 0 = 0", *_INTEGER)
def _neutral(expr: Expr, context: Context) -> Expr | None:
    if not isinstance(expr, n.Binary) or not is_whole(expr.type):
        return None
    value = number(expr.b)
    if value == 0 and isinstance(expr, (n.Add, n.Sub, n.BitOr, n.BitXor, n.Shl, n.Shr)):
        return expr.a
    if value == 0 and isinstance(expr, (n.Mul, n.BitAnd)):
        return expr.b
    if value == 1 and isinstance(expr, (n.Mul, n.Div, n.TruncDiv)):
        return expr.a
    if isinstance(expr, n.Mul) and number(expr.a) in (0, 1):
        return expr.b if number(expr.a) == 1 else expr.a
    return None


@rule(
    ARITHMETIC_RULES,
    "same-operands",
    "x - x = x ^ x = 0, x & x = x | x = min(x, x) = x",
    n.Sub,
    n.BitXor,
    n.BitAnd,
    n.BitOr,
    n.Min,
    n.Max,
    n.And,
    n.Or,
)
def _same(expr: Expr, context: Context) -> Expr | None:
    a, b = expr.children
    if a is not b or not a.type.is_integer:
        return None
    return Const(expr.type, 0) if isinstance(expr, (n.Sub, n.BitXor)) else a


@rule(ARITHMETIC_RULES, "mask-keeps-all", "x & 255 = x where x is in 0..255", n.BitAnd)
def _mask(expr: Expr, context: Context) -> Expr | None:
    a, b = expr.children
    mask = number(b)
    if mask is None or expr.type.is_bool:
        return None
    low, high = context.ranges(a)
    if mask == -1 or (mask == expr.type.max and expr.type.is_uint):
        return a
    return a if mask & (mask + 1) == 0 and low >= 0 and high <= mask else None


@rule(ARITHMETIC_RULES, "remainder-of-less", "x % m = x where 0 <= x < m", n.Mod, n.TruncMod)
def _mod(expr: Expr, context: Context) -> Expr | None:
    a, b = expr.children
    if not a.type.is_integer:
        return None
    low, high = context.ranges(a)
    return a if low >= 0 and high < context.ranges(b)[0] else None


@rule(ARITHMETIC_RULES, "bounded", "min(x, k) = x where x <= k always", n.Min, n.Max)
def _bounded(expr: Expr, context: Context) -> Expr | None:
    a, b = expr.children
    if not a.type.is_integer:
        return None
    below = context.ranges(a)[1] <= context.ranges(b)[0]
    above = context.ranges(b)[1] <= context.ranges(a)[0]
    if isinstance(expr, n.Max):
        below, above = above, below
    return a if below else b if above else None


@rule(
    ARITHMETIC_RULES,
    "truncating-to-euclidean",
    "x /t y = x / y and x %t y = x % y where x is not negative",
    n.TruncDiv,
    n.TruncMod,
)
def _euclid(expr: Expr, context: Context) -> Expr | None:
    a, b = expr.children
    # Both round toward zero then: with 0 <= x the remainder is not negative in either rule.
    if context.ranges(a)[0] < 0:
        return None
    kind = n.Div if isinstance(expr, n.TruncDiv) else n.Mod
    made: Expr = kind(a, b)
    return made


@rule(ARITHMETIC_RULES, "sum-of-constants", "x + 2 - 3 = x - 1", n.Add, n.Sub)
def _sum(expr: Expr, context: Context) -> Expr | None:
    first, second = expr.children
    outer = number(second)
    if outer is None or not isinstance(first, (n.Add, n.Sub)):
        return None
    inner = number(first.b)
    if inner is None:
        return None
    total = (inner if isinstance(first, n.Add) else -inner) + (
        outer if isinstance(expr, n.Add) else -outer
    )
    constant = Const(expr.type, expr.type.wrap(total))
    return context.simplify(n.Add(first.a, constant))


@rule(
    ARITHMETIC_RULES,
    "negative-constant",
    "x + -3 = x - 3, x - -3 = x + 3",
    n.Add,
    n.Sub,
    canonical=True,
)
def _negative(expr: Expr, context: Context) -> Expr | None:
    a, b = expr.children
    value = number(b)
    if value is None or not expr.type.is_int or not expr.type.min < value < 0:
        return None
    kind = n.Sub if isinstance(expr, n.Add) else n.Add
    made: Expr = kind(a, Const(expr.type, -value))
    return made


@rule(
    ARITHMETIC_RULES,
    "negation",
    "-(-x) = ~~x = x, -(a - b) = b - a, x + -y = x - y, x - -y = x + y, -1 - x = ~x, -x - 1 = ~x",
    n.Neg,
    n.BitNot,
    n.Add,
    n.Sub,
)
def _negation(expr: Expr, context: Context) -> Expr | None:
    if not is_whole(expr.type):
        return None
    if isinstance(expr, (n.Neg, n.BitNot)):
        inner = expr.value
        if type(inner) is type(expr):
            return inner.children[0]
        if isinstance(expr, n.Neg) and isinstance(inner, n.Sub):
            return context.simplify(n.Sub(inner.b, inner.a))
        return None
    a, b = expr.children
    if isinstance(b, n.Neg):
        kind = n.Sub if isinstance(expr, n.Add) else n.Add
        return context.simplify(kind(a, b.value))
    if isinstance(expr, n.Add) and isinstance(a, n.Neg):
        return context.simplify(n.Sub(b, a.value))
    if isinstance(expr, n.Sub) and number(a) == expr.type.wrap(-1) and expr.type.is_int:
        return context.simplify(n.BitNot(b))
    if isinstance(expr, n.Sub) and number(b) == 1 and isinstance(a, n.Neg):
        return context.simplify(n.BitNot(a.value))
    return None


@rule(
    ARITHMETIC_RULES,
    "compare-difference",
    "a - b < 0 = a < b where a - b does not wrap; a - b == 0 = a == b",
    *COMPARISONS,
)
def _difference(expr: Expr, context: Context) -> Expr | None:
    a, b = expr.children
    if not isinstance(a, n.Sub) or number(b) != 0 or not is_whole(a.type):
        return None
    if not isinstance(expr, (n.EQ, n.NE)):
        if not a.type.is_int:
            return None
        (low_a, high_a), (low_b, high_b) = context.ranges(a.a), context.ranges(a.b)
        if low_a - high_b < a.type.min or high_a - low_b > a.type.max:
            return None
    return context.simplify(type(expr)(a.a, a.b))


@rule(ARITHMETIC_RULES, "compare-same", "x < x is false, x <= x is true", *COMPARISONS)
def _compare_same(expr: Expr, context: Context) -> Expr | None:
    a, b = expr.children
    if a is not b or not a.type.is_integer:
        return None
    return TRUE if isinstance(expr, (n.LE, n.GE, n.EQ)) else FALSE


@rule(ARITHMETIC_RULES, "not-comparison", "!(a < b) = a >= b; !!c = c", n.Not)
def _not(expr: Expr, context: Context) -> Expr | None:
    inner = expr.children[0]
    if isinstance(inner, n.Not):
        return inner.value
    if not isinstance(inner, COMPARISONS):
        return None
    if not inner.a.type.is_integer and not isinstance(inner, (n.EQ, n.NE)):
        return None  # an unordered pair fails a < b and a >= b alike
    return context.simplify(OPPOSITE[type(inner)](inner.a, inner.b))


@rule(
    ARITHMETIC_RULES,
    "logic-with-constant",
    "c && true = c || false = c, c && false = false, c || true = true; c && !c = false",
    n.And,
    n.Or,
)
def _logic(expr: Expr, context: Context) -> Expr | None:
    neutral, absorbing = (TRUE, FALSE) if isinstance(expr, n.And) else (FALSE, TRUE)
    a, b = expr.children
    for one, other in ((a, b), (b, a)):
        if one is neutral:
            return other
        if one is absorbing:
            return absorbing
        if isinstance(one, n.Not) and one.value is other:
            return absorbing
    return None


@rule(
    ARITHMETIC_RULES,
    "abs-of-difference",
    "abs(M(a) - M(b)) = M(absd(a, b)) where nothing wraps",
    n.Call,
)
def _absd(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Call)
    if expr.kind != "intrinsic" or expr.name != "abs" or not is_whole(expr.type):
        return None
    difference = expr.args[0]
    if not isinstance(difference, n.Sub) or not is_whole(difference.type):
        return None
    a, b = difference.children
    (low_a, high_a), (low_b, high_b) = context.ranges(a), context.ranges(b)
    if low_a - high_b < a.type.min or high_a - low_b > a.type.max:
        return None
    narrow_a, narrow_b = widened(a), widened(b)
    if narrow_a is not None and narrow_b is not None and narrow_a.type is narrow_b.type:
        return context.simplify(n.Cast(expr.type, intrinsic("absd", narrow_a, narrow_b)))
    return intrinsic("absd", a, b)
