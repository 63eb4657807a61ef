"""Runs an emitted program under the real Halide package, on numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import halide as hl
import numpy as np
import pytest

from lifter.emit.load import run_pipeline

Array = np.ndarray[Any, Any]


def realize(
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    name: str,
    values: Mapping[str, Any],
    shape: tuple[int, ...],
    mins: Mapping[str, tuple[int, ...]] | None = None,
    at: tuple[int, ...] | None = None,
) -> Array:
    """The only output's values over `shape` (numpy order) from `at` (innermost first).

    `values` has an array or a number for each input; `mins` the coordinates of an array's first
    element, innermost first.
    """
    with monkeypatch.context() as patched:
        patched.setattr("lifter.hl", hl, raising=False)
        loaded = run_pipeline(text, name)
    keep = []
    for item in loaded.inputs:
        value = values[item.name()]
        if isinstance(item, hl.ImageParam):
            buffer = hl.Buffer(np.ascontiguousarray(value))
            if mins and item.name() in mins:
                buffer.set_min(list(mins[item.name()]))
            keep.append(buffer)
            item.set(buffer)
        else:
            item.set(value)
    (func,) = loaded.outputs
    dtype = str(func.type()).replace("bool", "bool_")
    result = np.zeros(shape, np.dtype(dtype))
    out = hl.Buffer(result)
    if at:
        out.set_min(list(at))
    func.realize(out)
    return result
