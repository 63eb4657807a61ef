"""The part of the source that stands in the way, with its neighbours and a caret."""

from __future__ import annotations

import linecache

from ..model.diagnostic import Span
from ..show.terminal import WIDTH, paint
from ..show.visible import visible

NEIGHBOURS = 2
"""Lines above and below that are shown."""

MOST_LINES = 16
_ROOM = WIDTH - 12
"""Columns of source text that are shown."""


def excerpt(span: Span, last: int | None = None) -> list[str]:
    """The lines around `span`, or up to line `last` of a loop nest; a caret below the place."""
    linecache.checkcache(span.file)
    source = linecache.getlines(span.file)
    if not 0 < span.line <= len(source):
        return []
    end = max(span.line, last or span.line)
    low = max(1, span.line - NEIGHBOURS)
    high = min(len(source), end + NEIGHBOURS, low + MOST_LINES - 1)
    lines = []
    for number in range(low, high + 1):
        text = source[number - 1].rstrip("\r\n")
        shown = visible(text).expandtabs(4)
        mark = ">" if span.line <= number <= end else " "
        if number != span.line:
            lines.append(f"{mark}{number:5} | {_clipped(shown, 0)}".rstrip())
            continue
        caret = _caret(text, span)
        begin = max(0, len(caret) - len(caret.lstrip()) - _ROOM // 2)
        begin = begin if len(shown) > _ROOM else 0
        lines.append(f"{mark}{number:5} | {_clipped(shown, begin)}".rstrip())
        lines.append("       | " + paint(caret[begin : begin + _ROOM], "red"))
    if high < end:
        lines.append(f"       | ... to line {end}")
    return lines


def _clipped(text: str, begin: int) -> str:
    """`text` from a column on, in the room of a line; dots say what is cut."""
    shown = text[begin : begin + _ROOM]
    if begin:
        shown = "..." + shown[3:]
    return shown if len(text) <= begin + _ROOM else shown[:-3] + "..."


def _caret(text: str, span: Span) -> str:
    before = visible(text[: span.column - 1]).expandtabs(4)
    length = 1
    if span.end_line == span.line and span.end_column > span.column:
        length = len(visible(text[: span.end_column - 1]).expandtabs(4)) - len(before)
    return " " * len(before) + "^" + "~" * (max(1, length) - 1)


def line_of(file: str, number: int) -> str:
    """One line of a file, "" when there is none."""
    linecache.checkcache(file)
    return linecache.getline(file, number)
