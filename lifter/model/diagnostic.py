"""Diagnostics: the one form in which anything that goes wrong reaches a person.

`docs/design.md` ("Command line and files") fixes the form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]
Family = Literal["user", "unsupported", "undecided", "internal"]


@dataclass(frozen=True, slots=True)
class Span:
    """A range of source text; lines and columns count from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: what is wrong, where, and what to do.

    `code` is a kebab-case name from the closed list in docs/failures.md.
    """

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    notes: tuple[str, ...] = ()
    help: str | None = None
    family: Family = "user"

    def __str__(self) -> str:
        place = f"{self.span}: " if self.span else ""
        return f"{place}{self.severity}: {self.message} [{self.code}]"


class LiftError(Exception):
    """Stops work on one function (or one file) with the diagnostic that says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic
