"""Rules about choices: minima, clamps, distances and masks that C++ spells with ifs and bits.

All of them are about integers; a float `select` keeps the answer to NaN and to -0 that it has.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir import COMPARISONS, FALSE, MIRROR, TRUE, Const, Expr, intrinsic
from compiler.ir import nodes as n
from compiler.ir.bounds_of_values import never_wraps
from compiler.ir.formula import Formula, select
from compiler.ir.rewriting import AnyRule, Context, Rule, coded

from .rewrite_rule import (
    convert,
    is_whole,
    number,
    same_value,
)

SELECT_RULES: list[AnyRule] = []
_TRUE, _FALSE = Formula(TRUE), Formula(FALSE)


def _orders(expr: n.Select, context: Context) -> Iterator[tuple[type[Expr], Expr, Expr]]:
    """(kind, a, b) of the integer comparison that `expr` chooses by, both ways iteration.

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
    return not never_wraps(difference, *map(context.ranges, difference.children))


SELECT_RULES += [
    Rule("select-same", "iufb", lambda w: (select(w.p, w.x, w.x), w.x)),
    Rule("select-decided", "iufb", lambda w: [
        (select(_TRUE, w.x, w.y), w.x), (select(_FALSE, w.x, w.y), w.y),
    ]),
    Rule("select-not", "iufb", lambda w: (select(~w.p, w.x, w.y), select(w.p, w.y, w.x))),
]  # fmt: skip


@coded(
    SELECT_RULES, "select-min-max", "select(a < b, a, b) = min(a, b); the same for max", n.Select
)
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


@coded(SELECT_RULES, "select-equal", "select(a == b, a, b) = b, select(a != b, a, b) = a", n.Select)
def _equal(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    if not is_whole(expr.type):
        return None
    for kind, a, b in _orders(expr, context):
        if kind in (n.EQ, n.NE) and same_value(expr.a, a) and same_value(expr.b, b):
            return expr.b if kind is n.EQ else expr.a
    return None


@coded(
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


SELECT_RULES.append(
    Rule("clamp-order", "iu", lambda w: (w.x.max(w.c).min(w.y), w.x.min(w.y).max(w.c)),
         lambda f: f["c"] <= f.low("y"), canonical=True)
)  # fmt: skip


@coded(
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


@coded(SELECT_RULES, "select-absd", "select(a < b, b - a, a - b) = absd(a, b)", n.Select)
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


@coded(SELECT_RULES, "select-abs", "select(x < 0, -x, x) = abs(x)", n.Select)
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


SELECT_RULES += [
    Rule("select-nested", "iufb", lambda w: [
        (select(w.p, select(w.p, w.x, w.y), w.z), select(w.p, w.x, w.z)),
        (select(w.p, select(w.q, w.x, w.y), w.y), select(w.p & w.q, w.x, w.y)),
        (select(w.p, w.x, select(w.p, w.y, w.z)), select(w.p, w.x, w.z)),
        (select(w.p, w.x, select(w.q, w.x, w.y)), select(w.p | w.q, w.x, w.y)),
    ]),
    Rule("select-of-bool", "b", lambda w: [
        (select(w.p, _TRUE, _FALSE), w.p), (select(w.p, _FALSE, _TRUE), ~w.p),
    ]),
]  # fmt: skip


@coded(
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


SELECT_RULES += [
    Rule("mask-of-bool", "iu",
         lambda w: (-w.p.to(w.type), select(w.p, w.constant(w.type.wrap(-1)), 0))),
    Rule("times-bool", "iu", lambda w: [
        (w.p.to(w.type) * w.x, select(w.p, w.x, 0)), (w.x * w.p.to(w.type), select(w.p, w.x, 0)),
    ]),
]  # fmt: skip


@coded(
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


SELECT_RULES.append(
    Rule("undo-xor", "iu", lambda w: [
        (w.x ^ (w.x ^ w.y), w.y), (w.x ^ (w.y ^ w.x), w.y), ((w.x ^ w.y) ^ w.x, w.y),
        ((w.y ^ w.x) ^ w.x, w.y), (w.x + (w.y - w.x), w.y), (w.y - w.x + w.x, w.y),
        (w.x - (w.x - w.y), w.y), (w.x + w.y - w.y, w.x), (w.y + w.x - w.y, w.x),
    ])
)  # fmt: skip
