"""How the front end says that it doesn't understand something."""

from __future__ import annotations

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
