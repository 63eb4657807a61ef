"""Gives the result of a canonical kernel (`meaning`) the places of one source that means it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ..model.diagnostic import Span
from ..model.record import Record
from .meaning import CANONICAL_FILE, FIRST_LINE
from .one_function import Lifted
from .sealing import sealed

if TYPE_CHECKING:
    from ..model.kernel import Kernel
    from ..settings.flags import Flags

T = TypeVar("T")
_HEAD = 400
"""How far into a program's text its first line, which names the source, may reach."""
_PLACE = re.compile(rf"{CANONICAL_FILE}:(9\d{{9}}):1\b")
_LINES = re.compile(r"\b(lines?) (9\d{9})(?: and (9\d{9}))?\b")


def localized(lifted: Lifted, places: Sequence[Span], facts: dict[str, Any]) -> Lifted:
    """The result of a canonical kernel as that of a kernel which has it as its canonical form.

    `places` are what `canonical` gave of that kernel, `facts` its `source_facts`.
    """
    record = localized_record(lifted.record, places, facts["source"], facts.get("unit", ""))
    return Lifted(record, _texts(lifted.texts, places, facts))


def localized_record(record: Record, places: Sequence[Span], source: str, unit: str = "") -> Record:
    """The record of a canonical kernel with the places of a source; `source` is its own text,
    `unit` the file that is read to see it where that is another."""
    if not places:
        return record
    at, visited = places[0], _visited(record, places)
    return dataclasses.replace(visited, file=at.file, line=at.line, source=source, unit=unit)


def _visited(part: T, places: Sequence[Span]) -> T:
    def visit(part: Any) -> Any:
        if isinstance(part, Span):
            return _place(part, places)
        if isinstance(part, str):
            return _text(part, places)
        if isinstance(part, tuple | list):
            return type(part)(map(visit, part))
        if isinstance(part, dict):
            return {key: visit(value) for key, value in part.items()}
        if dataclasses.is_dataclass(part) and not isinstance(part, type):
            made = {f.name: visit(getattr(part, f.name)) for f in dataclasses.fields(part)}
            return type(part)(**made)
        return part

    return visit(part)  # type: ignore[no-any-return]


def _place(span: Span, places: Sequence[Span]) -> Span:
    if span.file != CANONICAL_FILE:
        return span
    start, end = places[span.line - FIRST_LINE], places[span.end_line - FIRST_LINE]
    return start if start is end else Span(
        start.file, start.line, start.column, end.end_line, end.end_column
    )  # fmt: skip


def _text(text: str, places: Sequence[Span]) -> str:
    if " 9" not in text and CANONICAL_FILE not in text:
        return text

    def line(number: str) -> int:
        return places[int(number) - FIRST_LINE].line

    def shown(match: re.Match[str]) -> str:
        word, first, second = match.groups()
        return f"{word} {line(first)}" + (f" and {line(second)}" if second else "")

    text = _PLACE.sub(lambda m: str(places[int(m[1]) - FIRST_LINE]), text)
    return _LINES.sub(shown, text)


def _texts(texts: dict[str, str], places: Sequence[Span], facts: dict[str, Any]) -> dict[str, str]:
    """The files as they are written: `summary.json` tells of this source, programs name its file.

    Certificates name no place.
    """
    from ..emit import source_name

    found = dict(texts)
    name = source_name(facts["file"])
    for file in ("pipeline.py", "generator.cpp"):
        if file in found:
            head, rest = found[file][:_HEAD], found[file][_HEAD:]
            found[file] = head.replace(CANONICAL_FILE, name, 1) + rest
    if "summary.json" in found:
        data = _visited(json.loads(found["summary.json"]), places)
        return sealed(found, data | facts)
    return found


def _beside(kernel: Kernel) -> set[str]:
    """The other files whose functions a kernel's pointers may lead to."""
    return set() if kernel.put_back is None else set(kernel.put_back.beside)


def source_facts(kernel: Kernel, flags: Flags, meaning: str, path: str) -> dict[str, Any]:
    """What `summary.json` says of the source and not of its meaning; the rest never moves.

    `meaning` is for its seal; `path` is the file that was read to see the kernel.
    """
    return {
        **({"unit": path} if kernel.span.file != path else {}),
        "file": kernel.span.file,
        "line": kernel.span.line,
        "source": kernel.source,
        "source_sha256": hashlib.sha256(kernel.source.encode()).hexdigest(),
        "models": sorted({f.span.file for f in kernel.functions.values() if f.is_model}),
        "flags": flags.only_beside(_beside(kernel)).to_json(),
        "meaning": meaning,
        "put_back": None if kernel.put_back is None else dataclasses.asdict(kernel.put_back),
    }
