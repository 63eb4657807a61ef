"""`--cluster ADDRESS`: a pool whose functions are lifted by the workers of a Dask cluster.

It is what `workers.Pool` is to the driver. Files are parsed here, in local children, since the
sources are here; kernels cross as pickles, and records and texts come back, so workers need no disk
in common. Each function is sent to one worker by name, and only so many that every thread has one
at work and one next: neither the scheduler's memory nor ours grows with the library, a worker that
joins late is checked before it gets any, and it is known which functions a lost worker had.

Dask's client runs in an event loop that turns only inside of `wait`: there is no second thread, so
that forking children stays safe.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import pickle
import uuid
from collections import deque
from collections.abc import Coroutine, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..batch.workers import Pool, Task, TaskOutcome
from ..model.diagnostic import Diagnostic, LiftError
from .identity import differences, identity
from .members import Members, Worker, connect
from .nursery import call_pickled
from .worker import Reply, by_value

_AHEAD = 2
"""Functions that a thread of a worker has: one at work, one next."""
_RATE = 100.0
"""Loads a second that a scheduler is asked to handle; it takes 3 ms for each (docs/scaling.md)."""
_LARGEST = 64
"""Functions in one load, at most."""
_LOSSES = 3
"""Lost workers after which a function that was on each of them is given up."""
_CLOSE = 3.0
"""Seconds that a run takes at most to leave the cluster."""


@dataclass(eq=False, slots=True)
class _Errand:
    """One function; `losses` counts the workers that were lost while they had it."""

    task: Task
    losses: int = 0


@dataclass(eq=False, slots=True)
class _Load:
    """Errands that a worker was given together: one task of Dask's."""

    errands: list[_Errand]
    worker: Worker
    future: Any


class ClusterPool:
    """Tasks marked `here` run in at most `jobs` local children, all others on the cluster."""

    def __init__(self, address: str, jobs: int) -> None:
        """Connects, and finds a worker that fits. Raises `LiftError` when there is none."""
        self._here = Pool(jobs)
        self._waiting: deque[_Errand] = deque()
        self._again: list[_Errand] = []
        """What lost its worker; it goes before all that waits."""
        self._away: dict[_Load, None] = {}
        self._given = 0
        """Functions in all loads that are away."""
        self._seconds = 1.0
        """What a function took of late."""
        self._done: deque[TaskOutcome] = deque()
        self._chores: set[asyncio.Task[None]] = set()
        self._failure: LiftError | None = None
        self._ours = identity()
        self._client: Any = None
        self._members: Members
        self._news = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        try:
            self._loop.run_until_complete(self._open(address))
        except BaseException:
            self.stop()
            raise

    def submit(self, task: Task) -> None:
        """Adds a task to the end of the queue."""
        if task.here:
            self._here.submit(task)
        else:
            self._waiting.append(_Errand(task))

    def submit_first(self, task: Task) -> None:
        """Adds a task to the front of the queue."""
        if task.here:
            self._here.submit_first(task)
        else:
            self._waiting.appendleft(_Errand(task))

    @property
    def width(self) -> int:
        """How many functions are lifted at once."""
        return self._members.threads

    @property
    def room(self) -> int:
        """How many more functions there is room for on the cluster."""
        under_way = self._given + len(self._waiting) + len(self._again)
        return max(0, _AHEAD * self._members.threads * self._together - under_way)

    @property
    def room_here(self) -> int:
        """How many more local tasks there is room for."""
        return self._here.room

    @property
    def labels(self) -> list[str]:
        """What is on its way now, the oldest first; each thread's next functions count too."""
        away = (errand.task.label for load in self._away for errand in load.errands)
        return [*self._here.labels, *away]

    @property
    def busy(self) -> bool:
        away = self._waiting or self._again or self._away or self._done
        return bool(away) or self._here.busy

    def start(self) -> None:
        """Starts the local tasks that there is room for; the others leave within `wait`."""
        self._here.start()

    def wait(self, seconds: float) -> Iterator[TaskOutcome]:
        """Outcomes that arrive within `seconds`; none when nothing ends in that time.

        Raises `LiftError` when the cluster is gone, after the last outcome that came.
        """
        self.start()
        self._loop.run_until_complete(self._turn(seconds))
        yield from self._here.wait(0)
        while self._done:
            yield self._done.popleft()
        if self._failure:
            raise self._failure

    def notices(self) -> list[Diagnostic]:
        """What became known of the cluster's workers since the last call."""
        return self._members.notices()

    def stop(self) -> None:
        """Kills all that runs here, gives up all that waits or is away, and leaves the cluster.

        A worker ends a function's process as soon as it hears that nobody waits for it.
        """
        self._here.stop()
        self._waiting.clear()
        self._again.clear()
        if self._loop.is_running() or self._loop.is_closed():
            return  # in a signal's handler: the scheduler will see that we have gone
        with contextlib.suppress(Exception):  # a scheduler that has gone can't be left properly
            self._loop.run_until_complete(asyncio.wait_for(self._close(), _CLOSE))
        self._loop.close()

    async def _open(self, address: str) -> None:
        self._client = await connect(address)
        self._members = Members(self._client, self._ours, self._news.set, self._lose, self._fail)
        self._chore(self._members.watch())
        while not self._members.workers and not self._failure:
            self._news.clear()
            await self._news.wait()
        if self._failure:
            raise self._failure

    async def _close(self) -> None:
        for load in list(self._away):
            self._take_back(load)
        for chore in self._chores:
            chore.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)
        if self._client is not None:
            await self._members.close()
            await self._client.close()

    async def _turn(self, seconds: float) -> None:
        """Lets the cluster's messages in and ours out, until an outcome is there or time is up."""
        ends = self._loop.time() + seconds
        pipes, ready = self._here.pipes, asyncio.Event()
        for pipe in pipes:
            self._loop.add_reader(pipe, self._hear, ready)
        try:
            while True:
                self._news.clear()
                self._dispatch()
                left = ends - self._loop.time()
                if self._done or self._failure or ready.is_set() or left <= 0:
                    return
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), left)
        finally:
            for pipe in pipes:
                self._loop.remove_reader(pipe)

    def _hear(self, ready: asyncio.Event) -> None:
        ready.set()
        self._news.set()

    @property
    def _together(self) -> int:
        """How many functions make a load: more where there are many threads and short functions."""
        wanted = math.ceil(self._members.threads / (_RATE * self._seconds))
        return max(1, min(_LARGEST, wanted))

    def _dispatch(self) -> None:
        """Sends what there is room for: first what lost its worker, then what waits."""
        for errand in sorted(self._again, key=lambda e: -e.losses):
            worker = self._place(errand)
            if worker is not None:
                self._again.remove(errand)
                self._send([errand], worker)
        while self._waiting or self._even_out():
            worker = self._place(self._waiting[0])
            if worker is None:
                return
            # Fewer than a load wait only at the end of a run, when each is for another thread.
            count = self._together if len(self._waiting) >= self._together else 1
            self._send([self._waiting.popleft() for _ in range(count)], worker)

    def _place(self, errand: _Errand) -> Worker | None:
        """The least laden worker that may get `errand` now.

        A function that has lost a worker waits behind no other; one that has lost two is alone on a
        worker, which is emptied for it, so that the third loss is its own doing.
        """
        workers = [w for w in self._members.workers.values() if w.kept_for in (None, errand)]
        if not workers:
            return None
        alone = errand.losses == _LOSSES - 1
        worker = min(workers, key=lambda w: (w.kept_for is None, len(w.loads) / w.threads))
        if alone:
            worker.kept_for = errand
        room = 1 if alone else worker.threads * (1 if errand.losses else _AHEAD)
        return worker if len(worker.loads) < room else None

    def _even_out(self) -> bool:
        """At the end of a run, lets a load that no thread has begun wait again, for threads that
        have none; whether there was one."""
        workers = [w for w in self._members.workers.values() if w.kept_for is None]
        if self._again or not any(len(w.loads) < w.threads for w in workers):
            return False
        fullest = max(workers, key=lambda w: len(w.loads) - w.threads)
        if len(fullest.loads) <= fullest.threads:
            return False
        self._put_back(next(reversed(fullest.loads)))
        return True

    def _send(self, errands: list[_Errand], worker: Worker) -> None:
        requests, sent = [], []
        for errand in errands:
            try:
                requests.append(_request(errand.task))
                sent.append(errand)
            except Exception as error:  # what isn't data, or is too deep, can't cross
                text = f"it can't be sent to a worker: {type(error).__name__}: {error}"
                self._done.append(TaskOutcome(errand.task, "crash", text=text))
        if not sent:
            return
        future = self._client.submit(
            by_value(), requests, self._ours["tool"],
            key=f"lift-{uuid.uuid4().hex}", workers=[worker.address], pure=False,
        )  # fmt: skip
        load = _Load(sent, worker, future)
        worker.loads[load] = self._away[load] = None
        self._given += len(sent)
        self._chore(self._follow(load))

    async def _follow(self, load: _Load) -> None:
        """Waits for a load; what comes of one that was taken back is nobody's."""
        reply: Reply
        try:
            reply = pickle.loads(await load.future)
        except CancelledError:
            self._put_back(load)  # Dask's client has lost its scheduler, and found it again
        except Exception as error:  # the worker was killed, its connection broke, ...
            self._count_loss(load, f"{type(error).__name__}: {error}")
        else:
            if load not in self._away:
                return
            if reply[0] == "other":
                self._members.refuse(load.worker, differences(reply[1], self._ours))
                for one in reversed([*load.worker.loads]):
                    self._put_back(one)
            else:
                self._take_back(load)
                for errand, answer in zip(load.errands, reply[1], strict=True):
                    self._take_in(errand, answer)
        self._news.set()

    def _take_in(self, errand: _Errand, answer: bytes | str) -> None:
        if isinstance(answer, str):
            self._redo(errand, answer)
            return
        kind, value, text, seconds = pickle.loads(answer)
        self._seconds += (max(seconds, 0.001) - self._seconds) / 20
        self._done.append(TaskOutcome(errand.task, kind, value, text, seconds))

    def _lose(self, worker: Worker) -> None:
        for load in list(worker.loads):
            self._count_loss(load, f"worker {worker.address} was lost")
        self._news.set()

    def _count_loss(self, load: _Load, why: str) -> None:
        if self._take_back(load):
            for errand in load.errands:
                self._redo(errand, why)

    def _redo(self, errand: _Errand, why: str) -> None:
        errand.losses += 1
        if errand.losses < _LOSSES:
            self._again.append(errand)
        else:
            self._done.append(TaskOutcome(errand.task, "lost", text=why))

    def _put_back(self, load: _Load) -> None:
        if self._take_back(load):
            self._waiting.extendleft(reversed(load.errands))

    def _take_back(self, load: _Load) -> bool:
        """Forgets a load, if it wasn't yet; the scheduler drops it when it is still there."""
        if load not in self._away:
            return False
        del self._away[load], load.worker.loads[load]
        self._given -= len(load.errands)
        if load.worker.kept_for in load.errands:
            load.worker.kept_for = None
        load.future.release()
        return True

    def _fail(self, error: LiftError) -> None:
        self._failure = error
        self._news.set()

    def _chore(self, work: Coroutine[Any, Any, None]) -> None:
        chore = self._loop.create_task(work)
        self._chores.add(chore)
        chore.add_done_callback(self._chores.discard)


def _request(task: Task) -> bytes:
    """A task as a keeper takes it: what it calls is unpickled in the function's own process."""
    call = partial(call_pickled, pickle.dumps(task.call, pickle.HIGHEST_PROTOCOL))
    return pickle.dumps(replace(task, call=call, tag=None), pickle.HIGHEST_PROTOCOL)
