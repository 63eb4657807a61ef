"""From the paths on the command line to the source files of a run."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from .diagnostic import Diagnostic
from .flags import Flags
from .options import CACHE_FOLDER, RunOptions

SUFFIXES = frozenset({".c", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".inl", ".ipp"})
"""What a source file's name ends in when a whole folder is lifted; a named file may be anything."""
_SKIPPED_FOLDERS = frozenset({CACHE_FOLDER, ".git", ".hg", ".svn", ".venv", "node_modules"})


@dataclass(frozen=True, slots=True)
class Source:
    """One file to lift, read with its own flags.

    `folder` is where its results go, below the output folder.
    """

    path: str
    folder: str
    flags: Flags = field(default_factory=Flags)


def find_sources(options: RunOptions) -> tuple[list[Source], list[Diagnostic]]:
    """The files that the paths name, each once, and an error for each path that names none.

    Folders are searched for files with a C++ suffix, in alphabetical order.
    """
    found: dict[str, str] = {}
    problems: list[Diagnostic] = []
    for path in options.paths:
        files, problem = _files_of(path)
        if problem is not None:
            problems.append(problem)
        for file in files:
            found.setdefault(os.path.realpath(file), file)
    files = list(found.values())
    flags = options.flags
    return [Source(f, d, flags) for f, d in zip(files, _folders(files), strict=True)], problems


def _files_of(path: str) -> tuple[list[str], Diagnostic | None]:
    if os.path.basename(path) == "compile_commands.json" and os.path.isfile(path):
        return [], Diagnostic(
            "not-available",
            "error",
            f"{path}: lifting from a compile_commands.json is not there yet",
            help="name the source files or their folder, and pass --std, -I and -D by hand",
        )
    if os.path.isfile(path):
        return [path], None
    if os.path.isdir(path):
        inside = sorted(
            os.path.join(root, name)
            for root, folders, names in os.walk(path)
            for name in names
            if os.path.splitext(name)[1] in SUFFIXES and _wanted(folders)
        )
        if inside:
            return inside, None
        kinds = " ".join(sorted(SUFFIXES))
        return [], Diagnostic(
            "no-sources",
            "error",
            f"{path}: no C++ source file in this folder or below",
            help=f"files with one of these endings are looked for: {kinds}; "
            "name a file itself to lift it whatever its ending",
        )
    if os.path.exists(path):
        return [], Diagnostic("file-missing", "error", f"{path}: not a file or a folder")
    return [], Diagnostic(
        "file-missing", "error", f"{path}: no such file or folder", help=_nearest(path)
    )


def _wanted(folders: list[str]) -> bool:
    """Keeps `os.walk` out of folders that hold no sources of the user's."""
    folders[:] = sorted(f for f in folders if f not in _SKIPPED_FOLDERS)
    return True


def _nearest(path: str) -> str | None:
    import difflib

    parent = Path(path).parent
    if not parent.is_dir():
        return f"there is no folder {parent} either; paths count from {os.getcwd()}"
    near = difflib.get_close_matches(Path(path).name, sorted(os.listdir(parent)), n=1)
    return f"did you mean {parent / near[0]}?" if near else None


def _folders(files: list[str]) -> list[str]:
    """The result folder of each file: its stem, with as many parents as tell equal ones apart."""
    parts = [Path(os.path.abspath(f)).with_suffix("").parts for f in files]
    depth = [1] * len(files)
    while True:
        names = ["/".join(p[-d:]) for p, d in zip(parts, depth, strict=True)]
        shared = {name for name, count in Counter(names).items() if count > 1}
        grown = [
            d + 1 if name in shared and d < len(p) - 1 else d
            for name, d, p in zip(names, depth, parts, strict=True)
        ]
        if grown == depth:
            return _apart(names)
        depth = grown


def _apart(names: list[str]) -> list[str]:
    """Numbers what is still equal: `a.c` beside `a.cpp`."""
    seen: Counter[str] = Counter()
    apart = []
    for name in names:
        seen[name] += 1
        apart.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return apart
