"""Text for people: functions, diagnostics and totals, for a terminal of 100 columns or a pipe."""

from __future__ import annotations

import linecache
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..model.diagnostic import Diagnostic
from ..model.record import PreconditionRecord, Record
from .visible import visible, visible_line

WIDTH = 100
_INDENT = " " * 10
_STATUS_COLOURS = {
    "proved": "green",
    "unproved": "yellow",
    "failed": "red",
    "skipped": "bright_black",
}
_SEVERITY_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
STATUSES = ("proved", "unproved", "failed", "skipped")


def paint(text: str, colour: str | None = None, bold: bool = False) -> str:
    """`text` in a colour; what is printed to a pipe loses it again (`click.echo` does that)."""
    import click

    return click.style(text, fg=colour, bold=bold or None)


def verdicts_to_text(
    verdicts: Iterable[str], words: Mapping[str, str], colours: Mapping[str, str], seconds: float
) -> str:
    """How many there are of each verdict, in its words: the last line of a comparison."""
    counts = Counter[str](verdicts)
    parts = [
        paint(f"{counts[name]} {words[name]}", colours[name])
        for name in words
        if counts[name] or name == "equal"
    ]
    return f"{', '.join(parts)} in {seconds:.1f} s"


def shorten(text: str, width: int) -> str:
    """`text` on one line of at most `width` characters."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def wrapped(text: str, indent: str, hang: str, most: int | None = None) -> list[str]:
    """`text` in lines of the width; those after the first hang in, the last of `most` is cut."""
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
    if most is not None and len(lines) > most:
        rest = " ".join(line.strip() for line in lines[most - 1 :])
        place = indent + hang if most > 1 else indent
        lines[most - 1 :] = [place + shorten(rest, WIDTH - len(place))]
    return lines


def function_to_text(record: Record, cached: bool = False) -> str:
    """One function: status, name, place, seconds; then its definition and what it assumes.

    The first line holds no more than its columns, so that it can be searched and cut; the
    definitions and the assumptions stand below it, indented.
    """
    status = paint(f"{record.status:8}", _STATUS_COLOURS[record.status])
    place = f"{visible_line(record.file)}:{record.line}"
    head = f"{status}  {paint(f'{record.name:22}', bold=True)}  {place}"
    used = 10 + max(22, len(record.name)) + 2 + len(place)
    if record.status == "skipped" and record.diagnostic is not None:
        code = f"[{record.diagnostic.code}]"
        room = max(20, WIDTH - used - 3 - len(code))
        return f"{head}  {shorten(visible(record.diagnostic.message), room)} {code}"
    spent = "earlier" if cached else f"{record.seconds.get('total', 0.0):.2f} s"
    lines = [head + " " * max(1, WIDTH - used - len(spent)) + spent]
    if record.status in ("proved", "unproved"):
        for stage in record.stages:
            lines += wrapped(stage.definition, _INDENT, "  ", most=2)
        if record.preconditions:
            text = "assumes " + "; ".join(preconditions_to_text(record.preconditions))
            lines += wrapped(text, _INDENT, " " * 8)
    if record.regions:
        count = len(record.regions)
        lines.append(f"{_INDENT}{record.proved_regions} of {count} loops proved")
    elif record.status != "proved" and record.diagnostic is not None:
        code = record.diagnostic.code
        message = visible(record.diagnostic.message)
        lines.append(_INDENT + shorten(message, WIDTH - 14 - len(code)))
        lines[-1] += f" [{code}]"
    return "\n".join(lines)


def preconditions_to_text(preconditions: Sequence[PreconditionRecord]) -> list[str]:
    """Each precondition's text, those about arrays that don't overlap drawn together."""
    texts = [p.text for p in preconditions if p.kind in ("formula", "not-null", "limit")]
    apart: dict[str, list[str]] = {}
    for precondition in preconditions:
        if precondition.kind == "disjoint":
            one, other = precondition.arrays
            apart.setdefault(one, []).append(other)
    texts += [f"{one} doesn't overlap {_listed(others)}" for one, others in apart.items()]
    rows = [p.arrays[0] for p in preconditions if p.kind == "rows"]
    return texts + ([f"the rows of {_listed(rows)} are evenly spaced"] if rows else [])


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def diagnostics_to_text(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """All of them in full, but for notes: of each kind of note, the first in full."""
    shown: set[str] = set()
    texts = []
    for diagnostic in diagnostics:
        brief = diagnostic.severity == "note" and diagnostic.code in shown
        texts.append(_headline(diagnostic) if brief else diagnostic_to_text(diagnostic))
        shown.add(diagnostic.code)
    return texts


def diagnostic_to_text(diagnostic: Diagnostic) -> str:
    """`file:line:col: error: message [code]`, the source line, a caret, the notes and the help."""
    lines = [_headline(diagnostic)]
    if diagnostic.span:
        lines += _excerpt(diagnostic)
    for note in diagnostic.notes:
        first, *rest = visible(note).splitlines() or [""]
        lines.append(f"  note: {first}")
        lines += [f"        {line}" for line in rest]
    if diagnostic.help:
        lines.append(f"  {paint('help:', 'green')} {visible(diagnostic.help)}")
    return "\n".join(lines)


def _headline(diagnostic: Diagnostic) -> str:
    place = paint(f"{visible_line(str(diagnostic.span))}: ", bold=True) if diagnostic.span else ""
    severity = paint(f"{diagnostic.severity}:", _SEVERITY_COLOURS[diagnostic.severity], bold=True)
    return f"{place}{severity} {visible(diagnostic.message)} [{diagnostic.code}]"


def _excerpt(diagnostic: Diagnostic) -> list[str]:
    """The source line with a caret below the place, tabs made visible widths."""
    span = diagnostic.span
    assert span is not None
    linecache.checkcache(span.file)
    source = linecache.getline(span.file, span.line).rstrip("\n")
    if not source.strip():
        return []
    before = visible(source[: span.column - 1]).expandtabs(4)
    shown = visible(source).expandtabs(4)
    number = f"{span.line:5} | "
    length = 1
    if span.end_line == span.line and span.end_column > span.column:
        length = len(visible(source[: span.end_column - 1]).expandtabs(4)) - len(before)
    marks = "^" + "~" * (max(1, length) - 1)
    colour = _SEVERITY_COLOURS[diagnostic.severity]
    return [number + shown, " " * 6 + "| " + " " * len(before) + paint(marks, colour)]


def totals_to_text(records: Iterable[Record], errors: int, seconds: float) -> str:
    """The last line: how many functions of each status, and the wall time."""
    counts = Counter[str](record.status for record in records)
    parts = [paint(f"{counts[s]} {s}", _STATUS_COLOURS[s] if counts[s] else None) for s in STATUSES]
    if errors:
        parts.append(paint(f"{errors} error{'s' if errors > 1 else ''} in the input", "red"))
    return f"{', '.join(parts)} in {seconds:.1f} s"
