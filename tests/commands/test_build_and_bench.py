"""`lift build` and `lift bench`: every function by itself, and a clear word for what is missing."""

from __future__ import annotations

import shutil

import pytest

TWO = """\
void invert(unsigned char *d, int n) { for (int i = 0; i < n; i++) d[i] = 255 - d[i]; }
void clear(unsigned char *d, int n) { for (int i = 0; i < n; i++) d[i] = 0; }
"""


@pytest.fixture
def lifted(lift, tmp_path):
    (tmp_path / "two.cpp").write_text(TWO)
    assert lift("two.cpp").status == 0
    return tmp_path / "lifted" / "two"


def test_build_makes_the_four_files_of_each_function(lift, lifted):
    ran = lift("build", "lifted")
    assert ran.status == 0
    assert "2 built, 0 failed" in ran.out
    for name in ("invert", "clear"):
        made = {path.name for path in (lifted / name).iterdir()}
        assert {f"{name}.o", f"{name}.h", f"lib{name}.a"} <= made
        if shutil.which("ld"):
            assert f"lib{name}.so" in made


@pytest.mark.slow
def test_a_function_that_cannot_be_built_does_not_stop_the_others(lift, lifted):
    (lifted / "clear" / "pipeline.py").write_text("raise ValueError('spoilt')\n")
    ran = lift("build", "lifted")
    assert ran.status == 1
    assert "1 built, 1 failed" in ran.out
    assert ran.has("failed", "clear", "lifted/two/clear")
    assert "`raise ValueError('spoilt')` is nothing that lift writes; it was not run" in ran.out
    assert "pipeline.py:1:1: error" in ran.out and "[edited]" in ran.out
    assert (lifted / "invert" / "invert.o").is_file()


@pytest.mark.slow
def test_without_a_linker_everything_but_the_shared_library_is_built(lift, lifted, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    ran = lift("build", "lifted")
    assert ran.status == 0
    assert "no linker" in ran.out
    assert (lifted / "invert" / "libinvert.a").is_file()
    assert not (lifted / "invert" / "libinvert.so").exists()


@pytest.mark.parametrize("command", ["build", "bench"])
def test_a_folder_without_lifted_functions(lift, tmp_path, command):
    (tmp_path / "src").mkdir()
    ran = lift(command, "src")
    assert ran.status == 2
    assert "src: no lifted functions here" in ran.err
    assert "[nothing-to-build]" in ran.err
    assert "lift SOURCE -o src" in ran.err


@pytest.mark.parametrize("command", ["build", "bench"])
def test_a_folder_that_is_not_there(lift, command):
    ran = lift(command, "lifted")
    assert ran.status == 2
    assert "lifted: no such folder [file-missing]" in ran.err


def test_bench_says_how_a_size_is_written(lift, lifted):
    ran = lift("bench", "lifted", "--size", "big")
    assert ran.status == 2
    assert "'big' is no size; write it as 1024x1024" in ran.err


@pytest.mark.slow
def test_bench_says_when_nothing_was_built(lift, lifted):
    ran = lift("bench", "lifted", "--size", "16x16")
    assert "run `lift build` first" in ran.out
