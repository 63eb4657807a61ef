"""What a run of `lift PATH...` was asked to do."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

CACHE_FOLDER = ".lift-cache"


def available_cores() -> int:
    """The cores that this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of DESIGN section 8; `timeout` is in seconds a function."""

    paths: tuple[str, ...]
    out: Path = Path("lifted")
    std: str | None = None
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    clang_arguments: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    models: tuple[Path, ...] = ()
    grammars: tuple[Path, ...] = ()
    assumptions: tuple[str, ...] = ()
    timeout: float = 300.0
    jobs: int = field(default_factory=available_cores)
    cache: bool = True
