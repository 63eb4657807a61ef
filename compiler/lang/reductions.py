"""Inline reductions: `sum`, `product`, `maximum`, `minimum`, `argmax`, `argmin` over an `RDom`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import ir
from ..ir import Type
from . import functions
from .errors import fail
from .expr import Expr, as_expr
from .function import Function
from .names import fresh_name, is_pure_variable_name
from .overloads import mismatch
from .variables import RDom, ReductionDomain


def _lowest(type: Type) -> ir.Expr:
    return ir.Const(type, float("-inf") if type.is_float else type.min)


def _highest(type: Type) -> ir.Expr:
    return ir.Const(type, float("inf") if type.is_float else type.max)


@dataclass(frozen=True)
class _Reduction:
    """The expression to reduce over `domain`, and the coordinates that it depends on besides:
    as the new stage names them, and as the place of the call has them."""

    value: Expr
    domain: ReductionDomain
    args: list[Expr]
    places: list[Expr]
    name: str


def _arguments(name: str, given: tuple[Any, ...], named: dict[str, Any]) -> _Reduction:
    items = list(given)
    domain: ReductionDomain | None = None
    rdom = named.pop("rdom", None)
    if rdom is None and len(items) > 1 and isinstance(items[0], RDom) and not isinstance(
        items[1], str
    ):  # fmt: skip
        rdom = items.pop(0)
    if rdom is not None:
        domain = rdom.reduction_domain()
    if "expr" in named:
        items.insert(0, named.pop("expr"))
    chosen = named.pop("name", items.pop(1) if len(items) == 2 else name)
    if len(items) != 1 or named or not isinstance(chosen, str):
        mismatch(name, *given)
    if isinstance(items[0], (tuple, list)):
        mismatch(name, *given)
    e = as_expr(items[0])
    used = sorted((s for s in e.sources if isinstance(s, ReductionDomain)), key=lambda s: s.names)
    if domain is None:
        names = {x.name for x in ir.postorder(e.node) if isinstance(x, ir.Variable)}
        present = [s for s in used if names & set(s.names)]
        if not present:
            fail(f"Expression passed to {name} must reference a reduction domain")
        if len(present) > 1:
            both = ", ".join(n for s in present for n in s.names if n in names)
            fail(
                f'Inline reduction "{chosen}" refers to reduction variables from multiple '
                f"reduction domains: {both}"
            )
        domain = present[0]
    return _with_free_variables(e, domain, used, chosen)


def _with_free_variables(
    e: Expr, domain: ReductionDomain, used: list[ReductionDomain], name: str
) -> _Reduction:
    """Variables of the place where the reduction stands, and of other domains, are coordinates of
    the new stage."""
    owners = {n: s for s in used if s is not domain for n in s.names}
    args, places = [], []
    renamed: dict[ir.Expr, ir.Expr] = {}
    nodes = [e.node, *domain.predicates]
    for node in ir.postorder(*nodes):
        if not isinstance(node, ir.Variable) or node.name in domain.names:
            continue
        if is_pure_variable_name(node.name):
            args.append(Expr.of(node))
            places.append(Expr.of(node))
        elif node.name in owners:
            own = ir.Variable(fresh_name("v"), ir.I32)
            renamed[node] = own
            args.append(Expr.of(own))
            places.append(Expr.of(node, extra=frozenset({owners[node.name]})))
    sources = frozenset(s for s in e.sources if s not in owners.values()) | {domain}
    return _Reduction(Expr.of(ir.substitute(e.node, renamed), extra=sources), domain, args, places,
                      name)  # fmt: skip


def _reduce(
    name: str,
    combine: Callable[[Expr, Expr], Expr],
    start: Callable[[Type], ir.Expr],
    given: tuple[Any, ...],
    named: dict[str, Any],
) -> Expr:
    r = _arguments(name, given, named)
    function = Function(r.name)
    function.define(r.args, [Expr.of(start(r.value.node.type))])
    function.define(r.args, [combine(function.read(r.args), r.value)])
    return function.read(r.places)


def sum(*arguments: Any, **named: Any) -> Expr:
    """`sum([r,] e[, name])`: starts from 0, in the type of `e`, in the RDom's order."""
    return _reduce("sum", lambda a, b: a + b, lambda t: ir.const(0, t), arguments, named)


def product(*arguments: Any, **named: Any) -> Expr:
    """`product([r,] e[, name])`: starts from 1."""
    return _reduce("product", lambda a, b: a * b, lambda t: ir.const(1, t), arguments, named)


def maximum(*arguments: Any, **named: Any) -> Expr:
    """`maximum([r,] e[, name])`: starts from the type's smallest value."""
    return _reduce("maximum", functions.max, _lowest, arguments, named)


def minimum(*arguments: Any, **named: Any) -> Expr:
    """`minimum([r,] e[, name])`: starts from the type's largest value."""
    return _reduce("minimum", functions.min, _highest, arguments, named)


def argmax(*arguments: Any, **named: Any) -> tuple[Expr, ...]:
    """`argmax([r,] e[, name])`: the coordinates of the first largest value, then the value."""
    return _first("argmax", lambda new, old: new > old, _lowest, arguments, named)


def argmin(*arguments: Any, **named: Any) -> tuple[Expr, ...]:
    """`argmin([r,] e[, name])`: the coordinates of the first smallest value, then the value."""
    return _first("argmin", lambda new, old: new < old, _highest, arguments, named)


def _first(
    name: str,
    better: Callable[[Expr, Expr], Expr],
    start: Callable[[Type], ir.Expr],
    given: tuple[Any, ...],
    named: dict[str, Any],
) -> tuple[Expr, ...]:
    r = _arguments(name, given, named)
    function = Function(r.name)
    extra = frozenset({r.domain})
    here = [Expr.of(ir.Variable(n, ir.I32), extra=extra) for n in r.domain.names]
    zeros = [Expr.of(ir.const(0)) for _ in here]
    function.define(r.args, [*zeros, Expr.of(start(r.value.node.type))])
    old = [function.read(r.args, i) for i in range(len(here) + 1)]
    wins = better(r.value, old[-1])
    new = [*here, r.value]
    chosen = [functions.select(wins, a, b) for a, b in zip(new, old, strict=True)]
    function.define(r.args, chosen)
    return tuple(function.read(r.places, i) for i in range(len(here) + 1))
