"""The driver's end of a worker process: requests with a time limit, crashes told in words."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

WORKER = Path(__file__).with_name("pipelines_worker.py")

# The C library keeps freed memory instead of giving it back: Halide's own allocator asks it for
# each intermediate anew, and otherwise spends much of a call in page faults.
POOLED = "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=4294967295"


@dataclass(frozen=True)
class Kind:
    """A way to run: an engine, its allocator, and how it computes with floats."""

    name: str
    engine: str
    pooled: bool = False
    target: str = ""
    """What HL_JIT_TARGET says, which both engines obey; empty: this machine."""

    def environment(self, threads: int) -> dict[str, str]:
        counts = {"HL_NUM_THREADS": str(threads), "LIFT_NUM_THREADS": str(threads)}
        inherited = {k: v for k, v in os.environ.items() if k != "GLIBC_TUNABLES"}
        pooled = {"GLIBC_TUNABLES": POOLED} if self.pooled else {}
        target = {"HL_JIT_TARGET": self.target} if self.target else {}
        return inherited | counts | pooled | target


OURS = Kind("ours", "ours")
CONTRACTING = Kind("ours", "ours", target="host-contract_floats")


def halide_kinds(strict: bool) -> tuple[Kind, Kind]:
    """Halide with the allocator as it is, and with one that keeps what is freed."""
    target = "host-strict_float" if strict else ""
    return (
        Kind("Halide", "halide", target=target),
        Kind("Halide, pooled", "halide", pooled=True, target=target),
    )


class Failure(Exception):
    """What an engine answered instead of a result."""


class Process:
    """A worker; started when first asked, and again after it crashed or ran out of time."""

    def __init__(self, kind: Kind, threads: int, limit: float) -> None:
        self.kind, self.threads, self.limit = kind, threads, limit
        self.process: subprocess.Popen[bytes] | None = None
        self.log: IO[bytes]

    def __enter__(self) -> Process:
        self.log = tempfile.TemporaryFile()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.stop()
        self.log.close()

    def ask(self, **request: Any) -> Mapping[str, Any]:
        """The worker's answer; raises `Failure` for an error, a crash or too long a time."""
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, str(WORKER), self.kind.engine],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log,
                env=self.kind.environment(self.threads),
            )
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        try:
            stdin.write(json.dumps(request).encode() + b"\n")
            stdin.flush()
        except BrokenPipeError:
            raise Failure(self.epitaph()) from None
        if not select.select([stdout], [], [], self.limit)[0]:
            self.stop()
            raise Failure(f"no answer in {self.limit:g} s")
        line = stdout.readline()
        if not line:
            raise Failure(self.epitaph())
        answer: Mapping[str, Any] = json.loads(line)
        if "error" in answer:
            raise Failure(answer["error"])
        return answer

    def epitaph(self) -> str:
        """How the worker ended, and the last that it said."""
        assert self.process is not None
        status = self.process.wait()
        self.stop()
        self.log.seek(0)
        said = self.log.read().decode(errors="replace").strip().splitlines()[-1:]
        how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        return ": ".join(["the process ended with " + how, *said])

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            with suppress(BrokenPipeError):  # what it was to be told is lost with it
                self.process.communicate()
            self.process = None
