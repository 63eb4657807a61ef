"""What is said of a file that includes a header which isn't there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..model.diagnostic import Diagnostic
from ..model.kernel import Kernel, ParsedFile, Skipped


def shown(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What of one translation unit's findings helps its user.

    Nearly every syntax error after a missing header follows from it: they are counted in a note of
    the last missing header, not shown one by one. Without a missing header all are shown.
    """
    missing = [d for d in diagnostics if d.code == "missing-include"]
    hidden = sum(1 for d in diagnostics if d.code == "syntax-error")
    if not missing or not hidden:
        return tuple(diagnostics)
    errors = "1 error that follows isn't" if hidden == 1 else f"{hidden} errors that follow aren't"
    last = missing[-1]
    counted = replace(last, notes=(*last.notes, f"{errors} shown until the header is found"))
    return tuple(counted if d is last else d for d in diagnostics if d.code != "syntax-error")


def without_kernels(parsed: ParsedFile, missing: Diagnostic) -> ParsedFile:
    """A header that isn't there may redefine any word of the file: no meaning can be relied on."""

    def failed(of: Kernel | Skipped) -> Skipped:
        why = replace(
            missing,
            span=of.span,
            message=f"`{of.name}` isn't lifted: {missing.message}, and what it defines may "
            "change what the function means",
            notes=(),
        )
        return Skipped(of.name, of.span, of.signature, why)

    before = (failed(f) if f.diagnostic.code == "syntax-error" else f for f in parsed.failed)
    return replace(parsed, kernels=(), failed=(*before, *map(failed, parsed.kernels)))
