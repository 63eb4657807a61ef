"""Look-ups of bytes in a table of 256, in registers where the machine can permute bytes.

    lut[int64(uint8x64 v) + base]    ->    two permutations of 128 table bytes each, one blend

AVX-512 VBMI's `vpermi2b` picks 64 bytes out of 128 by seven bits of the index; the eighth chooses
between the halves. That reads the whole table, so that a test goes before it that the buffer holds
all 256 elements; lanes are looked up one by one where it does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import ir
from ..ir import I32, I64, U8, Broadcast, Cast, Const, Expr, Load
from .addresses import element_address, load_dense
from .builder import Value
from .llvm_types import memory_type

if TYPE_CHECKING:
    from .expressions import Expressions

LANES = 64
TABLE = 256


def split_index(index: Expr) -> tuple[Expr, Expr] | None:
    """(a vector of bytes, a scalar base) whose sum the index is, if it is one."""
    element = index.type.element
    if element not in (I32, I64):
        return None
    if isinstance(index, Cast):
        if index.value.type.element is U8:
            return index.value, Const(element, 0)
        inner = split_index(index.value)
        return None if inner is None else (inner[0], Cast(element, inner[1]))
    if isinstance(index, ir.Add | ir.Sub):
        for vector, scalar in ((index.a, index.b), (index.b, index.a)):
            if not isinstance(scalar, Broadcast):
                continue
            if isinstance(index, ir.Sub) and scalar is not index.b:
                continue
            inner = split_index(vector)
            if inner is not None:
                return inner[0], type(index)(inner[1], scalar.value)
    return None


def look_up(at: Expressions, node: Load) -> Value | None:
    """The bytes that `node` reads, or None where it is no look-up by bytes."""
    parts = split_index(node.indices[0])
    if parts is None or node.type.bits != 8 or at.load_mask(node.type.lanes) is not None:
        return None
    f, lanes = at.function, node.type.lanes
    vector, base = at.value(parts[0]), at.index(parts[1])
    size = at.scope.sizes.get(node.array)
    if not at.permutes_bytes or size is None or lanes % LANES:
        return _one_by_one(at, node, vector, base)
    reaches = f.emit("i64", f"add {base}, {TABLE}")
    inside = f.emit("i1", f"icmp sle {reaches}, {size.text}")
    positive = f.emit("i1", f"icmp sge {base}, 0")
    whole = f.emit("i1", f"and {inside}, {positive.text}")
    fast, slow, after = f.label("table"), f.label("lanes"), f.label("looked")
    f.branch(whole, fast, slow, likely=True)
    f.start(fast)
    permuted = _permuted(at, node, vector, base)
    from_fast = f.block
    f.jump(after)
    f.start(slow)
    single = _one_by_one(at, node, vector, base)
    from_slow = f.block
    f.start(after)
    type = memory_type(node.type)
    return f.emit(
        type, f"phi {type} [ {permuted.text}, %{from_fast} ], [ {single.text}, %{from_slow} ]"
    )


def _permuted(at: Expressions, node: Load, vector: Value, base: Value) -> Value:
    f = at.function
    bytes64 = f"<{LANES} x i8>"
    address = element_address(at, node.array, node.type, base)
    quarters = []
    for quarter in range(TABLE // LANES):
        place = f.emit("ptr", f"getelementptr i8, {address}, i64 {quarter * LANES}")
        quarters.append(load_dense(f, place, U8, LANES))
    name = "llvm.x86.avx512.vpermi2var.qi.512"
    permute = f.module.declare(name, bytes64, ", ".join([bytes64] * 3))
    parts = []
    for start in range(0, node.type.lanes, LANES):
        lanes = ", ".join(f"i32 {start + lane}" for lane in range(LANES))
        index = f.emit(
            bytes64,
            f"shufflevector {vector}, {vector.type} poison, <{LANES} x i32> <{lanes}>",
        )
        low = f.call(bytes64, permute, [quarters[0], index, quarters[1]])
        high = f.call(bytes64, permute, [quarters[2], index, quarters[3]])
        upper = f.emit(f"<{LANES} x i1>", f"icmp slt {index}, zeroinitializer")
        parts.append(f.emit(bytes64, f"select {upper}, {high}, {low}"))
    return _joined(at, parts)


def _joined(at: Expressions, parts: list[Value]) -> Value:
    result, lanes = parts[0], LANES
    for part in parts[1:]:
        order = ", ".join(f"i32 {lane}" for lane in range(lanes + LANES))
        wide = result
        if lanes > LANES:
            padding = ", ".join(
                f"i32 {lane}" if lane < LANES else "i32 poison" for lane in range(lanes)
            )
            part = at.function.emit(
                f"<{lanes} x i8>",
                f"shufflevector {part}, <{LANES} x i8> poison, <{lanes} x i32> <{padding}>",
            )
        total = lanes + LANES
        result = at.function.emit(
            f"<{total} x i8>", f"shufflevector {wide}, {part}, <{total} x i32> <{order}>"
        )
        lanes = total
    return result


def _one_by_one(at: Expressions, node: Load, vector: Value, base: Value) -> Value:
    """Each lane's byte picks its element; narrower to take apart than a vector of addresses."""
    f, type = at.function, memory_type(node.type)
    address = element_address(at, node.array, node.type, base)
    result = Value(type, "poison")
    for lane in range(node.type.lanes):
        byte = f.emit("i8", f"extractelement {vector}, i32 {lane}")
        index = f.emit("i64", f"zext {byte} to i64")
        place = f.emit("ptr", f"getelementptr i8, {address}, {index}")
        one = f.emit("i8", f"load i8, {place}")
        result = f.emit(type, f"insertelement {result}, {one}, i32 {lane}")
    return result
