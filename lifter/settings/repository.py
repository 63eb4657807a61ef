"""Where the repository begins that a run is about."""

from __future__ import annotations

import os
from pathlib import Path

_ROOT_VARIABLES = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Where GitHub and GitLab put a checkout, which need not have a `.git`."""
_MARKS = (".git", ".hg", ".svn")


def repository_root(start: Path) -> Path | None:
    """The nearest folder from `start` upwards that version control marks as a root, or None.

    Without a mark the folder that a CI system names counts, when `start` is inside of it.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        if any((folder / mark).exists() for mark in _MARKS):
            return folder
    for variable in _ROOT_VARIABLES:
        named = os.environ.get(variable)
        if named and start.is_relative_to(Path(named).resolve()):
            return Path(named).resolve()
    return None
