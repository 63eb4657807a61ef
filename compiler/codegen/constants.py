"""Constant buffers as part of the code: a `halide_buffer_t`, its dimensions and its contents."""

from __future__ import annotations

from ..ir import Type
from ..ir.stmts import ConstantBuffer
from .buffers import type_word
from .builder import ModuleBuilder, Value, escaped

_RECORD = "{ i64, ptr, ptr, i64, i32, i32, ptr, ptr }"
_DIMENSION = "{ i32, i32, i32, i32 }"


def constant_buffer(module: ModuleBuilder, constant: ConstantBuffer, type: Type) -> Value:
    """The address of a new `halide_buffer_t` with elements of `type`, which is never written."""
    name = f"{module.name}.constant.{module.fresh()}"
    size = len(constant.content)
    data, dims, record = f'@"{name}.data"', f'@"{name}.dim"', f'@"{name}"'
    module.add_global(
        f'{data} = private constant [{size} x i8] c"{escaped(constant.content)}", align 64'
    )
    shape = zip(constant.mins, constant.extents, constant.strides, strict=True)
    parts = ", ".join(
        f"{_DIMENSION} {{ i32 {low}, i32 {extent}, i32 {stride}, i32 0 }}"
        for low, extent, stride in shape
    )
    count = len(constant.mins)
    module.add_global(f"{dims} = private constant [{count} x {_DIMENSION}] [{parts}], align 8")
    host = f"ptr getelementptr (i8, ptr {data}, i64 {constant.origin})"
    fields = (
        f"i64 0, ptr null, {host}, i64 0, i32 {type_word(type)}, i32 {count}, ptr {dims}, ptr null"
    )
    module.add_global(f"{record} = private constant {_RECORD} {{ {fields} }}, align 8")
    return Value("ptr", record)
