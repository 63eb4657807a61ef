"""Plants a bug in a copy of the tree and says whether it is found there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from .plants import Plant

ROOT = Path(__file__).parents[2]
_NEEDED = ("lifter", "compiler", "tests", "corpus", "examples", "docs", "pyproject.toml")
SECONDS = 300
"""What a finder may take, at most: one that never ends has found the bug too."""


def fits(plant: Plant) -> bool:
    """Whether the text to replace stands in the file, once."""
    return (ROOT / plant.file).read_text("utf-8").count(plant.text) == 1


@contextmanager
def copied_tree() -> Iterator[Path]:
    """A copy of the tree, for bugs to be planted in."""
    with TemporaryDirectory(prefix="lift_planted_") as folder:
        tree = Path(folder)
        for name in _NEEDED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, tree / name)
        yield tree


def is_found(plant: Plant, tree: Path) -> bool:
    """Whether the bug, planted in `tree`, is found by what is meant to find it; afterwards the tree
    is as it was. The finder may also stop: only a run that says that all is well has missed it."""
    path = tree / plant.file
    before = path.read_text("utf-8")
    path.write_text(before.replace(plant.text, plant.planted), "utf-8")
    try:
        return _fails(plant, tree)
    finally:
        path.write_text(before, "utf-8")


def _fails(plant: Plant, tree: Path) -> bool:
    command = (
        ["-m", "tests.planted.find", plant.cases]
        if plant.cases
        else ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", plant.test]
    )
    try:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tree,
            env={
                "PYTHONPATH": str(tree),
                "PYTHONDONTWRITEBYTECODE": "1",
                "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
                "HOME": str(tree),
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return True
    crashed = done.returncode < 0  # the process that ran the test is gone with it
    if not crashed and (done.returncode not in (0, 1) or "Error" in done.stderr):
        raise RuntimeError(f"{plant.name}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode != 0
