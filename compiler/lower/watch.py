"""Who looks on while programs are lowered: `with watching(f):` calls `f` after every pass."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..ir.stmts import Stmt

Watcher = Callable[[str, str, Stmt, float], None]
"""Called with the pipeline's name, the pass's name, the statement it left and its seconds."""

_WATCHERS: ContextVar[tuple[Watcher, ...]] = ContextVar("watchers", default=())


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Within the `with`, `watcher` is called after each pass of each pipeline that is lowered."""
    token = _WATCHERS.set((*_WATCHERS.get(), watcher))
    try:
        yield
    finally:
        _WATCHERS.reset(token)


class PassWatch:
    """Times the passes of one pipeline and tells the watchers."""

    def __init__(self, pipeline: str) -> None:
        self.pipeline = pipeline
        self.watchers = _WATCHERS.get()
        self._last = time.perf_counter()

    def passed(self, step: str, body: Stmt) -> None:
        """The pass `step` has just left `body`."""
        if not self.watchers:
            return
        seconds = time.perf_counter() - self._last
        for watcher in self.watchers:
            watcher(self.pipeline, step, body, seconds)
        self._last = time.perf_counter()
