"""Concrete memory and values for the interpreter of Kernel IR.

A value is a Python `int` (integers), `bool` (booleans), a numpy float scalar (floats), or `POISON`:
what an undefined operation gives. Arithmetic on poison is poison.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

import numpy as np

from compiler.ir import Type


class _Poison:
    __slots__ = ()

    def __repr__(self) -> str:
        return "poison"


POISON: Final = _Poison()

Value: TypeAlias = Any
"""int, bool, numpy float scalar or `POISON`: numpy's scalars have no useful common static type."""

Index: TypeAlias = tuple[int, ...]
Fill: TypeAlias = Callable[[Index], "int | float"]

_FLOATS: Final[dict[int, Any]] = {16: np.float16, 32: np.float32, 64: np.float64}


def typed(type: Type, value: Value) -> Value:
    """`value` as the interpreter keeps a value of `type`.

    Raises `TypeError` for an integer out of the type's range and for types without numbers here.
    """
    if value is POISON:
        return value
    if type.is_bool:
        return bool(value)
    if type.is_integer:
        value = int(value)
        if not type.contains(value):
            raise TypeError(f"{value} is not a value of {type}")
        return value
    if type.code == "bfloat":
        raise TypeError("the interpreter has no bfloat16")
    return _FLOATS[type.bits](value)


class Memory:
    """One array: cells by index tuple, and which of them were read and written.

    A cell that was never touched has the value `fill(index)`; without `fill` it is uninitialised.
    `size` is the element count where it is known (flat arrays only): an index outside of
    [0, size) is out of range. Without it every index exists, negative ones too, and `read_set` and
    `written` say afterwards how much memory the run needed.
    """

    __slots__ = ("cells", "fill", "read_set", "size", "type", "written")

    def __init__(
        self,
        type: Type,
        fill: Fill | None = None,
        size: int | None = None,
        cells: dict[Index, Value] | None = None,
    ) -> None:
        self.type = type
        self.fill = fill
        self.size = size
        self.cells = {} if cells is None else {i: typed(type, v) for i, v in cells.items()}
        self.read_set: set[Index] = set()
        self.written: set[Index] = set()

    @classmethod
    def of(cls, type: Type, values: Iterable[int | float]) -> Memory:
        """A flat array that holds exactly `values`."""
        cells: dict[Index, Value] = {(i,): v for i, v in enumerate(values)}
        return cls(type, size=len(cells), cells=cells)

    def has(self, index: Index) -> bool:
        """Whether the cell exists."""
        return self.size is None or 0 <= index[0] < self.size

    def peek(self, index: Index) -> Value | None:
        """The cell's value without noting a read; None when it is uninitialised."""
        found = self.cells.get(index)
        if found is None and self.fill is not None:
            found = typed(self.type, self.fill(index))
            self.cells[index] = found
        return found

    def read(self, index: Index) -> Value | None:
        """The cell's value, noted as a read; None when it is uninitialised."""
        self.read_set.add(index)
        return self.peek(index)

    def write(self, index: Index, value: Value) -> None:
        self.written.add(index)
        self.cells[index] = value

    def touched(self) -> set[Index]:
        return self.read_set | self.written

    def copy(self) -> Memory:
        """Another memory with the same contents, nothing noted as read or written."""
        made = Memory(self.type, self.fill, self.size)
        made.cells = dict(self.cells)
        return made
