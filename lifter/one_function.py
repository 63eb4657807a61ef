"""What a child process does with one kernel: lift it, write its files, and say how it went."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .diagnostic import LiftError
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
    record = _record(result)
    place = f"{folder}/{kernel.name}"
    if result.status != "proved":
        forget(options.out / place)
        return record
    from .emit import emit

    try:
        files = emit(result, partial).files
    except LiftError as error:
        forget(options.out / place)
        return replace(record, status="failed", diagnostic=error.diagnostic)
    _move(partial, options.out / place)
    return replace(record, folder=place, files=files)


def forget(folder: Path) -> None:
    """Removes the files that an earlier run made for a function."""
    if (folder / "summary.json").is_file():
        shutil.rmtree(folder)


def _record(result: FunctionResult) -> Record:
    record = record_of(result)
    if not result.summaries:
        return record
    from .emit import function_to_json

    told = function_to_json(result)
    stages = (
        StageRecord(
            summary.stage,
            stage["output"],
            stage["kind"],
            tuple((low, high) for low, high in stage["roi"]),
            tuple(stage["terminals"]),
            stage["definition"],
        )
        for summary, stage in zip(result.summaries, told["stages"], strict=True)
    )
    return replace(record, stages=tuple(stages), params=tuple(told["params"]))


def _move(made: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        old = made.with_name(f"{made.name}.old")
        target.rename(old)
        made.rename(target)
        shutil.rmtree(old)
    else:
        made.rename(target)
