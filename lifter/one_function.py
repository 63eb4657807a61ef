"""What a child process does with one kernel: lift it, write its files, and say how it went."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .options import RunOptions
from .record import Record, StageRecord, record_of

if TYPE_CHECKING:
    from .lifted import FunctionResult
    from .parse import Kernel


def lift_one(
    kernel: Kernel, options: RunOptions, folder: str, partial: Path, parse_seconds: float
) -> Record:
    """Lifts `kernel`; when it is proved, its files stand in `<out>/<folder>/<name>` afterwards.

    They are written to the folder `partial` first and moved as a whole, so that a stop at any time
    leaves no half-written result. Files of an earlier run go when the function is no longer proved:
    nobody shall build from a proof that doesn't hold any more.
    """
    from .lift_function import LiftOptions, lift_kernel

    result = lift_kernel(
        kernel, LiftOptions(options.grammars, options.timeout, parse_seconds=parse_seconds)
    )
    record = record_of(result, _stages(result))
    place = f"{folder}/{kernel.name}"
    target = options.out / place
    if result.status != "proved":
        if (target / "summary.json").is_file():
            shutil.rmtree(target)
        return record
    files = _emit(result, partial)
    _move(partial, target)
    return replace(record, folder=place, files=files)


def _move(made: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        old = made.with_name(f"{made.name}.old")
        target.rename(old)
        made.rename(target)
        shutil.rmtree(old)
    else:
        made.rename(target)
