"""Our compiler against the real Halide: programs of corpus/pipelines, in one interleaved run.

python benchmarks/pipelines.py --help
"""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from rich.console import Console

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pipelines_process import CONTRACTING, OURS, Failure, Kind, Process, halide_kinds
from pipelines_table import Row, as_markdown, as_table

from corpus.pipelines import NAMES, load

HAND = "arm" if platform.machine() in ("aarch64", "arm64") else "x86"
WIDE = 160
SCHEDULES = ("hand", "plain", "root", "default", "x86", "arm")


@dataclass(frozen=True)
class Plan:
    """How to measure each row."""

    rounds: int
    seconds: float
    """Of calls in a turn, at least."""
    compiles: int
    limit: float
    """Seconds that an answer may take."""
    ours: Kind
    halide: tuple[Kind, Kind]


@click.command()
@click.option("--programs", default="all", metavar="NAMES", help="Comma-separated; default all.")
@click.option(
    "--schedules", default="hand", metavar="NAMES",
    help="Comma-separated: hand (this machine's), x86, arm, plain, root, default.",
)  # fmt: skip
@click.option(
    "--threads", default="1,all", metavar="COUNTS", help="Comma-separated numbers; default 1,all."
)
@click.option("--rounds", default=7, show_default=True, help="How often the workers take turns.")
@click.option("--seconds", default=0.2, show_default=True, help="Of calls in a turn, at least.")
@click.option("--compiles", default=3, show_default=True, help="Fresh processes each; 0: none.")
@click.option("--size", type=click.Choice(["full", "test"]), default="full", show_default=True)
@click.option("--strict", is_flag=True, help="Halide too computes floats as they are written.")
@click.option("--contract", is_flag=True, help="We too put products into sums unrounded.")
@click.option("--limit", default=600.0, show_default=True, help="Seconds an answer may take.")
@click.option("--json", "json_file", type=click.Path(), help="Every single time, as JSON.")
@click.option("--markdown", type=click.Path(), help="The table for RESULTS.md; - prints it.")
def main(
    programs: str, schedules: str, threads: str, rounds: int, seconds: float, compiles: int,
    size: str, strict: bool, contract: bool, limit: float, json_file: str | None,
    markdown: str | None,
) -> None:  # fmt: skip
    """Times programs of corpus/pipelines, compiled by us and by the real Halide.

    Algorithm, schedule and number of threads are the same on both sides. Every way to run has a
    process of its own, which lives through all rounds of a program; in each round every process
    has one turn of calls, so that what disturbs the machine disturbs all alike. Halide runs twice,
    with the C library's allocator as it is and with one that keeps freed memory: ratios are our
    time by Halide's better one, below 1 means that we are faster. Look at the minimum first: on a
    shared machine the median measures the neighbours too.

    Compile time is that of a fresh process, from the algorithm's first line to code that can be
    called, without imports; `again` is that of a second time in the same process, without what an
    engine does once (Halide compiles a run-time library of its own).

    Halide fuses multiplications with additions and reorders floats unless told otherwise; we do
    only what is asked. With --strict it doesn't either, with --contract we fuse, too: two ways to
    compare like with like, where the rest of the difference is the compilers'.

    Under `default` we choose a schedule ourselves; Halide has no such thing, so it gets `plain`.

    \b
    What to run:
      pipelines.py --programs blur --size test --rounds 3     does it work? (seconds)
      pipelines.py --programs blur,hist --threads 1           two programs, at full size
      pipelines.py --json all.json --markdown all.md          the table of RESULTS.md

    Exit status: 0 when all results agree, 1 when one differs or an engine failed.
    """
    if strict and contract:
        raise click.UsageError("--strict and --contract contradict each other")
    ours = CONTRACTING if contract else OURS
    plan = Plan(rounds, seconds, compiles, limit, ours, halide_kinds(strict))
    names = _chosen(programs, NAMES, "program")
    kinds = _chosen(schedules, SCHEDULES, "schedule")
    counts = [_count(text) for text in threads.split(",")]
    rows = []
    for name in names:
        for schedule in kinds:
            row = Row(name, schedule, ())
            rows.append(row)
            measure(row, size, counts, plan)
    # Rows are wider than most terminals; cut cells would tell nothing.
    Console(width=max(Console().width, WIDE)).print(as_table(rows, counts))
    for row in rows:
        for failure in row.failures:
            print(f"{row.program} ({row.schedule}): {failure}")
    if json_file:
        Path(json_file).write_text(json.dumps([row.as_json() for row in rows], indent=1))
    if markdown == "-":
        click.echo(as_markdown(rows, counts))
    elif markdown:
        Path(markdown).write_text(as_markdown(rows, counts))
    sys.exit(any(r.failures or r.difference is None or r.difference > r.tolerance for r in rows))


def measure(row: Row, size: str, counts: Sequence[int], plan: Plan) -> None:
    """Fills the row."""
    program = load(row.program)
    row.size = program.size if size == "full" else program.test_size
    # Both results may be off the exact one, in different directions.
    row.tolerance = 2 * program.tolerance
    with tempfile.TemporaryDirectory() as folder:
        say(f"{row.program} ({row.schedule}): making inputs")
        np.savez(Path(folder, "inputs.npz"), **program.inputs(row.size, 0))
        for count in counts:
            say(f"{row.program} ({row.schedule}): running on {count} of {os.cpu_count()} cores")
            take_turns(row, Path(folder), count, plan)
    for i in range(plan.compiles):
        say(f"{row.program} ({row.schedule}): compiling, {i + 1} of {plan.compiles}")
        for kind in (plan.ours, plan.halide[0]):
            with Process(kind, 1, plan.limit) as process, reported(row, kind):
                answer = process.ask(do="compile", **_what(row, kind))
                row.compiles.setdefault(kind.name, []).append(answer["compile"])
                row.again.setdefault(kind.name, []).append(answer["again"])


def take_turns(row: Row, folder: Path, threads: int, plan: Plan) -> None:
    """Prepares every kind of worker, compares their results, then lets them run in turns."""
    times = row.runs.setdefault(threads, {})
    with ExitStack() as stack:
        able = {}
        for kind in (plan.ours, *plan.halide):
            process = stack.enter_context(Process(kind, threads, plan.limit))
            with reported(row, kind):
                process.ask(
                    do="prepare", **_what(row, kind), size=row.size,
                    inputs=str(folder / "inputs.npz"), outputs=str(folder / f"{kind.name}.npz"),
                )  # fmt: skip
                able[kind] = process
        if {plan.ours, plan.halide[0]} <= able.keys():
            theirs = folder / f"{plan.halide[0].name}.npz"
            differ = difference(folder / f"{plan.ours.name}.npz", theirs)
            row.difference = max(differ, row.difference or 0)
        for turn in range(plan.rounds):
            for kind, process in list(able.items())[:: 1 if turn % 2 else -1]:
                with reported(row, kind):
                    answer = process.ask(do="run", seconds=plan.seconds)
                    times.setdefault(kind.name, []).extend(answer["times"])


def difference(ours: Path, theirs: Path) -> float:
    """The largest between two files of outputs; infinite where shapes or types differ."""
    largest = 0.0
    with np.load(ours) as a, np.load(theirs) as b:
        for name in b:
            if a[name].shape != b[name].shape or a[name].dtype != b[name].dtype:
                return float("inf")
            apart = abs(a[name].astype(np.float64) - b[name].astype(np.float64)).max()
            largest = max(largest, float("inf") if np.isnan(apart) else float(apart))
    return largest


@contextmanager
def reported(row: Row, kind: Kind) -> Iterator[None]:
    """A failure of an engine becomes a part of the row; the others go on."""
    try:
        yield
    except Failure as failure:
        first = str(failure).strip().splitlines()[0]
        said = f"{kind.name}: {first}"
        say(said)
        if said not in row.failures:
            row.failures.append(said)


def say(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


def _what(row: Row, kind: Kind) -> dict[str, str]:
    schedule = HAND if row.schedule == "hand" else row.schedule
    if schedule == "default" and kind.engine == "halide":
        schedule = "plain"
    return {"program": row.program, "schedule": schedule}


def _chosen(text: str, known: Sequence[str], what: str) -> list[str]:
    names = list(known) if text == "all" else [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is no {what}; there are: {', '.join(known)}")
    return names


def _count(text: str) -> int:
    cores = os.cpu_count() or 1
    if text == "all":
        return cores
    if not text.isdecimal() or int(text) < 1:
        raise click.BadParameter(f"{text!r} is no number of threads")
    return int(text)


if __name__ == "__main__":
    main()
