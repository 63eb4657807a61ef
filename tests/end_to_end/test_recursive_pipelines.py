"""The recursive programs compute what numpy does, in few lines."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import compiler as hl
from corpus.pipelines.recursive import NAMES, load


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("name", NAMES)
def test_a_recursive_program_is_its_reference(name: str) -> None:
    program = load(name)
    func, image = program.made(program.test_size)
    values = program.input(program.test_size)
    image.set(hl.Buffer(values))
    made = np.array(func.realize(list(program.test_size)))
    wanted = program.reference(values)
    worst = np.abs(made.astype(np.float64) - wanted.astype(np.float64)).max()
    assert worst <= program.tolerance


@pytest.mark.parametrize("name", NAMES)
def test_a_recursive_program_is_short(name: str) -> None:
    lines = inspect.getsource(load(name).build).splitlines()
    assert len(lines) <= 15
