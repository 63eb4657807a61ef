"""Every program of `corpus/pipelines/` gives the same picture under every method's schedule.

The schedule is made for the program's full size; numpy's reference judges it at five others, from
a single point to more than a tile: estimates that are far from what comes are no mistake.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest

import compiler
from compiler.autosched import available
from corpus.pipelines import NAMES, load
from corpus.pipelines.program import Algorithm, Compiled, autoschedule

from .test_pipelines import Outputs, differences, marks

SIZES = {
    "a point": lambda extent: 1,
    "seven": lambda extent: 7,
    "half": lambda extent: extent // 2 + 1,
    "usual": lambda extent: extent,
    "twice": lambda extent: 2 * extent + 3,
}
CHANNELS = 4
"""An extent up to this is a number of channels or images, which stays."""


def size(name: str, which: str) -> tuple[int, ...]:
    scaled = SIZES[which]
    return tuple(e if e <= CHANNELS else scaled(e) for e in load(name).test_size)


@cache
def given(name: str, which: str) -> dict[str, Any]:
    return load(name).inputs(size(name, which), 1)


@cache
def expected(name: str, which: str) -> Outputs:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return load(name).reference(given(name, which))


def defined(found: Outputs, wanted: Outputs) -> tuple[Outputs, Outputs]:
    """Both with 0 where both are no number: a point without any colour around it is 0 / 0."""
    nowhere = [np.isnan(a) & np.isnan(b) for a, b in zip(found, wanted, strict=True)]
    return tuple(
        tuple(np.where(n, 0, a).astype(a.dtype) for a, n in zip(side, nowhere, strict=True))
        for side in (found, wanted)
    )


def scheduled(name: str, method: str) -> Algorithm:
    program = load(name)
    algorithm = program.build(compiler)
    settings = {"budget": "0"} if method == "Measured" else {}
    values = program.inputs(program.size, 1)
    autoschedule(compiler, algorithm, method, values, program.size, **settings)
    return algorithm


@pytest.mark.sampled(every=9)
@pytest.mark.parametrize("method", available())
@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in NAMES])
def test_a_schedule_for_the_full_size_is_right_at_five_others(name: str, method: str) -> None:
    compiled = Compiled(compiler, scheduled(name, method))
    wrong = {}
    for which in SIZES:
        found = compiled(given(name, which), size(name, which))
        apart = max(differences(*defined(found, expected(name, which))))
        if not apart <= load(name).tolerance:
            wrong[which] = apart
    assert not wrong
