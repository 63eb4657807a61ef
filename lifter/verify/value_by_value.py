"""A parameter of few values, taken one by one: which of six functions a pointer leads to, say.

    select(which == 0, a, select(which == 1, b, c)) + ... = ...       where 0 <= which < 3

What says in many places which of a few ways a formula goes is decided at once where it is a number,
and what is left is small: three short questions in place of a long one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from compiler.ir import I64, Cast, Comparison, Const, Expr, Variable, const, postorder, transform
from compiler.ir.fold import fold
from compiler.ir.operators import Range

from .assumed import decided

MOST_VALUES = 12
_LEAST_TESTS = 3
"""Of a parameter that is worth it."""


def of_few_values(
    a: Expr, b: Expr, known: Mapping[Expr, Range], parameters: Mapping[str, object]
) -> tuple[Variable, range] | None:
    """The parameter of few values, of which intervals are `known`, that is compared with constants
    most often in two expressions, and these values."""
    tests = Counter(
        leaf
        for node in postorder(a, b)
        if isinstance(node, Comparison) and isinstance(node.b, Const)
        if isinstance(leaf := _bare(node.a), Variable) and leaf.name in parameters
    )
    for leaf, count in tests.most_common():
        if count < _LEAST_TESTS or leaf not in known:
            continue
        low, high = known[leaf]
        if high - low < MOST_VALUES:
            return leaf, range(low, high + 1)
    return None


def with_value(expr: Expr, parameter: Variable, value: int) -> Expr:
    """`expr` where a parameter has a value, wherever it stands."""
    known: dict[Expr, Expr] = {
        parameter: const(value, parameter.type),
        Variable(parameter.name, I64): const(value, I64),
    }
    return transform(expr, lambda node: known[node] if node in known else decided(fold(node)))


def _bare(expr: Expr) -> Expr:
    """What is converted to a type that has all its values."""
    while isinstance(expr, Cast) and expr.value.type.is_int and expr.type.is_int:
        if expr.type.bits < expr.value.type.bits:
            return expr
        expr = expr.value
    return expr
