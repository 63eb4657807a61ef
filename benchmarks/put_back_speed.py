"""How fast two projects of `corpus/legacy/` run with lifted code in the place of their loops.

    python benchmarks/put_back_speed.py             # both
    python benchmarks/put_back_speed.py cimage --runs 9

All files are compiled twice, `-O3 -march=native`: by the compiler alone, and by `lift cc` before
it. A driver (`benchmarks/put_back_speed/`) calls the project's functions on images of 1024 x 1024
on one thread; the two programs run in turn, and a ratio is the median of those of neighbouring
runs. Where two ways of calling give no other result is tests' affair
(`tests/end_to_end/test_legacy_put_back.py`).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import geometric_mean, median

from put_back import LEGACY, compiler_of, timed

DRIVERS = Path(__file__).resolve().parent / "put_back_speed"
FAST = ["-O3", "-march=native"]


def built(project: str, folder: Path, lift: bool) -> Path:
    """The driver with a project's files, in a program of its own. Raises `SystemExit` where they
    don't compile."""
    source = LEGACY / project
    manifest = json.loads((source / "manifest.json").read_text("utf-8"))
    before = [sys.executable, "-m", "lifter", "cc"] if lift else []
    objects = []
    for number, file in enumerate(manifest["files"]):
        objects.append(str(folder / f"{number}.o"))
        words = [*compiler_of(manifest, file), *FAST, "-c", file, "-o", objects[-1]]
        timed([*before, *words], source)
    program = folder / "driver"
    words = ["gcc", *FAST, *manifest["flags"], str(DRIVERS / f"{project}.c"), *objects]
    timed([*words, "-o", str(program), "-lm", "-lpthread"], source)
    return program


def calls(program: Path) -> dict[str, float]:
    """Nanoseconds a call, by what was called."""
    said = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    rows = (line.rpartition(" ") for line in said.splitlines())
    return {name: float(number) for name, _, number in rows}


def main() -> None:
    """Prints a table for each project."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = sorted(p.stem for p in DRIVERS.glob("*.c"))
    parser.add_argument("projects", nargs="*", default=names, help=", ".join(names))
    parser.add_argument("--runs", type=int, default=5, help="of each program")
    arguments = parser.parse_args()
    for project in arguments.projects:
        with tempfile.TemporaryDirectory() as folder:
            programs = []
            for lift in (False, True):
                place = Path(folder) / str(lift)
                place.mkdir()
                programs.append(built(project, place, lift))
            runs = [tuple(map(calls, programs)) for _ in range(arguments.runs)]
        print(f"| {project} | original ms | put back ms | times as fast |\n|---|--:|--:|--:|")
        ratios = []
        for name in runs[0][0]:
            pairs = [(one[name], other[name]) for one, other in runs]
            ratios.append(median(one / other for one, other in pairs))
            one, other = (median(column) / 1e6 for column in zip(*pairs, strict=True))
            print(f"| {name} | {one:.3f} | {other:.3f} | {ratios[-1]:.2f} |")
        print(f"| geometric mean | | | {geometric_mean(ratios):.2f} |\n", flush=True)


if __name__ == "__main__":
    main()
