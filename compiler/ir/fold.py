"""Operators of constants as the constants that they are."""

from __future__ import annotations

import numpy as np

from . import nodes as n
from .evaluate import evaluate
from .lanes import CONCAT, SHUFFLE
from .nodes import Call, Cast, Const, Expr


def fold(node: Expr, calls: bool = False) -> Expr:
    """The constant that `node` is when all its operands are; `node` itself otherwise, and where it
    has no defined value.

    `calls` are functions of floats as the C library of this machine has them.
    """
    children = node.children
    if not children or not all(isinstance(c, Const) for c in children):
        return node
    if isinstance(node, (n.Ramp, n.Broadcast, n.Load, n.Let)) or node.type.code == "bfloat":
        return node
    if isinstance(node, Call) and (node.kind != "intrinsic" or (node.type.is_float and not calls)):
        return node
    if isinstance(node, Call) and node.name in (CONCAT, SHUFFLE):
        return node  # a vector of different numbers is no constant
    if isinstance(node, (n.TruncDiv, n.TruncMod)) and _undefined_division(node):
        return node
    if isinstance(node, (n.Shl, n.Shr)) and not 0 <= _number(node.b) < node.type.bits:
        return node
    if isinstance(node, Cast) and node.value.type.is_float and node.type.is_integer:
        value = _number(node.value)
        if not (np.isfinite(value) and node.type.contains(int(value))):
            return node
    value = evaluate(node).item()
    return Const(node.type, float(value) if node.type.is_float else int(value))


def _number(node: Expr) -> int | float:
    assert isinstance(node, Const)
    return node.value


def _undefined_division(node: n.Binary) -> bool:
    a, b = _number(node.a), _number(node.b)
    return b == 0 or (b == -1 and a == node.type.min)
