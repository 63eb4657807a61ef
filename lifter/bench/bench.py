"""`lift bench`: every original against its lifted function, side by side."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ..checking.committed import read_committed
from ..emit.interface import Interface, load_interface
from ..emit.names import program_name
from ..model.diagnostic import LiftError
from .device import DeviceTimes
from .original import (
    Originals,
    Reading,
    compile_originals,
    find_compiler,
    find_models,
    find_source,
    root_of,
)

Timing = tuple[tuple[int, int], int, float, str]
"""The size of the image, the number of threads, for how many seconds, and where."""


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One function. Times are milliseconds a call; None where there is no original to run."""

    name: str
    source_lines: int
    dsl_lines: int
    obligations: int
    proved: bool
    compared: int
    equal: bool | None
    """None when nothing was compared, or when results differ that the original leaves undefined (a
    warning says so: an out-of-bounds read)."""
    original_ms: float | None
    lifted_ms: float | None
    original_best_ms: float | None
    lifted_best_ms: float | None
    speedup: float | None
    note: str | None = None
    """Why something is missing or not equal."""
    folder: str = ""
    """Where its files are, below the folder that is measured."""
    device: DeviceTimes | None = None
    """Where it was timed on a GPU, too."""


def bench(
    directory: Path,
    *,
    size: tuple[int, int] = (1024, 1024),
    threads: int = 1,
    seconds: float = 0.4,
    target: Literal["host", "cuda"] = "host",
    progress: Callable[[str], None] = lambda text: None,
) -> list[BenchRow]:
    """Measures every built function below `directory`, in the order of its folders.

    Originals are compiled with `CXX` (or the system's compiler) at -O3 -march=native (and once more
    without contraction of floats, to compare results); without a
    compiler, or without the source, only the lifted functions are timed, and `note` says so. Each
    function runs in a process of its own with `threads` threads, and is timed for `seconds` beside
    its original; `progress` hears of each. For `cuda` it is compared and timed on the GPU, too.
    """
    rows = measured(
        directory, size=size, threads=threads, seconds=seconds, target=target, progress=progress
    )
    return list(rows)


def measured(
    directory: Path,
    *,
    size: tuple[int, int] = (1024, 1024),
    threads: int = 1,
    seconds: float = 0.4,
    target: Literal["host", "cuda"] = "host",
    progress: Callable[[str], None] = lambda text: None,
) -> Iterator[BenchRow]:
    """The rows of `bench`, each as soon as it is measured."""
    folders = sorted(path.parent for path in directory.rglob("summary.json"))
    interfaces = {folder: load_interface(folder) for folder in folders}
    with tempfile.TemporaryDirectory(prefix="lift-bench-") as scratch:
        originals, notes = _originals(interfaces, directory, Path(scratch), progress)
        for folder, interface in interfaces.items():
            progress(f"timing {interface.name}")
            original = originals.get(folder)
            timing = (size, threads, seconds, target)
            row = _row(folder, interface, original, notes.get(folder), timing)
            yield replace(row, folder=folder.relative_to(directory).as_posix())


def _originals(
    interfaces: dict[Path, Interface],
    directory: Path,
    scratch: Path,
    progress: Callable[[str], None],
) -> tuple[dict[Path, Originals], dict[Path, str]]:
    """The library with each folder's original, or the reason why there is none."""
    compiler = find_compiler()
    by_source: dict[tuple[Path, Reading], list[Path]] = {}
    libraries: dict[Path, Originals] = {}
    notes: dict[Path, str] = {}
    for folder, interface in interfaces.items():
        source = find_source(interface, directory)
        told = read_committed(folder)
        if compiler is None:
            notes[folder] = "no C++ compiler was found (set CXX): the original was not run"
        elif source is None:
            notes[folder] = f"{interface.file} was not found: the original was not run"
        else:
            reading = Reading(told.flags, root_of(interface.file, source))
            by_source.setdefault((source, reading), []).append(folder)
    for number, ((source, reading), folders) in enumerate(by_source.items()):
        progress(f"compiling {source.name}")
        place = scratch / str(number)
        place.mkdir()
        assert compiler is not None
        chosen = [interfaces[f] for f in folders]
        try:
            library, refused = compile_originals(
                source, chosen, compiler, place, find_models(chosen, directory), reading
            )
        except LiftError as error:
            notes |= dict.fromkeys(folders, error.diagnostic.message)
            continue
        for folder in folders:
            name = interfaces[folder].name
            if name in refused:
                notes[folder] = f"the original of {name} can't be called: {refused[name]}"
            else:
                libraries[folder] = library
    return libraries, notes


def _row(
    folder: Path,
    interface: Interface,
    original: Originals | None,
    note: str | None,
    timing: Timing,
) -> BenchRow:
    library = folder / f"lib{interface.name}.so"
    found: dict[str, Any] = {}
    if not library.is_file():
        note = f"{library.name} is missing: run `lift build` first"
    else:
        found, problem = _measured(folder, library, original, timing)
        note = problem or note
    compared = int(found.get("compared") or 0)
    equal = (found.get("difference") is None) if compared else None
    if equal is False and interface.undefined:
        equal = None
        note = f"{note}; the original is undefined there: {interface.undefined[0]}"
    return BenchRow(
        interface.name,
        code_lines(interface.source),
        dsl_lines((folder / "pipeline.py").read_text("utf-8"), interface.name),
        interface.obligations,
        interface.status == "proved",
        compared,
        equal,
        _float(found.get("original_ms")),
        _float(found.get("lifted_ms")),
        _float(found.get("original_best_ms")),
        _float(found.get("lifted_best_ms")),
        _float(found.get("speedup")),
        note,
        device=DeviceTimes(**found["device"]) if found.get("device") else None,
    )


def _float(value: float | int | str | None) -> float | None:
    return None if value is None else float(value)


def _measured(
    folder: Path, library: Path, original: Originals | None, timing: Timing
) -> tuple[dict[str, Any], str | None]:
    """The measurement as JSON has it, and what went wrong."""
    size, threads, seconds, target = timing
    libraries = original and (str(original.timed), str(original.exact))
    command: Sequence[str] = [
        sys.executable, "-m", "lifter.bench.measure", str(folder.resolve()),
        str(library.resolve()), *(libraries or ("-", "-")), str(size[0]), str(size[1]),
        str(seconds), target,
    ]  # fmt: skip
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    environment = os.environ | {
        "LIFT_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads), "PYTHONPATH": path,
    }  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        status = f"exit status {done.returncode}"
        if done.returncode < 0:
            status = f"it was ended by {signal.Signals(-done.returncode).name}, as by a call of " \
                "what the source only declares (--model gives that a meaning)"  # fmt: skip
        last = (done.stderr.strip().splitlines() or [status])[-1]
        return {}, f"the measurement stopped: {last}"
    found = json.loads(done.stdout)
    return found, found.get("note") or found.get("difference")


def code_lines(text: str) -> int:
    """Lines with C++ code: neither blank nor only a comment."""
    count, in_comment = 0, False
    for line in text.splitlines():
        code = line.strip()
        if in_comment:
            in_comment = "*/" not in code
            continue
        if code.startswith("/*"):
            in_comment = "*/" not in code
            continue
        count += bool(code) and not code.startswith("//")
    return count


def dsl_lines(text: str, function: str) -> int:
    """Lines with code of the kernel's function in a `pipeline.py`."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == program_name(function):
            return sum(bool(line.strip()) for line in lines[node.lineno - 1 : node.end_lineno])
    return 0
