"""corpus/legacy with `lift cc` for its compiler: every project's exercise says what it always does.

The exercise calls all functions on many sizes and prints hashes of their outputs. With sanitizers,
the projects' own code is watched while lifted code runs inside of it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.build.programs import ROOT, lift, need, run

LEGACY = ROOT / "corpus" / "legacy"
PROJECTS = sorted(p.parent.name for p in LEGACY.glob("*/manifest.json"))
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def same_exercise(
    project: str, folder: Path, chosen: tuple[str, ...] = (), more: tuple[str, ...] = ()
) -> None:
    """Builds a project twice, the second time with lifted code in its files (all unless some are
    `chosen`), and compares what its exercise says."""
    need("gcc")
    need("g++")
    manifest = json.loads((LEGACY / project / "manifest.json").read_text("utf-8"))
    said, count = [], 0
    for with_lift in (False, True):
        objects = []
        for number, file in enumerate([*manifest["files"], manifest["exercise"]]):
            object = folder / f"{number}.o"
            objects.append(object)
            is_chosen = file in (chosen or manifest["files"])
            if with_lift and not is_chosen:
                continue
            words = [*_compiler(manifest, file), *more, "-c", file, "-o", str(object)]
            if not with_lift:
                made = run(words, LEGACY / project)
            else:
                made = lift("cc", "--watched", *words, cwd=LEGACY / project)
                count += "lifted code for" in made.err
            assert made.status == 0, made.err
        words = ["g++", *map(str, objects), *more, "-o", str(folder / "exercise"), "-lm"]
        linked = run([*words, "-lpthread"], folder)
        assert linked.status == 0, linked.err
        said.append(run([folder / "exercise"], LEGACY / project))
    assert said[0].out and said[0] == said[1]
    assert count


def _compiler(manifest: dict[str, Any], file: str) -> list[str]:
    """The compiler's command for one of the files, without names of files."""
    is_c = file.endswith(".c")
    standard = manifest["standard"]
    if is_c != (manifest["language"] == "c"):
        standard = "c99" if is_c else manifest.get("cxx_standard", "c++11")
    flags = ["-O2", "-ffp-contract=off", f"-std={standard}", *manifest["flags"]]
    return ["gcc" if is_c else "g++", *flags]


@pytest.mark.slow
def test_one_file_of_a_project_with_lifted_code_in_it(tmp_path: Path) -> None:
    same_exercise("blitz95", tmp_path, ("surface.cpp",), SANITIZERS)


@pytest.mark.slow
@pytest.mark.parametrize("project", PROJECTS)
def test_a_project_with_lifted_code_in_it(tmp_path: Path, project: str) -> None:
    same_exercise(project, tmp_path)
    same_exercise(project, tmp_path, more=SANITIZERS)  # what was proved serves again


@pytest.mark.slow
def test_the_own_tests_of_a_project_that_builds_with_cmake(tmp_path: Path) -> None:
    need("cmake")
    need("ctest")
    launcher = f"-DCMAKE_CXX_COMPILER_LAUNCHER={sys.executable};-m;lifter;cc"
    made = run(["cmake", "-S", LEGACY / "rasterpp", "-B", tmp_path, launcher])
    assert made.status == 0, made.err
    built = run(["cmake", "--build", tmp_path])
    assert built.status == 0 and "lifted code for" in built.out + built.err
    tested = run(["ctest", "--test-dir", tmp_path, "--output-on-failure"])
    assert tested.status == 0, tested.out


@pytest.mark.slow
def test_the_own_tests_of_a_project_that_builds_with_meson(tmp_path: Path) -> None:
    need("meson")
    need("ninja")
    build = tmp_path / "build"
    own = {"CC": f"{sys.executable} -m lifter cc gcc"}
    made = run(["meson", "setup", build, LEGACY / "vidkit"], env=own)
    assert made.status == 0, made.out
    assert run(["meson", "compile", "-C", build]).status == 0
    assert run(["meson", "test", "-C", build]).status == 0
