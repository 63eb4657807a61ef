"""Made-up images: smooth shading, edges, fine texture and noise, as photographs have them."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def photograph(size: tuple[int, ...], seed: int = 0) -> Array:
    """A float32 image in [0, 1), of any size `(width, height[, channels...])`.

    Discs of many sizes lie over a slope; a stripe pattern gives texture, and noise of a few
    percent makes neighbours differ everywhere.
    """
    rng = np.random.default_rng(seed)
    width, height = size[:2]
    planes = int(np.prod(size[2:]))
    y, x = np.ogrid[0:height, 0:width]
    x, y = (x / max(width, 2)).astype(np.float32), (y / max(height, 2)).astype(np.float32)
    image = np.empty((planes, height, width), np.float32)
    discs = rng.random((12, 3), np.float32)
    waves = np.sin(x * 97 + y * 31) * np.sin(y * 113)
    for plane in image:
        slope = rng.random(2, np.float32)
        plane[...] = 0.25 + 0.25 * (slope[0] * x + slope[1] * y)
        for centre_x, centre_y, radius in discs:
            inside = (x - centre_x) ** 2 + (y - centre_y) ** 2 < (0.3 * radius) ** 2
            plane[inside] = rng.uniform(0.05, 0.9)
        plane += np.float32(0.04) * waves
        plane += rng.random(plane.shape, np.float32) * np.float32(0.05)
    np.clip(image, 0, np.float32(1 - 2**-24), out=image)
    return image.reshape(size[::-1])


def quantised(image: Array, dtype: str, levels: int | None = None) -> Array:
    """An image in [0, 1) as integers in [0, levels), by default all that the type has."""
    top = np.iinfo(dtype).max + 1 if levels is None else levels
    return (image * top).astype(dtype)
