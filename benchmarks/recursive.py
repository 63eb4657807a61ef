"""Recursive filters: milliseconds beside a copy of as many bytes, the loop in C++, and scipy's.

    python benchmarks/recursive.py [NAME ...] [--threads 2] [--size 2048] [--markdown]

Every figure is the best of some interleaved runs. A copy is numpy's, of the input into an output.
Of one filter over a line: `direct` is the same without tiles, `g++` the loop by `g++ -O3
-march=native`, and `lfilter` scipy's, where it is installed.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import subprocess
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import compiler as hl
import compiler.runtime as runtime
from compiler.recfilter import RecFilter, RecFilterDim
from corpus.pipelines.recursive import NAMES, load

RUNS = 7
PEERS = ("direct", "g++", "lfilter")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--size", type=int, help="pixels a side, thousands of elements of a line")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    runtime.set_num_threads(options.threads)
    bar = "|" if options.markdown else " "
    heads = ["program", "size", "ms", "copy", "times a copy", *PEERS]
    print(bar.join(["", *heads, ""]) if options.markdown else "  ".join(heads))
    if options.markdown:
        print("|---|---|--:|--:|--:|--:|--:|--:|")
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
    weights = weights_of(name)
    if weights is not None:
        calls["direct"] = direct(weights, values, buffer)
        calls["g++"] = looped(weights, values, out)
    if weights is not None and importlib.util.find_spec("scipy") is not None:
        from scipy.signal import lfilter  # type: ignore[import-not-found]

        a = np.array([1.0, *(-c for c in weights[1:])], np.float32)
        b = np.array(weights[:1], np.float32)
        calls["lfilter"] = lambda: lfilter(b, a, values)
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(RUNS):
        for key, call in calls.items():
            begin = time.perf_counter()
            call()
            best[key] = min(best[key], 1e3 * (time.perf_counter() - begin))
    text = "x".join(map(str, size))
    ratio = f"{best['ours'] / best['copy']:.1f}"
    peers = [f"{best[peer]:.1f}" if peer in best else "" for peer in PEERS]
    return [name, text, f"{best['ours']:.1f}", f"{best['copy']:.1f}", ratio, *peers]


def direct(weights: list[float], values: Any, out: hl.Buffer) -> Callable[[], Any]:
    """The filter as it stands, not in tiles."""
    x, image = RecFilterDim("x", len(values)), hl.ImageParam(hl.Float(32), 1, "image")
    made = RecFilter("direct")
    made[x] = image[hl.Var("x")]
    func = made.add_filter(+x, weights).as_func()
    image.set(hl.Buffer(values))
    return lambda: func.realize(out)


def looped(weights: list[float], values: Any, out: Any) -> Callable[[], Any]:
    """The filter as a loop in C++."""
    gain, *feedback = (f"{weight!r}f" for weight in weights)
    terms = "".join(f" + {a} * d[i - {lag}]" for lag, a in enumerate(feedback, 1))
    order = len(feedback)
    text = f"""extern "C" void filtered(float *d, const float *s, long n) {{
        for (long i = 0; i < {order} && i < n; i++) d[i] = {gain} * s[i];
        for (long i = {order}; i < n; i++) d[i] = {gain} * s[i]{terms};
    }}"""
    command = ["g++", "-O3", "-march=native", "-shared", "-fPIC", "-x", "c++", "-", "-o"]
    with tempfile.TemporaryDirectory() as folder:
        made = f"{folder}/filtered.so"
        subprocess.run([*command, made], input=text, text=True, check=True)
        function = ctypes.CDLL(made).filtered
    pointers = (ctypes.c_void_p(out.ctypes.data), ctypes.c_void_p(values.ctypes.data))
    return lambda: function(*pointers, ctypes.c_long(len(values)))


def weights_of(name: str) -> list[float] | None:
    """[b, a_1, ...] of a program that is one filter over a line."""
    module = importlib.import_module(f"corpus.pipelines.recursive.{name}")
    found: list[float] | None = getattr(module, "WEIGHTS", None)
    return found


if __name__ == "__main__":
    main()
