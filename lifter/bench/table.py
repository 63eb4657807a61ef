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


def device_table(rows: Sequence[BenchRow]) -> Table:
    """All rows of a run on a GPU, in milliseconds a call; `DEVICE_LEGEND` says what each column is.

    The geometric means of the ratios stand at the end.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_footer=True, padding=(0, 1))
    table.add_column("function", "geometric mean", no_wrap=True)
    footers = {"there": _ratio(_mean(rows, "there_ms")), "copied": _ratio(_mean(rows, "copied_ms"))}
    for title in _DEVICE_COLUMNS:
        table.add_column(title, footers.get(title, ""), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(row.name, *_device_cells(row))
    return table


_DEVICE_COLUMNS = (
    "equal", "original", "processor", "kernels", "launch", "there", "in", "out", "copied", "pays",
)  # fmt: skip
DEVICE_LEGEND = (
    "milliseconds a call. original, processor: the original and the lifted code without the GPU.",
    "kernels: what the GPU is busy, and how many if not one, images there already; launch: until",
    "that call returns; there: until it is done. in, out: copies of the images to it, and back.",
    "copied: a call for images on the host, these copies included; empty where it stays on the",
    "processor. pays: from how many bytes on copied is faster than processor (LIFT_CUDA_BYTES).",
    "The means are of the original's times over these.",
)
"""What the columns are, in lines."""


def _mean(rows: Sequence[BenchRow], time: str) -> float | None:
    """Geometric mean of the original's times over those of this kind; None without one."""
    ratios = []
    for row in rows:
        taken = None if row.device is None else getattr(row.device, time)
        if taken and row.original_ms:
            ratios.append(row.original_ms / taken)
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def _device_cells(row: BenchRow) -> list[str]:
    told = [_equal(row), _milliseconds(row.original_ms), _milliseconds(row.lifted_ms)]
    device = row.device
    if device is None:
        return [*told, *[""] * (len(_DEVICE_COLUMNS) - len(told))]
    kernels = _milliseconds(device.kernels_ms)
    if device.launches != 1:
        kernels += f" ({device.launches})"
    parts = (device.launch_ms, device.there_ms, device.in_ms, device.out_ms, device.copied_ms)
    pays = "" if device.copied_ms is None else _bytes(device.pays_from)
    return [*told, kernels, *map(_milliseconds, parts), pays]


def _bytes(count: int | None) -> str:
    """A number of bytes with three figures."""
    if count is None:
        return "never"
    thousands = min((len(str(count)) - 1) // 3, 3)
    return f"{count / 1000**thousands:.3g} {('B', 'KB', 'MB', 'GB')[thousands]}"


def device_markdown(rows: Sequence[BenchRow]) -> str:
    """The same table in Markdown."""
    lines = [
        f"| function | {' | '.join(_DEVICE_COLUMNS)} |",
        f"|---|{'--:|' * len(_DEVICE_COLUMNS)}",
        *(f"| `{row.name}` | {' | '.join(_device_cells(row))} |" for row in rows),
    ]
    means = [_ratio(_mean(rows, "there_ms")), _ratio(_mean(rows, "copied_ms"))]
    cells = ["", "", "", "", "", means[0], "", "", means[1], ""]
    lines.append(f"| geometric mean | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


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
