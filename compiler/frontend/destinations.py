"""What `realize` computes into: new Buffers of given sizes, or the caller's."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..lang.buffer import Buffer
from ..lang.errors import fail
from ..lang.expr import Type
from ..lang.overloads import mismatch

if TYPE_CHECKING:
    from ..lang.function import Function


def destinations(outputs: Sequence[Function], given: Any) -> tuple[list[Buffer], bool]:
    """The Buffers to compute `outputs` into, and whether they are new.

    `given` is a Buffer, a sequence of Buffers, or a sequence of sizes; a numpy array stands for a
    Buffer, unless it is a row of integers, which are sizes.
    """
    buffers = _given_buffers(given)
    if buffers is None:
        return _new_buffers(outputs, _sizes(given)), True
    values = [(f, i) for f in outputs for i in range(len(f.types))]
    if len(buffers) != len(values):
        fail(
            f"Realization requires {len(buffers)} output(s) but pipeline produces "
            f"{len(values)} result(s)."
        )
    for buffer, (function, index) in zip(buffers, values, strict=True):
        _check(buffer, function, index)
    return buffers, False


def _given_buffers(given: Any) -> list[Buffer] | None:
    if isinstance(given, Buffer):
        return [given]
    if isinstance(given, np.ndarray) and (given.ndim != 1 or given.dtype.kind not in "iu"):
        return [Buffer(given)]
    if isinstance(given, (list, tuple)) and given:
        kinds = [isinstance(g, (Buffer, np.ndarray)) for g in given]
        if all(kinds):
            return [g if isinstance(g, Buffer) else Buffer(g) for g in given]
    return None


def _sizes(given: Any) -> list[int]:
    if isinstance(given, (str, bytes)) or not isinstance(given, (Sequence, np.ndarray)):
        mismatch("realize", given)
    if not all(isinstance(i, numbers.Integral) for i in given):
        mismatch("realize", given)
    return [int(i) for i in given]


def _new_buffers(outputs: Sequence[Function], sizes: list[int]) -> list[Buffer]:
    for function in outputs:
        if len(sizes) != len(function.args):
            fail(
                f"Func {function.name} is defined with {len(function.args)} dimensions, but "
                f"realize() is requesting a realization with {len(sizes)} dimensions."
            )
        for d, size in enumerate(sizes):
            if size < 0:
                fail(
                    f"The extents for buffer Output buffer {function.name} dimension {d} is "
                    f"negative ({size})"
                )
        for type in function.types:
            if type.is_integer and type.bits not in (1, 8, 16, 32, 64):
                fail(f"Values of type {type}, which {function.name} has, can't be stored.")
    return [Buffer(Type.of(t), sizes) for f in outputs for t in f.types]


def _check(buffer: Buffer, function: Function, index: int) -> None:
    if not buffer.defined():
        fail(f"The Buffer to realize {function.name} into is undefined.")
    if buffer.element_type is not function.types[index]:
        fail(
            f"Output buffer {function.name} has type {function.types[index]} "
            f"but type of the buffer passed in is {buffer.element_type}"
        )
    if buffer.dimensions() != len(function.args):
        fail(
            f"Output buffer {function.name} requires a buffer of exactly {len(function.args)} "
            f"dimensions, but the buffer passed in has {buffer.dimensions()} dimensions"
        )
