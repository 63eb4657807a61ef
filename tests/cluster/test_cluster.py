"""`lift --cluster`: the same batch on other machines, which may have another lift, or go."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from lifter.batch.store import records_of
from lifter.batch.workers import Task, TaskOutcome
from lifter.cluster.identity import differences, identity
from lifter.cluster.pool import ClusterPool
from lifter.model.diagnostic import LiftError

from .dask_cluster import ROOT, Cluster, cluster, descendants, lift, wait_until, worker_and_nursery

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="the package distributed isn't installed"
)

KERNEL = """\
void {name}(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{{
    for (int y = 0; y < rows; y++, dst += rowBytes, src += rowBytes)
        for (int x = 0; x < cols; x++)
            dst[x] = {value};
}}
"""
VALUES = {
    "invert": "255 - src[x]",
    "darker": "dst[x] < src[x] ? dst[x] : src[x]",
    "broken": "dst[src[x] & 3] ^ src[x]",
    "halve": "src[x] >> 1",
    "plus": "dst[x] + src[x]",
    "differ": "dst[x] ^ src[x]",
}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder with two files in `src`; one kernel of theirs can't be lifted."""
    (tmp_path / "src").mkdir()
    kernels = [KERNEL.format(name=name, value=value) for name, value in VALUES.items()]
    for number in range(2):
        text = "#include <stdint.h>\n" + "".join(kernels[number::2])
        (tmp_path / "src" / f"file{number}.cpp").write_text(text)
    return tmp_path


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler and two workers with a thread each."""
    with cluster(tmp_path_factory.mktemp("cluster")) as made:
        made.add_worker()
        made.add_worker()
        yield made


def outcomes(pool: ClusterPool) -> dict[str, TaskOutcome]:
    found = {}
    ends = time.monotonic() + 300
    while pool.busy and time.monotonic() < ends:
        found.update({outcome.task.label: outcome for outcome in pool.wait(0.2)})
    return found


def wait_for_width(pool: ClusterPool, width: int) -> None:
    """Waits until so many workers are known to fit."""
    ends = time.monotonic() + 300
    while pool.width < width:
        assert time.monotonic() < ends
        assert not list(pool.wait(0.1))


def files(folder: Path) -> dict[str, bytes]:
    """What a user finds in an output folder, without the times."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and ".lift-cache" not in path.parts:
            found[str(path.relative_to(folder))] = path.read_bytes()
            if path.name == "summary.json":
                told = json.loads(path.read_bytes())
                del told["seconds"]
                found[str(path.relative_to(folder))] = json.dumps(told).encode()
    return found


def report(out: str) -> list[dict[str, object]]:
    """The functions of a JSON report, without what differs from run to run."""
    told = json.loads(out)["functions"]
    for function in told:
        del function["seconds"]
    return sorted(told, key=lambda function: str(function["name"]))


def test_a_batch_on_a_cluster_gives_what_it_gives_here(two, sources):
    arguments = ("src", "--format", "json")
    here = lift(*arguments, "-o", "here", folder=sources)
    there = lift(*arguments, "-o", "there", "--cluster", two.address, folder=sources)
    out_here, _ = here.communicate(timeout=600)
    out_there, said = there.communicate(timeout=600)
    assert there.returncode == here.returncode == 1, said
    assert report(out_there) == report(out_here)
    assert {str(f["name"]) for f in report(out_here)} == VALUES.keys()
    assert files(sources / "there") == files(sources / "here") != {}


def test_a_function_that_crashes_hangs_or_raises_leaves_its_worker_alone(two):
    pool = ClusterPool(two.address, 1)
    pool.submit(Task("value", partial(pow, 2, 5)))
    pool.submit(Task("here", os.getpid, here=True))
    pool.submit(Task("dies", os.abort))
    pool.submit(Task("raises", partial(int, "seven")))
    pool.submit(Task("hangs", partial(time.sleep, 60), limit=0.5))
    pool.submit(Task("eats", partial(exec, "kept = b'.' * 10**9; input()"), memory=500, limit=20))
    pool.submit(Task("large", partial(bytes, 3_000_000)))
    pool.submit(Task("no data", lambda: 0))
    found = outcomes(pool)
    pool.stop()
    assert found["value"].value == 32
    assert found["here"].value not in [0, os.getpid()]
    assert found["dies"].text.splitlines()[0] == "the process was ended by SIGABRT"
    assert found["raises"].text.startswith("ValueError: invalid literal")
    assert (found["hangs"].kind, found["eats"].kind) == ("timeout", "memory")
    assert len(found["large"].value) == 3_000_000
    assert found["no data"].kind == "crash" and "can't be sent" in found["no data"].text
    assert all(worker.poll() is None for worker in two.workers)


def test_no_more_is_under_way_than_every_thread_needs(two):
    pool = ClusterPool(two.address, 1)
    for number in range(40):
        pool.submit(Task(str(number), partial(time.sleep, 0.02)))
    most = 0
    while pool.busy:
        for _ in pool.wait(0.2):
            most = max(most, len(pool.labels))
    pool.stop()
    assert 2 <= most <= 4


@pytest.mark.slow
def test_short_functions_go_together_and_still_end_one_by_one(two, monkeypatch):
    monkeypatch.setattr("lifter.cluster.pool._RATE", 0.1)
    pool = ClusterPool(two.address, 1)
    wait_for_width(pool, 2)
    assert pool.room == 2 * 2 * 20
    for number in range(30):
        pool.submit(Task(str(number), partial(pow, number, 2)))
        pool.submit(Task(f"dies {number}", os.abort))
    assert pool.room == 20
    found = outcomes(pool)
    pool.stop()
    assert [found[str(number)].value for number in range(30)] == [n * n for n in range(30)]
    assert {found[f"dies {number}"].kind for number in range(30)} == {"crash"}


def at_work(worker: subprocess.Popen[bytes]) -> bool:
    """Whether a function's process is below the worker's nursery."""
    return len(descendants(worker.pid)) > 1


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_ends_the_rest_there(two, sources):
    begun = lift("src", "--cluster", two.address, folder=sources)
    assert begun.stdout is not None
    first = begun.stdout.readline()
    begun.send_signal(signal.SIGINT)
    _, said = begun.communicate(timeout=600)
    assert begun.returncode == 130
    assert "stopped;" in said and "the next run goes on from here" in said
    assert first.split()[1] in {record.name for record in records_of(sources / "lifted")}
    wait_until(lambda: not any(at_work(worker) for worker in two.workers), 10)


@pytest.mark.slow
def test_a_killed_client_leaves_nothing_behind(two, tmp_path):
    program = (
        "from functools import partial; import time\n"
        "from lifter.cluster.pool import ClusterPool; from lifter.batch.workers import Task\n"
        f"pool = ClusterPool({two.address!r}, 1)\n"
        "for n in range(9): pool.submit(Task('sleeps', partial(time.sleep, 100)))\n"
        "while pool.busy: list(pool.wait(0.1))\n"
    )
    begun = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT)
    wait_until(lambda: all(at_work(worker) for worker in two.workers))
    begun.kill()
    begun.wait()
    wait_until(lambda: not any(at_work(worker) for worker in two.workers))


@pytest.mark.slow
def test_functions_of_a_killed_worker_are_done_by_another(two, tmp_path):
    third = two.add_worker()
    pool = ClusterPool(two.address, 1)
    wait_for_width(pool, 3)  # it loads its libraries before it is asked for any work
    pool.stop()
    names = [f"differ{number}" for number in range(60)]
    values = [f"dst[x] ^ (src[x] + {number})" for number in range(60)]
    kernels = [KERNEL.format(name=n, value=v) for n, v in zip(names, values, strict=True)]
    (tmp_path / "many.cpp").write_text("#include <stdint.h>\n" + "".join(kernels))
    begun = lift("many.cpp", "--cluster", two.address, "--format", "json", folder=tmp_path)
    wait_until(lambda: at_work(third))
    third.kill()
    out, said = begun.communicate(timeout=600)
    assert begun.returncode == 0, said
    assert {f["name"]: f["status"] for f in json.loads(out)["functions"]} == dict.fromkeys(
        names, "proved"
    )


KILL_THE_WORKER = """\
import os, signal
pid = os.getpid()
for _ in range(3):  # from the function's process to its keeper, the nursery, the worker
    pid = int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])
os.kill(pid, signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_function_that_kills_three_workers_is_given_up_and_the_others_are_done(tmp_path):
    with cluster(tmp_path) as made:
        made.add_worker(nanny=True)
        pool = ClusterPool(made.address, 1)
        pool.submit(Task("before", partial(pow, 2, 3)))
        pool.submit(Task("killer", partial(exec, KILL_THE_WORKER)))
        pool.submit(Task("after", partial(pow, 2, 4)))
        found = outcomes(pool)
        pool.stop()
    assert (found["before"].value, found["after"].value) == (8, 16)
    assert found["killer"].kind == "lost"
    assert "was lost" in found["killer"].text


@pytest.mark.slow
def test_each_function_ends_once_whatever_is_killed_and_whenever(tmp_path, monkeypatch):
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    alone, together = 100.0, 0.5
    monkeypatch.setattr("lifter.cluster.pool._RATE", chance.choice([alone, together]))
    with cluster(tmp_path) as made:
        for _ in range(2):
            made.add_worker(threads=2, nanny=True)
        pool = as_soon_as_it_fits(made.address)
        for number in range(300):
            pool.submit(Task(str(number), partial(time.sleep, 0.1)))
        ended: list[TaskOutcome] = []
        killed, next_kill = 0, time.monotonic() + 1
        while pool.busy:
            ended += pool.wait(0.1)
            if time.monotonic() > next_kill and killed < 6:
                next_kill = time.monotonic() + chance.uniform(1, 5)
                either = worker_and_nursery(chance.choice(made.workers).pid)
                for victim in either and [chance.choice(either)]:
                    os.kill(victim, signal.SIGKILL)
                    killed += 1
        pool.stop()
    assert killed
    assert sorted(int(outcome.task.label) for outcome in ended) == list(range(300))
    assert {outcome.kind for outcome in ended} == {"done"}


@pytest.mark.slow
def test_a_scheduler_that_ends_midway_ends_the_run_and_not_what_is_finished(sources):
    with cluster(sources) as made:
        made.add_worker()
        begun = lift("src", "--cluster", made.address, folder=sources)
        assert begun.stdout is not None
        first = begun.stdout.readline()
        made.scheduler.kill()
        out, _ = begun.communicate(timeout=600)
    assert begun.returncode == 2
    assert "error: --cluster: the scheduler is gone" in out
    assert first.split()[1] in {record.name for record in records_of(sources / "lifted")}


def another_lift(folder: Path) -> Path:
    """A copy of lift, changed."""
    shutil.copytree(ROOT / "lifter", folder / "lifter")
    for name in ("compiler", "pyproject.toml"):
        (folder / name).symlink_to(ROOT / name)
    with open(folder / "lifter" / "assumptions.py", "a", encoding="utf-8") as file:
        file.write("# changed\n")
    return folder


def as_soon_as_it_fits(address: str) -> ClusterPool:
    """A pool on a cluster whose first worker that fits is still starting."""
    ends = time.monotonic() + 300
    while True:
        try:
            return ClusterPool(address, 1)
        except LiftError:
            if time.monotonic() > ends:
                raise


@pytest.mark.slow
def test_a_worker_with_another_lift_or_none_gets_no_work(sources, tmp_path_factory):
    without = tmp_path_factory.mktemp("without")
    (without / "lifter").mkdir()
    # As where it isn't installed, though it may be, where these tests run.
    (without / "lifter" / "__init__.py").write_text("raise ModuleNotFoundError(__name__)\n")
    with cluster(tmp_path_factory.mktemp("others")) as made:
        made.add_worker(another_lift(tmp_path_factory.mktemp("other")))
        refused = lift("src", "--cluster", made.address, folder=sources)
        out, said = refused.communicate(timeout=600)
        assert (refused.returncode, out) == (2, "")
        assert "none of its workers has the lift that runs here [cluster-version]" in said
        assert "lift 0.1.0 with other files (" in said
        assert not (sources / "lifted").exists()
        good = made.add_worker()
        pool = as_soon_as_it_fits(made.address)
        made.add_worker(without)
        told: list[str] = []
        ends = time.monotonic() + 300
        while len(told) < 2 and time.monotonic() < ends:
            pool.submit(Task("parent", os.getppid))
            assert all(o.kind == "done" for o in pool.wait(0.1))
            told += [notice.message for notice in pool.notices()]
        pool.stop()
        assert len(told) == 2
        assert all("gets no work" in message for message in told)
        assert any("it has no lift, or an older one; here is 0.1.0" in message for message in told)
        assert good.poll() is None


def test_what_differs_between_two_machines_is_named_with_both_versions():
    ours = identity()
    theirs = {**ours, "python": "3.9", "z3-solver": "4.8.1.0", "tool": "0123456789abcdef"}
    python, solver = ours["python"], ours["z3-solver"]
    assert differences(theirs, ours) == (
        f"python 3.9 instead of {python}, z3-solver 4.8.1.0 instead of {solver}"
    )
    assert differences({**ours, "tool": "0123456789abcdef"}, ours).startswith("lift 0.1.0 with")
    assert differences(dict(ours), ours) == ""


def refusal(address: str) -> tuple[str, float]:
    began = time.monotonic()
    with pytest.raises(LiftError) as caught:
        ClusterPool(address, 1)
    diagnostic = caught.value.diagnostic
    return f"{diagnostic.message} [{diagnostic.code}]", time.monotonic() - began


def test_a_cluster_that_is_not_there_is_told_within_seconds(monkeypatch):
    monkeypatch.setattr("lifter.cluster.members._CONNECT", 0.5)
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        for address in ("127.0.0.1:9", "nowhere", f"127.0.0.1:{mute.getsockname()[1]}"):
            message, seconds = refusal(address)
            assert f"no Dask scheduler answers at {address} [cluster-unreachable]" in message
            assert seconds < 60


@pytest.mark.slow
def test_a_cluster_without_workers_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("lifter.cluster.members._APPEAR", 0.5)
    with cluster(tmp_path) as made:
        assert "the scheduler has no workers" in refusal(made.address)[0]


@pytest.mark.slow
def test_without_the_package_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    message, _ = refusal("127.0.0.1:9")
    assert "--cluster needs the package distributed" in message and "[missing-tool]" in message
