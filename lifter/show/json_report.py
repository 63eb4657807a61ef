"""The report of a run as one JSON document: `--format json`, schema 1 (docs/design.md)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ..model.diagnostic import Diagnostic
from ..model.record import Record
from .terminal import STATUSES


def report_to_json(
    records: Iterable[Record], diagnostics: Sequence[Diagnostic], interrupted: bool = False
) -> str:
    """The document: functions by file and line, diagnostics about files and the run, totals."""
    ordered = sorted(records, key=lambda r: (r.file, r.line, r.name))
    counts = Counter[str](record.status for record in ordered)
    document: dict[str, Any] = {
        "schema": 1,
        "tool": "lift",
        "version": own_version(),
        "functions": [_function(record) for record in ordered],
        "diagnostics": [_diagnostic(d) for d in diagnostics],
        "totals": {status: counts[status] for status in STATUSES},
    }
    if interrupted:
        document["interrupted"] = True
    return json_text(document)


def json_text(document: Any) -> str:
    """`document` as JSON that is UTF-8: a byte of a file name that isn't is escaped, `\\udcff`."""
    text = json.dumps(document, indent=2, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def lines_at_fault(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """What is said of files and of a run, each once, by line."""
    keys = ("code", "severity", "message", "file", "line", "help")
    found = (_diagnostic(d) for d in dict.fromkeys(diagnostics))
    return [{key: entry[key] for key in keys} for entry in found]


DISTRIBUTION = "kernel-lift"
"""What pip calls the whole: the command is `lift`, but that name is another project's there."""


def own_version() -> str:
    """The installed version; the one of pyproject.toml when run from a checkout."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        import tomllib
        from pathlib import Path

        project = Path(__file__).parents[2] / "pyproject.toml"
        return str(tomllib.loads(project.read_text("utf-8"))["project"]["version"])


def _function(record: Record) -> dict[str, Any]:
    return record.entry() | {
        "diagnostic": _diagnostic(record.diagnostic) if record.diagnostic else None,
        "counterexample": record.counterexample,
        "folder": record.folder,
    }


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    span = diagnostic.span
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "file": span.file if span else None,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "notes": list(diagnostic.notes),
        "help": diagnostic.help,
    }
