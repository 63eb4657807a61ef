"""Random functions whose iterations hand something on: what is proved of them is so."""

from __future__ import annotations

import pytest

from tests.fuzz.accumulations import outcome_of
from tests.fuzz.scans import program

QUICK = (23, 28)
"""Scans that are proved fast: of elements, and of two scalars."""
BATCH = 25


@pytest.mark.parametrize("seed", QUICK)
def test_a_few_functions(seed: int) -> None:
    found = outcome_of([seed], program, shown=True)
    assert found.proved == [seed] and not found.wrong, found


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("first", range(0, 3000, BATCH))
def test_functions_by_the_hundred(first: int) -> None:
    """None is wrong, and of those that are stages most are proved."""
    found = outcome_of(range(first, first + BATCH), program, shown=True)
    assert not found.wrong, "\n".join(found.wrong.values())
    assert len(found.proved) >= 8, found.refused
    assert len(found.undecided) <= len(found.proved), "\n".join(found.undecided.values())
