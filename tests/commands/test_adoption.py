"""What makes lift easy to take up: a baseline, `lift init`, quiet and plain output, completion."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from lifter.commands.project_setup import look_at
from lifter.show.progress import _Bar, _Lines, _None, _Tally, open_progress
from tests.calling_lift import ROOT

GOOD = "void fill(unsigned char *d, int n) { for (int i = 0; i < n; i++) d[i] = 7; }\n"
BAD = "void {}(int *d, int n) {{ for (int i = 1; i < n; i++) d[i] = d[d[i - 1] & 3]; }}\n"


@pytest.mark.slow
def test_a_baseline_passes_until_it_gets_worse(lift, tmp_path):
    source, baseline = tmp_path / "a.cpp", tmp_path / "lift.baseline"
    source.write_text(GOOD + BAD.format("old"))
    assert lift("a.cpp", "--write", "baseline=lift.baseline").status == 1
    assert [line.split("\t")[::3] for line in baseline.read_text().splitlines()[1:]] == [
        ["failed", "old"]
    ]
    ran = lift("a.cpp", "--baseline", "lift.baseline")
    assert ran.status == 0 and "baseline: 1 accepted, 0 new" in ran.out
    assert "error:" not in ran.out
    source.write_text(GOOD + BAD.format("old") + BAD.format("fresh"))
    ran = lift("a.cpp", "--baseline", "lift.baseline", "--format", "github")
    assert ran.status == 1 and "fresh" in ran.out
    assert [line for line in ran.out.splitlines() if line.startswith("::error")] == [
        line for line in ran.out.splitlines() if line.startswith("::error") and "line=3" in line
    ]
    source.write_text(GOOD + GOOD.replace("fill", "old"))
    ran = lift("a.cpp", "--baseline", "lift.baseline")
    assert ran.status == 0 and "needn't any more: a.cpp:old" in ran.out


def test_what_is_listed_as_undecided_may_not_fail(lift, tmp_path):
    (tmp_path / "a.cpp").write_text(BAD.format("old"))
    (tmp_path / "b").write_text("unproved\tundecided\t./a.cpp\told\n")
    assert lift("a.cpp", "--baseline", "b").status == 1
    (tmp_path / "b").write_text("failed\trefuted\t./a.cpp\told\n")
    assert lift("a.cpp", "--baseline", "b").status == 0


@pytest.mark.parametrize("text", ["failed a.cpp\n", "# fine\nproved\tx\ta.cpp\tf\n", "\0\0"])
def test_a_baseline_that_cannot_be_read_is_an_error_at_its_line(lift, tmp_path, text):
    (tmp_path / "a.cpp").write_text(GOOD)
    (tmp_path / "b").write_text(text)
    ran = lift("a.cpp", "--baseline", "b")
    assert ran.status == 2 and "[baseline]" in ran.err
    assert f"b:{len(text.splitlines())}:1: error" in ran.err and not (tmp_path / "lifted").exists()
    ran = lift("a.cpp", "--baseline", "none")
    assert ran.status == 2 and "no such baseline [file-missing]" in ran.err


@pytest.mark.slow
def test_quiet_says_only_what_is_wrong_and_the_last_line(lift, tmp_path):
    (tmp_path / "a.cpp").write_text(GOOD)
    ran = lift("a.cpp", "--quiet")
    assert (
        ran.status == 0 and ran.err == "" and ran.out.startswith("1 proved, 0 unproved, 0 failed")
    )
    assert len(ran.out.splitlines()) == 1
    (tmp_path / "b.cpp").write_text(GOOD + BAD.format("old"))
    ran = lift("b.cpp", "--quiet")
    assert ran.status == 1 and "error:" in ran.out and "proved    fill" not in ran.out
    assert lift("verify", "lifted", "--quiet").out.count("\n") <= 3
    assert isinstance(open_progress("lifting", True), _None)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("variable", "value"),
    [("NO_COLOR", "1"), ("TERM", "dumb"), ("TERM", "xterm"), ("NO_COLOR", "")],
)
def test_colours_are_left_out_where_nobody_wants_them(tmp_path, variable, value):
    (tmp_path / "a.cpp").write_text(BAD.format("old"))
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", variable: value}
    env.pop("NO_COLOR", None) if not value else None
    script = ["script", "-qec", f"{sys.executable} -m lifter a.cpp --quiet", "/dev/null"]
    try:
        done = subprocess.run(script, cwd=tmp_path, env=env, capture_output=True, timeout=600)
    except FileNotFoundError:
        pytest.skip("script, which makes a terminal, is missing")
    assert b"failed" in done.stdout
    assert (b"\x1b[31m" in done.stdout) == (value in ("xterm", ""))


def test_a_dumb_terminal_gets_lines_and_no_bar(monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(open_progress("lifting"), _Lines)
    monkeypatch.setenv("TERM", "xterm")
    bar = open_progress("lifting")
    bar.close()
    assert isinstance(bar, _Bar)


def test_the_time_left_is_not_guessed_while_nothing_comes_to_an_end(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("lifter.show.progress.time.monotonic", lambda: now[0])
    tally = _Tally()
    now[0] = 10.0
    tally.at(0.5)
    assert tally.left() == "10 s left"
    now[0] = 12.0
    tally.at(0.5)
    assert tally.left() == "12 s left"
    now[0] = 30.0
    tally.at(0.5)
    assert tally.left() == ""  # one long function: it would say 30 s, then 40 s
    tally.at(0.75)
    assert tally.left() == "10 s left"


def test_a_command_that_is_nearly_one_is_suggested(lift, tmp_path):
    ran = lift("biuld", "lifted")
    assert ran.status == 2 and "did you mean lift build?" in ran.err
    (tmp_path / "biuld").mkdir()
    assert "did you mean" not in lift("biuld").said


@pytest.mark.slow
def test_functions_are_found_by_the_ends_of_their_names(lift, tmp_path):
    (tmp_path / "a.cpp").write_text(
        "namespace img { struct Plane { unsigned char *p; int n;\n"
        "  void invert() { for (int i = 0; i < n; i++) p[i] = 255 - p[i]; } }; }\n"
        "namespace img { " + GOOD.strip() + " }\nvoid refill(int *d) { d[0] = 1; }\n"
    )
    for name, count in (("img::Plane::invert", 1), ("Plane::invert", 1), ("img::fill", 1),
                        ("fill", 1)):  # fmt: skip
        ran = lift("a.cpp", "--function", name)
        assert ran.out.count("\nproved") + ran.out.startswith("proved") == count, (name, ran.out)
    assert lift("a.cpp", "--function", "mg::fill").status == 2


@pytest.mark.slow
def test_a_missing_header_is_one_error_that_says_where_it_is(lift, tmp_path):
    (tmp_path / "deps" / "own").mkdir(parents=True)
    (tmp_path / "deps" / "own" / "types.h").write_text("typedef unsigned char pixel;\n")
    for name in "abc":
        text = GOOD.replace("(", "(pixel p, ", 1)
        (tmp_path / f"{name}.cpp").write_text(f'#include "own/types.h"\n{text}')
    ran = lift("a.cpp", "b.cpp", "c.cpp")
    assert ran.status == 2 and ran.out.count("error: ") == 1
    assert "3 functions aren't lifted for want of it in 3 files" in ran.out
    assert "pass -I deps" in ran.out
    assert lift("a.cpp", "b.cpp", "c.cpp", "-I", "deps").status == 0
    (tmp_path / "d.cpp").write_text('#include "nowhere.h"\n#include "gone.h"\n' + GOOD)
    ran = lift("d.cpp")
    assert "-I DIR" in ran.out and "nowhere.h" in ran.out


@pytest.mark.parametrize("name", ["unique", "vacuity"])
def test_the_names_of_obligations_are_explained(lift, name):
    ran = lift("explain", name)
    assert (
        ran.status == 0 and "one claim of a proof" in ran.out and "Where it is refuted" in ran.out
    )


def completed(words: str, cwd: Path) -> list[str]:
    """What a bash would offer for the last word."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COMP_WORDS": words,
           "COMP_CWORD": str(words.count(" ")), "_LIFT_COMPLETE": "bash_complete"}  # fmt: skip
    program = "from lifter.command_line import main; main()"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    return done.stdout.split()


@pytest.mark.slow
def test_a_shell_completes_commands_options_and_files(tmp_path):
    assert "plain,build" in completed("lift bu", tmp_path)
    assert "file," in completed("lift ", tmp_path)
    assert completed("lift build --sch", tmp_path) == [
        "plain,--schedule",
        "plain,--schedule-budget",
    ]
    assert completed("lift a.cpp --base", tmp_path) == ["plain,--baseline"]


def test_init_finds_sources_and_writes_what_is_not_there(lift, tmp_path):
    for folder in ("src", "include", ".github"):
        (tmp_path / folder).mkdir()
    (tmp_path / "src" / "a.cpp").write_text('#include "k.h"\n' + GOOD.replace("7", "K"))
    (tmp_path / "include" / "k.h").write_text("#define K 9\n")
    (tmp_path / "CMakeLists.txt").write_text("project(x)\n")
    ran = lift("init")
    assert ran.status == 0 and "CMAKE_EXPORT_COMPILE_COMMANDS" in ran.out
    settings = tomllib.loads((tmp_path / "lift.toml").read_text())
    assert settings == {"paths": ["src"], "includes": ["include"], "out": "lifted",
                        "verify": {"directory": "lifted"}}  # fmt: skip
    workflow = yaml.safe_load((tmp_path / ".github" / "workflows" / "lift.yml").read_text())
    (checkout, own) = workflow["jobs"]["verify"]["steps"]
    assert len(checkout["uses"].partition("@")[2]) == 40 and own["with"]["paths"] == "lifted"
    ignored = (tmp_path / "lifted" / ".gitignore").read_text().split()
    assert {".lift-cache/", ".lift-build/", "*.o", "*.so"} <= set(ignored)
    assert lift().status == 0  # with nothing but what it wrote
    assert lift("verify").status == 0
    assert (tmp_path / "lifted" / ".gitignore").is_file()
    (tmp_path / "lift.toml").write_text("# mine\n")
    assert "stays as it is" in lift("init").out
    assert (tmp_path / "lift.toml").read_text() == "# mine\n"


def test_init_takes_the_flags_of_a_build_that_is_there(lift, tmp_path):
    (tmp_path / "build").mkdir()
    (tmp_path / "a.cpp").write_text(GOOD.replace("7", "K"))
    entry = {"directory": str(tmp_path), "file": "a.cpp", "command": "g++ -DK=3 -c a.cpp"}
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps([entry]))
    assert lift("init").status == 0
    settings = tomllib.loads((tmp_path / "lift.toml").read_text())
    assert settings["database"] == "build" and "paths" not in settings
    assert lift().status == 0
    assert not (tmp_path / ".github").exists()  # nothing says that it is there


def test_init_of_a_project_without_sources_says_what_to_do(lift, tmp_path):
    ran = lift("init")
    assert ran.status == 0 and "name your sources" in ran.out
    assert look_at(tmp_path).build is None
    assert lift("init", "nowhere").status == 2
