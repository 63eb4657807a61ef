"""`--write FORM=FILE`: reports in files, beside what a command prints."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ..model.diagnostic import Diagnostic, LiftError

_FILED = ("sarif", "junit")
"""Forms that are documents; GitHub's commands act on a log alone."""
PROGRAMS = "cpp"
"""A folder with a program for each counterexample of `lift verify`."""
BASELINE = "baseline"
"""What a run of `lift PATH...` accepts, as a file for `--baseline`."""


@dataclass(frozen=True, slots=True)
class ReportFile:
    """One report that was asked for."""

    form: str
    file: Path

    def write(self, text: str) -> None:
        """Writes it as a whole or not at all. Raises `LiftError` (`output-folder`)."""
        partial = self.file.with_name(f"{self.file.name}.{os.getpid()}.partial")
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(text, "utf-8")
            os.replace(partial, self.file)
        except OSError as error:
            partial.unlink(missing_ok=True)
            message = f"--write: {self.file} can't be written: {error.strerror}"
            raise LiftError(Diagnostic("output-folder", "error", message)) from error


def report_option(*more: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds the option to a click command, as the parameter `reports`; `more` are forms that this
    command has beside the others."""
    forms = (*_FILED, *more)

    def read(
        context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
    ) -> tuple[ReportFile, ...]:
        reports = []
        for text in given:
            form, equals, file = text.partition("=")
            if form not in forms or not equals or not file:
                raise click.BadParameter(
                    f"{text!r} is no report; write it as {' or '.join(f'{f}=FILE' for f in forms)}",
                    context,
                    parameter,
                )
            reports.append(ReportFile(form, Path(file)))
        return tuple(reports)

    *most, last = forms
    return click.option(
        "--write",
        "reports",
        multiple=True,
        callback=read,
        metavar="FORM=FILE",
        help=f"Write a report to FILE, too: {', '.join(most)} or {last} (repeatable).",
    )
