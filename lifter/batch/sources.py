"""From the command line to the source files of a run, each with its flags and its own folder."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from ..model.beside import Beside
from ..model.diagnostic import Diagnostic
from ..settings.flags import Flags
from ..settings.options import CACHE_FOLDER, RunOptions

SUFFIXES = frozenset({".c", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".inl", ".ipp"})
"""What a source file's name ends in when a whole folder is lifted; a named file may be anything."""
MOST_BESIDE = 64
"""The files beside each in which functions are looked for."""
_SKIPPED_FOLDERS = frozenset({CACHE_FOLDER, ".git", ".hg", ".svn", ".venv", "node_modules"})


@dataclass(frozen=True, slots=True)
class Source:
    """One file to lift, read with its own flags.

    `folder` is where its results go, below the output folder. A file that is built in several
    configurations is a source for each; what means the same in all of them is lifted for one.
    """

    path: str
    folder: str
    flags: Flags = field(default_factory=Flags)
    is_one_of_several: bool = False


def find_sources(options: RunOptions) -> tuple[list[Source], list[Diagnostic]]:
    """The files that the paths and the database name, each configuration once, and an error for
    each path that names none.

    Folders are searched for files with a C++ suffix, in alphabetical order. With a database of
    compile commands (`-p`), its entries are the sources: all, or those that the paths name. Raises
    `LiftError` when the database can't be read at all.
    """
    from .compile_commands import FILE

    databases = [options.database] if options.database is not None else []
    named = []
    for path in options.paths:
        if os.path.basename(path) == FILE and os.path.isfile(path):
            databases.append(path)
        else:
            named.append(path)
    if databases:
        found, problems = _from_databases(databases, named, options)
    else:
        found, problems = _from_paths(named, options)
    good = [entry for entry in found if _is_text(entry[0])]
    problems += [_bad_name(path) for path, _ in found if not _is_text(path)]
    return [*_with_others(_with_folders(good))], problems


def _with_others(sources: Sequence[Source]) -> Iterator[Source]:
    """The sources, with the files beside each in which functions may be that its pointers lead to:
    those that are read by the same rules, of its own folder first."""
    alike: defaultdict[object, dict[Beside, None]] = defaultdict(dict)
    near: defaultdict[object, dict[Beside, None]] = defaultdict(dict)

    def rules(source: Source) -> tuple[object, ...]:
        flags = source.flags
        return flags.std, flags.clang_arguments, source.path.endswith(".c")

    for source in sources:
        one = Beside(source.path, source.flags.includes, source.flags.defines)
        alike[rules(source)].setdefault(one)
        near[*rules(source), os.path.dirname(source.path)].setdefault(one)
    for source in sources:
        everywhere = islice(alike[rules(source)], MOST_BESIDE)
        here = islice(near[*rules(source), os.path.dirname(source.path)], MOST_BESIDE)
        others = [b for b in dict.fromkeys((*here, *everywhere)) if b.path != source.path]
        flags = replace(source.flags, beside=tuple(others[:MOST_BESIDE]))
        yield replace(source, flags=flags)


_Found = tuple[list[tuple[str, Flags]], list[Diagnostic]]


def _from_paths(paths: Sequence[str], options: RunOptions) -> _Found:
    found: dict[str, str] = {}
    problems: list[Diagnostic] = []
    for path in paths:
        files, problem = _files_of(path)
        if problem is not None:
            problems.append(problem)
        for file in files:
            found.setdefault(os.path.realpath(file), file)
    return [(file, options.flags) for file in found.values()], problems


def _from_databases(databases: Sequence[str], paths: Sequence[str], options: RunOptions) -> _Found:
    from .compile_commands import database_file, read_database

    found: list[tuple[str, Flags]] = []
    problems: list[Diagnostic] = []
    used: set[str] = set()
    wanted = {path: os.path.realpath(path) for path in paths}
    for database in databases:
        read = read_database(database_file(database), options.flags)
        problems += read.problems
        for entry in read.entries:
            real = os.path.realpath(entry.path)
            over = [p for p, w in wanted.items() if real == w or real.startswith(w + os.sep)]
            used.update(over)
            if over or not wanted:
                flags = entry.flags.with_paths(_as_seen_from_here)
                found.append((_as_seen_from_here(entry.path), flags))
    for path in paths:
        if path not in used:
            problems.append(_not_in_database(path, databases[0]))
    return found, problems


def _not_in_database(path: str, database: str) -> Diagnostic:
    if not os.path.exists(path):
        return Diagnostic(
            "file-missing", "error", f"{path}: no such file or folder", help=_nearest(path)
        )
    return Diagnostic(
        "no-sources",
        "error",
        f"{path}: no entry of the compile commands in {database} is for this or below it",
        help="leave -p out to lift it with --std, -I and -D given by hand, or build the project so "
        "that the file is in the database",
    )


def _as_seen_from_here(path: str) -> str:
    """A path below the current folder as people write it, any other as it is.

    What is told of a project doesn't name the folder that it happens to be in.
    """
    here = os.path.relpath(path)
    return path if here == os.pardir or here.startswith(os.pardir + os.sep) else here


def _files_of(path: str) -> tuple[list[str], Diagnostic | None]:
    if os.path.isfile(path):
        return [path], None
    if os.path.isdir(path):
        inside = sorted(_below(path))
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


def _below(path: str) -> Iterator[str]:
    """The sources below a folder, but for folders that hold none of the user's or our results."""
    for root, folders, names in os.walk(path):
        folders[:] = [
            name
            for name in folders
            if name not in _SKIPPED_FOLDERS
            and not os.path.isdir(os.path.join(root, name, CACHE_FOLDER))
            and not os.path.isfile(os.path.join(root, name, "summary.json"))
        ]
        for name in names:
            if os.path.splitext(name)[1] in SUFFIXES:
                yield os.path.join(root, name)


def _nearest(path: str) -> str | None:
    import difflib

    parent = Path(path).parent
    if not parent.is_dir():
        return f"there is no folder {parent} either; paths count from {os.getcwd()}"
    near = difflib.get_close_matches(Path(path).name, sorted(os.listdir(parent)), n=1)
    return f"did you mean {parent / near[0]}?" if near else None


def _is_text(path: str) -> bool:
    """Whether a name can be told: in UTF-8, without characters that steer a terminal."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return path.isprintable()


def _bad_name(path: str) -> Diagnostic:
    return Diagnostic(
        "file-name",
        "error",
        f"{path!a}: the file's name has bytes that aren't UTF-8, or control characters",
        help="rename the file",
    )


def _with_folders(found: Iterable[tuple[str, Flags]]) -> list[Source]:
    """Sources with folders of their own; a file's second configuration gets `-2` at its end."""
    entries = list(found)
    files = list(dict.fromkeys(path for path, _ in entries))
    folders = dict(zip(files, _folders(files), strict=True))
    taken = set(folders.values())
    counts = Counter(path for path, _ in entries)
    seen: Counter[str] = Counter()
    sources = []
    for path, flags in entries:
        seen[path] += 1
        folder = folders[path]
        if seen[path] > 1:
            number = seen[path]
            while (folder := f"{folders[path]}-{number}") in taken:
                number += 1
            taken.add(folder)
        sources.append(Source(path, folder, flags, counts[path] > 1))
    return sources


def _folders(files: list[str]) -> list[str]:
    """The result folder of each file: its stem, with as many parents as tell equal ones apart."""
    parts = [(*Path(os.path.abspath(f)).parts[:-1], _stem(f)) for f in files]
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


def _stem(file: str) -> str:
    """A file's name without its ending, as a folder may be called: no `..`, nothing hidden."""
    stem = os.path.splitext(os.path.basename(file))[0].lstrip(".")
    return stem or "_"


def _apart(names: list[str]) -> list[str]:
    """Numbers what is still equal: `a.c` beside `a.cpp`."""
    seen: Counter[str] = Counter()
    apart: list[str] = []
    taken = set(names)
    for name in names:
        seen[name] += 1
        number, chosen = seen[name], name
        while number > 1 and (chosen := f"{name}-{number}") in taken:
            number += 1
        taken.add(chosen)
        apart.append(chosen)
    return apart
