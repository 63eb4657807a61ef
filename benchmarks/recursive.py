"""Recursive filters: milliseconds beside a copy of as many bytes, and scipy's `lfilter`.

    python benchmarks/recursive.py [NAME ...] [--threads 2] [--size 2048] [--markdown]

Every figure is the best of some interleaved runs. `direct` is the same program without tiles, whose
lines run as they stand; a copy is numpy's, of the input into an output. scipy is a peer where it is
installed, for programs over a line.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import compiler as hl
import compiler.runtime as runtime
from corpus.pipelines.recursive import NAMES, load

RUNS = 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--size", type=int, help="pixels a side, thousands of elements of a line")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    runtime.set_num_threads(options.threads)
    bar = "|" if options.markdown else " "
    heads = ["program", "size", "ms", "copy", "times a copy", "lfilter"]
    print(bar.join(["", *heads, ""]) if options.markdown else "  ".join(heads))
    if options.markdown:
        print("|---|---|--:|--:|--:|--:|")
    for name in options.names or NAMES:
        print(bar.join(["", *row(name, options.size), ""]), flush=True)


def row(name: str, side: int | None) -> list[str]:
    """What is printed of one program."""
    program = load(name)
    size = list(program.size)
    if side is not None:
        size = [side] * len(size) if len(size) > 1 else [side * 1000]
    func, image = program.made(size)
    values = program.input(size)
    image.set(hl.Buffer(values))
    (kind,) = func.types()
    out = np.zeros(size[::-1], str(kind))
    buffer, target = hl.Buffer(out), np.zeros_like(values)
    calls: dict[str, Callable[[], Any]] = {
        "ours": lambda: func.realize(buffer),
        "copy": lambda: np.copyto(target, values),
    }
    feedback = weights_of(name)
    if feedback is not None and importlib.util.find_spec("scipy") is not None:
        from scipy.signal import lfilter  # type: ignore[import-not-found]

        a = np.array([1.0, *(-c for c in feedback[1:])], np.float32)
        b = np.array(feedback[:1], np.float32)
        calls["lfilter"] = lambda: lfilter(b, a, values)
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(RUNS):
        for key, call in calls.items():
            begin = time.perf_counter()
            call()
            best[key] = min(best[key], 1e3 * (time.perf_counter() - begin))
    text = "x".join(map(str, size))
    ratio = f"{best['ours'] / best['copy']:.1f}"
    peer = f"{best['lfilter']:.1f}" if "lfilter" in best else ""
    return [name, text, f"{best['ours']:.1f}", f"{best['copy']:.1f}", ratio, peer]


def weights_of(name: str) -> list[float] | None:
    """[b, a_1, ...] of a program that is one filter over a line."""
    module = importlib.import_module(f"corpus.pipelines.recursive.{name}")
    found: list[float] | None = getattr(module, "WEIGHTS", None)
    return found


if __name__ == "__main__":
    main()
