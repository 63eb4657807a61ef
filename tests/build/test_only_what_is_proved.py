"""`lift build`: what somebody edited is proved of its source, or isn't built."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from .programs import lift, resealed

SOURCE = """#include <stdint.h>
void soften(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * stride + x] = (src[y * stride + x] + src[y * stride + x + 1] + 1) >> 1;
}
void invert(uint8_t *dst, int n)
{
    for (int i = 0; i < n; i++) dst[i] = 255 - dst[i];
}
"""


@pytest.fixture(scope="module")
def lifted(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "a.cpp").write_text(SOURCE)
    assert lift("a.cpp", cwd=folder).status == 0
    return folder


@pytest.fixture
def project(lifted, tmp_path) -> Path:
    shutil.copytree(lifted, tmp_path / "project")
    return tmp_path / "project"


def build(project: Path, *more: str):
    return lift("build", "lifted", "--no-library", "-j", "1", *more, cwd=project)


def edit(project: Path, old: str, new: str) -> Path:
    path = project / "lifted" / "a" / "soften" / "pipeline.py"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return path


def test_appended_python_is_neither_run_nor_built(project):
    mark = project / "was-run"
    path = project / "lifted" / "a" / "soften" / "pipeline.py"
    path.write_text(path.read_text() + f"\nopen({str(mark)!r}, 'w')\n")
    done = build(project)
    line = len(path.read_text().splitlines())
    assert done.status == 1 and not mark.exists()
    assert f"lifted/a/soften/pipeline.py:{line}:1: error: soften isn't built" in done.out
    assert "it was not run [edited]" in done.out and "1 built, 1 failed" in done.out
    assert not (path.parent / "soften.o").exists()
    assert (project / "lifted" / "a" / "invert" / "invert.o").exists()


def test_an_edited_constant_is_not_built(project):
    path = edit(project, "+ 1) >> 1", "+ 0) >> 1")
    done = build(project)
    assert done.status == 1 and "aren't equal to their source" in done.out
    assert not (path.parent / "soften.o").exists()
    edit(project, "+ 0) >> 1", "+ 1) >> 1")
    assert build(project).status == 0  # nothing of the refusal is left


def test_an_edit_that_is_proved_equal_is_built(project):
    path = edit(project, "+ 1) >> 1", "+ 1) / 2")
    assert build(project).status == 0
    assert (path.parent / "soften.o").exists()


def test_an_edited_guard_is_not_built(project):
    path = project / "lifted" / "a" / "soften" / "summary.json"
    text = path.read_text()
    assert '"w <= stride"' in text
    path.write_text(text.replace('"w <= stride"', '"w <= w"'))
    done = build(project)
    assert done.status == 1 and "[edited]" in done.out


def test_an_edit_without_its_source_cannot_be_proved(project):
    edit(project, "+ 1) >> 1", "+ 1) / 2")
    (project / "a.cpp").unlink()
    done = build(project)
    assert done.status == 1 and "have no source any more" in done.out and "1 built" in done.out


def test_the_source_is_found_from_another_folder(project):
    edit(project, "+ 1) >> 1", "+ 1) / 2")
    done = lift("build", project / "lifted", "--no-library", cwd=project / "lifted")
    assert done.status == 0, done.out


def test_whoever_recomputes_the_seal_is_found_by_all(project):

    path = edit(project, "+ 1) >> 1", "+ 0) >> 1")
    resealed(path.parent)
    done = build(project, "--all")
    assert done.status == 1 and "aren't equal to their source" in done.out
    assert not (path.parent / "soften.o").exists()


def test_a_schedule_by_hand_survives_relifting_and_is_used(project):
    path = project / "lifted" / "a" / "soften" / "soften.schedule.py"
    text = "dst.vectorize(x, 8, hl.TailStrategy.GuardWithIf)\n"
    path.write_text(text)
    (project / "a.cpp").write_text(SOURCE.replace("+ 1) >> 1", "+ 2) >> 1"))
    os.utime(project / "a.cpp", (time.time() + 2,) * 2)
    assert lift("a.cpp", cwd=project).status == 0
    assert "+ 2" in path.with_name("pipeline.py").read_text() and path.read_text() == text
    done = build(project)
    assert done.status == 0 and "soften.schedule.py, which was written by hand" in done.out
