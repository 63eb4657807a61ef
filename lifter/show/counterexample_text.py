"""Counterexamples as small aligned tables for a terminal, a log or a CI report.

```
with n = 2
    s before         d after, by the original   d after, by the candidate
    x  0    1        x  0    1                  x   0   1
       1  255           1  [0]                      1  [256]
1 element differs: d(1) is 0 in the original, 256 in the candidate
```
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from ..model.counterexample import SHOWN_CELLS, CounterexampleTables, Number, ValueTable, float_text

_Paint = Callable[[str], str]
_GAP = 4
_INDENT = 2


@dataclass(frozen=True, slots=True)
class _Block:
    """One table: its lines, and the same lines in colours."""

    plain: list[str]
    painted: list[str]

    @property
    def width(self) -> int:
        return max(map(len, self.plain), default=0)


def counterexample_to_text(
    example: CounterexampleTables,
    width: int = 100,
    names: tuple[str, str] = ("the original", "the candidate"),
) -> str:
    """Scalars, inputs, and both results side by side; differing values stand in [brackets].
    `names` are what the two are called.

    At most `SHOWN_CELLS` rows and columns of each table, around the first difference; what is cut
    is said. ASCII but for the names; colours are for a terminal (`click.echo` takes them away
    elsewhere).
    """
    lines = []
    if example.scalars:
        scalars = ", ".join(f"{n} = {_scalar(v)}" for n, v in example.scalars.items())
        lines += textwrap.wrap(f"with {scalars}", width, subsequent_indent="     ")
    inputs = [
        _block(table, f"{table.name} before", frozenset(), _centre(table, example), _whole)
        for table in example.inputs
        if table.values
    ]
    lines += _side_by_side(inputs, width)
    wrong, first = frozenset(example.differences()), example.first
    after = f"{example.output} after, by"
    results = [
        _block(example.original, f"{after} {names[0]}", wrong, first, _right),
        _block(example.candidate, f"{after} {names[1]}", wrong, first, _wrong),
    ]
    lines += _side_by_side(results, width)
    return "\n".join([*lines, *textwrap.wrap(_conclusion(example, names), width)])


def _conclusion(example: CounterexampleTables, names: tuple[str, str]) -> str:
    here = _place(example.output, example.first) if example.first else example.output
    theirs = example.original.text(example.original.at(*example.first))
    ours = example.candidate.text(example.candidate.at(*example.first))
    what = f"{here} is {theirs} in {names[0]}, {ours} in {names[1]}"
    if not example.first:
        return what
    many = f"{example.differing} elements differ, first"
    return f"{many if example.differing > 1 else '1 element differs:'} {what}"


def _place(name: str, point: Sequence[int]) -> str:
    return f"{name}({', '.join(map(str, point))})"


def _scalar(value: Number) -> str:
    return float_text(value, "float64") if isinstance(value, float) else str(int(value))


def _centre(table: ValueTable, example: CounterexampleTables) -> tuple[int, ...]:
    """What to show of an input: where the results differ, if it has the same coordinates."""
    first = example.first
    return first if len(first) == len(table.coordinates) else table.origin


def _whole(text: str) -> str:
    return text


def _right(text: str) -> str:
    from .terminal import paint

    return paint(text, "green", bold=True)


def _wrong(text: str) -> str:
    from .terminal import paint

    return paint(text, "red", bold=True)


def _block(
    table: ValueTable,
    title: str,
    marked: Set[tuple[int, ...]],
    centre: tuple[int, ...],
    paint: _Paint,
) -> _Block:
    rank = len(table.coordinates)
    if rank == 0:
        text = table.text(table.values[0])
        return _Block([title, f"  {text}"], [title, f"  {paint(text) if marked else text}"])
    centre = _within(table, centre)
    columns = _window(table.origin[0], table.extents[0], centre[0])
    rows = _window(table.origin[1], table.extents[1], centre[1]) if rank > 1 else range(1)
    rest = centre[2:]
    plane = ", ".join(f"{n} = {v}" for n, v in zip(table.coordinates[2:], rest, strict=True))
    heads = [title if not plane else f"{title}, {plane}"]
    corner = (
        table.coordinates[0] if rank == 1 else f"{table.coordinates[1]}\\{table.coordinates[0]}"
    )
    cells = []
    for y in rows:
        points = [(x, y, *rest)[:rank] for x in columns]
        cells.append([(table.text(table.at(*p)), p in marked) for p in points])
    side = [""] if rank == 1 else [str(y) for y in rows]
    return _aligned(heads, corner, side, [str(x) for x in columns], cells, _cut(table), paint)


def _aligned(
    heads: list[str],
    corner: str,
    side: list[str],
    top: list[str],
    cells: list[list[tuple[str, bool]]],
    cut: list[str],
    paint: _Paint,
) -> _Block:
    lead = max(len(corner), *map(len, side))
    shown = [text for row in cells for text, _ in row]
    room = max(map(len, (*top, *shown)), default=1)
    header = corner.rjust(lead) + " " + "".join(f" {t.rjust(room)} " for t in top)
    plain, painted = [*heads, header.rstrip()], [*heads, header.rstrip()]
    for name, row in zip(side, cells, strict=True):
        bare = coloured = name.rjust(lead) + " "
        for text, is_marked in row:
            cell = f"[{text}]".rjust(room + 2) if is_marked else f" {text.rjust(room)} "
            bare += cell
            coloured += paint(cell) if is_marked else cell
        plain.append(bare.rstrip())
        painted.append(coloured.rstrip())
    return _Block(plain + cut, painted + cut)


def _within(table: ValueTable, point: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        min(max(p, low), low + extent - 1)
        for p, low, extent in zip(point, table.origin, table.extents, strict=True)
    )


def _window(low: int, extent: int, centre: int) -> range:
    """At most `SHOWN_CELLS` places of a side, around `centre`."""
    if extent <= SHOWN_CELLS:
        return range(low, low + extent)
    first = min(max(centre - SHOWN_CELLS // 2, low), low + extent - SHOWN_CELLS)
    return range(first, first + SHOWN_CELLS)


def _cut(table: ValueTable) -> list[str]:
    """What of a table isn't shown, as lines below it."""
    sides = zip(table.coordinates, table.origin, table.extents, strict=True)
    long = [
        f"{name} from {low} to {low + extent - 1}"
        for i, (name, low, extent) in enumerate(sides)
        if extent > (SHOWN_CELLS if i < 2 else 1)
    ]
    lines = [f"(cut: it has {', '.join(long)})"] if long else []
    if table.left_out:
        lines.append(f"(and {table.left_out} more outside)")
    return lines


def _side_by_side(blocks: list[_Block], width: int) -> list[str]:
    """The blocks from left to right, as many as fit, then below."""
    lines: list[str] = []
    group: list[_Block] = []
    used = _INDENT
    for block in blocks:
        if group and used + _GAP + block.width > width:
            lines += _joined(group)
            group, used = [], _INDENT
        used += block.width + (_GAP if group else 0)
        group.append(block)
    return [*lines, *_joined(group)]


def _joined(group: list[_Block]) -> list[str]:
    lines = []
    for number in range(max((len(b.plain) for b in group), default=0)):
        line, behind = "", 0
        for block in group:
            line += " " * (behind + (_GAP if line or behind else _INDENT))
            plain = block.plain[number] if number < len(block.plain) else ""
            line += block.painted[number] if plain else ""
            behind = block.width - len(plain)
        lines.append(line.rstrip())
    return lines
