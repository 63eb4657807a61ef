"""Boxes of a graph in layers, what is read above what reads it, and ways for the arrows between."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

GAP = 28.0
LAYER_GAP = 46.0
SWEEPS = 12

Point = tuple[float, float]
Edge = tuple[str, str]


@dataclass(frozen=True)
class Size:
    """How large a box is."""

    width: float
    height: float


@dataclass(frozen=True)
class BoxLayout:
    """Where each box's upper left corner is, and how large all are together."""

    places: Mapping[str, Point]
    size: Size
    ways: Mapping[Edge, tuple[Point, ...]]
    """Of arrows that pass layers, from and to: the points through which they get around the boxes
    there."""


def layers_of(
    names: Sequence[str], above: Mapping[str, Sequence[str]], at_top: Collection[str] = ()
) -> list[list[str]]:
    """The boxes by layers: each below all of `above` it. `names` has those before their readers.

    What nothing stands above goes just above the first that reads it, or to the top.
    """
    depth: dict[str, int] = {}
    for name in names:
        least = 1 if at_top and name not in at_top else 0
        depth[name] = max((depth[a] + 1 for a in above[name]), default=least)
    readers: dict[str, list[int]] = {}
    for name in names:
        for other in above[name]:
            readers.setdefault(other, []).append(depth[name])
    for name in names:
        if not above[name] and name in readers and name not in at_top:
            depth[name] = min(readers[name]) - 1
    return [[n for n in names if depth[n] == d] for d in range(max(depth.values(), default=-1) + 1)]


def laid_out(
    sizes: Mapping[str, Size],
    above: Mapping[str, Sequence[str]],
    gap: float = GAP,
    layer_gap: float = LAYER_GAP,
    at_top: Collection[str] = (),
) -> BoxLayout:
    """Places for boxes of the given sizes, whose names come before their readers'.

    Each box goes as near as it can to the middle of those that it is connected with (some sweeps
    downwards and upwards), and none overlaps another. Arrows that pass a layer have a place in it.
    """
    layers = layers_of(list(sizes), above, at_top)
    depth = {name: d for d, layer in enumerate(layers) for name in layer}
    size_of = dict(sizes)
    linked: dict[str, list[str]] = {name: [] for name in sizes}
    chains: dict[Edge, list[str]] = {}
    for name, others in above.items():
        for other in others:
            upper = other
            for d in range(depth[other] + 1, depth[name]):
                between = f"{other}\0{name}\0{d}"
                layers[d].append(between)
                size_of[between] = Size(2, 0)
                linked[between] = [upper]
                chains.setdefault((other, name), []).append(between)
                upper = between
            linked[name].append(upper)
    centres = _centres(layers, linked, size_of, gap)
    left = min((centres[n] - s.width / 2 for n, s in size_of.items()), default=0.0)
    places: dict[str, Point] = {}
    spans: dict[str, tuple[float, float]] = {}
    y = 0.0
    for layer in layers:
        tallest = max(size_of[n].height for n in layer)
        for name in layer:
            box = size_of[name]
            places[name] = (centres[name] - box.width / 2 - left, y + (tallest - box.height) / 2)
            spans[name] = (y, y + tallest)
        y += tallest + layer_gap
    ways = {
        edge: tuple((centres[n] - left, end) for n in chain for end in spans[n])
        for edge, chain in chains.items()
    }
    right = max((places[n][0] + s.width for n, s in size_of.items()), default=0.0)
    return BoxLayout({n: places[n] for n in sizes}, Size(right, max(0.0, y - layer_gap)), ways)


def _centres(
    layers: Sequence[Sequence[str]],
    above: Mapping[str, Sequence[str]],
    sizes: Mapping[str, Size],
    gap: float,
) -> dict[str, float]:
    below: dict[str, list[str]] = {name: [] for name in sizes}
    for name, others in above.items():
        for other in others:
            below[other].append(name)
    centres: dict[str, float] = {}
    for layer in layers:
        _set_apart(layer, {n: float(i) for i, n in enumerate(layer)}, sizes, gap, centres)
    for sweep in range(SWEEPS):
        neighbours: Mapping[str, Sequence[str]] = above if sweep % 2 == 0 else below
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            wanted = {}
            for name in layer:
                near = [centres[n] for n in neighbours[name]]
                wanted[name] = sum(near) / len(near) if near else centres[name]
            _set_apart(layer, wanted, sizes, gap, centres)
    return centres


def _set_apart(
    layer: Sequence[str],
    wanted: Mapping[str, float],
    sizes: Mapping[str, Size],
    gap: float,
    centres: dict[str, float],
) -> None:
    """Centres for a layer near the wanted ones, in their order, with gaps between the boxes.

    Boxes that would overlap are moved as one block, to where they are off by the least on average.
    """
    blocks: list[_Block] = []
    for name in sorted(layer, key=lambda n: wanted[n]):
        block = _Block([name], wanted, sizes, gap)
        while blocks and block.left < blocks[-1].right + gap:
            block = _Block([*blocks.pop().names, *block.names], wanted, sizes, gap)
        blocks.append(block)
    for block in blocks:
        x = block.left
        for name in block.names:
            centres[name] = x + sizes[name].width / 2
            x += sizes[name].width + gap


class _Block:
    """Boxes side by side, where the mean of what they are off is nothing."""

    def __init__(
        self, names: list[str], wanted: Mapping[str, float], sizes: Mapping[str, Size], gap: float
    ) -> None:
        self.names = names
        x, off = 0.0, 0.0
        for name in names:
            off += wanted[name] - (x + sizes[name].width / 2)
            x += sizes[name].width + gap
        self.left = off / len(names)
        self.right = self.left + x - gap


__all__ = ["Edge", "BoxLayout", "Point", "Size", "laid_out", "layers_of"]
