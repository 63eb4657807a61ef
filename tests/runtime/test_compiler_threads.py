"""Compiled pipelines are used by many threads, after a fork, and through an interruption."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compiler as hl

ROOT = Path(__file__).parents[2]
WIDTH = 100
x, y = hl.Var("x"), hl.Var("y")


def in_threads(count: int, work: Callable[[int], None]) -> None:
    """Runs `work(i)` in threads at once; raises what the first of them raised."""
    raised: list[BaseException] = []

    def run(i: int) -> None:
        try:
            work(i)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def sums(factor: int) -> tuple[hl.ImageParam, hl.Func]:
    """`(im(x) + im(x + 1)) * factor`, the factor in a stage of its own."""
    image = hl.ImageParam(hl.Int(32), 1, "image")
    scaled, out = hl.Func("scaled"), hl.Func("out")
    scaled[x] = image[x] * factor
    out[x] = scaled[x] + scaled[x + 1]
    scaled.compute_root()
    return image, out


def expected(factor: int, first: int = 0) -> Any:
    numbers = np.arange(first, first + WIDTH + 1, dtype=np.int32)
    return (numbers[1:] + numbers[:-1]) * factor


@pytest.mark.slow
def test_threads_call_one_callable() -> None:
    image, out = sums(3)
    call = out.compile_to_callable([image])
    shared = hl.Buffer(np.arange(WIDTH + 1, dtype=np.int32))

    def work(i: int) -> None:
        own = np.arange(i, i + WIDTH + 1, dtype=np.int32)
        result = np.zeros(WIDTH, np.int32)
        for _ in range(500):
            call(own, result)
            np.testing.assert_array_equal(result, expected(3, i))
            call(shared, result)
            np.testing.assert_array_equal(result, expected(3))

    in_threads(8, work)


@pytest.mark.slow
def test_threads_realize_one_stage() -> None:
    image, out = sums(2)
    image.set(hl.Buffer(np.arange(WIDTH + 1, dtype=np.int32)))

    def work(i: int) -> None:
        own = hl.Buffer(hl.Int(32), [WIDTH])
        for _ in range(125):
            np.testing.assert_array_equal(np.array(out.realize([WIDTH])), expected(2))
            own.fill(0)
            out.realize(own)
            np.testing.assert_array_equal(np.array(own), expected(2))

    in_threads(8, work)


def test_a_failure_in_one_thread_is_that_threads_own() -> None:
    image, out = sums(1)
    call = out.compile_to_callable([image])

    def work(i: int) -> None:
        size = WIDTH + 1 - i % 2
        given, result = np.arange(size, dtype=np.int32), np.zeros(WIDTH, np.int32)
        for _ in range(200):
            try:
                call(given, result)
                refused = False
            except hl.HalideError as error:
                assert "beyond the max (99)" in str(error)
                refused = True
            assert refused == (i % 2 == 1)

    in_threads(6, work)


def test_threads_compile_at_once() -> None:
    def work(i: int) -> None:
        for n in range(2):
            image, out = sums(10 * i + n)
            image.set(hl.Buffer(np.arange(WIDTH + 1, dtype=np.int32)))
            np.testing.assert_array_equal(np.array(out.realize([WIDTH])), expected(10 * i + n))

    in_threads(4, work)


def parallel_sum() -> int:
    f = hl.Func("f")
    f[x, y] = x + y
    f.parallel(y)
    return int(np.array(f.realize([10, 10])).sum())


def _in_child(answers: Any) -> None:
    answers.put(parallel_sum())


def test_a_fork_after_parallel_loops_has_parallel_loops() -> None:
    assert parallel_sum() == 900
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_in_child, args=(answers,))
    child.start()
    try:
        assert answers.get(timeout=600) == 900
    finally:
        child.kill()
        child.join()


INTERRUPTED = """
import signal
import sys
import numpy as np
import compiler as hl

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it

x, y = hl.Var("x"), hl.Var("y")
f, r = hl.Func("f"), hl.RDom([(0, 20000)])
f[x, y] = 0
f[x, y] = f[x, y] * 3 + r
f.update().parallel(y)
buffer = hl.Buffer(hl.Int(32), [512, 64])
f.realize(buffer)
try:
    print("ready", flush=True)
    while True:
        f.realize(buffer)
except KeyboardInterrupt:
    g = hl.Func("g")
    g[x] = x
    print(int(np.array(g.realize([4])).sum()), flush=True)
"""


@pytest.mark.slow
def test_an_interruption_leaves_the_process_usable() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=600)
        assert out == "6\n"
    finally:
        process.kill()
        process.wait()
