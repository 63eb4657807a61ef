"""Random pipelines under random schedules give the same bits as AArch64 code under qemu.

`python -m tests.fuzz.pipelines --seed N --aarch64` replays one and shrinks it; `LIFT_SEED` moves
the first.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from compiler.codegen import Target
from tests.sample import covering

from .pipelines.generate import generate
from .pipelines.on_aarch64 import ComparisonOnAArch64, findings_on_aarch64, missing
from .pipelines.run import Finding
from .pipelines.shrink import shrunk
from .test_pipelines import features

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"{missing()}")

FIRST = int(os.environ.get("LIFT_SEED", "0")) + 500_000
BLOCK = 50
SAMPLE = 5
"""Programs of a quick run, of the first block."""


def findings(seeds: Sequence[int]) -> list[Finding]:
    """What is wrong with the programs of these seeds; the first finding made small."""
    found, counts = findings_on_aarch64(seeds)
    assert found or counts.equal > len(seeds) // 2, f"too few programs count: {counts}"
    if found:
        with ComparisonOnAArch64() as comparison:
            found[0] = shrunk(found[0], comparison)
    return found


def test_a_sample_of_the_first_pipelines_gives_the_same_bits() -> None:
    programs = [generate(seed) for seed in range(FIRST, FIRST + BLOCK)]
    found = findings([program.seed for program in covering(programs, features, SAMPLE)])
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.slow
def test_fifty_pipelines_give_the_same_bits() -> None:
    found = findings(range(FIRST, FIRST + BLOCK))
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_five_hundred_pipelines_give_the_same_bits(block: int) -> None:
    first = FIRST + 100_000 + block * BLOCK
    found = findings(range(first, first + BLOCK))
    assert not found, "\n\n".join(map(str, found))


def plant_wrong_maximum() -> None:
    """On AArch64 alone, maxima of integers are minima."""
    from compiler import ir
    from compiler.codegen import selection

    def wrong(e: ir.Expr, target: Target) -> ir.Expr | None:
        is_maximum = isinstance(e, ir.Max) and e.type.is_integer
        return ir.Min(e.a, e.b) if is_maximum and target.architecture == "aarch64" else None

    selection.PATTERNS[ir.Max] = (wrong, *selection.PATTERNS.get(ir.Max, ()))


def test_a_planted_bug_is_found() -> None:
    found, counts = findings_on_aarch64((2, 5, 6), plant_wrong_maximum)
    assert any("differ" in one.what for one in found), f"nothing found: {counts}"
    assert "--aarch64" in str(found[0])
