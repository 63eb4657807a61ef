"""Other files of a program, in which functions may be that a file calls."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Beside:
    """Another file of the same program, which is read with the same standard and arguments."""

    path: str
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Linked:
    """Another file of the same program whose functions are called by name, read in its own way."""

    path: str
    std: str | None = None
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    clang_arguments: tuple[str, ...] = ()
