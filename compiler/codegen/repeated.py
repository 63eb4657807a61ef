"""Loads whose lanes repeat elements in a row: images that are read at half their resolution.

    a[(x + [0, 1, ..., 15]) / 2]    ->    where x is even: v[0], v[0], v[1], v[1], ...
                                          where x is odd:  v[0], v[1], v[1], ..., w[7]

v is the dense vector from the first element on, w the one that ends with the last element: eight
elements each, of which they share seven or all. So nothing is read that the lanes don't name, and
the order of the lanes depends on the remainder of x alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import ir
from ..ir import I32, Expr, Load, const
from .addresses import element_address, load_dense, shuffle
from .affine import as_ramp, constant_stride
from .builder import Value
from .operators import constant_in
from .scattered import split_index

if TYPE_CHECKING:
    from .expressions import Expressions

MAX_TIMES = 4


def load_repeated(at: Expressions, node: Load) -> Value | None:
    """The elements of `node` as in memory, or None where its lanes are not such a row."""
    vector, scalar = split_index(node.indices[0])
    found = _divided_ramp(vector)
    if found is None:
        return None
    start, times = found
    f, type, lanes = at.function, node.type, node.type.lanes
    divisor = const(times)
    first = at.index(ir.Div(start, divisor))
    if scalar is not None:
        first = f.emit("i64", f"add nsw {first}, {at.index(scalar).text}")
    count = (lanes - 1) // times + 1
    remainder = at.value(ir.Mod(start, divisor))
    # How far the last element of all lies from the last one of the first vector: 0 or 1.
    ahead = [(rest + lanes - 1) // times + 1 - count for rest in range(times)]
    turn = next((rest for rest in range(times) if ahead[rest]), times)
    late = f.emit("i1", f"icmp sge {remainder}, {turn}")
    moved = f.emit("i64", f"zext {late} to i64")
    begin = element_address(at, node.array, type, first)
    end = element_address(at, node.array, type, f.emit("i64", f"add nsw {first}, {moved.text}"))
    low = load_dense(f, node.array, begin, type.element, count)
    high = load_dense(f, node.array, end, type.element, count)
    result: Value | None = None
    for rest in range(times):
        order = []
        for lane in range(lanes):
            element = (rest + lane) // times
            order.append(element if element < count else count + element - ahead[rest])
        made = shuffle(f, low, high, order)
        if result is None:
            result = made
        else:
            reached = f.emit("i1", f"icmp sge {remainder}, {rest}")
            result = f.emit(made.type, f"select {reached}, {made}, {result}")
    return result


def _divided_ramp(vector: Expr) -> tuple[Expr, int] | None:
    """(x, k) for the vector (x + [0, 1, ...]) / k."""
    if not isinstance(vector, ir.Div) or vector.type.element is not I32:
        return None
    times = constant_in(vector.b)
    ramp = as_ramp(vector.a)
    if times is None or ramp is None or not 2 <= times <= MAX_TIMES:
        return None
    if constant_stride(ramp) != 1 or vector.type.lanes < 2 * times:
        return None
    return ramp.base, times
