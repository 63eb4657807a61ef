"""The last step before emission: what C++ has and the DSL lacks, in exact DSL terms.

* truncating division and remainder: where the signs are known they are the DSL's own, and a value
  that is divided by a constant is a call of `div_round_to_zero` or `mod_round_to_zero`. Halide lets
  those trap at a divisor of zero and knows no bounds of them, so other divisors and indices have
  the numerator moved first. Rounding up instead of down is what truncation does below zero:
  n /t d  =  (n + select(n < 0, |d| - 1, 0)) / d, which overflows for no n;
* minimum and maximum of floats: the DSL leaves open what they give for NaN (and which zero), so
  they are written as the `select` that std::min and std::max are.
"""

from __future__ import annotations

from compiler.ir import Const, Expr, transform
from compiler.ir import nodes as n

from ..dag.reduce import Reduce
from .rewrite_ranges import Facts, SymbolRanges
from .rewrite_rule import number


def to_dsl(expr: Expr, facts: Facts | None = None) -> Expr:
    """An expression equal to `expr` wherever that is defined, in which `TruncDiv` and `TruncMod`
    have constant divisors, indices of reads have none of them, and floats no `Min` and `Max`.

    `facts` gives intervals of integer symbols (default: their types'). Before and after, for n in
    -255*255 .. 255*255 and d in 1 .. 255:

        n /t 255                  ->  n /t 255, which is hl.div_round_to_zero(n, 255)
        a * b /t 255 (uint8 a, b) ->  a * b / 255
        n /t d                    ->  (n + select(n < 0, d - 1, 0)) / d
        n %t d                    ->  select(n < 0 && n % d != 0, n % d - d, n % d)
        src(n /t 2)               ->  src((n + select(n < 0, 1, 0)) / 2)
        min(f, g)                 ->  select(g < f, g, f)
    """
    ranges = SymbolRanges(facts)

    def index(node: Expr) -> Expr:
        if isinstance(node, (n.TruncDiv, n.TruncMod)):
            return _euclidean(node, ranges)
        return _float_extreme(node)

    def value(node: Expr) -> Expr:
        if isinstance(node, n.Call) and node.kind in ("image", "func"):
            return node.rebuild(tuple(transform(a, index) for a in node.args))
        if isinstance(node, Reduce):
            return node.rebuild((transform(node.extent, index), node.body))
        if isinstance(node, (n.TruncDiv, n.TruncMod)):
            is_plain = number(node.b) not in (None, 0, -1) and ranges(node.a)[0] < 0
            return node if is_plain else _euclidean(node, ranges)
        return _float_extreme(node)

    return transform(expr, value)


def _float_extreme(node: Expr) -> Expr:
    if isinstance(node, n.Min) and node.type.is_float:
        return _select(n.LT(node.b, node.a), node.b, node.a)
    if isinstance(node, n.Max) and node.type.is_float:
        return _select(n.LT(node.a, node.b), node.b, node.a)
    return node


def _select(condition: Expr, a: Expr, b: Expr) -> Expr:
    made: Expr = n.Select(condition, a, b)
    return made


def _euclidean(node: n.TruncDiv | n.TruncMod, ranges: SymbolRanges) -> Expr:
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


def _magnitude(divisor: Expr, ranges: SymbolRanges) -> Expr | None:
    """|divisor| where its sign is known and its size is a value of the type."""
    if ranges(divisor)[0] >= 0:  # zero is no divisor
        return divisor
    value = number(divisor)
    if value is not None and value < 0 and divisor.type.contains(-value):
        return Const(divisor.type, -value)
    return None
