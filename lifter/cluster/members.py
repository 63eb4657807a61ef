"""The workers of a cluster: which there are, which fit, and which have gone."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..model.diagnostic import Diagnostic, LiftError
from .identity import Identity, differences
from .worker import identity_there

_CONNECT = 5.0
"""Seconds in which a scheduler must answer."""
_CHECK = 120.0
"""Seconds in which a worker must say what it is: it loads its libraries for it."""
_APPEAR = 15.0
"""Seconds for which a run without any worker waits for one."""
_SILENT = 60.0
"""Seconds for which a scheduler may be too busy to answer, while its connection stands."""
_LOOK = 1.0
"""Seconds between two looks at which workers there are."""
_START = "start one with `dask scheduler` and `dask worker ADDRESS`, and name its ADDRESS"
_LATER = "what was finished is kept: run the same command again when the cluster is back"


@dataclass(eq=False, slots=True)
class Worker:
    """A worker that fits; `loads` are what it was given, the oldest first.

    It is emptied for the function in `kept_for`, and takes no other meanwhile.
    """

    address: str
    threads: int
    loads: dict[Any, None] = field(default_factory=dict)
    kept_for: Any = None


async def connect(address: str) -> Any:
    """A Dask client in the running event loop. Raises `LiftError`."""
    try:
        import distributed
        from distributed.versions import VersionMismatchWarning
    except ImportError as error:
        raise LiftError(
            Diagnostic(
                "missing-tool",
                "error",
                f"--cluster needs the package distributed: {error}",
                help="python -m pip install 'kernel-lift[cluster]'",
            )
        ) from error
    # What goes wrong is said in our own diagnostics; lift's versions are checked, not Dask's.
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", category=VersionMismatchWarning)
    client: Any = None
    try:
        client = distributed.Client(
            address, asynchronous=True, timeout=_CONNECT, set_as_default=False, name="lift"
        )
        return await asyncio.wait_for(client, 2 * _CONNECT)
    except Exception as error:  # whatever listens there, it is no scheduler that we can talk to
        if client is not None:
            with contextlib.suppress(Exception):
                await client.close()
        raise unreachable(f"no Dask scheduler answers at {address}", error) from error


def unreachable(message: str, error: BaseException | None = None, help: str = _START) -> LiftError:
    """The error of a cluster with which no work can be done."""
    said = str(error or "").strip()
    return LiftError(
        Diagnostic(
            "cluster-unreachable",
            "error",
            f"--cluster: {message}",
            notes=(said,) if said else (),
            help=help,
        )
    )


class Members:
    """Keeps `workers` as the scheduler has them, all of them checked.

    `changed` is called when there are more, `lost` with each that has gone, `failed` when none is
    left or the scheduler is gone.
    """

    def __init__(
        self,
        client: Any,
        ours: Identity,
        changed: Callable[[], None],
        lost: Callable[[Worker], None],
        failed: Callable[[LiftError], None],
    ) -> None:
        self.workers: dict[str, Worker] = {}
        self._client = client
        self._ours = ours
        self._changed, self._lost, self._failed = changed, lost, failed
        self._checks: dict[str, asyncio.Task[None]] = {}
        self._refused: dict[str, str] = {}
        self._notices: list[Diagnostic] = []

    @property
    def threads(self) -> int:
        return sum(worker.threads for worker in self.workers.values())

    def notices(self) -> list[Diagnostic]:
        """The workers that were refused since the last call."""
        notices, self._notices = self._notices, []
        return notices

    async def watch(self) -> None:
        """Looks again and again, until it is cancelled or the cluster has failed."""
        heard = peopled = time.monotonic()
        while True:
            try:
                self._see(await asyncio.wait_for(self._client.nthreads(), _CONNECT))
                heard = time.monotonic()
            except Exception as error:  # a scheduler may end in the middle of anything
                if self._client.status == "closed" or time.monotonic() - heard > _SILENT:
                    self._failed(unreachable("the scheduler is gone", error, _LATER))
                    return
            if self.workers:
                peopled = time.monotonic()
            elif not self._checks and (self._refused or time.monotonic() - peopled > _APPEAR):
                self._failed(self._nobody())
                return
            await asyncio.sleep(_LOOK if self.workers else _LOOK / 10)

    def refuse(self, worker: Worker, why: str) -> None:
        """Gives a worker up that turned out not to fit after all."""
        if self.workers.pop(worker.address, None):
            self._note(worker.address, why)

    async def close(self) -> None:
        checks = list(self._checks.values())
        for check in checks:
            check.cancel()
        await asyncio.gather(*checks, return_exceptions=True)

    def _see(self, threads: dict[str, int]) -> None:
        for address in self.workers.keys() - threads.keys():
            self._lost(self.workers.pop(address))
        for address in self._refused.keys() - threads.keys():
            del self._refused[address]  # what comes back there may be another
        for address in threads.keys() - self.workers.keys() - self._refused.keys():
            if address not in self._checks:
                check = self._check(address, max(1, threads[address]))
                self._checks[address] = asyncio.ensure_future(check)

    async def _check(self, address: str, threads: int) -> None:
        try:
            asked = self._client.run(identity_there, workers=[address], on_error="return")
            with contextlib.suppress(OSError):  # it went while we asked: the next look tells
                why = self._why_not((await asyncio.wait_for(asked, _CHECK)).get(address))
                if why:
                    self._note(address, why)
                else:
                    self.workers[address] = Worker(address, threads)
                    self._changed()
        except TimeoutError:
            self._note(address, f"it didn't say within {_CHECK:g} s which lift it has")
        finally:
            del self._checks[address]

    def _why_not(self, answer: Identity | Exception | None) -> str:
        if isinstance(answer, dict) and "error" not in answer:
            return differences(answer, self._ours)
        if isinstance(answer, dict):
            return answer["error"]
        if "ModuleNotFoundError" in repr(answer):  # Dask passes on no more than its text
            return f"it has no lift, or an older one; here is {self._ours['lift']} ({answer})"
        return f"it can't run lift {self._ours['lift']}: {type(answer).__name__}: {answer}"

    def _note(self, address: str, why: str) -> None:
        self._refused[address] = why
        self._notices.append(
            Diagnostic(
                "cluster-version",
                "warning",
                f"--cluster: worker {address} gets no work: {why}",
                help="install the same lift there and start the worker again",
            )
        )

    def _nobody(self) -> LiftError:
        if not self._refused:
            start = f"start some with `dask worker {self._client.scheduler.address}`"
            return unreachable("the scheduler has no workers", help=start)
        told = [f"worker {address}: {why}" for address, why in self._refused.items()]
        return LiftError(
            Diagnostic(
                "cluster-version",
                "error",
                "--cluster: none of its workers has the lift that runs here",
                notes=("\n".join(told),),
                help="install the same lift there and start the workers again",
            )
        )
