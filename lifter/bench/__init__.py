"""Originals against lifted functions: the door of the room."""

from .bench import BenchRow, bench, measured
from .figures import FIGURES, Figure, Figures, read_figures, save_figures
from .original import find_compiler
from .table import bench_markdown, bench_notes, bench_table, geometric_mean

__all__ = [
    "FIGURES",
    "BenchRow",
    "Figure",
    "Figures",
    "bench",
    "bench_markdown",
    "bench_notes",
    "bench_table",
    "find_compiler",
    "geometric_mean",
    "measured",
    "read_figures",
    "save_figures",
]
