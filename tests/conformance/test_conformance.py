"""Each construct of C++ in each context is what g++ makes of it, without and with optimizations,
or is refused with a code: never anything else. Most of them are proved the whole way.

`python -m tests.conformance` writes the table of what is refused anew.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from .compare import Verdict, by_language, verdicts
from .matrix import PART, WHOLE, sample
from .table import TABLE, refused

BATCH = 300
LIFTED_IN_PART = 8
"""One of so many goes the whole way in a quick run."""


def check(found: list[Verdict]) -> None:
    wrong = [v for v in found if v.wrong]
    assert not wrong, "\n\n".join(map(str, wrong[:5]))
    internal = [v for v in found if v.code == "internal"]
    assert not internal, "\n\n".join(map(str, internal[:5]))
    idle = [v for v in found if v.parsed and not v.calls]
    assert not idle, "\n\n".join(map(str, idle[:5]))


@cache
def part() -> list[Verdict]:
    with TemporaryDirectory() as folder:
        return [
            verdict
            for batch in by_language(sample(PART))
            for verdict in verdicts(batch, Path(folder), lift=False)
        ]


def test_a_part_of_the_matrix_is_what_gcc_makes_of_it() -> None:
    found = part()
    assert len(found) == PART == len({v.case.text for v in found})
    check(found)
    assert sum(v.parsed for v in found) >= 0.85 * PART


def test_what_is_refused_is_in_the_table() -> None:
    listed = TABLE.read_text()
    for verdict in part():
        entry = f"{verdict.case.name}\n"
        assert (entry in listed) == bool(verdict.code), str(verdict)


def test_most_of_a_part_is_proved_and_evaluates_to_the_same() -> None:
    with TemporaryDirectory() as folder:
        found = [
            verdict
            for batch in by_language(sample(PART)[::LIFTED_IN_PART])
            for verdict in verdicts(batch, Path(folder))
        ]
    check(found)
    refusals = [v for v in found if v.code]
    assert len(refusals) <= 0.3 * len(found), "\n\n".join(map(str, refusals))


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_the_whole_matrix_is_what_gcc_makes_of_it(tmp_path: Path) -> None:
    cases = sample(WHOLE)
    assert len({case.text for case in cases}) == WHOLE
    found = [
        verdict for batch in by_language(cases, BATCH) for verdict in verdicts(batch, tmp_path)
    ]
    check(found)
    assert sum(not v.code for v in found) >= 0.7 * WHOLE
    assert refused(v for v in found if not v.parsed) == TABLE.read_text()
