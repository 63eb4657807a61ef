"""Arguments of a kernel for an image of a given size: numbers, and buffers with wide margins.

What a scalar means is guessed from its name, as in the verifier's cases; strides are drawn until
the kernel's preconditions hold. All memory that a call may touch lies inside of the buffers, so two
functions are compared on whole buffers, margins included.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from compiler.ir import I64, Expr, Type, dtype_of, evaluate
from lifter.parse.kernel import Kernel
from lifter.verify.cases import _scalar
from tests.end_to_end.original import _ctype

Pattern = Literal["random", "least", "most", "extremes"]
PATTERNS: tuple[Pattern, ...] = ("random", "least", "most", "extremes")

TABLE = 4096
"""The largest table or histogram of the corpus; every buffer has room for it."""
REACH = 4
"""Rows and columns that a neighbourhood may reach outside of the image."""
_DRAWS = 300
_STRIDES = ((1, 0), (1, 3), (4, 0), (4, 5), (3, 1), (2, 7), (3, 0))


class NoArguments(Exception):
    """No draw satisfied the kernel's preconditions at this size."""


@dataclass
class Arguments:
    """One call: `make()` gives fresh buffers with the same contents each time."""

    kernel: Kernel
    scalars: dict[str, int | float]
    contents: dict[str, np.ndarray[Any, Any]]
    origins: dict[str, int]
    """The element that the pointer points to, by array."""
    row_stride: int
    text: str = field(default="")

    def call(self, function: Any) -> dict[str, np.ndarray[Any, Any]]:
        """Calls a C function on fresh copies and gives back what it left in them."""
        buffers = {name: values.copy() for name, values in self.contents.items()}
        passed: list[Any] = []
        keep: list[Any] = []
        for param in self.kernel.params:
            if param.kind == "scalar":
                passed.append(_ctype(param.type)(self.scalars[param.name]))
                continue
            values = buffers[param.name]
            start = values.ctypes.data + self.origins[param.name] * values.itemsize
            if param.kind == "rows":
                step = self.row_stride * values.itemsize
                count = (values.size - self.origins[param.name]) // max(self.row_stride, 1)
                table = np.array([start + r * step for r in range(max(count, 1))], np.uint64)
                keep.append(table)
                start = table.ctypes.data
            passed.append(ctypes.c_void_p(start))
            if param.kind == "vector":
                passed.append(ctypes.c_int64(int(self.scalars[f"{param.name}.size"])))
        function.restype = None
        function(*passed)
        del keep
        return buffers


def arguments(
    kernel: Kernel, width: int, height: int, pattern: Pattern, preconditions: Sequence[Expr] = ()
) -> Arguments:
    """Raises `NoArguments` when the preconditions forbid this size."""
    source = random.Random(f"{kernel.name}/{width}/{height}/{pattern}")
    conditions = (*(a.condition for a in kernel.preconditions), *preconditions)
    for attempt in range(_DRAWS):
        factor, extra = _STRIDES[attempt % len(_STRIDES)]
        if source.random() < 0.3:
            factor, extra = source.choice(_STRIDES)
        stride = factor * width + extra
        scalars: dict[str, int | float] = {}
        for param in kernel.params:
            if param.kind == "scalar":
                scalars[param.name] = _scalar(param, source, width, height, stride)
            elif param.kind == "vector":
                scalars[f"{param.name}.size"] = I64.wrap(width)
        if all(bool(evaluate(c, dict(scalars))) for c in conditions):
            return _filled(kernel, scalars, width, height, max(stride, 4 * width), pattern, source)
    raise NoArguments(f"{kernel.name} at {width} x {height}")


def _filled(
    kernel: Kernel,
    scalars: dict[str, int | float],
    width: int,
    height: int,
    stride: int,
    pattern: Pattern,
    source: random.Random,
) -> Arguments:
    generator = np.random.default_rng(source.getrandbits(64))
    margin = REACH * (stride + REACH)
    count = 2 * margin + (2 * height + 2) * stride + TABLE
    contents, origins = {}, {}
    for param in kernel.params:
        if param.kind == "scalar":
            continue
        contents[param.name] = _values(param.type, pattern, count, generator)
        origins[param.name] = margin
    text = f"{kernel.name} {width} x {height}, {pattern}: {scalars}"
    return Arguments(kernel, scalars, contents, origins, width + 5, text)


def _values(
    type: Type, pattern: Pattern, count: int, generator: np.random.Generator
) -> np.ndarray[Any, Any]:
    spread: np.ndarray[Any, Any]
    if type.is_float:
        extremes = [0.0, -0.0, 1.0, -1.0, 0.5, 1e30, -1e30, 1e-40, np.inf, -np.inf, np.nan]
        least, most = -1e30, 1e30
        spread = generator.uniform(-0.25, 1.25, count)
    else:
        # Wide signed integers hold counts and sums: near their ends the original would overflow.
        # Unsigned ones are packed pixels, or wrap.
        packed = type.is_uint and type.bits <= 32
        least = max(type.min, -(1 << 16))
        most = type.max if packed else min(type.max, 1 << 16)
        extremes = [least, most, most // 2, most // 2 + 1, 1, most - 1, 0]
        spread = generator.integers(least, most, count, endpoint=True)
    match pattern:
        case "random":
            chosen = spread
        case "least":
            chosen = np.full(count, least)
        case "most":
            chosen = np.full(count, most)
        case "extremes":
            chosen = np.array(extremes)[generator.integers(0, len(extremes), count)]
    return chosen.astype(dtype_of(type))


def differences(
    expected: dict[str, np.ndarray[Any, Any]], found: dict[str, np.ndarray[Any, Any]]
) -> Iterator[str]:
    """Each array in which two calls left different bits (any NaN equals any NaN)."""
    for name, ours in found.items():
        theirs = expected[name]
        bits = f"u{ours.itemsize}"
        wrong = theirs.view(bits) != ours.view(bits)
        if ours.dtype.kind == "f":
            wrong &= ~(np.isnan(theirs) & np.isnan(ours))
        places = np.flatnonzero(wrong)
        if places.size:
            at = places[0]
            yield (
                f"{name}: {places.size} elements differ, the first at {at}: "
                f"the original leaves {theirs[at]!r}, not {ours[at]!r}"
            )
