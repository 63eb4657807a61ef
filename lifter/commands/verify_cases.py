"""Findings as the cases of CI reports."""

from __future__ import annotations

from collections.abc import Iterable

from ..checking.finding import EXPLAINED, Finding
from ..ci.case import Outcome, ReportedCase, picture_of
from ..model.counterexample import CounterexampleTables
from ..show.counterexample_text import counterexample_to_text

_OUTCOMES: dict[str, Outcome] = {
    "equal": "pass",
    "changed": "pass",
    "not-equal": "fail",
    "gone": "fail",
    "unreadable": "fail",
    "undecided": "undecided",
    "new": "skip",
}
_CODES = {
    "not-equal": "not-equal",
    "gone": "gone",
    "unreadable": "unreadable-summary",
    "undecided": "undecided",
    "new": "no-summary",
}
_WIDTH = 100


def cases_of(findings: Iterable[Finding], new_is_error: bool = False) -> list[ReportedCase]:
    """A case for each finding, in order."""
    return [_case(finding, new_is_error) for finding in findings]


def _case(finding: Finding, new_is_error: bool) -> ReportedCase:
    outcome, code = _OUTCOMES[finding.verdict], _CODES.get(finding.verdict)
    message, detail = finding.message, list(finding.notes)
    if finding.verdict == "new" and new_is_error:
        outcome = "fail"
    if finding.counterexample is not None:
        detail.append(
            counterexample_to_text(CounterexampleTables.from_json(finding.counterexample), _WIDTH)
        )
    found = finding.recheck
    if found is not None and outcome == "pass" and (found.wrong or found.unanswered):
        outcome, code = ("fail", "certificate") if found.wrong else ("undecided", "undecided")
        message = (*found.wrong, *found.unanswered)[0]
        detail += [*found.wrong, *found.unanswered]
    return ReportedCase(
        name=finding.name,
        file=finding.file,
        line=finding.line,
        end=finding.end,
        verdict=EXPLAINED[finding.verdict],
        outcome=outcome,
        code=code if outcome != "pass" else None,
        message=" ".join(message.split()),
        detail=_plain("\n".join(detail)),
        picture=picture_of(finding.counterexample),
        seconds=finding.seconds,
    )


def _plain(text: str) -> str:
    """Without a terminal's colours."""
    import click

    return click.unstyle(text)
