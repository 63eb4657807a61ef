"""From a program's first line to PTX: our compiler against the real Halide, one schedule for both.

python benchmarks/gpu/compile_time.py --help
"""

from __future__ import annotations

import importlib
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from corpus.pipelines import NAMES, load

ENGINES = {
    "ours": ("compiler", "compiler.lower", "compiler.codegen.ptx", "llvmlite.binding"),
    "Halide": ("halide",),
}
"""What each engine consists of; imported before a clock starts."""
CAPABILITY = 75


@click.command()
@click.option("--rounds", default=5, show_default=True, help="Fresh processes of each engine.")
@click.option("--programs", default="all", metavar="NAMES", help="Comma-separated; default all.")
@click.option("--worker", hidden=True, help="The engine that this process is, for one program.")
@click.option("--program", hidden=True)
def main(rounds: int, programs: str, worker: str | None, program: str | None) -> None:
    """Times the way from algorithm and schedule to a PTX module, for GPUs of capability 7.5.

    Engines take turns, a fresh process each; in it the program is compiled twice: what an engine
    does once in a process is in the first time. Times are the process's own on all processors,
    which others on the machine disturb least. Our modules have two entries a kernel, for narrow and
    for wide indices, and both are in our time. Ratios are ours by Halide's, of the least times.
    """
    if worker is not None and program is not None:
        hl, *_ = [importlib.import_module(name) for name in ENGINES[worker]]
        print(json.dumps(compiled_twice(hl, program)))
        return
    names = NAMES if programs == "all" else programs.split(",")
    print("| program | ours ms | again | of which PTX | Halide ms | again | ratio | again |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    ratios: list[tuple[float, float]] = []
    for name in names:
        times: dict[str, list[Times]] = {engine: [] for engine in ENGINES}
        for _ in range(rounds):
            for engine, taken in times.items():
                taken.append(asked(engine, name))
        ours, theirs = map(least, times.values())
        ratios.append((ours.first / theirs.first, ours.again / theirs.again))
        cells = (ours.first, ours.again, ours.again_ptx, theirs.first, theirs.again)
        shown = " | ".join(f"{1e3 * cell:.0f}" for cell in cells)
        print(f"| {name} | {shown} | {ratios[-1][0]:.2f} | {ratios[-1][1]:.2f} |", flush=True)
    means = [math.exp(sum(map(math.log, side)) / len(side)) for side in zip(*ratios, strict=True)]
    print(f"| geometric mean | | | | | | {means[0]:.2f} | {means[1]:.2f} |")


class Times(NamedTuple):
    """Seconds of a process for the first time and the second one, and for the PTX of the latter."""

    first: float
    again: float
    again_ptx: float


def least(times: Sequence[Times]) -> Times:
    return Times(*map(min, zip(*times, strict=True)))


def asked(engine: str, program: str) -> Times:
    """What a fresh process takes."""
    command = [sys.executable, __file__, "--worker", engine, "--program", program]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise click.ClickException(f"{engine}, {program}: {done.stderr.strip()[-400:]}")
    return Times(*json.loads(done.stdout))


def compiled_twice(hl: ModuleType, program: str) -> Times:
    (first, _), (again, ptx) = (compiled(hl, program) for _ in range(2))
    return Times(first, again, ptx)


def compiled(hl: ModuleType, program: str) -> tuple[float, float]:
    """Seconds of the process until a file with the PTX is there, and those from its loops on."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "kernels.ptx")
        began = time.process_time()
        found = load(program)
        algorithm = found.build(hl)
        found.schedule(hl, algorithm, "gpu")
        inputs, outputs = list(algorithm.inputs.values()), list(algorithm.outputs)
        target = hl.Target(f"host-cuda-cuda_capability_{CAPABILITY}-no_runtime")
        module = hl.Pipeline(outputs).compile_to_module(inputs, "p", target)
        lowered = time.process_time()
        module.compile({hl.OutputFileType.device_code: path})
        done = time.process_time()
        assert ".entry" in Path(path).read_text()
    return done - began, done - lowered


if __name__ == "__main__":
    main()
