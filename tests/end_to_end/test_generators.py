"""Halide's C++ compiler takes every kernel's `generator.cpp`, and makes of it what it makes of
`pipeline.py`: the same lowered statements, names of temporaries aside.

What `pipeline.py` computes is compared with the original elsewhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import halide as hl
import pytest

from lifter.emit.interface import load_interface
from lifter.emit.load import load_pipeline
from tests.build.programs import lift
from tests.end_to_end.built_corpus import emitted
from tests.end_to_end.corpus_list import listed

HALIDE = Path(hl.__file__).parent
TARGET = "x86-64-linux-no_runtime-strict_float-no_asserts-no_bounds_query"
HEAD = """\
#include "Halide.h"
#include <iostream>
#undef HALIDE_REGISTER_GENERATOR
#define HALIDE_REGISTER_GENERATOR(TYPE, NAME) \\
    std::unique_ptr<Halide::Internal::AbstractGenerator> made(const Context &context) \\
    { return TYPE::create(context, #NAME, #NAME); }
using Context = Halide::GeneratorContext;
"""
MAIN = """\
int main(int, char **argv) {
    Halide::Target target(argv[1]);
    Context context(target);
    std::unique_ptr<Halide::Internal::AbstractGenerator> (*all[])(const Context &) = {%s};
    int number = 0, wrong = 0;
    for (auto make : all) {
        try {
            auto generator = make(context);
            auto pipeline = generator->build_pipeline();
            pipeline.compile_to_lowered_stmt(std::to_string(number) + ".stmt",
                                             pipeline.infer_arguments(), Halide::Text, target);
        } catch (const Halide::Error &error) {
            std::cerr << number << ": " << error.what();
            wrong = 1;
        }
        number++;
    }
    return wrong;
}
"""
MEMBERS = """\
#include <stdint.h>
struct Plane {
    uint8_t *_samples__;
    int width_;
    void shade(uint8_t lerp, int _) {
        for (int in = 0; in < width_; in++)
            _samples__[in] = this->lerp(_samples__[in], lerp, _ & 15) + 4278190080u / 0x1000001u;
    }
    static uint8_t lerp(uint8_t a, uint8_t b, int t) { return a + ((b - a) * t >> 4); }
};
"""


def lowered_by_cpp(folders: list[Path], scratch: Path) -> list[str]:
    """The statements that each folder's generator becomes."""
    included = [
        f'namespace k{i} {{\n#include "{f}/generator.cpp"\n}}' for i, f in enumerate(folders)
    ]
    main = MAIN % ", ".join(f"k{i}::made" for i in range(len(folders)))
    source = scratch / "all.cpp"
    source.write_text("\n".join([HEAD, *included, main]))
    libraries = HALIDE / "lib64"
    subprocess.run(
        ["g++", "-std=c++17", "-O0", "-I", HALIDE / "include", source, "-L", libraries, "-lHalide",
         f"-Wl,-rpath,{libraries}", "-o", scratch / "all"],
        check=True,
    )  # fmt: skip
    done = subprocess.run([scratch / "all", TARGET], cwd=scratch, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [(scratch / f"{i}.stmt").read_text() for i in range(len(folders))]


def lowered_by_python(folder: Path, scratch: Path) -> str:
    """The statements that `pipeline.py` becomes under the real package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lifter.hl", hl, raising=False)
        loaded = load_pipeline(folder / "pipeline.py", load_interface(folder).name)
    pipeline = hl.Pipeline(list(loaded.outputs))
    path = scratch / "python.stmt"
    arguments = list(pipeline.infer_arguments())
    pipeline.compile_to_lowered_stmt(
        str(path), arguments, hl.StmtOutputFormat.Text, hl.Target(TARGET)
    )
    return path.read_text()


def plain(statements: str) -> str:
    """Without the module's name and what only tells temporaries apart."""
    body = statements.split("\n", 2)[2]
    seen: dict[str, str] = {}
    return re.sub(
        r"\b([tvfr])\d+\b",
        lambda m: seen.setdefault(m[0], f"{m[1]}#{len(seen)}"),
        re.sub(r"\$\d+", "", body),
    )


def check(folders: list[Path], scratch: Path) -> None:
    for folder, statements in zip(folders, lowered_by_cpp(folders, scratch), strict=True):
        assert plain(statements) == plain(lowered_by_python(folder, scratch)), folder


needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is missing")


@pytest.mark.slow
@needs_compiler
def test_names_and_numbers_that_halide_would_take_otherwise(tmp_path: Path) -> None:
    """Members with underscores, functions of Halide's names, numbers beyond an int's."""
    (tmp_path / "plane.cpp").write_text(MEMBERS)
    assert lift("plane.cpp", cwd=tmp_path).status == 0
    kernels = [
        emitted("filter/basic.cpp", "accumulate_histogram16"),
        emitted("blend/photoshop_modes.cpp", "PsSoftLight"),
        emitted("blend/argb32.c", "argb_average_span"),
    ]
    check([tmp_path / "lifted" / "plane" / "Plane_shade", *kernels], tmp_path)


@pytest.mark.slow
@needs_compiler
def test_a_generator_that_means_something_else_is_found(tmp_path: Path) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(emitted("blend/basic.cpp", "darken_plane"), changed)
    text = (changed / "generator.cpp").read_text()
    assert "min(" in text
    (changed / "generator.cpp").write_text(text.replace("min(", "max("))
    with pytest.raises(AssertionError):
        check([changed], tmp_path)


@needs_compiler
@pytest.mark.slow
def test_every_kernels_generator_is_its_pipeline(tmp_path: Path) -> None:
    check([emitted(file, name) for file, name in listed()], tmp_path)
