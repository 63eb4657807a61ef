"""What a folder of `lift` holds, as somebody committed it: read, and believed in nothing.

Nothing in it is run. `flags` reach the parser only as far as they say how to read a source:
a compiler has options that load code, write files, or take more options from files.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..batch.sealing import SUMMARY, seal_digest, text_digest
from ..settings.flags import Flags

MOST_BYTES = 64_000_000
_PROGRAMS = ("pipeline.py", "generator.cpp")
_HARMLESS = re.compile(
    r"-(I|isystem|iquote|idirafter|D|U|-sysroot=|isysroot).+"
    r"|-(std=|stdlib=|-target=|O|g|m(?!llvm))[\w.,+=:-]*|-W[\w=+-]*|-w|-ansi|-pthread"
    r"|-pedantic(-errors)?|-nostd(inc|libinc|inc\+\+)"
    # Without a value, an option names no file.
    r"|-f(?!modules|implicit-module|time-trace|save-|stack-usage|dump)[a-zA-Z][\w-]*"
    r"|-f(visibility|openmp|lto|max-errors|constexpr-\w+|template-depth|abi-version|fp-contract"
    r"|fp-model|cf-protection|signed-char|ms-compatibility-version|wchar|pack-struct)=[\w.+-]*",
    re.ASCII,
)
_TAKES_ONE = frozenset(
    ("-I", "-isystem", "-iquote", "-idirafter", "-D", "-U", "-x", "-include", "-target",
     "-isysroot", "--sysroot")
)  # fmt: skip


@dataclass(frozen=True)
class Committed:
    """One function's folder. `problem` says why it can't be read; all else is empty then."""

    folder: Path
    data: dict[str, Any]
    texts: dict[str, str]
    """`pipeline.py` and `generator.cpp`, where they are there."""
    flags: Flags
    problem: str | None = None

    @property
    def name(self) -> str:
        return str(self.data.get("name") or self.folder.name)

    @property
    def file(self) -> str:
        """The file to read: that which includes the function's own, if there is one."""
        return str(self.data.get("unit") or self.data.get("file") or "")

    @property
    def place(self) -> str:
        """The file that the function stands in."""
        return str(self.data.get("file") or "")

    @property
    def line(self) -> int:
        line = self.data.get("line")
        return line if type(line) is int else 1

    @property
    def seal(self) -> dict[str, str]:
        """What the seal says; empty where there is none."""
        seal = self.data.get("seal")
        return {str(k): str(v) for k, v in seal.items()} if isinstance(seal, dict) else {}

    @property
    def is_as_lifted(self) -> bool:
        """Whether `summary.json` and the programs beside it are what their seal was made of.

        Who commits no generator has none that says something else.
        """
        files = self.data.get("files")
        if not isinstance(files, dict) or self.seal.get("digest") != seal_digest(self.data):
            return False
        return "pipeline.py" in self.texts and all(
            text_digest(text) == files.get(name) for name, text in self.texts.items()
        )

    def certificates(self) -> dict[str, str | None]:
        """The stored obligations by file name, None for one that can't be read."""
        files = self.data.get("files")
        told = [n for n in files if n.startswith("proof/")] if isinstance(files, dict) else []
        there = [f"proof/{p.name}" for p in sorted(self.folder.glob("proof/*.smt2"))]
        found: dict[str, str | None] = {}
        for name in dict.fromkeys([*told, *there]):
            inside = re.fullmatch(r"proof/[^/\\]+\.smt2", name) is not None
            found[name] = _text(self.folder / name) if inside else None
        return found


def committed_folders(directory: Path) -> list[Path]:
    """The folders below `directory` that have a summary, in order; links are not followed."""
    found = []
    for folder, inner, names in os.walk(directory):
        inner[:] = sorted(n for n in inner if n not in (".lift-cache", ".git"))
        if SUMMARY in names:
            found.append(Path(folder))
    return sorted(found)


def read_committed(folder: Path) -> Committed:
    """Reads a folder; never raises for what is in it."""
    text = _text(folder / SUMMARY)
    if text is None:
        return _broken(folder, {}, f"{SUMMARY} can't be read")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _broken(folder, {}, f"{SUMMARY} is no JSON: {error}")
    if not isinstance(data, dict):
        return _broken(folder, {}, f"{SUMMARY} is no summary")
    for key in ("name", "file", "qualified_name", "signature"):
        if not isinstance(data.get(key), str) or not data[key] or "\0" in data[key]:
            return _broken(folder, data, f"{SUMMARY} has no `{key}`")
    if data["name"] != folder.name:
        return _broken(folder, data, f"the folder {folder.name} has the summary of {data['name']}")
    try:
        flags = Flags.from_json(data["flags"])
    except (KeyError, TypeError, ValueError, AttributeError):
        return _broken(
            folder, data, f"{SUMMARY} doesn't say how its source is read: it is of an older lift"
        )
    refused = refused_flag(flags.clang_arguments)
    if refused is not None:
        return _broken(folder, data, f"{SUMMARY} wants the option {refused!r}")
    if flags.std is not None and not re.fullmatch(r"[\w+:]+", flags.std, re.ASCII):
        return _broken(folder, data, f"{SUMMARY} wants the standard {flags.std!r}")
    # One that is there and can't be read, a link, says nothing that could be proved.
    there = (name for name in _PROGRAMS if os.path.lexists(folder / name))
    return Committed(folder, data, {n: _text(folder / n) or "" for n in there}, flags)


def refused_flag(arguments: tuple[str, ...]) -> str | None:
    """The first option that says more than how to read a source."""
    words: Iterator[str] = iter(arguments)
    for word in words:
        if word in _TAKES_ONE:
            value = next(words, "")
            if value.startswith(("-", "@")):
                return value
        elif not _HARMLESS.fullmatch(word):
            return word
    return None


def _broken(folder: Path, data: dict[str, Any], problem: str) -> Committed:
    return Committed(folder, data, {}, Flags(), problem)


def _text(path: Path) -> str | None:
    """A file's text; None where there is none, where it is a link, or too long."""
    try:
        if path.is_symlink() or path.stat().st_size > MOST_BYTES:
            return None
        # A lone carriage return is no line's end to every reader of a program.
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except (OSError, ValueError):
        return None
