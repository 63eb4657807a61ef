"""Records of functions that were set aside, or whose process was lost."""

from __future__ import annotations

from pathlib import Path

from ..model.diagnostic import Diagnostic, Span
from ..model.kernel import Skipped
from ..model.lifted import Status
from ..model.record import STEPS, Record


def record_of_skipped(skipped: Skipped, status: Status, path: str) -> Record:
    """The record of a function that the parser set aside when it read the file `path`."""
    return Record(
        name=skipped.name,
        file=skipped.span.file,
        line=skipped.span.line,
        signature=skipped.signature,
        status=status,
        diagnostic=skipped.diagnostic,
        seconds=dict.fromkeys(STEPS, 0.0),
        source="" if status == "skipped" else _text_of(skipped.span),
        unit=path if skipped.span.file != path else "",
    )


def failure(record_for: Record, diagnostic: Diagnostic, seconds: float) -> Record:
    """The record of a function whose process didn't come back."""
    return Record(
        name=record_for.name,
        file=record_for.file,
        line=record_for.line,
        signature=record_for.signature,
        status="failed",
        params=record_for.params,
        diagnostic=diagnostic,
        seconds={**dict.fromkeys(STEPS, 0.0), "total": round(seconds, 4)},
        source=record_for.source,
        unit=record_for.unit,
    )


def _text_of(span: Span) -> str:
    """What stands there in the file; "" when it can't be read any more."""
    try:
        lines = Path(span.file).read_bytes().decode("utf-8", "replace").split("\n")
    except (OSError, ValueError):
        return ""
    return "\n".join(lines[span.line - 1 : span.end_line]).strip("\n")
