"""Random kernels: what the symbolic proof calls proved is equal on concrete inputs.

And the twin: with an obligation taken out of the proof, the same kernels show a difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from lifter.model.proof import Counterexample
from lifter.verify.region_proof import RegionProof
from tests.verify.differential import INPUTS, difference, lifted
from tests.verify.random_kernels import random_kernel


def proved_wrong(seeds: range, count: int) -> Iterator[tuple[int, str, Counterexample]]:
    """(seed, source, input) of each proved kernel that differs from its summary."""
    for seed in seeds:
        source = random_kernel(seed)
        try:
            result = lifted(source, 10.0)
        except ValueError:
            continue  # the front end refuses it, with a diagnostic that its own tests look at
        if result.status == "proved":
            found = difference(result, count)
            if found is not None:
                yield seed, source, found


def shown(wrong: tuple[int, str, Counterexample] | None) -> str:
    return "" if wrong is None else f"seed {wrong[0]}:\n{wrong[1]}\n{wrong[2]}"


def test_what_is_proved_is_equal_on_concrete_inputs() -> None:
    wrong = next(proved_wrong(range(0, 80, 8), INPUTS), None)
    assert wrong is None, shown(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("begin", range(0, 1200, 200))
def test_what_is_proved_is_equal_on_more_inputs(begin: int) -> None:
    wrong = next(proved_wrong(range(begin, begin + 200), 120), None)
    assert wrong is None, shown(wrong)


@pytest.mark.slow
def test_a_proof_without_the_frame_obligation_is_caught() -> None:
    with patch.object(RegionProof, "frame", lambda _: True):
        assert next(proved_wrong(range(80, 100), 40), None) is not None
