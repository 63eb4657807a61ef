"""Programs say `from lifter import hl`: they go on whatever the compiler's package is called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import compiler
from lifter.emit import emit, read_pipeline
from tests.emit import samples

ROOT = Path(__file__).parents[2]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    emit(samples.multiply(), tmp_path)
    return tmp_path / "pipeline.py"


def run(code: str, folder: Path, **environment: str) -> str:
    env = {**os.environ, "PYTHONPATH": f"{folder}:{ROOT}", **environment}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


SHOWN = "import pipeline; ins, outs = pipeline.MultiplyBlend8(); print(type(outs[0]).__module__)"


def test_a_program_runs_under_our_compiler_or_the_one_that_is_named(program: Path) -> None:
    assert "import compiler" not in program.read_text()
    assert run(SHOWN, program.parent).startswith("compiler.")
    assert run(SHOWN, program.parent, LIFT_HL="halide").startswith("halide")


def test_a_program_runs_when_the_compiler_is_found_under_another_name(program: Path) -> None:
    (program.parent / "moved.py").write_text(
        "import sys, compiler\nsys.modules['moved'] = compiler\n"
    )
    assert run(SHOWN, program.parent, LIFT_HL="moved").startswith("compiler.")


@pytest.mark.parametrize(
    "line", ["from lifter import hl", "import compiler as hl", "import halide as hl"]
)
def test_any_of_its_names_is_read(program: Path, line: str) -> None:
    text = program.read_text().replace("from lifter import hl", line)
    (out,) = read_pipeline(text, "MultiplyBlend8").outputs
    assert isinstance(out, compiler.Func)


@pytest.mark.parametrize(
    "line",
    ["from lifter import build as hl", "from lifter import hl, build", "from .lifter import hl",
     "from os import path as hl", "from lifter import *"],
)  # fmt: skip
def test_no_other_import_is(program: Path, line: str) -> None:
    text = program.read_text().replace("from lifter import hl", line)
    with pytest.raises(ValueError, match="nothing that lift writes"):
        read_pipeline(text, "MultiplyBlend8")
