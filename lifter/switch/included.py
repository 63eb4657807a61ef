"""A source and all that it includes as one text, in which each line keeps its place.

What stands in a header can be led to lifted code in one object without a second meaning for other
files: the compiler reads this text in place of the source. GCC writes it with `-fdirectives-only`:
includes and conditions are resolved, macros stay what they are, and `# LINE "FILE"` says where the
next line comes from.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_MARKER = re.compile(rb'# (\d+) "((?:[^"\\]|\\.)*)"([ \d]*)$')
_ONLY_IN_HEADERS = re.compile(rb"\s*#\s*pragma\s+(once|GCC\s+system_header)\b")
_LINE = re.compile(rb"^\s*#\s*(line\b|\d)", re.MULTILINE)
_OPTIONS = ("-include", "-imacros")
"""What reads files before the source, which would come a second time."""

Place = tuple[int, int, int, int]


BUILT_IN = ("<built-in>", "<command-line>")
"""The files of what a compiler defines by itself and for its options."""


class WrittenLine(NamedTuple):
    """One line that a preprocessor has written: the text, and where it comes from."""

    text: bytes
    file: str
    number: int
    is_of_system: bool
    is_marker: bool
    """Whether it only says where the next line comes from."""


def written_lines(written: bytes) -> Iterator[WrittenLine]:
    """The lines of a preprocessor's output."""
    file, number, is_of_system = "", 0, False
    for line in written.split(b"\n"):
        marker = _MARKER.match(line)
        if marker is not None:
            number = int(marker[1]) - 1
            file = re.sub(rb"\\(.)", rb"\1", marker[2]).decode("utf-8", "surrogateescape")
            is_of_system = b"3" in marker[3].split()
        else:
            number += 1
        yield WrittenLine(line, file, number, is_of_system, marker is not None)


class Included:
    """The text, and where the lines of files are in it."""

    def __init__(self, written: bytes) -> None:
        lines: list[bytes] = []
        self._found: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        for line in written_lines(written):
            # What the compiler defines by itself and for its options, it defines again.
            if line.file in BUILT_IN:
                continue
            lines.append(b"" if _ONLY_IN_HEADERS.match(line.text) else line.text)
            if not line.is_marker:
                self._found[str(Path(line.file).absolute()), line.number].append(len(lines))
        self.text = b"\n".join(lines)
        self._lines = lines
        self._own: dict[Path, list[bytes]] = {}

    def places(self, file: Path, pieces: Sequence[Place]) -> tuple[Place, ...]:
        """Where pieces of a file are in this text.

        Raises `ValueError` where the file was read more than once, or differently; `OSError`.
        """
        lines = self._lines_of(file)

        def place(line: int) -> int:
            found = self._found[str(file.absolute()), line]
            if len(found) != 1:
                raise ValueError(f"{file} is read {'several times' if found else 'otherwise'}")
            if self._lines[found[0] - 1].rstrip(b"\r") != lines[line - 1].rstrip(b"\r"):
                raise ValueError(f"{file} is read otherwise")
            return found[0]

        return tuple((place(a), b, place(c), d) for a, b, c, d in pieces)

    def _lines_of(self, file: Path) -> list[bytes]:
        if file not in self._own:
            own = file.read_bytes()
            if _LINE.search(own):
                raise ValueError(f"#line changes the lines of {file}")
            self._own[file] = own.split(b"\n")
        return self._own[file]


def reads_before(options: Sequence[tuple[str, ...]]) -> bool:
    """Whether options name files that are read before the source."""
    return any(word.startswith(_OPTIONS) for word, *_ in options)
