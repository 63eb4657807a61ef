"""Places in files, as reports name them: below the repository's root, in characters, as URIs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote_from_bytes

from ..model.diagnostic import Span
from ..settings.repository import repository_root


@dataclass(frozen=True, slots=True)
class Place:
    """A part of one line of a file; columns count characters from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    end_column: int
    text: str
    """The whole line, without its end; "" where the file can't be read."""


class Places:
    """Looks places up, relative to `root` (default: the repository of the working directory)."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = (root or repository_root(Path.cwd()) or Path.cwd()).resolve()
        self._lines = cache(_lines)

    def relative(self, file: str) -> str | None:
        """The path below the root, with links resolved; None when it is outside."""
        path = os.path.relpath(os.path.realpath(file), self.root)
        return None if path == ".." or path.startswith("../") else path

    def shown(self, file: str) -> str:
        """The path below the root, or the absolute one of a file outside."""
        return self.relative(file) or os.path.realpath(file)

    def uri(self, file: str) -> str:
        """A reference relative to the root; an absolute `file:` URI of a file outside.

        Every byte of a name but letters, digits and `-._~/` is percent-encoded, so a name that is
        not UTF-8, or looks like a URI itself, survives the way there and back.
        """
        path = self.relative(file)
        return file_uri(os.path.realpath(file)) if path is None else _quoted(path)

    def of(self, span: Span) -> Place:
        """The first line of a span: pages show a finding only where all of its lines are shown.

        libclang's columns count bytes; the place's count characters.
        """
        line = self._line(span.file, span.line)
        end = span.end_column if span.end_line == span.line else len(line) + 1
        first = _characters(line, span.column)
        return Place(
            span.file,
            max(1, span.line),
            first,
            max(first + 1, _characters(line, end)),
            line.decode("utf-8", "replace"),
        )

    def of_line(self, file: str, number: int) -> Place:
        """The text of a line, without what it is indented by."""
        line = self._line(file, number)
        start = len(line) - len(line.lstrip()) + 1
        return self.of(Span(file, number, start, number, len(line) + 1))

    def _line(self, file: str, number: int) -> bytes:
        lines = self._lines(file)
        return lines[number - 1] if 0 < number <= len(lines) else b""


def is_file_span(span: Span | None) -> bool:
    """Whether a span is in a file, not in an option such as `--assume`."""
    return span is not None and bool(span.file) and not span.file.startswith("--")


def file_uri(path: str) -> str:
    """The absolute `file:` URI of an absolute path."""
    return "file://" + _quoted(path)


def _quoted(path: str) -> str:
    return quote_from_bytes(os.fsencode(path), safe="/-._~")


def _characters(line: bytes, column: int) -> int:
    """The character column of a byte column, at most one beyond the line's end."""
    return len(line[: max(0, column - 1)].decode("utf-8", "replace")) + 1


def _lines(file: str) -> list[bytes]:
    try:
        return [line.rstrip(b"\r") for line in Path(file).read_bytes().split(b"\n")]
    except (OSError, ValueError):
        return []
