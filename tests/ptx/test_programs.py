"""Random pipelines under random schedules: their loop nests as PTX give what machine code gives.

One thread runs the whole pipeline. `LIFT_SEED` moves the first program.
"""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest

import compiler as hl
from compiler import ir
from compiler.codegen import CompilerRuntimeError
from compiler.runtime import compile_in_process
from tests.fuzz.pipelines.generate import generate
from tests.fuzz.pipelines.run import build, inputs_for

from .machine import TooLong
from .one_thread import lowered, run_in_one_thread

FIRST = int(os.environ.get("LIFT_SEED", "0"))
SMALL = (17, 5)
PIXELS = 90
QUICK = (1, 11)
PER_TEST = 10


def outcome(seed: int) -> str:
    """`equal`, or why nobody computed everything; fails where the two differ."""
    program = generate(seed)
    if program.size[0] * program.size[1] > PIXELS:
        program = replace(program, size=SMALL)
    images = inputs_for(program)
    try:
        fn = lowered(build(hl, program, images))
    except hl.HalideError:
        return "refused by lowering"
    shape = tuple(reversed(program.size))
    if fn.constants or any(a.is_output and a.dimensions != 2 for a in fn.args):
        return "of another shape"
    expected = [np.zeros(shape, ir.dtype_of(a.type)) for a in fn.args if a.is_output]
    waiting = iter(expected)
    numbers = {"p": program.parameter}
    given = [
        next(waiting) if a.is_output else images[a.name] if a.is_buffer else numbers[a.name]
        for a in fn.args
    ]
    try:
        compile_in_process(fn)(*given)
    except CompilerRuntimeError:
        return "refused at run time"
    try:
        made, _ = run_in_one_thread(fn, images, numbers, program.size)
    except TooLong:
        return "too long"
    except hl.HalideError as error:
        assert "bit for bit" in str(error) or "own memory" in str(error), program.text()
        return "refused by the device"
    for got, wanted in zip(made, expected, strict=True):
        assert np.array_equal(got, wanted), f"seed {seed}:\n{program.text()}"
    return "equal"


@pytest.mark.parametrize("seed", QUICK)
def test_a_pipeline_is_the_same_on_the_device(seed: int) -> None:
    assert outcome(seed) == "equal"


@pytest.mark.slow
@pytest.mark.parametrize("block", range(5))
def test_pipelines_are_the_same_on_the_device(block: int) -> None:
    begin = FIRST + block * PER_TEST
    outcomes = [outcome(seed) for seed in range(begin, begin + PER_TEST)]
    assert outcomes.count("equal") >= PER_TEST // 4, outcomes
