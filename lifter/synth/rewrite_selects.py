"""Rules about choices: minima, clamps, distances and masks that C++ spells with ifs and bits.

All of them are about integers; a float `select` keeps the answer to NaN and to -0 that it has.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir import COMPARISONS, FALSE, MIRROR, TRUE, Const, Expr, intrinsic
from compiler.ir import nodes as n

from .rewrite_rule import (
    Context,
    Rule,
    convert,
    is_whole,
    number,
    rule,
    same_value,
)

SELECT_RULES: list[Rule] = []


def _orders(expr: n.Select, context: Context) -> Iterator[tuple[type[Expr], Expr, Expr]]:
    """(kind, a, b) of the integer comparison that `expr` chooses by, both ways round.

    `x >= 3` comes as `x > 2` too, and `a < b` as `a - b < 0` where an arm has a - b.
    """
    condition = expr.condition
    if not isinstance(condition, n.Comparison) or not is_whole(condition.a.type):
        return
    kind, a, b = type(condition), condition.a, condition.b
    yield kind, a, b
    yield MIRROR[kind], b, a
    for arm in (expr.a, expr.b):
        for value in (arm, *(arm.children if isinstance(arm, (n.Min, n.Max)) else ())):
            if not isinstance(value, n.Sub) or _may_wrap(value, context):
                continue
            zero = Const(value.type, 0)
            if same_value(value.a, a) and same_value(value.b, b):
                yield kind, value, zero
                yield MIRROR[kind], zero, value
            elif same_value(value.a, b) and same_value(value.b, a):
                yield MIRROR[kind], value, zero
                yield kind, zero, value
    limit = number(b)
    if limit is None:
        return
    step = {n.GE: -1, n.LT: -1, n.LE: 1, n.GT: 1}.get(kind)
    if step is not None and b.type.contains(limit + step):
        other = {n.GE: n.GT, n.LT: n.LE, n.LE: n.LT, n.GT: n.GE}[kind]
        near = Const(b.type, limit + step)
        yield other, a, near
        yield MIRROR[other], near, a


def _may_wrap(difference: n.Sub, context: Context) -> bool:
    (low_a, high_a), (low_b, high_b) = map(context.ranges, difference.children)
    return low_a - high_b < difference.type.min or high_a - low_b > difference.type.max


@rule(SELECT_RULES, "select-same", "select(c, x, x) = x", n.Select)
def _same(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    return expr.a if expr.a is expr.b else None


@rule(SELECT_RULES, "select-decided", "select(true, x, y) = x", n.Select)
def _decided(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    if expr.condition is TRUE:
        return expr.a
    return expr.b if expr.condition is FALSE else None


@rule(SELECT_RULES, "select-not", "select(!c, x, y) = select(c, y, x)", n.Select)
def _not(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    if not isinstance(expr.condition, n.Not):
        return None
    return context.simplify(n.Select(expr.condition.value, expr.b, expr.a))


@rule(SELECT_RULES, "select-min-max", "select(a < b, a, b) = min(a, b); the same for max", n.Select)
def _min_max(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    if not is_whole(expr.type):
        return None
    for kind, a, b in _orders(expr, context):
        if kind in (n.LT, n.LE) and same_value(expr.a, a) and same_value(expr.b, b):
            return context.simplify(n.Min(expr.a, expr.b))
        if kind in (n.GT, n.GE) and same_value(expr.a, a) and same_value(expr.b, b):
            return context.simplify(n.Max(expr.a, expr.b))
    return None


@rule(SELECT_RULES, "select-equal", "select(a == b, a, b) = b, select(a != b, a, b) = a", n.Select)
def _equal(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    if not is_whole(expr.type):
        return None
    for kind, a, b in _orders(expr, context):
        if kind in (n.EQ, n.NE) and same_value(expr.a, a) and same_value(expr.b, b):
            return expr.b if kind is n.EQ else expr.a
    return None


@rule(
    SELECT_RULES,
    "select-clamp",
    "select(x < lo, lo, min(x, hi)) = select(x > hi, hi, max(x, lo)) = max(min(x, hi), lo)"
    " where lo <= hi",
    n.Select,
)
def _clamp(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    if not is_whole(expr.type):
        return None
    for kind, x, bound in _orders(expr, context):
        low_side = kind in (n.LT, n.LE)
        if not low_side and kind not in (n.GT, n.GE):
            continue
        if not same_value(expr.a, bound) or not isinstance(expr.b, n.Min if low_side else n.Max):
            continue
        for value, other in (expr.b.children, expr.b.children[::-1]):
            low, high = (expr.a, other) if low_side else (other, expr.a)
            if same_value(value, x) and context.ranges(low)[1] <= context.ranges(high)[0]:
                return context.simplify(n.Max(n.Min(value, high), low))
    return None


@rule(
    SELECT_RULES,
    "clamp-order",
    "min(max(x, lo), hi) = max(min(x, hi), lo) where lo <= hi",
    n.Min,
    canonical=True,
)
def _clamp_order(expr: Expr, context: Context) -> Expr | None:
    inner, high = expr.children
    if not isinstance(inner, n.Max) or not is_whole(expr.type) or not isinstance(inner.b, Const):
        return None
    if context.ranges(inner.b)[1] > context.ranges(high)[0]:
        return None
    return context.simplify(n.Max(n.Min(inner.a, high), inner.b))


@rule(
    SELECT_RULES,
    "extremes-from-the-left",
    "max(c, max(a, b)) = max(max(a, b), c), as a loop gathers them",
    n.Min,
    n.Max,
    canonical=True,
)
def _from_the_left(expr: Expr, context: Context) -> Expr | None:
    a, b = expr.children
    if not is_whole(expr.type) or type(b) is not type(expr) or type(a) is type(expr):
        return None
    return context.simplify(expr.rebuild((b, a)))


@rule(SELECT_RULES, "select-absd", "select(a < b, b - a, a - b) = absd(a, b)", n.Select)
def _absd(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    one, other = expr.a, expr.b
    if not is_whole(expr.type) or not isinstance(one, n.Sub) or not isinstance(other, n.Sub):
        return None
    if one.a is not other.b or one.b is not other.a:
        return None
    for kind, a, b in _orders(expr, context):
        # where a < b (a <= b: equal operands have distance 0 either way) the value is b - a
        ordered = kind in (n.LT, n.LE) and same_value(one.a, b) and same_value(one.b, a)
        if ordered and a.type is b.type:
            first, second = expr.condition.children if expr.condition.children == (b, a) else (a, b)
            return context.simplify(convert(expr.type, intrinsic("absd", first, second)))
    return None


@rule(SELECT_RULES, "select-abs", "select(x < 0, -x, x) = abs(x)", n.Select)
def _abs(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    if not expr.type.is_int:
        return None
    for kind, a, b in _orders(expr, context):
        if number(b) != 0:
            continue
        negated, kept = expr.a, expr.b
        if kind in (n.GT, n.GE):
            negated, kept = kept, negated
        elif kind not in (n.LT, n.LE):
            continue
        if _is_negation(negated, kept) and same_value(kept, a):
            return context.simplify(n.Cast(expr.type, intrinsic("abs", kept)))
    return None


def _is_negation(a: Expr, b: Expr) -> bool:
    if isinstance(a, n.Neg) and a.value is b:
        return True
    return isinstance(a, n.Sub) and isinstance(b, n.Sub) and a.a is b.b and a.b is b.a


@rule(
    SELECT_RULES,
    "select-nested",
    "select(c, select(c, x, y), z) = select(c, x, z); select(c, select(d, x, y), y) ="
    " select(c && d, x, y); select(c, x, select(d, x, y)) = select(c || d, x, y)",
    n.Select,
)
def _nested(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    c, a, b = expr.children
    if isinstance(a, n.Select):
        if a.condition is c:
            return context.simplify(n.Select(c, a.a, b))
        if a.b is b:
            return context.simplify(n.Select(n.And(c, a.condition), a.a, b))
    if isinstance(b, n.Select):
        if b.condition is c:
            return context.simplify(n.Select(c, a, b.b))
        if b.a is a:
            return context.simplify(n.Select(n.Or(c, b.condition), a, b.b))
    return None


@rule(SELECT_RULES, "select-of-bool", "select(c, true, false) = c", n.Select)
def _bool(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    if expr.a is TRUE and expr.b is FALSE:
        return expr.condition
    if expr.a is FALSE and expr.b is TRUE:
        return context.simplify(n.Not(expr.condition))
    return None


@rule(
    SELECT_RULES,
    "compare-select",
    "select(c, 1, 0) != 0 = c: a comparison of two constants' choice",
    *COMPARISONS,
)
def _compare(expr: Expr, context: Context) -> Expr | None:
    choice, k = expr.children
    if not isinstance(choice, n.Select) or number(k) is None:
        return None
    if number(choice.a) is None or number(choice.b) is None:
        return None
    a = context.simplify(type(expr)(choice.a, k))
    b = context.simplify(type(expr)(choice.b, k))
    return context.simplify(n.Select(choice.condition, a, b))


@rule(SELECT_RULES, "mask-of-bool", "-T(c) = select(c, -1, 0)", n.Neg)
def _mask(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Neg)
    flag = expr.value
    if not isinstance(flag, n.Cast) or not flag.value.type.is_bool or not is_whole(expr.type):
        return None
    ones = Const(expr.type, expr.type.wrap(-1))
    made: Expr = n.Select(flag.value, ones, Const(expr.type, 0))
    return made


@rule(
    SELECT_RULES,
    "times-bool",
    "x * T(c) = select(c, x, 0)",
    n.Mul,
)
def _times(expr: Expr, context: Context) -> Expr | None:
    if not is_whole(expr.type):
        return None
    for flag, x in (expr.children, expr.children[::-1]):
        if isinstance(flag, n.Cast) and flag.value.type.is_bool:
            return context.simplify(n.Select(flag.value, x, Const(expr.type, 0)))
    return None


@rule(
    SELECT_RULES,
    "into-select",
    "select(c, -1, 0) & x = select(c, x, 0); x ^ select(c, x ^ y, 0) = select(c, y, x); and such",
    n.BitAnd,
    n.BitOr,
    n.BitXor,
    n.Add,
    n.Sub,
    n.Mul,
    n.Neg,
    n.BitNot,
)
def _into(expr: Expr, context: Context) -> Expr | None:
    if not is_whole(expr.type):
        return None
    choices = [x for x in expr.children if isinstance(x, n.Select)]
    choice = choices[0] if choices else None
    if choice is None or (number(choice.a) is None and number(choice.b) is None):
        return None

    def arm(value: Expr, chosen: bool) -> Expr:
        # The other operand may choose by the same condition, or by its opposite.
        parts = []
        for x in expr.children:
            if x is choice:
                parts.append(value)
            elif isinstance(x, n.Select) and x.condition is choice.condition:
                parts.append(x.a if chosen else x.b)
            elif isinstance(x, n.Select) and _opposite(x.condition, choice.condition, context):
                parts.append(x.b if chosen else x.a)
            else:
                parts.append(x)
        return context.simplify(expr.rebuild(tuple(parts)))

    return context.simplify(n.Select(choice.condition, arm(choice.a, True), arm(choice.b, False)))


def _opposite(a: Expr, b: Expr, context: Context) -> bool:
    return context.simplify(n.Not(a)) is b


@rule(
    SELECT_RULES,
    "undo-xor",
    "x ^ (x ^ y) = y, x + (y - x) = y, x - (x - y) = y",
    n.BitXor,
    n.Add,
    n.Sub,
)
def _undo(expr: Expr, context: Context) -> Expr | None:
    if not is_whole(expr.type):
        return None
    a, b = expr.children
    if isinstance(expr, n.Sub):
        if isinstance(b, n.Sub) and b.a is a:
            return b.b
        if isinstance(a, n.Add) and b in a.children:
            return a.a if b is a.b else a.b
        return None
    for x, other in ((a, b), (b, a)):
        if isinstance(expr, n.BitXor) and isinstance(other, n.BitXor) and x in other.children:
            return other.b if x is other.a else other.a
        if isinstance(expr, n.Add) and isinstance(other, n.Sub) and other.b is x:
            return other.a
    return None
