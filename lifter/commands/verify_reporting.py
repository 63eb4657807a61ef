"""How `lift verify` tells what it found: as text while it goes on, or as a document at its end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ..checking.committed import read_committed
from ..checking.finding import EXPLAINED, Finding
from ..checking.run import Report, Verification, VerifyOptions
from ..ci.github import log_line
from ..ci.report_option import PROGRAMS, ReportFile
from ..command_line import BAD_USAGE, FAILED, PROVED, UNDECIDED
from ..emit.interface import load_interface
from ..model.counterexample import CounterexampleTables
from ..model.diagnostic import Diagnostic
from ..show.counterexample_text import counterexample_to_text
from ..show.json_report import json_text, lines_at_fault, own_version
from ..show.progress import open_progress
from ..show.terminal import WIDTH, diagnostics_to_text, paint, verdicts_to_text, wrapped
from ..show.visible import printable

_COLOURS = {
    "equal": "green",
    "changed": "green",
    "not-equal": "red",
    "gone": "red",
    "undecided": "yellow",
    "unreadable": "red",
    "new": "cyan",
}
_INDENT = " " * 12
_WHY = {
    "source": "its source has changed",
    "tool": "another lift proved it",
    "edited": "its files were edited",
    "asked": "as asked",
}
_NEW_SHOWN = 8


def report(
    options: VerifyOptions, form: str, reports: Sequence[ReportFile] = (), quiet: bool = False
) -> int:
    """Verifies and tells, on stdout and in the files of `reports`; gives the exit status.

    GitHub reads its commands from the log that people read, so both are on stdout there.
    """
    plain = log_line if form == "github" else str
    began = time.monotonic()
    run = Verification(options)
    progress, told = open_progress("verifying", quiet), 0
    try:
        for finding in run.findings():
            if finding is None:
                progress.running(run.running)
                continue
            progress.add(run.total - told)
            told = run.total
            if finding.verdict != "new":
                progress.advance()
            in_order = finding.verdict in ("equal", "new") and finding.recheck is None
            in_order = in_order or (quiet and finding.verdict == "changed")
            if form in ("text", "github") and not in_order:
                with progress.aside():
                    click.echo(plain(finding_to_text(finding)))
    finally:
        progress.close()
    found, spent = run.report, time.monotonic() - began
    if form == "text":
        _totals(found, spent)
    elif form == "json":
        click.echo(json_text(document(found)))
    else:
        click.echo(ci_text(found, form, options, spent), nl=False)
        if form == "github":
            click.echo(plain(_counts(found, spent)))
    for wanted in reports:
        if wanted.form == PROGRAMS:
            for note in write_programs(found.ordered(), wanted.file, options):
                click.echo(note, err=True)
        else:
            wanted.write(ci_text(found, wanted.form, options, spent))
    return status(found, options.new_is_error)


def status(found: Report, new_is_error: bool) -> int:
    """The exit status; bad input outweighs differences, and these doubts."""
    verdicts = {f.verdict for f in found.findings}
    if "unreadable" in verdicts or any(d.severity == "error" for d in found.diagnostics):
        return BAD_USAGE
    rechecks = [f.recheck for f in found.findings if f.recheck is not None]
    if verdicts & {"not-equal", "gone"} or any(r.wrong for r in rechecks):
        return FAILED
    if new_is_error and "new" in verdicts:
        return FAILED
    if "undecided" in verdicts or any(r.unanswered for r in rechecks):
        return UNDECIDED
    return PROVED


def write_programs(
    findings: Sequence[Finding], folder: Path, options: VerifyOptions
) -> Iterator[str]:
    """Writes a program for each counterexample into `folder`, which is made where there are any;
    gives a line for each. Raises `LiftError` (`output-folder`) where it can't be written."""
    from ..report.counterexample_program import program_suffix, program_text

    for finding in findings:
        if finding.counterexample is None or finding.folder is None:
            continue
        example = CounterexampleTables.from_json(finding.counterexample)
        source = (options.root or Path()) / finding.file
        file = folder / f"{finding.name}{program_suffix(finding.file)}"
        try:
            interface = load_interface(finding.folder)
            flags = read_committed(finding.folder).flags
            text = program_text(example, interface, source, file, flags)
        except (ValueError, KeyError) as error:
            yield f"lift: no program shows {printable(finding.name)}: {error}"
            continue
        ReportFile(PROGRAMS, file).write(text)
        yield f"lift: {printable(str(file))} fails until {printable(finding.name)} is mended"


def finding_to_text(finding: Finding) -> str:
    """A function's line, and below it what there is to say."""
    verdict = paint(f"{finding.verdict:10}", _COLOURS[finding.verdict])
    place = f"{finding.file}:{finding.line}"
    head = f"{verdict}  {paint(f'{printable(finding.name):22}', bold=True)}  {printable(place)}"
    used = 12 + max(22, len(finding.name)) + 2 + len(place)
    spent = f"{finding.seconds:.2f} s" if finding.seconds else ""
    lines = [head + " " * max(1, WIDTH - used - len(spent)) + spent if spent else head]
    message = printable(finding.message)
    if finding.verdict in ("equal", "changed") and finding.reason is not None:
        message = f"proved again: {_WHY[finding.reason]}"
    if message:
        lines += wrapped(message, _INDENT, "  ")
    for note in finding.notes:
        lines += wrapped(printable(note), _INDENT, "  ")
    if finding.counterexample is not None:
        table = counterexample_to_text(
            CounterexampleTables.from_json(finding.counterexample), WIDTH - len(_INDENT)
        )
        lines += [_INDENT + line for line in table.splitlines()]
    if finding.recheck is not None:
        lines += recheck_to_text(finding)
    return "\n".join(lines)


def recheck_to_text(finding: Finding) -> list[str]:
    """What became of a function's certificates."""
    found = finding.recheck
    assert found is not None
    text = (
        f"{found.solver} proves {found.replayed} of {found.replayed + len(found.unanswered)} "
        f"certificates; without one: {found.structural} structural, {found.enumerated} by "
        "enumeration"
    )
    lines = wrapped(text, _INDENT, "  ")
    for name in found.unanswered:
        lines += wrapped(f"{found.solver} gave up on {printable(name)}", _INDENT, "  ")
    for wrong in found.wrong:
        lines += wrapped(printable(wrong), _INDENT, "  ")
    return lines


def _totals(found: Report, seconds: float) -> None:
    new = [f for f in found.ordered() if f.verdict == "new"]
    if new:
        names = ", ".join(f.name for f in new[:_NEW_SHOWN])
        more = f" and {len(new) - _NEW_SHOWN} more" if len(new) > _NEW_SHOWN else ""
        text = f"{len(new)} without a summary: {names}{more}"
        click.echo("\n".join(wrapped(text, "", "  ")))
    for text in diagnostics_to_text(_unique(found.diagnostics)):
        click.echo(text)
    click.echo(_counts(found, seconds))


def _counts(found: Report, seconds: float) -> str:
    return verdicts_to_text((f.verdict for f in found.findings), EXPLAINED, _COLOURS, seconds)


def _unique(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    return list(dict.fromkeys(diagnostics))


def document(found: Report) -> dict[str, Any]:
    """The document of `--format json`; its keys are those of `Finding.to_json`."""
    counts = Counter[str](f.verdict for f in found.findings)
    return {
        "schema": 1,
        "tool": "lift",
        "command": "verify",
        "version": own_version(),
        "functions": [f.to_json() for f in found.ordered()],
        "diagnostics": lines_at_fault(found.diagnostics),
        "totals": {name: counts[name] for name in EXPLAINED},
    }


def ci_text(found: Report, form: str, options: VerifyOptions, seconds: float) -> str:
    """The report in a CI system's own form (`ci.FORMS`)."""
    from ..ci import write_cases
    from .verify_cases import cases_of

    cases = cases_of(found.ordered(), options.new_is_error)
    if options.root is not None:  # what findings call files counts from there
        cases = [replace(case, file=str(options.root / case.file)) for case in cases]
    return write_cases(
        form,
        cases,
        found.diagnostics,
        status=status(found, options.new_is_error),
        command="lift verify",
        seconds=seconds,
    )
