"""What a child process does with one source file: read it, and make its kernels ready to lift."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..model.diagnostic import Diagnostic, LiftError, Span
from ..settings.flags import Flags, parse_source
from .localize import source_facts
from .meaning import canonical, digest

if TYPE_CHECKING:
    from ..model.kernel import Kernel, Skipped

_READINGS = 3
"""How often a file that changes while it is read is read again."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A kernel in canonical form, what that form leaves out, and an estimate of its work."""

    kernel: Kernel
    places: tuple[Span, ...]
    facts: dict[str, Any]
    meaning: str
    size: int


@dataclass(frozen=True, slots=True)
class FileRead:
    """All that one source gave. `digest` is of the text that was read."""

    kernels: tuple[Prepared, ...]
    skipped: tuple[Skipped, ...]
    failed: tuple[Skipped, ...]
    diagnostics: tuple[Diagnostic, ...]
    digest: str


def read_file(
    path: str, flags: Flags, alone: Collection[str] = (), split: Collection[str] = ()
) -> FileRead | Diagnostic:
    """Parses one file; the diagnostic where nothing of it can be read.

    With `alone`: of its kernels, only the helpers of these names, as kernels of their own, and
    their regions; with `split`, as `parse_file` has it, all the same.
    """
    try:
        for _ in range(_READINGS):
            before = file_digest(path)
            parsed = parse_source(path, flags, alone=alone, split=split)
            if file_digest(path) == before:
                break
        return FileRead(
            tuple(
                _prepared(k, flags, path)
                for k in parsed.kernels
                if not alone or split or k.name.partition("#")[0] in alone
            ),
            parsed.skipped,
            parsed.failed,
            parsed.diagnostics,
            before,
        )
    except LiftError as error:
        return error.diagnostic


def file_digest(path: str) -> str:
    """Of the file's contents; empty when it can't be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def file_stamp(path: str) -> tuple[int, ...]:
    """Differs when a file was written to since, as a rule; empty when it isn't there."""
    try:
        status = os.stat(path)
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _prepared(kernel: Kernel, flags: Flags, path: str) -> Prepared:
    bare, places = canonical(kernel)
    meaning = digest(bare)
    return Prepared(bare, places, source_facts(kernel, flags, meaning, path), meaning, _size(bare))


def _size(kernel: Kernel) -> int:
    """How much there is to analyse: statements and distinct expressions."""
    from dataclasses import fields

    from compiler.ir import Expr, postorder

    from ..model.kernel import Stmt, statements

    count = 0
    for stmt in statements(kernel.body):
        parts = [getattr(stmt, f.name) for f in fields(stmt)]
        exprs = [e for p in parts for e in (p if isinstance(p, tuple) else (p,))]
        own = [e for e in exprs if isinstance(e, Expr) and not isinstance(e, Stmt)]
        count += 1 + sum(1 for _ in postorder(*own))
    return count
