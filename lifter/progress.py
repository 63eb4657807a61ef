"""Progress on stderr: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

_PLAIN_SECONDS = 5.0
"""Seconds between two plain lines."""


class Progress(Protocol):
    """What a run shows while it runs; `aside` is for printing something else meanwhile."""

    def add(self, functions: int) -> None: ...

    def advance(self) -> None: ...

    def running(self, labels: tuple[str, ...]) -> None: ...

    def aside(self) -> Any: ...

    def close(self) -> None: ...


def open_progress(doing: str) -> Progress:
    """The progress display that fits stderr; `doing` is a word such as `lifting`."""
    return _Bar(doing) if sys.stderr.isatty() else _Lines(doing)


class _Bar:
    """A rich bar without a refreshing thread: the driver forks, and threads don't survive that."""

    def __init__(self, doing: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        self._bar: RichProgress = Progress(
            TextColumn(doing),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            Elapsed(),
            TextColumn("{task.fields[names]}", markup=False),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._bar.add_task(doing, total=0, names="")
        self._total = 0
        self._bar.start()

    def add(self, functions: int) -> None:
        self._total += functions
        self._bar.update(self._task, total=self._total)

    def advance(self) -> None:
        self._bar.advance(self._task)

    def running(self, labels: tuple[str, ...]) -> None:
        names = ", ".join(labels[:3]) + (" ..." if len(labels) > 3 else "")
        self._bar.update(self._task, names=names)
        self._bar.refresh()

    @contextmanager
    def aside(self) -> Iterator[None]:
        self._bar.stop()
        try:
            yield
            sys.stdout.flush()
        finally:
            self._bar.start()

    def close(self) -> None:
        self._bar.stop()


class _Lines:
    """A line now and then; none for a run that is over before anybody wonders."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._total = self._done = 0
        self._last = time.monotonic()

    def add(self, functions: int) -> None:
        self._total += functions

    def advance(self) -> None:
        self._done += 1

    def running(self, labels: tuple[str, ...]) -> None:
        now = time.monotonic()
        if now - self._last >= _PLAIN_SECONDS:
            self._last = now
            names = ", ".join(labels)
            text = f"{self._doing}: {self._done} of {self._total} done; at work: {names}"
            print(text, file=sys.stderr)

    @contextmanager
    def aside(self) -> Iterator[None]:
        yield

    def close(self) -> None:
        return
