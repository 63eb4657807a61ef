"""What a run of `lift PATH...` was asked to do."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from .flags import Flags

CACHE_FOLDER = ".lift-cache"
TIMEOUT = 300.0
"""Seconds that a function has where nobody says otherwise."""
MEMORY = 4096.0
"""Megabytes that it has."""


def available_cores() -> int:
    """The cores that this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of the command line; a function has `timeout` seconds and `memory` megabytes."""

    paths: tuple[str, ...] = ()
    """Files and folders; with a database, none means all that it has."""
    out: Path = Path("lifted")
    std: str | None = None
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    clang_arguments: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    models: tuple[Path, ...] = ()
    grammars: tuple[Path, ...] = ()
    assumptions: tuple[str, ...] = ()
    timeout: float = TIMEOUT
    memory: float = MEMORY
    jobs: int = field(default_factory=available_cores)
    cache: bool = True
    database: str | None = None
    """The folder of a `compile_commands.json`, or that file."""
    cluster: str | None = None
    """The address of a Dask scheduler whose workers lift the functions."""

    @property
    def flags(self) -> Flags:
        """How files are read that no database of compile commands tells of."""
        return Flags(
            self.std, self.includes, self.defines, self.clang_arguments, self.models,
            self.assumptions,
        )  # fmt: skip
