"""One process a function: a time-out, a crash or a Ctrl-C costs that function and nothing else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from lifter.batch.workers import Pool, Task, TaskOutcome
from lifter.model.diagnostic import Diagnostic
from lifter.model.lifted import FunctionResult

FILLS = "".join(
    f"void {name}(unsigned char *d, int n) {{ for (int i = 0; i < n; i++) d[i] = 7; }}\n"
    for name in ("first", "second", "third", "fourth")
)


def _unproved(kernel, options):
    """A stand-in for lifting: the driver's own behaviour doesn't depend on what lifting finds."""
    why = Diagnostic("undecided", "error", "an obligation is undecided", kernel.span)
    return FunctionResult(
        kernel.name, kernel.span, kernel.signature, "unproved", why, kernel, seconds={"total": 0.5}
    )


def _outcomes(tasks: list[Task], jobs: int = 2) -> dict[str, TaskOutcome]:
    pool = Pool(jobs)
    for task in tasks:
        pool.submit(task)
    found = {}
    while pool.busy:
        found.update({o.task.label: o for o in pool.wait(0.2)})
    return found


def test_a_pool_gives_back_values_crashes_and_timeouts():
    found = _outcomes(
        [
            Task("value", lambda: 6 * 7),
            Task("raises", lambda: 1 // 0),
            Task("dies", os.abort),
            Task("exits", lambda: os._exit(3)),
            Task("hangs", lambda: time.sleep(60), limit=0.3),
        ]
    )
    assert (found["value"].kind, found["value"].value) == ("done", 42)
    assert found["raises"].kind == "crash"
    assert found["raises"].text.startswith(
        "ZeroDivisionError: integer division or modulo by zero\n"
    )
    assert "in <lambda>" in found["raises"].text
    assert found["dies"].text.splitlines()[0] == "the process was ended by SIGABRT"
    assert found["exits"].text == "the process ended with status 3"
    assert found["hangs"].kind == "timeout"


def test_a_pool_gives_back_a_result_larger_than_a_pipe():
    assert len(_outcomes([Task("big", lambda: b"x" * 5_000_000)])["big"].value) == 5_000_000


def test_a_result_that_cannot_cross_is_a_crash_with_its_reason():
    assert "pickle" in _outcomes([Task("lambda", lambda: lambda: 0)])["lambda"].text


def test_a_pool_runs_no_more_than_its_jobs_at_once(tmp_path):
    def work() -> int:
        mark = tmp_path / str(os.getpid())
        mark.touch()
        time.sleep(0.15)
        at_once = len(list(tmp_path.iterdir()))
        mark.unlink()
        return at_once

    found = _outcomes([Task(str(i), work) for i in range(6)], jobs=2)
    assert max(o.value for o in found.values()) == 2


def test_what_a_child_prints_does_not_reach_the_report(lift, tmp_path, planted):
    (tmp_path / "a.cpp").write_text(FILLS)

    def noisy(kernel, options):
        os.write(1, b"noise on stdout")
        return _unproved(kernel, options)

    planted(noisy)
    ran = lift("a.cpp", "--format", "json")
    assert json.loads(ran.out)["totals"]["unproved"] == 4
    assert "noise" not in ran.said


def test_a_function_beyond_its_time_is_ended_and_the_others_are_lifted(lift, tmp_path, planted):
    (tmp_path / "a.cpp").write_text(FILLS)

    def slow(kernel, options):
        if kernel.name == "second":
            time.sleep(60)
        return _unproved(kernel, options)

    planted(slow)
    ran = lift("a.cpp", "--timeout", "0.5")
    assert ran.status == 1
    assert "a.cpp:2:1: error: second: lifting it took longer than 0.5 s [timeout]" in ran.out
    assert "--timeout SECONDS" in ran.out
    assert "0 proved, 3 unproved, 1 failed, 0 skipped" in ran.out


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (os.abort, "the process was ended by SIGABRT"),
        (lambda: 1 // 0, "ZeroDivisionError: integer division or modulo by zero"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "ended by SIGKILL (out of memory?)"),
    ],
)
def test_a_crash_is_an_internal_failure_of_one_function(lift, tmp_path, planted, fault, message):
    (tmp_path / "a.cpp").write_text(FILLS)

    def crash(kernel, options):
        if kernel.name == "third":
            fault()
        return _unproved(kernel, options)

    planted(crash)
    ran = lift("a.cpp")
    assert ran.status == 1
    assert "a.cpp:3:1: error: third: lifting it ended in an error of lift's own" in ran.out
    assert message in ran.out
    assert "[internal]" in ran.out
    assert "3 unproved, 1 failed" in ran.out


def test_undecided_functions_alone_end_with_3(lift, tmp_path, planted):
    (tmp_path / "a.cpp").write_text(FILLS)
    planted(_unproved)
    assert lift("a.cpp").status == 3


SLOW_THIRD = """
import os, time
import lifter.batch.store
import lifter.lift.lift_function as room
lifter.batch.store.tool_digest = lambda: "nobody edits lift between two runs of one test"
from lifter.model.diagnostic import Diagnostic
from lifter.model.lifted import FunctionResult

def lift_kernel(kernel, options):
    with open("lifted-by", "a") as log:
        log.write(f"{kernel.name} {os.getpid()}\\n")
    if kernel.name == "third":
        time.sleep(60)
    why = Diagnostic("undecided", "error", "an obligation is undecided", kernel.span)
    return FunctionResult(kernel.name, kernel.span, kernel.signature, "unproved", why, kernel)

room.lift_kernel = lift_kernel
"""


def _wait_for(path: Path, text: str) -> list[str]:
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        if path.exists() and text in path.read_text():
            return path.read_text().split()
        time.sleep(0.05)
    raise AssertionError(f"{path} never had {text}")


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("form", ["text", "json"])
def test_ctrl_c_keeps_what_is_finished_and_the_next_run_goes_on(start_lift, tmp_path, form):
    (tmp_path / "a.cpp").write_text(FILLS)
    run = start_lift("a.cpp", "-j", "1", "--format", form, before=SLOW_THIRD)
    log = _wait_for(tmp_path / "lifted-by", "third")
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=45)
    assert run.returncode == 130
    assert "lift: stopped; 2 done and kept, 2 not done: the next run goes on from here" in err
    assert "Traceback" not in out + err
    if form == "json":
        assert json.loads(out)["interrupted"] is True
        assert [f["name"] for f in json.loads(out)["functions"]] == ["first", "second"]
    assert not any(_alive(int(pid)) for pid in log[1::2])
    assert not list((tmp_path / "lifted").rglob("*partial*"))

    (tmp_path / "lifted-by").unlink()
    again = start_lift("a.cpp", "-j", "1", before=SLOW_THIRD.replace("sleep(60)", "sleep(0)"))
    out, _ = again.communicate(timeout=600)
    assert again.returncode == 3
    assert "4 unproved" in out
    assert (tmp_path / "lifted-by").read_text().split()[::2] == ["third", "fourth"]


def test_no_process_outlives_a_run_that_is_killed(start_lift, tmp_path):
    (tmp_path / "a.cpp").write_text(FILLS)
    run = start_lift("a.cpp", "-j", "1", before=SLOW_THIRD)
    log = _wait_for(tmp_path / "lifted-by", "third")
    run.kill()
    run.communicate(timeout=45)
    deadline = time.monotonic() + 30
    while any(_alive(int(pid)) for pid in log[1::2]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(_alive(int(pid)) for pid in log[1::2])


@pytest.mark.slow
def test_a_changed_source_is_lifted_again_and_an_equal_one_is_not(start_lift, tmp_path):
    fast = SLOW_THIRD.replace("sleep(60)", "sleep(0)")

    def lifted() -> list[str]:
        log = tmp_path / "lifted-by"
        log.unlink(missing_ok=True)
        start_lift("a.cpp", "-j", "1", before=fast).communicate(timeout=600)
        return log.read_text().split()[::2] if log.exists() else []

    (tmp_path / "a.cpp").write_text(FILLS)
    assert lifted() == ["first", "second", "third", "fourth"]
    assert lifted() == []
    (tmp_path / "a.cpp").write_text(
        FILLS.replace("d[i] = 7; }\nvoid fourth", "d[i] = 8; }\nvoid fourth")
    )
    assert lifted() == ["third"]


@pytest.mark.slow
def test_more_time_tries_an_undecided_function_again(start_lift, tmp_path):
    (tmp_path / "a.cpp").write_text(FILLS)
    fast = SLOW_THIRD.replace("sleep(60)", "sleep(0)")
    for timeout, expected in (("20", 4), ("10", 0), ("30", 4)):
        (tmp_path / "lifted-by").write_text("")
        start_lift("a.cpp", "--timeout", timeout, before=fast).communicate(timeout=600)
        assert len((tmp_path / "lifted-by").read_text().splitlines()) == expected


def test_a_closed_pipe_ends_the_run_without_a_traceback(start_lift, tmp_path):
    (tmp_path / "a.cpp").write_text(FILLS)
    run = start_lift("a.cpp", before=SLOW_THIRD.replace("sleep(60)", "sleep(1)"))
    assert run.stdout is not None
    run.stdout.close()
    run.stdout = subprocess.DEVNULL  # type: ignore[assignment]
    _, err = run.wait(timeout=600), run.stderr.read()
    assert "Traceback" not in err
