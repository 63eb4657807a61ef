"""What is wrong or doubtful in a run, by place: the one list behind annotations and SARIF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ..model.diagnostic import Diagnostic, Severity
from .case import Outcome, ReportedCase
from .places import Place, Places, is_file_span

_LEVELS: dict[Outcome, Severity] = {"fail": "error", "undecided": "warning"}
_RANKS = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True, slots=True)
class Results:
    """All that a command found, for any of the forms."""

    cases: Sequence[ReportedCase]
    diagnostics: Sequence[Diagnostic]
    """About files and the run; those of functions only where no case has them."""
    status: int
    """The command's exit status."""
    command: str
    """`lift` or `lift verify`."""
    began: datetime
    """With a time zone."""
    seconds: float
    root: Path | None = None
    """The repository's root (default: that of the working directory)."""


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """One thing to show; without a place it is about the run."""

    level: Severity
    code: str
    message: str
    """One line."""
    detail: str
    place: Place | None
    function: str = ""
    """Its name; empty for what is about a file or the run."""
    verdict: str = ""
    picture: str = ""


def findings_of(results: Results, places: Places) -> list[ReportedFinding]:
    """Errors first, then warnings and notes; each by place."""
    found = [*_of_cases(results.cases, places), *_of_diagnostics(results.diagnostics, places)]

    def order(finding: ReportedFinding) -> tuple[int, str, int, int]:
        place = finding.place
        where = (place.file, place.line, place.column) if place else ("", 0, 0)
        return (_RANKS[finding.level], *where)

    return sorted(found, key=order)


def place_of(case: ReportedCase, places: Places) -> Place:
    """What a case's message is about: a part of the function, or else its first line."""
    span = case.place
    if span is not None and is_file_span(span):
        return places.of(span)
    return places.of_line(case.file, case.line)


def _of_cases(cases: Iterable[ReportedCase], places: Places) -> Iterator[ReportedFinding]:
    for case in cases:
        level = _LEVELS.get(case.outcome)
        if level is None or case.code is None:
            continue
        place = place_of(case, places)
        what = case.code, case.message, case.detail
        yield ReportedFinding(level, *what, place, case.name, case.verdict, case.picture)


def _of_diagnostics(diagnostics: Iterable[Diagnostic], places: Places) -> Iterator[ReportedFinding]:
    for diagnostic in dict.fromkeys(diagnostics):
        span = diagnostic.span
        place = places.of(span) if span is not None and is_file_span(span) else None
        helped = (f"help: {diagnostic.help}",) if diagnostic.help else ()
        yield ReportedFinding(
            diagnostic.severity,
            diagnostic.code,
            diagnostic.message,
            "\n".join((*diagnostic.notes, *helped)),
            place,
        )
