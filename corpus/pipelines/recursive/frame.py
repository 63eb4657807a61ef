"""What a recursive program is made of, and filters in float64 for their references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import compiler as hl
from compiler.recfilter import RecFilterDim

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Recursive:
    """A program over one image, or over one line.

    `build(image, *dimensions)` gives the Func of what is made of the image, an `ImageParam`.
    `reference(array)` computes it in numpy, as [y, x]; values differ by at most `tolerance`.
    """

    name: str
    build: Callable[..., hl.Func]
    reference: Callable[[Array], Array]
    size: tuple[int, ...]
    test_size: tuple[int, ...]
    type: str = "float32"
    tolerance: float = 1e-5

    def made(self, size: Sequence[int]) -> tuple[hl.Func, hl.ImageParam]:
        """The Func for images of this size, and its input."""
        kind = {"float32": hl.Float(32), "uint8": hl.UInt(8)}[self.type]
        image = hl.ImageParam(kind, len(size), "image")
        dimensions = (RecFilterDim(n, e) for n, e in zip("xy", size, strict=False))
        return self.build(image, *dimensions), image

    def input(self, size: Sequence[int], seed: int = 0) -> Array:
        """Numbers below 1, or bytes."""
        numbers = np.random.default_rng(seed).random(tuple(size)[::-1], np.float32)
        return numbers if self.type == "float32" else (numbers * 256).astype(np.uint8)


def filtered(lines: Array, direction: str, weights: Sequence[float]) -> Array:
    """y(i) = b x(i) + a_1 y(i - 1) + ..., in float64, along "+x", "-x", "+y" or "-y"; before all
    is 0."""
    gain, *feedback = weights
    axis = -1 if direction[1] == "x" else 0
    source = np.moveaxis(np.asarray(lines, np.float64), axis, 0)
    source = source[::-1] if direction[0] == "-" else source
    out = np.zeros_like(source)
    for i in range(len(source)):
        out[i] = gain * source[i]
        for lag, a in enumerate(feedback[:i], 1):
            out[i] += a * out[i - lag]
    out = out[::-1] if direction[0] == "-" else out
    return np.moveaxis(out, 0, axis)


def there_and_back(lines: Array, axes: str, *filters: Sequence[float]) -> Array:
    """Each filter along each axis in both directions."""
    for axis in axes:
        for weights in filters:
            lines = filtered(filtered(lines, f"+{axis}", weights), f"-{axis}", weights)
    return lines
