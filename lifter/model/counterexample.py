"""Counterexamples as plain data: a small input on which an original and a candidate differ.

`Record.counterexample_data` keeps one as JSON; `lift explain`, `lift verify` and the page of
`lift report` show it. Arrays are small tables over an image's coordinates. This file knows nothing
of proofs: `lifter/lift/tabulate.py` makes the data.
"""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

Number = int | float
Cell = Number | None
"""None: the array has no such element, or nothing is known of it."""

SHOWN_CELLS = 8
"""Rows and columns of a table that are shown, around the difference."""

_FLOAT_FORMATS = {"float16": "<e", "float32": "<f", "float64": "<d"}


@dataclass(frozen=True, slots=True)
class ValueTable:
    """A box of elements of one array: `values` has them with the first coordinate fastest.

    The element at `origin[i] + k` of each coordinate is within `extents`; coordinate i is
    `strides[i]` elements of memory apart (None where an array of row pointers decides). `element`
    is the type of an element, as `uint8` or `float32`. A table without coordinates is one value.
    """

    name: str
    element: str
    coordinates: tuple[str, ...]
    origin: tuple[int, ...]
    extents: tuple[int, ...]
    values: tuple[Cell, ...]
    strides: tuple[int | None, ...] = ()
    left_out: int = 0
    """Elements that the run used and that lie outside of this box, which is bounded."""

    def at(self, *point: int) -> Cell:
        """The element at a point; None where there is none in the table."""
        place, stride = 0, 1
        for p, low, extent in zip(point, self.origin, self.extents, strict=True):
            if not low <= p < low + extent:
                return None
            place += (p - low) * stride
            stride *= extent
        return self.values[place]

    def points(self) -> Iterator[tuple[int, ...]]:
        """The points of the box, in the order of `values`."""
        ranges = [range(o, o + e) for o, e in zip(self.origin, self.extents, strict=True)]
        return (tuple(reversed(p)) for p in itertools.product(*reversed(ranges)))

    def text(self, value: Cell) -> str:
        """A value as a person reads it: the shortest decimal, or hexadecimal for packed pixels."""
        return _value_text(value, self.element, self._packed())

    def _packed(self) -> bool:
        if self.element not in ("uint32", "uint64"):
            return False
        return any(isinstance(v, int) and v > 0xFFFF for v in self.values)


@dataclass(frozen=True, slots=True)
class CounterexampleTables:
    """An input, and what the original and the candidate give for it in `original.name`.

    `original` and `candidate` are the same box of the same array after the call (of the result,
    where `output` is "the result"). `differing` counts the elements that differ, those outside of
    the box too; `first` is the first of them, the first coordinate fastest.
    """

    scalars: dict[str, Number]
    inputs: tuple[ValueTable, ...]
    """The elements that were read, before the call."""
    original: ValueTable
    candidate: ValueTable
    first: tuple[int, ...]
    differing: int

    @property
    def output(self) -> str:
        return self.original.name

    def differences(self) -> tuple[tuple[int, ...], ...]:
        """The points of the tables at which the two differ."""
        pairs = zip(
            self.original.points(), self.original.values, self.candidate.values, strict=True
        )
        return tuple(p for p, a, b in pairs if a is not None and not same(a, b))

    def to_json(self) -> dict[str, Any]:
        """A form that `from_json` gives back, in strict JSON: no NaN, no infinity."""
        plain: dict[str, Any] = _strict(asdict(self))
        return plain

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> CounterexampleTables:
        """Raises `KeyError`, `TypeError` or `ValueError` when `data` isn't from `to_json`."""
        return cls(
            {str(n): _number(v) for n, v in data["scalars"].items()},
            tuple(map(_table, data["inputs"])),
            _table(data["original"]),
            _table(data["candidate"]),
            tuple(map(int, data["first"])),
            int(data["differing"]),
        )


def same(a: Cell, b: Cell) -> bool:
    """Whether two values are the same to the bit, all NaN being one."""
    if isinstance(a, float) and isinstance(b, float):
        return (a == b and math.copysign(1, a) == math.copysign(1, b)) or (a != a and b != b)
    return a == b


def _strict(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, dict):
        return {k: _strict(v) for k, v in value.items()}
    if isinstance(value, tuple | list):
        return [_strict(v) for v in value]
    return value


def _number(value: Any) -> Number:
    if isinstance(value, str):
        if value not in ("nan", "inf", "-inf"):
            raise ValueError(f"{value!r} is no number")
        return float(value)
    if isinstance(value, int | float):
        return value
    raise TypeError(f"{value!r} is no number")


def _table(data: dict[str, Any]) -> ValueTable:
    table = ValueTable(
        str(data["name"]),
        str(data["element"]),
        tuple(map(str, data["coordinates"])),
        tuple(map(int, data["origin"])),
        tuple(map(int, data["extents"])),
        tuple(None if v is None else _number(v) for v in data["values"]),
        tuple(None if s is None else int(s) for s in data["strides"]),
        int(data["left_out"]),
    )
    rank = len(table.coordinates)
    if len(table.origin) != rank or len(table.extents) != rank:
        raise ValueError(f"the table {table.name} has corners of another rank")
    if len(table.values) != math.prod(table.extents):
        raise ValueError(f"the table {table.name} has {len(table.values)} values")
    return table


def _value_text(value: Cell, element: str, packed: bool) -> str:
    if value is None:
        return "."
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        digits = 16 if element == "uint64" else 8
        return f"0x{value:0{digits}x}" if packed else str(value)
    return float_text(value, element)


def float_text(value: float, element: str) -> str:
    """The shortest decimal that is this value of `float16`, `float32` or `float64`."""
    if not math.isfinite(value):
        return repr(value)
    form = _FLOAT_FORMATS.get(element, "<d")
    stored = struct.pack(form, value)
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        if _fits(form, text) == stored:
            return text
    return repr(value)


def _fits(form: str, text: str) -> bytes | None:
    try:
        return struct.pack(form, float(text))
    except OverflowError:
        return None
