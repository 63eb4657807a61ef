"""The numpy evaluator: the meaning of every node on arrays of values, exactly.

Works elementwise on arrays of one shape, or on scalars; shapes broadcast as in numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from . import nodes as n
from .intrinsics import INTRINSICS
from .nodes import Call, Const, Expr, Load, Variable
from .operators import BINARY, OPERATORS
from .types import Type

Reader = Callable[[Expr, tuple[Any, ...]], Any]
"""Gives the value of a `Load` or a non-intrinsic `Call` from its evaluated indices or arguments."""


@cache
def dtype_of(type: Type) -> np.dtype[Any]:
    """The numpy type of one lane; raises `TypeError` for bfloat, which numpy lacks."""
    if type.is_bool:
        return np.dtype(np.bool_)
    if type.code == "bfloat":
        raise TypeError("numpy has no bfloat16")
    return np.dtype(f"{type.code}{type.bits}")


@cache
def lane_dtype(type: Type) -> np.dtype[Any]:
    """The numpy type that holds one lane while evaluating: a bfloat16 is a rounded float32."""
    return np.dtype(np.float32) if type.code == "bfloat" else dtype_of(type)


def typed(value: Any, type: Type) -> Any:
    """`value` as an array of `type`'s values."""
    array = np.asarray(value).astype(lane_dtype(type), copy=False)
    return _rounded_to_bfloat(array) if type.code == "bfloat" else array


def _rounded_to_bfloat(value: Any) -> Any:
    bits = np.ascontiguousarray(value).view(np.uint32).reshape(np.shape(value))
    kept = (bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1)))) & np.uint32(
        0xFFFF0000
    )
    return np.where(np.isnan(value), value, np.asarray(kept).view(np.float32))


_BINARY: dict[type[Expr], Callable[[Any, Any], Any]] = {
    kind: OPERATORS[kind].on_arrays for kind in BINARY
}


def _convert(value: Any, type: Type) -> Any:
    if type.is_bool:
        return value != 0
    return typed(value, type)


def _same_bits(value: Any, type: Type) -> Any:
    """The bits of `value` as numbers of `type`; bfloat16 can't be looked at so."""
    return np.ascontiguousarray(value).view(dtype_of(type)).reshape(np.shape(value))


def evaluate(
    expr: Expr, variables: Mapping[str, Any] | None = None, read: Reader | None = None
) -> Any:
    """The value of `expr` as a numpy array (0-dimensional for scalars).

    `variables` maps names to numbers or arrays (or call `read` to serve `Load`s and `Call`s).
    Where an operator is undefined (TruncDiv by zero, a shift out of range, a float out of an
    integer's range) the result is some value; both sides of a `Select` are evaluated.
    Raises `KeyError` for a variable without a value.
    """
    variables = variables or {}
    done: dict[Expr, Any] = {}
    with np.errstate(all="ignore"):
        for node in n.postorder(expr):
            if isinstance(node, n.Let):
                raise TypeError("substitute lets before evaluating")
            done[node] = _evaluate_node(node, done, variables, read)
    return done[expr]


def _evaluate_node(
    node: Expr, done: dict[Expr, Any], variables: Mapping[str, Any], read: Reader | None
) -> Any:
    if isinstance(node, Const):
        return np.asarray(node.value, lane_dtype(node.type))
    if isinstance(node, Variable):
        return typed(variables[node.name], node.type)
    args = [done[c] for c in node.children]
    operation = _BINARY.get(type(node))
    if operation is not None:
        return typed(operation(*args), node.type)
    if isinstance(node, n.Cast):
        return np.asarray(_convert(args[0], node.type))
    if isinstance(node, n.Select):
        return np.where(*args)
    if isinstance(node, n.Neg):
        return -args[0]
    if isinstance(node, n.BitNot):
        return ~args[0]
    if isinstance(node, n.Not):
        return np.logical_not(args[0])
    if isinstance(node, Call) and node.name == "reinterpret" and node.kind == "intrinsic":
        return _same_bits(args[0], node.type)
    if isinstance(node, Call) and node.kind == "intrinsic":
        return typed(INTRINSICS[node.name].evaluate(*args), node.type)
    if isinstance(node, (Call, Load)) and read is not None:
        return typed(read(node, tuple(args)), node.type)
    raise TypeError(f"cannot evaluate {node}")
