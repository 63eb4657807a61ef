"""From `Reduce` nodes to inline reductions over domains of the DSL."""

from __future__ import annotations

from collections.abc import Callable

from compiler.ir import I32, I64, Add, Cast, Const, Expr, Sub, Variable, postorder, substitute

from ..dag.reduce import Reduce
from .inline_reduction import InlineReduction
from .names import Names
from .program import Domain
from .tidy import tidy

AXES = ("x", "y", "z", "w")
Scale = Callable[[Expr], Expr]
"""Turns an index expression over the source's parameters into an int32 one over the program's."""


def axis(domain: str, number: int) -> Variable:
    """Coordinate `number` of a reduction domain."""
    made: Variable = Variable(f"{domain}.{AXES[number]}", I32)
    return made


def inline_reductions(expr: Expr, names: Names, scale: Scale) -> tuple[Expr, tuple[Domain, ...]]:
    """`expr` with each `Reduce` an `InlineReduction`, and the domains that they need.

    Directly nested integer reductions by one operator become one over several dimensions, the
    innermost first; floats keep the nesting, since their sums depend on the order. A counter that
    the body only uses with one offset (`dx - radius`) runs from that offset instead.
    """
    domains: list[Domain] = []

    def visit(node: Expr) -> Expr:
        if not isinstance(node, Reduce):
            children = node.children
            return node.rebuild(tuple(map(visit, children))) if children else node
        nest = [node]
        while (
            isinstance(nest[-1].body, Reduce)
            and nest[-1].body.operator == node.operator
            and node.type.is_integer
            and len(nest) < len(AXES)
            and node.counter not in set(postorder(nest[-1].body.extent))
        ):
            nest.append(nest[-1].body)
        name = names.take("r")
        body, bounds = nest[-1].body, []
        for number, level in enumerate(reversed(nest)):
            place = axis(name, number)
            body, start = _recentre(body, level.counter, place)
            bounds.append((scale(start), scale(level.extent)))
        made: Expr = InlineReduction(node.operator, name, visit(body))
        domains.append(Domain(name, tuple(bounds)))
        return made

    return visit(expr), tuple(domains)


def _recentre(body: Expr, counter: Variable, place: Variable) -> tuple[Expr, Expr]:
    """`body` over `place` instead of `counter`, and where `place` starts."""
    body = tidy(substitute(body, {counter: Cast(I64, place)}))
    users = [n for n in postorder(body) if place in n.children]
    zero = Const(I64, 0)
    if not users:
        return body, zero
    offsets = {n.b if isinstance(n, (Add, Sub)) and n.a is place else None for n in users}
    kinds = {type(n) for n in users}
    if len(offsets) != 1 or len(kinds) != 1:
        return body, zero
    (offset,) = offsets
    if offset is None or not _is_parameter(offset):
        return body, zero
    wide = Cast(I64, offset)
    start = wide if kinds == {Add} else Sub(zero, wide)
    return substitute(body, dict.fromkeys(users, place)), start


def _is_parameter(expr: Expr) -> bool:
    return isinstance(expr, Const) or (isinstance(expr, Variable) and "." not in expr.name)
