"""Room for recursion: long functions make deep trees, whose walkers call themselves as deeply."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

_STACK = 256 << 20
"""Bytes of stack: addresses, of which only those that are needed become memory."""
_DEPTH = 60_000
"""Calls in one another; each takes up to 4 KiB of the stack where C stands between them."""

Result = TypeVar("Result")
_inside = threading.local()


def with_deep_stack(work: Callable[..., Result], *arguments: Any, **options: Any) -> Result:
    """What `work` gives, done in a thread whose stack has room for deep recursion.

    Whatever `work` raises passes through. Inside of such a thread it is a plain call.
    """
    if getattr(_inside, "deep", False):
        return work(*arguments, **options)
    done: list[Result] = []
    raised: list[BaseException] = []

    def run() -> None:
        _inside.deep = True
        try:
            done.append(work(*arguments, **options))
        except BaseException as error:
            raised.append(error)

    depth, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    sys.setrecursionlimit(max(depth, _DEPTH))
    try:
        thread = threading.Thread(target=run, name="deep", daemon=True)
        thread.start()
    finally:
        threading.stack_size(size)
    try:
        thread.join()
    finally:
        sys.setrecursionlimit(depth)
    if raised:
        raise raised[0]
    return done[0]
