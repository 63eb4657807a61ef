"""How one source file is to be read: what a compiler is told, and what only `lift` is told."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..model.kernel import ParsedFile

PATH_FLAGS = frozenset(
    ("-isystem", "-iquote", "-idirafter", "-isysroot", "-iframework", "-include", "-imacros")
)
"""Flags of libclang's whose next argument is a path."""
_TEXTS = ("includes", "defines", "clang_arguments", "assumptions")


@dataclass(frozen=True, slots=True)
class Flags:
    """All that `parse_file` needs beside the path; every `Source` of a run has its own."""

    std: str | None = None
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    clang_arguments: tuple[str, ...] = ()
    models: tuple[Path, ...] = ()
    assumptions: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data that `from_json` gives back; paths as they were given."""
        texts: dict[str, Any] = {name: list(getattr(self, name)) for name in _TEXTS}
        return {"std": self.std, **texts, "models": [str(m) for m in self.models]}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Flags:
        """Raises `KeyError` or `TypeError` when `data` isn't from `to_json`."""
        texts: dict[str, Any] = {name: tuple(map(str, data[name])) for name in _TEXTS}
        return cls(std=data["std"], models=tuple(map(Path, data["models"])), **texts)

    def absolute(self) -> Flags:
        """The same flags from any working directory, as far as `lift` knows which are paths."""
        return self.with_paths(os.path.abspath)

    def with_paths(self, change: Callable[[str], str]) -> Flags:
        """These flags with each path changed. The name of a file to include is one where it is."""

        def argument(before: str, value: str) -> str:
            is_path = before in PATH_FLAGS and (os.path.isabs(value) or os.path.exists(value))
            return change(value) if is_path else value

        return Flags(
            self.std,
            tuple(map(change, self.includes)),
            self.defines,
            tuple(map(argument, ("", *self.clang_arguments), self.clang_arguments)),
            tuple(Path(change(str(m))) for m in self.models),
            self.assumptions,
        )


def parse_source(
    path: str,
    flags: Flags,
    functions: Sequence[str] | None = None,
    alone: Collection[str] = (),
    split: Collection[str] = (),
) -> ParsedFile:
    """Parses one file with its flags; all other arguments and what it raises as `parse_file`'s."""
    from ..parse import parse_file

    return parse_file(
        path,
        std=flags.std,
        include_dirs=flags.includes,
        defines=flags.defines,
        clang_args=flags.clang_arguments,
        models=flags.models,
        assumptions=flags.assumptions,
        functions=functions,
        alone=alone,
        split=split,
    )
