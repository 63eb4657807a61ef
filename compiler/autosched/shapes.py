"""The ways to cut a stage's loops into tiles that a search chooses from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .graph import Stage
from .groups import Group, Placement
from .machine import Machine
from .reach import extent

STRIPS = (8, 16, 32, 64, 128)
TILES = ((128, 32), (256, 32), (256, 64), (512, 16), (64, 64))
SMALL = 16
"""A coordinate of at most so many values (channels, bins) is no row to cut."""


@dataclass(frozen=True)
class Shape:
    """Loops over tiles and inside of them, as in `Group`; outermost first."""

    tiles: tuple[tuple[str, int], ...] = ()
    inter: tuple[str, ...] = ()
    intra: tuple[str, ...] = ()

    def group(self, output: str, kinds: Mapping[str, str], stream: bool = False) -> Group:
        """The group of this shape whose members are computed as `kinds` says: `tile`, once for
        each tile, or `slide`, a row after the other, keeping what later rows need."""
        bare = Group(output, dict(self.tiles), self.inter, self.intra, stream=stream)
        if not kinds:
            return bare
        tile = bare.outer(self.inter[-1])
        row = bare.inner(self.intra[0])
        places = {"tile": Placement(tile), "slide": Placement(row, tile)}
        members = {name: places[kind] for name, kind in kinds.items()}
        return replace(bare, members=members)

    def scaled(self, variable: str, factor: float) -> Shape:
        """The same with other tiles along a variable."""
        tiles = tuple((v, max(1, int(n * factor)) if v == variable else n) for v, n in self.tiles)
        return replace(self, tiles=tiles)

    @property
    def slides(self) -> bool:
        """Whether the outermost loop inside of a tile goes along what tiles are cut along."""
        return bool(self.intra) and self.intra[0] in self.inter and len(self.intra) > 1


def shapes(stage: Stage, machine: Machine) -> list[Shape]:
    """Strips of rows, tiles, and orders of what else there is; the plain one first."""
    sizes = dict(zip(stage.args, map(extent, stage.bounds), strict=True))
    free = [a for a in stage.args if a not in stage.entangled]
    if not free:
        return [Shape()]
    least = machine.threads * 2
    if len(free) == 1 or stage.args[0] not in free:
        last = free[-1]
        size = -(-sizes[last] // (machine.threads * 4))
        if last == stage.args[0]:
            lanes = machine.lanes(stage.function.types[0].bits)
            size = -(-size // lanes) * lanes
        return [Shape(((last, size),), (last,), (last,))]
    x, *others = free
    row = max(others, key=lambda a: (sizes[a] > SMALL, -others.index(a)))
    rest = tuple(a for a in reversed(others) if a != row)
    made: list[Shape] = []
    for strip in STRIPS:
        if strip > sizes[row] and made:
            break
        if made and -(-sizes[row] // strip) < least:
            break
        made.append(Shape(((row, strip),), (row,), (row, *rest, x)))
        if rest:
            made.append(Shape(((row, strip),), (*rest, row), (row, x)))
    for across, down in TILES:
        if across < sizes[x] and down < sizes[row]:
            tiles = ((row, down), (x, across))
            made.append(Shape(tiles, (*rest, row, x), (row, x)))
    return made


__all__ = ["Shape", "shapes"]
