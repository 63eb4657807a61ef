"""Our autoschedulers against the real Halide's and against schedules by hand, interleaved.

python benchmarks/autoschedulers.py --help
"""

from __future__ import annotations

import json
import platform
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from math import exp, log
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pipelines import difference
from pipelines_process import CONTRACTING, OURS, Failure, Kind, Process, halide_kinds

from corpus.pipelines import NAMES, load

HAND = "arm" if platform.machine() in ("aarch64", "arm64") else "x86"
OUR_METHODS = ("Measured", "Mullapudi2016", "Sioutas2018", "Sioutas2019")
REAL_METHODS = ("Mullapudi2016", "Adams2019", "Li2018")


@dataclass(frozen=True)
class Plan:
    """What to measure, and how."""

    ours: Sequence[str]
    real: Sequence[str]
    """Methods by name."""
    rounds: int
    seconds: float
    """Of calls in a turn, at least."""
    budget: float
    """Seconds for Measured."""
    limit: float
    """Seconds that a method may take beyond that."""
    is_full: bool
    """Whether images have the programs' full size."""
    contract: bool


@dataclass
class Entry:
    """One way to run a program: by hand or by a method, compiled by one engine."""

    engine: str
    schedule: str
    seconds: list[float] = field(default_factory=list)
    scheduling: float | None = None
    """Seconds that the method took."""
    source: str = ""
    failure: str = ""

    @property
    def best(self) -> float | None:
        return min(self.seconds, default=None)


@dataclass
class Result:
    """A program at one number of threads."""

    program: str
    threads: int
    entries: list[Entry] = field(default_factory=list)
    difference: float = 0
    """The largest between a result and that of the schedule by hand."""
    tolerance: float = 0

    def best(self, engine: str | None, by_hand: bool) -> Entry | None:
        """The fastest way by hand, or by a method, of one engine or of any."""
        found = [
            e
            for e in self.entries
            if e.best is not None
            and (engine is None or e.engine == engine)
            and (e.schedule == "hand") == by_hand
        ]
        return min(found, key=lambda e: e.best or 0.0, default=None)

    def entry(self, engine: str, schedule: str) -> Entry | None:
        return next((e for e in self.entries if (e.engine, e.schedule) == (engine, schedule)), None)


@click.command()
@click.option("--programs", default="all", metavar="NAMES", help="Comma-separated; default all.")
@click.option("--ours", default=",".join(OUR_METHODS), show_default=True, metavar="NAMES")
@click.option("--real", default=",".join(REAL_METHODS), show_default=True, metavar="NAMES")
@click.option("--threads", default="1,2", show_default=True, metavar="COUNTS")
@click.option("--rounds", default=5, show_default=True, help="How often the workers take turns.")
@click.option("--seconds", default=0.2, show_default=True, help="Of calls in a turn, at least.")
@click.option("--budget", default=20.0, show_default=True, help="Seconds for Measured.")
@click.option("--limit", default=120.0, show_default=True, help="Seconds a method may take.")
@click.option("--size", type=click.Choice(["full", "test"]), default="full", show_default=True)
@click.option("--contract", is_flag=True, help="Both put products into sums unrounded.")
@click.option("--json", "json_file", type=click.Path(), help="Every time and schedule, as JSON.")
@click.option("--markdown", type=click.Path(), help="The table for RESULTS.md.")
def main(
    programs: str, ours: str, real: str, threads: str, rounds: int, seconds: float,
    budget: float, limit: float, size: str, contract: bool, json_file: str | None,
    markdown: str | None,
) -> None:  # fmt: skip
    """Times the programs of corpus/pipelines under autoschedulers and under schedules by hand.

    Every way to run has a process of its own; in each round each has one turn of calls. The real
    Halide runs under two allocators, and its better figure counts. Ratios are our time by theirs:
    below 1 means that we are faster. Both compute floats as they are written, without fused
    multiplications and additions, unless --contract lets both fuse.

    \b
      autoschedulers.py --programs blur --size test --rounds 2      does it work?
      autoschedulers.py --json all.json --markdown all.md           the table of RESULTS.md
    """
    plan = Plan(
        _listed(ours), _listed(real), rounds, seconds, budget, limit, size == "full", contract
    )
    names = list(NAMES) if programs == "all" else programs.split(",")
    results = []
    for name in names:
        for count in map(int, threads.split(",")):
            result = measure(name, count, plan)
            results.append(result)
            if json_file:
                Path(json_file).write_text(json.dumps([asdict(r) for r in results], indent=1))
    Console(width=max(Console().width, 150)).print(as_table(results))
    for result in results:
        for entry in result.entries:
            if entry.failure:
                print(f"{result.program}: {entry.engine} {entry.schedule}: {entry.failure}")
    if markdown:
        Path(markdown).write_text(as_markdown(results))
    sys.exit(any(r.difference > r.tolerance for r in results))


def _listed(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def measure(name: str, threads: int, plan: Plan) -> Result:
    """One program at one number of threads."""
    program = load(name)
    extents = program.size if plan.is_full else program.test_size
    # Both results may be off the exact one, in different directions.
    result = Result(name, threads, tolerance=2 * program.tolerance)
    mine = CONTRACTING if plan.contract else OURS
    ways: list[tuple[Entry, tuple[Kind, ...], Mapping[str, Any]]] = []
    for method in ["hand", *plan.ours]:
        asked = _asked(method, threads, {"budget": plan.budget} if method == "Measured" else {})
        ways.append((Entry("ours", method), (mine,), asked))
    for method in ["hand", *plan.real]:
        parameters = {} if method == "hand" else {"parallelism": threads}
        asked = _asked(method, threads, parameters)
        ways.append((Entry("halide", method), halide_kinds(not plan.contract), asked))
    result.entries = [entry for entry, _, _ in ways]
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as stack:
        folder = Path(temporary)
        np.savez(folder / "inputs.npz", **program.inputs(extents, 0))
        able: list[tuple[Entry, Process]] = []
        for i, (entry, kinds, asked) in enumerate(ways):
            for kind in kinds:
                print(f"{name}, {threads} threads: {kind.name} {entry.schedule}", file=sys.stderr)
                process = stack.enter_context(Process(kind, threads, plan.limit + plan.budget))
                output = folder / f"{i}.npz"
                try:
                    answer = process.ask(
                        do="prepare", program=name, size=extents, outputs=str(output),
                        inputs=str(folder / "inputs.npz"), **asked,
                    )  # fmt: skip
                except Failure as failure:
                    entry.failure = str(failure).strip().splitlines()[0]
                    break
                entry.scheduling = answer.get("schedule")
                entry.source = answer.get("source", "")
                able.append((entry, process))
            if i > 0 and output.exists() and (folder / "0.npz").exists():
                result.difference = max(result.difference, difference(output, folder / "0.npz"))
        for turn in range(plan.rounds):
            for entry, process in able[:: 1 if turn % 2 else -1]:
                try:
                    entry.seconds += process.ask(do="run", seconds=plan.seconds)["times"]
                except Failure as failure:
                    entry.failure = str(failure).strip().splitlines()[0]
    return result


def _asked(method: str, threads: int, parameters: Mapping[str, Any]) -> dict[str, Any]:
    if method == "hand":
        return {"schedule": HAND}
    return {"method": method, "parameters": dict(parameters)}


COLUMNS = (
    "program", "threads", "Measured ms", "best of real", "ms", "ratio", "best by hand", "ms",
    "ratio", "Mullapudi / real", "Sioutas2018 / Mullapudi", "Sioutas2019 / Mullapudi",
)  # fmt: skip


def _cells(result: Result) -> list[str]:
    """The row of a result."""
    mine = result.entry("ours", "Measured")
    real, hand = result.best("halide", False), result.best(None, True)
    ours = result.entry("ours", "Mullapudi2016")
    theirs = result.entry("halide", "Mullapudi2016")
    cells = [result.program, str(result.threads), _milliseconds(mine)]
    cells += [real.schedule if real else "", _milliseconds(real), _ratio(mine, real)]
    cells += [hand.engine if hand else "", _milliseconds(hand), _ratio(mine, hand)]
    cells.append(_ratio(ours, theirs))
    cells += [_ratio(result.entry("ours", m), ours) for m in ("Sioutas2018", "Sioutas2019")]
    return cells


def _means(results: Sequence[Result]) -> list[list[str]]:
    """The geometric means of the ratios, a row for each number of threads."""
    rows = []
    for threads in sorted({r.threads for r in results}):
        cells = [_cells(r) for r in results if r.threads == threads]
        row = ["geometric mean", str(threads)]
        for column in range(2, len(COLUMNS)):
            values = [float(c[column]) for c in cells if column in (5, 8, 9, 10, 11) and c[column]]
            mean = exp(sum(map(log, values)) / len(values)) if values else None
            row.append(f"{mean:.2f}" if mean else "")
        rows.append(row)
    return rows


def _milliseconds(entry: Entry | None) -> str:
    return f"{entry.best * 1e3:.2f}" if entry and entry.best else ""


def _ratio(a: Entry | None, b: Entry | None) -> str:
    return f"{a.best / b.best:.2f}" if a and b and a.best and b.best else ""


def as_table(results: Sequence[Result]) -> Table:
    table = Table(*COLUMNS)
    for row in [*map(_cells, results), *_means(results)]:
        table.add_row(*row)
    return table


def as_markdown(results: Sequence[Result]) -> str:
    rows = [COLUMNS, ["---"] * 2 + ["--:"] * (len(COLUMNS) - 2)]
    rows += [*map(_cells, results), *_means(results)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


if __name__ == "__main__":
    main()
