"""Machine code of the operations on lanes of `compiler/ir/lanes.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import ir
from ..ir import REDUCTIONS, Call, Const, Type
from ..ir.lanes import CONCAT, REDUCED_BY, SHUFFLE, shuffled_order
from .addresses import shuffle
from .builder import FunctionBuilder, Value
from .conversions import convert
from .llvm_types import element_type
from .operators import BINARY

if TYPE_CHECKING:
    from .expressions import Expressions

_UNUSED = Const(ir.I32, 0)


def operation_on_lanes(at: Expressions, node: Call) -> Value:
    """The value of a reduction, a concatenation or a shuffle."""
    f = at.function
    if node.name == CONCAT:
        return concatenated(f, [(at.value(arg), arg.type.lanes) for arg in node.args])
    value, type = at.value(node.args[0]), node.args[0].type
    if node.name == SHUFFLE:
        return picked(f, value, type, shuffled_order(node))
    return reduced(f, REDUCTIONS[node.name], value, type, node.type.lanes)


def reduced(f: FunctionBuilder, operation: str, value: Value, type: Type, lanes: int) -> Value:
    """`value` of `type` with each group of `type.lanes / lanes` lanes combined into one."""
    translate = BINARY[REDUCED_BY[operation]]

    def combine(a: Value, b: Value, count: int) -> Value:
        own = type.with_lanes(count)
        if type.code != "bfloat":
            return translate(f, own, a, b, _UNUSED)
        single = ir.F32.with_lanes(count)
        x, y = (convert(f, side, own, single) for side in (a, b))
        return convert(f, translate(f, single, x, y, _UNUSED), single, own)

    size = type.lanes // lanes
    while size % 2 == 0:
        half = size // 2
        low, high = (
            picked(f, value, type, [g * size + s + n for g in range(lanes) for n in range(half)])
            for s in (0, half)
        )
        size, type = half, type.with_lanes(lanes * half)
        value = combine(low, high, type.lanes)
    if size == 1:
        return value
    parts = [picked(f, value, type, [g * size + n for g in range(lanes)]) for n in range(size)]
    result = parts[0]
    for part in parts[1:]:
        result = combine(result, part, lanes)
    return result


def picked(f: FunctionBuilder, value: Value, type: Type, order: Sequence[int]) -> Value:
    """The lanes `order` of `value`; a single one as a scalar."""
    if type.lanes == 1:
        return value
    if len(order) == 1:
        return f.emit(element_type(type), f"extractelement {value}, i32 {order[0]}")
    return shuffle(f, value, None, list(order))


def concatenated(f: FunctionBuilder, parts: Sequence[tuple[Value, int]]) -> Value:
    """Vectors or scalars with their number of lanes, one after the other, in one vector."""
    pieces = list(parts)
    while len(pieces) > 1:
        joined = [_pair(f, *pieces[n : n + 2]) for n in range(0, len(pieces) - 1, 2)]
        pieces = joined + pieces[len(pieces) - len(pieces) % 2 :]
    return pieces[0][0]


def _pair(f: FunctionBuilder, a: tuple[Value, int], b: tuple[Value, int]) -> tuple[Value, int]:
    (first, m), (second, n) = (_as_vector(f, *side) for side in (a, b))
    if m != n:
        longer = max(m, n)
        first = _extended(f, first, m, longer)
        second = _extended(f, second, n, longer)
        order = [*range(m), *range(longer, longer + n)]
    else:
        order = list(range(m + n))
    return shuffle(f, first, second, order), m + n


def _extended(f: FunctionBuilder, value: Value, lanes: int, wanted: int) -> Value:
    if lanes == wanted:
        return value
    return shuffle(f, value, None, [n if n < lanes else -1 for n in range(wanted)])


def _as_vector(f: FunctionBuilder, value: Value, lanes: int) -> tuple[Value, int]:
    if lanes > 1 or value.type.startswith("<"):
        return value, lanes
    vector = f"<1 x {value.type}>"
    return f.emit(vector, f"insertelement {vector} poison, {value}, i32 0"), 1
