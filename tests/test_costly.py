"""The list of costly cases names cases that there are, and leaves some of each test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.costly import costly, left_alone, strangers

ROOT = Path(__file__).parents[1]


def test_what_is_no_case_and_a_test_without_any_are_seen() -> None:
    found = ["a.py::one[1]", "a.py::one[2]", "a.py::two[1]"]
    assert strangers(["a.py::one[3]", "a.py::one[1]", "b.py::one[3]"], found) == ["a.py::one[3]"]
    assert left_alone(["a.py::one[1]", "a.py::two[1]"], found) == ["a.py::two"]


def test_the_files_are_there_and_have_these_tests() -> None:
    for name in {case.partition("[")[0] for case in costly()}:
        file, _, test = name.partition("::")
        assert f"def {test}(" in (ROOT / file).read_text("utf-8"), name


@pytest.mark.slow
def test_each_is_a_case_of_which_others_stay() -> None:
    assert not strangers(costly(), collected("slow or not slow"))
    assert not left_alone(costly(), collected("not slow"))


def collected(mark: str) -> list[str]:
    """The cases of the listed files."""
    files = sorted({case.partition("::")[0] for case in costly()})
    options = ("--collect-only", "-q", "-o", "addopts=", "-m", mark)
    command = [sys.executable, "-m", "pytest", *options, *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return [line for line in done.stdout.splitlines() if "::" in line]
