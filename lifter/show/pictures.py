"""Counterexamples as pictures of pixels: SVG for a page, shades of text for a log.

A table of one or two coordinates is a grey picture, with a third of at most four places (the
channels) a coloured one. Numbers are scaled to what the type can hold where that is a pixel's, else
to what the tables hold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..model.counterexample import Cell, CounterexampleTables, ValueTable

Colour = tuple[int, int, int]

_SHADES = " ░▒▓█"
_WRONG = "✗"
_UNKNOWN: Colour = (214, 219, 228)
"""Of an element that the array hasn't, or of which nothing is known."""
_SAME: Colour = (236, 239, 243)
_MOST_CHANNELS = 4
_FULL = {"uint8": 255.0, "uint16": 65535.0, "bool": 1.0}


@dataclass(frozen=True, slots=True)
class Picture:
    """Rows of colours, from the top; `levels` are the shades from 0 to 1, None for no element."""

    title: str
    rows: tuple[tuple[Colour, ...], ...]
    levels: tuple[tuple[float | None, ...], ...]
    wrong: frozenset[tuple[int, int]] = frozenset()
    """Columns and rows at which the results differ."""

    @property
    def width(self) -> int:
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        return len(self.rows)


def pictures_of(example: CounterexampleTables) -> list[Picture]:
    """What was there before, what each side leaves, and where that differs; none for numbers that
    are no picture (single values)."""
    tables = [t for t in example.inputs if t.coordinates]
    if not example.original.coordinates:
        return []
    low, high = _range([*tables, example.original, example.candidate])
    wrong = frozenset(example.differences())
    found = [_picture(t, f"{t.name} before", low, high) for t in tables]
    output = example.output
    theirs = _picture(example.original, f"{output} after, by the original", low, high)
    ours = _picture(example.candidate, f"{output} after, by the candidate", low, high)
    return [*found, theirs, ours, _difference(example, wrong)]


def rectangles(picture: Picture) -> str:
    """The picture as elements of an SVG whose view box is its width and height; equal neighbours in
    a row are one."""
    found = []
    for y, row in enumerate(picture.rows):
        start = 0
        for x in range(1, len(row) + 1):
            if x == len(row) or row[x] != row[start]:
                fill = "".join(f"{v:02x}" for v in row[start])
                found.append(
                    f'<rect x="{start}" y="{y}" width="{x - start}" height="1" fill="#{fill}"/>'
                )
                start = x
    return "".join(found)


def shades(picture: Picture) -> list[str]:
    """The picture in characters, two an element: light ones are large numbers."""
    lines = [picture.title]
    for y, row in enumerate(picture.levels):
        cells = [
            _WRONG if (x, y) in picture.wrong else "·" if level is None else _shade(level)
            for x, level in enumerate(row)
        ]
        lines.append("|" + "".join(cell * 2 for cell in cells) + "|")
    return lines


def _shade(level: float) -> str:
    return _SHADES[min(len(_SHADES) - 1, int(level * len(_SHADES)))]


def _range(tables: Sequence[ValueTable]) -> tuple[float, float]:
    """What is black and what is white."""
    elements = {t.element for t in tables}
    if elements <= _FULL.keys():
        return 0.0, max(_FULL[e] for e in elements)
    known = [float(v) for t in tables for v in t.values if v is not None and math.isfinite(v)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    return (low, high) if high > low else (low - 1.0, low + 1.0)


def _level(value: Cell, low: float, high: float) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    return min(1.0, max(0.0, (float(value) - low) / (high - low)))


def _plane(table: ValueTable) -> tuple[range, range, range | None, tuple[int, ...]]:
    """Columns, rows, channels if there are any, and the place of what else it has."""
    sides = [range(o, o + e) for o, e in zip(table.origin, table.extents, strict=True)]
    rank = len(sides)
    rest = table.origin[2:]
    if rank == 3 and len(sides[2]) <= _MOST_CHANNELS and len(sides[2]) > 1:
        return sides[0], sides[1], sides[2], ()
    return sides[0], sides[1] if rank > 1 else range(1), None, rest


def _point(table: ValueTable, x: int, y: int, rest: tuple[int, ...]) -> tuple[int, ...]:
    return (x, y, *rest)[: len(table.coordinates)]


def _picture(table: ValueTable, title: str, low: float, high: float) -> Picture:
    columns, rows, channels, rest = _plane(table)
    colours, levels = [], []
    for y in rows:
        line: list[Colour] = []
        own: list[float | None] = []
        for x in columns:
            places = (rest,) if channels is None else [(c,) for c in channels]
            found = [_level(table.at(*_point(table, x, y, p)), low, high) for p in places]
            known = [f for f in found if f is not None]
            line.append(_colour(found))
            own.append(sum(known) / len(known) if known else None)
        colours.append(tuple(line))
        levels.append(tuple(own))
    return Picture(title, tuple(colours), tuple(levels))


def _colour(levels: Sequence[float | None]) -> Colour:
    if all(level is None for level in levels):
        return _UNKNOWN
    tones = [round(255 * (level or 0.0)) for level in levels[:3]]
    if len(tones) < 3:
        tones = [tones[0]] * 3 if len(tones) == 1 else [*tones, 0]
    return tones[0], tones[1], tones[2]


def _difference(example: CounterexampleTables, wrong: frozenset[tuple[int, ...]]) -> Picture:
    """Red where the two differ: the darker, the more."""
    table = example.original
    columns, rows, channels, rest = _plane(table)
    places = (rest,) if channels is None else [(c,) for c in channels]
    colours, levels = [], []
    marked: set[tuple[int, int]] = set()
    for j, y in enumerate(rows):
        line: list[Colour] = []
        for i, x in enumerate(columns):
            points = [_point(table, x, y, p) for p in places]
            if any(p in wrong for p in points):
                marked.add((i, j))
                line.append((200, 30, 40))
            elif all(table.at(*p) is None for p in points):
                line.append(_UNKNOWN)
            else:
                line.append(_SAME)
        colours.append(tuple(line))
        levels.append((0.0,) * len(columns))
    return Picture("difference", tuple(colours), tuple(levels), frozenset(marked))


__all__ = ["Picture", "pictures_of", "rectangles", "shades"]
