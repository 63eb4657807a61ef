"""The programs of `corpus/pipelines` on devices have the processor's bits, and no race.

Under the compiler's own choice and under a schedule by hand: as loops of the processor at their own
size, and at a small one by the device out of numpy and the PTX machine.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from corpus.pipelines import NAMES
from corpus.pipelines.linear import NAMES as LINEAR

from .corpus_programs import Case, load

SMALL = {
    "bilateral_grid": (19, 11), "blur": (35, 9), "camera_pipe": (33, 17, 3),
    "conv_layer": (33, 13, 2, 1), "convlayer": (33, 9, 3, 2), "doitgen": (35, 9, 2),
    "harris": (35, 9), "hist": (33, 9, 3), "iir_blur": (35, 17, 3), "interpolate": (33, 9, 3),
    "lens_blur": (33, 9, 3), "local_laplacian": (33, 9, 3), "mat_mul": (65, 33),
    "max_filter": (33, 9, 3), "nl_means": (17, 9, 3), "stencil_chain": (35, 9),
    "unsharp": (35, 9, 3),
}  # fmt: skip
ELSE = (35, 17)
FEWER = {
    "interpolate": ("LEVELS", 4),
    "lens_blur": ("LEVELS", 3),
    "local_laplacian": ("OCTAVES", 3),
    "stencil_chain": ("STAGES", 4),
}
"""Stages of the same kind of which the small programs have fewer."""
QUICK = {("blur", "gpu"), ("hist", "gpu"), ("tp", "gpu"), ("syrk", "plain")}
QUICK_IN_PROCESS = {("blur", "plain"), ("harris", "gpu"), ("hist", "plain"), ("trmm", "gpu")}
SCHEDULES = ("plain", "gpu")


def cases(quick: set[tuple[str, str]]) -> list[Any]:
    return [
        pytest.param(name, how, marks=() if (name, how) in quick else pytest.mark.slow)
        for name in (*NAMES, *LINEAR)
        for how in SCHEDULES
    ]


@pytest.mark.parametrize(("name", "schedule"), cases(QUICK_IN_PROCESS))
def test_a_program_is_the_same_as_loops_over_blocks_and_threads(name: str, schedule: str) -> None:
    case = Case(name, load(name).test_size)
    for one, other in zip(
        case.realized(schedule, "host-cuda_emulated"), case.expected(), strict=True
    ):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("name", "schedule"), cases(QUICK))
def test_a_program_is_the_same_in_kernels(
    name: str, schedule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in FEWER:
        monkeypatch.setattr(import_module(f"corpus.pipelines.{name}"), *FEWER[name])
    case = Case(name, SMALL.get(name, ELSE))
    expected = case.realized("plain", "host")
    for with_ptx in (False, True):
        made, counts = case.on_device(schedule, with_ptx)
        assert counts.launches > 0
        for one, other in zip(made, expected, strict=True):
            np.testing.assert_array_equal(one, other)
