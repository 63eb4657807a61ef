"""Divisions that C++ spells with shifts: `(t + (t >> 8)) >> 8` with t = x + 128 is (x + 127) / 255.

The rule is not a list of spellings. An expression of one bounded value x, made with sums, products
by constants and shifts, is a function that can be tabled; if the table is that of (x + c) / d, for
the only c and d that fit its first steps, then the two are equal, by complete enumeration.
"""

from __future__ import annotations

import numpy as np

from compiler.ir import Const, Expr, Variable, evaluate
from compiler.ir import nodes as n
from compiler.ir.rewriting import AnyRule, Context, coded

from .rewrite_rule import is_whole, number

DIVISION_RULES: list[AnyRule] = []

_MOST_VALUES = 1 << 17


@coded(
    DIVISION_RULES,
    "division-by-shifts",
    "((x + 128) + ((x + 128) >> 8)) >> 8 = (x + 127) / 255 where 0 <= x <= 65025, and the like",
    n.Shr,
)
def _division(expr: Expr, context: Context) -> Expr | None:
    if not is_whole(expr.type) or number(expr.children[1]) is None:
        return None
    value = _only_value(expr)
    if value is None or expr.children[0] is value:
        return None
    low, high = context.ranges(value)
    if low < 0 or not 3 <= high - low < _MOST_VALUES:
        return None
    fitted = _fit(expr, value, low, high)
    if fitted is None:
        return None
    offset, divisor = fitted
    shifted: Expr = value if offset == 0 else n.Add(value, Const(expr.type, offset))
    quotient: Expr = n.Div(shifted, Const(expr.type, divisor))
    return quotient


def _only_value(expr: Expr) -> Expr | None:
    """The single part that sums, shifts and products by constants are made of, else None."""
    found: Expr | None = None
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Const):
            continue
        linear = isinstance(node, (n.Add, n.Sub)) or (
            isinstance(node, (n.Mul, n.Shr, n.Shl)) and isinstance(node.b, Const)
        )
        if linear:
            stack.extend(node.children)
        elif found is None:
            found = node
        elif found is not node:
            return None
    return found


def _fit(expr: Expr, value: Expr, low: int, high: int) -> tuple[int, int] | None:
    """(c, d) such that `expr` is (value + c) / d for low <= value <= high, checked for each."""
    name = Variable("$", value.type)
    numbers = np.arange(low, high + 1)
    table = evaluate(n.substitute(expr, {value: name}), {"$": numbers}).astype(np.int64)
    steps = np.nonzero(np.diff(table))[0][:2]
    if len(steps) < 2:
        return None
    divisor = int(steps[1] - steps[0])
    offset = int(table[0]) * divisor + divisor - 1 - int(numbers[steps[0]])
    if offset < 0 or divisor < 2 or high + offset > expr.type.max:
        return None
    return (offset, divisor) if bool(np.all((numbers + offset) // divisor == table)) else None
