"""A real Dask cluster on loopback: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Cluster:
    """Processes of one cluster; `close` ends them all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show",
            "--scheduler-file", str(self._file),
        )  # fmt: skip
        self.workers: list[subprocess.Popen[bytes]] = []

    @property
    def address(self) -> str:
        wait_until(lambda: self._file.is_file() and self._file.read_text("utf-8").endswith("}"))
        return str(json.loads(self._file.read_text("utf-8"))["address"])

    def add_worker(
        self, path: Path = ROOT, threads: int = 1, nanny: bool = False
    ) -> subprocess.Popen[bytes]:
        """A worker that imports lift from `path`; with a nanny, one that is started again."""
        worker = self._start(
            "worker", self.address, "--nthreads", str(threads), "--no-dashboard",
            "--nanny" if nanny else "--no-nanny", "--local-directory", str(self._folder),
            path=path,
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            for one in [process.pid, *descendants(process.pid)]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
            process.wait()

    def _start(self, what: str, *arguments: str, path: Path = ROOT) -> subprocess.Popen[bytes]:
        with open(self._folder / f"{what}.log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments],
                cwd=self._folder,
                env={**os.environ, "PYTHONPATH": str(path)},
                stdout=log,
                stderr=log,
            )


def lift(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    """`lift ARGUMENTS`, begun in `folder`."""
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "lifter", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def children(pid: int) -> list[int]:
    """The processes that `pid` started and that haven't been waited for."""
    found: list[int] = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return found


def descendants(pid: int) -> list[int]:
    """The processes that stem from `pid`."""
    return [one for child in children(pid) for one in (child, *descendants(child))]


def worker_and_nursery(nanny: int) -> list[int]:
    """The process of the Dask worker that a nanny looks after, and the one that lifts for it."""
    for child in children(nanny):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text():
                return [child, *children(child)]
    return []


def wait_until(holds: Callable[[], bool], seconds: float = 300.0) -> None:
    """Looks until `holds()`; raises `TimeoutError`."""
    ends = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > ends:
            raise TimeoutError
        time.sleep(0.05)


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    made = Cluster(folder)
    try:
        yield made
    finally:
        made.close()
