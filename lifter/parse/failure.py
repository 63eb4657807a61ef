"""How the front end says that it doesn't understand something."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Literal

from ..model.diagnostic import Diagnostic, LiftError, Span


def unsupported(
    code: str, span: Span | None, message: str, help: str | None = None, *notes: str
) -> LiftError:
    """The error for a construct outside of what is understood."""
    return LiftError(Diagnostic(code, "error", message, span, notes, help, "unsupported"))


def user_error(code: str, span: Span | None, message: str, help: str | None = None) -> LiftError:
    """The error for something wrong in what the user gave."""
    return LiftError(Diagnostic(code, "error", message, span, (), help, "user"))


def finding(
    code: str,
    severity: Literal["error", "warning", "note"],
    span: Span | None,
    message: str,
    help: str | None = None,
) -> Diagnostic:
    """A diagnostic that stops nothing."""
    return Diagnostic(code, severity, message, span, (), help, "user")


def internal_fault(span: Span, error: Exception, name: str = "these loops") -> Diagnostic:
    """What is said where reading a function or a region ends in a fault of ours."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    shown = name if " " in name else f"`{name}`"
    return Diagnostic(
        "internal",
        "error",
        f"parsing {shown} hit a fault in lift: {type(error).__name__}: {error}",
        span,
        (f"at {Path(last.filename).name}:{last.lineno}, in {last.name}",),
        "please report it with the function's text",
        "internal",
    )
