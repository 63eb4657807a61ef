"""The numpy evaluator: the meaning of every node on arrays of values, exactly.

Works elementwise on arrays of one shape, or on scalars; shapes broadcast as in numpy. The lanes of
vectors are one axis more in front of at least one.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np

from . import nodes as n
from .intrinsics import INTRINSICS
from .lanes import LANE_OPERATIONS, SHUFFLE, evaluate_lanes, shuffled_order
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
    values: list[Any] = []
    with np.errstate(all="ignore"):
        for step, operands in _steps(expr):
            values.append(step([values[i] for i in operands], variables, read))
    return values[-1]


_Step = Callable[[list[Any], Mapping[str, Any], Reader | None], Any]
"""What one node makes of its operands' values."""


@lru_cache(maxsize=1024)
def _steps(expr: Expr) -> tuple[tuple[_Step, tuple[int, ...]], ...]:
    """What to do for each node of `expr`, with the numbers of the nodes that are its operands.

    What is evaluated once is evaluated at many points, one after the other: so what an operator
    means is looked up here, once.
    """
    numbers: dict[Expr, int] = {}
    steps = []
    for node in n.postorder(expr):
        steps.append((_step(node), tuple([numbers[c] for c in node.children])))
        numbers[node] = len(numbers)
    return tuple(steps)


def _step(node: Expr) -> _Step:
    if isinstance(node, n.Let):
        raise TypeError("substitute lets before evaluating")
    if isinstance(node, Const):
        constant = np.asarray(node.value, lane_dtype(node.type))
        constant.setflags(write=False)
        return lambda args, variables, read: constant
    if isinstance(node, Variable):
        name, type = node.name, node.type
        return lambda args, variables, read: typed(variables[name], type)
    if isinstance(node, Load) or (isinstance(node, Call) and node.kind != "intrinsic"):
        return partial(_read, node)
    operation = _operation(node)
    return lambda args, variables, read: operation(*args)


def _read(
    node: Expr, args: list[Any], variables: Mapping[str, Any], read: Reader | None
) -> np.ndarray[Any, Any]:
    if read is None:
        raise TypeError(f"cannot evaluate {node}")
    return np.asarray(typed(read(node, tuple(args)), node.type))


def _operation(node: Expr) -> Callable[..., Any]:
    """The function of its operands' values that `node` is."""
    type = node.type
    of_two = _BINARY.get(node.__class__)
    if of_two is not None:
        return lambda a, b: typed(of_two(a, b), type)
    if isinstance(node, n.Cast):
        return lambda a: np.asarray(_convert(a, type))
    if isinstance(node, n.Select):
        return np.where
    if isinstance(node, n.Ramp):
        lanes = range(node.lanes)
        return lambda base, stride: np.stack(
            [np.atleast_1d(typed(base + i * stride, type)) for i in lanes]
        )
    if isinstance(node, n.Broadcast):
        count = node.lanes
        return lambda value: np.stack([np.atleast_1d(value)] * count)
    if isinstance(node, n.Neg):
        return operator.neg
    if isinstance(node, n.BitNot):
        return operator.invert
    if isinstance(node, n.Not):
        return np.logical_not
    if isinstance(node, Call) and node.name == "reinterpret":
        return lambda a: _same_bits(a, type)
    if isinstance(node, Call) and node.name in LANE_OPERATIONS:
        return _on_lanes(node)
    if isinstance(node, Call):
        intrinsic = INTRINSICS[node.name].evaluate
        return lambda *args: typed(intrinsic(*args), type)
    raise TypeError(f"cannot evaluate {node}")


def _on_lanes(node: Call) -> Callable[..., Any]:
    """The function that an operation on lanes is, of values whose lanes are the first axis."""
    name, lanes = node.name, node.type.lanes
    vectors = node.args[:1] if name == SHUFFLE else node.args
    order = shuffled_order(node) if name == SHUFFLE else ()

    def run(*args: Any) -> Any:
        last = [
            np.moveaxis(np.asarray(a), 0, -1) if v.type.lanes > 1 else np.atleast_1d(a)[..., None]
            for v, a in zip(vectors, args, strict=False)
        ]
        made = evaluate_lanes(name, lanes, *last, *order)
        return np.moveaxis(made, -1, 0) if lanes > 1 else made[..., 0]

    return run
