"""Whatever strikes a run: nothing finished is lost, nothing is wrong, the next run completes."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from .faults import FAULTS, Running, results, write_library

DISK_BYTES = 3 << 20


@dataclass(frozen=True)
class Undisturbed:
    """A run to which nothing happened: its exit status, each function's status, the files."""

    status: int
    verdicts: dict[str, str]
    files: dict[str, str]
    seconds: float
    """Faults strike within so many."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library") / "src"
    write_library(folder)
    return folder


@pytest.fixture(scope="module")
def undisturbed(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    began = time.monotonic()
    running = Running.start(library, out)
    status = running.wait()
    seconds = time.monotonic() - began
    verdicts = {name: verdict for name, (verdict, _) in running.told.items()}
    assert sorted(set(verdicts.values())) == ["failed", "proved"]
    return Undisturbed(status, verdicts, results(out), seconds)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few megabytes; where none can be mounted, an ordinary folder."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    yield folder
    if mounted:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def strike(
    fault: str,
    seed: int,
    library: Path,
    folder: Path,
    undisturbed: Undisturbed,
) -> None:
    """One run with a fault at a random moment, then one without."""
    rng = random.Random(f"{fault} {seed}")
    status, verdicts, files = undisturbed.status, undisturbed.verdicts, undisturbed.files
    out = folder / "out"
    running = Running.start(library, out)
    time.sleep(rng.uniform(0.05, undisturbed.seconds))
    FAULTS[fault](running, out, rng)
    ended = running.wait()
    if fault == "fill_the_disk" and ended != status:
        assert ended == 2, running.errors
        assert "the disk is full" in "".join(running.said) + running.errors
    assert "Traceback" not in "".join(running.said) + running.errors
    there = results(out)
    for name, digest in there.items():
        assert files[name] == digest, f"{name} is another than without the fault"
    for name, (verdict, _) in running.told.items():
        if verdict != verdicts[name]:
            assert fault == "kill_a_worker", f"{name} is {verdict}"
        elif verdict == "proved":
            assert any(folder.endswith(f"/{name}") for folder in there), f"{name} is lost"
    again = Running.start(library, out)
    assert again.wait() == status, again.errors
    assert {name: verdict for name, (verdict, _) in again.told.items()} == verdicts
    assert results(out) == files
    leftovers = [p.name for p in (out / ".lift-cache").iterdir()]
    assert not [n for n in leftovers if n.startswith("partial")], leftovers
    if fault != "corrupt_the_store":
        lifted_twice = [
            name
            for name, (verdict, spent) in again.told.items()
            if running.told.get(name, ("",))[0] == verdict == "proved" and spent != "earlier"
        ]
        assert not lifted_twice, "what had been told was done again"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_run_that_is_struck_loses_nothing(
    fault: str,
    library: Path,
    small_disk: Path,
    undisturbed: Undisturbed,
) -> None:
    if fault == "fill_the_disk" and not small_disk.is_mount():
        pytest.skip("no small file system can be mounted here")
    strike(fault, 0, library, small_disk, undisturbed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 11))
@pytest.mark.parametrize("fault", FAULTS)
def test_fifty_runs_that_are_struck_lose_nothing(
    fault: str,
    seed: int,
    library: Path,
    small_disk: Path,
    undisturbed: Undisturbed,
) -> None:
    if fault == "fill_the_disk" and not small_disk.is_mount():
        pytest.skip("no small file system can be mounted here")
    strike(fault, seed, library, small_disk, undisturbed)
