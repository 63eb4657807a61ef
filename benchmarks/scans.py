"""Sums, extremes, recursive filters and integral images: `lift cc` against the compiler alone.

    python benchmarks/scans.py [NAME ...] [--size 1024] [--threads 1] [--markdown]

`scans.cpp` is compiled by the compiler and by `lift cc`, with the same options. Both run on the
same images in turn; the least time of some runs counts, and what they leave has to be equal bit for
bit.
`limit` is what memory allows: libc's `memchr` through the bytes that a reduction reads, `memcpy` of
as many bytes as a filter writes. `OpenCV` is its own function on one thread, where it is installed.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from windows import compiled

SOURCE = Path(__file__).with_suffix(".cpp")
RUNS = 60
MOST_SECONDS = 1.5
"""Of one case's runs; the first ones are made in any case."""
_LIBC = ctypes.CDLL(None)


@dataclass(frozen=True)
class Case:
    """One function: its images' types by turn, and what stands behind them."""

    images: str
    """`B` and `F`: bytes and floats that are read; `b`, `w`, `f`: bytes, words and floats that are
    written; `x`: floats, changed in place; `y`: bytes, likewise; `s`: words with a row and a
    column more; `n`: two bytes."""
    numbers: str = "wh"
    """`w`, `h`: the sizes; `p`: the pitch; `a`: a coefficient; `k`: 60; `t`: 200."""
    returns: Any = None
    peer: str = ""


CASES = {
    "sum_bytes": Case("B", "whp", ctypes.c_int64, "sumElems"),
    "least_and_greatest": Case("Bn", "whp"),
    "sum_of_differences": Case("BB", "whp", ctypes.c_uint32, "norm"),
    "count_above": Case("B", "whpt", ctypes.c_int32),
    "smooth_rows_float": Case("Ff", "wha"),
    "smooth_rows_from_the_first": Case("Ff", "wha"),
    "smooth_rows_there_and_back": Case("x", "wha"),
    "smooth_rows_fixed": Case("Bb", "whk"),
    "greatest_so_far": Case("Bb"),
    "delta_undone": Case("y"),
    "prefix_sums": Case("Bw"),
    "smooth_down_by_rows": Case("x", "wha"),
    "smooth_down_by_columns": Case("Ff", "wha"),
    "smooth_columns_there_and_back": Case("x", "wha"),
    "smooth_columns_fixed": Case("Bb", "whk"),
    "integral_image": Case("Bs", peer="integral"),
}
_TYPES = {"B": "u1", "F": "f4", "b": "u1", "w": "u4", "f": "f4", "x": "f4", "y": "u1", "s": "i4"}


def images_of(case: Case, size: int) -> list[np.ndarray]:
    """What a function reads, and zeros of what it writes."""
    rng = np.random.default_rng(size)
    found = []
    for kind in case.images:
        if kind in "BFxy":
            values = rng.integers(0, 256, (size, size)).astype(_TYPES[kind])
        elif kind == "n":
            values = np.zeros(2, "u1")
        else:
            side = size + 1 if kind == "s" else size
            values = np.zeros((side, side), _TYPES[kind])
        found.append(values)
    return found


def arguments_of(case: Case, images: Sequence[np.ndarray], size: int) -> list[Any]:
    told = {"w": size, "h": size, "p": size, "k": 60, "t": 200, "a": ctypes.c_float(0.25)}
    kinds = zip(case.images, images, strict=True)
    # Parameters stand behind the images, but for those of which only numbers are found.
    places = [image.ctypes.data_as(ctypes.c_void_p) for _, image in kinds]
    numbers = [told[n] for n in case.numbers]
    return [places[0], *numbers, places[1]] if "n" in case.images else [*places, *numbers]


def measured(name: str, functions: Sequence[Any], size: int) -> tuple[list[float], list[float]]:
    """Milliseconds of either function, then of what memory allows and of OpenCV's (0: none).

    Raises `SystemExit` where the functions leave something else.
    """
    case = CASES[name]
    images = [images_of(case, size) for _ in functions]
    calls: list[Callable[[], Any]] = []
    for function, own in zip(functions, images, strict=True):
        function.restype = case.returns
        told = arguments_of(case, own, size)
        calls.append(lambda function=function, told=told: function(*told))
    # Each has memory of its own: what another one has just read lies in the caches.
    beside = [limit_of(case, images_of(case, size)), peer_of(case, images_of(case, size))]
    returned: list[Any] = [call() for call in calls]
    same = all(map(np.array_equal, *images)) and returned[0] == returned[1]
    if not same:
        raise SystemExit(f"{name}: the compiler's code and lifted code leave something else")
    every = [*calls, *(one for one in beside if one is not None)]
    best = [float("inf")] * len(every)
    began = time.perf_counter()
    for _ in range(RUNS):
        for i, call in enumerate(every):
            start = time.process_time()
            call()
            best[i] = min(best[i], time.process_time() - start)
        if time.perf_counter() - began > MOST_SECONDS:
            break
    times = [b * 1e3 for b in best]
    rest = iter(times[2:])
    return times[:2], [next(rest) if one is not None else 0.0 for one in beside]


def limit_of(case: Case, images: Sequence[np.ndarray]) -> Callable[[], Any]:
    """A function of the C library that moves as many bytes."""
    read = [i for k, i in zip(case.images, images, strict=True) if k in "BF"]
    written = [i for k, i in zip(case.images, images, strict=True) if k in "bwfxys"]
    if not written:
        full = [np.full_like(image, 1) for image in read]
        places = [(image.ctypes.data_as(ctypes.c_void_p), image.nbytes) for image in full]
        sizes = [(place, 0, ctypes.c_size_t(size)) for place, size in places]
        return lambda: [_LIBC.memchr(*one) for one in sizes]
    source = np.ones_like(written[0])
    target = np.zeros_like(written[0])
    told = target.ctypes.data_as(ctypes.c_void_p), source.ctypes.data_as(ctypes.c_void_p)
    size = ctypes.c_size_t(target.nbytes)
    return lambda: (_LIBC.memcpy(*told, size), source)


def peer_of(case: Case, images: Sequence[np.ndarray]) -> Callable[[], Any] | None:
    """OpenCV's function for the same, on one thread."""
    if not case.peer or importlib.util.find_spec("cv2") is None:
        return None
    import cv2

    cv2.setNumThreads(1)
    read = [i for k, i in zip(case.images, images, strict=True) if k in "BF"]
    if case.peer == "integral":
        target = np.zeros_like(images[1])
        return lambda: cv2.integral(read[0], target)
    if case.peer == "norm":
        return lambda: cv2.norm(*read, cv2.NORM_L1)
    return lambda: cv2.sumElems(read[0])


def main() -> None:
    """Prints a line for each function, and the median."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", default=list(CASES), metavar="NAME")
    parser.add_argument("--size", type=int, nargs="*", default=[1024], help="pixels a side")
    parser.add_argument("--threads", type=int, default=1, help="of the lifted code")
    parser.add_argument("--markdown", action="store_true", help="the table as Markdown")
    options = parser.parse_args()
    os.environ["LIFT_NUM_THREADS"] = str(options.threads)
    bar = " | " if options.markdown else "  "
    heads = [f"{'function':29}", " size", " g++ ms", "lifted", "times", " limit", "OpenCV"]
    print(bar.join(["", *heads, ""]).strip(" "))
    if options.markdown:
        print("|---|--:|--:|--:|--:|--:|--:|")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        plain, lifted = compiled(SOURCE, Path(folder))
        for size in options.size:
            for name in options.names:
                pair = getattr(plain, name), getattr(lifted, name)
                (alone, ours), beside = measured(name, pair, size)
                ratios.append(alone / ours)
                cells = [f"{name:29}", f"{size:5}", f"{alone:7.3f}", f"{ours:6.3f}"]
                cells += [f"{ratios[-1]:5.2f}", *(f"{x:6.3f}" if x else " " * 6 for x in beside)]
                print(bar.join(["", *cells, ""]).strip(" "), flush=True)
    print(f"\nmedian {statistics.median(ratios):.2f}x, least {min(ratios):.2f}x")


if __name__ == "__main__":
    main()
