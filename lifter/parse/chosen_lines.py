"""Which lines of a unit's files the preprocessor takes, and how often: what its conditions choose.

#if __has_include(<x.h>)        A segment is what stands between two directives that choose
#define K 3                     lines, so all of it is taken or none: `#define K 3` is one,
#else                           `#define K 5` another one, and what follows is a third. A file
#define K 5                     may be included several times.
#endif
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import clang.cindex as ci

from .older_headers import HEADERS
from .syntax import library
from .translation_unit import read_source

_CHOOSES = re.compile(r"\s*(?:#|%:|\?\?=)\s*(?:if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b")
_LEADS_ELSEWHERE = re.compile(
    r"\s*(?:#|%:|\?\?=)\s*(?:include|include_next|import|pragma|error|warning|line|ident)\b"
)
_COMMENT = re.compile(
    r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z)', re.DOTALL
)
_KEEP_GOING, _SKIP_BODIES, _DETAILED = 0x200, 0x40, 0x01


@dataclass(frozen=True, slots=True)
class Segment:
    """Lines of a file, by their numbers, without comments, which are taken `times` times."""

    lines: dict[int, str]
    times: int


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that a unit reads; `is_system`: one of our headers, or of the machine's."""

    path: Path
    segments: tuple[Segment, ...]
    is_system: bool


class _Ranges(ctypes.Structure):
    _fields_ = (("count", ctypes.c_uint), ("ranges", ctypes.POINTER(ci.SourceRange)))


def chosen_lines(path: Path, clang_args: Sequence[str]) -> tuple[ReadFile, ...]:
    """All files that a unit reads, itself the first.

    Raises `OSError` where a file can't be read, and `LiftError` where there is nothing to read.
    """
    source = read_source(path, clang_args=clang_args)
    arguments = list(source.parsed.arguments)
    system = {HEADERS, *map(Path, () if source.host is None else source.host.folders)}
    options = _KEEP_GOING | _SKIP_BODIES | _DETAILED
    unit = ci.Index.create().parse(str(path), args=arguments, options=options)
    entered = Counter({str(path): 1})
    entered.update(str(i.include.name) for i in unit.get_includes())
    skipped: dict[str, list[tuple[int, int]]] = {}
    for file, first, last in _skipped(unit):
        skipped.setdefault(file, []).append((first, last))
    return tuple(
        ReadFile(
            Path(file),
            tuple(_segments(Path(file), times, skipped.get(file, []))),
            not system.isdisjoint(Path(file).resolve().parents),
        )
        for file, times in entered.items()
    )


def _segments(file: Path, entered: int, skipped: Sequence[tuple[int, int]]) -> Iterator[Segment]:
    for lines in _between_choices(file.read_bytes().decode("utf-8", "replace")):
        left_out = sum(first < min(lines) and max(lines) < last for first, last in skipped)
        yield Segment(lines, entered - left_out)


def _between_choices(text: str) -> Iterator[dict[int, str]]:
    """The lines between directives that choose, where there are any with words of their own."""
    found: dict[int, str] = {}
    for number, line in enumerate(_COMMENT.sub(_blank, text).split("\n"), 1):
        if _CHOOSES.match(line):
            if found:
                yield found
            found = {}
        elif line.strip() and not _LEADS_ELSEWHERE.match(line):
            found[number] = line
    if found:
        yield found


def _blank(found: re.Match[str]) -> str:
    """A text as it is; a comment as empty lines."""
    return found[0] if found[0].startswith(('"', "'")) else "\n" * found[0].count("\n")


def _skipped(unit: Any) -> Iterator[tuple[str, int, int]]:
    """What is left out, once for each time: the file, and the lines of the directives around."""
    ask = library().clang_getAllSkippedRanges
    ask.restype = ctypes.POINTER(_Ranges)
    ask.argtypes = [ctypes.c_void_p]
    release = library().clang_disposeSourceRangeList
    release.argtypes = [ctypes.POINTER(_Ranges)]
    found = ask(unit.obj)
    try:
        for i in range(found.contents.count):
            one = found.contents.ranges[i]
            yield str(one.start.file.name), int(one.start.line), int(one.end.line)
    finally:
        release(found)
