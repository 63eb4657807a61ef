"""`lift explain` and `lift report` look at results, and change nothing of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.nursery import NURSERY

ROOT = Path(__file__).parents[2]
SOURCE = """\
#include "sizes.h"
void first(unsigned char *d, int n) { for (int i = 0; i < n; i++) d[i] = LEVEL; }
void second(unsigned char *d, int n, int k) { for (int i = 0; i < n; i++) d[i] = d[i + k]; }
"""


def lift(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    return subprocess.CompletedProcess(words, *NURSERY.lift(words, folder, env))


@pytest.fixture(scope="module")
def lifted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lifted")
    (folder / "include").mkdir()
    (folder / "include" / "sizes.h").write_text("#define LEVEL 7\n")
    (folder / "k.cpp").write_text(SOURCE)
    lift(folder, "k.cpp", "-I", "include")
    return folder


@pytest.fixture
def project(lifted: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(lifted, tmp_path / "project"))


def state(folder: Path) -> dict[str, bytes | None]:
    return {
        str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None
        for p in folder.rglob("*")
        if "__pycache__" not in p.parts
    }


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(
    ("function", "change"),
    [("second", "nothing"), ("first", "the source"), ("first", "only what is committed")],
)
def test_explaining_writes_nothing(project: Path, function: str, change: str) -> None:
    if change == "the source":
        (project / "k.cpp").write_text(SOURCE.replace("LEVEL;", "LEVEL + 1;"))
    if change == "only what is committed":
        for path in sorted((project / "lifted" / ".lift-cache").iterdir()):
            path.unlink()
        (project / "lifted" / ".lift-cache").rmdir()
    before = state(project)
    done = lift(project, "explain", f"k.cpp:{function}")
    assert done.returncode == 0, done.stderr
    assert function in done.stdout and "missing" not in done.stdout  # read with -I include
    listed = lift(project, "explain", "k.cpp")
    assert listed.returncode == 0 and "first" in listed.stdout
    assert state(project) == before


def test_explaining_what_was_never_lifted_makes_no_folder(project: Path) -> None:
    before = state(project)
    done = lift(project, "explain", "k.cpp:first", "-o", "other")
    assert done.returncode in (0, 2) and state(project) == before


@pytest.mark.slow
def test_a_folder_that_nobody_may_write_to_is_explained_and_reported(project: Path) -> None:
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("setpriv, and who may use it, are missing")
    with tempfile.TemporaryDirectory() as place:
        held = Path(shutil.copytree(project, Path(place) / "project"))
        for path in (held.parent, held, *held.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = state(held)
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable]
        env = {"PYTHONPATH": str(ROOT), "HOME": "/nowhere", "PYTHONDONTWRITEBYTECODE": "1"}

        def stranger(*words: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [*command, "-m", "lifter", *words],
                cwd=held, capture_output=True, text=True, check=False, env=env,
            )  # fmt: skip

        told = stranger("explain", "k.cpp:first")
        assert told.returncode == 0 and "proved" in told.stdout, told.stderr
        refused = stranger("report", "lifted")
        assert refused.returncode == 2 and "Traceback" not in refused.stderr + refused.stdout
        assert "name another file with -o FILE" in refused.stderr + refused.stdout
        assert state(held) == before
        with tempfile.TemporaryDirectory() as elsewhere:
            Path(elsewhere).chmod(0o777)
            done = stranger("report", "lifted", "-o", f"{elsewhere}/page.html")
            assert done.returncode == 0 and Path(elsewhere, "page.html").is_file(), done.stderr
        for path in (held.parent, held, *held.rglob("*")):
            path.chmod(0o755)
