"""Parsing of snippets for the tests of the front end."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lifter.model.diagnostic import Diagnostic
from lifter.model.kernel import Kernel, ParsedFile
from lifter.parse import body_to_text, parse_file


def parse(text: str, name: str = "snippet.cpp", **options: Any) -> ParsedFile:
    """`text` as a file of its own, parsed."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(textwrap.dedent(text).lstrip("\n"))
        return parse_file(path, **options)


def kernel(text: str, **options: Any) -> Kernel:
    """The last kernel of `text`; fails with the reason when it isn't one."""
    found = parse(text, **options)
    reasons = [str(s.diagnostic) for s in (*found.failed, *found.skipped)]
    assert found.kernels, "\n".join([*reasons, *map(str, found.diagnostics)])
    return found.kernels[-1]


def body(text: str, **options: Any) -> str:
    """The body of the last kernel of `text`, as text."""
    return body_to_text(kernel(text, **options).body)


def lines(text: str) -> str:
    """Expected text without the indentation of the test."""
    return textwrap.dedent(text).strip("\n") + "\n"


def failure(text: str, **options: Any) -> Diagnostic:
    """Why the last function of `text` could not be parsed."""
    found = parse(text, **options)
    assert found.failed, [k.name for k in found.kernels]
    return found.failed[-1].diagnostic


def codes(found: ParsedFile) -> Sequence[str]:
    """All codes of a parsed file."""
    warnings = [w for k in found.kernels for w in k.warnings]
    others = [s.diagnostic for s in (*found.failed, *found.skipped)]
    return [d.code for d in (*others, *warnings, *found.diagnostics)]
