"""How this room says that it doesn't understand a loop nest."""

from __future__ import annotations

from ..model.diagnostic import Diagnostic, LiftError, Span


def unsupported(code: str, message: str, span: Span, help: str | None = None) -> LiftError:
    """The error to raise at `span`, of the family `unsupported`."""
    return LiftError(Diagnostic(code, "error", message, span, help=help, family="unsupported"))
