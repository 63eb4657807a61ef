"""`python -m compiler.as_halide script.py`: scripts for the real package run unmodified."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
import halide as hl
from halide import Func, Var
import halide.imageio
import beside

x, y = hl.vars("x y")
f = Func("f")
f[x, y] = hl.cast(hl.UInt(8), x + y * beside.step)
print(sys.argv[1:], __name__, f.realize([3, 2])[2, 1], sys.argv[0] == __file__)
if "wrong" in sys.argv:
    f[x, y, x] = 3
if "leave" in sys.argv:
    sys.exit(7)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "beside.py").write_text("import halide\nstep = 10\nassert halide.UInt(8)\n")
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, timeout=600, check=False
    )


def ours(script: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run("-m", "compiler.as_halide", str(script), *words)


@pytest.mark.slow
def test_a_script_prints_what_it_prints_with_halide(script: Path) -> None:
    made, theirs = ours(script, "a", "-b"), run(str(script), "a", "-b")
    assert made.returncode == theirs.returncode == 0, made.stderr
    assert made.stdout == theirs.stdout == "['a', '-b'] __main__ 12 True\n"


@pytest.mark.slow
def test_a_mistake_shows_the_scripts_own_lines(script: Path) -> None:
    made = ours(script, "wrong")
    assert made.returncode == 1
    assert f'File "{script}", line 13' in made.stderr
    assert "HalideError" in made.stderr
    assert "as_halide" not in made.stderr and "runpy" not in made.stderr


@pytest.mark.slow
def test_the_scripts_exit_status_is_kept(script: Path) -> None:
    assert ours(script, "leave").returncode == 7


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("words", "status"), [([], 2), (["no_such_file.py"], 2), (["-h"], 0)])
def test_without_a_script_it_says_how_to_use_it(words: list[str], status: int) -> None:
    made = run("-m", "compiler.as_halide", *words)
    assert made.returncode == status
    assert "usage" in made.stderr or "no file" in made.stderr
