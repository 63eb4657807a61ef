"""Operations on the lanes of vectors: horizontal reductions, concatenation, shuffles.

They are `Call`s of kind `intrinsic` whose result type depends on more than the operands' types, so
that they stand here and not in the table of elementwise intrinsics:

    reduce_add(v) : T x n       v : T x (k*n); also reduce_mul, _min, _max, _and, _or
    concat_lanes(a, b, ...) : T x (lanes of a + lanes of b + ...)
    shuffle_lanes(v, i0, i1, ...) : T x m       lane j is lane i_j of v; the i_j are int32 constants
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .nodes import (
    Add,
    Binary,
    BitAnd,
    BitOr,
    Broadcast,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Ramp,
    Select,
    Unary,
    postorder,
)
from .operators import OPERATORS
from .types import I32

Reduction = Literal["add", "mul", "min", "max", "and", "or"]

REDUCTIONS: dict[str, Reduction] = {
    "reduce_add": "add",
    "reduce_mul": "mul",
    "reduce_min": "min",
    "reduce_max": "max",
    "reduce_and": "and",
    "reduce_or": "or",
}
REDUCED_BY: dict[str, type[Binary]] = {
    "add": Add, "mul": Mul, "min": Min, "max": Max, "and": BitAnd, "or": BitOr,
}  # fmt: skip
"""The operator that combines lanes; booleans by the bitwise ones, which look at both."""
CONCAT, SHUFFLE = "concat_lanes", "shuffle_lanes"
LANE_OPERATIONS = frozenset([*REDUCTIONS, CONCAT, SHUFFLE])


def reduce_lanes(operation: Reduction, value: Expr, lanes: int = 1) -> Expr:
    """`value`, of k * `lanes` lanes, reduced to `lanes`: lane i is made of the k lanes from i*k on.

    `add` and `mul` wrap for integers; `min` and `max` are those of the nodes `Min` and `Max`; `and`
    and `or` take booleans or integers (bitwise). The result has the type of `value`, so that a sum
    of bytes in 32 bits is the reduction of their casts. Integers have one result. Floats are
    combined by halves: while k is even each group's first half with its second one, lane by lane;
    what is left of an odd k from left to right. Raises `TypeError` where `lanes` doesn't divide.
    """
    type = value.type
    if lanes < 1 or type.lanes % lanes:
        raise TypeError(f"{type} has no {lanes} groups of equal size")
    bitwise = operation in ("and", "or")
    if (bitwise and not (type.is_integer or type.is_bool)) or (type.is_bool and not bitwise):
        raise TypeError(f"no reduction by {operation} of {type}")
    if type.lanes == lanes:
        return value
    return Call(f"reduce_{operation}", (value,), type.with_lanes(lanes), "intrinsic")


def concat_lanes(*values: Expr) -> Expr:
    """The lanes of all `values`, which have one element type, one after the other."""
    first = values[0].type
    if any(v.type.element is not first.element for v in values):
        raise TypeError(f"lanes of {', '.join(str(v.type) for v in values)} in one vector")
    if len(values) == 1:
        return values[0]
    lanes = sum(v.type.lanes for v in values)
    return Call(CONCAT, values, first.with_lanes(lanes), "intrinsic")


def shuffle_lanes(value: Expr, order: Sequence[int]) -> Expr:
    """Lane j of the result is lane `order[j]` of `value`; a single one gives a scalar."""
    if not order or not all(0 <= lane < value.type.lanes for lane in order):
        raise TypeError(f"lanes {list(order)} of {value.type}")
    if list(order) == list(range(value.type.lanes)):
        return value
    picked = (Const(I32, lane) for lane in order)
    return Call(SHUFFLE, (value, *picked), value.type.with_lanes(len(order)), "intrinsic")


def value_in_lane(expr: Expr, lane: Expr) -> Expr | None:
    """What a vector has in lane number `lane` (int32); None where lanes have to do with each other,
    or some of a load are left out."""
    found: dict[Expr, Expr] = {}
    for node in postorder(expr):
        made = _in_lane(node, [found[c] for c in node.children], lane)
        if made is None:
            return None
        found[node] = made
    return found[expr]


def _in_lane(node: Expr, children: Sequence[Expr], lane: Expr) -> Expr | None:
    type = node.type.element
    match node:
        case Ramp():
            return Add(children[0], Mul(Cast(type, lane), children[1]))
        case Broadcast():
            return children[0]
        case _ if node.type.lanes == 1:
            # Also what is made of lanes, a sum of them for instance, which a lane can't tell.
            return node if tuple(children) == node.children else None
        case Cast():
            return Cast(type, children[0])
        case Load(predicate=None):
            return Load(node.array, tuple(children), type)
        case Call() if node.kind == "intrinsic" and node.name not in LANE_OPERATIONS:
            return Call(node.name, tuple(children), type, node.kind)
        case Unary() | Binary() | Select():
            return node.rebuild(tuple(children))
        case _:
            return None


def shuffled_order(node: Call) -> list[int]:
    """The lanes that a `shuffle_lanes` picks."""
    return [int(arg.value) for arg in node.args[1:] if isinstance(arg, Const)]


def evaluate_lanes(name: str, lanes: int, *args: Any) -> Any:
    """The meaning on arrays whose last axis is the lanes: `lanes` is the result's number of them.

    Shapes: (..., k*lanes) to (..., lanes) for reductions.
    """
    if name == CONCAT:
        return np.concatenate(args, axis=-1)
    if name == SHUFFLE:
        return args[0][..., [int(lane) for lane in args[1:]]]
    combine = OPERATORS[REDUCED_BY[REDUCTIONS[name]]].on_arrays
    value = args[0].reshape(*args[0].shape[:-1], lanes, -1)
    with np.errstate(all="ignore"):
        while value.shape[-1] % 2 == 0:
            half = value.shape[-1] // 2
            value = combine(value[..., :half], value[..., half:])
        result = value[..., 0]
        for rest in range(1, value.shape[-1]):
            result = combine(result, value[..., rest])
    return result.astype(args[0].dtype)
