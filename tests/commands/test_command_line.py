"""Usage: what `lift` makes of its command line, before any work is done."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from lifter.command_line import COMMANDS

SOURCE = "void fill(unsigned char *d, int n) { for (int i = 0; i < n; i++) d[i] = 7; }\n"


def test_without_arguments_it_shows_its_help(lift):
    assert lift().out == lift("--help").out
    assert lift("--help").status == 0


def test_the_help_teaches_first_steps_commands_and_exit_statuses(lift):
    text = lift("--help").out
    assert "lift blend.cpp" in text
    assert "--timeout SECONDS" in text
    assert "nothing failed, but some are undecided" in text
    for command in COMMANDS:
        assert f"\n  {command} " in text


def test_the_help_lists_every_form_of_a_report(lift):
    assert "text|json|sarif|github|junit" in lift("--help").out


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_of_its_own(lift, command):
    ran = lift(command, "--help")
    assert ran.status == 0
    assert f"Usage: lift {command}" in ran.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a.cpp", "--bogus"), "No such option"),
        (("a.cpp", "-j", "0"), "-j"),
        (("a.cpp", "--timeout", "-1"), "--timeout"),
        (("a.cpp", "--format", "yaml"), "--format"),
        (("-o", "x"), "name files or folders"),
    ],
)
def test_bad_usage_names_the_option_and_ends_with_2(lift, arguments, message):
    ran = lift(*arguments)
    assert ran.status == 2
    assert message in ran.err
    assert "Traceback" not in ran.said


def test_a_subcommand_behind_an_option_is_sent_to_the_front(lift):
    ran = lift("-j", "2", "build", "lifted")
    assert ran.status == 2
    assert "put the subcommand first: lift build" in ran.err


def test_the_version_is_the_packages(lift):
    assert lift("--version").out == "lift 0.1.0\n"


def test_help_needs_no_heavy_module():
    heavy = {"z3", "clang", "llvmlite", "numpy", "networkx", "rich", "jinja2", "compiler"}
    program = (
        "import sys; from lifter.command_line import run; run(['--help']);"
        f"print(sorted({heavy!r} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr == "[]\n"


def test_an_output_folder_that_cannot_be_written_stops_before_any_work(lift, tmp_path):
    (tmp_path / "a.cpp").write_text(SOURCE)
    (tmp_path / "taken").write_text("a file is in the way")
    ran = lift("a.cpp", "-o", "taken")
    assert ran.status == 2
    assert ran.err.startswith("error: taken: can't write results here: ")
    assert "[output-folder]" in ran.err
    assert "-o DIR" in ran.err
    assert ran.out == ""
    assert (tmp_path / "taken").read_text() == "a file is in the way"


def test_with_json_nothing_but_the_document_is_on_stdout(lift):
    ran = lift("missing.cpp", "--format", "json")
    document = json.loads(ran.out)
    assert ran.status == 2
    assert document["functions"] == []
    assert document["diagnostics"][0]["code"] == "file-missing"
