"""Findings about twins as the cases of CI reports."""

from __future__ import annotations

from collections.abc import Iterable

from ..ci.case import Outcome, ReportedCase, picture_of
from ..model.counterexample import CounterexampleTables
from ..show.counterexample_text import counterexample_to_text
from ..twins.finding import EXPLAINED, Finding

_OUTCOMES: dict[str, Outcome] = {
    "equal": "pass",
    "not-equal": "fail",
    "undecided": "undecided",
    "unreadable": "fail",
}
_CODES = {"not-equal": "not-equal", "undecided": "undecided", "unreadable": "no-twins"}
_WIDTH = 100


def cases_of(findings: Iterable[Finding]) -> list[ReportedCase]:
    """A case for each pair, in order; it stands where the second function does."""
    return [_case(finding) for finding in findings]


def _case(finding: Finding) -> ReportedCase:
    import click

    second = finding.second
    detail = list(finding.notes)
    if finding.counterexample is not None:
        detail.append(counterexample_text(finding, _WIDTH))
    if finding.preconditions and finding.verdict == "not-equal":
        detail.append(f"where {' and '.join(finding.preconditions)}")
    return ReportedCase(
        name=finding.name,
        file=second.file,
        line=second.line,
        end=second.end,
        verdict=EXPLAINED[finding.verdict],
        outcome=_OUTCOMES[finding.verdict],
        code=_CODES.get(finding.verdict),
        message=" ".join(finding.message.split()),
        detail=click.unstyle("\n".join(detail)),
        picture=picture_of(finding.counterexample),
        seconds=finding.seconds,
    )


def counterexample_text(finding: Finding, width: int) -> str:
    """The input and what both functions leave, as tables."""
    assert finding.counterexample is not None
    tables = CounterexampleTables.from_json(finding.counterexample)
    return counterexample_to_text(tables, width, (finding.first.name, finding.second.name))
