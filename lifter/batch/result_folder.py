"""The folder of one function's files: it is there as a whole, or as it was before."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import glob
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

from ..settings.options import CACHE_FOLDER

_PREFIX = "partial-"
_LONG = 3600.0
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_LOCKS: set[IO[bytes]] = set()
"""Of the folders of this process. Its workers, which may outlive it, let go of them."""
_COMPARED = ("summary.json", "pipeline.py", "generator.cpp")
"""Files whose texts are compared with what is on disk; of the others the sizes are."""


class ScratchFolder:
    """A folder for half-written results, beside the finished ones; its lock says that we live."""

    def __init__(self, out: Path) -> None:
        """Also removes what runs left behind that were killed. Raises `OSError`."""
        folder = out / CACHE_FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        ignored = folder / ".gitignore"  # results are committed, what was kept for speed is not
        if not ignored.exists():
            ignored.write_text("*\n", "utf-8")
        for old in folder.glob(f"{_PREFIX}*"):
            _remove_abandoned(old)
        self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=folder))
        self._lock: IO[bytes] = open(self.folder / "lock", "wb")  # noqa: SIM115  as long as we live
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        _LOCKS.add(self._lock)
        self._count = 0

    def put(self, texts: dict[str, str], target: Path) -> None:
        """Makes `target` hold these files, and of others only its schedule. Raises `OSError`."""
        self._count += 1
        made = self.folder / str(self._count)
        made.mkdir()
        for name, text in texts.items():
            path = made / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        for schedule in _schedules(target):
            with contextlib.suppress(OSError):
                shutil.copy2(schedule, made)  # it is a person's, and no result
        target.parent.mkdir(parents=True, exist_ok=True)
        while not _moved(made, target):
            pass  # another run was quicker
        shutil.rmtree(made, ignore_errors=True)

    def refresh(self, texts: dict[str, str], target: Path) -> bool:
        """Makes `target` hold these files, and leaves alone whatever stands beside them.

        Only `summary.json` is written where all else is as it should be; gives whether anything
        was. Raises `OSError`.
        """
        different = [name for name, text in texts.items() if not _is(target / name, name, text)]
        if not different:
            return False
        if different != ["summary.json"]:
            self.put(texts, target)
            return True
        self._count += 1
        made = self.folder / str(self._count)
        made.write_text(texts["summary.json"], "utf-8")
        os.replace(made, target / "summary.json")
        return True

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        _LOCKS.discard(self._lock)
        self._lock.close()


def _let_go() -> None:
    while _LOCKS:
        _LOCKS.pop().close()


os.register_at_fork(after_in_child=_let_go)


def forget(folder: Path) -> None:
    """Removes the files that an earlier run made for a function; its schedule stays."""
    if not (folder / "summary.json").is_file():
        return
    kept = set(_schedules(folder))
    if not kept:
        shutil.rmtree(folder, ignore_errors=True)
        return
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        elif path not in kept:
            path.unlink(missing_ok=True)


def forget_regions(folder: Path) -> None:
    """The same for the regions of a function, which is lifted as a whole now."""
    for region in folder.parent.glob(f"{glob.escape(folder.name)}#*"):
        forget(region)


def _schedules(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*.schedule.py") if path.is_file()]


def _is(path: Path, name: str, text: str) -> bool:
    try:
        if name not in _COMPARED:
            return path.stat().st_size == len(text.encode())
        return path.read_bytes() == text.encode()
    except OSError:
        return False


def _moved(made: Path, target: Path) -> bool:
    """Puts `made` in the place of `target`, which ends up where `made` was if it existed."""
    try:
        made.rename(target)  # where nothing stands, or an empty folder
        return True
    except OSError as error:
        if error.errno not in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
            raise
    if _exchanged(made, target):
        return True
    aside = made.with_name(f"{made.name}.old")
    try:
        target.rename(aside)
    except FileNotFoundError:
        return False
    try:
        made.rename(target)
    except OSError as error:
        if error.errno not in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
            aside.rename(target)
            raise
        return False
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return True


def _exchanged(a: Path, b: Path) -> bool:
    """Swaps two folders in one step, where the system can (Linux)."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:
        return False
    names = os.fsencode(a), os.fsencode(b)
    return bool(call(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0)


def _remove_abandoned(folder: Path) -> None:
    """Removes a scratch folder whose process is gone."""
    try:
        with open(folder / "lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
    except FileNotFoundError:
        # It is being made or removed, unless it was left so long ago.
        with contextlib.suppress(OSError):
            if folder.stat().st_mtime < time.time() - _LONG:
                shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        pass  # its process lives
