"""Rules about integer arithmetic, comparisons and logic. Floats are left as they are written."""

from __future__ import annotations

from compiler.ir import (
    COMMUTATIVE,
    COMPARISONS,
    MIRROR,
    OPPOSITE,
    Const,
    Expr,
    Type,
    intrinsic,
)
from compiler.ir import nodes as n
from compiler.ir.bounds_of_values import never_wraps
from compiler.ir.fold import fold
from compiler.ir.rewriting import AnyRule, Context, Rule, coded

from .rewrite_rule import is_whole, widened

ARITHMETIC_RULES: list[AnyRule] = []

_COMMUTATIVE = tuple(k for k in COMMUTATIVE if issubclass(k, n.Arithmetic | n.IntegerArithmetic))
_INTEGER = (
    *_COMMUTATIVE, n.Sub, n.Div, n.Mod, n.TruncDiv, n.TruncMod, n.Shl, n.Shr, n.Neg, n.BitNot,
)  # fmt: skip


@coded(ARITHMETIC_RULES, "fold", "an operator of constants is a constant", *_INTEGER, *COMPARISONS)
def _fold(expr: Expr, context: Context) -> Expr | None:
    if not all(x.type.is_integer for x in expr.children):
        return None
    made = fold(expr)
    return None if made is expr else made


def _turned(type: Type) -> tuple[type[n.Binary], ...]:
    """The operators of a type that read as well with their operands exchanged."""
    bits = (n.BitAnd, n.BitOr, n.BitXor)
    return (*COMPARISONS, *bits, *(() if type.is_bool else (n.Add, n.Min, n.Max)))


def _is_mask(mask: int, low: int, high: int) -> bool:
    """Whether `mask` is all bits up to some one, and no number of [low, high] has another."""
    return mask & (mask + 1) == 0 and low >= 0 and high <= mask


@coded(
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


ARITHMETIC_RULES += [
    # But 2 * x is how people write it.
    Rule("constant-right", "iub", lambda w: [
        (w.of(kind, w.c, w.x), w.of(MIRROR.get(kind, kind), w.x, w.c)) for kind in _turned(w.type)
    ], canonical=True),
    Rule("neutral", "iu", lambda w: [
        (w.x + 0, w.x), (w.x - 0, w.x), (w.x | 0, w.x), (w.x ^ 0, w.x), (w.x << 0, w.x),
        (w.x >> 0, w.x), (w.x * 0, 0), (w.x & 0, 0), (w.x * 1, w.x), (w.x / 1, w.x),
        (w.of(n.TruncDiv, w.x, 1), w.x), (1 * w.x, w.x), (0 * w.x, 0),
    ]),
    Rule("same-operands", "iub", lambda w: [
        (w.of(n.BitXor, w.x, w.x), 0),
        (w.of(n.BitAnd, w.x, w.x), w.x),
        (w.of(n.BitOr, w.x, w.x), w.x),
        *([(w.x & w.x, w.x), (w.x | w.x, w.x)] if w.type.is_bool else
          [(w.x - w.x, 0), (w.x.min(w.x), w.x), (w.x.max(w.x), w.x)]),
    ]),
    Rule("mask-keeps-all", "iu", lambda w: (w.x & w.c, w.x),
         lambda f: f["c"] == f.type.wrap(-1) or _is_mask(int(f["c"]), f.low("x"), f.high("x"))),
    Rule("remainder-of-less", "iu",
         lambda w: [(w.x % w.y, w.x), (w.of(n.TruncMod, w.x, w.y), w.x)],
         lambda f: f.low("x") >= 0 and f.high("x") < f.low("y")),
    Rule("bounded", "iu", lambda w: [
        (w.x.min(w.y), w.x), (w.y.min(w.x), w.x), (w.y.max(w.x), w.y), (w.x.max(w.y), w.y),
    ], lambda f: f.high("x") <= f.low("y")),
    # Both round toward zero where 0 <= x: the remainder is not negative in either rule.
    Rule("truncating-to-euclidean", "iu", lambda w: [
        (w.of(n.TruncDiv, w.x, w.y), w.x / w.y), (w.of(n.TruncMod, w.x, w.y), w.x % w.y),
    ], lambda f: f.low("x") >= 0),
    Rule("sum-of-constants", "iu", lambda w: [
        (w.x + w.c + w.d, w.x + (w.c + w.d)), (w.x + w.c - w.d, w.x + (w.c - w.d)),
        (w.x - w.c + w.d, w.x + (w.d - w.c)), (w.x - w.c - w.d, w.x + (0 - w.c - w.d)),
    ]),
    Rule("negative-constant", "i", lambda w: [(w.x + w.c, w.x - -w.c), (w.x - w.c, w.x + -w.c)],
         lambda f: f.type.min < f["c"] < 0, canonical=True),
    Rule("negation", "iu", lambda w: [
        (-(-w.x), w.x), (~~w.x, w.x), (-(w.x - w.y), w.y - w.x),  # noqa: B002
        (w.x + -w.y, w.x - w.y), (w.x - -w.y, w.x + w.y), (-w.x + w.y, w.y - w.x),
        (-w.x - 1, ~w.x), *([(-1 - w.x, ~w.x)] if w.type.is_int else []),
    ]),
    # Where a - b doesn't wrap.
    Rule("compare-difference", "i", lambda w: [
        (w.of(kind, w.x - w.y, 0), w.of(kind, w.x, w.y)) for kind in (n.LT, n.LE, n.GT, n.GE)
    ], lambda f: f.type.min <= f.low("x") - f.high("y") and f.high("x") - f.low("y") <= f.type.max),
    Rule("equal-difference", "iu", lambda w: [
        ((w.x - w.y).equals(0), w.x.equals(w.y)), ((w.x - w.y).differs(0), w.x.differs(w.y)),
    ]),
    Rule("compare-same", "iub", lambda w: [
        (w.of(kind, w.x, w.x), kind in (n.LE, n.GE, n.EQ)) for kind in COMPARISONS
    ]),
    # An unordered pair fails a < b and a >= b alike.
    Rule("not-comparison", "iufb", lambda w: [
        *([(~~w.x, w.x)] if w.type.is_bool else []),
        *((~w.of(kind, w.x, w.y), w.of(OPPOSITE[kind], w.x, w.y)) for kind in COMPARISONS
          if not w.type.is_float or kind in (n.EQ, n.NE)),
    ]),
    Rule("logic-with-constant", "b", lambda w: [
        *(pair for one, other in ((w.x, w.constant(True)), (w.constant(True), w.x))
          for pair in ((one & other, w.x), (one | other, True))),
        *(pair for one, other in ((w.x, w.constant(False)), (w.constant(False), w.x))
          for pair in ((one & other, False), (one | other, w.x))),
        (w.x & ~w.x, False), (~w.x & w.x, False), (w.x | ~w.x, True), (~w.x | w.x, True),
    ]),
]  # fmt: skip


@coded(
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
    if not never_wraps(difference, context.ranges(a), context.ranges(b)):
        return None
    narrow_a, narrow_b = widened(a), widened(b)
    if narrow_a is not None and narrow_b is not None and narrow_a.type is narrow_b.type:
        return context.simplify(n.Cast(expr.type, intrinsic("absd", narrow_a, narrow_b)))
    return intrinsic("absd", a, b)
