"""GitHub's annotations, read back by the rules that GitHub documents for workflow commands."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from lifter.ci.github import log_line
from lifter.model.diagnostic import Diagnostic
from lifter.show.visible import visible_line
from tests.ci.hostile import HOSTILE, SOURCE, about, failing


def unescaped(text, marks):
    for mark in marks:
        text = text.replace(f"%{ord(mark):02X}", mark)
    return text.replace("%25", "%")


def commands(text):
    """What a runner makes of a log: (name, properties, message) for each line that is a command.

    A line whose first visible characters are `::` is one, up to the next `::` its properties.
    """
    found = []
    for line in re.split(r"\r\n|\r|\n", text):
        if not line.lstrip().startswith("::"):
            assert "##[" not in line, "an old command, wherever in the line"
            continue
        head, _, message = line.lstrip()[2:].partition("::")
        name, _, rest = head.partition(" ")
        pairs = (pair.partition("=") for pair in rest.split(",") if pair)
        properties = {key.strip(): unescaped(value, ":,\r\n") for key, _, value in pairs}
        found.append((name, properties, unescaped(message, "\r\n")))
    return found


def test_every_hostile_name_gives_one_annotation_of_its_file(written, hostile_cases):
    found = commands(written("github", hostile_cases))
    assert [name for name, _, _ in found] == ["error"] * len(HOSTILE)
    assert {p["file"] for _, p, _ in found} == {visible_line(name) for name in HOSTILE}
    for _, properties, message in found:
        assert set(properties) == {"file", "line", "endLine", "col", "endColumn", "title"}
        assert message.endswith("with n = 1\n  100% :: ]]> <b> [a](b)")


def test_an_annotation_says_place_title_and_message(written, repository):
    (repository / "a.cpp").write_text(SOURCE, "utf-8")
    [(name, properties, message)] = commands(written("github", [], about("a.cpp")))
    assert name == "warning"
    assert properties == {
        "file": "a.cpp", "line": "4", "endLine": "4", "col": "60", "endColumn": "66",
        "title": "lift [out-of-bounds]",
    }  # fmt: skip
    assert message == "writes outside\na note\nhelp: grow it"


def test_failures_are_errors_and_what_is_undecided_warnings_the_worst_first(written):
    undecided = failing("a.cpp", outcome="undecided", code="undecided", verdict="undecided")
    text = written("github", [undecided, failing("b.cpp")])
    assert [(n, p["title"]) for n, p, _ in commands(text)] == [
        ("error", "blend: not equal [refuted]"),
        ("warning", "blend: undecided [undecided]"),
    ]


def test_nothing_is_said_of_what_is_proved_or_only_noted(written):
    proved = failing("a.cpp", outcome="pass", code=None, verdict="proved")
    assert written("github", [proved], about("a.cpp", "note"), status=0) == ""


def test_an_error_of_the_run_has_no_place(written):
    lost = Diagnostic("file-missing", "error", "100%\n::error::no such file")
    [(name, properties, message)] = commands(written("github", [], lost))
    assert (name, message) == ("error", "100%\n::error::no such file")
    assert properties == {"title": "lift [file-missing]"}


@pytest.mark.parametrize(
    "text",
    [
        "::error::x", "a\n::add-mask::b", "  ::set-output name=a::b", "x ##[error]y",
        "a\r::error::b", "\x0b::error::b", "\u2028::error::b", "\x1b[31m::error::b\x1b[0m",
        ":::error::b",
    ],
)  # fmt: skip
def test_no_line_of_the_log_acts_as_a_command(text):
    assert commands(log_line(text)) == []


def test_the_reader_of_this_test_would_see_a_command():
    assert commands("  ::error file=a%2Cb::c%0Ad") == [("error", {"file": "a,b"}, "c\nd")]
    with pytest.raises(AssertionError):
        commands("x ##[error]y")


class _Cells(HTMLParser):
    """What a browser would show of text, and which elements are in it."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


def test_the_summary_of_the_job_shows_every_name_as_it_is(
    written, hostile_cases, repository, monkeypatch
):
    target = repository / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(target))
    written("github", hostile_cases)
    text = target.read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ❌")]
    assert len(rows) == len(HOSTILE)
    for row in rows:
        assert row.count("|") == 5, "a name added a column"
        assert _Cells(row).tags == ["details", "summary", "code", "pre"]
    shown = _Cells("".join(rows)).text
    for name in HOSTILE:
        assert f"{visible_line(name)}:3" in shown
    assert not re.search(r"[*_`\[\]\\]", "".join(rows))


def test_the_summary_links_to_lines_and_is_appended(written, repository, monkeypatch):
    (repository / "a b.cpp").write_text(SOURCE)
    target = repository / "summary.md"
    target.write_text("before\n")
    for name, value in (
        ("SERVER_URL", "https://git.example"),
        ("REPOSITORY", "o/r"),
        ("SHA", "c0"),
    ):
        monkeypatch.setenv(f"GITHUB_{name}", value)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(target))
    written("github", [failing("a b.cpp")])
    text = target.read_text("utf-8")
    assert text.startswith("before\n### lift: 1 not equal\n")
    assert '<a href="https://git.example/o/r/blob/c0/a%20b.cpp#L3">' in text


def test_a_summary_stays_below_what_github_takes(written, repository, monkeypatch):
    target = repository / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(target))
    written("github", [failing("a.cpp", message="x" * 5000)] * 400)
    text = target.read_text("utf-8")
    assert len(text.encode()) < 1024 * 1024
    assert re.search(r"and \d+ more: the log has all of them", text)


def test_a_summary_that_cant_be_written_is_a_warning(written, repository, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(repository / "no" / "such"))
    [(name, _, message)] = commands(written("github", [], status=0))
    assert name == "warning"
    assert "no summary of the job" in message


def test_lift_prints_functions_for_people_and_commands_for_the_runner(lift, repository):
    text = (
        "void g(int *d, int n) { for (int i = 0; i < n; i++) d[i] = 1; }\n"
        "void h(int *d, int n) { for (int i = 0; i < n; i++) d[i] = d[d[i]]; }\n"
    )
    (repository / "##[error]y.cpp").write_text(text)
    status, out, err = lift("##[error]y.cpp", "--format", "github")
    assert status == 1
    assert re.search(r"^proved +g +## \[error\]y.cpp:1", out, re.MULTILINE)
    [(name, properties, _)] = commands(out)
    assert (name, properties["file"], properties["line"]) == ("error", "##[error]y.cpp", "2")
    assert commands(err) == []
    assert "1 proved, 0 unproved, 1 failed" in out


def test_a_name_that_has_a_line_end_is_refused_without_a_command_in_the_log(lift, repository):
    (repository / "\n::add-mask::a.cpp").write_text(SOURCE)
    status, out, err = lift(".", "--format", "github")
    assert status == 2
    assert [(n, p) for n, p, _ in commands(out)] == [("error", {"title": "lift [file-name]"})]
    assert commands(err) == []


def test_a_committed_summary_cant_give_commands_to_the_runner(lift, repository):
    (repository / "a.cpp").write_text(
        "void g(int *d, int n) { for (int i = 0; i < n; i++) d[i] = 1; }"
    )
    assert lift("a.cpp")[0] == 0
    summary = repository / "lifted" / "a" / "g" / "summary.json"
    text = summary.read_text("utf-8")
    for planted in ("\\n::add-mask::a.cpp", "##[add-mask]a.cpp"):
        summary.write_text(text.replace('"a.cpp"', f'"{planted}"'), "utf-8")
        status, out, err = lift("verify", "lifted", "--format", "github")
        assert status in (1, 2)
        assert {name for name, _, _ in commands(out)} <= {"error", "warning"}
        assert commands(err) == []
