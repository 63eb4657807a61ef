"""A picture of a schedule: the stages, the groups that share loops, and what each costs."""

from __future__ import annotations

from ..autosched.groups import Group, Grouping
from ..autosched.machine import Machine
from ..lang import HalideError
from ..lower.environment import realization_order
from . import svg
from .boxes import (
    CHIP_LINE,
    HEAD_LINE,
    PADDING,
    SMALL,
    Chip,
    GroupBox,
    entry,
    extents_text,
    group_box,
    size_text,
)
from .layers import BoxLayout, Point, Size, laid_out

MOST_NAMED = 8
"""So many inlined stages are named."""


def schedule_picture(grouping: Grouping | None, machine: Machine) -> str:
    """What a method decided, as SVG text.

    Each group is a box: to the right its stages, with what one tile computes of each, where it is
    computed and kept; to the left the tile, the loops that run in parallel and in vectors, the
    cache that holds what a tile touches, and the group's share of the costs that the method
    expects. Arrows go from what is read to what reads it. Raises `HalideError` where no groups are
    known: of a schedule that `Measured` found on disk, only the directives are.
    """
    if grouping is None:
        raise HalideError(
            "There are no groups to draw: Measured found this schedule on disk, where only its "
            'directives are kept. Pass {"keep": "0"} to look for it again.'
        )
    return _Picture(grouping, machine).drawn()


class _Picture:
    def __init__(self, grouping: Grouping, machine: Machine) -> None:
        self.grouping, self.machine, self.graph = grouping, machine, grouping.graph
        groups = {g.output: g for g in grouping.groups}
        self.home = {m: g.output for g in grouping.groups for m in g.members}
        for name in self.graph.stages:
            if name not in self.home:
                self.home[name] = name
                groups.setdefault(name, Group(name))
        places = {name: i for i, name in enumerate(self.graph.stages)}
        self.boxes = {
            name: group_box(grouping, groups[name], machine)
            for name in sorted(groups, key=places.__getitem__)
        }
        self.back: list[str] = []
        self.arrows: list[str] = []
        self.front: list[str] = []
        self.exits: dict[str, Point] = {}
        """Where arrows from an image or a stage begin."""
        self.entries: dict[tuple[str, str], Point] = {}
        """By group and what it reads: where the arrow ends."""

    def drawn(self) -> str:
        layout = self._layout()
        title, *subtitles = self._titles()
        top = svg.MARGIN + 40 + 17 * len(subtitles)
        widest = max(svg.width_of(title, 17), *(svg.width_of(s, 12) for s in subtitles))
        width = max(layout.size.width, widest) + 2 * svg.MARGIN
        left = (width - layout.size.width) / 2
        body = [svg.text(svg.MARGIN, svg.MARGIN + 12, title, 17, "ink", "sans", bold=True)]
        for number, words in enumerate(subtitles):
            y = svg.MARGIN + 33 + 17 * number
            body.append(svg.text(svg.MARGIN, y, words, 12, "soft", "sans"))
        for name, (x, y) in layout.places.items():
            if name in self.boxes:
                self._box(name, left + x, top + y)
            else:
                self._image(name, left + x, top + y)
        for (group, read), end in self.entries.items():
            way = layout.ways.get((self.home.get(read, read), group), ())
            points = [self.exits[read], *((left + x, top + y) for x, y in way), end]
            self.arrows.append(svg.line_through(points, "line"))
        parts = [*body, *self.back, *self.arrows, *self.front]
        return svg.document(width, top + layout.size.height + svg.MARGIN, title, parts)

    def _layout(self) -> BoxLayout:
        sizes = {name: _image_size(self._image_text(name)) for name in self.graph.images}
        sizes.update((name, box.size) for name, box in self.boxes.items())
        above: dict[str, list[str]] = {name: [] for name in sizes}
        for stage in self.graph.stages.values():
            home = self.home[stage.name]
            for read in self.graph.reads_of(stage):
                other = self.home.get(read, read)
                if other != home and other not in above[home]:
                    above[home].append(other)
        return laid_out(sizes, above)

    def _titles(self) -> list[str]:
        machine, method = self.machine, self.grouping.method
        outputs = self.graph.outputs
        levels = ", ".join(f"L{i + 1} {size_text(c.size)}" for i, c in enumerate(machine.caches))
        made = [
            f"{', '.join(s.name for s in outputs)}: the schedule of {method}",
            f"for {machine.name}: {machine.threads} threads, vectors of {machine.vector_bits} "
            f"bits, {levels}",
        ]
        order = realization_order([s.function for s in outputs])
        gone = [f.name for f in order if f.name not in self.graph.stages]
        if gone:
            more = f" and {len(gone) - MOST_NAMED} more" if len(gone) > MOST_NAMED else ""
            made.append(f"computed where they are read: {', '.join(gone[:MOST_NAMED])}{more}")
        return made

    def _image_text(self, name: str) -> str:
        image = self.graph.images[name]
        return f"{name}  {extents_text(image.bounds)}  {image.type}"

    def _image(self, name: str, x: float, y: float) -> None:
        words = self._image_text(name)
        size = _image_size(words)
        middle = x + size.width / 2
        self.exits[name] = (middle, y + size.height)
        self.back += [
            svg.rectangle(x, y, size.width, size.height, "image", "violet", size.height / 2),
            svg.text(middle, y + size.height / 2 + 4, words, 12, "ink", anchor="middle"),
        ]

    def _box(self, name: str, x: float, y: float) -> None:
        box = self.boxes[name]
        self.back.append(svg.rectangle(x, y, box.size.width, box.size.height, "group", "edge", 10))
        self._head(box, x + PADDING, y + PADDING)
        left, top = x + box.size.width - PADDING - box.inside.size.width, y + PADDING
        ports = {entry(r): r for r in (*self.graph.images, *self.graph.stages)}
        inner: dict[str, Point] = {}
        for part, (px, py) in box.inside.places.items():
            if part in box.chips:
                chip = box.chips[part]
                self.front += _drawn_chip(chip, left + px, top + py)
                middle = left + px + chip.size.width / 2
                inner[part] = (middle, top + py)
                self.exits[part] = (middle, top + py + chip.size.height)
            else:
                # From the border of the box on, the arrow is the group's own.
                inner[part] = (left + px + 1, y)
                self.entries[name, ports[part]] = inner[part]
        for stage in box.chips:
            for read in self.graph.reads_of(self.graph.stages[stage]):
                start = read if read in box.chips else entry(read)
                way = [(left + a, top + b) for a, b in box.inside.ways.get((start, stage), ())]
                begin = self.exits[read] if read in box.chips else inner[start]
                colour = "accent" if read in box.chips else "line"
                self.arrows.append(svg.arrow([begin, *way, inner[stage]], colour))

    def _head(self, box: GroupBox, x: float, y: float) -> None:
        line = y + 11
        for number, words in enumerate(box.head):
            colour = "soft" if number else "ink"
            self.front.append(svg.text(x, line, words, 12, colour, bold=not number))
            line += HEAD_LINE
        self.front.append(svg.circle(x + 5, line - 4, 4.5, box.colour))
        self.front.append(svg.text(x + 15, line, box.level, 12, "ink"))
        line += HEAD_LINE
        if box.share is not None:
            length = box.head_size.width - 44
            percent = f"{100 * box.share:.0f} %"
            hint = f"{percent} of the expected cost"
            filled = max(3.0, length * box.share)
            self.front += [
                svg.rectangle(x, line - 8, length, 6, "bar", None, 3, hint),
                svg.rectangle(x, line - 8, filled, 6, "accent", None, 3, hint),
                svg.text(x + length + 8, line - 1, percent, 11, "soft"),
            ]


def _image_size(words: str) -> Size:
    return Size(svg.width_of(words, 12) + 36, 30)


def _drawn_chip(chip: Chip, x: float, y: float) -> list[str]:
    size = chip.size
    fill, stroke = ("output", "accent") if chip.is_output else ("stage", "line")
    drawn = [svg.rectangle(x, y, size.width, size.height, fill, stroke, 6)]
    for number, words in enumerate(chip.lines):
        baseline = y + 17 + CHIP_LINE * number
        if number == 0:
            drawn.append(svg.text(x + 11, baseline, words, 12, "ink", bold=True))
        else:
            drawn.append(svg.text(x + 11, baseline, words, SMALL, "soft"))
    return drawn


__all__ = ["schedule_picture"]
