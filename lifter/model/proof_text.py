"""Counterexamples as text: sizes, inputs, what the original leaves and what the candidate does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .proof import Counterexample

SHOWN = 12


def counterexample_to_text(example: Counterexample) -> str:
    """A few lines; long arrays are cut."""
    lines = []
    if example.scalars:
        lines.append("with " + ", ".join(f"{n} = {v}" for n, v in example.scalars.items()))
    for name, cells in example.arrays.items():
        if cells:
            lines.append(f"  before: {_cells(name, cells)}")
    lines.append(f"  original leaves:  {_cells(example.output, example.expected)}")
    lines.append(f"  candidate leaves: {_cells(example.output, example.actual)}")
    return "\n".join(lines)


def _cells(name: str, cells: dict[tuple[int, ...], int | float]) -> str:
    shown = [
        f"{name}{''.join(f'[{i}]' for i in index)} = {value}"
        for index, value in sorted(cells.items())[:SHOWN]
    ]
    if len(cells) > SHOWN:
        shown.append(f"... ({len(cells) - SHOWN} more)")
    return ", ".join(shown) if shown else f"{name} as it was"
