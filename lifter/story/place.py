"""The part of the source that stands in the way, with its neighbours and a caret."""

from __future__ import annotations

import linecache

from ..diagnostic import Span
from ..show import paint
from ..visible import visible

NEIGHBOURS = 2
"""Lines above and below that are shown."""

MOST_LINES = 16


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
        lines.append(f"{mark}{number:5} | {shown}".rstrip())
        if number == span.line:
            lines.append("       | " + paint(_caret(text, span), "red"))
    if high < end:
        lines.append(f"       | ... to line {end}")
    return lines


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
