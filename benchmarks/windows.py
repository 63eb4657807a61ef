"""Box filters through `lift cc` against the compiler alone: never slower, for any radius.

    python benchmarks/windows.py [--size 1024] [--threads 1] [--markdown]

`windows.cpp` is compiled by the compiler and by `lift cc`, with the same options. Both run on the
same images in turn, the least time of some runs counts, and the pixels have to be equal. A plainly
added window takes time by its area where it isn't lifted: only radii up to 8 are timed of that.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

SOURCE = Path(__file__).with_suffix(".cpp")
COMPILER = ["g++", "-O3", "-march=native", "-ffp-contract=off", "-fPIC"]
RADII = {
    "box_rows": (1, 2, 4, 8, 16, 32, 64),
    "box_columns": (1, 2, 4, 8, 16, 32, 64),
    "box_plain": (1, 2, 4, 8),
}
RUNS = 7
MOST_SECONDS = 2.0
"""Of one case's runs; the first ones are made in any case."""


def compiled(source: Path, folder: Path) -> tuple[ctypes.CDLL, ctypes.CDLL]:
    """A source's functions as the compiler makes them, and as `lift cc` does."""
    made = []
    for name, before in (("plain", []), ("lifted", [sys.executable, "-m", "lifter", "cc"])):
        object, library = folder / f"{name}.o", folder / f"{name}.so"
        subprocess.run([*before, *COMPILER, "-c", str(source), "-o", str(object)], check=True)
        linking = ["g++", "-shared", str(object), "-o", str(library), "-lpthread"]
        subprocess.run(linking, check=True)
        made.append(ctypes.CDLL(str(library)))
    return made[0], made[1]


def measured(functions: tuple[Any, Any], size: int, radius: int) -> tuple[float, float]:
    """Milliseconds of either function; raises `SystemExit` where their pixels differ."""
    image = np.random.default_rng(radius).integers(0, 256, (size, size), np.uint8)
    results = [np.zeros_like(image) for _ in functions]
    best = [float("inf")] * len(functions)
    began = time.perf_counter()
    for _ in range(RUNS):
        for i, (function, result) in enumerate(zip(functions, results, strict=True)):
            start = time.perf_counter()
            function(image.ctypes, result.ctypes, size, size, radius)
            best[i] = min(best[i], time.perf_counter() - start)
        if time.perf_counter() - began > MOST_SECONDS:
            break
    if not np.array_equal(*results):
        raise SystemExit(f"other pixels with a radius of {radius}")
    return best[0] * 1e3, best[1] * 1e3


def main() -> None:
    """Prints a line for each radius, and the median."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--size", type=int, default=1024, help="pixels a side")
    parser.add_argument("--threads", type=int, default=1, help="of the lifted code")
    parser.add_argument("--markdown", action="store_true", help="the table as Markdown")
    options = parser.parse_args()
    os.environ["LIFT_NUM_THREADS"] = str(options.threads)
    bar = " | " if options.markdown else "  "
    print(bar.join(["", "function   ", "radius", "g++ ms ", "lifted ", "", ""]).strip(" "))
    if options.markdown:
        print("|---|--:|--:|--:|--:|")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        plain, lifted = compiled(SOURCE, Path(folder))
        for name, radii in RADII.items():
            for radius in radii:
                pair = getattr(plain, name), getattr(lifted, name)
                alone, ours = measured(pair, options.size, radius)
                ratios.append(alone / ours)
                cells = [f"{name:11}", f"{radius:6}", f"{alone:7.2f}", f"{ours:7.2f}"]
                print(bar.join(["", *cells, f"{ratios[-1]:.2f}x", ""]).strip(" "), flush=True)
    print(f"\nmedian {statistics.median(ratios):.2f}x, least {min(ratios):.2f}x")


if __name__ == "__main__":
    main()
