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
from .addresses import element_address, load_dense, shuffle
from .builder import FunctionBuilder, Value
from .llvm_types import memory_type

if TYPE_CHECKING:
    from .expressions import Expressions

LANES = 64
TABLE = 256
PART = 16


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
        quarters.append(load_dense(f, node.array, place, U8, LANES))
    name = "llvm.x86.avx512.vpermi2var.qi.512"
    permute = f.module.declare(name, bytes64, ", ".join([bytes64] * 3))
    parts = []
    for start in range(0, node.type.lanes, LANES):
        index = shuffle(f, vector, None, list(range(start, start + LANES)))
        low = f.call(bytes64, permute, [quarters[0], index, quarters[1]])
        high = f.call(bytes64, permute, [quarters[2], index, quarters[3]])
        upper = f.emit(f"<{LANES} x i1>", f"icmp slt {index}, zeroinitializer")
        parts.append(f.emit(bytes64, f"select {upper}, {high}, {low}"))
    return joined(f, parts, LANES)


def joined(f: FunctionBuilder, parts: list[Value], lanes: int) -> Value:
    """Vectors of `lanes` bytes each, one after the other, in one."""
    result, total = parts[0], lanes
    for part in parts[1:]:
        if total > lanes:
            part = shuffle(f, part, None, [n if n < lanes else -1 for n in range(total)])
        result = shuffle(f, result, part, list(range(total + lanes)))
        total += lanes
    return result


def _one_by_one(at: Expressions, node: Load, vector: Value, base: Value) -> Value:
    """Each lane's byte picks its element.

    The indices go through the stack, from where a byte costs one load; the access is volatile, or
    else LLVM would take lanes out of the vector, which costs two. Results are put into registers of
    16 bytes, since inserting into a wider one moves all of it.
    """
    f, lanes = at.function, node.type.lanes
    address = element_address(at, node.array, node.type, base)
    indices = f.alloca(vector.type, align=64)
    f.do(f"store volatile {vector}, {indices}, align 1")
    width = PART if lanes % PART == 0 else lanes
    parts = []
    for start in range(0, lanes, width):
        part = Value(f"<{width} x i8>", "poison")
        for lane in range(width):
            place = f.emit("ptr", f"getelementptr i8, {indices}, i64 {start + lane}")
            byte = f.emit("i8", f"load volatile i8, {place}")
            index = f.emit("i64", f"zext {byte} to i64")
            element = f.emit("ptr", f"getelementptr i8, {address}, {index}")
            one = f.emit("i8", f"load i8, {element}{f.module.memory_tag(node.array)}")
            part = f.emit(part.type, f"insertelement {part}, {one}, i32 {lane}")
        parts.append(part)
    return joined(f, parts, width)
