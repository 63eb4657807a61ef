"""Runs `lift`, compilers and what they make, as a user would: in processes, on real files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from lifter.batch.sealing import seal_digest, text_digest
from tests.nursery import NURSERY

ROOT = Path(__file__).parents[2]
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


def run(
    command: Sequence[str | Path], cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Done:
    """Runs a command to its end; `env` is added to the environment, without LIFT_ variables."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=environment() | dict(env or {}),
        capture_output=True,
        text=True,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def environment() -> dict[str, str]:
    """This process's, without LIFT_ variables."""
    own = {k: v for k, v in os.environ.items() if not k.startswith("LIFT_")}
    return own | {"PYTHONPATH": str(ROOT)}


def lift(*arguments: str | Path, cwd: Path) -> Done:
    return Done(*NURSERY.lift(list(map(str, arguments)), cwd, environment()))


def resealed(folder: Path) -> None:
    """Makes an edited function's folder one that its seal vouches for, as nobody should."""
    summary = folder / "summary.json"
    data = json.loads(summary.read_text())
    data["files"]["pipeline.py"] = text_digest((folder / "pipeline.py").read_text())
    data["seal"]["digest"] = seal_digest(data)
    summary.write_text(json.dumps(data))


def compiled(program: str, folder: Path, *more: str | Path, compiler: str = "g++") -> Path:
    """The program from its text; warnings are errors. Compilers that aren't there skip the test."""
    need(compiler.split()[0])
    is_c = "gcc" in compiler or compiler.split()[0] == "clang"
    source = folder / ("program.c" if is_c else "program.cpp")
    source.write_text(program)
    made = folder / "program"
    done = run(
        [*compiler.split(), *WARNINGS, source, *more, "-o", made, "-lpthread", "-lm"], folder
    )
    assert done.status == 0, done.err
    return made


def need(tool: str) -> None:
    """Skips the test where a tool isn't on the machine."""
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not on this machine")
