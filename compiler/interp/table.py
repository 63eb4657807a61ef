"""The values of a stage with updates, as arrays over a box that grows where it must."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Box = tuple[tuple[int, int], ...]
"""The first and the last coordinate in each dimension."""

Fill = Callable[[tuple[Array, ...]], list[Array]]
"""The values at given coordinates before any update."""

SLACK = 8
"""A box grows by at least this much, so that a scan doesn't grow it step by step."""


def box_of(points: Sequence[Array]) -> Box:
    """The smallest box that holds all points; there is at least one."""
    return tuple((int(p.min()), int(p.max())) for p in points)


def covers(outer: Box, inner: Box) -> bool:
    return all(a <= c and d <= b for (a, b), (c, d) in zip(outer, inner, strict=True))


def union(first: Box, second: Box) -> Box:
    """The smallest box that holds both."""
    return tuple((min(a, c), max(b, d)) for (a, b), (c, d) in zip(first, second, strict=True))


def points_of(box: Box) -> tuple[Array, ...]:
    """The coordinates of all points of a box, one array a dimension."""
    axes = [np.arange(a, b + 1) for a, b in box]
    return tuple(np.meshgrid(*axes, indexing="ij")) if axes else ()


def count(box: Box) -> int:
    return math.prod(b - a + 1 for a, b in box)


class TooMuch(Exception):
    """A pipeline has more points, or takes more steps, than the caller wants to wait for."""


@dataclass(slots=True)
class Effort:
    """What a run may take: points that a stage has at once, and steps of updates, all together."""

    points: float = math.inf
    steps: float = math.inf

    def hold(self, box: Box) -> None:
        """Raises `TooMuch` for a box of too many points."""
        if count(box) > self.points:
            raise TooMuch

    def step(self) -> None:
        """Raises `TooMuch` when no step is left."""
        self.steps -= 1
        if self.steps < 0:
            raise TooMuch


class Table:
    """The current values of one stage: read and written at any coordinates."""

    def __init__(self, box: Box, fill: Fill, effort: Effort) -> None:
        self.fill = fill
        self.effort = effort
        self.box = box
        self.values = self._filled(box)

    def _filled(self, box: Box) -> list[Array]:
        self.effort.hold(box)
        shape = tuple(b - a + 1 for a, b in box)
        return [np.broadcast_to(v, shape).copy() for v in self.fill(points_of(box))]

    def read(self, index: int, points: tuple[Array, ...]) -> Array:
        """Value `index` at `points`, arrays of one shape."""
        self._hold(points)
        found: Array = self.values[index][self._position(points)]
        return found

    def write(self, points: tuple[Array, ...], values: Sequence[Any], where: Any) -> None:
        """Stores each value at the points where `where` holds."""
        self._hold(points)
        at = self._position(points)
        for table, value in zip(self.values, values, strict=True):
            if np.ndim(where) == 0:
                table[at] = value
            else:
                chosen = tuple(np.broadcast_to(p, where.shape)[where] for p in at)
                table[chosen] = np.broadcast_to(value, where.shape)[where]

    def _position(self, points: tuple[Array, ...]) -> tuple[Array, ...]:
        return tuple(p - low for p, (low, _) in zip(points, self.box, strict=True))

    def _hold(self, points: tuple[Array, ...]) -> None:
        if not points or points[0].size == 0:
            return
        wanted = box_of(points)
        if covers(self.box, wanted):
            return
        grown = tuple(
            (min(a, c) - (SLACK if c < a else 0), max(b, d) + (SLACK if d > b else 0))
            for (a, b), (c, d) in zip(self.box, wanted, strict=True)
        )
        old, inside = (
            self.values,
            tuple(slice(a - c, b - c + 1) for (a, b), (c, _) in zip(self.box, grown, strict=True)),
        )
        self.box, self.values = grown, self._filled(grown)
        for table, before in zip(self.values, old, strict=True):
            table[inside] = before
