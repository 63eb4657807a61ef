"""Buffers that become part of the code that is written to files."""

from __future__ import annotations

import numpy as np

from ..ir.stmts import ConstantBuffer
from ..lang.buffer import Buffer


def constant_of(buffer: Buffer) -> ConstantBuffer:
    """The contents of `buffer` as they are now, with its own strides: code relies on them.

    What lies between its elements is 0.
    """
    array = buffer.array
    strides = tuple(stride // array.itemsize for stride in array.strides)
    reach = [step * (n - 1) for step, n in zip(strides, array.shape, strict=True)]
    first = -sum(r for r in reach if r < 0) if array.size else 0
    span = first + sum(r for r in reach if r > 0) + 1 if array.size else 1
    memory = np.zeros(span, array.dtype)
    view = np.lib.stride_tricks.as_strided(memory[first:], array.shape, array.strides)
    np.copyto(view, array)
    return ConstantBuffer(
        buffer.name(),
        tuple(buffer.dim(d).min() for d in range(buffer.dimensions())),
        array.shape,
        strides,
        memory.tobytes(),
        first * array.itemsize,
    )
