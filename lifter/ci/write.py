"""One call from a command's cases to the text that a CI system reads."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, get_args

from ..model.diagnostic import Diagnostic
from .case import ReportedCase
from .findings import Results

Form = Literal["sarif", "github", "junit"]
FORMS: tuple[str, ...] = get_args(Form)


def write_cases(
    form: str,
    cases: Sequence[ReportedCase],
    diagnostics: Sequence[Diagnostic] = (),
    *,
    status: int,
    command: str = "lift",
    seconds: float = 0.0,
    root: Path | None = None,
) -> str:
    """The text for stdout, with its last line's end; `seconds` is how long the command took.

    `diagnostics` are about files and the run, and warnings of functions; what a case says isn't
    repeated there. With `github`, the job's summary is written, too: where it can't be, the text
    has a warning about it. Raises `ValueError` for a form that isn't in `FORMS`.
    """
    began = datetime.now(UTC) - timedelta(seconds=seconds)
    results = Results(cases, diagnostics, status, command, began, seconds, root)
    match form:
        case "sarif":
            from .sarif import to_sarif

            return to_sarif(results)
        case "junit":
            from .junit import to_junit

            return to_junit(results)
        case "github":
            from .github import append_summary, to_github

            text = to_github(results)
            try:
                append_summary(results)
            except OSError as error:
                text += f"::warning title=lift::no summary of the job: {error.strerror}\n"
            return text
    raise ValueError(f"no form {form!r}; known are {', '.join(FORMS)}")
