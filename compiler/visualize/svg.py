"""SVG as text: shapes whose colours are classes, so that they suit a light and a dark page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

MONOSPACE = 0.602
"""The width of a character of the fonts below, in parts of their size."""

MARGIN = 24.0

_FONTS = {
    "mono": "ui-monospace, 'SF Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace",
    "sans": "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif",
}

LIGHT = {
    "page": "#ffffff", "ink": "#1c2330", "soft": "#5f6b7d", "line": "#a9b3c2",
    "group": "#f5f7fa", "edge": "#d3dae4", "stage": "#ffffff", "output": "#e8f0fe",
    "accent": "#2f6bd8", "image": "#f3eefc", "violet": "#8467c9", "bar": "#e3e8ef",
    "fast": "#23875a", "near": "#2f6bd8", "far": "#b87a07", "memory": "#c6402f",
    "series0": "#2f6bd8", "series1": "#c25b00", "series2": "#00866b", "series3": "#b0408c",
    "series4": "#6f7785",
}  # fmt: skip
"""Colours by what they are for; the same names in `DARK`."""

DARK = {
    "page": "#12161d", "ink": "#e7ebf3", "soft": "#9aa6b8", "line": "#566175",
    "group": "#1a2029", "edge": "#343e4e", "stage": "#232b37", "output": "#1c3053",
    "accent": "#79a7f7", "image": "#2a2339", "violet": "#b39be8", "bar": "#303a49",
    "fast": "#57c68c", "near": "#79a7f7", "far": "#e2ad4d", "memory": "#f08273",
    "series0": "#79a7f7", "series1": "#f2a154", "series2": "#4fc9ab", "series3": "#e488c4",
    "series4": "#aab3c2",
}  # fmt: skip


def document(width: float, height: float, title: str, body: list[str]) -> str:
    """The whole picture, on a page of its own colour."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}" '
        f'width="{_n(width)}" height="{_n(height)}" role="img">'
    )
    style = (
        f"<style>{_rules(LIGHT)}@media (prefers-color-scheme: dark) {{{_rules(DARK)}}}"
        + "".join(f".{name} {{ font-family: {family}; }}\n" for name, family in _FONTS.items())
        + "</style>"
    )
    page = rectangle(0, 0, width, height, "page")
    lines = [head, f"<title>{escape(title)}</title>", style, page, *body, "</svg>"]
    return "\n".join(lines) + "\n"


def _rules(colours: Mapping[str, str]) -> str:
    fills = "".join(f".f-{name} {{ fill: {c}; }}\n" for name, c in colours.items())
    strokes = "".join(f".s-{name} {{ stroke: {c}; }}\n" for name, c in colours.items())
    return "\n" + fills + strokes


def text(
    x: float,
    y: float,
    words: str,
    size: float = 12,
    colour: str = "ink",
    font: str = "mono",
    anchor: str = "start",
    bold: bool = False,
) -> str:
    """One line, with its baseline at `y`."""
    weight = ' font-weight="600"' if bold else ""
    place = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" class="{font} f-{colour}" font-size="{_n(size)}"{weight}'
        f"{place}>{escape(words, quote=False)}</text>"
    )


def rectangle(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    stroke: str | None = None,
    radius: float = 0,
    hint: str = "",
) -> str:
    """A rectangle; `hint` is shown while the pointer rests on it."""
    line = f' class="f-{fill}"' if stroke is None else f' class="f-{fill} s-{stroke}"'
    inside = f"><title>{escape(hint)}</title></rect>" if hint else "/>"
    return (
        f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" '
        f'rx="{_n(radius)}"{line}{inside}'
    )


def circle(
    x: float, y: float, radius: float, fill: str, stroke: str | None = None, hint: str = ""
) -> str:
    line = f"f-{fill}" if stroke is None else f"f-{fill} s-{stroke}"
    inside = f"><title>{escape(hint)}</title></circle>" if hint else "/>"
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" class="{line}"{inside}'


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, dashes: str = "") -> str:
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" class="s-{stroke}"{dash}/>'
    )


def line_through(points: Sequence[tuple[float, float]], stroke: str) -> str:
    """A smooth line downwards through some points."""
    path = f"M{_n(points[0][0])} {_n(points[0][1])}"
    for (x1, y1), (x2, y2) in pairwise(points):
        bend = (y2 - y1) * 0.5
        path += f" C{_n(x1)} {_n(y1 + bend)} {_n(x2)} {_n(y2 - bend)} {_n(x2)} {_n(y2)}"
    return f'<path d="{path}" fill="none" class="s-{stroke}" stroke-width="1.3"/>'


def arrow(points: Sequence[tuple[float, float]], stroke: str) -> str:
    """Such a line with a head at the last point."""
    *way, (x, y) = points
    head = f"M{_n(x - 3.5)} {_n(y - 6)} L{_n(x + 3.5)} {_n(y - 6)} L{_n(x)} {_n(y)} Z"
    return line_through([*way, (x, y - 6)], stroke) + f'<path d="{head}" class="f-{stroke}"/>'


def time_text(seconds: float) -> str:
    """`1.25 ms`: three digits and a unit."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= factor * 0.9995:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def width_of(words: str, size: float) -> float:
    """How wide a line is in the monospaced font."""
    return len(words) * size * MONOSPACE


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
