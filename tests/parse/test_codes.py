"""The closed list of the front end's codes: each example gives its code, each code is listed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import lifter.parse
from lifter.model.codes import all_codes
from lifter.model.parse_codes import CODES

from .parsing import codes, parse

SOURCES = Path(lifter.parse.__file__).parent.glob("*.py")
SNIPPETS = {code: e.example for code, e in CODES.items() if not e.example.startswith("lift ")}


@pytest.mark.parametrize("code", SNIPPETS)
def test_the_example_gives_its_code(code: str) -> None:
    assert set(codes(parse(SNIPPETS[code]))) == {code}


def test_every_code_that_the_front_end_uses_is_in_the_closed_list() -> None:
    call = re.compile(r"\b(?:unsupported|user_error|finding)\(\s*\"([a-z-]+)\"")
    used = {code for path in SOURCES for code in call.findall(path.read_text())}
    assert len(used) > 15
    assert used <= set(all_codes())


def test_every_entry_says_what_to_do() -> None:
    assert all(e.meaning.endswith(".") and e.ways_out for e in CODES.values())
