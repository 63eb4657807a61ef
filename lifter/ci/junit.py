"""JUnit XML as Jenkins, GitLab, Azure and CircleCI read it: a suite a file, a test a function."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC
from xml.etree import ElementTree

from ..show.visible import visible, visible_line
from .case import ReportedCase
from .findings import ReportedFinding, Results, findings_of, place_of
from .places import Place, Places

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no place for, not even escaped (section 2.2)."""
_READING = "(reading the file)"
_ABOUT_RUN = "(the run)"


def to_junit(results: Results) -> str:
    """The document. A function that fails is a failure, an undecided one an error.

    An error about a file as a whole is a test of that file's suite; one about the run has a suite
    of its own, so nothing that turns the exit status can be missed on a page of tests.
    """
    places = Places(results.root)
    by_file: dict[str, list[ElementTree.Element]] = {}
    for case in sorted(results.cases, key=lambda c: (c.file, c.line, c.name)):
        shown = visible_line(places.shown(case.file))
        by_file.setdefault(shown, []).append(_test(case, shown, places))
    about_files = replace(results, cases=())
    for finding in findings_of(about_files, places):
        if finding.level == "error":
            shown = visible_line(places.shown(finding.place.file)) if finding.place else _ABOUT_RUN
            by_file.setdefault(shown, []).append(_file_test(finding, shown))
    began = results.began.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    suites = [_suite(file, tests, began) for file, tests in by_file.items()]
    root = ElementTree.Element("testsuites", {"name": results.command, **_counts(suites)})
    root.extend(suites)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, "unicode")}\n'


def _test(case: ReportedCase, file: str, places: Places) -> ElementTree.Element:
    test = _case(case.name, file, case.line, case.seconds)
    kind = {"fail": "failure", "undecided": "error", "skip": "skipped"}.get(case.outcome)
    if kind is not None:
        message = f"{case.verdict}: {case.message}" if case.message else case.verdict
        said = ElementTree.SubElement(test, kind, message=_xml(message))
        if kind != "skipped":
            said.set("type", case.code or case.verdict)
            found = place_of(case, places)
            said.text = _xml(_told(found, file, case.detail))
    return test


def _file_test(finding: ReportedFinding, file: str) -> ElementTree.Element:
    name = _READING if finding.place else finding.code
    test = _case(name, file, finding.place.line if finding.place else None, 0.0)
    error = ElementTree.SubElement(test, "error", message=_xml(finding.message), type=finding.code)
    error.text = _xml(_told(finding.place, file, finding.detail))
    return test


def _case(name: str, file: str, line: int | None, seconds: float) -> ElementTree.Element:
    test = ElementTree.Element("testcase", name=_xml(name), classname=_xml(file))
    if line is not None:
        test.set("file", _xml(file))
        test.set("line", str(line))
    test.set("time", f"{seconds:.3f}")
    return test


def _told(place: Place | None, file: str, detail: str) -> str:
    """Where it is, the source line with a mark below it, and the details."""
    lines = []
    if place is not None:
        lines.append(f"{file}:{place.line}:{place.column}")
        if place.text.strip():
            before, rest = place.text[: place.column - 1], place.text[place.column - 1 :]
            marked = rest[: place.end_column - place.column]
            shown = visible(before).expandtabs(4)
            lines.append("    " + shown + visible(rest).expandtabs(4))
            lines.append("    " + " " * len(shown) + "^" + "~" * (len(visible(marked)) - 1))
    return "\n".join([*lines, detail]).strip("\n")


def _suite(file: str, tests: Sequence[ElementTree.Element], began: str) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=_xml(file))
    suite.extend(tests)
    for name, value in _counts([suite]).items():
        suite.set(name, value)
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    suite.set("timestamp", began)
    return suite


def _counts(suites: Iterable[ElementTree.Element]) -> dict[str, str]:
    tests = [test for suite in suites for test in suite.iter("testcase")]
    return {
        "tests": str(len(tests)),
        "failures": str(sum(test.find("failure") is not None for test in tests)),
        "errors": str(sum(test.find("error") is not None for test in tests)),
        "time": f"{sum(float(test.get('time', 0)) for test in tests):.3f}",
    }


def _xml(text: str) -> str:
    return _NO_XML.sub("\ufffd", visible(text))
