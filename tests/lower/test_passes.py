"""`python -m compiler.passes` shows what lowering does to a script's pipelines."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from compiler.passes import main

SCRIPT = """
import halide as hl
x, y = hl.Var("x"), hl.Var("y")
f = hl.Func("steps")
f[x, y] = x + 2 * y
f.vectorize(x, 4)
f.compile_jit()
"""


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    # The tool makes `halide` mean this package, for the rest of the process.
    import sys

    for name in ("halide", "halide.imageio", "halide.halide_"):
        monkeypatch.setitem(sys.modules, name, sys.modules.get(name, sys))
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / "steps.py"
    path.write_text(SCRIPT, "utf-8")
    return str(path)


def test_a_pass_is_shown_by_its_name(script: str) -> None:
    done = CliRunner().invoke(main, [script, "--after", "vectorize"])
    assert done.exit_code == 0, done.output
    assert "after vectorize" in done.output and "after bind" not in done.output
    assert "ramp(" in done.output


def test_passes_are_timed(script: str) -> None:
    done = CliRunner().invoke(main, [script, "--time"])
    assert done.exit_code == 0, done.output
    assert all(line.endswith(" ms") for line in done.output.splitlines())


def test_an_unknown_pass_is_refused_with_the_known_ones(script: str) -> None:
    done = CliRunner().invoke(main, [script, "--after", "polish"])
    assert done.exit_code == 2
    assert "polish" in done.output and "vectorize" in done.output
