"""Counterexamples as pictures of pixels, and as programs that fail until they are mended."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from lifter.model.counterexample import CounterexampleTables, ValueTable
from lifter.show.pictures import pictures_of, rectangles, shades
from tests.build.programs import lift, need, run
from tests.nursery import NURSERY


def plane(name, rows, element="uint8", origin=(0, 0)):
    values = tuple(v for row in rows for v in row)
    return ValueTable(name, element, ("x", "y"), origin, (len(rows[0]), len(rows)), values,
                 (1, len(rows[0])))  # fmt: skip


def test_before_after_and_difference_are_pictures_with_those_names():
    before = plane("s", [[0, 128], [255, None]])
    example = CounterexampleTables(
        {}, (before,), plane("d", [[0, 1], [2, 3]]), plane("d", [[0, 255], [2, 3]]), (1, 0), 1
    )
    found = pictures_of(example)
    assert [p.title for p in found] == [
        "s before", "d after, by the original", "d after, by the candidate", "difference",
    ]  # fmt: skip
    assert found[0].rows[0] == ((0, 0, 0), (128, 128, 128)) and found[0].rows[1][0] == (255,) * 3
    assert found[0].rows[1][1] not in found[0].rows[0]  # no such element: no number's colour
    assert found[3].wrong == {(1, 0)}
    assert rectangles(found[0]).count("<rect") == 4
    assert rectangles(found[1]).count("<rect") == 4
    assert rectangles(found[3]).count("<rect") == 3  # equal neighbours are one
    assert shades(found[0]) == ["s before", "|  ▒▒|", "|██··|"]
    assert shades(found[3]) == ["difference", "|  ✗✗|", "|    |"]


def test_channels_are_colours_and_floats_are_scaled():
    values = (255, 0, 0, 9, 0, 0)  # x fastest, then y, then c
    table = ValueTable("d", "uint8", ("x", "y", "c"), (0, 0, 0), (2, 1, 3), values, (3, 6, 1))
    example = CounterexampleTables({}, (), table, table, (0, 0, 0), 1)
    assert pictures_of(example)[0].rows == (((255, 0, 0), (0, 9, 0)),)
    wide = plane("f", [[-2.0, 0.0, 2.0, float("nan")]], "float32")
    rows = pictures_of(CounterexampleTables({}, (), wide, wide, (0, 0), 1))[0].rows
    assert [c[0] for c in rows[0][:3]] == [0, 128, 255] and rows[0][3] not in rows[0][:3]


def test_single_values_are_no_pictures():
    result = ValueTable("the result", "int32", (), (), (), (7,))
    assert pictures_of(CounterexampleTables({}, (), result, result, (), 1)) == []


SOURCE = """\
#include <cstddef>
#include <cstdint>
#include <vector>
#include "sizes.h"
using std::size_t;
void other(int);
void unrelated(int n) { other(n); }
void invert(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) dst[y * stride + x] = TOP - src[y * stride + x];
}
void halve(std::vector<float> &a, const std::vector<float> &b)
{
    for (size_t i = 0; i < b.size(); i++) a[i] = b[i] * 0.5f;
}
struct Image { uint8_t *p; const int w, h; };
void third(Image &im, const Image &other)
{
    for (int i = 0; i < im.w * im.h; i++) im.p[i] = other.p[i] / 3;
}
"""
CHANGES = {
    "invert": ("TOP - src", "TOP - 1 - src"),
    "halve": ("0.5f", "0.25f"),
    "third": ("other.p[i] / 3", "other.p[i] / 4"),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "include").mkdir()
    (folder / "include" / "sizes.h").write_text("#define TOP 255\n")
    (folder / "a.cpp").write_text(SOURCE)
    lift("a.cpp", "-I", "include", "--std", "c++17", cwd=folder)
    text = SOURCE
    for old, new in CHANGES.values():
        assert old in text
        text = text.replace(old, new)
    (folder / "a.cpp").write_text(text)
    done = lift("verify", "lifted", "--write", "cpp=shown", cwd=folder)
    assert done.status == 1 and "3 not equal" in done.out
    assert done.err.count("is mended") == 3
    return folder


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("name", CHANGES)
def test_a_counterexample_is_a_program_that_fails_until_the_source_is_mended(project, name):
    need("g++")
    program = project / "shown" / f"{name}.cpp"
    (command,) = re.findall(r"^ +(c\+\+ .*) && ", program.read_text(), re.MULTILINE)
    words = command.replace("c++ ", "g++ ", 1).split()
    assert run(words, program.parent).status == 0
    failed = run([program.parent / name])
    assert failed.status == 1 and re.search(r"is [\d.]+, and should be [\d.]+\n", failed.out)
    source = project / "a.cpp"
    changed = source.read_text()
    source.write_text(SOURCE)
    try:
        assert run(words, program.parent).status == 0
        mended = run([program.parent / name])
    finally:
        source.write_text(changed)
    assert (mended.status, mended.out) == (0, "")


def test_sizes_are_those_that_an_image_could_have(project):
    text = lift("verify", "lifted", cwd=project).out
    found = re.search(r"with w = (\d+), h = (\d+), stride = (\d+)", text)
    assert found is not None
    width, height, stride = map(int, found.groups())
    assert width >= 1 and height >= 1 and stride >= width


def test_the_summary_of_a_job_has_the_pictures(project, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    NURSERY.lift(["verify", "lifted", "--format", "github"], project, os.environ)
    text = (tmp_path / "summary.md").read_text()
    assert "✗✗" in text and "dst after, by the original&#10;&#124;██&#124;" in text
