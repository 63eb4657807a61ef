"""Random nests of loops are refused where the real package refuses them, and right elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import kernels_ptx

from .nests import nest
from .programs import lowered, on_device

THEIRS_ALONE = ("Cannot vectorize an allocation", "GPU lane loop")
"""What it refuses, and we don't."""


def said(seed: int) -> str:
    """`ok`, or what the compiler says."""
    try:
        g = nest(hl, seed)
        fn = lowered(g)
        kernels_ptx(fn.kernels, widths=(32,))
    except hl.HalideError as error:
        return str(error)
    name = fn.args[-1].name
    width, height, depth, count = (_extent(g, d) for d in range(4))
    made, _ = on_device(fn, {}, {name: (width, height, depth, count)})
    w, z, y, x = np.indices((count, depth, height, width))
    np.testing.assert_array_equal(made[name], 2 * (x + 10 * y + 100 * z + w) + 1)
    return "ok"


def _extent(g: hl.Func, dimension: int) -> int:
    name = g.args()[dimension].name()
    (bound,) = [b for b in g.function.schedule.bounds if b.var == name]
    return int(bound.extent.value)  # type: ignore[union-attr]


@pytest.mark.parametrize("first", (0, 10))
def test_nests_that_are_taken_are_right(first: int) -> None:
    assert [said(seed) for seed in range(first, first + 10)].count("ok") >= 2


def the_real_package_says(first: int, last: int) -> dict[int, str]:
    """By seed; it may end the process over one."""
    told: dict[int, str] = {}
    folder = Path(__file__).parents[2]
    while first < last:
        command = [sys.executable, "-m", "tests.gpu.nests", str(first), str(last)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
        for line in done.stdout.splitlines():
            seed, _, message = line.partition(" ")
            told[int(seed)], first = message, int(seed) + 1
        if first < last:
            told[first], first = f"ended: {done.stderr}", first + 1
    return told


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 200, 50))
def test_the_real_package_takes_the_same_nests(first: int) -> None:
    pytest.importorskip("halide", reason="the wheel `halide` of the real package")
    theirs = the_real_package_says(first, first + 50)
    for seed, message in theirs.items():
        own = said(seed)
        is_alike = (own == "ok") == (message == "ok")
        assert is_alike or any(x in message for x in THEIRS_ALONE), (seed, own, message)
