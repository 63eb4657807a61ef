"""The sqlite file behind `store`: opened for many processes at once, set aside when it is broken.

A file that isn't of this version, or that sqlite finds malformed, is renamed and never trusted; of
a malformed one of this version, the rows whose checksums hold are taken over.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from ..model.diagnostic import Diagnostic, LiftError

VERSION = 2
FILE = "results.sqlite"
_BUSY_SECONDS = 60.0
_SCHEMA = """
CREATE TABLE results (
  number INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, used REAL NOT NULL,
  timeout REAL NOT NULL, memory REAL NOT NULL, undecided INTEGER NOT NULL,
  checksum BLOB NOT NULL, content BLOB NOT NULL);
CREATE TABLE sources (
  path TEXT NOT NULL, folder TEXT NOT NULL, checksum BLOB NOT NULL, content BLOB NOT NULL,
  PRIMARY KEY (path, folder));
CREATE TABLE functions (
  path TEXT NOT NULL, folder TEXT NOT NULL, name TEXT NOT NULL, key TEXT,
  checksum BLOB NOT NULL, content BLOB NOT NULL, PRIMARY KEY (path, folder, name));
CREATE INDEX functions_by_key ON functions (key);
"""
_BROKEN = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_FORMAT,
        sqlite3.SQLITE_ERROR,  # no such table or column: our statements are as the schema is
    }
)
_UNREADABLE = (sqlite3.Error, UnicodeError)
"""What comes of a file that isn't well; the latter where a message would have the file's bytes."""


class _OtherVersion(Exception):
    pass


class _Damaged(Exception):
    """Sqlite can read the file, but it says something else than was written."""


class StoreFile:
    """One open connection; `problems` collects what had to be set aside."""

    def __init__(self, folder: Path) -> None:
        """Opens or makes the file in `folder`, which exists. Raises `sqlite3.Error`, `OSError`."""
        self.path = folder / FILE
        self.problems: list[Diagnostic] = []
        self.connection = self._open()

    def _open(self) -> sqlite3.Connection:
        with _alone(self.path.parent):
            try:
                return self._connect()
            except (sqlite3.DatabaseError, _OtherVersion, _Damaged, UnicodeError) as error:
                if isinstance(error, sqlite3.DatabaseError) and not is_broken(error):
                    raise
                aside = self._set_aside(error)
                connection = self._connect()
                if not isinstance(error, _OtherVersion):
                    _take_over(aside, connection)
                return connection

    def reopen(self, error: sqlite3.DatabaseError) -> None:
        """Goes on with a good file after sqlite found this one malformed."""
        with contextlib.suppress(sqlite3.Error):
            self.connection.close()
        with _alone(self.path.parent):
            # Another process may have put a good file here since.
            if self._inode() == self._own:
                aside = self._set_aside(error)
                self.connection = self._connect()
                _take_over(aside, self.connection)
            else:
                self.connection = self._connect()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if version != VERSION and (version or tables):
                raise _OtherVersion(str(version))
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if not tables:
                connection.executescript(
                    f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;"
                )
            elif not _has_schema(connection):
                raise _Damaged("its tables aren't those that lift makes")
            if _write_version(self.path) > 2 and os.access(self.path, os.W_OK):
                raise _Damaged("it says that a later sqlite wrote it")
        except BaseException:
            connection.close()
            raise
        self._own = self._inode()
        return connection

    def _inode(self) -> int | None:
        try:
            return os.stat(self.path).st_ino
        except FileNotFoundError:
            return None

    def _set_aside(self, error: Exception) -> Path:
        number = 1
        while (aside := self.path.with_name(f"{FILE}.aside-{number}")).exists():
            number += 1
        for suffix in ("-wal", "-shm", ""):
            with contextlib.suppress(FileNotFoundError):
                os.rename(f"{self.path}{suffix}", f"{aside}{suffix}")
        other = isinstance(error, _OtherVersion)
        what = f"is of another version ({error})" if other else f"is broken ({error})"
        self.problems.append(
            Diagnostic(
                "cache-set-aside",
                "warning",
                f"{self.path}: the file of earlier results {what}; it is set aside as {aside.name}",
                help="what isn't found again is lifted again; the file set aside may be removed",
            )
        )
        return aside


def is_broken(error: sqlite3.Error) -> bool:
    """Whether sqlite says that the file isn't what it wrote, or hasn't what our statements name."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and (code & 0xFF) in _BROKEN


def _write_version(path: Path) -> int:
    """What the file's head says of who may write to it: 1 or 2 (with a log) of those who know."""
    with path.open("rb") as file:
        head = file.read(20)
    return head[18] if len(head) == 20 else 0


def _has_schema(connection: sqlite3.Connection) -> bool:
    """Whether tables and indices are those that `_SCHEMA` makes of a new file, to the letter and
    to the page: sqlite takes a schema of which a bit has changed at its word."""
    texts = ", ".join(f"CAST({name} AS BLOB)" for name in ("type", "name", "tbl_name", "sql"))
    query = f"SELECT rootpage, {texts} FROM sqlite_master ORDER BY rowid"
    with contextlib.closing(sqlite3.connect(":memory:")) as new:
        new.executescript(_SCHEMA)
        return connection.execute(query).fetchall() == new.execute(query).fetchall()


def read_only(out_folder: Path) -> sqlite3.Connection | None:
    """A connection for readers that leaves everything as it is; None where there is no file.

    Raises `LiftError` for a file that is of another version or broken.
    """
    path = out_folder / FILE
    try:
        if not path.is_file():
            return None
        connection = _to_read(path)
    except (OSError, *_UNREADABLE) as error:
        raise unreadable(path, str(error)) from error
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version != VERSION:
            raise unreadable(path, f"it is of version {version}, this lift reads {VERSION}")
        if not _has_schema(connection):
            raise unreadable(path, "its tables aren't those that lift makes")
    except _UNREADABLE as error:
        connection.close()
        raise unreadable(path, str(error)) from error
    except LiftError:
        connection.close()
        raise
    return connection


def _to_read(path: Path) -> sqlite3.Connection:
    """A connection that writes nothing, wherever the folder lies.

    What a run hasn't taken into the file yet stands in its log, and sqlite wants to write beside
    that; where it may not, a copy of both is read.
    """
    place = f"file:{quote(str(path.absolute()))}"
    if not _log(path).exists():
        return _opened(f"{place}?mode=ro&immutable=1")
    try:
        return _opened(f"{place}?mode=ro")
    except sqlite3.OperationalError:
        pass
    with tempfile.TemporaryDirectory(prefix="lift-read-") as copied:
        copy = Path(shutil.copy(path, copied))
        shutil.copy(_log(path), copied)
        connection = sqlite3.connect(":memory:", isolation_level=None)
        with contextlib.closing(sqlite3.connect(copy)) as whole:
            whole.backup(connection)
        return connection


def _opened(place: str) -> sqlite3.Connection:
    connection = sqlite3.connect(place, timeout=_BUSY_SECONDS, isolation_level=None, uri=True)
    try:
        connection.execute("PRAGMA user_version").fetchone()
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def unreadable(path: Path, why: str) -> LiftError:
    """The error for a store that a reader can't use."""
    return LiftError(
        Diagnostic(
            "cache-unusable",
            "error",
            f"{path}: the results of earlier runs can't be read: {why}",
            help="run `lift` again with the same -o DIR: it sets the file aside and makes another",
        )
    )


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No two processes open or replace the file at once."""
    with open(folder / "lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


_COLUMNS = {
    "results": ("key", "used", "timeout", "memory", "undecided", "checksum", "content"),
    "sources": ("path", "folder", "checksum", "content"),
    "functions": ("path", "folder", "name", "key", "checksum", "content"),
}


def _take_over(aside: Path, into: sqlite3.Connection) -> None:
    """Copies the rows that can still be read; their checksums are tested when they are used."""
    with contextlib.suppress(*_UNREADABLE), contextlib.closing(sqlite3.connect(aside)) as old:
        if old.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            return
        into.execute("BEGIN IMMEDIATE")
        for table, names in _COLUMNS.items():
            marks = ", ".join("?" * len(names))
            columns = ", ".join(names)
            insert = f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})"
            select = f"SELECT {columns} FROM {table} NOT INDEXED WHERE rowid = ?"
            for number in _numbers(old, table):
                with contextlib.suppress(*_UNREADABLE):
                    row = old.execute(select, (number,)).fetchone()
                    if row is not None:
                        into.execute(insert, row)
        into.execute("COMMIT")


def _numbers(old: sqlite3.Connection, table: str) -> list[int]:
    """The rows of a table up to where it can't be read."""
    found = []
    with contextlib.suppress(*_UNREADABLE):
        for (number,) in old.execute(f"SELECT rowid FROM {table} NOT INDEXED"):
            found.append(number)
    return found
