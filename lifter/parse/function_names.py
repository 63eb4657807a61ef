"""The functions that a file defines, by name, without a look at what they do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .elsewhere import plain_functions
from .translation_unit import read_source


def function_names(
    path: str,
    *,
    std: str | None = None,
    include_dirs: Sequence[str] = (),
    defines: Sequence[str] = (),
    clang_args: Sequence[str] = (),
) -> list[str]:
    """The names, in source order. Raises `LiftError` where the file can't be read at all."""
    source = read_source(
        Path(path), std=std, include_dirs=include_dirs, defines=defines, clang_args=clang_args
    )
    return [str(cursor.spelling) for cursor in plain_functions(source)]
