"""How much of the machine's copy bandwidth a pipeline reaches, with and without streamed stores.

Copies an image of 16-bit values, larger than the caches, row by row on all threads: in C, compiled
by g++ -O3, with vector intrinsics; and as a pipeline. Rows are 12,816 bytes (6408 pixels), so that
most begin inside of a cache line. All four run in turn, round after round; each ratio is between
the best rounds. The bar is 90% of the C program with streamed stores.

    python benchmarks/bandwidth.py [rounds]
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import compiler as hl
from compiler import runtime

WIDTH, HEIGHT = 6408, 4802
PROGRAM = r"""
#include <immintrin.h>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>
static void plain(char *to, const char *from, long n) {
    long i = 0;
    for (; i + 32 <= n; i += 32)
        _mm256_storeu_si256((__m256i *)(to + i), _mm256_loadu_si256((const __m256i *)(from + i)));
    memcpy(to + i, from + i, n - i);
}
static void streamed(char *to, const char *from, long n) {
    long i = -(uintptr_t)to & 63;
    memcpy(to, from, i);
    for (; i + 64 <= n; i += 64)
        for (int k = 0; k < 64; k += 32)
            _mm256_stream_si256((__m256i *)(to + i + k),
                                _mm256_loadu_si256((const __m256i *)(from + i + k)));
    memcpy(to + i, from + i, n - i);
}
extern "C" void copy(char *to, const char *from, long row, long rows, int threads, int stream) {
    std::vector<std::thread> workers;
    auto work = [=](long first, long last) {
        for (long y = first; y < last; y++)
            (stream ? streamed : plain)(to + y * row, from + y * row, row);
        _mm_sfence();
    };
    for (int t = 1; t < threads; t++)
        workers.emplace_back(work, rows * t / threads, rows * (t + 1) / threads);
    work(0, rows / threads);
    for (auto &worker : workers) worker.join();
}
"""


def by_hand(folder: Path) -> ctypes.CDLL:
    """The C program as a library."""
    source, library = folder / "copy.cpp", folder / "copy.so"
    source.write_text(PROGRAM)
    flags = ["-O3", "-march=native", "-shared", "-fPIC", "-pthread"]
    subprocess.run(["g++", *flags, str(source), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def pipeline(stream: bool) -> tuple[hl.ImageParam, hl.Func]:
    """A copy with the user's schedule for it."""
    source = hl.ImageParam(hl.UInt(16), 2, "source")
    x, y = hl.Var("x"), hl.Var("y")
    copy = hl.Func("copy")
    copy[x, y] = source[x, y]
    copy.parallel(y, 16).vectorize(x, 64)
    if stream:
        copy.stream_stores()
    return source, copy


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    source = np.random.default_rng(0).integers(0, 65536, (HEIGHT, WIDTH)).astype(np.uint16)
    target = np.zeros_like(source)
    row, threads = WIDTH * 2, runtime.num_threads()
    with tempfile.TemporaryDirectory() as folder:
        library = by_hand(Path(folder))
        runs: dict[str, Callable[[], object]] = {}
        for stream in (0, 1):
            args = (
                ctypes.c_void_p(target.ctypes.data),
                ctypes.c_void_p(source.ctypes.data),
                ctypes.c_long(row),
                ctypes.c_long(HEIGHT),
                threads,
                stream,
            )
            runs[f"C, {'streamed' if stream else 'ordinary'} stores"] = lambda args=args: (
                library.copy(*args)
            )
            param, func = pipeline(bool(stream))
            param.set(hl.Buffer(source))
            output = hl.Buffer(target)
            runs[f"pipeline, {'streamed' if stream else 'ordinary'} stores"] = (
                lambda func=func, output=output: func.realize(output)
            )
        best = dict.fromkeys(runs, float("inf"))
        for name, run in runs.items():
            target[:] = 0
            run()
            if not (target == source).all():
                raise SystemExit(f"{name}: the copy is wrong")
        for _ in range(rounds):
            for name, run in runs.items():
                started = time.perf_counter()
                run()
                best[name] = min(best[name], time.perf_counter() - started)
    moved = 2 * source.nbytes
    print(f"{threads} threads, {WIDTH} x {HEIGHT} uint16, best of {rounds} interleaved rounds")
    for name, seconds in best.items():
        print(f"{name:28} {seconds * 1e3:7.2f} ms {moved / seconds / 1e9:6.1f} GB/s")
    for kind in ("ordinary", "streamed"):
        ratio = best[f"C, {kind} stores"] / best[f"pipeline, {kind} stores"]
        print(f"{kind} stores: the pipeline reaches {ratio:.0%} of C")


if __name__ == "__main__":
    main()
