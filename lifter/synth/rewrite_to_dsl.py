"""The last step before emission: what C++ has and the DSL lacks, in exact DSL terms.

* truncating division and remainder: where the signs are known they are the DSL's own, elsewhere the
  numerator is moved first. Rounding up instead of down is what truncation does below zero:
  n /t d  =  (n + select(n < 0, |d| - 1, 0)) / d, which overflows for no n;
* minimum and maximum of floats: the DSL leaves open what they give for NaN (and which zero), so
  they are written as the `select` that std::min and std::max are.
"""

from __future__ import annotations

from compiler.ir import Const, Expr, transform
from compiler.ir import nodes as n

from .rewrite_ranges import Facts, Ranges
from .rewrite_rule import number


def to_dsl(expr: Expr, facts: Facts | None = None) -> Expr:
    """An expression equal to `expr` wherever that is defined, without `TruncDiv`, `TruncMod` and
    float `Min`, `Max`, indices of reads included.

    `facts` gives intervals of integer symbols (default: their types'). Before and after, for n in
    -255*255 .. 255*255:

        n /t 255                  ->  (n + select(n < 0, 254, 0)) / 255
        n %t 255                  ->  select(n < 0 && n % 255 != 0, n % 255 - 255, n % 255)
        a * b /t 255 (uint8 a, b) ->  a * b / 255
        min(f, g)                 ->  select(g < f, g, f)
    """
    ranges = Ranges(facts)

    def visit(node: Expr) -> Expr:
        if isinstance(node, (n.TruncDiv, n.TruncMod)):
            return _euclidean(node, ranges)
        if isinstance(node, n.Min) and node.type.is_float:
            return _select(n.LT(node.b, node.a), node.b, node.a)
        if isinstance(node, n.Max) and node.type.is_float:
            return _select(n.LT(node.a, node.b), node.b, node.a)
        return node

    return transform(expr, visit)


def _select(condition: Expr, a: Expr, b: Expr) -> Expr:
    made: Expr = n.Select(condition, a, b)
    return made


def _euclidean(node: n.TruncDiv | n.TruncMod, ranges: Ranges) -> Expr:
    a, b = node.children
    quotient = isinstance(node, n.TruncDiv)
    made: Expr
    if ranges(a)[0] >= 0:
        made = n.Div(a, b) if quotient else n.Mod(a, b)
        return made
    zero = Const(node.type, 0)
    negative: Expr = n.LT(a, zero)
    size = _magnitude(b, ranges)
    if not quotient:
        rest: Expr = n.Mod(a, b)
        if size is not None:
            moved: Expr = n.Sub(rest, size)
        else:
            moved = _select(n.LT(b, zero), n.Add(rest, b), n.Sub(rest, b))
        return _select(n.And(negative, n.NE(rest, zero)), moved, rest)
    one = Const(node.type, 1)
    if size is None:
        # Either sign of divisor, the smallest number included: correct the quotient instead.
        floor: Expr = n.Div(a, b)
        toward = _select(n.LT(b, zero), n.Sub(floor, one), n.Add(floor, one))
        return _select(n.And(negative, n.NE(n.Mod(a, b), zero)), toward, floor)
    value = number(size)
    less: Expr = n.Sub(size, one) if value is None else Const(node.type, value - 1)
    made = n.Div(n.Add(a, _select(negative, less, zero)), b)
    return made


def _magnitude(divisor: Expr, ranges: Ranges) -> Expr | None:
    """|divisor| where its sign is known and its size is a value of the type."""
    if ranges(divisor)[0] >= 0:  # zero is no divisor
        return divisor
    value = number(divisor)
    if value is not None and value < 0 and divisor.type.contains(-value):
        return Const(divisor.type, -value)
    return None
