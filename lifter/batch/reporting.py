"""Follows a run and reports it: as text while it goes on, or as a document at its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import click

from ..ci import case_of, write_cases
from ..ci.github import log_line
from ..ci.report_option import ReportFile
from ..command_line import BAD_USAGE, FAILED, INTERRUPTED, PROVED, UNDECIDED
from ..diagnostic import Diagnostic
from ..json_report import report_to_json
from ..options import RunOptions
from ..record import Record
from ..show import diagnostics_to_text, function_to_text, totals_to_text
from ..visible import visible_line
from .driver import Finished, Found, Parsed, Problem, Run, Stopped, Waiting
from .progress import Progress, open_progress


@dataclass(slots=True)
class _Outcome:
    """All that a run gave."""

    records: list[Record] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    """About files and the run as a whole."""
    stopped: Stopped | None = None
    cached: int = 0

    @property
    def errors(self) -> int:
        return sum(d.severity == "error" for d in self.diagnostics)

    @property
    def status(self) -> int:
        """The exit status of DESIGN section 8; bad input outweighs failures, failures doubts."""
        if self.stopped:
            return INTERRUPTED if self.stopped.signal == 2 else 128 + self.stopped.signal
        if self.errors:
            return BAD_USAGE
        states = {record.status for record in self.records}
        if "failed" in states:
            return FAILED
        return UNDECIDED if "unproved" in states else PROVED


def report(options: RunOptions, form: str, reports: Sequence[ReportFile] = ()) -> int:
    """Runs and reports in a form of `--format`; writes `reports` to their files at the end.

    Gives the exit status. As text, and in GitHub's log, a function is told when it is done; the
    other forms are one document at the end, and nothing else is on stdout. GitHub reads its
    commands from the log that people read, so both are there.
    """
    plain = log_line if form == "github" else str

    def show(progress: Progress, finished: Finished) -> None:
        if form in ("text", "github"):
            with progress.aside():
                click.echo(plain(function_to_text(finished.record, finished.cached)))

    began = time.monotonic()
    outcome = _follow(options, show)
    seconds = time.monotonic() - began
    totals = totals_to_text(outcome.records, outcome.errors, seconds)
    match form:
        case "text":
            _tell(outcome, options, totals)
        case "json":
            stopped = outcome.stopped is not None
            click.echo(report_to_json(outcome.records, outcome.diagnostics, stopped))
        case _:
            click.echo(_for_ci(outcome, form, seconds), nl=False)
            if form == "github":
                click.echo(plain(totals))
    for wanted in reports:
        wanted.write(_for_ci(outcome, wanted.form, seconds))
    if outcome.stopped:
        _say_stopped(outcome, options)
    return outcome.status


def _tell(outcome: _Outcome, options: RunOptions, totals: str) -> None:
    """What people read after the functions: the diagnostics, then the totals."""
    findings = _findings(outcome)
    if findings:
        click.echo()
    for text in diagnostics_to_text(findings):
        click.echo(text)
    click.echo()
    if not outcome.records and not outcome.errors and not outcome.stopped:
        click.echo("no function to lift in these files")
    click.echo(totals)
    if any(r.status == "proved" for r in outcome.records):
        click.echo(f"the lifted programs are in {visible_line(str(options.out))}/")


def _for_ci(outcome: _Outcome, form: str, seconds: float) -> str:
    """What a CI system reads (`ci.FORMS`)."""
    warnings = [warning for record in outcome.records for warning in record.warnings]
    return write_cases(
        form,
        [case_of(record) for record in outcome.records],
        [*outcome.diagnostics, *warnings],
        status=outcome.status,
        seconds=seconds,
    )


def _follow(options: RunOptions, show: Callable[[Progress, Finished], None]) -> _Outcome:
    outcome = _Outcome()
    progress: Progress | None = None
    try:
        for event in Run(options).events():
            match event:
                case Found():
                    progress = open_progress("lifting")
                case Parsed(_, functions, diagnostics):
                    outcome.diagnostics += diagnostics
                    if progress:
                        progress.add(functions)
                case Finished(record, cached):
                    outcome.records.append(record)
                    outcome.cached += cached
                    if progress:
                        show(progress, event)
                        progress.advance(record.status)
                case Problem(diagnostic):
                    outcome.diagnostics.append(diagnostic)
                case Waiting(running, share):
                    if progress:
                        progress.running(running, share)
                case Stopped():
                    outcome.stopped = event
    finally:
        if progress:
            progress.close()
    return outcome


def _findings(outcome: _Outcome) -> list[Diagnostic]:
    """What is worth a place and a caret: errors and warnings, each once, ordered by place."""
    found = list(outcome.diagnostics)
    for record in outcome.records:
        found += record.warnings
        if record.diagnostic is not None and record.status != "skipped":
            found.append(record.diagnostic)

    def place(diagnostic: Diagnostic) -> tuple[str, int, int]:
        span = diagnostic.span
        return (span.file, span.line, span.column) if span else ("", 0, 0)

    return sorted(dict.fromkeys(found), key=place)


def _say_stopped(outcome: _Outcome, options: RunOptions) -> None:
    done, left = len(outcome.records), outcome.stopped.left if outcome.stopped else 0
    on = "the next run lifts them again" if not options.cache else "the next run goes on from here"
    click.echo(f"lift: stopped; {done} done and kept, {left} not done: {on}", err=True)
