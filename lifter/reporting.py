"""Follows a run and reports it: as text while it goes on, or as a document at its end."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import click

from .command_line import BAD_USAGE, FAILED, INTERRUPTED, PROVED, UNDECIDED
from .diagnostic import Diagnostic
from .driver import Finished, Found, Parsed, Problem, Run, Stopped, Waiting
from .json_report import report_to_json
from .options import RunOptions
from .progress import Progress, open_progress
from .record import Record
from .show import diagnostics_to_text, function_to_text, totals_to_text


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


def report_as_text(options: RunOptions) -> int:
    """Prints each function when it is done, then the diagnostics, then the totals."""

    def show(progress: Progress, finished: Finished) -> None:
        with progress.aside():
            click.echo(function_to_text(finished.record, finished.cached))

    began = time.monotonic()
    outcome = _follow(options, show)
    findings = _findings(outcome)
    if findings:
        click.echo()
    for text in diagnostics_to_text(findings):
        click.echo(text)
    click.echo()
    if not outcome.records and not outcome.errors and not outcome.stopped:
        click.echo("no function to lift in these files")
    click.echo(totals_to_text(outcome.records, outcome.errors, time.monotonic() - began))
    proved = sum(r.status == "proved" for r in outcome.records)
    if proved:
        click.echo(f"the lifted programs are in {options.out}/")
    if outcome.stopped:
        _say_stopped(outcome, options)
    return outcome.status


def report_as_json(options: RunOptions) -> int:
    """Prints one JSON document at the end, and nothing else, on stdout."""
    outcome = _follow(options, lambda progress, finished: None)
    click.echo(report_to_json(outcome.records, outcome.diagnostics, outcome.stopped is not None))
    if outcome.stopped:
        _say_stopped(outcome, options)
    return outcome.status


def report_for_ci(options: RunOptions, form: str) -> int:
    """Prints what a CI system reads (`ci.FORMS`) at the end; GitHub's log gets the functions, too.

    GitHub reads its commands from the log that people read, so both are on stdout there.
    """
    from .ci import case_of, write_cases
    from .ci.github import log_line

    def show(progress: Progress, finished: Finished) -> None:
        if form == "github":
            with progress.aside():
                click.echo(log_line(function_to_text(finished.record, finished.cached)))

    began = time.monotonic()
    outcome = _follow(options, show)
    warnings = [warning for record in outcome.records for warning in record.warnings]
    seconds = time.monotonic() - began
    text = write_cases(
        form,
        [case_of(record) for record in outcome.records],
        [*outcome.diagnostics, *warnings],
        status=outcome.status,
        seconds=seconds,
    )
    click.echo(text, nl=False)
    if form == "github":
        click.echo(log_line(totals_to_text(outcome.records, outcome.errors, seconds)))
    if outcome.stopped:
        _say_stopped(outcome, options)
    return outcome.status


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
