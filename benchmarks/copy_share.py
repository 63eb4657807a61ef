"""How much of the machine's copy bandwidth pointwise lifted kernels reach on images out of cache.

    lift corpus/blend corpus/filter -o lifted && lift build lifted
    python benchmarks/copy_share.py lifted --markdown copy_share.md

A kernel is pointwise here when every stage is pure and reads nothing but the pixel that it writes.
Each has a process of its own, where its calls take turns with two copies of as many bytes as it
moves (every array that it reads, once, and every one that it writes, once), in C by vector
intrinsics: with ordinary and with streamed stores. Its share is the faster copy's best time by its
own best; it can be above 1, as a copy writes half of what it moves, and writing costs more than
reading.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import click
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.bandwidth import by_hand
from lifter.bench.measure import _calls, _Lifted
from lifter.bench.memory import UnknownAccesses
from lifter.bench.scalars import NoArguments, choose_scalars
from lifter.emit.interface import load_interface

SIZE = (8192, 8192)
_INDEX = re.compile(r"(\w+|\d+ ?\* ?\w+( \+ \d+)?|\w+ ?\* ?\d+( \+ \d+)?|\(\w+ ?\* ?\d+\) \+ \d+)")


@dataclass(frozen=True)
class Share:
    """One kernel: gigabytes moved a call, milliseconds of a call and of the copy."""

    name: str
    gigabytes: float
    kernel_ms: float
    copy_ms: float
    streamed_ms: float

    @property
    def share(self) -> float:
        return min(self.copy_ms, self.streamed_ms) / self.kernel_ms


def is_pointwise(summary: dict[str, object]) -> bool:
    """Whether each stage reads only what lies under the pixel that it writes."""
    stages = summary["stages"]
    assert isinstance(stages, list)
    return bool(stages) and all(
        stage["kind"] == "pure" and all(map(_reads_its_pixel, stage["terminals"]))
        for stage in stages
    )


def _reads_its_pixel(terminal: str) -> bool:
    if "(" not in terminal:
        return True
    arguments = terminal[terminal.index("(") + 1 : -1]
    return "(" not in arguments and all(_INDEX.fullmatch(a.strip()) for a in arguments.split(","))


def measure(folder: Path, seconds: float) -> Share | None:
    """The kernel in `folder`, in this process; None where no arguments of the size exist."""
    interface = load_interface(folder)
    library = ctypes.CDLL(str(folder / f"lib{interface.name}.so"))
    try:
        values = choose_scalars(interface, *SIZE)
        (call,) = _calls(interface, [_Lifted(interface, library)], values, "random", 1)
    except (NoArguments, UnknownAccesses):
        return None
    summary = json.loads((folder / "summary.json").read_text("utf-8"))
    roles = {p["name"].replace(".", "_"): p["role"] for p in summary["params"]}
    moved = 0
    for name, memory in call.memories.items():
        size = (memory.extent.high - memory.extent.low + 1) * memory.values.itemsize
        moved += size * (2 if roles[name] == "inout" else 1)
    threads = int(os.environ["LIFT_NUM_THREADS"])
    row = 1 << 16
    rows = max(threads, moved // 2 // row)
    source, target = (np.ones(row * rows, np.uint8) for _ in range(2))
    with tempfile.TemporaryDirectory() as scratch:
        copies = by_hand(Path(scratch))

    def copy(stream: int) -> float:
        start = time.perf_counter()
        copies.copy(
            ctypes.c_void_p(target.ctypes.data), ctypes.c_void_p(source.ctypes.data),
            ctypes.c_long(row), ctypes.c_long(rows), threads, stream,
        )  # fmt: skip
        return time.perf_counter() - start

    runs = (call.run, lambda: copy(0), lambda: copy(1))
    times: list[list[float]] = [[], [], []]
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times[0]) < 6:
        for run, found in zip(runs, times, strict=True):
            found.append(run())
    best = [min(found[1:]) * 1e3 for found in times]
    return Share(interface.name, moved / 1e9, *best)


def as_markdown(found: dict[int, list[Share]], remark: str) -> str:
    lines = [
        "| threads | pointwise kernels | median share | least | at 90 % or more | copy, GB/s |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    for threads, shares in found.items():
        ratios = sorted(s.share for s in shares)
        speed = median(s.gigabytes / min(s.copy_ms, s.streamed_ms) * 1e3 for s in shares)
        lines.append(
            f"| {threads} | {len(ratios)} | {median(ratios):.0%} | {ratios[0]:.0%} | "
            f"{sum(r >= 0.9 for r in ratios)} | {speed:.1f} |"
        )
    return "\n".join(lines) + f"\n\n{remark}\n"


@click.command()
@click.argument("directory", type=click.Path(exists=True, path_type=Path))
@click.option("--seconds", default=1.0, show_default=True, help="Of turns for each kernel.")
@click.option("--threads", default=f"1,{os.cpu_count()}", show_default=True)
@click.option("--only", default=".", help="A regular expression that names must match.")
@click.option("--markdown", type=click.Path(path_type=Path), help="A table to write.")
@click.option("--one", is_flag=True, hidden=True)
def main(
    directory: Path, seconds: float, threads: str, only: str, markdown: Path | None, one: bool
) -> None:
    """Times every pointwise function built below DIRECTORY beside copies of as many bytes."""
    if one:
        share = measure(directory, seconds)
        click.echo(json.dumps(asdict(share) if share else None))
        return
    folders = sorted(path.parent for path in directory.rglob("summary.json"))
    chosen = [
        f for f in folders
        if re.search(only, f.name) and is_pointwise(json.loads((f / "summary.json").read_text()))
    ]  # fmt: skip
    found: dict[int, list[Share]] = {}
    for count in map(int, threads.split(",")):
        found[count] = list(_shares(chosen, count, seconds))
    table = as_markdown(found, f"{len(chosen)} of {len(folders)} functions are pointwise.")
    click.echo(table)
    if markdown:
        markdown.write_text(table)


def _shares(folders: Sequence[Path], threads: int, seconds: float) -> list[Share]:
    shares = []
    for folder in folders:
        command = [sys.executable, __file__, str(folder), "--one", "--seconds", str(seconds)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True,
            env=os.environ | {"LIFT_NUM_THREADS": str(threads)},
        )  # fmt: skip
        data = json.loads(done.stdout)
        if data is None:
            continue
        share = Share(**data)
        shares.append(share)
        click.echo(
            f"{threads} threads  {share.name:32} {share.kernel_ms:7.1f} ms  {share.share:4.0%}  "
            f"copy {share.copy_ms:6.1f}  streamed {share.streamed_ms:6.1f}",
            err=True,
        )
    return shares


if __name__ == "__main__":
    main()
