"""Random functions whose loops fill an array beside each other: their programs do what they do."""

from __future__ import annotations

import pytest

from lifter.emit import build_program, emitted_texts
from lifter.lift.emitted_difference import compare_emitted
from lifter.model.diagnostic import LiftError
from tests.fuzz.fills import program
from tests.verify.differential import difference, lifted

BATCH = 20
SECONDS = 10.0
"""What a proof may take, and so the runs of a program."""
INPUTS = 24
ALONE = (
    "void f(int *d, const int *s, int n)"
    " { d[0] = s[0]; for (int i = 1; i < n; i++) d[i] = d[i - 1] + d[i]; d[0] = 7; }"
)


def outcome(text: str) -> str:
    """What became of a function; raises `AssertionError` where that is wrong."""
    try:
        result = lifted(text, SECONDS)
        if result.status != "proved":
            return "unproved"
        assert difference(result) is None, text
        made = build_program(result)
        emitted = emitted_texts(result, made)["pipeline.py"]
    except LiftError as error:
        assert error.diagnostic.code != "internal", f"{text}\n{error}"
        return error.diagnostic.code
    assert compare_emitted(result, made, emitted, INPUTS, SECONDS).difference is None, text
    return "proved"


def test_an_element_that_is_stored_by_itself() -> None:
    assert outcome(ALONE) == "proved"


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("first", range(0, 1000, BATCH))
def test_functions_by_the_hundred(first: int) -> None:
    found = [outcome(program(seed)) for seed in range(first, first + BATCH)]
    assert "proved" in found
