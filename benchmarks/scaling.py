"""What lifting a very large library costs: where the time goes, and what gives way first.

    python benchmarks/scaling.py                     all of it: some minutes
    python benchmarks/scaling.py runs                the corpus here, and on a cluster on loopback
    python benchmarks/scaling.py parts               what a function costs outside of its lifting
    python benchmarks/scaling.py growth --functions 50000    does the store, does a folder slow down
    python benchmarks/scaling.py scheduler           what Dask's scheduler takes for each load

Prints CPU time, which a machine that has other work to do changes little; wall time where it says
so. docs/scaling.md holds the figures and what follows from them.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import pickle
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
SOURCES = ("corpus/blend", "corpus/filter")
ONE, FUNCTION = "corpus/filter/basic.cpp", "RemapPlane"
MODEL, GRAMMAR = "corpus/models/hash.cpp", "examples/dissolve.grammar"
OPTIONS = ("--model", MODEL, "--grammar", GRAMMAR, "--format", "json")
LIMITS = (300.0, 4096.0)
STEPS = ("roi", "terminals", "expression", "verify")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help="runs, parts, growth, scheduler (default: all)")
    parser.add_argument("--functions", type=int, default=20_000, help="of `growth`")
    chosen = parser.parse_args()
    wanted = chosen.parts or ["runs", "parts", "growth", "scheduler"]
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "lifted"
        if {"runs", "parts", "growth"} & set(wanted):
            measure_run("here", out)
        if "runs" in wanted:
            measure_cluster(Path(scratch))
        if "parts" in wanted:
            measure_parts(out)
        if "growth" in wanted:
            measure_growth(out, Path(scratch) / "grown", chosen.functions)
        if "scheduler" in wanted:
            measure_scheduler(Path(scratch))


def row(what: str, value: float, unit: str, note: str = "") -> None:
    print(f"  {what:52} {value:12,.2f} {unit:10} {note}".rstrip(), flush=True)


def run_of(*arguments: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The functions of a run of `lift`, and the CPU seconds of its processes."""
    command = [sys.executable, __file__, "inside", *arguments, *OPTIONS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)["functions"], json.loads(done.stderr.splitlines()[-1])


def measure_run(name: str, out: Path, *more: str) -> None:
    """Runs of `lift` with nothing cached: over the corpus, and over one function, for the start."""
    one, start = run_of(ONE, "--function", FUNCTION, "-o", f"{out}-one", *more)
    began = time.monotonic()
    told, used = run_of(*SOURCES, "-o", str(out), *more)
    wall = time.monotonic() - began
    lifted = [f for f in told if f["seconds"]["total"]]
    print(
        f"\nthe corpus, {name}: {len(told)} functions, of which {len(lifted)} were lifted or tried"
    )
    row("wall", wall, "s")
    row("lift itself", used["self"], "CPU s", f"{used['memory'] / 1024:.0f} MB at most")
    more_functions = len(lifted) - len(one)
    row(
        "  for each more function", 1000 * (used["self"] - start["self"]) / more_functions, "CPU ms"
    )
    row("its children", used["children"], "CPU s")
    total = sum(f["seconds"]["total"] for f in lifted)
    for step in STEPS:
        share = sum(f["seconds"][step] for f in lifted) / total
        row(f"  of a function's time, {step}", 100 * share, "%")


def inside(arguments: list[str]) -> None:
    """`lift` in this process; the last line of stderr tells what it took."""
    from lifter.command_line import run

    run(arguments)
    sys.stdout.flush()
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = {
        "self": own.ru_utime + own.ru_stime,
        "children": children.ru_utime + children.ru_stime,
        "memory": own.ru_maxrss,
    }
    print(json.dumps(used), file=sys.stderr)


@contextlib.contextmanager
def two_workers(folder: Path) -> Iterator[Any]:
    """A cluster on loopback that has answered once, so that all is loaded."""
    from lifter.cluster.pool import ClusterPool
    from tests.cluster.dask_cluster import cluster

    folder.mkdir()
    with cluster(folder) as made:
        made.add_worker()
        made.add_worker()
        pool = ClusterPool(made.address, 1)
        while pool.width < 2:
            list(pool.wait(0.1))
        pool.stop()
        yield made


def cpu_of(pid: int) -> float:
    """CPU seconds of a process and of all its descendants that live or were waited for."""
    from tests.cluster.dask_cluster import descendants

    total = 0.0
    for one in (pid, *descendants(pid)):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            fields = Path(f"/proc/{one}/stat").read_text().rsplit(")", 1)[1].split()
            total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return total


def measure_cluster(folder: Path) -> None:
    with two_workers(folder / "cluster") as made:
        scheduler, workers = cpu_of(made.scheduler.pid), sum(cpu_of(w.pid) for w in made.workers)
        measure_run("two workers on loopback", folder / "there", "--cluster", made.address)
        row("the scheduler", cpu_of(made.scheduler.pid) - scheduler, "CPU s")
        row("the workers", sum(cpu_of(w.pid) for w in made.workers) - workers, "CPU s")


def read_all() -> bytes:
    """All of the corpus as it is lifted, pickled, and the CPU seconds that took."""
    from lifter.batch.one_file import FileRead, read_file
    from lifter.batch.sources import find_sources
    from lifter.settings.flags import Flags
    from lifter.settings.options import RunOptions

    found = []
    sources, _ = find_sources(RunOptions(paths=SOURCES, models=(Path(MODEL),)))
    read_file(MODEL, Flags())  # loads libclang
    began = time.process_time()
    for source in sources:
        read = read_file(source.path, source.flags)
        if isinstance(read, FileRead):
            found += read.kernels
    return pickle.dumps((time.process_time() - began, [pickle.dumps(p) for p in found]))


def resident() -> float:
    """Megabytes of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def results_of(out: Path) -> dict[str, Any]:
    """The results of a run by key, as they came from the workers."""
    from lifter.batch.store import Limits, ResultStore

    store = ResultStore(out)
    database = next((out / ".lift-cache").glob("*.sqlite"))
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        keys = [key for (key,) in connection.execute("SELECT key FROM results")]
    found = {key: store.find(key, Limits(*LIMITS)) for key in keys}
    store.close()
    return {key: lifted for key, lifted in found.items() if lifted is not None}


def measure_parts(out: Path) -> None:
    from lifter.batch.one_function import lift_one
    from lifter.batch.workers import Pool, Task
    from lifter.cluster.pool import _request
    from lifter.synth import read_grammar

    os.chdir(ROOT)
    import lifter.batch.one_file  # its modules aren't the kernels' memory
    import lifter.parse  # noqa: F401

    pool = Pool(1)
    pool.submit(Task("corpus", read_all))
    outcome = None
    while outcome is None:
        outcome = next(pool.wait(1.0), None)
    seconds, pickles = pickle.loads(outcome.value)
    count = len(pickles)
    print(f"\na function, on average over {count} kernels of the corpus")
    row("reading it: C++ to Kernel IR, its digest", 1000 * seconds / count, "CPU ms")
    before = resident()
    kernels = [pickle.loads(p) for p in pickles]
    row("a kernel that waits, in memory", 1024 * (resident() - before) / count, "KB")
    grammars = (read_grammar(Path(GRAMMAR)),)
    calls = [partial(lift_one, p.kernel, grammars, *LIMITS[:1], 0.0) for p in kernels]
    began = time.process_time()
    requests = [_request(Task(p.kernel.name, c)) for p, c in zip(kernels, calls, strict=True)]
    row("packing it for a worker", 1000 * (time.process_time() - began) / count, "CPU ms")
    row("what goes to a worker", sum(map(len, requests)) / count / 1024, "KB")
    results = [pickle.dumps(lifted) for lifted in results_of(out).values()]
    row("what comes back", sum(map(len, results)) / len(results) / 1024, "KB")
    files = [p for p in out.rglob("*") if p.is_file() and ".lift-cache" not in p.parts]
    folders = len({p.parent for p in files if p.name == "summary.json"})
    row("files of a proved function", len(files) / folders, "files")
    row("  their size", sum(p.stat().st_size for p in files) / folders / 1024, "KB")
    taken = sum(p.stat().st_blocks for p in [*files, *{p.parent for p in files}]) * 512
    row("  what they take on this disk", taken / folders / 1024, "KB")
    database = next((out / ".lift-cache").glob("*.sqlite"))
    row("the store", database.stat().st_size / count / 1024, "KB")
    measure_keeping(out, out.with_name("again"))


def measure_keeping(out: Path, again: Path) -> None:
    """A run whose functions are answered at once with what an earlier run found."""
    from lifter.batch.one_function import prepare
    from lifter.batch.workers import Pool, Task, TaskOutcome
    from lifter.command_line import run

    answers = {key: pickle.dumps(lifted) for key, lifted in results_of(out).items()}

    class Replay(Pool):
        def __init__(self, jobs: int) -> None:
            super().__init__(jobs)
            self._tasks: list[Task] = []

        def submit(self, task: Task) -> None:
            if task.here:
                super().submit(task)
            else:
                self._tasks.append(task)

        @property
        def busy(self) -> bool:
            return bool(self._tasks) or super().busy

        def wait(self, seconds: float) -> Iterator[TaskOutcome]:
            yield from super().wait(0.0 if self._tasks else seconds)
            tasks, self._tasks = self._tasks, []
            for task in tasks:
                yield TaskOutcome(task, "done", pickle.loads(answers[task.tag.key]), seconds=0.2)

    prepare()
    before = time.process_time()
    with patch("lifter.batch.driver.Pool", Replay), contextlib.redirect_stdout(io.StringIO()):
        run([*SOURCES, *OPTIONS, "-o", str(again)])
    spent = time.process_time() - before
    row("keeping it: places, seal, store, files, report", 1000 * spent / len(answers), "CPU ms")


class Stopwatch:
    """Sums up the times of its `with` blocks."""

    def __init__(self) -> None:
        self._cpu = self._wall = 0.0

    def __enter__(self) -> None:
        self._cpu -= time.process_time()
        self._wall -= time.monotonic()

    def __exit__(self, *error: object) -> None:
        self._cpu += time.process_time()
        self._wall += time.monotonic()

    def tell(self, what: str, count: int) -> None:
        """Prints the mean of `count` blocks, and begins anew."""
        row(what, 1000 * self._cpu / count, "CPU ms", f"{1000 * self._wall / count:.2f} ms wall")
        self._cpu = self._wall = 0.0


def measure_growth(out: Path, grown: Path, functions: int) -> None:
    """Keeps results again and again under other names, in one folder."""
    from lifter.batch.lift_prepared import packed
    from lifter.batch.result_folder import ScratchFolder
    from lifter.batch.sources import Source
    from lifter.batch.store import Limits, ResultStore, records_of
    from lifter.settings.flags import Flags
    from lifter.settings.options import RunOptions

    results = [lifted for lifted in results_of(out).values() if lifted.texts]
    print(f"\nkeeping {functions} functions of one file")
    scratch, store = ScratchFolder(grown), ResultStore(grown)
    source = Source("all.cpp", "all", Flags())
    store.begin(source, [], True, RunOptions(paths=()))
    store_time, files_time, batch = Stopwatch(), Stopwatch(), functions // 4
    for number in range(functions):
        lifted = results[number % len(results)]
        record = replace(lifted.record, name=f"function{number}")
        with store_time:
            store.keep(f"{number:032x}", packed(lifted), lifted.record, Limits(*LIMITS))
            store.note(source, record, f"{number:032x}")
        with files_time:
            scratch.refresh(lifted.texts, grown / "all" / record.name)
        if (number + 1) % batch == 0:
            store_time.tell(f"store, up to function {number + 1}", batch)
            files_time.tell(f"files, up to function {number + 1}", batch)
    store.close()
    scratch.close()
    database = next((grown / ".lift-cache").glob("*.sqlite"))
    row("the store's size", database.stat().st_size / functions / 1024, "KB", "a function")
    began, before = time.process_time(), resident()
    count = len(records_of(grown))
    row("reading a record for a report", 1000 * (time.process_time() - began) / count, "CPU ms")
    row("  in memory", 1024 * (resident() - before) / count, "KB")


def measure_scheduler(folder: Path) -> None:
    """Functions that do nothing, 30 KB each, in loads of 1, 8 and 64."""
    from lifter.batch.workers import Task
    from lifter.cluster.pool import pool as cluster

    print("\na function that does nothing, on two workers on loopback: CPU ms each")
    print(f"  {'together':>8} {'client':>8} {'scheduler':>10} {'workers':>8}")
    with two_workers(folder / "scheduler") as made:
        for together in (1, 8, 64):
            pool = cluster.ClusterPool(made.address, 1)
            pool._seconds, cluster._RATE = 1.0, 2 / together
            cluster._LARGEST = together
            count = 256 * min(together, 8)
            payload = os.urandom(30_000)
            before = [time.process_time(), cpu_of(made.scheduler.pid)]
            before.append(sum(cpu_of(w.pid) for w in made.workers))
            for number in range(count):
                pool.submit(Task(str(number), partial(len, payload)))
            while pool.busy:
                for _ in pool.wait(0.2):
                    pool._seconds = 1.0
            after = [time.process_time(), cpu_of(made.scheduler.pid)]
            pool.stop()
            after.append(sum(cpu_of(w.pid) for w in made.workers))
            used = [1000 * (a - b) / count for a, b in zip(after, before, strict=True)]
            print(f"  {together:8} {used[0]:8.2f} {used[1]:10.2f} {used[2]:8.2f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["inside"]:
        inside(sys.argv[2:])
    else:
        main()
