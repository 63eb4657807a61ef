"""Numbers that functions are passed, as their code uses them."""

from __future__ import annotations

from dataclasses import replace

from ..ir import I32, Type
from .builder import FunctionBuilder, Value
from .scope import BoundVariable


def from_memory(f: FunctionBuilder, value: Value, type: Type) -> Value:
    """A number as C passes it, as a register holds it."""
    return f.emit("i1", f"trunc {value} to i1") if type.is_bool else value


def widened(f: FunctionBuilder, bound: BoundVariable) -> BoundVariable:
    """The variable with its number in 64 bits, where it may be an index."""
    if bound.type is not I32:
        return bound
    return replace(bound, wide=f.emit("i64", f"sext {bound.value} to i64"))


__all__ = ["from_memory", "widened"]
