"""The picture of a function's stages: arrays that come in at the left, what is computed after them.

Boxes are placed by `compiler.visualize.laid_out` (layers, as few bends as a few sweeps give), on
their side: data goes from left to right, so that the usual graph of one stage is a flat strip.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from compiler.visualize import BoxLayout, Size, laid_out

from ..model.record import Record, StageRecord
from .plain_text import escaped, visible

_CHARACTER = 7.3
"""The width of a character of the fonts below at 12 px."""
_HEIGHT = 42.0
_LONGEST = 36
_READ = re.compile(r"[A-Za-z_][\w.:]*(?=\()")


@dataclass(frozen=True, slots=True)
class _Node:
    title: str
    detail: str
    kind: str
    """`in`, `stage`, or `out`: a stage whose array the caller sees."""

    @property
    def size(self) -> Size:
        """On its side, as `laid_out` wants it."""
        longest = max(len(self.title), len(self.detail) * 0.88)
        return Size(_HEIGHT, longest * _CHARACTER + 26)


def stage_graph(record: Record) -> Markup | None:
    """The picture as SVG, or None where there is no stage."""
    if not record.stages:
        return None
    nodes, reads = _graph(record)
    layout = laid_out({key: node.size for key, node in nodes.items()}, reads, gap=12, layer_gap=44)
    body = [_edge(nodes, layout, a, b) for b, sources in reads.items() for a in sources]
    body += [_box(node, layout.places[key]) for key, node in nodes.items()]
    width, height = layout.size.height + 2, layout.size.width + 2
    told = escaped("; ".join(_sentence(nodes, key, reads[key]) for key in reads if reads[key]))
    return Markup(  # of numbers and escaped names
        f'<svg class=graph viewBox="-1 -1 {width:.0f} {height:.0f}" width={width:.0f} '
        f'height={height:.0f} role=img aria-label="{told or "stages"}">{"".join(body)}</svg>'
    )


def region_of(stage: StageRecord) -> str:
    """`cols × rows`, or with bounds where it doesn't begin at 0."""
    if all(low == "0" for low, _ in stage.roi):
        several = len(stage.roi) > 1
        extents = [f"({high})" if several and " " in high else high for _, high in stage.roi]
        return " × ".join(extents) or "one point"
    return " × ".join(f"[{low}, {high})" for low, high in stage.roi)


def arrays_read(stage: StageRecord, known: Sequence[str]) -> list[str]:
    """Which of the arrays `known` a stage reads, in the order in which its terminals name them."""
    told = [*stage.terminals, stage.definition.partition(" = ")[2]]
    found = dict.fromkeys(name for text in told for name in _READ.findall(text))
    return [name for name in found if name in known]


def _graph(record: Record) -> tuple[dict[str, _Node], dict[str, list[str]]]:
    """The boxes by key, those that are read first, and for each the keys of what it reads."""
    callers = {p["name"]: p for p in record.params if p["role"] != "scalar"}
    arrays = [*callers, *(stage.output for stage in record.stages)]
    latest: dict[str, str] = {}
    inputs: dict[str, _Node] = {}
    stages: dict[str, _Node] = {}
    reads: dict[str, list[str]] = {}
    for number, stage in enumerate(record.stages):
        key = f"stage {number}"
        reads[key] = []
        for array in arrays_read(stage, arrays):
            if array not in latest:
                source = f"in {array}"
                detail = callers[array]["type"] if array in callers else "as it was"
                inputs[source] = _Node(_short(array), _short(detail), "in")
                latest[array] = source
            reads[key].append(latest[array])
        kind = "" if stage.kind == "pure" else f"{stage.kind}, "
        is_last = stage.output not in (later.output for later in record.stages[number + 1 :])
        seen = "out" if stage.output in callers and is_last else "stage"
        stages[key] = _Node(_short(stage.output), _short(kind + region_of(stage)), seen)
        latest[stage.output] = key
    return inputs | stages, {**{key: [] for key in inputs}, **reads}


def _short(text: str) -> str:
    text = visible(text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _sentence(nodes: Mapping[str, _Node], key: str, sources: Sequence[str]) -> str:
    return f"{nodes[key].title} reads {', '.join(nodes[s].title for s in sources)}"


def _box(node: _Node, place: tuple[float, float]) -> str:
    y, x = place
    width, height = node.size.height, node.size.width
    return (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx=6 '
        f'class="g-{node.kind}"/><text x="{x + 13:.0f}" y="{y + 18:.0f}">{escaped(node.title)}'
        f'</text><text x="{x + 13:.0f}" y="{y + 33:.0f}" class=g-d>{escaped(node.detail)}</text>'
    )


def _edge(nodes: Mapping[str, _Node], layout: BoxLayout, source: str, target: str) -> str:
    """A curve from the right of one box to the left of another, with a head."""
    y1, x1 = layout.places[source]
    y2, x2 = layout.places[target]
    size = nodes[source].size
    points = [(x1 + size.height, y1 + size.width / 2)]
    points += [(x, y) for y, x in layout.ways.get((source, target), ())]
    end = (x2 - 6, y2 + nodes[target].size.width / 2)
    path = f"M{points[0][0]:.0f} {points[0][1]:.0f}"
    for (ax, ay), (bx, by) in zip(points, [*points[1:], end], strict=True):
        bend = (bx - ax) / 2
        path += f"C{ax + bend:.0f} {ay:.0f} {bx - bend:.0f} {by:.0f} {bx:.0f} {by:.0f}"
    head = f"M{end[0]:.0f} {end[1] - 4:.0f}l6 4-6 4z"
    return f'<path class=g-e d="{path}"/><path class=g-h d="{head}"/>'
