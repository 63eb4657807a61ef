"""Whether the compiler takes the lines of a source and its headers that `lift` has read.

Both follow the same conditions with the same macros of the compiler's own, but `lift` reads headers
of its own in place of the library's: what those define besides, and whether a header is there, may
decide what the preprocessor takes. What was proved of other lines is no proof.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..parse import ReadFile, Segment
from .included import BUILT_IN, written_lines

_DEFINE = re.compile(r"\s*#\s*define\s+(\w+)(.*)")
_UNDEFINE = re.compile(r"\s*#\s*undef\s+(\w+)")


def read_otherwise(written: bytes, read: Sequence[ReadFile], made: Path) -> str | None:
    """Where a compiler whose preprocessor has `written` takes other lines than those that were
    `read`; None where it takes the same. Files below the folder `made` are our own.

    Macros that nothing uses, or that are the same one wherever they are defined, count for nothing.
    """
    taken: Counter[tuple[str, int]] = Counter()
    beside: dict[str, str] = {}
    for line in written_lines(written):
        if line.is_marker or line.file in BUILT_IN or not line.text.strip():
            continue
        name = os.path.realpath(line.file)
        taken[name, line.number] += 1
        if not line.is_of_system:
            beside.setdefault(name, line.file)
    own = [f for f in read if not f.is_system and made not in f.path.absolute().parents]
    for file in own:
        beside.pop(os.path.realpath(file.path), None)
    for name in beside.values():
        if made not in Path(name).absolute().parents:
            return f"the compiler includes {name}"
    differ = [
        (file.path, segment)
        for file in own
        for segment in file.segments
        if segment.times != max(taken[os.path.realpath(file.path), n] for n in segment.lines)
    ]
    if not differ:
        return None
    same = _SameMacros(written, read, own, [s for _, s in differ])
    for path, segment in differ:
        if not all(map(same.has, segment.lines.values())):
            return f"the compiler takes other lines at {path}:{min(segment.lines)}"
    return None


class _SameMacros:
    """Which macros mean the same, whether some lines are taken or not."""

    def __init__(
        self,
        written: bytes,
        read: Sequence[ReadFile],
        own: Sequence[ReadFile],
        differ: Sequence[Segment],
    ) -> None:
        theirs = [w.text.decode("utf-8", "replace") for w in written_lines(written)]
        ours = [
            line
            for file in read
            for segment in file.segments
            if segment.times
            for line in segment.lines.values()
        ]
        self._theirs, self._ours = _meanings(theirs), _meanings(ours)
        aside = {line for segment in differ for line in segment.lines.values()}
        rest = [
            line
            for file in own
            for segment in file.segments
            if segment.times
            for line in segment.lines.values()
            if line not in aside
        ]
        self._used = {word for line in rest for word in re.findall(r"\w+", line)}
        self._pastes = any("##" in line or "%:%:" in line for line in rest)
        """Whether names are put together, so that a text doesn't show which it has."""

    def has(self, line: str) -> bool:
        """Whether a line that only one of both takes makes no difference."""
        found = _DEFINE.match(line) or _UNDEFINE.match(line)
        if found is None or line.rstrip().endswith("\\"):
            return False
        name = found[1]
        if name not in self._used and not self._pastes:
            return True
        meanings = self._theirs.get(name, set())
        return len(meanings) == 1 and meanings == self._ours.get(name) and None not in meanings


def _meanings(lines: Sequence[str]) -> dict[str, set[str | None]]:
    """What macros are defined as anywhere; None: that they aren't from there on."""
    found: dict[str, set[str | None]] = {}
    for line in lines:
        if (definition := _DEFINE.match(line)) is not None:
            found.setdefault(definition[1], set()).add(" ".join(definition[2].split()))
        elif (gone := _UNDEFINE.match(line)) is not None:
            found.setdefault(gone[1], set()).add(None)
    return found
