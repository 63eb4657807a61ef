"""What the picture of a schedule says of each group and stage, and how much room that takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..autosched.graph import PipelineGraph
from ..autosched.groups import Group, Grouping, written
from ..autosched.machine import Machine
from ..autosched.reach import Box, extent, volume
from . import svg
from .layers import BoxLayout, Size, laid_out

IN_SECONDS = ("Measured", "Sioutas2019")
"""The methods whose costs are seconds; the others' count operations and loads."""

PADDING = 14.0
CHIP_LINE = 15.0
HEAD_LINE = 17.0
SMALL = 10.5
"""The size of what stands below a stage's name."""

_LEVEL_COLOURS = ("fast", "near", "far")


@dataclass(frozen=True)
class Chip:
    """A stage in a group's box: its name, and what is said of it."""

    lines: tuple[str, ...]
    is_output: bool

    @property
    def size(self) -> Size:
        widest = max(svg.width_of(line, SMALL if i else 12) for i, line in enumerate(self.lines))
        return Size(widest + 22, CHIP_LINE * len(self.lines) + 13)


@dataclass(frozen=True)
class GroupBox:
    """A group: what is said of it to the left, its stages to the right."""

    head: tuple[str, ...]
    level: str
    """Which cache holds what a tile touches."""
    colour: str
    chips: Mapping[str, Chip]
    inside: BoxLayout
    """Of the chips, and of a place at the top (`entry(name)`) for each thing that is read."""
    share: float | None = None
    """Of the costs that the method expects."""

    @property
    def head_size(self) -> Size:
        lines = [*self.head, f"  {self.level}"]
        height = HEAD_LINE * (len(lines) + (self.share is not None))
        return Size(max(svg.width_of(line, 12) for line in lines), height)

    @property
    def size(self) -> Size:
        head = self.head_size
        width = head.width + 2 * PADDING + self.inside.size.width + PADDING
        return Size(width, max(head.height, self.inside.size.height) + 2 * PADDING)


def entry(name: str) -> str:
    """The place in a group's layout at which what is read there comes in."""
    return f"\0{name}"


def group_box(grouping: Grouping, group: Group, machine: Machine) -> GroupBox:
    """The box of a group; of one that the user scheduled, its output alone is known."""
    graph = grouping.graph
    stage = graph.stages[group.output]
    regions = graph.regions(group.output, group.tile_box(stage), [group.output, *group.members])
    members = [n for n in graph.stages if n in group.members or n == group.output]
    chips = {name: _chip(graph, group, name, regions.get(name)) for name in members}
    reads = {name: list(graph.reads_of(graph.stages[name])) for name in members}
    outside = list(dict.fromkeys(r for name in members for r in reads[name] if r not in chips))
    sizes = {entry(name): Size(2, 0) for name in outside}
    sizes.update((name, chip.size) for name, chip in chips.items())
    above = {name: [r if r in chips else entry(r) for r in reads[name]] for name in members}
    above.update((entry(name), []) for name in outside)
    inside = laid_out(sizes, above, 14, 30, at_top=[entry(name) for name in outside])
    touched = sum(volume(b) * graph.bytes_per_point(n) for n, b in regions.items())
    level, colour = cache_that_holds(touched, machine)
    total = sum(grouping.costs.values())
    cost = grouping.costs.get(group.output)
    share = cost / total if cost is not None and total > 0 else None
    head = (*_head(grouping, group, machine, cost), f"a tile touches {size_text(touched)}:")
    return GroupBox(head, level, colour, chips, inside, share)


def _head(grouping: Grouping, group: Group, machine: Machine, cost: float | None) -> list[str]:
    stage = grouping.graph.stages[group.output]
    if stage.is_fixed:
        return ["by hand" + (", completed" if stage.named_loops else "")]
    tiles = [
        f"{v} {min(group.tiles[v], extent(r))}"
        for v, r in zip(stage.args, stage.bounds, strict=True)
        if v in group.tiles and v in group.inter
    ]
    tiles += [f"{v} {size}" for v, size in group.tiles.items() if v not in stage.args]
    made = [f"tiles {' × '.join(tiles)}" if tiles else "one tile"]
    made += _loops(grouping.graph, group, machine)
    if cost is not None:
        made.append(cost_text(cost, grouping.method))
    return made


def _loops(graph: PipelineGraph, group: Group, machine: Machine) -> list[str]:
    """What is said of the loops of the output's first definition."""
    parallel: list[str] = []
    vectors, streamed = "", False
    for d in written(graph, [group], machine).directives:
        names = [getattr(a, "name", str(a)) for a in d.args]
        if d.stage != group.output or d.update is not None:
            continue
        if d.name == "fuse":
            parallel += [n for n in (names[1], names[0]) if n != names[2] and n not in parallel]
        elif d.name == "parallel" and not parallel:
            parallel = [names[0]]
        elif d.name == "vectorize":
            vectors = f"vectors {names[0]} by {names[1]}"
        streamed |= d.name == "stream_stores"
    made = [f"parallel {', '.join(parallel)}"] if parallel else []
    return [*made, *([vectors] if vectors else []), *(["past the caches"] if streamed else [])]


def _chip(graph: PipelineGraph, group: Group, name: str, box: Box | None) -> Chip:
    stage = graph.stages[name]
    region = stage.bounds if box is None else box
    lines = [name, f"{extents_text(region)} · {size_text(volume(region) * stage.bytes_per_point)}"]
    if name == group.output and volume(stage.bounds) > volume(region):
        lines.append(f"of {extents_text(stage.bounds)}")
    placement = group.members.get(name)
    if placement is not None:
        kept = placement.store
        also = f", kept in {kept}" if kept is not None and kept != placement.compute else ""
        lines.append(f"in {placement.compute}{also}")
    updates = len(stage.parts) - 1
    if updates:
        lines.append("1 update" if updates == 1 else f"{updates} updates")
    return Chip(tuple(lines), stage.is_output)


def cache_that_holds(size: float, machine: Machine) -> tuple[str, str]:
    """Which cache holds so many bytes for each of the threads that share it, and a colour."""
    for number, cache in enumerate(machine.caches):
        if size <= cache.size / cache.shared_by:
            return f"fits L{number + 1}", _LEVEL_COLOURS[min(number, 2)]
    return "no cache holds it", "memory"


def extents_text(box: Sequence[tuple[int, int]]) -> str:
    """`640 × 480`; a single value where there are no coordinates."""
    return " × ".join(str(extent(range)) for range in box) or "one value"


def size_text(size: float) -> str:
    """Bytes, as people write them: `48 KiB`."""
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.3g} {unit}" if size < 100 else f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.3g} GiB"


def cost_text(cost: float, method: str) -> str:
    """What a method expects of a group, in its own unit."""
    if method in IN_SECONDS:
        return f"expects {svg.time_text(cost)}"
    for unit, factor in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if cost >= factor:
            return f"expects cost {cost / factor:.3g} {unit}"
    return f"expects cost {cost:.3g}"


__all__ = ["Chip", "GroupBox", "entry", "extents_text", "group_box", "size_text"]
