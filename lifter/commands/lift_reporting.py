"""Follows a run and reports it: as text while it goes on, or as a document at its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import click

from ..batch.baseline import Baseline, baseline_text, read_baseline
from ..batch.driver import FileParsed, FilesFound, Finished, Problem, Run, Stopped, Waiting
from ..batch.headers import one_for_each_header
from ..batch.workers import Workers
from ..ci import ReportedCase, case_of, write_cases
from ..ci.github import log_line
from ..ci.report_option import BASELINE, ReportFile
from ..command_line import BAD_USAGE, FAILED, INTERRUPTED, PROVED, UNDECIDED
from ..model.diagnostic import Diagnostic
from ..model.record import Record
from ..settings.options import RunOptions
from ..show.json_report import report_to_json
from ..show.progress import Progress, open_progress
from ..show.terminal import diagnostics_to_text, function_to_text, totals_to_text
from ..show.visible import visible_line


@dataclass(slots=True)
class _Outcome:
    """All that a run gave."""

    records: list[Record] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    """About files and the run as a whole."""
    stopped: Stopped | None = None
    cached: int = 0
    baseline: Baseline | None = None

    @property
    def errors(self) -> int:
        return sum(d.severity == "error" for d in self.diagnostics)

    @property
    def status(self) -> int:
        """The exit status (docs/design.md); bad input outweighs failures, failures doubts."""
        if self.stopped:
            return INTERRUPTED if self.stopped.signal == 2 else 128 + self.stopped.signal
        if self.errors:
            return BAD_USAGE
        states = {record.status for record in self.records if not self.accepts(record)}
        if "failed" in states:
            return FAILED
        return UNDECIDED if "unproved" in states else PROVED

    def accepts(self, record: Record) -> bool:
        return self.baseline is not None and self.baseline.accepts(record)


def report(
    options: RunOptions,
    form: str,
    reports: Sequence[ReportFile] = (),
    baseline: Path | None = None,
    quiet: bool = False,
) -> int:
    """Runs and reports in a form of `--format`; writes `reports` to their files at the end.

    Gives the exit status. As text, and in GitHub's log, a function is told when it is done; the
    other forms are one document at the end, and nothing else is on stdout. GitHub reads its
    commands from the log that people read, so both are there. What is in the file `baseline` is
    accepted; `quiet` leaves out progress and what is in order. Raises `LiftError` for a baseline
    that can't be read, before any work.
    """
    known = None if baseline is None else read_baseline(baseline)
    plain = log_line if form == "github" else str

    def show(progress: Progress, finished: Finished) -> None:
        in_order = finished.record.status in ("proved", "skipped") or (
            known is not None and known.accepts(finished.record)
        )
        if form in ("text", "github") and not (quiet and in_order):
            with progress.aside():
                click.echo(plain(function_to_text(finished.record, finished.cached)))

    began = time.monotonic()
    outcome = _follow(options, show, quiet)
    outcome.baseline = known
    seconds = time.monotonic() - began
    totals = totals_to_text(outcome.records, outcome.errors, seconds)
    match form:
        case "text":
            _tell(outcome, options, totals, quiet)
        case "json":
            stopped = outcome.stopped is not None
            click.echo(report_to_json(outcome.records, outcome.diagnostics, stopped))
        case _:
            click.echo(_for_ci(outcome, form, seconds), nl=False)
            if form == "github":
                click.echo(plain(totals))
    for wanted in reports:
        if wanted.form == BASELINE:
            wanted.write(baseline_text(outcome.records))
        else:
            wanted.write(_for_ci(outcome, wanted.form, seconds))
    if outcome.stopped:
        _say_stopped(outcome, options)
    return outcome.status


def _tell(outcome: _Outcome, options: RunOptions, totals: str, quiet: bool) -> None:
    """What people read after the functions: the diagnostics, then the totals."""
    findings = one_for_each_header(_findings(outcome))
    if quiet:
        findings = [d for d in findings if d.severity != "note"]
    if findings:
        click.echo()
    for text in diagnostics_to_text(findings):
        click.echo(text)
    if not quiet or findings:
        click.echo()
    if not outcome.records and not outcome.errors and not outcome.stopped:
        click.echo("no function to lift in these files")
    click.echo(totals)
    if outcome.baseline is not None:
        _tell_baseline(outcome, outcome.baseline)
    if not quiet and any(r.status == "proved" for r in outcome.records):
        click.echo(f"the lifted programs are in {visible_line(str(options.out))}/")


def _tell_baseline(outcome: _Outcome, baseline: Baseline) -> None:
    """How the run stands to what was accepted."""
    accepted = sum(map(outcome.accepts, outcome.records))
    worse = sum(
        r.status in ("failed", "unproved") and not outcome.accepts(r) for r in outcome.records
    )
    click.echo(f"baseline: {accepted} accepted, {worse} new")
    outlived = baseline.outlived(outcome.records)
    if outlived:
        names = visible_line(", ".join(outlived[:5])) + (" ..." if len(outlived) > 5 else "")
        click.echo(f"the baseline lists {len(outlived)} that it needn't any more: {names}")


def _for_ci(outcome: _Outcome, form: str, seconds: float) -> str:
    """What a CI system reads (`ci.FORMS`)."""
    warnings = [warning for record in outcome.records for warning in record.warnings]
    return write_cases(
        form,
        [_case(record, outcome.accepts(record)) for record in outcome.records],
        [*outcome.diagnostics, *warnings],
        status=outcome.status,
        seconds=seconds,
    )


def _case(record: Record, accepted: bool) -> ReportedCase:
    """As CI reads it; what is accepted is as what was skipped."""
    made = case_of(record)
    return replace(made, outcome="skip", code=None) if accepted else made


def _cluster(options: RunOptions) -> Callable[[], Workers] | None:
    """What connects to the run's cluster; None for a run on this machine."""
    if options.cluster is None:
        return None
    from ..cluster.pool import ClusterPool

    return partial(ClusterPool, options.cluster, options.jobs)


def _follow(
    options: RunOptions, show: Callable[[Progress, Finished], None], quiet: bool
) -> _Outcome:
    outcome = _Outcome()
    progress: Progress | None = None
    try:
        for event in Run(options, cluster=_cluster(options)).events():
            match event:
                case FilesFound():
                    progress = open_progress("lifting", quiet)
                case FileParsed(_, functions, diagnostics):
                    outcome.diagnostics += diagnostics
                    if progress:
                        progress.add(functions)
                case Finished(record, cached):
                    outcome.records.append(record)
                    outcome.cached += cached
                    if progress:
                        show(progress, event)
                        if "#" not in record.name:
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
        if (
            record.diagnostic is not None
            and record.status != "skipped"
            and not outcome.accepts(record)
        ):
            found.append(record.diagnostic)

    def place(diagnostic: Diagnostic) -> tuple[str, int, int]:
        span = diagnostic.span
        return (span.file, span.line, span.column) if span else ("", 0, 0)

    return sorted(dict.fromkeys(found), key=place)


def _say_stopped(outcome: _Outcome, options: RunOptions) -> None:
    done, left = len(outcome.records), outcome.stopped.left if outcome.stopped else 0
    on = "the next run lifts them again" if not options.cache else "the next run goes on from here"
    click.echo(f"lift: stopped; {done} done and kept, {left} not done: {on}", err=True)
