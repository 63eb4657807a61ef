"""What is said of a file that includes a header which isn't there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..model.diagnostic import Diagnostic, Span
from ..model.kernel import Kernel, ParsedFile, Skipped
from .failure import finding

_CHOICE = re.compile(r"\s*#\s*(?P<word>if|ifdef|ifndef|elif)\b(?P<condition>.*)")


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


def without_what_needs(
    parsed: ParsedFile,
    missing: Sequence[Diagnostic],
    text: str,
    functions: Sequence[Span],
    headers: Iterable[str],
) -> ParsedFile:
    """The file without the functions that need a header which isn't there.

    `text` is the file's, `functions` are the places of its functions, `headers` are the texts of
    the project's own headers that it reads. A function needs what isn't there where something in it
    isn't declared, which clang says, and where the preprocessor chooses some of its lines: the
    header may define what decides that. All need it where the preprocessor chooses lines outside of
    functions. Others carry a warning: the header is taken to define no word that they use.
    """

    def failed(of: Kernel | Skipped, why: str) -> Skipped:
        found = replace(
            missing[0],
            span=of.span,
            message=f"`{of.name}` isn't lifted: {missing[0].message}, and {why}",
            notes=(),
        )
        return Skipped(of.name, of.span, of.signature, found)

    names = ", ".join(dict.fromkeys(f"`{_header(d)}`" for d in missing))
    verb = "isn't found: it is" if len(missing) == 1 else "aren't found: they are"
    words = f"{names} {verb} taken to define nothing that this function uses"
    chosen = _choices(text)
    inside = {line: _around(line, functions) for line in chosen}
    all_need = None in inside.values() or any(_choices(header) for header in headers)
    kernels: list[Kernel] = []
    lost: list[Skipped] = []
    for kernel in parsed.kernels:
        own = _around(kernel.span.line, functions)
        if all_need or own in inside.values():
            lost.append(failed(kernel, "what it defines may change what the function means"))
            continue
        taken = finding("assumed", "warning", kernel.span, words, missing[0].help)
        kernels.append(replace(kernel, warnings=(*kernel.warnings, taken)))
    before = (
        failed(f, "something that the function uses isn't declared without it")
        if f.diagnostic.code == "syntax-error"
        else f
        for f in parsed.failed
    )
    return replace(parsed, kernels=tuple(kernels), failed=(*before, *lost))


def _header(missing: Diagnostic) -> str:
    return missing.message.split("`")[1]


def _around(line: int, functions: Sequence[Span]) -> Span | None:
    """The function that a line belongs to."""
    return next((s for s in functions if s.line <= line <= s.end_line), None)


def _choices(text: str) -> list[int]:
    """The lines of a file on which the preprocessor chooses, guards and `__cplusplus` aside."""
    lines = text.split("\n")
    found = []
    for number, line in enumerate(lines, 1):
        choice = _CHOICE.match(line)
        if choice is None or "__cplusplus" in choice["condition"]:
            continue
        guard = next((one for one in lines[number:] if one.strip()), "")
        name = choice["condition"].strip()
        if choice["word"] == "ifndef" and re.match(rf"\s*#\s*define\s+{re.escape(name)}\b", guard):
            continue
        found.append(number)
    return found
