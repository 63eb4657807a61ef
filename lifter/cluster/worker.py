"""What a Dask worker does for `lift --cluster`: hands a function to the nursery and waits.

Nothing here looks at a kernel: requests and replies are bytes, so a worker survives whatever a
function does to the process that lifts it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import pickle
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Literal

from .identity import Identity
from .nursery import receive_frame, send_frame

_TICK = 0.5
"""Seconds between two looks at whether the result is still wanted."""
_START = 120.0
"""Seconds in which a nursery must have loaded its libraries (from a slow network disk, perhaps)."""

Reply = tuple[Literal["ended"], list[bytes | str]] | tuple[Literal["other"], Identity]
"""`ended` with, for each request, the keeper's pickle of a `TaskOutcome`'s (kind, value, text,
seconds), or a text that says why nothing came; `other` with this worker's identity when that isn't
the one asked for."""


class NurseryError(Exception):
    """The nursery can't be started, or died; the message says how."""


class _Nursery:
    """A running nursery; safe to use from many threads."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        program = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from lifter.cluster.nursery import serve; serve({theirs.fileno()})"
        )
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", program],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # a Ctrl-C at the worker's terminal is the worker's affair
            )
        self._channel = ours
        self._lock = threading.Lock()
        ours.settimeout(_START)
        try:
            self.identity: Identity = json.loads(receive_frame(ours))
        except (OSError, EOFError) as error:
            self.close()
            raise NurseryError(f"its lifting process didn't start: {error}") from error
        if "error" in self.identity:
            self.close()
            raise NurseryError(f"its lifting process didn't start: {self.identity['error']}")
        ours.settimeout(None)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def connect(self) -> socket.socket:
        """A connection to a keeper of its own; raises `NurseryError`."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                with self._lock:
                    socket.send_fds(self._channel, [b"+"], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise NurseryError(f"its lifting process has gone: {error}") from error
        return ours

    def close(self) -> None:
        self._channel.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)


_nursery: _Nursery | None = None
_starting = threading.Lock()


def _the_nursery() -> _Nursery:
    """This process's nursery, started when there is none. Raises `NurseryError`."""
    global _nursery
    with _starting:
        if _nursery is None or not _nursery.alive:
            if _nursery is not None:
                _nursery.close()
                _nursery = None
            _nursery = _Nursery()
        return _nursery


def by_value() -> Callable[[list[bytes], str], bytes]:
    """`lift_there` in a form that crosses as code: schedulers unpickle what they pass on, and have
    no lift."""

    def lift(requests: list[bytes], tool: str) -> bytes:
        from lifter.cluster.worker import lift_there

        return lift_there(requests, tool)

    return lift


async def identity_there() -> Identity:
    """The versions of the process that lifts here, or `error`; `Client.run` calls it."""
    try:
        return (await asyncio.to_thread(_the_nursery)).identity
    except NurseryError as error:
        return {"error": str(error)}


def lift_there(requests: list[bytes], tool: str) -> bytes:
    """Runs pickled `Task`s, one after the other, each in a keeper; gives a pickled `Reply`."""
    wanted = _still_wanted()
    reply: Reply
    answers: list[bytes | str]
    try:
        nursery = _the_nursery()
        if nursery.identity["tool"] != tool:
            reply = "other", nursery.identity
        else:
            answers = [_lift_one(request, wanted) for request in requests]
            reply = "ended", answers
    except NurseryError as error:
        answers = [str(error) for _ in requests]
        reply = "ended", answers
    return pickle.dumps(reply, pickle.HIGHEST_PROTOCOL)


def _lift_one(request: bytes, wanted: Callable[[], bool]) -> bytes | str:
    try:
        with _the_nursery().connect() as connection:
            send_frame(connection, request)
            while wanted():
                if select.select([connection], [], [], _TICK)[0]:
                    return receive_frame(connection)
            return "nobody waits for it"
    except (NurseryError, OSError, EOFError) as error:
        return f"its lifting process has gone: {error}"


def _still_wanted() -> Callable[[], bool]:
    """Whether the scheduler still waits for the task that this thread of a worker runs.

    Dask ends no thread: a task that was cancelled, or whose client has gone, runs on to its end
    unless it looks by itself.
    """
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        at_work = task is not None and task.state in ("executing", "long-running")
        return at_work and worker.status.name in ("running", "paused", "closing_gracefully")

    return wanted
