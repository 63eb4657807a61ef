"""Running `lift` as a person does, in this process or in one of its own."""

from __future__ import annotations

import atexit
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from lifter.command_line import run

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Ran:
    """What a run of `lift` left: its exit status and what it said."""

    status: int
    out: str
    err: str

    def has(self, status: str, function: str, place: str) -> bool:
        """Whether the report has this function's line."""
        wanted = rf"^{status} +{function} +{re.escape(place)}( |$)"
        return re.search(wanted, self.out, re.MULTILINE) is not None

    @property
    def said(self) -> str:
        return self.out + self.err


@pytest.fixture
def lift(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Runs `lift ARGUMENTS` in an empty folder, in this process."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Ran:
        capfd.readouterr()
        status = run(list(arguments))
        said = capfd.readouterr()
        return Ran(status, said.out, said.err)

    return call


@pytest.fixture
def start_lift(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts `lift ARGUMENTS` in an empty folder, in a process of its own.

    `before` is Python that runs first in that process, to plant a fault.
    """

    def start(*arguments: str, before: str = "") -> subprocess.Popen[str]:
        return started(arguments, tmp_path, before)

    return start


def started(
    arguments: Sequence[str], folder: Path, before: str, *, new_session: bool = False
) -> subprocess.Popen[str]:
    """`lift ARGUMENTS` in a fork of this process, which has loaded what it needs."""
    return subprocess.Popen(
        ["lift"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=new_session,
        preexec_fn=lambda: _become_lift(arguments, before),
    )


def _become_lift(arguments: Sequence[str], before: str) -> NoReturn:
    """What runs in the new process in the place of another program."""
    status = 1
    try:
        # Among them is the one on which our parent waits for that program to begin.
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        sys.stdout, sys.stderr = (os.fdopen(n, "w", 1, closefd=False) for n in (1, 2))
        atexit._clear()
        exec(before, {"__name__": "before"})
        status = run(list(arguments))
        atexit._run_exitfuncs()
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc(file=sys.stderr)
    finally:
        os._exit(status)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., object]], None]:
    """Puts a function in the place of `lift_kernel`, to see what the driver makes of it."""

    def plant(lift_kernel: Callable[..., object]) -> None:
        from lifter.lift import lift_function

        monkeypatch.setattr(lift_function, "lift_kernel", lift_kernel)

    return plant
