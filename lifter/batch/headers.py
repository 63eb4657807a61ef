"""One finding for each header that is missing, however many files and functions need it."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..model.diagnostic import Diagnostic

_CODE = "missing-include"
_NAME = re.compile(r"header `([^`]+)`")
_LOOKED_AT = 4000
"""Entries of folders that are searched for a header."""


def one_for_each_header(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings in their order, with the first of each missing header in place of all, which
    says where it is, if that can be found."""
    by_header: dict[str, list[Diagnostic]] = {}
    for finding in findings:
        if name := _header(finding):
            by_header.setdefault(name, []).append(finding)
    kept = []
    for finding in findings:
        name = _header(finding)
        if name is None:
            kept.append(finding)
        elif own := by_header.pop(name, None):
            kept.append(_for_all(name, own))
    return kept


def _header(finding: Diagnostic) -> str | None:
    found = _NAME.search(finding.message) if finding.code == _CODE else None
    return found[1] if found else None


def _for_all(name: str, findings: Sequence[Diagnostic]) -> Diagnostic:
    # That of the file itself says more than those of its functions.
    first = next((f for f in findings if f.message.startswith("header `")), findings[0])
    notes = list(first.notes)
    functions = sum(not f.message.startswith("header `") for f in findings)
    files = len({f.span.file for f in findings if f.span is not None})
    if functions:
        noun = "function isn't" if functions == 1 else "functions aren't"
        where = f" in {files} files" if files > 1 else ""
        notes.append(f"{functions} {noun} lifted for want of it{where}")
    help = first.help
    start = Path(first.span.file).absolute().parent if first.span is not None else Path.cwd()
    folder = folder_with(name, start)
    if folder is not None:
        near = os.path.relpath(folder)
        shown = str(folder) if near.startswith(os.path.join("..", "..")) else near
        help = f"it is in {shown}: pass -I {shlex.quote(shown)}"
    return replace(first, notes=tuple(notes), help=help)


def folder_with(name: str, start: Path) -> Path | None:
    """A folder near `start` from which `name` can be included."""
    left = _LOOKED_AT
    for root in (start, *start.parents[:2]):
        for folder, folders, _ in os.walk(root):
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            left -= 1 + len(folders)
            if left < 0:
                return None
            if (Path(folder) / name).is_file():
                return Path(folder)
    return None
