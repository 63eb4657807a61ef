"""What earlier runs found out, in `<out>/.lift-cache`: a run goes on where one stopped.

A result's key is a digest of all that it depends on: the kernel's meaning, the grammars, and what
`lift` itself consists of. It is kept in canonical form (`meaning`), so that a hit tells the places
of the source as it is now. Beside the results stands which functions each source had in its last
run, and with which flags it was read.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..model.diagnostic import Diagnostic, LiftError, Span
from ..model.record import Record
from ..settings.flags import Flags
from ..settings.options import CACHE_FOLDER, RunOptions
from .lift_prepared import unpacked
from .localize import localized_record
from .meaning import digest, tool_digest
from .one_function import Lifted
from .store_file import FILE, StoreFile, is_broken, read_only, unreadable

if TYPE_CHECKING:
    from ..synth import GrammarText
    from .sources import Source

T = TypeVar("T")
_UNDECIDED_CODES = frozenset({"timeout", "undecided", "memory"})
_DAY = 86400.0
_UNUSED_DAYS = 60
"""Days that a result is kept which no source's last run has."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a function was given: seconds, and megabytes of memory."""

    timeout: float
    memory: float


def result_key(meaning: str, grammars: Sequence[GrammarText]) -> str:
    """The key of the result of a kernel with this meaning, these grammars and this `lift`."""
    return digest((meaning, [g.text for g in grammars], tool_digest()))


class ResultStore:
    """The store below one output folder; several runs may have one open at the same time."""

    def __init__(self, out: Path, reuse: bool = True) -> None:
        """Opens or makes it; without `reuse` it gives no result away but keeps new ones.

        Raises `sqlite3.Error` and `OSError` when that can't be.
        """
        self._file = StoreFile(out / CACHE_FOLDER)
        self._reuse = reuse

    def problems(self) -> list[Diagnostic]:
        """What was set aside since the last call."""
        found, self._file.problems = self._file.problems, []
        return found

    def find(self, key: str, limits: Limits) -> Lifted | None:
        """The canonical result; None when there is none, or one that more time may better."""
        if not self._reuse:
            return None
        return self._try(lambda: self._find(key, limits))

    def _find(self, key: str, limits: Limits) -> Lifted | None:
        row = self._sql(
            "SELECT checksum, content, timeout, memory, undecided, used FROM results WHERE key = ?",
            (key,),
        ).fetchone()
        if row is None:
            return None
        checksum, content, timeout, memory, undecided, used = row
        if undecided and (timeout < limits.timeout or memory < limits.memory):
            return None
        found = _unpacked(key, checksum, content)
        if found is None:
            self._sql("DELETE FROM results WHERE key = ?", (key,))
        elif used < time.time() - _DAY:
            self._sql("UPDATE results SET used = ? WHERE key = ?", (time.time(), key))
        return found

    def keep(self, key: str, content: bytes, record: Record, limits: Limits) -> None:
        """Keeps a packed canonical result; an internal failure isn't worth it.

        `record` is that result's, of any source.
        """
        if is_internal(record):
            return
        values = (
            key, time.time(), limits.timeout, limits.memory, _is_undecided(record),
            _checksum(key, content), content,
        )  # fmt: skip
        statement = (
            "INSERT OR REPLACE INTO results "
            "(key, used, timeout, memory, undecided, checksum, content) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        self._try(lambda: self._sql(statement, values))

    def begin(
        self, source: Source, names: Iterable[str], everything: bool, options: RunOptions
    ) -> None:
        """Notes that `source` was read, with which flags; if `everything`, all functions it has."""
        path = os.path.realpath(source.path)
        settings = json.dumps(_settings(source.flags, options)).encode()
        wanted = set(names)

        def write() -> None:
            self._sql("BEGIN IMMEDIATE")
            for table in ("sources", "functions"):  # another file's results were in this folder
                self._sql(
                    f"DELETE FROM {table} WHERE folder = ? AND path != ?", (source.folder, path)
                )
            self._sql(
                "INSERT OR REPLACE INTO sources (path, folder, checksum, content) "
                "VALUES (?, ?, ?, ?)",
                (path, source.folder, _checksum(path, source.folder, settings), settings),
            )
            if everything:
                here = (path, source.folder)
                known = self._sql("SELECT name FROM functions WHERE path = ? AND folder = ?", here)
                for (name,) in known.fetchall():
                    if name not in wanted:
                        self._sql(
                            "DELETE FROM functions WHERE path = ? AND folder = ? AND name = ?",
                            (*here, name),
                        )
            self._sql("COMMIT")

        self._try(write)

    def drop(self, source: Source, names: Iterable[str]) -> None:
        """Forgets functions of a source."""
        path = os.path.realpath(source.path)
        for name in names:
            here = (path, source.folder, name)
            self._try(
                lambda here=here: self._sql(  # type: ignore[misc]
                    "DELETE FROM functions WHERE path = ? AND folder = ? AND name = ?", here
                )
            )

    def note(
        self, source: Source, record: Record, key: str = "", places: Sequence[Span] = ()
    ) -> None:
        """Notes a function's last result: what is under `key`, at `places`, or `record` itself."""
        kept = bool(key) and not is_internal(record)
        where = {**_spans_to_json(places), "source": record.source, "unit": record.unit}
        content = zlib.compress(json.dumps(where if kept else record.to_json()).encode(), 1)
        path, known = os.path.realpath(source.path), key if kept else None
        checksum = _checksum(path, source.folder, record.name, known, content)
        values = (path, source.folder, record.name, known, checksum, content)
        statement = (
            "INSERT OR REPLACE INTO functions (path, folder, name, key, checksum, content) "
            "VALUES (?, ?, ?, ?, ?, ?)"
        )
        self._try(lambda: self._sql(statement, values))

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever kept."""
        return self._sql("SELECT 1 FROM results LIMIT 1").fetchone() is None

    def close(self) -> None:
        """Forgets what nobody has asked for in a long time, and closes the file."""
        oldest = time.time() - _UNUSED_DAYS * _DAY
        statement = (
            "DELETE FROM results WHERE used < ? AND key NOT IN "
            "(SELECT key FROM functions WHERE key IS NOT NULL)"
        )
        try:
            if self._sql("SELECT 1 FROM results WHERE used < ? LIMIT 1", (oldest,)).fetchone():
                self._sql(statement, (oldest,))
        except sqlite3.Error:
            pass  # nothing depends on it, and what is wrong is said where something does
        finally:
            self._file.connection.close()

    def _sql(self, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        return self._file.connection.execute(statement, values)

    def _try(self, act: Callable[[], T]) -> T:
        """Does `act`, once more on a new file when this one turns out to be broken."""
        try:
            return act()
        except sqlite3.DatabaseError as error:
            if self._file.connection.in_transaction:
                self._sql("ROLLBACK")
            if not is_broken(error):
                raise
            self._file.reopen(error)
            return act()


class KeptResults:
    """What earlier runs kept below one output folder, for those who only read it."""

    def __init__(self, out: Path) -> None:
        """Without any earlier run, or with a file that can't be read, nothing is found."""
        try:
            self._connection = read_only(out / CACHE_FOLDER)
        except LiftError:
            self._connection = None

    def find(self, key: str, limits: Limits) -> Lifted | None:
        """As `ResultStore.find`."""
        if self._connection is None:
            return None
        try:
            row = self._connection.execute(
                "SELECT checksum, content, timeout, memory, undecided FROM results WHERE key = ?",
                (key,),
            ).fetchone()
        except sqlite3.Error:
            return None
        if row is None:
            return None
        checksum, content, timeout, memory, undecided = row
        if undecided and (timeout < limits.timeout or memory < limits.memory):
            return None
        return _unpacked(key, checksum, content)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def records_of(out: Path) -> list[Record]:
    """The last result of every function of every source lifted into `out`, by file and line.

    Raises `LiftError` when what is there can't be read; without any run there are none.
    """
    connection = read_only(out / CACHE_FOLDER)
    if connection is None:
        return []
    statement = (
        "SELECT f.path, f.folder, f.name, f.key, f.checksum, f.content, r.checksum, r.content "
        "FROM functions f LEFT JOIN results r ON r.key = f.key"
    )
    found = []
    try:
        for *names, noted, content, checksum, result in connection.execute(statement):
            _, folder, name, key = names
            if noted != _checksum(*names, content):
                continue  # not what was noted: the next run notes it again
            told = json.loads(zlib.decompress(content))
            if key is None:
                found.append(Record.from_json(told))
            elif result is not None:
                lifted = _unpacked(key, checksum, result)
                if lifted is not None:
                    places = _spans_from_json(told)
                    record = localized_record(
                        lifted.record, places, told["source"], told.get("unit", "")
                    )
                    found.append(in_folder(record, folder, name))
    except (sqlite3.Error, zlib.error, ValueError, KeyError, TypeError) as error:
        raise unreadable(out / CACHE_FOLDER / FILE, str(error)) from error
    finally:
        connection.close()
    return sorted(found, key=lambda r: (r.file, r.line, r.name))


def in_folder(record: Record, folder: str, name: str) -> Record:
    """The record with the folder of its files, where it has any."""
    return replace(record, folder=f"{folder}/{name}") if record.files else record


def last_settings(out: Path, path: str) -> list[tuple[str, Flags, dict[str, Any]]]:
    """How the last run into `out` read the file `path`: for each configuration its result folder,
    its flags, and `timeout`, `memory` and `grammars` of the run. Raises `LiftError`."""
    connection = read_only(out / CACHE_FOLDER)
    if connection is None:
        return []
    real = os.path.realpath(path)
    try:
        rows = connection.execute(
            "SELECT folder, checksum, content FROM sources WHERE path = ? ORDER BY folder", (real,)
        ).fetchall()
        told = [
            (folder, json.loads(content))
            for folder, noted, content in rows
            if noted == _checksum(real, folder, content)
        ]
        return [(folder, Flags.from_json(data.pop("flags")), data) for folder, data in told]
    except (sqlite3.Error, ValueError, KeyError, TypeError) as error:
        raise unreadable(out / CACHE_FOLDER / FILE, str(error)) from error
    finally:
        connection.close()


def _settings(flags: Flags, options: RunOptions) -> dict[str, Any]:
    return {
        "flags": flags.absolute().to_json(),
        "timeout": options.timeout,
        "memory": options.memory,
        "grammars": [os.path.abspath(g) for g in options.grammars],
    }


def is_internal(record: Record) -> bool:
    """Whether the record tells of a fault in lift itself."""
    return record.diagnostic is not None and record.diagnostic.family == "internal"


def _is_undecided(record: Record) -> bool:
    code = record.diagnostic.code if record.diagnostic else None
    return record.status == "unproved" or code in _UNDECIDED_CODES


def _unpacked(key: str, checksum: bytes, content: bytes) -> Lifted | None:
    """The result, or None when it isn't what was kept under this key."""
    return unpacked(content) if checksum == _checksum(key, content) else None


def _checksum(*parts: str | bytes | None) -> bytes:
    """Of a row's names and content."""
    state = hashlib.sha256()
    for part in parts:
        plain = part.encode() if isinstance(part, str) else part or b""
        state.update(b"%d:" % len(plain))
        state.update(plain)
    return state.digest()


def _spans_to_json(places: Sequence[Span]) -> dict[str, Any]:
    files = list(dict.fromkeys(p.file for p in places))
    return {
        "files": files,
        "places": [
            [files.index(p.file), p.line, p.column, p.end_line, p.end_column] for p in places
        ],
    }


def _spans_from_json(told: dict[str, Any]) -> list[Span]:
    files = told["files"]
    return [Span(files[file], *place) for file, *place in told["places"]]
