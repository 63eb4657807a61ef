"""The closed list of codes: complete, documented, and told on request."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from lifter.model.codes import all_codes
from lifter.report.failures_page import failures_page

ROOT = Path(__file__).parents[2]
REPORTERS = {"Diagnostic", "unsupported", "user_error", "finding"}


def _codes_in_the_source() -> dict[str, str]:
    """Each code that the lifter's source reports, and where."""
    found = {}
    called = re.compile(rf"\b({'|'.join(REPORTERS)})\(")
    texts = {path: path.read_text() for path in sorted((ROOT / "lifter").rglob("*.py"))}
    for path, text in texts.items():
        for node in ast.walk(ast.parse(text)) if called.search(text) else ():
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                first = node.args[0]
                if name in REPORTERS and isinstance(first, ast.Constant):
                    found[str(first.value)] = f"{path.relative_to(ROOT)}:{node.lineno}"
    return found


def test_every_code_that_the_source_reports_is_on_the_list():
    used = _codes_in_the_source()
    assert len(used) > 20
    assert {code: place for code, place in used.items() if code not in all_codes()} == {}


def test_the_page_is_made_from_the_list():
    assert (ROOT / "docs" / "failures.md").read_text() == failures_page()


@pytest.mark.parametrize("name", sorted(all_codes()))
def test_each_entry_says_what_it_means_with_an_example_and_a_way_out(name):
    code = all_codes()[name]
    assert code.meaning.endswith((".", ")"))
    assert code.example.strip()
    assert code.ways_out
    assert name == name.lower().replace("_", "-")


def test_explain_shows_an_entry(lift):
    ran = lift("explain", "timeout")
    assert ran.status == 0
    assert "longer than `--timeout` seconds" in ran.out
    assert "example:" in ran.out
    assert "ways out:" in ran.out


def test_explain_suggests_codes_for_a_misspelt_one(lift):
    ran = lift("explain", "time-out")
    assert ran.status == 2
    assert "no diagnostic has the code `time-out` [unknown-code]" in ran.err
    assert "did you mean timeout" in ran.err


@pytest.mark.slow
def test_explain_lists_the_functions_of_a_file(lift, tmp_path):
    (tmp_path / "a.cpp").write_text(
        "void f(int *d) { d[0] = 1; }\nvoid g(int *d) { goto end; end: d[0] = 2; }\n"
    )
    ran = lift("explain", "a.cpp")
    assert ran.status == 0
    one, two, *_ = ran.out.splitlines()
    assert one.split() == ["1", "new", "f", "not", "lifted", "yet"]
    assert two.split()[:3] == ["2", "failed", "g"]
    assert two.endswith("[goto]")
    assert "lift explain a.cpp:FUNCTION" in ran.out
    lift("a.cpp", "--function", "f")
    assert "proved    f                         d() = i32(1)" in lift("explain", "a.cpp").out
