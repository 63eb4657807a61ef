"""Which functions are compared: a pair by name, and how the files are read that have them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..batch.sources import SUFFIXES
from ..model.beside import Linked
from ..model.diagnostic import Diagnostic, LiftError
from ..model.kernel import Kernel
from ..settings.flags import Flags, parse_source

if TYPE_CHECKING:
    from ..parse import LinkerNames

MOST_LINKED = 16
"""Other files in whose functions calls may end."""
_CALLED = re.compile(rb"\b(?!(?:if|for|while|switch|return|sizeof)\b)[A-Za-z_]\w*(?=\s*\()")
_BEFORE_DECLARATIONS = re.compile(rb"[;{}]|\*/|//.*|#.*")
_LONGEST_HEAD = 300
"""Characters of a declaration in front of the function's name that are looked at."""


class NotThere(ValueError):
    """A function that can't be compared, with the reason; `is_absent` where the file has none of
    that name."""

    def __init__(self, message: str, is_absent: bool = False) -> None:
        super().__init__(message)
        self.is_absent = is_absent


@dataclass(frozen=True, slots=True)
class Side:
    """One function, and how its file is read."""

    file: str
    function: str
    flags: Flags


@dataclass(frozen=True, slots=True)
class Pair:
    """Two functions, and the other files of their library."""

    first: Side
    second: Side
    library: tuple[tuple[str, Flags], ...] = ()

    @property
    def label(self) -> str:
        return f"{self.first.function}, {self.second.function}"


def side_of(text: str) -> tuple[str, str]:
    """The file and the function of `FILE:FUNC`; the name of a file may hold a colon, that of a
    function `::`. Raises `LiftError` where there is no such file."""
    for place, character in enumerate(text):
        if character == ":" and Path(text[:place]).is_file():
            function = text[place + 1 :].lstrip(":")
            if function:
                return text[:place], function
    file, colon, _ = text.partition(":")
    if not colon or os.path.isfile(text):
        message = f"{text!r} names no function"
        raise LiftError(Diagnostic("no-twins", "error", message, help="write FILE:FUNCTION"))
    raise LiftError(Diagnostic("file-missing", "error", f"{file}: no such file"))


def neighbours(paths: Sequence[str]) -> list[str]:
    """The source files in the folders of these, without these."""
    own = {os.path.realpath(p) for p in paths}
    found: dict[str, None] = {}
    for folder in dict.fromkeys(os.path.dirname(p) for p in paths):
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in names:
            path = os.path.join(folder, name)
            is_source = os.path.splitext(name)[1] in SUFFIXES and os.path.isfile(path)
            if is_source and os.path.realpath(path) not in own:
                found[path] = None
    return list(found)


def kernel_of(side: Side, pair: Pair) -> Kernel:
    """The function as a kernel, calls that end in other files of the pair's library followed.

    Raises `NotThere`, or `LiftError` where its file can't be read at all.
    """
    linked = linked_files(side, pair)
    parsed = parse_source(
        side.file, side.flags, [side.function], alone=[side.function], linked=linked
    )
    found = [k for k in parsed.kernels if side.function in (k.name, k.qualified_name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise NotThere(f"{side.file} has several functions {side.function}")
    for aside in (*parsed.failed, *parsed.skipped):
        if aside.name == side.function.split("::")[-1]:
            raise NotThere(f"{aside.diagnostic.message} [{aside.diagnostic.code}]")
    raise NotThere(f"{side.file} has no function {side.function}", is_absent=True)


def linked_files(side: Side, pair: Pair) -> list[Linked]:
    """The other files that may define what the function's file calls, and what these call."""
    others = _others(pair, (side,))
    texts = {file.path: _bytes(file.path) for file in others}
    found: dict[str, Linked] = {}
    pending = [_bytes(side.file)]
    while pending and len(found) < MOST_LINKED:
        words = set(_CALLED.findall(pending.pop()))
        for file in others:
            if file.path not in found and _defines(texts[file.path], words):
                found[file.path] = file
                pending.append(texts[file.path])
    return list(found.values())


def needed_files(pair: Pair) -> list[Linked]:
    """The files of the two functions, and those without which these can't be linked, in which they
    are whole: what functions beside the two call is needed, too."""
    others = _others(pair, (pair.first, pair.second))
    texts = {file.path: _bytes(file.path) for file in others}
    known: dict[str, LinkerNames] = {}
    found = {s.file: _linked(s.file, s.flags) for s in (pair.first, pair.second)}
    own = [_linker_names(file) for file in found.values()]
    given = {name for names in own for name in names.gives}
    pending = sorted(name for names in own for name in names.needs)
    while pending:
        name = pending.pop(0)
        if name in given:
            continue
        for file in others:
            if file.path in found or not _defines(texts[file.path], {name.encode()}):
                continue
            if file.path not in known:
                known[file.path] = _linker_names(file)
            names = known[file.path]
            if name in names.gives:
                found[file.path] = file
                given |= names.gives
                pending += sorted(names.needs)
                break
    return list(found.values())


def _linker_names(file: Linked) -> LinkerNames:
    """A file that can't be read gives nothing."""
    from ..parse import LinkerNames, linker_names

    try:
        return linker_names(file)
    except LiftError:
        return LinkerNames(frozenset(), frozenset())


def _others(pair: Pair, sides: Sequence[Side]) -> list[Linked]:
    """The pair's files without those of these functions, each once."""
    own = {os.path.realpath(side.file) for side in sides}
    files = [*((s.file, s.flags) for s in (pair.first, pair.second)), *pair.library]
    found: dict[str, Linked] = {}
    for path, flags in files:
        if os.path.realpath(path) not in own:
            found.setdefault(path, _linked(path, flags))
    return list(found.values())


def _linked(path: str, flags: Flags) -> Linked:
    return Linked(path, flags.std, flags.includes, flags.defines, flags.clang_arguments)


def _defines(text: bytes, names: set[bytes]) -> bool:
    """Whether a file may define one of these functions for others to call; clang looks closer."""
    return any(
        _may_be_external(text, definition.start())
        for name in names & set(_CALLED.findall(text))
        for definition in re.finditer(rb"\b%s\s*\([^;{}]*\)[^;{}()]*\{" % re.escape(name), text)
    )


def _may_be_external(text: bytes, place: int) -> bool:
    """Whether what has its name here is neither declared static nor stands in a macro's line."""
    line = text[text.rfind(b"\n", 0, place) + 1 : place]
    head = _BEFORE_DECLARATIONS.split(text[max(0, place - _LONGEST_HEAD) : place])[-1]
    return not line.lstrip().startswith(b"#") and b"static" not in head.split()


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def with_flags(flags: Flags, more: Sequence[str]) -> Flags:
    """The flags with more arguments for clang."""
    return replace(flags, clang_arguments=(*flags.clang_arguments, *more))
