"""Cases and diagnostics with everything in them that could break a report."""

from __future__ import annotations

import os

from lifter.ci import ReportedCase
from lifter.model.diagnostic import Diagnostic, Span

HOSTILE = (
    "a b.cpp",
    "quo'te\".cpp",
    "<img src=x onerror=alert(1)>.cpp",
    "li\nne.cpp",
    "::error::x.cpp",
    "\n::add-mask::a.cpp",
    "##[error]y.cpp",
    "cdata]]>.cpp",
    "100%25,x=1:2.cpp",
    "http:evil.cpp",
    "$(touch owned);`touch owned`.cpp",
    "[link](https:evil).cpp",
    "esc\x1b[31m\x07.cpp",
    "rtl\u202egnp.cpp",
    os.fsdecode(b"latin-\xff\xfe.cpp"),
    "-rf.cpp",
)
SOURCE = """#include <stdint.h>
// größer als sonst: Bytes sind keine Zeichen
void blend(uint8_t *dst, const uint8_t *src, int n) {
    for (int x = 0; x < n; x++) dst[x] = src[x];   /* é */ dst[n] = 1;
}
"""


def failing(file: str, line: int = 3, **more: object) -> ReportedCase:
    """A case that fails, in a file that has `SOURCE`."""
    given: dict[str, object] = {
        "name": "blend",
        "file": file,
        "line": line,
        "verdict": "not equal",
        "outcome": "fail",
        "code": "refuted",
        "message": f"they differ in {file}",
        "detail": "with n = 1\n  100% :: ]]> <b> [a](b)",
        "seconds": 0.25,
        **more,
    }
    return ReportedCase(**given)  # type: ignore[arg-type]


def about(file: str, severity: str = "warning", line: int = 4) -> Diagnostic:
    """A diagnostic about the second statement of `SOURCE`'s line 4, whose columns are bytes."""
    text = SOURCE.split("\n")[line - 1].encode()
    start = text.index(b"dst[n]") + 1
    span = Span(file, line, start, line, start + len("dst[n]"))
    return Diagnostic("out-of-bounds", severity, "writes outside", span, ("a note",), "grow it")  # type: ignore[arg-type]
