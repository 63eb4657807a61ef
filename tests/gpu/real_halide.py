"""What the real package's kernels do: on the emulated driver, its PTX by the PTX machine.

python -m tests.gpu.real_halide FOLDER NAME WIDTH HEIGHT ...

A process of its own, since the package's runtime ends it where CUDA fails.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from tests.ptx.machine import Counts

from .corpus_programs import Case, load
from .emulated_driver import Driver, Ran, Runs

Array = np.ndarray[Any, Any]
TARGET = "x86-64-linux-cuda-cuda_capability_75-jit"
SECONDS = 500


@dataclass(frozen=True)
class Theirs:
    """What the real package's program left, and its launches."""

    outputs: list[Array]
    ran: list[Ran]


def theirs(case: Case, folder: Path, fewer: Sequence[str] = ()) -> Theirs:
    """The program under its schedule for GPUs; `fewer` sets a module's number of stages."""
    arguments = [str(folder), case.name, *map(str, case.size), *fewer]
    command = [sys.executable, "-m", "tests.gpu.real_halide", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads((folder / "ran.json").read_text("utf-8"))
    ran = [
        Ran(r["entry"], tuple(r["grid"]), tuple(r["block"]), r["shared"], Counts(**r["counts"]))
        for r in told
    ]
    outputs = sorted(folder.glob("output*.npy"), key=lambda p: int(p.stem.removeprefix("output")))
    return Theirs([np.load(path) for path in outputs], ran)


def _realized(case: Case, driver: Driver) -> list[Array]:
    import halide

    program = load(case.name)
    algorithm = program.build(halide)
    program.schedule(halide, algorithm, "gpu")
    kept = []
    for name, value in case.values().items():
        kept.append(halide.Buffer(value) if isinstance(value, np.ndarray) else value)
        algorithm.inputs[name].set(kept[-1])
    made = [np.zeros(case.size[::-1], str(f.type())) for f in algorithm.outputs]
    buffers = [halide.Buffer(array) for array in made]
    try:
        halide.Pipeline(list(algorithm.outputs)).realize(buffers, halide.Target(TARGET))
    finally:
        problems = driver.problems()
        assert not problems, problems  # They say more than the package's own message.
    for buffer in buffers:
        buffer.copy_to_host()
    return made


def main() -> None:
    folder, name, *rest = sys.argv[1:]
    size = tuple(int(word) for word in rest if "=" not in word)
    for word in rest:
        if "=" in word:
            where, _, count = word.partition("=")
            setattr(import_module(f"corpus.pipelines.{name}"), where, int(count))
    driver = Driver(is_for_others=True)
    driver.set(runs=Runs.AT_ONCE)
    outputs = _realized(Case(name, size), driver)
    for number, array in enumerate(outputs):
        np.save(Path(folder) / f"output{number}.npy", array)
    told = json.dumps([asdict(each) for each in driver.ran])
    (Path(folder) / "ran.json").write_text(told, "utf-8")


if __name__ == "__main__":
    main()
