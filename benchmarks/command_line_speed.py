"""How long `lift` takes from process start, and how much memory it needs.

    python benchmarks/command_line_speed.py

Prints, for the machine it runs on: `lift --help`; a file with one kernel; the two corpus files
with the median and the slowest kernel and the largest sum of memory (PSS) of all its processes.
Each time is the median of several runs with a cold lift cache and warm disk.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ONE_KERNEL = """\
#include <stdint.h>
void screen(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    for (int y = 0; y < rows; y++, dst += rowBytes, src += rowBytes)
        for (int x = 0; x < cols; x++)
            dst[x] = 255 - ((255 - dst[x]) * (255 - src[x]) + 127) / 255;
}
"""
CORPUS = (
    "corpus/blend/basic.cpp", "corpus/filter/basic.cpp", "--model", "corpus/models/hash.cpp",
    "--grammar", "examples/dissolve.grammar",
)  # fmt: skip


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        kernel = folder / "screen.cpp"
        kernel.write_text(ONE_KERNEL)
        row("lift --help", repeated(9, "--help"), "0.3")
        row("lift screen.cpp (one kernel)", repeated(5, str(kernel), *fresh(folder)), "2")
        seconds, memory, out = watched(*CORPUS, "--format", "json", *fresh(folder))
        row("lift corpus/*/basic.cpp", seconds, "-")
        spent = [f["seconds"]["total"] for f in json.loads(out)["functions"] if f["stages"]]
        row("  median kernel", statistics.median(spent), "1")
        row("  slowest kernel", max(spent), "20")
        print(f"  {'memory of all processes':38} {memory / 2**20:8.0f} MB   goal 1000 MB")


def row(what: str, seconds: float, goal: str) -> None:
    print(f"{what:40} {seconds:8.2f} s    goal {goal} s")


def fresh(folder: Path) -> tuple[str, ...]:
    return "--no-cache", "-o", str(folder / "lifted")


def repeated(times: int, *arguments: str) -> float:
    """Median wall time of `lift ARGUMENTS` in seconds."""
    return statistics.median(watched(*arguments)[0] for _ in range(times))


def watched(*arguments: str) -> tuple[float, int, str]:
    """Wall seconds, peak PSS of the process and its children in bytes, and what it printed."""
    began = time.perf_counter()
    with tempfile.TemporaryFile("w+") as out:
        run = subprocess.Popen([sys.executable, "-m", "lifter", *arguments], cwd=ROOT, stdout=out)
        peak = 0
        while run.poll() is None:
            peak = max(peak, sum(map(proportional_bytes, (run.pid, *children(run.pid)))))
            time.sleep(0.02 if len(arguments) < 6 else 0.1)
        seconds = time.perf_counter() - began
        out.seek(0)
        return seconds, peak, out.read()


def children(pid: int) -> list[int]:
    try:
        return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def proportional_bytes(pid: int) -> int:
    """Memory of a process, with shared pages counted in parts."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


if __name__ == "__main__":
    main()
