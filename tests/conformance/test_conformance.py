"""Each construct of C++ in each context is what g++ makes of it, without and with optimizations,
or is refused with a code: never anything else. Most of them are proved the whole way.

`python -m tests.conformance` writes the table of what is refused anew.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.parse import parse_file
from lifter.verify.cases import cases

from .built import Built, build, differences
from .case import Case
from .compare import Verdict, by_language, verdicts
from .kinds import all_kinds, elsewhere, kinds, of_each_kind, with_each_kind
from .matrix import PART, WHOLE, sample
from .table import TABLE, refused

BATCH = 300
LIFTED_IN_PART = 16
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
            for batch in by_language(of_each_kind())
            for verdict in verdicts(batch, Path(folder), lift=False)
        ]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("kind", all_kinds())
def test_each_kind_stands_in_a_case_or_can_stand_in_none(kind: str) -> None:
    assert (kind in kinds()) != (elsewhere(kind) is not None)


def test_there_are_kinds_of_both_sorts() -> None:
    possible = [kind for kind in all_kinds() if elsewhere(kind) is None]
    assert 50 < len(possible) < 80 < len(all_kinds())
    assert "CXX_THROW_EXPR" in possible and "OMP_PARALLEL_DIRECTIVE" not in possible


def test_a_part_of_the_matrix_is_what_gcc_makes_of_it() -> None:
    found = part()
    assert len(found) == len({v.case.text for v in found}) > 40
    check(found)
    assert sum(v.parsed for v in found) >= 0.75 * len(found)


def test_what_is_refused_is_in_the_table() -> None:
    listed = TABLE.read_text()
    for verdict in part():
        entry = f"{verdict.case.name}\n"
        assert (entry in listed) == bool(verdict.code), str(verdict)


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("change", "words"),
    (
        (lambda text: text.replace("+ 1", "+ 2"), "as machine code"),
        (lambda text: text.replace("s[i]", "s[i + 1]"), "ended by signal"),
    ),
)
def test_machine_code_that_is_wrong_is_found(tmp_path: Path, change: Any, words: str) -> None:
    """Also what reads one element too many: it isn't there."""
    text = "void NAME(int *d, const int *s, int n, int k)\n{\n"
    text += "    for (int i = 0; i < n; i++) d[i] = s[i] + 1;\n}\n"
    right, other = Case("right", text), Case("other", change(text))
    for folder, case in (("a", right), ("b", other)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "k0.cpp").write_text(case.function("k0"))
    (kernel,), (wrong,) = (parse_file(tmp_path / f / "k0.cpp").kernels for f in ("a", "b"))
    result = lift_kernel(wrong, LiftOptions())
    inputs = [case for case in cases(kernel, 3, 9) if case.scalars["n"] > 0]
    made = build(wrong, result, tmp_path / "b", inputs)
    planted = Built(kernel, made.folder, made.inputs)
    (found,) = differences(tmp_path / "b" / "k0.cpp", [planted]).values()
    assert words in found
    assert not differences(tmp_path / "b" / "k0.cpp", [made])


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_the_whole_matrix_is_what_gcc_makes_of_it(tmp_path: Path) -> None:
    whole = with_each_kind(WHOLE)
    assert len({case.text for case in whole}) == WHOLE
    found = [
        verdict for batch in by_language(whole, BATCH) for verdict in verdicts(batch, tmp_path)
    ]
    check(found)
    assert sum(not v.code for v in found) >= 0.7 * WHOLE
    assert refused(v for v in found if not v.parsed) == TABLE.read_text()
