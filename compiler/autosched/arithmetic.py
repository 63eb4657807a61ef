"""What computing a value costs, in operations (autoscheduler-2016 section 4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import ir
from ..ir import Call, Const, Expr, Variable
from ..ir import nodes as n

DIVISION = 6
"""Of numbers that aren't constants: vectors of quotients take several times a product."""

DIVISION_BY_CONSTANT = 3
"""A product, a shift and a correction."""

FUNCTION = 20
"""exp, log, sin...: a polynomial and what goes around it."""

_CHEAP_CALLS = frozenset(
    {"abs", "absd", "saturating_add", "saturating_sub", "halving_add", "halving_sub"}
    | {"rounding_halving_add", "floor", "ceil", "round", "trunc"}
)


def operations(exprs: Sequence[Expr]) -> int:
    """The cost of computing `exprs` once, shared parts counted once; reading is not counted."""
    return sum(map(_cost, ir.postorder(*exprs)))


def value_operations(exprs: Sequence[Expr]) -> int:
    """The same without what says where to read."""
    found: dict[Expr, None] = {}
    waiting = list(exprs)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = None
            if not (isinstance(node, Call) and node.kind in ("func", "image")):
                waiting.extend(node.children)
    return sum(map(_cost, found))


def varying(exprs: Sequence[Expr], name: str) -> set[Expr]:
    """The parts of `exprs` that differ from one value of a variable to the next."""
    found: set[Expr] = set()
    for node in ir.postorder(*exprs):
        is_it = isinstance(node, Variable) and node.name == name
        if is_it or any(child in found for child in node.children):
            found.add(node)
    return found


def cost_of(nodes: Iterable[Expr]) -> int:
    """The cost of these nodes, each computed once from the others' values."""
    return sum(map(_cost, nodes))


def _cost(node: Expr) -> int:
    if isinstance(node, Const | Variable | ir.Cast | n.Let | n.Broadcast):
        return 0
    if isinstance(node, Call):
        if node.kind in ("func", "image") or node.name.startswith("likely"):
            return 0
        return 1 if node.name in _CHEAP_CALLS else 4 if node.name == "sqrt" else FUNCTION
    if isinstance(node, ir.Div | ir.Mod | n.TruncDiv | n.TruncMod):
        divisor = node.b
        if not isinstance(divisor, Const):
            return DIVISION
        if not divisor.type.is_integer:
            return 1
        value = int(divisor.value)
        return 1 if value > 0 and value & (value - 1) == 0 else DIVISION_BY_CONSTANT
    return 1


__all__ = [
    "DIVISION",
    "DIVISION_BY_CONSTANT",
    "FUNCTION",
    "cost_of",
    "operations",
    "value_operations",
    "varying",
]
