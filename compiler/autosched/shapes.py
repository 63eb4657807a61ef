"""The ways to cut a stage's loops into tiles that a search chooses from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product

from .graph import StoredStage
from .groups import Group, MemberPlace
from .machine import Machine
from .reach import extent

STRIPS = (8, 16, 32, 64, 128)
TILES = ((128, 32), (256, 32), (256, 64), (512, 16), (64, 64), (128, 128))
CHANNELS = 4
"""So many values of a coordinate can be computed one after the other at each vector."""

TURNED = ((16, 128), (32, 128), (64, 128), (128, 128))
"""Tiles of a stage that reads something transposed: what a row touches, the next rows find."""

SMALL = 16
"""A coordinate of at most so many values (channels, bins) is no row to cut."""

LONG = 128
"""A reduction of more steps than this is cut, so that what it reads of a panel stays in cache."""


@dataclass(frozen=True)
class Shape:
    """Loops over tiles and inside of them, as in `Group`; outermost first."""

    tiles: tuple[tuple[str, int], ...] = ()
    inter: tuple[str, ...] = ()
    intra: tuple[str, ...] = ()
    block: tuple[tuple[str, int], ...] = ()
    """Of a sum: how much of it stays in registers (`Group.registers`)."""

    def group(self, output: str, kinds: Mapping[str, str], stream: bool = False) -> Group:
        """The group of this shape whose members are computed as `kinds` says: `tile`, once for
        each tile; `slide`, a row after the other, keeping what later rows need; or `row`, all that
        a row needs for each of them."""
        bare = Group(output, dict(self.tiles), self.inter, self.intra, stream=stream)
        if self.block:
            sums = [name for name, kind in kinds.items() if kind == "sum"]
            bare = replace(bare, registers={n: dict(self.block) for n in sums or [output]})
        if not kinds:
            return bare
        tile = bare.outer(self.inter[-1])
        row = bare.inner(self.intra[0])
        places = {
            "tile": MemberPlace(tile),
            "sum": MemberPlace(tile),
            "slide": MemberPlace(row, tile),
            "row": MemberPlace(row),
        }
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


def shapes(stage: StoredStage, machine: Machine) -> list[Shape]:
    """Strips of rows, tiles, and orders of what else there is; the plain one first."""
    sizes = stage.sizes
    free = [a for a in stage.args if a not in stage.entangled]
    if not free:
        return [Shape()]
    least = machine.threads * 2
    if stage.entangled and stage.args[0] in free and len(stage.parts) > 1:
        return _scans(stage, free, machine)
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
            for c in rest:
                if 1 < sizes[c] <= CHANNELS:
                    outside = tuple(a for a in rest if a != c)
                    tiles = ((row, strip), (c, sizes[c]))
                    made.append(Shape(tiles, (*outside, c, row), (row, x, c)))
    for across, down in (*TILES, *(TURNED if stage.is_transposed else ())):
        if across < sizes[x] and down < sizes[row]:
            tiles = ((row, down), (x, across))
            made.append(Shape(tiles, (*rest, row, x), (row, x)))
    return made


def _scans(stage: StoredStage, free: list[str], machine: Machine) -> list[Shape]:
    """Shapes for updates along a coordinate: some vectors side by side go along together."""
    x, *others = free
    lanes = machine.lanes(stage.function.types[0].bits)
    reductions = tuple(r for part in stage.parts for r in part.reduction)
    return [
        Shape(((x, lanes * n),), (*reversed(others), x), (*reductions, x)) for n in (1, 2, 4, 8)
    ]


def _long_reductions(stage: StoredStage) -> list[tuple[str, int]]:
    """The reduction variables that are worth cutting, and their extents."""
    part = stage.parts[-1]
    sizes = zip(part.reduction, map(extent, part.domain), strict=True)
    return [(k, size) for k, size in sizes if size > LONG]


def _wastes(size: int, block: int) -> bool:
    """Whether more than an eighth of what blocks compute lies beyond the end."""
    return 8 * (-(-size // block) * block - size) > size


def blocks(stage: StoredStage, along: str, machine: Machine, is_own: bool) -> list[Shape]:
    """Shapes for sums in registers: blocks of some vectors by some values of `along`.

    For the sum itself (`is_own`), with larger tiles around the blocks; else for the stage that
    reads it, of which each tile is one block.
    """
    lanes = machine.lanes(stage.function.types[0].bits)
    sizes = stage.sizes
    x = stage.args[0]
    wide = machine.vector_bits >= 512
    made = []
    for across, down in ((4, 6), (2, 8), (3, 8), (4, 4)) if wide else ((2, 4), (2, 6), (3, 4)):
        width, height = lanes * across, down
        if _wastes(sizes[x], width) or _wastes(sizes[along], height):
            continue
        block = ((x, width), (along, height))
        rest = tuple(a for a in reversed(stage.args) if a not in (x, along))
        if not is_own:
            for inter in ((*rest, along, x), (x, *rest, along), (*rest, x, along)):
                made.append(Shape(((x, width), (along, height)), inter, (along, x), block))
            continue
        for k, size in _long_reductions(stage):
            for steps, columns in product((64, 128, 256, 512), (1, 4, 8)):
                if steps < size and width * columns <= sizes[x]:
                    cut = ((x, width * columns), (along, height), (k, steps))
                    made.append(Shape(cut, (*rest, x, k, along), (along, k, x), block))
        for columns in (1, 4, 16):
            for rows in (1, 4, 16):
                tiles = ((x, width * columns), (along, height * rows))
                for inter in ((*rest, along, x), (x, *rest, along)):
                    made.append(Shape(tiles, inter, (along, x), block))
    return list(dict.fromkeys(made))


__all__ = ["Shape", "blocks", "shapes"]
