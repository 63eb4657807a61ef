"""Faults at random moments: no finished result is lost, none is wrong, the next run completes."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lifter.batch.store import records_of
from tests.calling_lift import started

from .standing_in import PROVING, fills

ROOT = Path(__file__).parents[2]
FILES, EACH = 3, 5
BEFORE = (
    f"{PROVING}\nfrom lifter.batch import sealing\nsealing.tool_digest = lambda: 'nobody edits'\n"
)


@dataclass
class Library:
    """Sources of `FILES * EACH` kernels, and a small disk for their results."""

    folder: Path
    disk: Path

    @property
    def out(self) -> Path:
        return self.disk / "lifted"

    def start(self) -> subprocess.Popen[str]:
        """Lifts it all, in a process group of its own."""
        words = ("src", "-o", str(self.out), "-j", "2")
        return started(words, self.folder, BEFORE, new_session=True)

    def files(self) -> dict[str, str]:
        """The emitted files, without the times in them."""
        return {
            str(p.relative_to(self.out)): re.sub(r'"(seconds|seal)": \{[^}]*\}', "", p.read_text())
            for p in sorted(self.out.rglob("*"))
            if p.is_file() and ".lift-cache" not in p.parts
        }


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("library")
    (folder / "src").mkdir()
    for number in range(FILES):
        (folder / "src" / f"s{number}.cpp").write_text(fills(EACH, EACH * number))
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a small file system needs root")
    yield Library(folder, disk)
    subprocess.run(["umount", "-l", str(disk)], check=True)


def kill_everything(library: Library, run: subprocess.Popen[str], chance: random.Random) -> None:
    """A power cut, as processes see it."""
    for pid in [*workers(run.pid), run.pid]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def kill_a_worker(library: Library, run: subprocess.Popen[str], chance: random.Random) -> None:
    found = workers(run.pid)
    if found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(chance.choice(found), signal.SIGKILL)


def corrupt_the_store(library: Library, run: subprocess.Popen[str], chance: random.Random) -> None:
    for path in (library.out / ".lift-cache").glob("results.sqlite*"):
        size = path.stat().st_size
        if path.suffix != ".sqlite-shm" and size:
            with open(path, "r+b") as file:
                file.seek(chance.randrange(size))
                file.write(chance.randbytes(chance.choice((1, 100, 4096))))


def fill_the_disk(library: Library, run: subprocess.Popen[str], chance: random.Random) -> None:
    with contextlib.suppress(OSError), open(library.disk / "filling", "wb", 0) as file:
        while True:
            file.write(b"x" * 1024)


def interrupt(library: Library, run: subprocess.Popen[str], chance: random.Random) -> None:
    while run.poll() is None and not (library.out / ".lift-cache").exists():
        time.sleep(0.01)  # what we plant is loaded before `lift` is
    run.send_signal(chance.choice((signal.SIGINT, signal.SIGTERM)))


FAULTS: tuple[Callable[[Library, subprocess.Popen[str], random.Random], None], ...] = (
    kill_everything,
    kill_a_worker,
    corrupt_the_store,
    fill_the_disk,
    interrupt,
)


def workers(pid: int) -> list[int]:
    try:
        return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def told(out: str) -> set[str]:
    return set(re.findall(r"^proved +(f\d+) ", out, re.MULTILINE))


def complete(library: Library) -> tuple[str, dict[str, str]]:
    """A run without faults: what it said, and the files that stand afterwards."""
    run = library.start()
    out, err = run.communicate(timeout=600)
    assert run.returncode == 0, out + err
    assert f"{FILES * EACH} proved, 0 unproved, 0 failed, 0 skipped" in out
    assert not list((library.out / ".lift-cache").glob("partial-*"))
    return out, library.files()


@pytest.fixture(scope="module")
def right(library) -> dict[str, str]:
    """The files of a run that nothing happens to."""
    return complete(library)[1]


def faulty_round(library: Library, right: dict[str, str], seed: int) -> str:
    """One run with a fault at a random moment, and one without; the fault's name."""
    chance = random.Random(seed)
    fault = FAULTS[seed % len(FAULTS)]
    subprocess.run(["rm", "-rf", str(library.out)], check=True)
    run = library.start()
    marks = chance.randrange(0, FILES * EACH)
    assert run.stdout is not None
    said = ""
    while len(told(said)) < marks:
        line = run.stdout.readline()
        if not line:
            break
        said += line
    time.sleep(chance.uniform(0, 0.05))
    fault(library, run, chance)
    out, err = run.communicate(timeout=600)
    assert "Traceback" not in out + err, (fault.__name__, seed)
    (library.disk / "filling").unlink(missing_ok=True)
    finished = told(said + out)
    again, files = complete(library)
    assert files == right, (fault.__name__, seed)
    if "[cache-set-aside]" in again:  # rows that were noted before that may be gone with the file
        assert fault is corrupt_the_store, (fault.__name__, seed)
        again, files = complete(library)
        assert files == right, (fault.__name__, seed)
    records = records_of(library.out)
    assert [r.status for r in records] == ["proved"] * FILES * EACH, (fault.__name__, seed)
    if fault is not corrupt_the_store:  # what was told is found again
        earlier = set(re.findall(r"^proved +(f\d+) .* earlier$", again, re.MULTILINE))
        assert finished <= earlier, (fault.__name__, seed)
    return fault.__name__


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, pytest.param(0, marks=pytest.mark.slow)])
def test_no_fault_loses_a_result_or_makes_one_wrong(library, right, seed):
    assert faulty_round(library, right, seed) == FAULTS[seed % len(FAULTS)].__name__


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 150))
def test_fifty_faults(library, right, seed):
    faulty_round(library, right, seed)
