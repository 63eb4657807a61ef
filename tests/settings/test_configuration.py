"""`lift.toml` and `[tool.lift]`: which file counts, what it may say, and that flags win."""

from __future__ import annotations

import json
import re

import pytest

from lifter.command_line import COMMANDS
from lifter.settings.configuration import load_configuration, parameters_of

KERNEL = "void {0}(int *d, int n) {{ for (int i = 0; i < n; i++) d[i] = 1; }}\n"


@pytest.fixture
def sources(repository):
    """Two kernels in `src/`."""
    (repository / "src").mkdir()
    (repository / "src" / "a.cpp").write_text(KERNEL.format("one") + KERNEL.format("two"))
    return repository / "src"


def functions(out):
    return [f["name"] for f in json.loads(out)["functions"]]


@pytest.mark.slow
def test_a_file_gives_paths_and_options_and_lift_alone_runs(lift, sources, repository):
    (repository / "lift.toml").write_text(
        'paths = ["src"]\nformat = "json"\nfunction = ["two"]\nout = "here"\n'
    )
    status, out, _ = lift()
    assert (status, functions(out)) == (0, ["two"])
    assert (repository / "here" / "a" / "two" / "pipeline.py").is_file()


@pytest.mark.slow
def test_the_table_of_a_project_file_says_the_same(lift, sources, repository):
    (repository / "pyproject.toml").write_text(
        '[project]\nname = "x"\n[tool.lift]\npaths = ["src"]\nformat = "json"\n'
    )
    assert functions(lift()[1]) == ["one", "two"]


def test_flags_on_the_command_line_win(lift, sources, repository):
    (repository / "lift.toml").write_text('paths = ["src"]\nformat = "text"\nfunction = ["two"]\n')
    assert functions(lift("--format", "json", "--function", "one")[1]) == ["one"]


def test_without_a_file_lift_alone_shows_its_help(lift, sources):
    assert "First steps" in lift()[1]


@pytest.mark.slow
def test_paths_count_from_the_files_folder(lift, sources, repository, monkeypatch):
    (repository / "lift.toml").write_text(
        'paths = ["src"]\nout = "here"\nwrite = ["junit=r.xml"]\n'
    )
    monkeypatch.chdir(sources)
    status, out, _ = lift()
    assert status == 0, out
    assert (repository / "here" / "a" / "one").is_dir()
    assert (repository / "r.xml").is_file()


def test_a_machine_is_a_name_or_a_file_of_the_project(repository, sources):
    for machine, seen in (("cortex-a76", "cortex-a76"), ("mine.toml", "../mine.toml")):
        (repository / "lift.toml").write_text(f'[build]\nmachine = "{machine}"\n')
        assert load_configuration(sources, COMMANDS).of("build") == {"machine": seen}


@pytest.mark.parametrize("name", ["lift.toml", "pyproject.toml"])
def test_the_nearest_file_counts_and_none_beyond_the_repository(repository, sources, name):
    table = "[tool.lift]\n" if name == "pyproject.toml" else ""
    (repository.parent / name).write_text(f"{table}timeout = 1\n")
    assert load_configuration(sources, COMMANDS) is None
    (repository / name).write_text(f"{table}timeout = 2\n")
    assert load_configuration(sources, COMMANDS).of("lift") == {"timeout": 2}
    (sources / name).write_text(f"{table}timeout = 3\n")
    assert load_configuration(sources, COMMANDS).of("lift") == {"timeout": 3}


def test_outside_of_a_repository_only_the_working_directory_counts(tmp_path, monkeypatch):
    monkeypatch.delenv("LIFT_CONFIG", raising=False)
    (tmp_path / "lift.toml").write_text("timeout = 1\n")
    (tmp_path / "inner").mkdir()
    assert load_configuration(tmp_path / "inner", COMMANDS) is None
    assert load_configuration(tmp_path, COMMANDS).of("lift") == {"timeout": 1}


def test_a_project_file_without_a_table_of_ours_is_passed_by(repository, sources):
    (repository / "lift.toml").write_text("timeout = 2\n")
    (sources / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert load_configuration(sources, COMMANDS).of("lift") == {"timeout": 2}


def test_lift_toml_goes_before_the_project_file_in_one_folder(repository):
    (repository / "lift.toml").write_text("timeout = 2\n")
    (repository / "pyproject.toml").write_text("[tool.lift]\ntimeout = 3\n")
    assert load_configuration(repository, COMMANDS).of("lift") == {"timeout": 2}


def test_the_environment_names_another_file_or_none(repository, monkeypatch):
    (repository / "lift.toml").write_text("timeout = 2\n")
    (repository / "other.toml").write_text("timeout = 3\n")
    monkeypatch.setenv("LIFT_CONFIG", "other.toml")
    assert load_configuration(repository, COMMANDS).of("lift") == {"timeout": 3}
    monkeypatch.setenv("LIFT_CONFIG", "")
    assert load_configuration(repository, COMMANDS) is None


def test_every_option_of_every_command_has_a_key():
    import importlib

    for command in ("lift", *COMMANDS):
        module = importlib.import_module(f"lifter.commands.{command}")
        options = {
            p.name
            for p in module.command.params
            if p.param_type_name == "option" and not p.is_eager
        }
        keyed = {p.name for p in parameters_of(command).values()}
        assert options - {"show_config"} <= keyed, command


@pytest.mark.parametrize(
    ("text", "line", "message", "help"),
    [
        ("tiemout = 3", 1, "unknown key `tiemout`", "did you mean `timeout`?"),
        ("\n[verify]\nrechek = true", 3, "unknown key `rechek` in [verify]", "`recheck`"),
        ("[verfy]\nrecheck = true", 1, "unknown key `verfy`", "did you mean `verify`?"),
        ('timeout = "x"', 1, "`timeout` is a text; it takes a number", None),
        ("timeout = true", 1, "`timeout` is true or false; it takes a number", None),
        ("jobs = 1.5", 1, "`jobs` is a number; it takes a whole number", None),
        ("jobs = 0", 1, "`jobs`: 0 is not in the range", None),
        ('std = "c++17"\nassume = "n > 2"', 2, "`assume` is a text; it takes a list", None),
        ("assume = [1]", 1, "`assume` holds a whole number; it takes a text", None),
        ('no-cache = "yes"', 1, "`no-cache` is a text; it takes true or false", None),
        ('format = "xml"', 1, "'xml' is not one of 'text'", None),
        ("verify = 3", 1, "`verify` is a command", None),
        ('[bench]\nsize = "big"', 2, "'big' is no size", None),
        ('clang-arguments = ["-fplugin=./x.so"]', 1, "may load code into libclang", "after `--`"),
        ("timeout = ", 1, "it is no TOML", None),
    ],
)
def test_what_is_wrong_is_told_with_file_line_and_a_way_out(
    lift, sources, repository, text, line, message, help
):
    (repository / "lift.toml").write_text(text)
    status, out, err = lift("src")
    assert status == 2
    assert out == ""
    assert re.match(rf"lift\.toml:{line}:\d+: error: lift\.toml: .*\[configuration\]", err), err
    assert message in err
    assert help is None or help in err
    assert not (repository / "lifted").exists()


def test_a_bad_file_stops_neither_help_nor_doctor(lift, repository):
    (repository / "lift.toml").write_text("tiemout = 3\n")
    assert lift("--help")[0] == 0
    _, out, _ = lift("doctor")
    assert re.search(r"missing +settings +lift\.toml:1:1: error", out)


def test_show_config_tells_what_is_in_force_and_from_where(lift, sources, repository, monkeypatch):
    (repository / "lift.toml").write_text(
        'paths = ["src"]\ntimeout = 60\nclang-arguments = ["-DX"]\n[verify]\nrecheck = true\n'
    )
    status, out, _ = lift("--show-config", "--timeout", "5")
    rows = {tuple(re.split(r"  +", line.strip())) for line in out.splitlines()}
    assert status == 0
    assert ("paths", "src", "lift.toml") in rows
    assert ("timeout", "5.0", "command line") in rows
    assert ("memory", "4096.0", "default") in rows
    assert ("clang-arguments", "-DX", "lift.toml") in rows
    assert ("recheck", "true", "lift.toml") in rows
    assert not (repository / "lifted").exists()


@pytest.mark.slow
def test_a_subcommand_takes_its_folder_and_options_from_its_table(lift, sources, repository):
    (repository / "lift.toml").write_text('[verify]\ndirectory = "lifted"\nformat = "json"\n')
    assert lift("src")[0] == 0
    status, out, _ = lift("verify")
    assert status == 0
    assert json.loads(out)["command"] == "verify"


@pytest.mark.slow
def test_clangs_arguments_reach_the_parser_and_those_after_the_dashes_win(lift, repository):
    (repository / "a.cpp").write_text("void f(int *d) { d[0] = VALUE; }\n")
    (repository / "lift.toml").write_text('clang-arguments = ["-DVALUE=7"]\nformat = "json"\n')
    definitions = []
    for more in ((), ("--", "-DVALUE=8")):
        [function] = json.loads(lift("a.cpp", "--no-cache", *more)[1])["functions"]
        definitions.append(function["stages"][0]["definition"])
    assert "7" in definitions[0] and "8" in definitions[1]
