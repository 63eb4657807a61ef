"""A process beside each Dask worker that forks the children in which functions are lifted.

A Dask worker has many threads; a child that it forked would hold whatever locks the others held at
that moment. So the worker starts this process, which has one thread, has loaded all that lifting
needs, and forks a *keeper* for each function: the keeper runs a `Pool` of one child, which ends a
crash, a hang or a time-out as it does locally. A keeper speaks with the worker's thread over a
socket of their own; it hangs up when the thread does, and the nursery ends when the worker does.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import pickle
import select
import signal
import socket
import struct
from typing import Any

from ..batch.workers import Pool, Task, die_with

_TICK = 0.25
"""Seconds between two looks at whether the worker still wants the result."""
_IDLE = 600.0
"""Seconds without work after which the nursery ends; the next function starts another."""
_LENGTH = struct.Struct("<Q")


def call_pickled(call: bytes) -> Any:
    """What a function's child runs: only there is what came from the client unpickled."""
    return pickle.loads(call)()


def serve(control: int) -> None:
    """Forks a keeper for each socket that arrives over the descriptor `control`, until its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = socket.socket(fileno=control)
    try:
        from ..batch.one_function import prepare
        from .identity import identity

        prepare()
        gc.collect()
        gc.freeze()  # or each child's collections would copy what it shares with us
        send_frame(channel, json.dumps(identity()).encode())
    except Exception as error:  # a broken installation may raise anything
        send_frame(channel, json.dumps({"error": f"{type(error).__name__}: {error}"}).encode())
        return
    at_work = False
    while True:
        ready, _, _ = select.select([channel], [], [], _TICK if at_work else _IDLE)
        if ready:
            _, received, _, _ = socket.recv_fds(channel, 1, 1)
            if not received:
                return
            _fork_keeper(received[0])
        elif not at_work:
            return
        at_work = _bury()


def _bury() -> bool:
    """Takes note of the keepers that have ended; whether any is left."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return True
    return False


def _fork_keeper(descriptor: int) -> None:
    parent = os.getpid()
    if os.fork():
        os.close(descriptor)
        return
    status = 70
    try:
        die_with(parent)
        with socket.socket(fileno=descriptor) as connection:
            _keep(connection)
        status = 0
    finally:
        os._exit(status)


def _keep(connection: socket.socket) -> None:
    """Runs the one task that comes over `connection` and sends back how it ended."""
    task: Task = pickle.loads(receive_frame(connection))
    pool = Pool(1)
    pool.submit(task)
    while pool.busy:
        for outcome in pool.wait(_TICK):
            ended = (outcome.kind, outcome.value, outcome.text, outcome.seconds)
            with contextlib.suppress(BrokenPipeError):
                send_frame(connection, pickle.dumps(ended, pickle.HIGHEST_PROTOCOL))
        if _hung_up(connection):
            break
    pool.stop()  # buries a child that still gives back its memory


def _hung_up(connection: socket.socket) -> bool:
    ready, _, _ = select.select([connection], [], [], 0)
    return bool(ready) and not connection.recv(1, socket.MSG_PEEK)


def send_frame(connection: socket.socket, payload: bytes) -> None:
    """Sends `payload` with its length before it."""
    connection.sendall(_LENGTH.pack(len(payload)) + payload)


def receive_frame(connection: socket.socket) -> bytes:
    """What `send_frame` sent; raises `EOFError` when the other end goes before it is whole."""
    (length,) = _LENGTH.unpack(_exactly(connection, _LENGTH.size))
    return _exactly(connection, length)


def _exactly(connection: socket.socket, count: int) -> bytes:
    parts = []
    while count:
        part = connection.recv(min(count, 1 << 20))
        if not part:
            raise EOFError("the other end has gone")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
