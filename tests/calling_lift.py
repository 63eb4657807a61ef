"""Running `lift` as a person does, in this process or in one of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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
        program = f"{before}\nfrom lifter.command_line import main\nmain()\n"
        return subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., object]], None]:
    """Puts a function in the place of `lift_kernel`, to see what the driver makes of it."""

    def plant(lift_kernel: Callable[..., object]) -> None:
        from lifter.lift import lift_function

        monkeypatch.setattr(lift_function, "lift_kernel", lift_kernel)

    return plant
