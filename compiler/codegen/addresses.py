"""Addresses of elements, dense reads, and the order of lanes: what loads and stores are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import Type
from .builder import FunctionBuilder, Value
from .errors import CodegenError
from .llvm_types import memory_type

if TYPE_CHECKING:
    from .expressions import Expressions


def element_address(at: Expressions, array: str, type: Type, index: Value) -> Value:
    """The address of element `index` (i64, or a vector of integers) of the buffer `array`."""
    base = at.scope.buffers.get(array)
    if base is None:
        raise CodegenError(f"buffer {array} does not exist here")
    return at.function.element(memory_type(type.element), base, index)


def load_dense(f: FunctionBuilder, array: str, address: Value, type: Type, lanes: int) -> Value:
    """`lanes` elements of `array` in a row, as they are in memory."""
    memory = memory_type(type.with_lanes(lanes))
    return f.emit(
        memory, f"load {memory}, {address}, align {type.bytes}{f.module.memory_tag(array)}"
    )


def shuffle(f: FunctionBuilder, a: Value, b: Value | None, lanes: list[int]) -> Value:
    """The lanes of `a` followed by `b`, in the order `lanes`; -1 leaves a lane open."""
    element = a.type.rpartition(" x ")[2][:-1]
    mask = ", ".join("i32 poison" if lane < 0 else f"i32 {lane}" for lane in lanes)
    second = b if b is not None else Value(a.type, "poison")
    return f.emit(
        f"<{len(lanes)} x {element}>", f"shufflevector {a}, {second}, <{len(lanes)} x i32> <{mask}>"
    )
