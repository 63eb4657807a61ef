"""Random functions with loops in the midst of other code: `lift cc` leaves what they mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.build.programs import need
from tests.fuzz.regions import function_of, outcome_of

BATCH = 20


def check(folder: Path, seeds: range, is_cpp: bool) -> None:
    """None of these functions is wrong, and a fair part of them runs lifted code."""
    need("g++" if is_cpp else "gcc")
    found = outcome_of(folder, seeds, is_cpp)
    told = [function_of(int(name[1:]), is_cpp) for name in found.wrong]
    assert not found.wrong, "\n".join([str(sorted(found.lifted)), *told])
    host = {name.partition("#")[0] for name in found.lifted}
    assert len(host) >= len(seeds) // 3, found.said


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("is_cpp", [False, True], ids=["c", "cpp"])
def test_a_few_functions(tmp_path: Path, is_cpp: bool) -> None:
    check(tmp_path, range(2), is_cpp)


@pytest.mark.slow
@pytest.mark.parametrize("is_cpp", [False, True], ids=["c", "cpp"])
@pytest.mark.parametrize("first", range(100, 300, BATCH))
def test_functions_by_the_hundred(tmp_path: Path, first: int, is_cpp: bool) -> None:
    check(tmp_path, range(first, first + BATCH), is_cpp)


def test_a_seed_makes_one_function() -> None:
    assert function_of(7, False) == function_of(7, False) != function_of(8, False)
