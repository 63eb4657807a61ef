"""Finished functions of earlier runs, in `<out>/.lift-cache`: a run goes on where one stopped.

An entry's name is a digest of all that the result depends on: the kernel as parsed (so its text,
the headers, the flags, the models), the grammars, and the very files that `lift` consists of.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .options import CACHE_FOLDER, RunOptions
from .record import Record

if TYPE_CHECKING:
    from .parse import Kernel

_UNDECIDED_CODES = frozenset({"timeout", "undecided"})
_CODE_SUFFIXES = (".py", ".h", ".hpp", ".cpp", ".grammar")


class Cache:
    """The entries below one output folder; with `enabled` false it never has any."""

    def __init__(self, options: RunOptions) -> None:
        self._folder = options.out / CACHE_FOLDER
        self._out = options.out
        self._enabled = options.cache
        self._timeout = options.timeout
        self._context = [own_digest(), *(_digest_of_file(g) for g in options.grammars)]

    def key(self, kernel: Kernel, folder: str) -> str:
        """The name of the entry for `kernel`, whose results go to `folder`."""
        return digest((self._context, kernel, folder))

    def find(self, key: str) -> Record | None:
        """The finished record, if there is one, it still counts, and its files still stand."""
        if not self._enabled:
            return None
        try:
            stored = json.loads((self._folder / f"{key}.json").read_text("utf-8"))
            record = Record.from_json(stored["record"])
            timeout = float(stored["timeout"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if _is_undecided(record) and timeout < self._timeout:
            return None
        folder = self._out / (record.folder or "")
        return record if all((folder / file).is_file() for file in record.files) else None

    def keep(self, key: str, record: Record) -> None:
        """Stores a record, whole or not at all; an internal failure isn't worth keeping."""
        internal = record.diagnostic is not None and record.diagnostic.family == "internal"
        if not self._enabled or internal:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        partial = self._folder / f"{key}.{os.getpid()}.partial"
        partial.write_text(json.dumps({"timeout": self._timeout, "record": record.to_json()}))
        os.replace(partial, self._folder / f"{key}.json")

    def tidy(self) -> None:
        """Removes what this process left half-written, and the folder when it holds nothing."""
        for partial in self._folder.glob(f"*.{os.getpid()}.partial"):
            partial.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self._folder.rmdir()


def _is_undecided(record: Record) -> bool:
    code = record.diagnostic.code if record.diagnostic else None
    return record.status == "unproved" or code in _UNDECIDED_CODES


def _digest_of_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def own_digest() -> str:
    """A digest of the program itself: a fixed bug must not live on in old results.

    From the sizes and times of the source files, which takes two milliseconds.
    """
    root = Path(__file__).parent.parent
    state = hashlib.sha256()
    for package in ("lifter", "compiler"):
        for folder, _, names in sorted(os.walk(root / package)):
            for name in sorted(n for n in names if n.endswith(_CODE_SUFFIXES)):
                stat = os.stat(os.path.join(folder, name))
                state.update(f"{folder}/{name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return state.hexdigest()


def digest(value: Any) -> str:
    """A digest of plain data, dataclasses and expressions, by structure and with all types.

    Equal for equal values in any process. Raises `TypeError` for a value of another kind.
    """
    from compiler.ir import Expr, Type

    state = hashlib.sha256()
    numbers: dict[Expr, int] = {}

    def feed(part: Any) -> None:
        if isinstance(part, Expr):
            if part in numbers:
                state.update(b"^%d;" % numbers[part])
                return
            state.update(f"({type(part).__name__} {part.type}".encode())
            for name in part.fields:
                feed(getattr(part, name))
            state.update(b")")
            numbers[part] = len(numbers)
        elif isinstance(part, Type):
            state.update(f"T{part};".encode())
        elif dataclasses.is_dataclass(part):
            state.update(f"<{type(part).__name__} ".encode())
            for item in dataclasses.fields(part):
                feed(getattr(part, item.name))
            state.update(b">")
        elif isinstance(part, tuple | list):
            state.update(b"[%d " % len(part))
            for item in part:
                feed(item)
        elif isinstance(part, dict):
            feed(list(part.items()))
        elif part is None or isinstance(part, str | int | float | bool):
            text = repr(part).encode()
            state.update(b"%s%d:%s;" % (type(part).__name__.encode(), len(text), text))
        else:
            raise TypeError(f"a {type(part).__name__} has no digest")

    feed(value)
    return state.hexdigest()[:32]
