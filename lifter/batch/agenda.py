"""What a run does next: which file is read, which function is lifted.

Files are read a little ahead of the lifting, so that there is a choice, and no further: a kernel is
large, and a library has thousands. Of the functions at hand the one with most work goes first, so
that at the end of the run only short ones are left to share out.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable
from itertools import count
from typing import Generic, TypeVar

from .workers import Room, Task

File = TypeVar("File")
_AHEAD = 16
"""Functions that wait for each worker, at most, while there are files left to read."""


class Agenda(Generic[File]):
    """All that isn't submitted yet, and how much of the work is done."""

    def __init__(self, files: Iterable[File], reading: Callable[[File], Task]) -> None:
        """`reading` makes the task that reads a file, when its turn comes."""
        self._files = deque(files)
        self._task = reading
        self._functions: list[tuple[int, int, Task]] = []
        self._numbers = count()
        self._reading = 0
        self._read = 0
        self._known = self._done = 0

    def read(self, file: File) -> None:
        """Takes in one more file, to be read next."""
        self._files.appendleft(file)

    def add(self, task: Task, size: int) -> None:
        """Takes in a function; `size` is an estimate of its work."""
        self._known += size
        heapq.heappush(self._functions, (-size, next(self._numbers), task))

    def done(self, size: int) -> None:
        """Counts a function that was taken in as done."""
        self._done += size

    def file_done(self) -> None:
        """A file that was submitted has been read, or couldn't be."""
        self._reading -= 1
        self._read += 1

    def submit(self, pool: Room) -> None:
        """Gives the pool what it has room for."""
        while self._files and pool.room_here and self._wants_file(pool):
            self._reading += 1
            pool.submit(self._task(self._files.popleft()))
        while self._functions and pool.room:
            pool.submit(heapq.heappop(self._functions)[2])

    def _wants_file(self, pool: Room) -> bool:
        if not self._functions:
            return True
        # One worker alone has nothing to share out, and a person wants to see results.
        enough = _AHEAD * pool.width if pool.width > 1 else 1
        return len(self._functions) < enough and self._reading < max(1, pool.width // 2)

    @property
    def empty(self) -> bool:
        return not self._files and not self._functions

    @property
    def share(self) -> float:
        """How much of the work is done, from 0 to 1; unread files count as the others do."""
        unread = len(self._files) + self._reading
        if not self._read or not self._known:
            return 0.0
        return self._done / (self._known * (1 + unread / self._read))
