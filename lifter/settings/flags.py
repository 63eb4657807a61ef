"""How one source file is to be read: what a compiler is told, and what only `lift` is told."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..model.beside import Beside, Linked

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
    beside: tuple[Beside, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data that `from_json` gives back; paths as they were given."""
        texts: dict[str, Any] = {name: list(getattr(self, name)) for name in _TEXTS}
        beside = [
            [
                b.path,
                None if b.includes == self.includes else list(b.includes),
                None if b.defines == self.defines else list(b.defines),
            ]
            for b in self.beside
        ]
        more = {"beside": beside} if beside else {}
        return {"std": self.std, **texts, "models": [str(m) for m in self.models], **more}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Flags:
        """Raises `KeyError`, `TypeError` or `ValueError` when `data` isn't from `to_json`."""
        texts: dict[str, Any] = {name: tuple(map(str, data[name])) for name in _TEXTS}
        beside = tuple(
            Beside(
                str(path),
                texts["includes"] if includes is None else tuple(map(str, includes)),
                texts["defines"] if defines is None else tuple(map(str, defines)),
            )
            for path, includes, defines in data.get("beside", ())
        )
        models = tuple(map(Path, data["models"]))
        return cls(std=data["std"], models=models, beside=beside, **texts)

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
            tuple(
                Beside(change(b.path), tuple(map(change, b.includes)), b.defines)
                for b in self.beside
            ),
        )

    def only_beside(self, paths: Collection[str]) -> Flags:
        """These flags with no other files beside than those of these paths."""
        return replace(self, beside=tuple(b for b in self.beside if b.path in paths))


def parse_source(
    path: str,
    flags: Flags,
    functions: Sequence[str] | None = None,
    alone: Collection[str] = (),
    split: Collection[str] = (),
    linked: Sequence[Linked] = (),
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
        beside=flags.beside,
        linked=linked,
    )
