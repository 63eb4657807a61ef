"""Bad input: a clear message with file, line, column and code; the rest of the run is lifted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

GOOD = """\
void good(unsigned char *d, const unsigned char *s, int n)
{
    for (int i = 0; i < n; i++)
        d[i] = 255 - s[i];
}
"""


@pytest.fixture
def beside_a_good_one(lift, tmp_path):
    """Lifts a bad file and a good one in one run; the good one must always be proved."""

    def call(text: str | bytes | None, *arguments: str):
        (tmp_path / "good.cpp").write_text(GOOD)
        if text is not None:
            data = text.encode() if isinstance(text, str) else text
            (tmp_path / "bad.cpp").write_bytes(data)
        ran = lift("bad.cpp", "good.cpp", *arguments)
        assert ran.has("proved", "good", "good.cpp:1")
        assert (tmp_path / "lifted" / "good" / "good" / "pipeline.py").is_file()
        assert "Traceback" not in ran.said
        assert not list((tmp_path / "lifted").rglob("*partial*"))
        return ran

    return call


def test_a_missing_file(beside_a_good_one):
    ran = beside_a_good_one(None)
    assert "error: bad.cpp: no such file or folder [file-missing]" in ran.out
    assert ran.status == 2


def test_a_misspelt_file_is_told_its_neighbour(lift, tmp_path):
    (tmp_path / "blend.cpp").write_text(GOOD)
    ran = lift("blned.cpp")
    assert "help: did you mean blend.cpp?" in ran.out
    assert ran.status == 2


def test_a_folder_without_sources(lift, tmp_path):
    (tmp_path / "docs").mkdir()
    ran = lift("docs")
    assert "docs: no C++ source file in this folder or below [no-sources]" in ran.out
    assert ran.status == 2


def test_an_empty_file(beside_a_good_one):
    ran = beside_a_good_one("")
    assert "bad.cpp:1:1: error: " in ran.out
    assert "[file-empty]" in ran.out
    assert ran.status == 2


def test_a_file_that_is_not_utf_8(beside_a_good_one):
    ran = beside_a_good_one(b"// first line\nint na\xefve;\nvoid f(int *d) { d[0] = 1; }\n")
    assert "bad.cpp:2:7: error: " in ran.out
    assert "[file-encoding]" in ran.out
    assert ran.status == 2


def test_a_file_that_is_not_cpp(beside_a_good_one):
    ran = beside_a_good_one("Dear reader,\n\nthis is a letter and not a program.\n")
    assert "bad.cpp:1:1: error: " in ran.out
    assert ran.status == 2


def test_a_syntax_error(beside_a_good_one):
    ran = beside_a_good_one("void f(int *d, int n)\n{\n    d[0] = n +;\n}\n")
    assert "bad.cpp:3:15: error: expected expression [syntax-error]" in ran.out
    assert "    3 |     d[0] = n +;\n      |               ^" in ran.out


@pytest.mark.slow
def test_a_missing_include_names_itself_its_includer_and_the_way_out(beside_a_good_one):
    ran = beside_a_good_one('#include "tiles.h"\n' + GOOD.replace("good", "other"))
    assert "bad.cpp:1:10: error: " in ran.out
    assert "tiles.h" in ran.out
    assert "[missing-include]" in ran.out
    assert "-I" in ran.out
    assert ran.status == 2


def test_a_missing_include_is_found_with_the_flag_that_the_message_names(lift, tmp_path):
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "tiles.h").write_text("#pragma once\n")
    (tmp_path / "a.cpp").write_text('#include "tiles.h"\n' + GOOD)
    assert lift("a.cpp", "-I", "include").status == 0


UNSUPPORTED = {
    "goto": "    int i = 0;\nagain:\n    d[i] = 1;\n    if (++i < n) goto again;\n",
    "inline-assembly": '    for (int i = 0; i < n; i++) { d[i] = 1; asm("nop"); }\n',
    "exception": "    for (int i = 0; i < n; i++) { if (n > 9) throw 1; d[i] = 1; }\n",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("code", UNSUPPORTED)
def test_an_unsupported_construct(beside_a_good_one, code):
    ran = beside_a_good_one(f"void bad(int *d, int n)\n{{\n{UNSUPPORTED[code]}}}\n")
    assert ran.has("failed", "bad", "bad.cpp:1")
    assert f"[{code}]" in ran.out
    assert ran.status == 1


def test_recursion(beside_a_good_one):
    ran = beside_a_good_one(
        "static int down(int n) { return n > 0 ? down(n - 1) : 0; }\n"
        "void bad(int *d, int n)\n{\n    for (int i = 0; i < n; i++) d[i] = down(i);\n}\n"
    )
    assert ran.has("failed", "bad", "bad.cpp:2")
    assert "[recursion]" in ran.out
    assert ran.status == 1


def test_threads(beside_a_good_one, tmp_path):
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "thread").write_text(
        "namespace std { struct thread { template <class F> thread(F f); void join(); }; }\n"
    )
    ran = beside_a_good_one(
        "#include <thread>\nvoid helper();\n"
        "void bad(int *d, int n)\n{\n    std::thread t(helper);\n    t.join();\n}\n",
        "-I",
        "include",
    )
    assert ran.has("failed", "bad", "bad.cpp:3")
    assert "bad.cpp:5:5: error: " in ran.out
    assert "[thread]" in ran.out
    assert ran.status == 1


def test_a_function_that_is_no_kernel_is_skipped_with_a_reason(beside_a_good_one):
    ran = beside_a_good_one("int twice(int a) { return 2 * a; }\n")
    assert ran.has("skipped", "twice", "bad.cpp:1")
    assert "[not-a-kernel]" in ran.out
    assert ran.status == 0


@pytest.mark.slow
def test_an_out_of_bounds_access_is_warned_of_with_its_place(beside_a_good_one):
    ran = beside_a_good_one(
        "void bad(unsigned char *d, int n)\n{\n    unsigned char t[16];\n"
        "    for (int i = 0; i < 16; i++)\n        t[i] = i;\n"
        "    for (int i = 0; i < n; i++)\n        d[i] = t[i];\n}\n"
    )
    assert "bad.cpp:7:9: warning: " in ran.out
    assert "[out-of-bounds]" in ran.out


@pytest.mark.slow
def test_an_uninitialised_value_is_named_with_its_place(beside_a_good_one):
    ran = beside_a_good_one(
        "void bad(int *d, const int *s, int n)\n{\n    int sum;\n"
        "    for (int i = 0; i < n; i++)\n        sum += s[i];\n    d[0] = sum;\n}\n"
    )
    assert "bad.cpp:6:5: error: sum is used before it has a value" in ran.out
    assert "[uninitialised]" in ran.out


@pytest.mark.slow
def test_a_precondition_that_nobody_stated_is_shown(beside_a_good_one):
    ran = beside_a_good_one(
        "void plane(unsigned char *d, const unsigned char *s, int rows, int cols, int pitch)\n{\n"
        "    for (int y = 0; y < rows; y++)\n        for (int x = 0; x < cols; x++)\n"
        "            d[y * pitch + x] = d[y * pitch + x] + s[y * pitch + x];\n}\n"
    )
    line = ran.out[ran.out.index("plane  ") :].splitlines()
    assert any("assumes" in text and "cols <= pitch" in text for text in line[:4])


def test_a_misspelt_function_name_is_told_the_near_ones(lift, tmp_path):
    (tmp_path / "a.cpp").write_text(GOOD)
    ran = lift("a.cpp", "--function", "god")
    assert "error: --function god: no function of this name" in ran.out
    assert "[unknown-function]" in ran.out
    assert "did you mean good?" in ran.out
    assert ran.status == 2


def test_an_assumption_that_cannot_be_read(lift, tmp_path):
    (tmp_path / "a.cpp").write_text(GOOD)
    ran = lift("a.cpp", "--assume", "n >")
    assert "n >" in ran.said
    assert "[bad-assumption]" in ran.said
    assert ran.status == 2


def test_an_assumption_about_something_unknown(lift, tmp_path):
    (tmp_path / "a.cpp").write_text(GOOD)
    ran = lift("a.cpp", "--assume", "widht > 0")
    assert "widht" in ran.said
    assert ran.status == 2


def test_a_grammar_with_a_mistake_names_its_place_and_nothing_is_lifted(lift, tmp_path):
    (tmp_path / "a.cpp").write_text(GOOD)
    (tmp_path / "mine.grammar").write_text("# mine\nIndex := ... | )\n")
    ran = lift("a.cpp", "--grammar", "mine.grammar")
    assert "mine.grammar:2:" in ran.err
    assert "[grammar-syntax]" in ran.err
    assert ran.status == 2
    assert ran.out == ""


@pytest.mark.parametrize("option", ["--grammar", "--model"])
def test_a_missing_grammar_or_model(lift, tmp_path, option):
    (tmp_path / "a.cpp").write_text(GOOD)
    ran = lift("a.cpp", option, "nowhere")
    assert f"nowhere: no such {option[2:]} file [file-missing]" in ran.err
    assert ran.status == 2


def test_equal_stems_get_folders_that_tell_them_apart(lift, tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "basic.cpp").write_text(GOOD)
    assert lift("one", "two").status == 0
    made = {
        str(p.relative_to(tmp_path / "lifted")) for p in (tmp_path / "lifted").rglob("pipeline.py")
    }
    assert made == {"one/basic/good/pipeline.py", "two/basic/good/pipeline.py"}


def test_a_file_named_twice_is_lifted_once(lift, tmp_path):
    (tmp_path / "a.cpp").write_text(GOOD)
    assert "1 proved" in lift("a.cpp", f".{os.sep}a.cpp", str(tmp_path / "a.cpp")).out


@pytest.mark.slow
def test_files_of_a_function_that_is_no_longer_proved_go(lift, tmp_path):
    source = tmp_path / "a.cpp"
    source.write_text(GOOD)
    assert lift("a.cpp").status == 0
    assert Path("lifted/a/good/pipeline.py").is_file()
    source.write_text(GOOD.replace("d[i] =", "throw d[i] ="))
    assert lift("a.cpp").status == 1
    assert not Path("lifted/a/good").exists()
