"""Loads and stores of elements that do not lie in a row: one address for each lane.

Elements at a step that is no small constant are read and written one by one, which is as fast as
the machine's gather and needs no vector of addresses. Any other index is a number that the lanes
share plus a vector, as narrow as it is: machines gather by 32-bit offsets twice as fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import ir
from ..ir import I32, I64, Broadcast, Cast, Const, Expr, Load, Ramp, Type
from ..ir.stmts import Store
from .addresses import element_address, load_dense
from .affine import as_ramp
from .builder import Value, i64, pointer_suffix
from .lanes import concatenated
from .llvm_types import memory_type

if TYPE_CHECKING:
    from .expressions import Expressions

PART = 16
"""Bytes of a register in which single lanes are put together; wider ones move as a whole."""


def gather(at: Expressions, node: Load, mask: Value | None) -> Value:
    """The elements of `node` as they are in memory; zero where the mask is off."""
    f, type, index = at.function, node.type, node.indices[0]
    ramp = as_ramp(index) if mask is None else None
    if ramp is not None:
        return _load_each(at, node, ramp)
    addresses = _lane_addresses(at, node.array, type, index)
    memory = memory_type(type)
    callee = f.module.declare(
        f"llvm.masked.gather.{memory_suffix(type)}.{pointer_suffix(addresses)}",
        memory,
        f"{addresses.type}, <{type.lanes} x i1>, {memory}",
    )
    pointers = f"{addresses.type} align {type.bytes} {addresses.text}"
    operands = f"{pointers}, {_lanes_on(type, mask)}, {memory} zeroinitializer"
    tag = f.module.memory_tag(node.array)
    return f.emit(memory, f"call {memory} {callee}({operands}){tag}")


def scatter(at: Expressions, node: Store, value: Value, mask: Value | None) -> None:
    """Writes `value`, as it is to be in memory, where the mask is on; the last lane wins."""
    f, type = at.function, node.value.type
    ramp = as_ramp(node.index) if mask is None else None
    if ramp is not None:
        _store_each(at, node, ramp, value)
        return
    addresses = _lane_addresses(at, node.buffer, type, node.index)
    callee = f.module.declare(
        f"llvm.masked.scatter.{memory_suffix(type)}.{pointer_suffix(addresses)}",
        "void",
        f"{value.type}, {addresses.type}, <{type.lanes} x i1>",
    )
    pointers = f"{addresses.type} align {type.bytes} {addresses.text}"
    tag = f.module.memory_tag(node.buffer)
    f.do(f"call void {callee}({value}, {pointers}, {_lanes_on(type, mask)}){tag}")


def memory_suffix(type: Type) -> str:
    """The part of a memory intrinsic's name that tells the vector in memory."""
    element = memory_type(type.element)
    names = {"half": "f16", "float": "f32", "double": "f64"}
    return f"v{type.lanes}{names.get(element, element)}"


def _lanes_on(type: Type, mask: Value | None) -> str:
    return str(mask) if mask is not None else f"<{type.lanes} x i1> splat (i1 true)"


def _each_address(at: Expressions, array: str, type: Type, ramp: Ramp) -> list[Value]:
    f, element = at.function, memory_type(type.element)
    first = element_address(at, array, type, at.place(ramp.base))
    stride = at.index(ramp.stride)
    places = [first]
    for lane in range(1, type.lanes):
        if isinstance(ramp.stride, Const):
            offset = i64(lane * int(ramp.stride.value))
        else:
            offset = f.emit("i64", f"mul nsw {stride}, {lane}")
        places.append(f.element(element, first, offset))
    return places


def _load_each(at: Expressions, node: Load, ramp: Ramp) -> Value:
    f, type = at.function, node.type
    single = type.element
    memory = memory_type(single)
    places = _each_address(at, node.array, type, ramp)
    width = max(PART // type.bytes, 1)
    parts = []
    for start in range(0, type.lanes, width):
        group = places[start : start + width]
        part = Value(f"<{len(group)} x {memory}>", "poison")
        for lane, place in enumerate(group):
            one = load_dense(f, node.array, place, single, 1)
            part = f.emit(part.type, f"insertelement {part}, {one}, i32 {lane}")
        parts.append((part, len(group)))
    return concatenated(f, parts)


def _store_each(at: Expressions, node: Store, ramp: Ramp, value: Value) -> None:
    f, type = at.function, node.value.type
    memory, tag = memory_type(type.element), f.module.memory_tag(node.buffer)
    for lane, place in enumerate(_each_address(at, node.buffer, type, ramp)):
        one = f.emit(memory, f"extractelement {value}, i32 {lane}")
        f.do(f"store {one}, {place}, align {type.bytes}{tag}")


def _lane_addresses(at: Expressions, array: str, type: Type, index: Expr) -> Value:
    """The address of each lane; the vector of offsets is extended as its type says."""
    f = at.function
    vector, scalar = split_index(index)
    offsets = at.value(vector)
    if vector.type.bits < 64:
        wide = f"<{vector.type.lanes} x i64>"
        sign = "sext" if vector.type.is_int else "zext"
        offsets = f.emit(wide, f"{sign} {offsets} to {wide}")
    if scalar is None:
        return element_address(at, array, type, offsets)
    base = element_address(at, array, type, at.index(scalar))
    return f.element(memory_type(type.element), base, offsets)


def split_index(index: Expr) -> tuple[Expr, Expr | None]:
    """(vector, scalar or None) whose sum the index is: what the lanes share is the scalar.

    Only on types as wide as an index: narrower and unsigned ones may wrap on the way.
    """
    element = index.type.element
    if element not in (I32, I64):
        return index, None
    if isinstance(index, Cast) and index.type.element is I64:
        inner = index.value
        if inner.type.element is I32:
            vector, scalar = split_index(inner)
            return vector, None if scalar is None else Cast(I64, scalar)
        return (inner, None) if inner.type.is_integer and inner.type.bits < 64 else (index, None)
    if isinstance(index, Ramp):
        zero = Const(element, 0)
        if index.base is zero:
            return index, None
        return Ramp(zero, index.stride, index.lanes), index.base
    if isinstance(index, ir.Add | ir.Sub):
        for vector, shared in ((index.a, index.b), (index.b, index.a)):
            if not isinstance(shared, Broadcast) or (
                isinstance(index, ir.Sub) and shared is index.a
            ):
                continue
            inside, scalar = split_index(vector)
            if scalar is None:
                scalar = Const(element, 0)
            return inside, type(index)(scalar, shared.value)
    return index, None
