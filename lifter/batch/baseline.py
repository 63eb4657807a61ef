"""A baseline: failures that a project accepts for now, so that a run fails only when it gets worse.

    # lift: what is accepted, by status, code, file and function
    failed    loop-carried  src/filters.cpp  diffuse
    unproved  undecided     src/blend.cpp    soft_light

`lift PATH... --write baseline=FILE` writes one, `--baseline FILE` takes it. A function that isn't
listed and isn't proved is worse, and so is one that failed where it is listed as unproved.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from ..model.diagnostic import Diagnostic, LiftError, Span
from ..model.record import Record

_HEAD = "# lift: what is accepted, by status, code, file and function\n"
_WORSE = {"failed": 2, "unproved": 1}


@dataclass(frozen=True, slots=True)
class Baseline:
    """The accepted status of each function, by its file and name."""

    accepted: dict[tuple[str, str], str]

    def accepts(self, record: Record) -> bool:
        """Whether the function isn't proved, and that is no news."""
        known = self.accepted.get(_key(record.file, record.name))
        return record.status in _WORSE and known is not None and (
            _WORSE[record.status] <= _WORSE[known]
        )  # fmt: skip

    def outlived(self, records: Iterable[Record]) -> list[str]:
        """The listed functions, as `file:name`, that the run has proved, or found gone from a file
        that it read."""
        status = {_key(r.file, r.name): r.status for r in records}
        files = {file for file, _ in status}
        return [
            f"{file}:{name}"
            for file, name in self.accepted
            if file in files and status.get((file, name), "gone") not in _WORSE
        ]


def read_baseline(path: Path) -> Baseline:
    """Reads the file. Raises `LiftError` (`baseline`, `file-missing`) with the line that is bad."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        message = f"{path}: no such baseline"
        help = f"make it with `lift PATH... --write baseline={path}`"
        raise LiftError(Diagnostic("file-missing", "error", message, help=help)) from None
    except (OSError, UnicodeDecodeError) as error:
        _refuse(path, 1, f"it can't be read: {error}")
    accepted: dict[tuple[str, str], str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split("\t") if "\t" in line else line.split()
        if len(words) != 4 or words[0] not in _WORSE:
            _refuse(path, number, "a line has a status (failed, unproved), a code, a file and a "
                    "function, with tabs between them")  # fmt: skip
        accepted[_key(words[2], words[3])] = words[0]
    return Baseline(accepted)


def baseline_text(records: Sequence[Record]) -> str:
    """The file that accepts what isn't proved in this run."""
    rows = sorted(
        (_key(r.file, r.name)[0], r.name, r.status, r.diagnostic.code if r.diagnostic else "-")
        for r in records
        if r.status in _WORSE
    )
    lines = [f"{status}\t{code}\t{file}\t{name}\n" for file, name, status, code in rows]
    return _HEAD + "".join(lines)


def _key(file: str, name: str) -> tuple[str, str]:
    """A file's path as it is compared: relative to the working directory, with slashes."""
    path = os.path.relpath(file) if os.path.isabs(file) else os.path.normpath(file)
    return path.replace(os.sep, "/"), name


def _refuse(path: Path, line: int, message: str) -> NoReturn:
    raise LiftError(
        Diagnostic(
            "baseline",
            "error",
            f"{path}: {message}",
            Span(str(path), line, 1, line, 1),
            help=f"`lift PATH... --write baseline={path}` writes it anew",
        )
    )
