"""The machine at hand, as its operating system tells of it."""

from __future__ import annotations

import os
import platform
import re
import threading
import time
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from .machine_facts import CYCLES, MEMORY_CYCLES, PREFETCH_DISTANCE, Cache, Facts

USUAL_CACHES = (Cache(32 << 10), Cache(256 << 10), Cache(8 << 20, ways=16))
"""Where the system says nothing of its caches."""

BANDWIDTH_PER_CORE = 10e9
MOST_BANDWIDTH = 25e9
"""One core moves so much, and a few of them all that two memory channels carry."""

COPIED = 32 << 20
"""Bytes of each block whose copy is timed: larger than what one core usually has of its caches."""

ROUNDS = 3


@lru_cache(maxsize=2)
def host(measure: bool = False) -> Facts:
    """This machine, read once a process."""
    from ..codegen import Target

    allowed = _allowed()
    return described(Path("/"), allowed, Target.host().natural_vector_bits, measure)


def described(root: Path, allowed: Sequence[int], vector_bits: int, measure: bool = False) -> Facts:
    """The machine whose files (`sys`, `proc`) lie below `root`, for the processors `allowed`.

    What its files don't say is a usual value, and named in `guesses`.
    """
    guesses = []
    cpus = root / "sys/devices/system/cpu"
    own = cpus / f"cpu{allowed[0]}"
    cores = {
        (_text(cpus / f"cpu{cpu}/topology/physical_package_id"),
         _text(cpus / f"cpu{cpu}/topology/core_id") or str(cpu))
        for cpu in allowed
    }  # fmt: skip
    caches = _caches(own / "cache", allowed)
    if not caches:
        threads = len(allowed)
        caches = [*USUAL_CACHES[:2], Cache(USUAL_CACHES[2].size, ways=16, shared_by=threads)]
        guesses += [f"l{i + 1}.size" for i in range(len(caches))]
    clock = _clock(own, root)
    if clock is None:
        guesses.append("clock")
    if measure:
        bandwidth = copied_bytes_a_second(len(cores))
    else:
        bandwidth = min(MOST_BANDWIDTH, BANDWIDTH_PER_CORE * len(cores))
        guesses.append("bandwidth")
    costs = (*CYCLES[: len(caches)], MEMORY_CYCLES)
    guesses += [f"l{i + 1}.cycles" for i in range(len(caches))]
    guesses += ["memory_cycles", "prefetch_distance", "next_line_prefetch"]
    return {
        "name": _model(root),
        "cores": len(cores),
        "threads_per_core": -(-len(allowed) // len(cores)),
        "vector_bits": vector_bits,
        "caches": tuple(caches),
        "bandwidth": bandwidth,
        "clock": clock or 3e9,
        "prefetch_distance": PREFETCH_DISTANCE,
        "next_line_prefetch": True,
        "level_costs": costs,
        "guesses": tuple(guesses),
    }


def copied_bytes_a_second(threads: int) -> float:
    """Bytes read and written in a second by `threads` threads that copy; the best of some rounds,
    in two digits, so that chance doesn't change what is decided."""
    import numpy as np

    blocks = [(np.ones(COPIED, np.uint8), np.ones(COPIED, np.uint8)) for _ in range(threads)]

    def copy(index: int) -> None:
        source, target = blocks[index]
        np.copyto(target, source)  # lets go of the interpreter's lock

    best = float("inf")
    for _ in range(ROUNDS):
        workers = [threading.Thread(target=copy, args=(i,)) for i in range(threads)]
        began = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        best = min(best, time.perf_counter() - began)
    return float(f"{2 * threads * COPIED / best:.1e}")


def _allowed() -> list[int]:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _number(text: str) -> int | None:
    found = re.fullmatch(r"(\d+)([KMG]?)", text)
    if found is None:
        return None
    return int(found[1]) * {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}[found[2]]


def _caches(folder: Path, allowed: Sequence[int]) -> list[Cache]:
    """The levels that hold data, the first one first; nothing where one is missing between."""
    found: dict[int, Cache] = {}
    for index in sorted(folder.glob("index*")):
        level, size = _number(_text(index / "level")), _number(_text(index / "size"))
        if _text(index / "type") == "Instruction" or not level or not size:
            continue
        line = _number(_text(index / "coherency_line_size")) or 64
        ways = _number(_text(index / "ways_of_associativity")) or 8
        sharing = set(_listed(_text(index / "shared_cpu_list"))) & set(allowed)
        # A fully associative level says 0 ways.
        found[level] = Cache(size, line, min(ways, size // line), max(1, len(sharing)))
    levels = [found[level] for level in sorted(found)]
    in_order = all(a.size <= b.size for a, b in pairwise(levels))
    return levels if sorted(found) == list(range(1, len(found) + 1)) and in_order else []


def _listed(text: str) -> list[int]:
    """The processors of a list such as `0-3,8`."""
    made: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first.isdigit() and (not last or last.isdigit()):
            made += range(int(first), int(last or first) + 1)
    return made


def _clock(cpu: Path, root: Path) -> float | None:
    """The fastest clock, in cycles a second."""
    fastest = _number(_text(cpu / "cpufreq/cpuinfo_max_freq"))
    if fastest:
        return fastest * 1e3
    found = re.search(r"^cpu MHz\s*:\s*([\d.]+)", _text(root / "proc/cpuinfo"), re.MULTILINE)
    return float(found[1]) * 1e6 if found and float(found[1]) > 0 else None


def _model(root: Path) -> str:
    found = re.search(r"^model name\s*:\s*(.+)$", _text(root / "proc/cpuinfo"), re.MULTILINE)
    return found[1].strip() if found else platform.machine() or "host"


__all__ = ["copied_bytes_a_second", "described", "host"]
