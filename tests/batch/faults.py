"""A small library, and the faults that may strike a run that lifts it.

Each fault takes a running `lift` and does its harm; what a run has said to be finished before must
be there afterwards, and the next run must end as if nothing had happened.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_TOLD = re.compile(r"^(proved|unproved|failed|skipped) +(\S+) .* (earlier|[\d.]+ s)$")
_BODIES = (
    "for (int i = 0; i < n; i++) dst[i] = src[i] ^ {k};",
    "while (n-- > 0) *dst++ = (uint8_t)((*src++ * {k}) >> 8);",
    "for (int i = n - 1; i >= 0; i--) dst[i] = src[i] > {k} ? src[i] : {k};",
    "for (int i = 0; i < n; i++) {{ int v = src[i] + {k}; dst[i] = v > 255 ? 255 : v; }}",
    "for (int i = 0; i < n; i++) dst[i] = helper(src[i]) + {k};",
)
FILES = 4


def write_library(folder: Path) -> int:
    """Writes `FILES` sources; the number of functions. One in five can't be lifted."""
    folder.mkdir()
    for number in range(FILES):
        lines = ["#include <cstdint>", "int helper(int v);"]
        for index, body in enumerate(_BODIES):
            text = body.format(k=7 + 16 * number + index)
            name = f"kernel_{number}_{index}"
            lines.append(f"void {name}(uint8_t *dst, const uint8_t *src, int n) {{ {text} }}")
        (folder / f"part{number}.cpp").write_text("\n".join(lines) + "\n")
    return FILES * len(_BODIES)


@dataclass
class Running:
    """A `lift` at work in a process group of its own, and what it has said so far."""

    process: subprocess.Popen[str]
    told: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By function: its status, and its seconds or `earlier`."""
    said: list[str] = field(default_factory=list)
    """All lines of its output."""
    errors: str = ""

    @classmethod
    def start(cls, sources: Path, out: Path) -> Running:
        command = [sys.executable, "-m", "lifter", str(sources), "-o", str(out), "-j", "2"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=environment,
        )
        running = cls(process)
        running._readers = [
            threading.Thread(target=running._listen, daemon=True),
            threading.Thread(target=running._hear_errors, daemon=True),
        ]
        for reader in running._readers:
            reader.start()
        return running

    _readers: list[threading.Thread] = field(default_factory=list)

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            found = _TOLD.match(line.rstrip())
            if found:
                self.told[found[2]] = (found[1], found[3])

    def _hear_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors = self.process.stderr.read()

    def wait(self) -> int:
        """The exit status, when everything that it said was heard."""
        status = self.process.wait(timeout=600)
        for reader in self._readers:
            reader.join(timeout=600)
        return status

    def children(self) -> list[int]:
        """The processes that it has started and that still run."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        try:
            return list(map(int, path.read_text().split()))
        except OSError:
            return []


Fault = Callable[[Running, Path, random.Random], None]


def kill_a_worker(running: Running, out: Path, rng: random.Random) -> None:
    """One process of the pool dies."""
    children = running.children()
    if children:
        _kill(rng.choice(children), rng.choice((signal.SIGKILL, signal.SIGSEGV)))


def cut_the_power(running: Running, out: Path, rng: random.Random) -> None:
    """The run and all that it has started end at once, and nobody cleans up."""
    children = running.children()
    _kill(running.process.pid, signal.SIGKILL)
    for child in children:
        _kill(child, signal.SIGKILL)


def interrupt(running: Running, out: Path, rng: random.Random) -> None:
    """Ctrl-C."""
    _kill(running.process.pid, signal.SIGINT)


def corrupt_the_store(running: Running, out: Path, rng: random.Random) -> None:
    """Bytes of the store change under the run's hands, then the power goes."""
    files = sorted((out / ".lift-cache").glob("results.sqlite*"))
    if files:
        _spoil(rng.choice(files), rng)
    time.sleep(rng.uniform(0, 0.3))
    cut_the_power(running, out, rng)


def fill_the_disk(running: Running, out: Path, rng: random.Random) -> None:
    """Not a byte is left on the file system of `out`, for as long as the run goes on."""
    with open(out.parent / "filler", "wb", buffering=0) as filler:
        size = 1 << 20
        while size:
            try:
                filler.write(b"x" * size)
            except OSError:
                size //= 2
    running.wait()
    (out.parent / "filler").unlink()


FAULTS: Mapping[str, Fault] = {
    f.__name__: f
    for f in (kill_a_worker, cut_the_power, interrupt, corrupt_the_store, fill_the_disk)
}


def _kill(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def _spoil(path: Path, rng: random.Random) -> None:
    content = bytearray(path.read_bytes())
    way = rng.randrange(3)
    if way == 0 or not content:
        content = bytearray(rng.randbytes(5000))
    elif way == 1:
        content = content[: rng.randrange(len(content))]
    else:
        for _ in range(30):
            content[rng.randrange(len(content))] = rng.randrange(256)
    path.write_bytes(content)


def results(out: Path) -> dict[str, str]:
    """For each function's folder below `out` a digest of its files, but for the seconds in them."""
    found = {}
    for summary in sorted(out.rglob("summary.json")):
        folder, state = summary.parent, hashlib.sha256()
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            content = path.read_bytes()
            if path == summary:
                told = json.loads(content)
                content = json.dumps({k: v for k, v in told.items() if k != "seconds"}).encode()
            state.update(f"{path.relative_to(folder)}\0".encode() + content)
        found[str(folder.relative_to(out))] = state.hexdigest()
    return found
