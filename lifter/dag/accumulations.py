"""Accumulations: a scalar that a loop only adds to, multiplies or takes an extreme with."""

from __future__ import annotations

import math

from compiler.ir import (
    GE,
    GT,
    LE,
    LT,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    const,
    postorder,
)

from .closed_forms import LoopAnalysis
from .polynomial import negate
from .reduce import COMBINED_BY, Reduce, ReduceOperator, reduce_operator
from .scalars import unknown
from .symbolic import Executor, markers


def accumulation(
    executor: Executor, analysis: LoopAnalysis, name: str, value: Expr, entry: Expr
) -> Expr | None:
    """entry op (op over all iterations of g), when the scalar only accumulates g in each
    iteration."""
    carried = unknown("carried", name, analysis.heads[name].type)
    # `v = pick(v, x)` is what its body makes of the two.
    value = executor.opened(value, lambda call: carried in set(postorder(call)))
    if isinstance(value, Select) and value.a is carried:
        value = Select(negate(value.condition), value.b, carried)
    if isinstance(value, Select) and value.b is carried:
        part = _accumulated(value.a, carried)
        if part is None or any(n is carried for n in postorder(value.condition)):
            return _extremum(analysis, value, carried, entry)
        operator, added = part
        if operator != "add":
            return None
        zero = const(0, value.type)
        part = operator, Select(value.condition, added, zero)
    else:
        part = _accumulated(value, carried)
    if part is None:
        return None
    operator, body = part
    if any(True for _ in markers(body)) or _reads_written_any(body, executor):
        return None
    if entry.type.is_float and not (operator == "add" and _is_zero(entry)):
        # Floats are added in the written order, and a sum begins at +0.0.
        return None
    reduced: Expr = Reduce(operator, analysis.counter, analysis.extent, body)
    if (
        isinstance(entry, Const)
        and entry.value == 0
        and operator == "add"
        and entry.type.is_integer
    ):
        return reduced
    return COMBINED_BY[operator](entry, reduced)


def _is_zero(entry: Expr) -> bool:
    """Whether a float is the constant +0.0."""
    return isinstance(entry, Const) and entry.value == 0 and math.copysign(1.0, entry.value) > 0


def _accumulated(value: Expr, carried: Expr) -> tuple[ReduceOperator, Expr] | None:
    """(op, g) when `value` is `carried op g` with g free of it; sums of integers may be nested."""
    operator = reduce_operator(value)
    if operator is None:
        return None
    a, b = value.children
    has_a, has_b = (any(n is carried for n in postorder(c)) for c in (a, b))
    if has_a == has_b:
        return None
    side, other = (a, b) if has_a else (b, a)
    if side is carried:
        return operator, other
    if value.type.is_float:
        return None
    inner = _accumulated(side, carried)
    if inner is None or inner[0] != operator:
        return None
    return operator, value.rebuild((inner[1], other))


def _extremum(analysis: LoopAnalysis, value: Select, carried: Expr, entry: Expr) -> Expr | None:
    """`if (x > m) m = x` is a maximum; `<` a minimum (integers)."""
    condition = value.condition
    if value.type.is_float or not isinstance(condition, (LT, LE, GT, GE)):
        return None
    pair = (_same_number(condition.a), _same_number(condition.b))
    x = _same_number(value.a)
    if x.type != carried.type:
        return None
    if set(pair) != {x, carried} or any(n is carried for n in postorder(x)):
        return None
    greater = isinstance(condition, (GT, GE)) == (pair[0] is x)
    operator: ReduceOperator = "max" if greater else "min"
    return COMBINED_BY[operator](entry, Reduce(operator, analysis.counter, analysis.extent, x))


def _same_number(expr: Expr) -> Expr:
    """What an integer is converted from to a type that holds it."""
    while isinstance(expr, Cast) and expr.type.is_integer and expr.value.type.is_integer:
        own = expr.value.type
        if own.is_bool or not (expr.type.contains(own.min) and expr.type.contains(own.max)):
            break
        expr = expr.value
    return expr


def _reads_written_any(expr: Expr, executor: Executor) -> bool:
    """Whether `expr` reads an array that this stage has written already."""
    written = {w.array for log in executor.recording.logs for w in log.writes}
    return any(isinstance(n, Load) and n.array in written for n in postorder(expr))
