"""The C library's mathematical functions on numpy arrays: bit for bit what machine code calls."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

C_FUNCTIONS = {
    "exp": 1, "log": 1, "pow": 2, "sin": 1, "cos": 1, "tan": 1, "asin": 1, "acos": 1, "atan": 1,
    "atan2": 2, "sinh": 1, "cosh": 1, "tanh": 1, "asinh": 1, "acosh": 1, "atanh": 1,
}  # fmt: skip
"""Each has a float64 version of this name and a float32 version with an `f` behind it."""


@functools.cache
def _function(name: str, arity: int, single: bool) -> Any:
    number = ctypes.c_float if single else ctypes.c_double
    found = getattr(ctypes.CDLL(None), name + "f" * single)
    found.argtypes, found.restype = [number] * arity, number
    return np.frompyfunc(lambda *values: found(*values), arity, 1)


def c_function(name: str) -> Callable[..., Any]:
    """The function `name` on float arrays; half precision goes by way of float32."""

    def evaluate(*arrays: Any) -> Any:
        dtype = arrays[0].dtype
        single = dtype != np.float64
        wide = [np.asarray(a, np.float64).astype(object) for a in arrays]
        result = _function(name, len(arrays), single)(*wide)
        return np.asarray(result, np.float32 if single else np.float64).astype(dtype)

    return evaluate
