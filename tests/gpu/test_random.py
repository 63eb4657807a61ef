"""Random programs under random GPU schedules have the values that they define, and no race."""

from __future__ import annotations

import pytest

from .random_programs import check


@pytest.mark.parametrize("first", range(0, 50, 10))
def test_random_programs(first: int) -> None:
    said = [check(seed, with_ptx=seed % 10 == 0) for seed in range(first, first + 10)]
    assert said.count("equal") >= 7


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 2000, 50))
def test_many_random_programs(first: int) -> None:
    said = [check(seed, with_ptx=seed % 5 == 0) for seed in range(first, first + 50)]
    assert said.count("equal") >= 40
