"""Random functions whose loops leave something in scalars: what is proved of them is so."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from compiler.ir import Variable
from lifter.dag.closed_forms import LoopAnalysis
from lifter.dag.scalars import unknown
from tests.fuzz.accumulations import outcome_of, program

QUICK = (2, 7, 8, 15, 26)
"""Functions that are proved fast, one of them with rows."""
BATCH = 25


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("seed", QUICK)
def test_a_few_functions(seed: int) -> None:
    found = outcome_of([seed])
    assert found.proved == [seed] and not found.wrong, found


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("first", range(0, 300, BATCH))
def test_functions_by_the_hundred(first: int) -> None:
    """None is wrong, and of those that are stages most are proved."""
    found = outcome_of(range(first, first + BATCH))
    assert not found.wrong, "\n".join(found.wrong.values())
    assert len(found.proved) >= 6, found.refused
    assert len(found.undecided) <= len(found.proved), "\n".join(found.undecided.values())


@pytest.mark.slow
def test_one_marker_for_what_all_loops_hand_on_is_found() -> None:
    """What an inner loop leaves isn't what the loop around it hands on."""

    def marked(self: LoopAnalysis, name: str) -> Variable:
        return unknown("carried", name, self.heads[name].type)

    with patch.object(LoopAnalysis, "carried", marked), patch.object(LoopAnalysis, "left", marked):
        assert outcome_of([5, 11, 16]).wrong
    assert not outcome_of([5, 11, 16]).wrong


def test_a_seed_makes_one_function() -> None:
    assert program(7) == program(7) != program(8)
