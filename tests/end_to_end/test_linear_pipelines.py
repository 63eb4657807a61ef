"""Every kernel of `corpus/pipelines/linear/` computes its numpy reference, by Halide and by ours.

All are exact: integers, or floats whose sums need no rounding.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import halide
import numpy as np
import pytest

import compiler
from corpus.pipelines.linear import NAMES, load
from corpus.pipelines.program import Algorithm

Array = np.ndarray[Any, Any]


@cache
def given(name: str) -> dict[str, Any]:
    program = load(name)
    return program.inputs(program.test_size, 1)


@cache
def expected(name: str) -> Array:
    (made,) = load(name).reference(given(name))
    return made


def computed(hl: ModuleType, name: str, schedule: str) -> Array:
    program = load(name)
    (found,) = program.compile(hl, schedule)(given(name), program.test_size)
    return found


def test_all_kernels_of_table_4_4_are_there() -> None:
    assert len(NAMES) == 12


@pytest.mark.sampled(every=32)
@pytest.mark.parametrize("schedule", ["x86", "plain"])
@pytest.mark.parametrize("name", NAMES)
def test_the_real_package_computes_the_reference(name: str, schedule: str) -> None:
    assert np.array_equal(computed(halide, name, schedule), expected(name))


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("schedule", ["x86", "arm", "plain", "default"])
@pytest.mark.parametrize("name", NAMES)
def test_ours_computes_the_reference(
    name: str, schedule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if schedule == "plain":
        monkeypatch.setenv("LIFT_DEFAULT_SCHEDULE", "off")
    assert np.array_equal(computed(compiler, name, schedule), expected(name))


@pytest.mark.parametrize("name", NAMES)
def test_other_inputs_have_other_results(name: str) -> None:
    program = load(name)
    other = program.reference(program.inputs(program.test_size, 2))[0]
    assert not np.array_equal(other, expected(name))


def test_what_lies_above_the_diagonal_counts_for_nothing() -> None:
    values = dict(given("trmm"))
    values["a"] = np.tril(values["a"])
    assert np.array_equal(load("trmm").reference(values)[0], expected("trmm"))


def test_a_schedule_can_reach_every_stage() -> None:
    algorithm = load("three_mm").build(compiler)
    assert isinstance(algorithm, Algorithm)
    assert set(algorithm.stages) == {"left", "right", "output"}
