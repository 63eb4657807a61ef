"""Inline reductions: `sum`, `product`, `maximum`, `minimum` of an expression over its `RDom`."""

from __future__ import annotations

from typing import Any

from .. import ir
from ..ir import Type
from ..ir import nodes as n
from .errors import fail
from .expr import Expr, as_expr
from .function import Function
from .names import is_pure_variable_name
from .variables import RDom, ReductionDomain


def _lowest(type: Type) -> ir.Const:
    return ir.Const(type, float("-inf") if type.is_float else type.min)


def _highest(type: Type) -> ir.Const:
    return ir.Const(type, float("inf") if type.is_float else type.max)


def _reduce(name: str, kind: type[n.Binary], start: Any, arguments: tuple[Any, ...]) -> Expr:
    if arguments and isinstance(arguments[0], RDom):
        arguments = arguments[1:]
    if not arguments or len(arguments) > 2:
        fail(f"{name} takes an expression over an RDom and, if wanted, a name.")
    e = as_expr(arguments[0])
    if not any(isinstance(s, ReductionDomain) for s in e.sources):
        fail(f"{name}: the expression {e} uses no reduction variable.")
    free: list[str] = []
    for node in ir.postorder(e.node):
        if isinstance(node, ir.Variable) and is_pure_variable_name(node.name):
            free.append(node.name)
    function = Function(arguments[1] if len(arguments) == 2 else name)
    args = [Expr.of(ir.Variable(v, ir.I32)) for v in free]
    function.define(args, [Expr.of(start(e.type()))])
    before = function.read(args)
    function.define(args, [Expr.of(kind(before.node, e.node), before, e)])
    return function.read(args)


def sum(*arguments: Any) -> Expr:
    """`sum([r,] e[, name])`: starts from 0, in the type of `e`, in the RDom's order."""
    return _reduce("sum", n.Add, lambda t: ir.const(0, t), arguments)


def product(*arguments: Any) -> Expr:
    """`product([r,] e[, name])`: starts from 1."""
    return _reduce("product", n.Mul, lambda t: ir.const(1, t), arguments)


def maximum(*arguments: Any) -> Expr:
    """`maximum([r,] e[, name])`: starts from the type's smallest value."""
    return _reduce("maximum", n.Max, _lowest, arguments)


def minimum(*arguments: Any) -> Expr:
    """`minimum([r,] e[, name])`: starts from the type's largest value."""
    return _reduce("minimum", n.Min, _highest, arguments)
