"""What can go wrong while generating code, and while generated code runs."""

from __future__ import annotations


class CodegenError(Exception):
    """A loop nest that code generation cannot translate: an error of ours, not the user's."""


class TargetError(ValueError):
    """A target that nobody can compile for: an unknown name, triple or feature."""


class LinkError(RuntimeError):
    """A shared library was asked for on a machine without any linker, or the linker failed."""


class CompilerRuntimeError(RuntimeError):
    """A run-time check of a compiled pipeline failed; the message is the check's own."""
