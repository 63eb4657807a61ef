"""Which files a run is of, and where their results go."""

from __future__ import annotations

import ast
import json
import os

import pytest

from lifter.batch.sources import find_sources
from lifter.settings.options import RunOptions

FILL = "void fill(unsigned char *d, int n) { for (int i = 0; i < n; i++) d[i] = 7; }\n"


def found(*paths: str) -> dict[str, str]:
    sources, problems = find_sources(RunOptions(paths))
    assert problems == []
    return {s.path: s.folder for s in sources}


def make(folder, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FILL)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_folder_is_searched_but_for_what_is_no_source_of_the_users(here):
    make(here, "src/a.cpp", "src/deep/b.c", "src/notes.txt", "src/.git/c.cpp", "node_modules/d.cpp")
    assert found(".") == {"./src/a.cpp": "a", "./src/deep/b.c": "b"}


def test_what_lift_has_written_is_no_source(here, lift):
    make(here, "src/a.cpp")
    assert lift(".", "-o", "results").status == 0
    assert (here / "results" / "a" / "fill" / "generator.cpp").is_file()
    (here / "committed").mkdir()
    (here / "results" / "a" / "fill").rename(here / "committed" / "fill")
    assert found(".") == {"./src/a.cpp": "a"}


def test_equal_names_get_folders_that_tell_them_apart(here):
    make(here, "x/blend.cpp", "y/blend.cpp", "z/other.cpp")
    assert found(".") == {
        "./x/blend.cpp": "x/blend",
        "./y/blend.cpp": "y/blend",
        "./z/other.cpp": "other",
    }
    make(here, "y/blend.c", "y/blend-2.c")  # only their endings differ
    assert len(set(found(".").values())) == 5


HOSTILE = [
    "a b.cpp",
    "quote's.cpp",
    'double"quote.cpp',
    "$(touch ran).cpp",
    "`touch ran`.cpp",
    "semi;touch ran;.cpp",
    "<script>alert(1)</script>.cpp".replace("/", "_"),
    "-o.cpp",
    "star*?.cpp",
    "back\\slash.cpp",
    "comment*_.cpp",
    "%s%n.cpp",
    "ünïcode.cpp",
]


@pytest.mark.slow
def test_files_with_hostile_names_are_lifted_and_stay_below_the_output_folder(here, lift):
    make(here, *(f"src/{name}" for name in HOSTILE))
    dots = ["src/..cpp", "src/...cpp", "src/....cpp"]  # no ending, for a folder's search
    make(here, *dots)
    ran = lift("src", *dots, "-o", "out", "--format", "json")
    assert ran.status == 0
    functions = json.loads(ran.out)["functions"]
    assert sorted(f["file"] for f in functions) == sorted(
        [*dots, *(f"src/{name}" for name in HOSTILE)]
    )
    assert sorted(os.listdir(here)) == ["out", "src"]
    for function in functions:
        folder = (here / "out" / function["folder"]).resolve()
        assert (here / "out").resolve() in folder.parents
        assert (folder / "pipeline.py").is_file()


def test_what_a_name_holds_cannot_leave_a_comment_of_an_emitted_program(here, lift):
    names = ['end"""; import os; os.abort().cpp', "*_ int x; _*.cpp", "slash\\.cpp"]
    make(here, *names)
    assert lift(*(f"./{name}" for name in names), "-o", "out").status == 0
    for folder in (here / "out").glob("*/fill"):
        head = (folder / "pipeline.py").read_text().splitlines()[0]
        assert head.count('"""') <= 2 and "\\" not in head
        compile((folder / "pipeline.py").read_text(), "pipeline.py", "exec")
        first = (folder / "generator.cpp").read_text().splitlines()[0]
        assert first.startswith("// fill, lifted from ") and not first.endswith("\\")


@pytest.mark.parametrize("name", [b"bad\xff.cpp", b"line\nend.cpp", b"escape\x1b[31m.cpp"])
def test_a_name_that_cannot_be_shown_is_an_error_and_the_others_go_on(here, lift, name):
    make(here, "src/good.cpp")
    (here / "src" / os.fsdecode(name)).write_text(FILL)
    ran = lift("src")
    assert ran.status == 2
    assert "[file-name]" in ran.out
    assert "1 proved" in ran.out
    assert "\x1b[31m" not in ran.out


def test_paths_that_name_a_file_twice_lift_it_once(here):
    make(here, "src/a.cpp")
    (here / "link.cpp").symlink_to("src/a.cpp")
    assert found("src/a.cpp", "src", "./src/../src/a.cpp", "link.cpp") == {"src/a.cpp": "a"}


def test_nor_can_what_a_condition_holds(here, lift):
    """C++ may put string literals beside each other: three quotes in a row."""
    (here / "a.cpp").write_text(
        "#include <cassert>\n"
        "void f(unsigned char *d, int n)\n{\n"
        '    assert(n > 4 && """; import os; os.system(chr(116)) #");\n'
        "    for (int i = 0; i < n; i++) d[i] = 7;\n}\n"
    )
    assert lift("a.cpp", "-o", "out").status == 0
    tree = ast.parse((here / "out" / "a" / "f" / "pipeline.py").read_text())
    assert [type(part).__name__ for part in tree.body] == ["Expr", "ImportFrom", "FunctionDef"]
    assert "os.system" in str(ast.get_docstring(tree))
