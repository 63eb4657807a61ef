"""What rewrite rules look at nodes with."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir import Const, Expr, Type
from compiler.ir import nodes as n


def number(expr: Expr) -> int | None:
    """The value of an integer constant, else None."""
    return int(expr.value) if isinstance(expr, Const) and expr.type.is_integer else None


def is_whole(type: Type) -> bool:
    """Integer but not boolean."""
    return type.is_integer and not type.is_bool


def convert(type: Type, expr: Expr) -> Expr:
    """`expr` as `type`: a constant is converted at once, and nothing happens for its own type."""
    if expr.type is type:
        return expr
    value = number(expr)
    if value is not None and type.is_integer:
        return Const(type, int(value != 0) if type.is_bool else type.wrap(value))
    made: Expr = n.Cast(type, expr)
    return made


def widened(expr: Expr) -> Expr | None:
    """The narrower integer that `expr` converts without a change of value, else None."""
    if not isinstance(expr, n.Cast) or not is_whole(expr.type) or not is_whole(expr.value.type):
        return None
    narrow = expr.value.type
    return expr.value if expr.type.contains_all(narrow) else None


def below(expr: Expr) -> Iterator[Expr]:
    """The nodes of the computation `expr`, without what stands in reads and calls."""
    stack, seen = [expr], set()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        if not isinstance(node, (n.Call, n.Load)) or (
            isinstance(node, n.Call) and node.kind == "intrinsic"
        ):
            stack.extend(node.children)


def same_value(a: Expr, b: Expr) -> bool:
    """Whether two integers are one mathematical number: equal, or equal before widening."""
    if a is b:
        return True
    value = number(a)
    if value is not None:
        return value == number(b)
    inner_a, inner_b = widened(a), widened(b)
    if inner_a is not None and inner_b is not None and inner_a is inner_b:
        return True
    return inner_a is b or inner_b is a
