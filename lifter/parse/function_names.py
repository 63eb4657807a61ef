"""The functions that a file defines, and those that it needs of others, by name, without a look at
what they do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model.beside import Linked
from .elsewhere import plain_functions
from .syntax import kind_of, walk_cursors
from .translation_unit import read_source


@dataclass(frozen=True, slots=True)
class LinkerNames:
    """What linkers know of the functions of a file, by the names that they know them by."""

    gives: frozenset[str]
    """Those that other files may call."""
    needs: frozenset[str]
    """Those that it calls, or whose addresses it takes, and doesn't define."""


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


def linker_names(file: Linked) -> LinkerNames:
    """What the file gives and needs. Raises `LiftError` where it can't be read at all."""
    source = read_source(
        Path(file.path),
        std=file.std,
        include_dirs=file.includes,
        defines=file.defines,
        clang_args=file.clang_arguments,
    )
    gives = frozenset(
        str(cursor.mangled_name)
        for cursor in plain_functions(source)
        if cursor.linkage.name == "EXTERNAL"
    )
    needs: set[str] = set()
    for declaration in source.parsed.own:
        for cursor in walk_cursors(declaration):
            named = cursor.referenced if kind_of(cursor) == "DECL_REF_EXPR" else None
            if named is None or kind_of(named) != "FUNCTION_DECL":
                continue
            if named.linkage.name == "EXTERNAL" and named.get_definition() is None:
                needs.add(str(named.mangled_name))
    return LinkerNames(gives, frozenset(needs))
