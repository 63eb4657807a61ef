"""What `lift bench DIR` leaves in `DIR/bench.json`, for `lift report` and for other plots."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..model.diagnostic import Diagnostic, LiftError

if TYPE_CHECKING:
    from .bench import BenchRow

FIGURES = "bench.json"


@dataclass(frozen=True, slots=True)
class Figure:
    """One function: milliseconds a call, and the median ratio of neighbouring calls."""

    name: str
    folder: str
    """Below the folder that was measured; "" where it isn't known."""
    equal: bool | None
    compared: int
    original_ms: float | None
    lifted_ms: float | None
    speedup: float | None
    note: str | None


@dataclass(frozen=True, slots=True)
class Figures:
    """One run of `lift bench`."""

    size: tuple[int, int]
    threads: int
    machine: str
    functions: tuple[Figure, ...]


def save_figures(
    directory: Path,
    rows: Sequence[BenchRow],
    size: tuple[int, int],
    threads: int,
    device: str | None = None,
) -> Path:
    """Writes `directory/bench.json` as a whole and gives its path; `device` is the GPU's name where
    it was timed, too. Raises `OSError`."""
    document = {
        "schema": 1,
        "tool": "lift bench",
        "size": list(size),
        "threads": threads,
        "machine": _machine(),
        "device": device,
        "functions": [asdict(row) for row in rows],
    }
    path = directory / FIGURES
    partial = directory / f"{FIGURES}.{os.getpid()}.partial"
    partial.write_text(json.dumps(document, indent=1), "utf-8")
    os.replace(partial, path)
    return path


def read_figures(path: Path) -> Figures:
    """Raises `LiftError` where the file can't be read or isn't from `save_figures`."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if data["schema"] != 1:
            raise ValueError(f"schema {data['schema']}")
        width, height = data["size"]
        return Figures(
            (int(width), int(height)),
            int(data["threads"]),
            str(data["machine"]),
            tuple(map(_figure, data["functions"])),
        )
    except OSError as error:
        raise LiftError(_unusable(path, error.strerror or str(error))) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise LiftError(_unusable(path, f"{type(error).__name__}: {error}")) from error


def _figure(data: dict[str, Any]) -> Figure:
    def number(key: str) -> float | None:
        value = data[key]
        if value is not None and not 0 <= float(value) < 1e300:  # json reads NaN and Infinity
            raise ValueError(f"{key} {value}")
        return float(value) if value is not None else None

    equal, note = data["equal"], data["note"]
    return Figure(
        str(data["name"]),
        str(data["folder"]),
        None if equal is None else bool(equal),
        int(data["compared"]),
        number("original_ms"),
        number("lifted_ms"),
        number("speedup"),
        None if note is None else str(note),
    )


def _unusable(path: Path, reason: str) -> Diagnostic:
    return Diagnostic(
        "file-missing",
        "error",
        f"{path} has no figures of `lift bench`: {reason}",
        help=f"`lift bench DIR` writes them to DIR/{FIGURES}",
    )


def _machine() -> str:
    """The processor's name as Linux tells it, or its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
