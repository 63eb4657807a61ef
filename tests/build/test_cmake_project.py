"""examples/cmake_project: switched to lifted code by two lines, and the same images come out."""

from __future__ import annotations

import os
import random
import re
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from .programs import ROOT, Done, lift, need, run

PROJECT = ROOT / "examples" / "cmake_project"
CMAKE = ROOT / "lifter" / "cmake"
RUNS = (
    ("invert",), ("brighten=70",), ("brighten=-300",), ("gray",), ("gray", "blur"),
    ("invert", "gray", "blur", "blur", "brighten=9"),
)  # fmt: skip


def configured(source: Path, build: Path, *options: str) -> Done:
    """CMake's own step; `lift` is this checkout's."""
    need("cmake")
    command = f"{sys.executable};-m;lifter"
    return run(
        ["cmake", "-S", source, "-B", build, f"-Dlift_DIR={CMAKE}", f"-DLIFT_COMMAND={command}",
         *options]
    )  # fmt: skip


def built(build: Path) -> Done:
    done = run(["cmake", "--build", build])
    assert done.status == 0, done.out + done.err
    return done


def image(path: Path, width: int, height: int) -> Path:
    rng = random.Random(width * 1000 + height)
    path.write_bytes(b"P6\n%d %d\n255\n" % (width, height) + rng.randbytes(width * height * 3))
    return path


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's program with its own C++ filters."""
    build = tmp_path_factory.mktemp("without lift") / "build"
    done = configured(PROJECT, build, "-DWITH_LIFT=OFF")
    assert done.status == 0, done.err
    built(build)
    return build


def same_images(before: Path, after: Path, folder: Path) -> None:
    """Every run of filters gives the same bytes, and lifted code runs `after` alone."""
    for width, height in ((1, 1), (3, 2), (37, 23), (640, 479)):
        photo = image(folder / "photo.ppm", width, height)
        for number, filters in enumerate(RUNS):
            one, two = folder / "one.ppm", folder / "two.ppm"
            old = run([before / "darkroom", photo, one, *filters], env={"LIFT_CPU": "?"})
            new = run([after / "darkroom", photo, two, *filters], env={"LIFT_CPU": "?"})
            assert (old.status, new.status) == (0, 0), new.err
            assert one.read_bytes() == two.read_bytes(), (width, height, filters, number)
            assert old.err == ""
            assert "LIFT_CPU=? is ignored" in new.err


@dataclass(frozen=True)
class Switched:
    """A copy of the project, switched and built, and what was said on the way."""

    source: Path
    build: Path
    said: str


@pytest.fixture(
    scope="module", params=["Ninja", pytest.param("Unix Makefiles", marks=pytest.mark.slow)]
)
def switched(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Switched:
    need("ninja" if request.param == "Ninja" else "make")
    folder = tmp_path_factory.mktemp("switched")
    source, build = folder / "a project", folder / "build here"
    shutil.copytree(PROJECT, source)
    done = configured(source, build, "-G", request.param)
    assert done.status == 0, done.err
    said = built(build)
    return Switched(source, build, said.out + said.err)


@pytest.mark.slow
def test_the_switched_project_makes_the_same_images(
    before: Path, switched: Switched, tmp_path: Path
) -> None:
    assert "lift: tone.cpp: lifted code for invert, brighten, to_gray" in switched.said
    assert "lift: blur.cpp: lifted code for blur" in switched.said
    same_images(before, switched.build, tmp_path)
    tested = run(["ctest", "--test-dir", switched.build])
    assert tested.status == 0, tested.out


@pytest.mark.slow
def test_shadow_compares_in_the_program_itself(switched: Switched, tmp_path: Path) -> None:
    photo = image(tmp_path / "photo.ppm", 64, 48)
    done = run(
        [switched.build / "darkroom", photo, tmp_path / "out.ppm", "gray", "blur"],
        env={"LIFT_SHADOW": "1"},
    )
    assert (done.status, done.err) == (0, "")


@pytest.mark.slow
def test_only_a_changed_source_is_lifted_again(switched: Switched, tmp_path: Path) -> None:
    source, build = switched.source, switched.build
    said = built(build)
    assert "lift:" not in said.out + said.err
    time.sleep(1.1)  # some file systems count seconds
    tone = source / "src/tone.cpp"
    tone.write_text(tone.read_text().replace("255 - row[x]", "254 - row[x]"))
    said = built(build)
    assert "lifted code for invert" in said.out + said.err
    photo = image(tmp_path / "photo.ppm", 5, 4)
    run([build / "darkroom", photo, tmp_path / "out.ppm", "invert"])
    assert (tmp_path / "out.ppm").read_bytes()[-1] == (254 - photo.read_bytes()[-1]) % 256

    # And back to the originals.
    assert configured(source, build, "-DLIFT_ENABLED=OFF").status == 0
    built(build)
    plain = run([build / "darkroom", photo, tmp_path / "out.ppm", "invert"], env={"LIFT_CPU": "?"})
    assert (plain.status, plain.err) == (0, "")


def test_two_lines_are_the_whole_difference() -> None:
    lines = (PROJECT / "CMakeLists.txt").read_text().splitlines()
    mentions = [line.strip() for line in lines if re.search(r"\(lift |lift_", line)]
    assert mentions == [
        "find_package(lift CONFIG REQUIRED)",
        "lift_library(TARGET filters SOURCES src/tone.cpp src/blur.cpp)",
    ]


MISTAKES = {
    "lift_library(TARGET nobody SOURCES k.cpp)": "TARGET must be a target that exists",
    "lift_library(TARGET app)": "SOURCES must name the files of app",
    "lift_library(TARGET app SOURCES other.cpp)": "other.cpp is no source of app",
    "lift_library(TARGET app SOURCES k.cpp k.txt)": "k.txt is no C or C++ source",
    "lift_library(app k.cpp)": "what is app;k.cpp?",
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("line", MISTAKES)
def test_mistakes_are_told_when_configuring(line: str, tmp_path: Path) -> None:
    for name in ("k.cpp", "k.txt"):
        (tmp_path / name).write_text("int k;\n")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\n"
        "find_package(lift CONFIG REQUIRED)\nadd_library(app STATIC k.cpp k.txt)\n"
        f"{line}\n"
    )
    done = configured(tmp_path, tmp_path / "build")
    assert done.status != 0
    assert MISTAKES[line] in " ".join(done.err.split())


def test_the_folder_and_the_version_are_those_of_the_package(tmp_path: Path) -> None:
    assert lift("--cmake-dir", cwd=tmp_path).out.strip() == str(CMAKE)
    version = lift("--version", cwd=tmp_path).out.split()[1]
    assert f'set(PACKAGE_VERSION "{version}")' in (CMAKE / "liftConfigVersion.cmake").read_text()


@pytest.mark.slow
def test_the_makefile_switches_as_well(before: Path, tmp_path: Path) -> None:
    need("make")
    shutil.copytree(PROJECT, tmp_path / "p")
    own = tmp_path / "bin"
    own.mkdir()
    (own / "lift").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lifter "$@"\n')
    (own / "lift").chmod(0o755)
    path = {"PATH": f"{own}:{os.environ['PATH']}"}
    made = run(["make", "-C", tmp_path / "p", "LIFT=1", "all", "test"], env=path)
    assert made.status == 0, made.err
    assert "lifted code for blur" in made.err
    same_images(before, tmp_path / "p/build-make", tmp_path)
