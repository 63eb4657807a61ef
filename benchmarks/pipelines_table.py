"""Measurements of programs, and how they are shown: on a terminal, as Markdown, as JSON."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from math import exp, log
from typing import Any

from rich.table import Table

Times = dict[str, list[float]]  # kind of worker -> seconds of each call


@dataclass
class Row:
    """One program under one schedule."""

    program: str
    schedule: str
    size: tuple[int, ...]
    runs: dict[int, Times] = field(default_factory=dict)
    """Calls by number of threads."""
    compiles: Times = field(default_factory=dict)
    """Seconds to compile in a fresh process."""
    again: Times = field(default_factory=dict)
    """Seconds to compile a second time in that process."""
    difference: float | None = None
    """The largest between our result and Halide's."""
    tolerance: float = 0
    failures: list[str] = field(default_factory=list)

    def ratio(self, threads: int, figure: Callable[[list[float]], float]) -> float | None:
        """Our time by the better one of Halide's; below 1 is faster."""
        return _ratio(self.runs.get(threads, {}), figure)

    @property
    def compile_ratio(self) -> float | None:
        return _ratio(self.compiles, min)

    @property
    def again_ratio(self) -> float | None:
        return _ratio(self.again, min)

    @property
    def verdict(self) -> str:
        if self.failures:
            return "FAILED"
        if self.difference is None:
            return "not compared"
        if self.difference > self.tolerance:
            return f"DIFFERENT by {self.difference:g}"
        return "equal" if self.difference == 0 else f"within {self.tolerance:.1g}"

    def as_json(self) -> dict[str, Any]:
        shown = asdict(self)
        shown["ratios"] = {
            str(threads): {"min": self.ratio(threads, min), "median": self.ratio(threads, median)}
            for threads in self.runs
        }
        shown |= {"compile_ratio": self.compile_ratio, "again_ratio": self.again_ratio}
        return shown | {"verdict": self.verdict}


def median(times: Sequence[float]) -> float:
    return statistics.median(times)


def _ratio(times: Times, figure: Callable[[list[float]], float]) -> float | None:
    others = [figure(t) for kind, t in times.items() if kind != "ours" and t]
    return figure(times["ours"]) / min(others) if others and times.get("ours") else None


def geometric_mean(values: Iterable[float | None]) -> float | None:
    known = [log(v) for v in values if v is not None]
    return exp(sum(known) / len(known)) if known else None


def columns(threads: Sequence[int]) -> list[str]:
    heads = ["program", "schedule"]
    for count in threads:
        on = "1 thread" if count == 1 else f"{count} threads"
        heads += [f"ms, {on}", "Halide ms", "min", "median"]
    return [*heads, "compile s", "Halide s", "ratio", "again", "results"]


def cells(row: Row, threads: Sequence[int]) -> list[str]:
    shown = [row.program, row.schedule]
    for count in threads:
        times = row.runs.get(count, {})
        shown += [_milliseconds(times, ours=True), _milliseconds(times, ours=False)]
        shown += [_times(row.ratio(count, min)), _times(row.ratio(count, median))]
    shown += [_seconds(row.compiles, ours=True), _seconds(row.compiles, ours=False)]
    return [*shown, _times(row.compile_ratio), _times(row.again_ratio), row.verdict]


def means(rows: Sequence[Row], threads: Sequence[int]) -> list[str]:
    shown = ["geometric mean", ""]
    for count in threads:
        by_min = geometric_mean(r.ratio(count, min) for r in rows)
        by_median = geometric_mean(r.ratio(count, median) for r in rows)
        shown += ["", "", _times(by_min), _times(by_median)]
    first, again = ((r.compile_ratio for r in rows), (r.again_ratio for r in rows))
    return [*shown, "", "", _times(geometric_mean(first)), _times(geometric_mean(again)), ""]


def as_table(rows: Sequence[Row], threads: Sequence[int]) -> Table:
    table = Table(title="Generated code and compile time against the real Halide")
    for i, head in enumerate(columns(threads)):
        text = head in ("program", "schedule", "results")
        table.add_column(head, justify="left" if text else "right", no_wrap=i == 0)
    for row in rows:
        table.add_row(*cells(row, threads))
    table.add_section()
    table.add_row(*means(rows, threads))
    return table


def as_markdown(rows: Sequence[Row], threads: Sequence[int]) -> str:
    heads = columns(threads)
    rules = ["---" if h in ("program", "schedule", "results") else "--:" for h in heads]
    lines = [heads, rules, *(cells(r, threads) for r in rows), means(rows, threads)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _best(times: Times, ours: bool) -> float | None:
    known = [min(t) for kind, t in times.items() if (kind == "ours") == ours and t]
    return min(known) if known else None


def _milliseconds(times: Times, ours: bool) -> str:
    best = _best(times, ours)
    return "-" if best is None else f"{best * 1e3:.2f}"


def _seconds(times: Times, ours: bool) -> str:
    best = _best(times, ours)
    return "-" if best is None else f"{best:.2f}"


def _times(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}x"
