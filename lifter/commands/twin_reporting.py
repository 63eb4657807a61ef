"""How `lift twin` tells what it found: as text while it goes on, or as a document at its end."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from ..ci import write_cases
from ..ci.github import log_line
from ..ci.report_option import PROGRAMS, ReportFile
from ..command_line import BAD_USAGE, FAILED, PROVED, UNDECIDED
from ..model.counterexample import CounterexampleTables
from ..show.json_report import json_text, lines_at_fault, own_version
from ..show.pictures import pictures_of, shades
from ..show.progress import open_progress
from ..show.terminal import WIDTH, diagnostics_to_text, paint, verdicts_to_text, wrapped
from ..show.visible import printable
from ..twins.finding import EXPLAINED, Finding
from ..twins.run import Options, Report, Twinning
from ..twins.test_program import PROGRAM
from .twin_cases import cases_of, counterexample_text

_COLOURS = {"equal": "green", "not-equal": "red", "undecided": "yellow", "unreadable": "red"}
_INDENT = " " * 11
_ALONE_SHOWN = 8


def report(options: Options, form: str, reports: Sequence[ReportFile], quiet: bool) -> int:
    """Compares and tells, on stdout and in the files of `reports`; gives the exit status."""
    plain = log_line if form == "github" else str
    began = time.monotonic()
    run = Twinning(options)
    progress, told = open_progress("comparing", quiet), 0
    try:
        for finding in run.findings():
            if finding is None:
                progress.running(run.running)
                continue
            progress.add(run.total - told)
            told = run.total
            progress.advance()
            if form in ("text", "github") and not (quiet and finding.verdict == "equal"):
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
        click.echo(_ci_text(found, form, spent), nl=False)
        if form == "github":
            click.echo(plain(_counts(found, spent)))
    for wanted in reports:
        if wanted.form == PROGRAMS:
            for note in write_programs(found.findings, wanted.file):
                click.echo(note, err=True)
        else:
            wanted.write(_ci_text(found, wanted.form, spent))
    return status(found)


def status(found: Report) -> int:
    """The exit status; bad input outweighs differences, and these doubts."""
    verdicts = {f.verdict for f in found.findings}
    if "unreadable" in verdicts or any(d.severity == "error" for d in found.diagnostics):
        return BAD_USAGE
    if "not-equal" in verdicts:
        return FAILED
    return UNDECIDED if "undecided" in verdicts else PROVED


def write_programs(findings: Sequence[Finding], folder: Path) -> Iterator[str]:
    """Writes a test for each difference into `folder`; gives a line for each. Raises `LiftError`
    (`output-folder`) where it can't be written."""
    for finding in findings:
        if finding.program is None:
            continue
        name = re.sub(r"\W+", "_", f"{finding.first.name}_{finding.second.name}")
        file = folder / f"{name}.c"
        ReportFile(PROGRAMS, file).write(_placed(finding.program, folder / name))
        yield f"lift: {printable(str(file))} fails until one of the two is mended"


def _placed(program: str, file: Path) -> str:
    """The program with the name of its file in the command that it begins with."""
    here = str(file) if file.is_absolute() or len(file.parts) > 1 else f"./{file}"
    return program.replace(PROGRAM, here)


def finding_to_text(finding: Finding) -> str:
    """A pair's line, and below it what there is to say."""
    verdict = paint(f"{finding.verdict:9}", _COLOURS[finding.verdict])
    place = f"{finding.second.file}:{finding.second.line}"
    name = printable(finding.name)
    used = len(_INDENT) + len(name) + 2 + len(place)
    spent = "cached" if finding.cached else f"{finding.seconds:.2f} s" if finding.seconds else ""
    gap = " " * max(1, WIDTH - used - len(spent))
    lines = [f"{verdict}  {paint(name, bold=True)}  {printable(place)}{gap}{spent}".rstrip()]
    if finding.message:
        lines += wrapped(printable(finding.message), _INDENT, "  ")
    if finding.within and finding.verdict == "equal":
        lines.append(f"{_INDENT}numbers are at most {finding.within:g} apart")
    if finding.preconditions:
        lines += wrapped(f"where {' and '.join(finding.preconditions)}", _INDENT, "  ")
    for note in finding.notes:
        lines += wrapped(printable(note), _INDENT, "  ")
    if finding.counterexample is not None:
        table = counterexample_text(finding, WIDTH - len(_INDENT))
        lines += [_INDENT + line for line in table.splitlines()]
        lines += [_INDENT + line for line in _pictures(finding.counterexample)]
    return "\n".join(lines)


def _pictures(counterexample: dict[str, Any]) -> list[str]:
    """Images of several rows as shades of text; one row says nothing that its table doesn't."""
    tables = CounterexampleTables.from_json(counterexample)
    if len(tables.original.extents) < 2 or tables.original.extents[1] < 2:
        return []
    return [line for picture in pictures_of(tables) for line in shades(picture)]


def _totals(found: Report, seconds: float) -> None:
    if found.alone:
        names = ", ".join(found.alone[:_ALONE_SHOWN])
        rest = len(found.alone) - _ALONE_SHOWN
        more = f" and {rest} more" if rest > 0 else ""
        text = f"{len(found.alone)} without a twin: {names}{more}"
        click.echo("\n".join(wrapped(text, "", "  ")))
    for text in diagnostics_to_text(list(dict.fromkeys(found.diagnostics))):
        click.echo(text)
    click.echo(_counts(found, seconds))


def _counts(found: Report, seconds: float) -> str:
    return verdicts_to_text((f.verdict for f in found.findings), EXPLAINED, _COLOURS, seconds)


def document(found: Report) -> dict[str, Any]:
    """The document of `--format json`; its keys are those of `Finding.to_json`."""
    counts = Counter[str](f.verdict for f in found.findings)
    return {
        "schema": 1,
        "tool": "lift",
        "command": "twin",
        "version": own_version(),
        "pairs": [f.to_json() for f in found.findings],
        "alone": list(found.alone),
        "diagnostics": lines_at_fault(found.diagnostics),
        "totals": {name: counts[name] for name in EXPLAINED},
    }


def _ci_text(found: Report, form: str, seconds: float) -> str:
    """The report in a CI system's own form (`ci.FORMS`)."""
    return write_cases(
        form, cases_of(found.findings), found.diagnostics,
        status=status(found), command="lift twin", seconds=seconds,
    )  # fmt: skip
