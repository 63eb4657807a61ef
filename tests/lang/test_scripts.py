"""`examples/halide_scripts/`, written for the real package, do under ours what they do there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPTS = Path(__file__).parents[2] / "examples" / "halide_scripts"
WORDS = {
    "equalize": ["in.png", "out.png"],
    "brighten_ahead": ["."],
    "sharpen_generator": [
        "-g",
        "sharpen",
        "-o",
        ".",
        "-e",
        "o,h",
        "target=host-no_runtime",
        "radius=2",
    ],
}
"""What scripts are called with, those that want anything."""
ALONE = [
    path.stem
    for path in sorted(SCRIPTS.glob("*.py"), key=lambda path: path.stat().st_size)
    if path.stem not in WORDS
]
"""The shortest first."""


def run(name: str, folder: Path, *before: str) -> str:
    """What the script prints, run in `folder`."""
    command = [sys.executable, *before, str(SCRIPTS / f"{name}.py"), *WORDS.get(name, ())]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    # The overall region of a stage that is not an output is Halide's alone to know.
    return re.sub(r"Tag .*func_type_and_dim.*\n", "", done.stdout)


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A folder for the real package's run, one for ours."""
    made = tmp_path / "theirs", tmp_path / "ours"
    for folder in made:
        folder.mkdir()
    return made


def run_both(name: str, folders: tuple[Path, Path]) -> tuple[str, str]:
    theirs, ours = folders
    return run(name, theirs), run(name, ours, "-m", "compiler.as_halide")


@pytest.fixture(autouse=True)
def package_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(SCRIPTS.parents[1]))


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("name", ALONE)
def test_a_script_prints_the_same(name: str, folders: tuple[Path, Path]) -> None:
    theirs, ours = run_both(name, folders)
    assert ours == theirs
    assert ours


@pytest.mark.slow
def test_pictures_go_from_file_to_file(folders: tuple[Path, Path]) -> None:
    imageio = pytest.importorskip("imageio.v3", reason="imageio reads and writes the pictures")
    levels = np.random.default_rng(0).normal(110, 18, (48, 64)).clip(0, 255).astype(np.uint8)
    for folder in folders:
        imageio.imwrite(folder / "in.png", levels)
    theirs, ours = run_both("equalize", folders)
    assert ours == theirs
    pictures = [imageio.imread(folder / "out.png") for folder in folders]
    np.testing.assert_array_equal(*pictures)
    assert (pictures[0] != levels).any()


@pytest.mark.slow
@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("script", "function"), [("brighten_ahead", "brighten"), ("sharpen_generator", "sharpen")]
)
def test_objects_come_with_a_header_that_declares_the_same(
    script: str, function: str, folders: tuple[Path, Path]
) -> None:
    theirs, ours = run_both(script, folders)
    assert ours == theirs
    files = [sorted(path.name for path in folder.iterdir()) for folder in folders]
    assert files[1] == files[0] == [f"{function}.h", f"{function}.o"]
    declared = [prototype((folder / f"{function}.h").read_text(), function) for folder in folders]
    assert declared[1] == declared[0]
    assert "halide_buffer_t" in declared[0]


def prototype(header: str, function: str) -> str:
    """The parameters of the function in C, on one line."""
    found = re.search(rf"\bint {function}\(([^)]*)\)", header)
    assert found, header
    return re.sub(r"\s+", " ", found[1])
