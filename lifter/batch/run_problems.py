"""What a run says when something goes wrong that isn't a function's own fault."""

from __future__ import annotations

import difflib
import errno
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..model.diagnostic import Diagnostic, LiftError
from ..settings.options import RunOptions
from .workers import TaskOutcome

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def lost(outcome: TaskOutcome, what: str, doing: str, options: RunOptions) -> Diagnostic:
    """Why a task didn't come back with a result; `what` is a function or a file."""
    if outcome.kind == "timeout":
        return Diagnostic(
            "timeout",
            "error",
            f"{what}: {doing} took longer than {options.timeout:g} s",
            help="give it more time with --timeout SECONDS",
            family="undecided",
        )
    if outcome.kind == "memory":
        return Diagnostic(
            "memory",
            "error",
            f"{what}: {doing} took more than {options.memory:g} MB of memory",
            help="give it more with --memory MB, and run fewer at a time with -j",
            family="undecided",
        )
    if outcome.kind == "lost":
        return Diagnostic(
            "worker-lost",
            "error",
            f"{what}: every worker of the cluster that was given it was lost",
            notes=(f"the last of them: {outcome.text}",),
            help="lift it here, without --cluster, to see what it does to a machine",
            family="internal",
        )
    what_kind, *where = outcome.text.strip().splitlines() or ["unknown"]
    return Diagnostic(
        "internal",
        "error",
        f"{what}: {doing} ended in an error of lift's own: {what_kind}",
        notes=("\n".join(["it came from", *where]),) if where else (),
        help="this is a bug in lift; the rest of the run isn't touched by it",
        family="internal",
    )


def out_of_order(error: OSError | sqlite3.Error, out: Path, left: int) -> Diagnostic:
    """What is said when results can't be kept any more."""
    undone = f"{left} functions and files are not done"
    if is_full(error):
        return Diagnostic(
            "disk-full",
            "error",
            f"{out}: the disk is full; what was finished is kept, {undone}",
            help="make room, or name another folder with -o DIR, and run the same command "
            "again: it goes on from here",
        )
    return Diagnostic(
        "output-folder",
        "error",
        f"{out}: results can't be written here any more: {error}; {undone}",
        help="name another folder with -o DIR",
    )


def unwritable(error: OSError, out: Path) -> LiftError:
    """The error for an output folder in which a run can't even begin."""
    return LiftError(
        Diagnostic(
            "disk-full" if is_full(error) else "output-folder",
            "error",
            f"{out}: can't write results here: {error.strerror or error}",
            help="name another folder with -o DIR",
        )
    )


def is_full(error: OSError | sqlite3.Error) -> bool:
    """Whether there is no room left on the disk."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL


def unusable(out: Path, error: sqlite3.Error) -> Diagnostic:
    """The warning for a store that can't be opened."""
    return Diagnostic(
        "cache-unusable",
        "warning",
        f"{out}: results can't be remembered here for the next run: {error}",
        help="the file system must let programs lock files; name a folder on another with -o DIR",
    )


def source_changed(path: str) -> Diagnostic:
    """The warning for a file that isn't what was read any more."""
    return Diagnostic(
        "source-changed",
        "warning",
        f"{path}: the file changed while it was being lifted; the results are of the text that was "
        "read",
        help="lift it again; functions that mean the same come from the cache",
    )


def unmatched_names(
    wanted: Iterable[str], matched: set[str], known: set[str]
) -> Iterator[Diagnostic]:
    """An error for each `--function` that no file of the run has."""
    for name in wanted:
        if name in matched:
            continue
        near = difflib.get_close_matches(name, sorted(known), n=3)
        yield Diagnostic(
            "unknown-function",
            "error",
            f"--function {name}: no function of this name in the files of the run",
            help=f"did you mean {', '.join(near)}?" if near else "names are case sensitive",
        )
