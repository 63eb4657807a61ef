"""JUnit XML: readable by any parser, and as the schema of Jenkins's readers has it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lifter.model.diagnostic import Diagnostic
from lifter.show.visible import visible_line
from tests.ci.hostile import HOSTILE, SOURCE, about, failing

SCHEMA = Path(__file__).parent / "data" / "junit-10.xsd"
"""The schema of Jenkins's xUnit plug-in (MIT licence, its notice stands in the file)."""
BEYOND_THE_SCHEMA = ("file", "line")
"""Attributes of a test that GitLab and CircleCI read and the schema doesn't have."""


@cache
def schema():
    import xmlschema  # here, because that takes long and few processes need it

    return xmlschema.XMLSchema10(str(SCHEMA))


def report(text):
    root = ElementTree.fromstring(text.encode("utf-8"))
    strict = ElementTree.fromstring(text.encode("utf-8"))
    for test in strict.iter("testcase"):
        for name in BEYOND_THE_SCHEMA:
            test.attrib.pop(name, None)
    schema().validate(strict)
    return root


def test_the_schema_finds_what_is_wrong(written):
    text = written("junit", [failing("a.cpp")])
    with pytest.raises(ValueError, match="title"):
        report(text.replace("<testcase name=", "<testcase title="))


def test_every_hostile_name_has_a_suite_of_its_own(written, hostile_cases):
    root = report(written("junit", hostile_cases))
    assert {suite.get("name") for suite in root} == {visible_line(name) for name in HOSTILE}
    for suite in root:
        [test] = suite
        assert test.get("classname") == suite.get("name")
        assert "]]> <b>" in test.find("failure").text


def test_a_failure_says_where_shows_the_line_and_tells_what_differs(written, repository):
    (repository / "a.cpp").write_text(SOURCE, "utf-8")
    span = about("a.cpp").span
    [failure] = report(written("junit", [failing("a.cpp", place=span)])).iter("failure")
    assert failure.get("type") == "refuted"
    assert failure.get("message") == "not equal: they differ in a.cpp"
    place, line, mark, first, _ = failure.text.split("\n")
    assert place == "a.cpp:4:60"
    assert line[mark.index("^") : mark.rindex("~") + 1] == "dst[n]"
    assert first == "with n = 1"


def test_outcomes_are_counted_as_readers_count_them(written):
    cases = [
        failing("a.cpp", name="one"),
        failing("a.cpp", name="two", outcome="undecided", code="undecided"),
        failing("a.cpp", name="three", outcome="skip", verdict="skipped"),
        failing("b.cpp", name="four", outcome="pass", code=None, verdict="proved", message=""),
    ]
    root = report(written("junit", cases))
    counts = [
        tuple(suite.get(k) for k in ("tests", "failures", "errors", "skipped", "time"))
        for suite in root
    ]
    assert counts == [("3", "1", "1", "1", "0.750"), ("1", "0", "0", "0", "0.250")]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("4", "1", "1")
    assert list(root[1][0]) == []


def test_an_error_about_a_file_or_the_run_is_a_test_that_has_an_error(written, repository):
    (repository / "a.cpp").write_text(SOURCE)
    lost = Diagnostic("file-missing", "error", "b.cpp: no such file")
    noted = about("a.cpp", "warning")
    root = report(written("junit", [], about("a.cpp", "error"), lost, noted))
    found = {(s.get("name"), t.get("name"), t.find("error").get("type")) for s in root for t in s}
    assert found == {
        ("a.cpp", "(reading the file)", "out-of-bounds"),
        ("(the run)", "file-missing", "file-missing"),
    }


def test_what_xml_has_no_place_for_is_shown_or_replaced(written):
    bad = "".join(map(chr, range(32))) + "\x7f\ufffe\uffff\ud800\U0001f600"
    root = report(written("junit", [failing("a.cpp", message=bad, detail=bad, name="f\x00")]))
    [test] = root.iter("testcase")
    assert test.get("name") == "f\\x00"
    assert test.find("failure").text.endswith(
        "\x7f".replace("\x7f", "\\x7f") + "\ufffd\ufffd\\ud800😀"
    )


def test_lift_gives_one_document_on_stdout(lift, repository):
    (repository / "a.cpp").write_text(
        "void g(int *d, int n) { for (int i = 0; i < n; i++) d[i] = 1; }\nint k() { return 1; }\n"
    )
    status, out, _ = lift("a.cpp", "gone.cpp", "--format", "junit")
    root = report(out)
    assert status == 2
    assert [(s.get("name"), s.get("tests")) for s in root] == [("a.cpp", "2"), ("(the run)", "1")]
