"""What the files of a translation unit tell the preprocessor and the linker by directives, which
clang's tree doesn't have: names that are macros, and functions that are weak.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
_MACRO = re.compile(r"^[ \t]*(?:#|%:|\?\?=)[ \t]*define[ \t]+(\w+)(?!\w|\()", re.MULTILINE)
_WEAK = re.compile(r"\bpragma\s+weak\s+(\w+)|\b_Pragma\s*\(\s*L?\"\s*weak\s+(\w+)")


@dataclass(frozen=True, slots=True)
class Directives:
    """What is said of names somewhere in a translation unit."""

    macros: frozenset[str] = frozenset()
    """Macros without parameters: where one is defined, its name means no variable or function."""
    weak: frozenset[str] = frozenset()
    """What `#pragma weak` names: the linker may put another file's in its place."""


def directives(written: Iterable[tuple[str, str]]) -> Directives:
    """Those of a unit's `texts`."""
    macros: set[str] = set()
    weak: set[str] = set()
    for _, text in written:
        macros.update(_MACRO.findall(text))
        if "weak" in text:
            weak.update(a or b for a, b in _WEAK.findall(text))
    return Directives(frozenset(macros), frozenset(weak))


def texts(unit: Any, shipped: Path) -> Iterator[tuple[str, str]]:
    """The source and the headers that it brings along, but for ours: name, and text without
    comments and continued lines. `shipped` is the folder of ours."""
    names = [unit.spelling, *(str(i.include.name) for i in unit.get_includes())]
    for name in dict.fromkeys(names):
        path = Path(name)
        if shipped not in path.parents and path.is_file():
            text = path.read_bytes().decode("utf-8", errors="replace")
            joined = text.replace("\r\n", "\n").replace("\\\n", " ")
            yield name, _COMMENT.sub(_without, joined)


def _without(found: re.Match[str]) -> str:
    """A text as it is, a comment's lines without words."""
    return found[0] if found[0].startswith(('"', "'")) else "\n" * found[0].count("\n") or " "
