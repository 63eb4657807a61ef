"""The flags of a `compile_commands.json` for sources that are verified: `lift verify -p`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ..batch.compile_commands import database_file, read_database
from ..model.diagnostic import Diagnostic
from ..settings.flags import Flags

Database = Mapping[str, tuple[Flags, ...]]
"""The ways in which each source is read, by its real path."""


def flags_by_path(path: Path) -> tuple[Database, tuple[Diagnostic, ...]]:
    """The database's flags, and what is wrong with it; raises `LiftError` when it can't be read."""
    read = read_database(database_file(str(path)), Flags())
    found: dict[str, list[Flags]] = {}
    for entry in read.entries:
        found.setdefault(os.path.realpath(entry.path), []).append(entry.flags)
    return {p: tuple(flags) for p, flags in found.items()}, read.problems


def flags_now(told: Flags, ways: tuple[Flags, ...]) -> Flags | None:
    """How a source is read now that was read as `told`: the same configuration of it, or its only
    one; None where nobody can tell which.

    Folders of headers may have moved; a configuration is its macros and its other arguments.
    """
    own = (told.defines, told.clang_arguments)
    alike = [w for w in ways if (w.defines, w.clang_arguments) == own]
    if alike:
        return alike[0]
    return ways[0] if len(ways) == 1 else None
