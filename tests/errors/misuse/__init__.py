"""Small programs that misuse the language, and processes that run them under either package.

A table is a text: `## title` or `## title; ours VERDICT: reason`, then the program. The verdict
`ours refuses`, `ours takes` or `ours differs` marks an intended difference from the real package;
`ours words` the same exception in words of another sense.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import resource
import signal
import tempfile
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from compiler.codegen.target import Effort

TIMEOUT = 20.0
"""Seconds of processor time for one program, compiling included."""

MEMORY = 6 << 30
"""Bytes that a process may ask for, so that a huge buffer is refused the same everywhere."""

FILE = "misuse.py"
"""What messages call the user's file."""


@dataclass(frozen=True)
class Misuse:
    """One program of a table."""

    table: str
    title: str
    verdict: str | None
    """Where ours is meant to do something else than the real package: `refuses`, `takes`, ..."""
    text: str


@dataclass(frozen=True)
class Ending:
    """How a program ended: with a value, with an exception, or with the process."""

    value: str | None = None
    error: str | None = None
    """The exception's type; `crash` or `timeout` of the process."""
    message: str = ""

    @property
    def is_fatal(self) -> bool:
        return self.error in ("crash", "timeout")


def programs() -> list[Misuse]:
    """All programs of all tables."""
    found = []
    for path in sorted(Path(__file__).parent.glob("*.txt")):
        for part in re.split(r"^## ", path.read_text(), flags=re.MULTILINE)[1:]:
            heading, _, text = part.partition("\n")
            title, _, verdict = heading.partition("; ours ")
            found.append(Misuse(path.stem, title, verdict.split(":")[0] or None, text))
    return found


def _names(hl: Any) -> dict[str, Any]:
    import numpy as np

    names: dict[str, Any] = {"hl": hl, "np": np, "where": os.getcwd(), "__name__": "misuse"}
    for name in ("x", "y", "c", "xo", "xi", "yo", "yi", "t"):
        names[name] = hl.Var(name)
    for name in "fgh":
        names[name] = hl.Func(name)
    names["r"] = hl.RDom([(0, 3)])
    return names


def run_here(package: str, text: str) -> Ending:
    """The program under `halide` or `compiler`, in this process; its value is what `out` is."""
    import importlib

    import numpy as np

    hl = importlib.import_module(package)
    names = _names(hl)
    try:
        exec(compile(text, FILE, "exec"), names)
        out = names.get("out")
        if type(out).__name__ == "Buffer":
            out = np.array(out)
        if isinstance(out, np.ndarray):
            return Ending(f"{out.dtype}{out.shape} {out.tolist()}")
        return Ending(repr(out))
    except BaseException as error:
        return Ending(error=type(error).__name__, message=str(error))


def _serve(package: str, channel: Connection, most: float) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.environ["HL_JIT_TARGET"] = "host-strict_float"
    os.environ["HL_NUM_THREADS"] = "2"
    Effort.passes = Effort.code = 0
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        while True:
            text = channel.recv()
            signal.setitimer(signal.ITIMER_PROF, most)  # its signal ends the process
            ending = run_here(package, text)
            signal.setitimer(signal.ITIMER_PROF, 0)
            channel.send(ending)


class Worker:
    """A process that runs programs under one package, started anew when one kills it."""

    def __init__(self, package: str) -> None:
        self.package = package
        self._process: Any = None
        self._channel: Any = None

    def run(self, text: str) -> Ending:
        """How `text` ends."""
        self.start(text)
        return self.ending()

    def start(self, text: str) -> None:
        """Begins to run `text`; `ending` waits for it."""
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self._channel, other = context.Pipe()
            self._process = context.Process(
                target=_serve, args=(self.package, other, TIMEOUT), daemon=True
            )
            self._process.start()
            other.close()
        self._channel.send(text)

    def ending(self) -> Ending:
        try:
            ending: Ending = self._channel.recv()
        except (EOFError, OSError):
            self._process.join()
            is_late = self._process.exitcode == -signal.SIGPROF
            return self._ended("timeout" if is_late else "crash")
        return ending

    def _ended(self, how: str) -> Ending:
        self.stop()
        return Ending(error=how)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
