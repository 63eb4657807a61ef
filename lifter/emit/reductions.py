"""From `Reduce` nodes to inline reductions over domains of the DSL."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from compiler.ir import I32, I64, Add, Cast, Const, Expr, Sub, Type, Variable, postorder, substitute

from ..dag import Reduce
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


def inline_reductions(
    expr: Expr, names: Names, scale: Scale, parameters: Collection[str]
) -> tuple[Expr, tuple[Domain, ...]]:
    """`expr` with each `Reduce` an `InlineReduction`, and the domains that they need.

    Directly nested integer reductions by one operator become one over several dimensions, the
    innermost first; floats keep the nesting, since their sums depend on the order. What stands in
    several places is the same in all of them. A counter that the body only uses with one offset
    over `parameters` (`dx - radius`) runs from there instead.
    """
    domains: list[Domain] = []
    seen: dict[Expr, Expr] = {}

    def visit(node: Expr) -> Expr:
        if node not in seen:
            seen[node] = visit_first(node)
        return seen[node]

    def visit_first(node: Expr) -> Expr:
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
            body, start = _recentre(body, level.counter, place, parameters)
            bounds.append((scale(start), scale(level.extent)))
        made: Expr = InlineReduction(node.operator, name, visit(body))
        domains.append(Domain(name, tuple(bounds)))
        return made

    return visit(expr), tuple(domains)


Terms = tuple[tuple[int, Expr], ...]
"""A sum's parts with their signs, 1 or -1."""


def _recentre(
    body: Expr, counter: Variable, place: Variable, parameters: Collection[str]
) -> tuple[Expr, Expr]:
    """`body` over `place` instead of `counter`, and where `place` starts.

    Where every use of the counter is a sum with the same parameters in it, as in
    `x + (dx - radius)`, the place starts from these: `x + r.x` with `r.x` from `-radius` on.
    """
    body = tidy(substitute(body, {counter: Cast(I64, place)}))
    offsets: set[Terms] = set()

    def visit(node: Expr) -> Expr:
        if node is place:
            offsets.add(())
            return node
        terms = _terms(node)
        if len(terms) < 2 or (1, place) not in terms:
            return node.rebuild(tuple(map(visit, node.children))) if node.children else node
        fixed = tuple(t for t in terms if _is_fixed(t[1], parameters))
        offsets.add(fixed)
        moving = [t for t in terms if t not in fixed and t != (1, place)]
        return _sum([*((sign, visit(part)) for sign, part in moving), (1, place)], I32)

    moved = visit(body)
    if len(offsets) != 1 or offsets == {()}:
        return body, Const(I64, 0)
    (fixed,) = offsets
    return moved, _sum([(sign, _wide(part)) for sign, part in fixed], I64)


def _wide(part: Expr) -> Expr:
    return Const(I64, part.value) if isinstance(part, Const) else Cast(I64, part)


def _terms(expr: Expr) -> Terms:
    """The parts of an int32 sum; itself when it is none."""
    if expr.type is not I32 or not isinstance(expr, (Add, Sub)):
        return ((1, expr),)
    sign = 1 if isinstance(expr, Add) else -1
    return (*_terms(expr.a), *((sign * s, part) for s, part in _terms(expr.b)))


def _sum(terms: Sequence[tuple[int, Expr]], type: Type) -> Expr:
    """The sum, positive parts first."""
    ordered = sorted(terms, key=lambda t: -t[0])
    (sign, total), *rest = ordered
    if sign < 0:
        if isinstance(total, Const) and type.contains(-int(total.value)):
            total = Const(type, -int(total.value))
        else:
            total = Sub(Const(type, 0), total)
    for sign, part in rest:
        total = Add(total, part) if sign > 0 else Sub(total, part)
    return total


def _is_fixed(expr: Expr, parameters: Collection[str]) -> bool:
    return isinstance(expr, Const) or (isinstance(expr, Variable) and expr.name in parameters)
