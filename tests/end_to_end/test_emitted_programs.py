"""The programs of the whole corpus, run as they are before anybody gets them."""

from __future__ import annotations

import pytest

from lifter.emit import build_program, emitted_texts
from lifter.lift.emitted_difference import compare_emitted
from tests.end_to_end.corpus_list import listed
from tests.end_to_end.lifted_corpus import lifted

INPUTS = 24
SECONDS = 30.0


@pytest.mark.slow
@pytest.mark.parametrize("file, name", listed())
def test_a_program_stores_what_its_function_does(file: str, name: str) -> None:
    result = lifted(file, name).result
    program = build_program(result)
    text = emitted_texts(result, program)["pipeline.py"]
    found = compare_emitted(result, program, text, INPUTS, SECONDS)
    assert found.difference is None and found.storing >= 3
