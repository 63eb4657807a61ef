"""`lift -p DIR`: a project's sources, read with the flags that it is built with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lifter.batch.compile_commands import read_database
from lifter.batch.compiler_arguments import read_arguments
from lifter.batch.sources import find_sources
from lifter.settings.flags import Flags
from lifter.settings.options import RunOptions

FILL = "void {name}(unsigned char *d, int n) {{ for (int i = 0; i < n; i++) d[i] = {value}; }}\n"


def database(folder: Path, *entries: object) -> str:
    """A compile_commands.json with these entries; its path."""
    folder.mkdir(exist_ok=True)
    path = folder / "compile_commands.json"
    path.write_text(json.dumps(list(entries)))
    return str(path)


def flags_of(command: str | list[str], directory: Path = Path("/project/build")) -> Flags:
    arguments = command.split() if isinstance(command, str) else command
    found = read_arguments(arguments, str(directory), f"{directory}/a.cpp")
    return Flags(found.std, tuple(found.includes), found.defines, found.arguments)


def test_folders_macros_and_the_standard_are_taken_and_paths_count_from_the_entrys_folder():
    assert flags_of(
        "g++ -I../src -I /usr/lib/x -isystem third -DWIDE=2 -D NARROW -std=gnu++20 a.cpp"
    ) == Flags(
        "gnu++20",
        ("/project/src", "/usr/lib/x"),
        ("WIDE=2", "NARROW"),
        ("-isystem", "/project/build/third"),
    )


def test_the_last_of_define_and_undefine_counts():
    assert flags_of(["cc", "-DA=1", "-UA", "-UB", "-DB", "-DC=1", "-DC=2"]) == Flags(
        None, (), ("B", "C=2"), ("-UA",)
    )


def test_what_the_compiler_writes_and_how_it_warns_is_left_out():
    kept = flags_of(
        "clang++ -c a.cpp -o a.o -MD -MT x -MF a.d -MMD -Wall -Wextra -Wp,-MD,a.d -O3 -g -ggdb3 "
        "-pipe -fPIC -flto=thin -fvisibility=hidden -Xlinker -z --param x=1 -lz -L/x"
    )
    assert kept == Flags()


def test_flags_that_change_the_meaning_are_kept():
    kept = "-funsigned-char -fwrapv -mavx2 --sysroot=/sdk --target=x86_64-linux-gnu"
    assert " ".join(flags_of(f"g++ {kept} a.cpp").clang_arguments) == kept


def test_a_preprocessors_flag_behind_wp_is_kept():
    assert flags_of(["gcc", "-Wp,-DDEBUG=1,-MD,x.d"]).defines == ("DEBUG=1",)
    words = ["g++", "-Xpreprocessor", "-DDEBUG=1", "-Xpreprocessor", "-MD", "a.cpp"]
    assert flags_of(words).defines == ("DEBUG=1",)


@pytest.mark.parametrize(
    "command",
    [
        "ccache g++",
        "/usr/bin/sccache /opt/bin/x86_64-linux-gnu-g++-12",
        "env CCACHE_DIR=/tmp ccache clang++-17",
        "libtool --tag=CXX --mode=compile g++",
        "/weird/compiler",
    ],
)
def test_a_compilers_wrappers_are_no_flags(command):
    assert flags_of([*command.split(), "-DX", "a.cpp"]) == Flags(defines=("X",))


@pytest.mark.parametrize(
    "plugin",
    [
        ["-fplugin=/tmp/evil.so"],
        ["-fpass-plugin=/tmp/evil.so"],
        ["-Xclang", "-load", "-Xclang", "/tmp/evil.so"],
        ["-Xclang", "-add-plugin", "-Xclang", "evil"],
        ["--config", "/tmp/evil.cfg"],
        ["-specs=/tmp/evil.specs"],
        ["-B/tmp/evil"],
        ["-wrapper", "/tmp/evil"],
    ],
)
def test_nothing_that_loads_code_reaches_libclang(plugin):
    assert flags_of(["clang++", *plugin, "-DX"]) == Flags(defines=("X",))


def test_cmakes_precompiled_header_is_included_as_a_header(tmp_path):
    header = tmp_path / "cmake_pch.hxx"
    header.write_text("")
    command = "clang++ -Xclang -include-pch -Xclang x.pch -Xclang -include -Xclang"
    assert flags_of(f"{command} {header}").clang_arguments == ("-include", str(header))


def test_microsofts_flags_are_read_as_the_others():
    kept = flags_of(
        ["cl.exe", "/Isrc", "/D", "WIDE", "/std:c++17", "/imsvcsdk", "/W4", "/EHsc", "/Fobj", "/J"]
    )
    assert kept == Flags(
        "c++17",
        ("/project/build/src",),
        ("WIDE",),
        ("-isystem", "/project/build/sdk", "-funsigned-char"),
    )


def test_nothing_in_a_command_reaches_a_shell(tmp_path):
    (tmp_path / "a.cpp").write_text(FILL.format(name="fill", value=1))
    command = (
        f"g++ '-DX=$(touch {tmp_path}/ran)' \"-DY=`touch {tmp_path}/ran`\" -c a.cpp; touch ran"
    )
    file = database(tmp_path, {"directory": str(tmp_path), "file": "a.cpp", "command": command})
    (entry,) = read_database(file, Flags()).entries
    assert entry.flags.defines == (f"X=$(touch {tmp_path}/ran)", f"Y=`touch {tmp_path}/ran`")
    assert not (tmp_path / "ran").exists()


def test_response_files_hold_arguments_and_name_others(tmp_path):
    (tmp_path / "a.cpp").write_text("int x;")
    (tmp_path / "all.rsp").write_text("-DONE '-DTEXT=a b'\n@inner/more.rsp")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "more.rsp").write_text('-I"with space" -DTWO')
    file = database(
        tmp_path,
        {"directory": str(tmp_path), "file": "a.cpp", "command": "g++ @all.rsp -c a.cpp"},
    )
    (entry,) = read_database(file, Flags()).entries
    assert entry.flags.defines == ("ONE", "TEXT=a b", "TWO")
    assert entry.flags.includes == (str(tmp_path / "with space"),)


def problems(tmp_path: Path, *entries: object) -> list[str]:
    (tmp_path / "good.cpp").write_text("int x;")
    good = {"directory": str(tmp_path), "file": "good.cpp", "arguments": ["g++", "good.cpp"]}
    read = read_database(database(tmp_path, *entries, good), Flags())
    assert [Path(e.path).name for e in read.entries] == ["good.cpp"]  # the others go on
    assert {p.code for p in read.problems} <= {"compile-database"}
    return [p.message for p in read.problems]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (7, "isn't an object"),
        ({"file": "a.cpp", "command": "g++"}, "`directory` must be a text"),
        ({"directory": "/", "file": 3, "command": "g++"}, "`file` must be a text"),
        ({"directory": "x", "file": "a", "command": "g++"}, "must be an absolute path"),
        ({"directory": "/", "file": "good.cpp"}, "neither `arguments` nor `command`"),
        ({"directory": "/", "file": "a", "command": "g++ 'x"}, "can't be split into words"),
        ({"directory": "/", "file": "a", "arguments": "g++"}, "must be a list of texts"),
        ({"directory": "/", "file": "a", "arguments": []}, "its command is empty"),
        ({"directory": "/", "file": "gone.cpp", "command": "g++"}, "/gone.cpp: no such file"),
        ({"directory": "/", "file": "a", "command": "g++ @none.rsp"}, "/none.rsp can't be read"),
    ],
)
def test_an_entry_that_cannot_be_used_is_an_error_with_its_number(tmp_path, entry, message):
    (told,) = problems(tmp_path, entry)
    assert told.startswith("entry 1 of compile_commands.json: ")
    assert message in told


def test_a_response_file_that_names_itself_is_an_error(tmp_path):
    (tmp_path / "loop.rsp").write_text("@loop.rsp")
    entry = {"directory": str(tmp_path), "file": "good.cpp", "command": "g++ @loop.rsp"}
    assert "leads back to itself" in problems(tmp_path, entry)[0]


@pytest.mark.parametrize(
    ("text", "entries", "line"),
    [
        ("{}", 0, 1),
        ("", 0, 1),
        ('[\n{"directory": "/",\n oops}]', 0, 3),
        ("[\n@GOOD\n@GOOD]", 1, 3),
        ("[\n@GOOD,\n{]", 1, 3),
        ("[@GOOD] x", 1, 1),
        ("[" * 100_000, 0, 1),
    ],
)
def test_malformed_json_is_an_error_at_its_place_and_entries_before_it_count(
    tmp_path, text, entries, line
):
    (tmp_path / "a.cpp").write_text("int x;")
    good = {"directory": str(tmp_path), "file": "a.cpp", "command": "g++ a.cpp"}
    file = tmp_path / "compile_commands.json"
    file.write_text(text.replace("@GOOD", json.dumps(good)))
    read = read_database(str(file), Flags())
    assert len(read.entries) == entries
    error = read.problems[0]
    assert (error.code, error.severity) == ("compile-database", "error")
    assert error.span is not None and error.span.line == line


def test_a_flag_that_libclang_does_not_know_is_dropped_with_one_note(tmp_path):
    files = []
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.cpp").write_text("int x;")
        command = f"g++ -fconserve-stack -funsigned-char -c {name}.cpp"
        files.append({"directory": str(tmp_path), "file": f"{name}.cpp", "command": command})
    read = read_database(database(tmp_path, *files), Flags())
    assert {e.flags.clang_arguments for e in read.entries} == {("-funsigned-char",)}
    (note,) = read.problems
    assert (note.code, note.severity) == ("unknown-flag", "note")
    assert "`-fconserve-stack`, which 3 entries have" in note.message


def test_assembly_is_no_source(tmp_path):
    (tmp_path / "a.S").write_text("")
    (tmp_path / "a.cpp").write_text("int x;")
    entries = [
        {"directory": str(tmp_path), "file": name, "command": f"gcc -c {name}"}
        for name in ("a.S", "a.cpp")
    ]
    read = read_database(database(tmp_path, *entries), Flags())
    assert [Path(e.path).name for e in read.entries] == ["a.cpp"]
    assert [p.severity for p in read.problems] == ["note"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """src/a.cpp (in two configurations), src/deep/b.cpp and tools/c.cpp, with a database."""
    monkeypatch.chdir(tmp_path)
    for name in ("src/a", "src/deep/b", "tools/c"):
        path = tmp_path / f"{name}.cpp"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = FILL.format(name=path.stem, value="VALUE") + FILL.format(
            name=f"{path.stem}_same", value="3"
        )
        path.write_text(text)
    entries = [
        {"directory": str(tmp_path / "src"), "file": file, "command": f"g++ {flag} -c {file}"}
        for file, flag in (
            ("a.cpp", "-DVALUE=1"),
            ("a.cpp", "-DVALUE=2"),
            ("a.cpp", "-DVALUE=1 -o again.o"),
            ("deep/b.cpp", "-DVALUE=1"),
            ("../tools/c.cpp", "-DVALUE=1"),
        )
    ]
    database(tmp_path / "build", *entries)
    return tmp_path


def test_paths_choose_among_the_entries(project):
    def chosen(*paths: str) -> list[tuple[str, str]]:
        sources, found = find_sources(RunOptions(paths, database="build"))
        assert found == []
        return [(s.path, s.folder) for s in sources]

    twice = [("src/a.cpp", "a"), ("src/a.cpp", "a-2")]
    assert chosen() == [*twice, ("src/deep/b.cpp", "b"), ("tools/c.cpp", "c")]
    assert chosen("src") == [*twice, ("src/deep/b.cpp", "b")]
    assert chosen("src/deep", "tools/c.cpp") == [("src/deep/b.cpp", "b"), ("tools/c.cpp", "c")]
    assert chosen("src/a.cpp") == twice


def test_what_is_told_does_not_name_the_folder_that_a_project_is_in(lift, project):
    (project / "inc").mkdir()
    (project / "inc" / "value.h").write_text("#define VALUE 5\n")
    command = "g++ -I../inc -I/usr/include/x -isystem ../inc -include ../inc/value.h -c c.cpp"
    entry = {"directory": str(project / "tools"), "file": "c.cpp", "command": command}
    database(project / "build", entry)
    (source,), _ = find_sources(RunOptions(database="build"))
    assert source.flags.includes == ("inc", "/usr/include/x")
    assert source.flags.clang_arguments == ("-isystem", "inc", "-include", "inc/value.h")
    absolute = source.flags.absolute()
    assert absolute.includes == (str(project / "inc"), "/usr/include/x")
    assert absolute.clang_arguments[3] == str(project / "inc" / "value.h")
    assert lift("-p", "build").status == 0
    assert str(project) not in (project / "lifted" / "c" / "c" / "summary.json").read_text()


def test_a_path_that_no_entry_has_is_an_error(project):
    (project / "src" / "new.cpp").write_text("int x;")
    _, (error,) = find_sources(RunOptions(("src/new.cpp",), database="build"))
    assert (error.code, error.severity) == ("no-sources", "error")
    assert "src/new.cpp: no entry of the compile commands" in error.message


def test_a_database_that_is_not_there_is_an_error_that_says_how_to_get_one(lift, project):
    ran = lift("-p", "bulid")
    assert ran.status == 2
    assert "bulid: no such file" in ran.err
    assert "CMAKE_EXPORT_COMPILE_COMMANDS" in ran.err


@pytest.mark.slow
def test_a_file_in_two_configurations_is_lifted_for_each_meaning(lift, project):
    ran = lift("-p", "build", "src/a.cpp", "--format", "json")
    assert ran.status == 0
    functions = {
        f["folder"]: f["stages"][0]["definition"] for f in json.loads(ran.out)["functions"]
    }
    assert functions == {
        "a/a": "d(x) = u8(1)",
        "a-2/a": "d(x) = u8(2)",
        "a/a_same": "d(x) = u8(3)",  # means the same in both: lifted once
    }
    for folder in functions:
        assert (project / "lifted" / folder / "pipeline.py").is_file()


def test_naming_the_database_itself_is_as_naming_its_folder_with_p(lift, project):
    ran = lift("build/compile_commands.json", "--function", "c")
    assert ran.status == 0
    assert "d(x) = u8(1)" in ran.out


def test_explain_recalls_the_flags_that_a_file_was_lifted_with(lift, project):
    assert lift("-p", "build", "tools").status == 0
    ran = lift("explain", "tools/c.cpp:c")
    assert ran.status == 0
    assert "d(x) = u8(1)" in ran.out


def test_types_of_another_size_are_refused_and_said(lift, tmp_path, monkeypatch):
    (tmp_path / "a.cpp").write_text(FILL.format(name="fill", value=1))
    file = database(
        tmp_path, {"directory": str(tmp_path), "file": "a.cpp", "command": "g++ -m32 -c a.cpp"}
    )
    ran = lift(file)
    assert ran.status == 2
    assert "pointers of 32 bits" in ran.out


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        ("g++ -Ofast a.cpp", "-Ofast"),
        ("g++ -Ofast -O2 a.cpp", ""),
        ("g++ -O2 -Ofast -O3 -Ofast a.cpp", "-Ofast"),
        ("g++ -O2 -ffast-math a.cpp", "-ffast-math"),
        ("g++ -mfpmath=387 a.cpp", "-funsafe-math-optimizations"),
        ("g++ -mdaz-ftz a.cpp", "-funsafe-math-optimizations"),
        ("cl /O2 /fp:fast a.cpp", "-ffp-model=fast"),
        ("cl /O2 /fp:precise a.cpp", "-ffp-model=precise"),
        ("icpx -O2 a.cpp", "-ffp-model=fast"),
        ("icpc -O2 -fp-model strict a.cpp", "-ffp-model=fast -ffp-model=precise"),
        ("icpx -O2 -fp-model=precise a.cpp", "-ffp-model=fast -ffp-model=precise"),
    ],
)
def test_what_a_build_lets_floats_become_is_kept(command, kept):
    assert " ".join(flags_of(command).clang_arguments) == kept
