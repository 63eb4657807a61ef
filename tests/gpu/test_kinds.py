"""Programs of many kinds make on devices what numpy says, and the real package takes them, too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compiler as hl

from .kinds import KINDS, NO_KERNEL, Made, realized
from .programs import by_ptx, lowered, on_device

EMULATED = hl.Target("host-cuda_emulated")
THEIR_FAULTS = {"numbers of all sizes share a block": "shared memory is left"}
"""Kernels of the real package's that go beyond what their launch gives a block."""
QUICK = list(KINDS)[::3]


def some(names: Any, quick: Any = QUICK) -> list[Any]:
    return [pytest.param(n, marks=() if n in quick else pytest.mark.slow) for n in names]


def in_kernels(name: str, made: Made, with_ptx: bool) -> list[np.ndarray[Any, Any]]:
    """What the device out of numpy, or the PTX machine, makes of it."""
    fn = lowered(*made.outputs)
    images = {p.name(): array for p, array in made.images}
    numbers = {p.name(): number for p, number in made.numbers}
    outputs = [a.name for a in fn.args if a.is_output]
    shapes = {n: each.shape[::-1] for n, each in zip(outputs, made.expected, strict=True)}
    launcher = by_ptx(fn, spreads=True) if with_ptx else None
    found, counts = on_device(fn, images, shapes, launcher, **numbers)
    assert counts.launches or name in NO_KERNEL
    return [found[output] for output in outputs]


@pytest.mark.parametrize("name", some(KINDS))
def test_a_program_makes_what_numpy_says(name: str) -> None:
    made = KINDS[name](hl)
    for found in (
        in_kernels(name, made, False),
        in_kernels(name, made, True),
        realized(hl, made, EMULATED),
    ):
        for one, other in zip(found, made.expected, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_the_real_package_makes_the_same(name: str) -> None:
    pytest.importorskip("halide", reason="the wheel `halide` of the real package")
    command = [sys.executable, "-m", "tests.gpu.kinds", name]
    folder = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    said = done.stdout + done.stderr
    assert (done.returncode == 0) == (name not in THEIR_FAULTS), said
    assert THEIR_FAULTS.get(name, "") in said
