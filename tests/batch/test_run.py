"""A run over many functions: limits, other runs beside it, full disks, kills, changing sources."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lifter.batch.result_folder import ScratchFolder
from lifter.batch.store import records_of

from .standing_in import PROVING, acting, fills

ROOT = Path(__file__).parents[2]


def lifted_by(folder: Path) -> list[str]:
    """The functions that were tried, in order."""
    log = folder / "lifted-by"
    return log.read_text().split()[::2] if log.exists() else []


def finished(run: subprocess.Popen[str], seconds: float = 600) -> tuple[int, str, str]:
    out, err = run.communicate(timeout=seconds)
    return run.returncode, out, err


def wait_for(path: Path, text: str) -> None:
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        if path.exists() and text in path.read_text():
            return
        time.sleep(0.02)
    raise AssertionError(f"{path} never had {text}")


GREEDY = {
    "slowly": "kept = []\nwhile kernel.name == 'f1':\n    kept.append(bytearray(b'x') * 2**23)\n"
    "    time.sleep(0.01)",
    "at once": "if kernel.name == 'f1':\n    kept = bytearray(b'x') * 2**34",
}


@pytest.mark.slow
@pytest.mark.parametrize("way", GREEDY)
def test_a_function_that_takes_too_much_memory_fails_alone(start_lift, tmp_path, way):
    (tmp_path / "a.cpp").write_text(fills(3))
    run = start_lift("a.cpp", "-j", "2", "--memory", "1000", before=acting(GREEDY[way]))
    status, out, _ = finished(run)
    assert status == 1
    assert "error: f1: lifting it took more than 1000 MB of memory [memory]" in out
    assert "0 proved, 2 unproved, 1 failed, 0 skipped" in out
    (failed,) = (r for r in records_of(tmp_path / "lifted") if r.status == "failed")
    assert failed.name == "f1"


@pytest.mark.slow
def test_more_memory_tries_again_what_had_too_little(start_lift, tmp_path):
    (tmp_path / "a.cpp").write_text(fills(2))
    greedy = acting(
        "kept = bytearray(b'x') * (2**28 if kernel.name == 'f1' else 1)\ntime.sleep(0.6)"
    )
    for memory, expected in (("300", 2), ("250", 0), ("600", 2)):
        (tmp_path / "lifted-by").unlink(missing_ok=True)
        finished(start_lift("a.cpp", "--memory", memory, before=greedy))
        assert len(lifted_by(tmp_path)) == expected


@pytest.mark.slow
def test_the_functions_with_most_work_go_first(start_lift, tmp_path):
    long = "void long_one(unsigned char *d, int n) { for (int i = 0; i < n; i++) d[i] = "
    long += " + ".join(f"d[i] * {i}" for i in range(9)) + "; }\n"
    (tmp_path / "a.cpp").write_text(fills(12) + long)
    finished(start_lift("a.cpp", "-j", "1", before=acting("pass")))
    assert lifted_by(tmp_path) == ["long_one", *(f"f{i}" for i in range(12))]


@pytest.mark.slow
def test_files_are_read_only_a_little_ahead_of_the_lifting(start_lift, tmp_path):
    """Neither the memory of a run nor its start grows with the library."""
    for number in range(12):
        (tmp_path / f"s{number:02}.cpp").write_text(fills(6, 6 * number))
    before = acting("pass") + (
        "import lifter.batch.driver as driver\n"
        "most = 0\n"
        "class Watched(driver.Agenda):\n"
        "    def add(self, task, size):\n"
        "        global most\n"
        "        super().add(task, size)\n"
        "        most = max(most, len(self._functions))\n"
        "driver.Agenda = Watched\n"
        "import atexit; atexit.register(lambda: print('most', most))\n"
    )
    _, out, _ = finished(start_lift(".", "-j", "2", before=before))
    assert "72 unproved" in out
    most = int(re.search(r"most (\d+)", out)[1])  # type: ignore[index]
    assert 6 <= most <= 2 * 16 + 6


def test_functions_that_mean_the_same_are_lifted_once(start_lift, tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "y").mkdir()
    (tmp_path / "x" / "one.cpp").write_text("\n\n" + fills(1))
    (tmp_path / "y" / "two.cpp").write_text(fills(1))
    run = start_lift("x", "y", "-j", "2", "--format", "json", before=acting("time.sleep(0.5)"))
    _, out, _ = finished(run)
    assert [(f["file"], f["line"]) for f in json.loads(out)["functions"]] == [
        ("x/one.cpp", 3),
        ("y/two.cpp", 1),
    ]
    assert lifted_by(tmp_path) == ["f0"]


@pytest.mark.slow
def test_two_runs_at_once_on_one_output_folder_both_end_right(start_lift, tmp_path):
    (tmp_path / "a.cpp").write_text(fills(5))
    (tmp_path / "b.cpp").write_text(fills(5, 5))
    runs = [
        start_lift("a.cpp", "b.cpp", "-j", "1", before=PROVING),
        start_lift("b.cpp", "a.cpp", "-j", "1", before=PROVING),
    ]
    for run in runs:
        status, out, err = finished(run)
        assert (status, err) == (0, "") or "lifting: " in err
        assert "10 proved, 0 unproved, 0 failed" in out
        assert "aside" not in out
    records = records_of(tmp_path / "lifted")
    assert len(records) == 10
    for record in records:
        folder = tmp_path / "lifted" / str(record.folder)
        assert {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()} == set(
            record.files
        )
    assert sorted(p.name for p in (tmp_path / "lifted").iterdir()) == [".lift-cache", "a", "b"]
    assert not list((tmp_path / "lifted" / ".lift-cache").glob("partial-*"))
    _, out, _ = finished(start_lift("a.cpp", "b.cpp", before=PROVING))
    assert out.count("earlier") == 10


@pytest.mark.slow
def test_a_source_that_changes_while_it_is_lifted_is_said(start_lift, tmp_path):
    (tmp_path / "a.cpp").write_text(fills(2))
    changing = acting("if kernel.name == 'f1':\n    open('a.cpp', 'a').write('// saved again')")
    status, out, _ = finished(start_lift("a.cpp", "-j", "1", before=changing))
    assert status == 3
    assert out.count("[source-changed]") == 1
    assert "the results are of the text that was read" in out
    touched = acting("os.utime('a.cpp')")
    assert "[source-changed]" not in finished(start_lift("a.cpp", before=touched))[1]


def test_what_a_killed_run_left_is_removed_while_its_workers_still_end(tmp_path):
    left, other = os.pipe()
    begun, begins = os.pipe()
    run = os.fork()
    if run == 0:
        kept = ScratchFolder(tmp_path)
        if os.fork() == 0:  # a worker, which lives until we let it end
            os.write(begins, b".")
            os.close(other)
            os.read(left, 1)
        os._exit(not kept)
    os.close(left)
    os.waitpid(run, 0)
    os.read(begun, 1)
    scratch = ScratchFolder(tmp_path)
    assert list(scratch.folder.parent.glob("partial-*")) == [scratch.folder]
    scratch.close()
    os.close(other)


def test_kill_9_loses_nothing_that_is_finished(start_lift, tmp_path):
    (tmp_path / "a.cpp").write_text(fills(6))
    slow = PROVING + (
        "import time, lifter.batch.driver as driver\n"
        "lift_prepared = driver.lift_prepared\n"
        "def slow(prepared, *rest):\n"
        "    kernel = prepared.kernel\n"
        "    open('lifted-by', 'a').write(kernel.name + ' 0\\n')\n"
        "    if kernel.name == 'f4':\n"
        "        time.sleep(60)\n"
        "    return lift_prepared(prepared, *rest)\n"
        "driver.lift_prepared = slow\n"
    )
    run = start_lift("a.cpp", "-j", "1", before=slow)
    assert run.stdout is not None
    # What was told is kept; that the next function has begun says nothing of the one before.
    next(line for line in run.stdout if line.startswith("proved    f3"))
    wait_for(tmp_path / "lifted-by", "f4")
    run.kill()
    finished(run)
    assert sorted(p.name for p in (tmp_path / "lifted" / "a").iterdir()) == ["f0", "f1", "f2", "f3"]
    assert len(records_of(tmp_path / "lifted")) == 4
    (tmp_path / "lifted-by").unlink()
    status, out, _ = finished(start_lift("a.cpp", before=slow.replace("sleep(60)", "sleep(0)")))
    assert status == 0
    assert sorted(lifted_by(tmp_path)) == ["f4", "f5"]
    assert out.count("earlier") == 4
    assert not list((tmp_path / "lifted" / ".lift-cache").glob("partial-*"))


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 300 kB; a function that makes it larger."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a small file system needs root")

    def grow() -> None:
        again = ["mount", "-o", "remount,size=64m", str(folder)]
        subprocess.run(again, check=True)

    yield folder, grow
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.parametrize("form", ["text", pytest.param("json", marks=pytest.mark.slow)])
def test_a_full_disk_is_one_error_and_the_next_run_goes_on(start_lift, tmp_path, small_disk, form):
    folder, grow = small_disk
    (tmp_path / "a.cpp").write_text(fills(16))
    arguments = ("a.cpp", "-o", str(folder / "lifted"), "-j", "2", "--format", form)
    status, out, err = finished(start_lift(*arguments, before=PROVING))
    assert status == 2
    assert "Traceback" not in out + err
    assert len(re.findall(r"\[disk-full\]|\"disk-full\"", out + err)) == 1
    done = len(re.findall(r"^proved |\"status\": \"proved\"", out, re.MULTILINE))
    assert 2 <= done < 16
    grow()
    status, out, err = finished(start_lift(*arguments[:-1], "text", before=PROVING))
    assert (status, "16 proved" in out) == (0, True)
    assert out.count("earlier") >= done
    for record in records_of(folder / "lifted"):
        for file in record.files:
            assert (folder / "lifted" / str(record.folder) / file).stat().st_size > 0


def test_a_disk_that_is_full_from_the_start_is_an_error_before_any_work(start_lift, small_disk):
    folder, _ = small_disk
    (folder / "a.cpp").write_text(fills(2))
    with pytest.raises(OSError, match="No space"), open(folder / "filling", "wb", 0) as file:
        while True:
            file.write(b"x" * 4096)
    status, out, err = finished(
        start_lift(str(folder / "a.cpp"), "-o", str(folder / "lifted"), before=PROVING)
    )
    assert status == 2
    assert "[disk-full]" in out + err
    assert "Traceback" not in out + err


def on_a_terminal(arguments: list[str], before: str, folder: Path) -> str:
    """What `lift` writes on stderr when that is a terminal."""
    ours, theirs = pty.openpty()
    program = f"{before}\nfrom lifter.command_line import main\nmain()\n"
    run = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "160"},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    said = b""
    while True:
        try:
            said += os.read(ours, 4096)
        except OSError:
            break
    os.close(ours)
    run.wait(timeout=600)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", said.decode())


@pytest.mark.slow
def test_a_terminal_shows_what_is_done_proved_failed_in_work_and_left(tmp_path):
    (tmp_path / "a.cpp").write_text(fills(6))
    slow = acting("time.sleep(0.4)\nif kernel.name == 'f0':\n    raise ValueError")
    slow += "import lifter.show.progress; lifter.show.progress._GUESSING = 0.2\n"
    said = on_a_terminal(["a.cpp", "-j", "1"], slow, tmp_path)
    assert re.search(r"lifting .* 4/6 .*3 unproved, 1 failed; \d+ s left; f4", said)


def test_elsewhere_progress_is_plain_lines(start_lift, tmp_path):
    (tmp_path / "a.cpp").write_text(fills(4))
    slow = acting("time.sleep(0.4)")
    slow += "import lifter.show.progress; lifter.show.progress._PLAIN_SECONDS = 0.3\n"
    _, _, err = finished(start_lift("a.cpp", "-j", "1", before=slow))
    *_, last = err.splitlines()
    assert re.fullmatch(
        r"lifting: [23] of 4 done \([23] unproved\); (\d+ s left; )?at work: f\d(, f\d)?", last
    )


def test_a_second_ctrl_c_ends_it_at_once(start_lift, tmp_path):
    (tmp_path / "a.cpp").write_text(fills(2))
    run = start_lift("a.cpp", "-j", "1", before=acting("time.sleep(600)"))
    wait_for(tmp_path / "lifted-by", "f0")
    run.send_signal(signal.SIGTERM)
    assert finished(run, 300)[0] == 128 + signal.SIGTERM
