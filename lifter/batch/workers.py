"""Child processes, one a task: a crash, a hang or a time-out ends that task and nothing else.

A task is forked, so it sees everything its parent has in memory and costs a few milliseconds to
start; its result comes back through a pipe. Children stand in process groups of their own, so
that a Ctrl-C at the terminal reaches the parent alone, and the kernel ends them when the parent
dies, so that none is left behind.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import pickle
import re
import select
import signal
import sys
import tempfile
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any, Literal, Protocol

from ..model.diagnostic import Diagnostic
from ..parse.deep_recursion import with_deep_stack

_PLACES = 12
_MOST = 20_000
"""Bytes of what a child said that are looked at."""
_FRAME = re.compile(r'File "([^"]+)", line (\d+) in (\w+)')
"""A line that `faulthandler` writes when a process dies; the innermost comes first."""
_PR_SET_PDEATHSIG = 1
_PAGE = os.sysconf("SC_PAGE_SIZE")
_SPARE = 4
"""For so many workers one task is next, which doesn't wait for us to look at the last result."""
_WALL = 2.0
"""A child may take this many times the addresses that it may have memory."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do in a child: `call` runs there, `label` is what progress shows.

    `limit` is the wall time in seconds after which the child is killed (None: never), `memory` the
    megabytes that it may take.
    `tag` is the caller's own, to know the outcome by. A task that is `here` needs this machine,
    since it reads the user's files; the others may run anywhere.
    """

    label: str
    call: Callable[[], Any]
    tag: Any = None
    limit: float | None = None
    memory: float | None = None
    here: bool = False


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """How a task ended: with a value, at a limit, in a crash, or (`lost`) not at all, since every
    machine that had it was lost.

    The first line of `text` says what kind of crash, the others where.
    """

    task: Task
    kind: Literal["done", "timeout", "memory", "crash", "lost"]
    value: Any = None
    text: str = ""
    seconds: float = 0.0


@dataclass(slots=True)
class _Child:
    task: Task
    pid: int
    pipe: int
    output: IO[bytes]
    started: float = field(default_factory=time.monotonic)


class Room(Protocol):
    """The part of a pool that says how much it can take."""

    @property
    def width(self) -> int: ...

    @property
    def room(self) -> int: ...

    @property
    def room_here(self) -> int: ...

    def submit(self, task: Task) -> None: ...


class Workers(Room, Protocol):
    """What the driver needs of a pool, whether its workers are children or on other machines."""

    @property
    def labels(self) -> list[str]: ...

    @property
    def busy(self) -> bool: ...

    def start(self) -> None: ...

    def wait(self, seconds: float) -> Iterator[TaskOutcome]: ...

    def notices(self) -> list[Diagnostic]: ...

    def stop(self) -> None: ...


class Pool:
    """Runs at most `jobs` tasks at a time; tasks may be submitted while it runs."""

    def __init__(self, jobs: int) -> None:
        self._jobs = max(1, jobs)
        self._waiting: deque[Task] = deque()
        self._running: dict[int, _Child] = {}
        self._leaving: list[int] = []

    def submit(self, task: Task) -> None:
        """Adds a task to the end of the queue."""
        self._waiting.append(task)

    def submit_first(self, task: Task) -> None:
        """Adds a task to the front of the queue."""
        self._waiting.appendleft(task)

    @property
    def width(self) -> int:
        """How many tasks run at once."""
        return self._jobs

    @property
    def room(self) -> int:
        """How many more tasks there are workers for, now or as soon as one of them is free."""
        spare = max(1, self._jobs // _SPARE)
        return max(0, self._jobs + spare - len(self._running) - len(self._waiting))

    @property
    def room_here(self) -> int:
        """The same for tasks that are `here`: in this pool there is one room for both."""
        return self.room

    @property
    def labels(self) -> list[str]:
        """What is running now, the oldest first."""
        return [child.task.label for child in self._running.values()]

    @property
    def busy(self) -> bool:
        return bool(self._waiting or self._running)

    @property
    def pipes(self) -> list[int]:
        """Descriptors that can be read when a task has ended, for who waits for more than that."""
        return list(self._running)

    def start(self) -> None:
        """Starts as many waiting tasks as there is room for."""
        while self._waiting and len(self._running) < self._jobs:
            child = _fork(self._waiting.popleft())
            self._running[child.pipe] = child

    def wait(self, seconds: float) -> Iterator[TaskOutcome]:
        """Outcomes that arrive within `seconds`; none when nothing ends in that time."""
        self.start()
        now = time.monotonic()
        for child in self._running.values():
            if child.task.limit is not None:
                seconds = min(seconds, max(0.0, child.started + child.task.limit - now))
        ready, _, _ = select.select(list(self._running), [], [], seconds)
        for pipe in ready:
            child = self._running.pop(pipe)
            self.start()  # what is next begins before anybody looks at this one's result
            yield self._collect(child)
        for child in list(self._running.values()):
            kind = _beyond(child)
            if kind is not None:
                del self._running[child.pipe]
                _kill(child)
                yield TaskOutcome(child.task, kind, seconds=time.monotonic() - child.started)

    def notices(self) -> list[Diagnostic]:
        """What there is to say about where tasks run, beside their outcomes: here, nothing."""
        return []

    def stop(self) -> None:
        """Kills all that runs and forgets all that waits."""
        self._waiting.clear()
        for child in self._running.values():
            _kill(child)
        self._running.clear()
        self._reap(0)

    def _reap(self, options: int) -> None:
        """Forgets children that have ended after they gave their result."""
        self._leaving = [pid for pid in self._leaving if os.waitpid(pid, options)[0] == 0]

    def _collect(self, child: _Child) -> TaskOutcome:
        seconds = time.monotonic() - child.started
        with os.fdopen(child.pipe, "rb") as pipe:
            payload = pipe.read()
        if payload:
            # Its memory is given back meanwhile, which takes a while.
            self._leaving.append(child.pid)
            self._reap(os.WNOHANG)
            child.output.close()
            try:
                kind, value = pickle.loads(payload)
            except Exception as error:  # what a dying child wrote may be cut off anywhere
                return TaskOutcome(child.task, "crash", text=f"its result was cut off: {error}")
            if kind == "done":
                return TaskOutcome(child.task, "done", value=value, seconds=seconds)
            end: Literal["memory", "crash"] = "memory" if kind == "memory" else "crash"
            return TaskOutcome(child.task, end, text=value, seconds=seconds)
        _, status = os.waitpid(child.pid, 0)
        child.output.seek(0)
        said = child.output.read(_MOST).decode("utf-8", "replace").strip()
        child.output.close()
        return TaskOutcome(child.task, "crash", text=_death(status, said), seconds=seconds)


def _beyond(child: _Child) -> Literal["timeout", "memory"] | None:
    """Which of its limits a child has passed."""
    task = child.task
    if task.limit is not None and time.monotonic() - child.started >= task.limit:
        return "timeout"
    if task.memory is not None and _resident(child.pid) > task.memory:
        return "memory"
    return None


def _resident(pid: int) -> float:
    """Megabytes of a process that are in memory; 0 where that can't be told."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as told:
            pages = int(told.read().split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
    return pages * _PAGE / 2**20


def _exception_text(error: BaseException) -> str:
    """What was raised, then the places that led to it."""
    frames = traceback.extract_tb(error.__traceback__)[1:]  # the first one is our own
    places = [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    what = "".join(traceback.format_exception_only(error)).strip()
    return "\n".join([what, *places[-_PLACES:]])


def _death(status: int, said: str) -> str:
    """How a process ended that could not say so itself, then the places if Python noted them."""
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        text = f"the process was ended by {name}"
        if name == "SIGKILL":
            text += " (out of memory?)"
    else:
        text = f"the process ended with status {os.waitstatus_to_exitcode(status)}"
    own, _, _ = said.partition("in _run_child")
    places = [f"{file}:{line} in {name}" for file, line, name in _FRAME.findall(own)]
    return "\n".join([text, *reversed(places[:_PLACES])])


def _kill(child: _Child) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child.pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child.pid, 0)
    os.close(child.pipe)
    child.output.close()


def _fork(task: Task) -> _Child:
    read, write = os.pipe()
    output = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the child
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    # No signal may find the child before it has let go of the parent's handlers.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        pid = os.fork()
        if pid == 0:
            os.close(read)
            _run_child(task, write, output, parent)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    os.close(write)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.setpgid(pid, pid)
    return _Child(task, pid, read, output)


def _run_child(task: Task, write: int, output: IO[bytes], parent: int) -> None:
    """The child's whole life; never returns."""
    status = 70
    try:
        with contextlib.suppress(PermissionError):
            os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
        die_with(parent)
        for stream in (1, 2):
            os.dup2(output.fileno(), stream)
        faulthandler.enable(output)
        if task.memory is not None:
            limit_addresses(task.memory)
        try:
            payload = with_deep_stack(_done, task)
        except MemoryError:
            payload = pickle.dumps(("memory", ""))
        except BaseException as error:
            payload = pickle.dumps(("crash", _exception_text(error)))
        with os.fdopen(write, "wb") as pipe:
            pipe.write(payload)
        status = 0
    finally:
        os._exit(status)


def _done(task: Task) -> bytes:
    return pickle.dumps(("done", task.call()), pickle.HIGHEST_PROTOCOL)


def limit_addresses(megabytes: float) -> None:
    """A wall behind the watch on a process's memory, for what grows too quickly to be seen in time.

    It bounds addresses, of which a process takes more than memory, so it stands further out.
    """
    import resource

    try:
        with open("/proc/self/statm", "rb") as told:
            now = int(told.read().split()[0]) * _PAGE
        most = now + int(_WALL * megabytes * 2**20)
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    except (OSError, ValueError):
        return


def die_with(parent: int) -> None:
    """Asks Linux to kill this process when its parent ends."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(70)
