"""Every program of `corpus/pipelines/`, under its ARM schedule, computes its reference on AArch64.

Objects are made here, with nothing but LLVM, and run under qemu.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import compiler
from corpus.pipelines import NAMES, load
from tests.codegen.aarch64 import CompiledJob, compiled, job_of, missing, run_compiled

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"{missing()}")

HEAVY = {  # to compile
    "camera_pipe",
    "interpolate",
    "lens_blur",
    "local_laplacian",
    "max_filter",
    "stencil_chain",
}
LIGHT = [name for name in NAMES if name not in HEAVY]
THREADED, MANY = ["blur", "hist", "harris"], 300
Outputs = tuple[np.ndarray[Any, Any], ...]


@cache
def given(name: str) -> dict[str, Any]:
    program = load(name)
    return program.inputs(program.test_size, 1)


@cache
def object_of(name: str) -> CompiledJob:
    program = load(name)
    algorithm = program.build(compiler)
    program.schedule(compiler, algorithm, "arm")
    pipeline = compiler.Pipeline(list(algorithm.outputs))
    return compiled(job_of(pipeline, given(name), program.test_size), name)


def difference(name: str, found: list[np.ndarray[Any, Any]]) -> float:
    """The greatest difference from the reference; types' kinds and shapes must be equal."""
    wanted = load(name).reference(given(name))
    assert [one.shape for one in found] == [one.shape for one in wanted]
    return max(
        float(np.max(np.abs(one.astype(np.float64) - other.astype(np.float64))))
        for one, other in zip(found, wanted, strict=True)
    )


def check(names: list[str], times: int = 1, threads: int = 2) -> None:
    results = run_compiled([object_of(name) for name in names], times, threads)
    wrong = {
        name: difference(name, found)
        for name, found in zip(names, results, strict=True)
        if not difference(name, found) <= load(name).tolerance
    }
    assert not wrong, f"differences beyond the tolerance: {wrong}"


def test_programs_under_their_arm_schedules_compute_the_reference() -> None:
    check(LIGHT)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(HEAVY))
def test_large_programs_under_their_arm_schedules_compute_the_reference(name: str) -> None:
    check([name])


def test_threads_give_the_same_bits_every_time() -> None:
    check(THREADED, times=MANY, threads=4)


def test_one_thread_is_enough() -> None:
    check(THREADED, threads=1)


def test_a_wrong_pixel_would_be_noticed() -> None:
    (found,) = run_compiled([object_of("blur")])
    found[0][-1, -1] += 1
    assert difference("blur", found) == 1
