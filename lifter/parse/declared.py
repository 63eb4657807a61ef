"""How a file declares a function that it calls: for the stub of a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .translation_unit import read_source


def declaration_of(
    path: str | Path,
    name: str,
    *,
    std: str | None = None,
    include_dirs: Sequence[str] = (),
    defines: Sequence[str] = (),
    clang_args: Sequence[str] = (),
) -> str | None:
    """`name`'s declaration in the file or its headers as `int f(int a, int b)`; None for none.

    Parameters without a name get one. Raises `LiftError` when the file can't be read.
    """
    source = read_source(
        Path(path), std=std, include_dirs=include_dirs, defines=defines, clang_args=clang_args
    )
    cursor = _find(source.unit.cursor, name.rsplit("::", 1)[-1])
    if cursor is None:
        return None
    params = [
        _declared(p.type.spelling, p.spelling or f"a{i}")
        for i, p in enumerate(cursor.get_arguments())
    ]
    return f"{_declared(cursor.result_type.spelling, cursor.spelling)}({', '.join(params)})"


def _declared(type: str, name: str) -> str:
    return f"{type}{name}" if type.endswith(("*", "&")) else f"{type} {name}"


def _find(cursor: Any, name: str) -> Any:
    """The first declaration of a function of this name, in the file's order."""
    stack = [cursor]
    while stack:
        found = stack.pop()
        for child in reversed(list(found.get_children())):
            kind = child.kind.name
            if kind in ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"):
                stack.append(child)
            elif kind == "FUNCTION_DECL" and child.spelling == name:
                return child
    return None
