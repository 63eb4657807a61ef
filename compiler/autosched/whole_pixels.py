"""Vectors over whole pixels: the elements of pixels side by side, of whatever channel, as one row.

    f(c, x) = a(c, x) * a(3, x)   ->   v = a[16 * i ...]; f[16 * i ...] = v * v[3, 3, 3, 3, 7, ...]

Where channels are told apart, each lane computes what every channel needs, and a pattern of lanes
chooses. The other way is a vector for each channel, whose elements are picked out of the pixels and
put together again: less arithmetic, and more permutations. Where a channel is left out (the alpha
of pixels whose colours are written), a store under a mask leaves its lanes out; nothing is written
that the program doesn't write, since another thread might, and the memory might not be writable.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import ir
from ..ir import I32, Call, Cast, Const, Expr, Variable, const, simplify, substitute
from ..lang import Definition, Function, OutputImageParam
from ..lower import TargetFeatures

MOST_ELEMENTS = 4
PICKED = 2
"""What it costs to pick one channel out of pixels, in operations."""
JOINED = 3
"""What it costs to put one channel of a result among the others."""


@dataclass(frozen=True)
class Pixel:
    """A promised layout: coordinate 0 counts `channels`, of which pixels have room for `step`."""

    channels: int
    step: int
    first: int

    @property
    def has_gap(self) -> bool:
        return self.channels < self.step


def pixel_of(image: OutputImageParam) -> Pixel | None:
    """The pixels of an image whose channels lie side by side, where that is promised."""
    if image.dimensions() < 2:
        return None
    fields = [(0, "min"), (0, "extent"), (0, "stride"), (1, "stride")]
    numbers = [image.dim(d).promised.get(f) for d, f in fields]
    first, channels, dense, step = (int(n.value) if isinstance(n, Const) else 0 for n in numbers)
    known = isinstance(numbers[0], Const) and dense == 1
    if not known or not 2 <= channels <= step <= MOST_ELEMENTS:
        return None
    return Pixel(channels, step, first)


def pays(
    function: Function, definition: Definition, pixel: Pixel, lanes: int, target: TargetFeatures
) -> bool:
    """Whether vectors of `lanes` elements over whole pixels are the faster way."""
    if lanes % pixel.step or pixel.step not in (2, 4) or lanes < 2 * pixel.step:
        return False
    if pixel.has_gap:
        return target.masks_lanes
    channel: Expr = Variable(function.args[0], I32)
    nodes = list(ir.postorder(*definition.values))
    if any(isinstance(n, Call) and n.kind == "func" for n in nodes):
        return False
    together = pixel.step * (_operations(definition.values) + len(_others(nodes, channel)))
    apart = 0
    planes: set[Expr] = set()
    for number in range(pixel.first, pixel.first + pixel.channels):
        here = {channel: const(number)}
        values = [simplify(substitute(v, here)) for v in definition.values]
        apart += _operations(values) + JOINED
        planes.update(n for n in ir.postorder(*values) if _is_read(n))
    return together <= apart + PICKED * len(planes)


def _is_read(node: Expr) -> bool:
    return isinstance(node, Call) and node.kind == "image"


def _others(nodes: list[Expr], channel: Expr) -> set[Expr]:
    """What is read of another channel than the own one."""
    return {n for n in nodes if isinstance(n, Call) and _is_read(n) and n.args[0] is not channel}


def _operations(values: tuple[Expr, ...] | list[Expr]) -> int:
    simple = (Const, Variable, Cast)
    return sum(
        20 if isinstance(n, ir.Div | ir.Mod) and not isinstance(n.b, Const) else 1
        for n in ir.postorder(*values)
        if not isinstance(n, simple) and not _is_read(n) and not n.type.is_bool
    )
