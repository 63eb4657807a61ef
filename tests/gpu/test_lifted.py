"""Lifted programs under the compiler's own schedule for devices leave the processor's bits."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import compiler as hl
from lifter.bench.scalars import NoArguments
from lifter.emit import emit
from tests.emit import samples
from tests.end_to_end.built_corpus import emitted
from tests.end_to_end.corpus_list import listed

from .lifted_programs import LiftedProgram

SIZES = ((7, 5), (1, 1), (0, 3))
UNDRAWN = {"FxCurve15"}
"""Its pipeline alone wants a table as long as numbers of 16 bits need, which it hasn't."""


GIVEN = {"modes": {"mode": 3}}
"""Scalars for which a sample does something at all."""


def compare(
    program: LiftedProgram, width: int, height: int, given: Mapping[str, int] | None = None
) -> int:
    """How many kernels were launched; none where the function takes no image of this size."""
    try:
        values, expected = program.contents(width, height, "random", 1)
    except NoArguments:
        return 0
    values = {**values, **(given or {})}
    program.run(values, expected, hl.Target("host"))
    launches = 0
    for way in ("emulated", "device", "ptx"):
        _, made = program.contents(width, height, "random", 1)
        if way == "emulated":
            program.run(values, made, hl.Target("host-cuda_emulated"))
        else:
            launches += program.in_kernels(values, made, way == "ptx").launches
        for name, memory in expected.items():
            of_floats = memory.values.dtype.kind == "f"
            assert np.array_equal(memory.values, made[name].values, equal_nan=of_floats), way
    return launches


@pytest.mark.parametrize(
    "sample",
    [
        pytest.param(
            one, marks=() if one is samples.multiply else pytest.mark.slow, id=one.__name__
        )
        for one in samples.SAMPLES
    ],
)
def test_a_sample_is_the_same_in_kernels(sample, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    emit(sample(), tmp_path / "out")
    program = LiftedProgram(tmp_path / "out", monkeypatch)
    given = GIVEN.get(sample.__name__)
    launches = sum(compare(program, *size, given) for size in SIZES[:2])
    assert launches > 0


@pytest.mark.slow
@pytest.mark.parametrize("file, name", [x for x in listed() if x[1] not in UNDRAWN])
def test_a_kernel_of_the_corpus_is_the_same_in_kernels(
    file: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = LiftedProgram(emitted(file, name), monkeypatch)
    assert sum(compare(program, *size) for size in SIZES) > 0
