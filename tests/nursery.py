"""`lift ARGUMENTS` in a process of its own that needn't load anything: a fork of one that has.

`python -m tests.nursery` reads requests, a line of JSON each, and answers with exit statuses.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from compiler.codegen.target import Effort
from lifter.build.build import load_compiler

ROOT = Path(__file__).parents[1]


_LOADED = (
    "lifter.build.whole_library",
    "lifter.commands.build",
    "lifter.commands.cc",
    "lifter.commands.explain",
    "lifter.commands.lift",
    "lifter.commands.verify",
    "lifter.lift",
    "lifter.switch.replace",
)


class Nursery:
    """The process that forks; started with the first call, ended with this one."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def lift(
        self, arguments: Sequence[str], folder: Path | None, env: Mapping[str, str]
    ) -> tuple[int, str, str]:
        """The exit status, and what it said on both streams."""
        with (
            tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogateescape") as out,
            tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogateescape") as err,
            self._lock,
        ):
            request = {
                "arguments": list(arguments),
                "folder": str(folder or Path.cwd()),
                "env": dict(env),
                "streams": [f"/proc/{os.getpid()}/fd/{stream.fileno()}" for stream in (out, err)],
                "effort": [Effort.passes, Effort.code],
            }
            status = self._answer(json.dumps(request))
            return status, _all(out), _all(err)

    def _answer(self, request: str) -> int:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.nursery"],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            atexit.register(self._process.communicate)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(request + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


NURSERY = Nursery()


def _all(stream: IO[str]) -> str:
    stream.seek(0)
    return stream.read()


def _run(request: Mapping[str, Any]) -> None:
    """In the child: becomes the process that was asked for, and ends."""
    from lifter.command_line import main

    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["env"])
    Effort.passes, Effort.code = request["effort"]
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    for number, path in enumerate(request["streams"], 1):
        with open(path, "r+b", buffering=0) as stream:
            os.dup2(stream.fileno(), number)
    sys.argv = ["lift", *request["arguments"]]
    status = 1
    try:
        main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def serve() -> None:
    """Answers until nobody asks any more."""
    for module in _LOADED:
        importlib.import_module(module)
    load_compiler()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _run(json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    serve()
