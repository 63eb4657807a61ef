"""Loads along a row whose ends are repeated: what images with clamped coordinates read at borders.

    a[clamp(x + [0, 1, ..., 63], 0, w - 1)]    ->    v = a[first], a[first + 1], ..., a[last]
                                                     v[clamp([0, 1, ..., 63] - s, 0, last - first)]

first and last are the places of the first and the last lane, s is how many lanes the lower limit
moves. Between them lie no more elements than there are lanes: one load under a mask reads them, so
that nothing is read that no lane names, and one permutation puts them into their lanes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import ir
from ..ir import I32, I64, Add, Broadcast, Const, Expr, Load, Ramp
from .addresses import element_address, shuffle
from .affine import as_ramp, constant_stride
from .builder import FunctionBuilder, Value, splatted
from .lanes import concatenated
from .llvm_types import memory_type, splat
from .scattered import split_index

if TYPE_CHECKING:
    from .expressions import Expressions

REGISTER = 64
"""Bytes that one instruction permutes."""
_PERMUTATIONS = {8: "qi", 16: "hi", 32: "si", 64: "di"}


def load_clamped(at: Expressions, node: Load) -> Value | None:
    """The elements of `node` as in memory, or None where they are not in such a row."""
    target = at.function.module.target
    width = 8 * node.type.bytes
    able = target.permutes_bytes if width == 8 else target.masks_lanes
    if not able or width not in _PERMUTATIONS:
        return None
    vector, shared = split_index(node.indices[0])
    ramp = _clamped_ramp(vector)
    if ramp is None:
        return None
    most = REGISTER * 8 // width
    parts = []
    for start in range(0, node.type.lanes, most):
        lanes = min(most, node.type.lanes - start)
        parts.append((_part(at, node, vector, ramp, shared, start, lanes), lanes))
    return concatenated(at.function, parts)


def _part(
    at: Expressions, node: Load, vector: Expr, ramp: Ramp, shared: Expr | None, start: int,
    lanes: int,
) -> Value:  # fmt: skip
    """`lanes` lanes from `start` on."""
    f, bits = at.function, 8 * node.type.bytes
    count = REGISTER * 8 // bits
    begin = Add(ramp.base, Const(ramp.base.type, start)) if start else ramp.base
    end = Add(ramp.base, Const(ramp.base.type, start + lanes - 1))
    first, last = at.index(_at_place(vector, ramp, begin)), at.index(_at_place(vector, ramp, end))
    reach = _splat(f, f.emit("i64", f"sub {last}, {first.text}"), bits, count)
    moved = f.emit("i64", f"sub {first}, {at.index(begin).text}")
    limited = _limited(f, moved, lanes)
    element = f"i{bits}"
    steps = Value(reach.type, "<" + ", ".join(f"{element} {n}" for n in range(count)) + ">")
    place = first if shared is None else f.emit("i64", f"add nsw {first}, {at.index(shared).text}")
    address = element_address(at, node.array, node.type, place)
    named = f.emit(f"<{count} x i1>", f"icmp ule {steps}, {reach.text}")
    row = _row(f, node, address, named, count)
    lane = f.emit(steps.type, f"sub {steps}, {_splat(f, limited, bits, count).text}")
    for name, limit in (("smax", splat(element, "0", count)), ("smin", reach.text)):
        callee = f.module.declare(
            f"llvm.{name}.v{count}{element}", lane.type, f"{lane.type}, {lane.type}"
        )
        lane = f.call(lane.type, callee, [lane, Value(lane.type, limit)])
    permute = f.module.declare(
        f"llvm.x86.avx512.permvar.{_PERMUTATIONS[bits]}.512", lane.type, f"{lane.type}, {lane.type}"
    )
    picked = f.call(lane.type, permute, [row, lane])
    memory = memory_type(node.type.element)
    if memory != element:
        picked = f.emit(f"<{count} x {memory}>", f"bitcast {picked} to <{count} x {memory}>")
    return picked if lanes == count else shuffle(f, picked, None, list(range(lanes)))


def _row(f: FunctionBuilder, node: Load, address: Value, named: Value, count: int) -> Value:
    """The elements from `address` on where `named` is on, as integers."""
    element = f"i{8 * node.type.bytes}"
    row = f"<{count} x {element}>"
    callee = f.module.declare(
        f"llvm.masked.load.v{count}{element}.p0", row, f"ptr, {named.type}, {row}"
    )
    pointer = f"ptr align {node.type.bytes} {address.text}"
    tag = f.module.memory_tag(node.array)
    return f.emit(row, f"call {row} {callee}({pointer}, {named}, {row} zeroinitializer){tag}")


def _limited(f: FunctionBuilder, value: Value, most: int) -> Value:
    """`value`, an i64, or the nearest number of 0 to `most`."""
    for name, limit in (("smax", 0), ("smin", most)):
        callee = f.module.declare(f"llvm.{name}.i64", "i64", "i64, i64")
        value = f.call("i64", callee, [value, Value("i64", str(limit))])
    return value


def _splat(f: FunctionBuilder, value: Value, bits: int, count: int) -> Value:
    """The i64 `value` in each lane, as narrow as `bits`."""
    if bits < 64:
        value = f.emit(f"i{bits}", f"trunc {value} to i{bits}")
    return splatted(f, value, count)


def _clamped_ramp(vector: Expr) -> Ramp | None:
    """The ramp of step 1 inside of minima and maxima with what the lanes share."""
    if vector.type.element not in (I32, I64) or not isinstance(vector, ir.Min | ir.Max):
        return None
    while isinstance(vector, ir.Min | ir.Max):
        if isinstance(vector.b, Broadcast):
            vector = vector.a
        elif isinstance(vector.a, Broadcast):
            vector = vector.b
        else:
            return None
    ramp = as_ramp(vector)
    return ramp if ramp is not None and constant_stride(ramp) == 1 else None


def _at_place(vector: Expr, ramp: Ramp, place: Expr) -> Expr:
    """What the minima and maxima of `vector` make of the scalar `place`."""
    if not isinstance(vector, ir.Min | ir.Max):
        return place
    if isinstance(vector.b, Broadcast):
        return type(vector)(_at_place(vector.a, ramp, place), vector.b.value)
    assert isinstance(vector.a, Broadcast)
    return type(vector)(_at_place(vector.b, ramp, place), vector.a.value)
