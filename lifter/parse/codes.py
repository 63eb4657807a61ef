"""The front end's diagnostic codes: a closed list, as data for `lift explain` and the docs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CodeEntry:
    """What one code means: a sentence, a small example that gives it, the ways out."""

    meaning: str
    example: str
    ways_out: tuple[str, ...]


CODES: dict[str, CodeEntry] = {}
