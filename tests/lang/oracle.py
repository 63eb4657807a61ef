"""Runs one program text under the real Halide package and under ours, and compares."""

from __future__ import annotations

from typing import Any

import halide
import numpy as np

import compiler

BOTH = (halide, compiler)


def realized(hl: Any, program: Any, size: list[int], images: dict[str, np.ndarray]) -> np.ndarray:
    """What `program(hl, images as ImageParams)` gives over `size`, as a numpy array."""
    params = {}
    for name, array in images.items():
        buffer = hl.Buffer(array)
        params[name] = hl.ImageParam(buffer.type(), array.ndim, name)
        params[name].set(buffer)
    return np.array(program(hl, **params).realize(size))


def assert_equal_to_halide(program: Any, size: list[int], **images: np.ndarray) -> None:
    """Both compilers leave the same bits."""
    theirs, ours = (realized(hl, program, size, images) for hl in BOTH)
    assert theirs.dtype == ours.dtype
    np.testing.assert_array_equal(ours, theirs)
