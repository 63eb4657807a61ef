"""Progress on stderr: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from .visible import visible_line

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

_PLAIN_SECONDS = 5.0
"""Seconds between two plain lines at first; they become rarer as a run goes on."""
_RARER = 20.0
_TOLD = ("proved", "unproved", "failed")
_GUESSING = 3.0
"""Seconds before a guess of the time left means anything."""


class Progress(Protocol):
    """What a run shows while it runs; `aside` is for printing something else meanwhile."""

    def add(self, functions: int) -> None: ...

    def advance(self, status: str = "") -> None: ...

    def running(self, labels: tuple[str, ...], share: float | None = None) -> None: ...

    def aside(self) -> Any: ...

    def close(self) -> None: ...


def open_progress(doing: str, quiet: bool = False) -> Progress:
    """The progress display that fits stderr; `doing` is a word such as `lifting`."""
    if quiet:
        return _None()
    is_dumb = os.environ.get("TERM", "") in ("dumb", "unknown")
    return _Bar(doing) if sys.stderr.isatty() and not is_dumb else _Lines(doing)


class _Tally:
    """What is counted, whatever shows it."""

    def __init__(self) -> None:
        self.total = self.done = 0
        self.statuses: Counter[str] = Counter()
        self.began = self.moved = time.monotonic()
        self.share = 0.0

    def at(self, share: float | None) -> None:
        """Notes how much of all work is done."""
        if share is not None and share > self.share:
            self.moved = time.monotonic()
        self.share = share or 0.0

    def advance(self, status: str) -> None:
        self.done += 1
        self.statuses[status] += 1

    def counts(self) -> str:
        """`118 proved, 5 failed`; empty where statuses aren't told."""
        found = [f"{self.statuses[s]:,} {s}" for s in _TOLD if self.statuses[s]]
        return ", ".join(found)

    def left(self) -> str:
        """A guess of the time left, from how much of the work is done; empty where too bold: at
        first, and while nothing comes to an end, for then it would grow with the time."""
        now = time.monotonic()
        elapsed = now - self.began
        still = now - self.moved > max(_GUESSING, elapsed / 10)
        if elapsed < _GUESSING or self.share < 0.01 or still:
            return ""
        seconds = int(elapsed * (1 - self.share) / self.share)
        hours, minutes = seconds // 3600, seconds // 60 % 60
        if hours:
            return f"{hours} h {minutes:02} min left"
        return f"{minutes} min left" if minutes else f"{seconds} s left"


class _Bar(_Tally):
    """A rich bar without a refreshing thread: the driver forks, and threads don't survive that."""

    def __init__(self, doing: str) -> None:
        super().__init__()
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        self._bar: RichProgress = Progress(
            TextColumn(doing),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            Elapsed(),
            TextColumn("{task.fields[told]}", markup=False),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._bar.add_task(doing, total=0, told="")
        self._bar.start()

    def add(self, functions: int) -> None:
        self.total += functions
        self._bar.update(self._task, total=self.total)

    def advance(self, status: str = "") -> None:
        super().advance(status)
        self._bar.advance(self._task)

    def running(self, labels: tuple[str, ...], share: float | None = None) -> None:
        self.at(share)
        names = visible_line(", ".join(labels[:3])) + (" ..." if len(labels) > 3 else "")
        told = "; ".join(part for part in (self.counts(), self.left(), names) if part)
        self._bar.update(self._task, told=told)
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


class _None:
    """No progress at all."""

    def add(self, functions: int) -> None:
        return

    def advance(self, status: str = "") -> None:
        return

    def running(self, labels: tuple[str, ...], share: float | None = None) -> None:
        return

    @contextmanager
    def aside(self) -> Iterator[None]:
        yield

    def close(self) -> None:
        return


class _Lines(_Tally):
    """A line now and then; none for a run that is over before anybody wonders."""

    def __init__(self, doing: str) -> None:
        super().__init__()
        self._doing = doing
        self._last = time.monotonic()

    def add(self, functions: int) -> None:
        self.total += functions

    def advance(self, status: str = "") -> None:
        super().advance(status)

    def running(self, labels: tuple[str, ...], share: float | None = None) -> None:
        self.at(share)
        now = time.monotonic()
        if now - self._last >= max(_PLAIN_SECONDS, (now - self.began) / _RARER):
            self._last = now
            counts = f" ({self.counts()})" if self.counts() else ""
            parts = (self.left(), f"at work: {visible_line(', '.join(labels))}")
            told = "; ".join(part for part in parts if part)
            text = f"{self._doing}: {self.done:,} of {self.total:,} done{counts}; {told}"
            print(text, file=sys.stderr, flush=True)

    @contextmanager
    def aside(self) -> Iterator[None]:
        yield

    def close(self) -> None:
        return
