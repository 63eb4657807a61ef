"""Plants a bug in a copy of the tree and says whether it is found there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from .plants import Plant

ROOT = Path(__file__).parents[2]
_NEEDED = ("lifter", "compiler", "tests", "corpus", "pyproject.toml")


def fits(plant: Plant) -> bool:
    """Whether the text to replace stands in the file, once."""
    return (ROOT / plant.file).read_text().count(plant.text) == 1


def is_found(plant: Plant) -> bool:
    """Whether the bug, planted, is found by what is meant to find it. The finder may also stop:
    only a run that says that all is well has missed the bug."""
    with TemporaryDirectory(prefix="lift_planted_") as folder:
        tree = Path(folder)
        for name in _NEEDED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, tree / name)
        path = tree / plant.file
        path.write_text(path.read_text().replace(plant.text, plant.planted))
        return _fails(plant, tree)


def _fails(plant: Plant, tree: Path) -> bool:
    command = (
        ["-m", "tests.planted.find", plant.cases]
        if plant.cases
        else ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", plant.test]
    )
    done = subprocess.run(
        [sys.executable, *command],
        cwd=tree,
        env={"PYTHONPATH": str(tree), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1) or "Error" in done.stderr:
        raise RuntimeError(f"{plant.name}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 1
