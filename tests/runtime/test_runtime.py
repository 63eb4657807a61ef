"""The runtime's settings, and what a user hears at run time, in the real package's words."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import compiler as hl
from compiler import runtime
from compiler.codegen.runtime_library import system_of, thread_pool


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("text", "threads"), [("3", 3), ("1", 1), ("-2", None), ("x", None)])
def test_the_number_of_threads_comes_from_the_environment(text: str, threads: int | None) -> None:
    program = "from compiler import runtime; print(runtime.num_threads())"
    environment = {**os.environ, "LIFT_NUM_THREADS": text}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == (len(os.sched_getaffinity(0)) if threads is None else threads)


def test_systems_without_a_runtime_are_refused() -> None:
    assert system_of("aarch64-apple-darwin") == "darwin"
    with pytest.raises(ValueError, match="windows"):
        thread_pool("x86_64-pc-windows-msvc")


def pair() -> tuple[hl.Func, hl.ImageParam]:
    x, y = hl.Var("x"), hl.Var("y")
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    f = hl.Func("f")
    f[x, y] = source[x, y] + source[x + 1, y]
    source.set(hl.Buffer(np.zeros((10, 10), np.uint8)))
    return f, source


def message(run) -> str:  # type: ignore[no-untyped-def]
    with pytest.raises(hl.HalideError) as caught:
        run()
    return str(caught.value)


def test_an_access_outside_is_named_with_its_place() -> None:
    f, source = pair()
    beyond = f"Input buffer {source.name()} is accessed at 10, which is beyond the max (9) in "
    assert beyond + "dimension 0" in message(lambda: f.realize([10, 10]))
    out = hl.Buffer(hl.UInt(8), [4, 4])
    out.set_min([0, -3])
    before = f"Input buffer {source.name()} is accessed at -3, which is before the min (0) in "
    assert before + "dimension 1" in message(lambda: f.realize(out))


def test_nothing_is_touched_where_a_check_fails() -> None:
    f, _ = pair()
    out = np.full((10, 10), 99, np.uint8)
    message(lambda: f.realize(hl.Buffer(out)))
    assert (out == 99).all()


def test_a_broken_promise_is_named_with_both_values() -> None:
    f, source = pair()
    source.dim(1).set_stride(64)
    said = message(lambda: f.realize([4, 4]))
    assert f"Constraint violated: {source.name()}.stride.1 (10) == 64 (64)" in said


def test_a_pipeline_runs_on_after_an_error() -> None:
    f, _ = pair()
    out = hl.Buffer(hl.UInt(8), [9, 10])
    for _ in range(3):
        message(lambda: f.realize([10, 10]))
        f.realize(out)
    assert (np.array(out) == 0).all()
    runtime.release_memory()
