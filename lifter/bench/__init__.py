"""Originals against lifted functions: the door of the room."""

from .bench import BenchRow, bench, measured
from .figures import FIGURES, Figure, Figures, read_figures, save_figures
from .original import find_compiler
from .table import (
    DEVICE_LEGEND,
    bench_markdown,
    bench_notes,
    bench_table,
    device_markdown,
    device_table,
    geometric_mean,
)

__all__ = [
    "DEVICE_LEGEND",
    "FIGURES",
    "BenchRow",
    "Figure",
    "Figures",
    "bench",
    "bench_markdown",
    "bench_notes",
    "bench_table",
    "device_markdown",
    "device_table",
    "find_compiler",
    "geometric_mean",
    "measured",
    "read_figures",
    "save_figures",
]
