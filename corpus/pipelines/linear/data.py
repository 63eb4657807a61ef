"""Matrices on which floats are exact, so that every order of additions gives the same result."""

from __future__ import annotations

import numpy as np

from ..program import Array


def sixteenths(rng: np.random.Generator, *shape: int) -> Array:
    """Multiples of 1/16 in [-1, 1): a product of two needs 8 fractional bits, so that sums of up to
    2**15 of them, or of 2**13 that are also multiplied by 3/2, fit a float's 24 bits."""
    return (rng.integers(-16, 16, shape) / 16).astype(np.float32)


def few_units(rng: np.random.Generator, rows: int, columns: int, most: int = 8) -> Array:
    """At most `most` elements of each row are 1 or -1, the others 0: a row times a matrix of units
    is at most `most`, and so are then all its partial sums."""
    made = np.zeros((rows, columns), np.float32)
    places = rng.integers(0, columns, (rows, most))
    np.put_along_axis(
        made, places, (2 * rng.integers(0, 2, (rows, most)) - 1).astype(np.float32), axis=1
    )
    return made


def units(rng: np.random.Generator, *shape: int) -> Array:
    """1, 0 and -1."""
    return rng.integers(-1, 2, shape).astype(np.float32)


def words(rng: np.random.Generator, *shape: int) -> Array:
    """All 32 bits."""
    return rng.integers(0, 1 << 32, shape, np.uint32)
