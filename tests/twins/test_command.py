"""`lift twin` as a person and as a CI system call it."""

from __future__ import annotations

import json
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.calling_lift import Ran

Lift = Callable[..., Ran]
PORTABLE = """#include <stdint.h>
static int clip(int v) { return v > 255 ? 255 : v; }
void add_c(uint8_t *d, const uint8_t *s, int n)
{
    for (int i = 0; i < n; i++) d[i] = (uint8_t)clip(d[i] + s[i]);
}
void invert_c(uint8_t *d, int n)
{
    for (int i = 0; i < n; i++) d[i] = (uint8_t)(255 - d[i]);
}
void alone_c(uint8_t *d) { d[0] = 1; }
"""
TWINS = """#include <stdint.h>
static int clip(int v) { return v < 255 ? v : 255; }
void add_c(uint8_t *d, const uint8_t *s, int n);
void add_by4(uint8_t *to, const uint8_t *from, int n)
{
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++) to[i + k] = (uint8_t)clip(to[i + k] + from[i + k]);
    add_c(to + i, from + i, n - i);
}
void invert_by4(uint8_t *d, int n)
{
    for (int i = 0; i < n; i++) d[i] = (uint8_t)(i == 5 ? 0 - d[i] : ~d[i]);
}
"""
RULE = "{}_c={}_by4"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    (tmp_path / "rows.c").write_text(PORTABLE)
    (tmp_path / "rows_by4.c").write_text(TWINS)
    return tmp_path


def test_a_tail_in_another_file_is_followed(lift: Lift, library: Path) -> None:
    ran = lift("twin", "rows.c:add_c", "rows_by4.c:add_by4")
    assert ran.status == 0 and "add_by4 ~ add_c" in ran.out
    assert "where d and s don't overlap" in ran.out


def test_a_folder_is_paired_by_names(lift: Lift, library: Path) -> None:
    ran = lift("twin", "--twins", RULE)
    assert ran.status == 1
    assert "1 without a twin: alone_c" in ran.out and "1 equal, 1 not equal in" in ran.out
    assert "d(5) is 255 in invert_c, 0 in invert_by4" in ran.out


def test_what_means_the_same_isnt_compared_again(lift: Lift, library: Path) -> None:
    assert "cached" not in lift("twin", "--twins", RULE).out
    (library / "rows_by4.c").write_text("\n/* moved */\n" + TWINS)
    ran = lift("twin", "--twins", RULE)
    assert ran.out.count("cached") == 2 and "rows_by4.c:6" in ran.out
    (library / "rows_by4.c").write_text(TWINS.replace("i == 5", "i == 6"))
    ran = lift("twin", "--twins", RULE)
    assert ran.out.count("cached") == 1 and "d(6)" in ran.out
    assert "cached" not in lift("twin", "--twins", RULE, "--no-cache").out


def test_the_document(lift: Lift, library: Path) -> None:
    ran = lift("twin", "--twins", RULE, "--format", "json")
    document = json.loads(ran.out)
    assert (ran.status, document["command"], document["alone"]) == (1, "twin", ["alone_c"])
    assert document["totals"] == {"equal": 1, "not-equal": 1, "undecided": 0, "unreadable": 0}
    equal, other = document["pairs"]
    assert equal["verdict"] == "equal" and equal["obligations"] > 5
    assert other["input"]["scalars"] == {"n": 6}
    assert other["second"]["name"] == "invert_by4" and other["second"]["line"] == 11


@pytest.mark.parametrize("form", ["sarif", "github", "junit"])
def test_reports_of_ci_systems(lift: Lift, library: Path, form: str) -> None:
    ran = lift("twin", "--twins", RULE, "--format", form)
    assert ran.status == 1
    if form == "sarif":
        (result,) = json.loads(ran.out)["runs"][0]["results"]
        assert result["ruleId"] == "not-equal"
        assert "d(5) is 255 in invert_c, 0 in invert_by4" in result["message"]["text"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "rows_by4.c"
        assert place["region"]["startLine"] == 11
    elif form == "github":
        assert "::error file=rows_by4.c,line=11" in ran.out
    else:
        suites = ET.fromstring(ran.out)
        assert len(list(suites.iter("testcase"))) == 2
        assert len(list(suites.iter("failure"))) == 1


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_program_fails_until_one_is_mended(lift: Lift, library: Path) -> None:
    lift("twin", "--twins", RULE, "--write", "cpp=shown")
    program = library / "shown/invert_c_invert_by4.c"
    command = program.read_text().splitlines()[4]
    assert subprocess.run(command, shell=True, cwd=library, check=False).returncode == 1
    (library / "rows_by4.c").write_text(TWINS.replace("i == 5 ? 0 - d[i] : ~d[i]", "~d[i]"))
    assert subprocess.run(command, shell=True, cwd=library, check=False).returncode == 0


def test_numbers_that_may_be_apart(lift: Lift, library: Path) -> None:
    pair = ("twin", "rows.c:invert_c", "rows_by4.c:invert_by4")
    assert lift(*pair, "--within", "1").status == 1  # 255 and 0
    (library / "rows_by4.c").write_text(TWINS.replace("0 - d[i]", "254 - d[i] / 2 * 2"))
    assert lift(*pair).status == 1
    ran = lift(*pair, "--within", "1")
    assert ran.status == 0 and "numbers are at most 1 apart" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rows.c:gone", "rows_by4.c:add_by4"), "rows.c has no function gone"),
        (("rows.c:add_c", "rows_by4.c:invert_by4"), "they take other parameters"),
        (("rows.c:add_c",), "two functions are compared"),
        (("rows.c", "rows_by4.c:add_by4"), "'rows.c' names no function"),
        (("other.c:f", "rows_by4.c:add_by4"), "other.c: no such file"),
        (("--twins", "{}_c"), "no rule of names"),
        (("--twins", "{}_x={}_y"), "no two functions are named"),
        (("--within", "-1", "rows.c:add_c", "rows_by4.c:add_by4"), "-1"),
    ],
)
def test_bad_input(lift: Lift, library: Path, arguments: tuple[str, ...], said: str) -> None:
    ran = lift("twin", *arguments)
    assert ran.status == 2 and said in ran.said


def test_each_side_has_flags_of_its_own(lift: Lift, tmp_path: Path) -> None:
    text = "#include <stdint.h>\nvoid f(uint8_t *d) { d[0] = MADE; }\n"
    (tmp_path / "a.c").write_text(text)
    (tmp_path / "b.c").write_text(text.replace(" f(", " g("))
    pair = ("twin", "a.c:f", "b.c:g")
    assert lift(*pair, "-D", "MADE=1").status == 0
    assert lift(*pair, "--first-flags=-DMADE=1", "--second-flags=-DMADE=2").status == 1
    assert lift(*pair, "--", "-DMADE=3").status == 0
