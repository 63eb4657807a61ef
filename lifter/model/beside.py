"""Other files of a program, in which functions may be that a file's pointers lead to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Beside:
    """Another file of the same program, which is read with the same standard and arguments."""

    path: str
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
