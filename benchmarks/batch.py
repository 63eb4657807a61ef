"""How a run scales: two processes against one, what a function costs beside its own work, reruns.

    python benchmarks/batch.py [--rounds N] [PATH...]

Lifts PATH (default: the corpus's blend and filter) with one process and with two, in turns, each
time from nothing, then once more with everything in the store. Printed are, of each: wall seconds,
the processor seconds of all its processes, those of lifting and of reading alone, and functions per
minute; then the ratio of the two throughputs, the overhead a function, and the time of a rerun.

`working` is how many processes were at work on average: on a machine that others use too, its ratio
says more of the driver than that of the wall times. `own` is measured inside of the workers around
`lift_one`, `reading` around `read_file`. The overhead is everything else: starting Python, forking,
carrying kernels and results, files, store.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATHS = ["corpus/blend", "corpus/filter"]
FLAGS = ["--model", "corpus/models/hash.cpp", "--grammar", "examples/dissolve.grammar"]
PROGRAM = """
import os, sys, time
import lifter.batch.driver, lifter.batch.lift_prepared
def timed(room, name):
    work = getattr(room, name)
    def call(*arguments):
        began, clock = time.process_time(), time.time()
        try:
            return work(*arguments)
        finally:
            with open(os.environ["OWN"], "a") as log:
                spent = time.process_time() - began
                log.write(f"{name} {spent} {clock} {time.time()}\\n")
    setattr(room, name, call)
timed(lifter.batch.lift_prepared, "lift_one")
timed(lifter.batch.driver, "read_file")
from lifter.command_line import main
main()
"""


@dataclass(frozen=True)
class Measured:
    """One run: seconds on the wall, of processors, of lifting and of reading alone; functions."""

    wall: float
    processor: float
    own: float
    reading: float
    functions: int
    working: float
    """How many processes were at work on functions and files, on average over the whole run."""


def run(paths: list[str], out: Path, jobs: int) -> Measured:
    """One run of `lift` into `out`."""
    own = out.with_suffix(".own")
    own.write_text("")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *paths, *FLAGS, "-o", str(out), "-j", str(jobs)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OWN": str(own)},
        capture_output=True,
        text=True,
        check=False,
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(done.stdout + done.stderr)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    told = [line.split() for line in own.read_text().splitlines()]
    lifted = [float(seconds) for name, seconds, *_ in told if name == "lift_one"]
    read = [float(seconds) for name, seconds, *_ in told if name == "read_file"]
    clocks = [(float(begin), float(end)) for *_, begin, end in told]
    working = sum(end - begin for begin, end in clocks) / wall
    return Measured(wall, spent, sum(lifted), sum(read), len(lifted), working)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", default=PATHS)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ratios, overheads, reruns = [], [], []
    print("processes   wall s  processor s    own s  reading s  functions/min  working")
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(options.rounds):
            measured = {}
            for jobs in (1, 2) if number % 2 == 0 else (2, 1):
                out = Path(scratch) / f"{number}-{jobs}"
                found = measured[jobs] = run(options.paths, out, jobs)
                rate = 60 * found.functions / found.wall
                told = f"{found.wall:8.1f} {found.processor:12.1f} {found.own:8.1f}"
                told += f" {found.reading:10.1f} {rate:14.1f} {found.working:8.2f}"
                print(f"{jobs:9} {told}", flush=True)
            one, two = measured[1], measured[2]
            ratios.append(one.wall / two.wall)
            overheads.append((one.processor - one.own - one.reading) / one.functions)
            reruns.append(run(options.paths, Path(scratch) / f"{number}-2", 2))
    print(f"two processes are {statistics.median(ratios):.2f} times as fast as one")
    print(f"overhead a function: {1000 * statistics.median(overheads):.1f} ms of a processor")
    again = min(reruns, key=lambda r: r.wall)
    print(
        f"a rerun with all results known: {again.wall:.2f} s, lifting {again.functions} functions"
    )


if __name__ == "__main__":
    main()
