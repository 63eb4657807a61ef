"""What a page is made of: the records of a folder, with their sources, programs and speed-ups.

Everything below the folder may be another version's, half there or written by a stranger. What
can't be read is left out and said; nothing outside of the folder is opened.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..bench import FIGURES, Figure, Figures, read_figures
from ..model.diagnostic import Diagnostic, LiftError, Severity, Span
from ..model.record import ObligationRecord, PreconditionRecord, Record, StageRecord
from ..show.terminal import STATUSES

LARGEST = 16 << 20
"""Bytes of a file below the folder that is still read."""

_LACKING = "what failed or was skipped is not here."
_SEVERITIES: dict[str, Severity] = {"error": "error", "warning": "warning", "note": "note"}
_WARNING = re.compile(
    r"(?:(?P<file>.*):(?P<line>\d+):(?P<column>\d+): )?(?P<severity>error|warning|note): "
    r"(?P<message>.*) \[(?P<code>[\w-]+)\]",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One function of the page."""

    record: Record
    program: str
    """`pipeline.py`; "" where there is none."""
    figure: Figure | None = None
    has_times: bool = True
    """Whether the record says how long each obligation took; a summary doesn't."""


@dataclass(frozen=True, slots=True)
class Collection:
    """All of them, by file and line."""

    entries: tuple[PageEntry, ...]
    figures: Figures | None
    notes: tuple[str, ...]
    """What a reader has to know of where this comes from."""


def collect(directory: Path, bench: Path | None = None) -> Collection:
    """The functions that were lifted into `directory`.

    From the store of the last runs; where there is none, or none that can be read, from each
    `summary.json`. `bench` has figures (default: the folder's own, if it has one). Raises
    `LiftError` where the folder has neither, and where `bench` can't be read.
    """
    figures, notes = _figures(directory, bench)
    by_folder = {f.folder: f for f in figures.functions} if figures else {}
    by_name = {f.name: f for f in figures.functions if not f.folder} if figures else {}

    def figure(record: Record) -> Figure | None:
        return by_folder.get(record.folder or "") or by_name.get(record.name)

    records, broken = _stored(directory)
    if records:
        entries = [
            PageEntry(record, _program(directory, record.folder), figure(record))
            for record in records
        ]
    else:
        found, problems = _summaries(directory)
        entries = [
            PageEntry(record, _program(directory, record.folder), figure(record), False)
            for record in found
        ]
        why = broken.diagnostic.message if broken else "This folder has no store of a run"
        notes += [f"{why}, so the page is made from the summaries alone: {_LACKING}", *problems]
    if not entries:
        raise broken or LiftError(_nothing(directory))
    entries.sort(key=lambda e: (e.record.file, e.record.line, e.record.name))
    return Collection(tuple(entries), figures, tuple(notes))


def _stored(directory: Path) -> tuple[list[Record], LiftError | None]:
    """What the store has, or why it can't be read."""
    from ..batch.store import records_of

    try:
        return records_of(directory), None
    except LiftError as error:
        return [], error


def _figures(directory: Path, bench: Path | None) -> tuple[Figures | None, list[str]]:
    if bench is not None:
        return read_figures(bench), []
    path = directory / FIGURES
    if not path.exists():
        return None, []
    try:
        return read_figures(path), []
    except LiftError as error:
        return None, [error.diagnostic.message]


def _nothing(directory: Path) -> Diagnostic:
    if not directory.is_dir():
        return Diagnostic(
            "file-missing",
            "error",
            f"{directory} is no folder",
            help="name the folder that `lift PATH -o DIR` wrote to",
        )
    return Diagnostic(
        "nothing-to-report",
        "error",
        f"{directory} has no results of a run",
        help="run `lift PATH -o DIR` first, then `lift report DIR`",
    )


def _program(directory: Path, folder: str | None) -> str:
    if not folder:
        return ""
    return _text(directory, directory / folder / "pipeline.py") or ""


def _text(directory: Path, path: Path) -> str | None:
    """A file's text, if it really is below the folder and not huge."""
    try:
        if not path.resolve().is_relative_to(directory.resolve()):
            return None
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError):
        return None
    return data.decode("utf-8", "replace") if len(data) <= LARGEST else None


def _summaries(directory: Path) -> tuple[list[Record], list[str]]:
    """The records that summaries make, and a sentence for each that can't be read."""
    records, problems = [], []
    for path in sorted(directory.rglob("summary.json")) if directory.is_dir() else ():
        folder = path.parent.relative_to(directory).as_posix()
        text = _text(directory, path)
        try:
            if text is None:
                raise ValueError("it can't be read")
            records.append(_of_summary(json.loads(text), folder))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            what = f"{error}" if type(error) is ValueError else f"{type(error).__name__} {error}"
            problems.append(f"{folder}/summary.json was set aside: {what}")
    return records, problems


def _of_summary(data: dict[str, Any], folder: str) -> Record:
    """The record of a function from its summary; raises what odd data raises."""
    if data.get("tool") != "lift" or data.get("schema") != 1:
        raise ValueError("it is no summary that this version of lift knows")
    texts = {key: data[key] for key in ("name", "file", "signature", "status")}
    texts["source"] = data.get("source") or ""
    wrong = [key for key, value in texts.items() if not isinstance(value, str)]
    if wrong or data["status"] not in STATUSES:
        raise ValueError(f"odd values of {', '.join(wrong) or 'status'}")
    return Record(
        **texts,
        line=int(data["line"]),
        params=tuple({k: str(p[k]) for k in ("name", "type", "role")} for p in data["params"]),
        warnings=tuple(_warning(str(w)) for w in data["warnings"]),
        preconditions=tuple(_preconditions(data)),
        stages=tuple(map(StageRecord.from_entry, data["stages"])),
        obligations=tuple(
            ObligationRecord(
                str(o["name"]),
                str(o["stage"]),
                str(o["text"]),
                str(o["verdict"]),
                str(o["by"]) if o["by"] else None,
                0.0,
            )
            for o in data["obligations"]
        ),
        seconds={str(step): _finite(s) for step, s in data["seconds"].items()},
        folder=folder,
        files=("pipeline.py", "generator.cpp", "summary.json"),
    )


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{number} is no time")
    return number


def _preconditions(data: dict[str, Any]) -> Iterator[PreconditionRecord]:
    for told in data["entry"]["preconditions"]:
        text, kind, origin = (str(told[key]) for key in ("text", "kind", "origin"))
        yield PreconditionRecord(text, kind, origin, tuple(map(str, told["arrays"])))


def _warning(text: str) -> Diagnostic:
    """A diagnostic from the one line that `str` makes of it."""
    found = _WARNING.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:60]!r} is no warning")
    span = None
    if found["file"] is not None:
        line, column = int(found["line"]), int(found["column"])
        span = Span(found["file"], line, column, line, column + 1)
    return Diagnostic(found["code"], _SEVERITIES[found["severity"]], found["message"], span)
