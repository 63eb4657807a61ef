"""Times what build_here.py compiled, on a machine with an NVIDIA GPU: `python run_there.py FOLDER`.

Each side has a process of its own; in each round each has one turn. The real Halide runs twice: as
it is, and with 256 registers a thread. Times are of a call with images on the device, many calls
and one wait together; ratios are ours by the other side's, and below 1 we are faster. Needs numpy,
and CuPy for the rate of copies and for what a launch costs.
"""

from __future__ import annotations

import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

HERE = Path(__file__).resolve().parent
SIDES = {
    "ours": ("ours", {}),
    "halide": ("halide", {}),
    "halide, 256 registers": ("halide", {"HL_CUDA_JIT_MAX_REGISTERS": "256"}),
}


class Process:
    """A worker of one side."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(HERE / "worker.py"), str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=os.environ | environment,
        )  # fmt: skip

    def send(self, **request: Any) -> None:
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found: dict[str, Any] = json.loads(line) if line else {"error": "the process ended"}
        return found


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--rounds", default=7, show_default=True, help="How often the sides take turns.")
@click.option("--seconds", default=0.05, show_default=True, help="Of calls in a turn, about.")
@click.option("--programs", default="all", help="Comma-separated; default all that were built.")
@click.option("--json", "json_file", type=click.Path(), help="Every single time, as JSON.")
def main(folder: Path, rounds: int, seconds: float, programs: str, json_file: str | None) -> None:
    """Prints a table of programs, then lifted blends by the rate of copies and what calls cost."""
    built = json.loads((folder / "built.json").read_text())
    sides = {name: how for name, how in SIDES.items() if how[0] in built}
    names = built["ours"] if programs == "all" else programs.split(",")
    found = {name: _program(name, folder, sides, rounds, seconds) for name in names}
    ratios = [r["ratio"] for r in found.values() if "ratio" in r]
    if ratios:
        mean = float(np.exp(np.mean(np.log(ratios))))
        print(f"geometric mean {mean:.3f}, worst {max(ratios):.3f} by Halide with 256 registers")
    lifted = _lifted(folder / "blends", rounds)
    if json_file:
        Path(json_file).write_text(json.dumps({"programs": found, "lifted": lifted}, indent=1))


def _program(
    name: str, folder: Path, sides: dict[str, Any], rounds: int, seconds: float
) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as temporary:
        workers = {side: Process(folder / sub, env) for side, (sub, env) in sides.items()}
        results: dict[str, list[np.ndarray[Any, Any]]] = {}
        files = {side: str(Path(temporary) / f"{i}.npz") for i, side in enumerate(workers)}
        for side, worker in workers.items():
            worker.send(do="prepare", program=name, outputs=files[side])
        for side, worker in workers.items():
            answers[side] = worker.answer()
            if "error" not in answers[side]:
                with np.load(files[side]) as arrays:
                    results[side] = [arrays[key] for key in arrays]
        times: dict[str, list[float]] = {side: [] for side in results}
        for _ in range(rounds):
            for side in times:
                workers[side].send(do="run", seconds=seconds)
                times[side].append(workers[side].answer().get("time", float("nan")))
        for worker in workers.values():
            worker.process.kill()
            worker.process.wait()
    row: dict[str, Any] = {"times": times, "prepared": answers}
    shown = [f"{name:16}"]
    for side, taken in times.items():
        first = answers[side]["first"] * 1e3
        shown.append(f"{side} {statistics.median(taken) * 1e6:8.1f} us (first {first:.0f} ms)")
    for side, answer in answers.items():
        if "error" in answer:
            shown.append(f"{side}: {answer['error'][:90]}")
    for other in [side for side in times if side != "ours"]:
        if "ours" in times:
            ratio = min(times["ours"]) / min(times[other])
            row["ratio"] = ratio
            shown.append(f"{ratio:.2f} {_difference(results['ours'], results[other])}")
    print("  ".join(shown), flush=True)
    return row


def _difference(ours: list[np.ndarray[Any, Any]], theirs: list[np.ndarray[Any, Any]]) -> str:
    """How far results are apart."""
    pairs = list(zip(ours, theirs, strict=True))
    if all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in pairs):
        return "same"
    worst = max(float(np.nanmax(np.abs(a.astype(float) - b))) for a, b in pairs)
    return f"apart by {worst:.2g}"


def _seconds(run: Callable[[], Any], wait: Callable[[], Any], count: int) -> float:
    """What a call takes of many, in seconds."""
    run()
    wait()
    began = time.perf_counter()
    for _ in range(count):
        run()
    wait()
    return (time.perf_counter() - began) / count


def _lifted(folder: Path, rounds: int, pixels: int = 1 << 28) -> dict[str, Any]:
    """Lifted blends of images on the device, by the rate at which it copies as many bytes; and what
    a call costs that has one pixel, by a raw kernel of CuPy's."""
    import cupy

    if not (folder / "liblifted.so").is_file():
        return {}
    os.environ["LIFT_CUDA"] = "1"
    library = ctypes.CDLL(str(folder / "liblifted.so"))
    images = [cupy.random.randint(0, 256, pixels, dtype=cupy.uint8) for _ in range(3)]
    pointers = [ctypes.c_void_p(image.data.ptr) for image in images]
    moved = 3 * pixels
    source, target = (cupy.zeros(moved // 2, cupy.uint8) for _ in range(2))
    wait = cupy.cuda.Device().synchronize
    kernel = cupy.RawKernel('extern "C" __global__ void k(char *a) { a[0] = 1; }', "k")
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("summary.json")):
        name = path.parent.name
        call = partial(getattr(library, f"{name}_lifted"), *pointers)
        ratios = []
        for _ in range(rounds):
            own = _seconds(partial(call, pixels), wait, 20)
            copy = _seconds(partial(cupy.copyto, target, source), wait, 20)
            ratios.append(copy / own)
        calls = []
        for _ in range(rounds):
            own = _seconds(partial(call, 1), wait, 5000)
            raw = _seconds(partial(kernel, (1,), (1,), (images[0],)), wait, 5000)
            calls.append((own, raw))
        found[name] = {"rate of copies": ratios, "calls": calls}
        ours, theirs = (min(c[side] for c in calls) * 1e6 for side in (0, 1))
        rate, most = statistics.median(ratios), moved / copy / 1e12
        print(
            f"{name:14} {rate:.2f} of the rate of copies ({most:.2f} TB/s); "
            f"a call {ours:.2f} us, CuPy's {theirs:.2f}",
            flush=True,
        )
    return found


if __name__ == "__main__":
    main()
