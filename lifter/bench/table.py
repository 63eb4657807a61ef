"""The table of `lift bench`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .bench import BenchRow

if TYPE_CHECKING:
    from rich.table import Table


def geometric_mean(rows: Sequence[BenchRow]) -> float | None:
    """Of the speedups that were measured; None without one."""
    ratios = [row.speedup for row in rows if row.speedup]
    if not ratios:
        return None
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def bench_table(rows: Sequence[BenchRow]) -> Table:
    """All rows, the geometric mean of the speedups at the end.

    Columns: lines of C++ and of DSL code, proved obligations, images on which both were equal,
    median milliseconds of one call.
    """
    from rich.table import Table

    table = Table(show_footer=True)
    mean = geometric_mean(rows)
    table.add_column("function", "geometric mean", no_wrap=True)
    for title in ("C++", "DSL", "proofs", "equal", "original", "lifted"):
        table.add_column(title, justify="right")
    table.add_column("speedup", _ratio(mean), justify="right")
    for row in rows:
        table.add_row(
            row.name,
            str(row.source_lines),
            str(row.dsl_lines),
            str(row.obligations) if row.proved else "no",
            _equal(row),
            _milliseconds(row.original_ms),
            _milliseconds(row.lifted_ms),
            _ratio(row.speedup),
        )
    return table


def bench_notes(rows: Sequence[BenchRow]) -> list[str]:
    """What the table's empty places mean; a note that all rows share is said once."""
    notes: dict[str, list[str]] = {}
    for row in rows:
        if row.note:
            notes.setdefault(row.note, []).append(row.name)
    return [
        note if len(names) == len(rows) > 1 else f"{', '.join(names)}: {note}"
        for note, names in notes.items()
    ]


def bench_markdown(rows: Sequence[BenchRow]) -> str:
    """The same table in Markdown, for benchmarks/RESULTS.md."""
    lines = [
        "| function | C++ lines | DSL lines | obligations | equal | original ms | lifted ms "
        "| speedup |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        lines.append(
            f"| `{row.name}` | {row.source_lines} | {row.dsl_lines} | "
            f"{row.obligations if row.proved else 'not proved'} | {_equal(row)} | "
            f"{_milliseconds(row.original_ms)} | {_milliseconds(row.lifted_ms)} | "
            f"{_ratio(row.speedup)} |"
        )
    lines.append(f"| geometric mean | | | | | | | {_ratio(geometric_mean(rows))} |")
    return "\n".join(lines) + "\n"


def _equal(row: BenchRow) -> str:
    if row.equal is None:
        return ""
    return f"yes, {row.compared}" if row.equal else "NO"


def _milliseconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}x"
