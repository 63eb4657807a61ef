"""corpus/filter with `lift cc` for its compiler: every function leaves and returns the same.

`filters/FILE.cpp` calls each function of FILE on many sizes (none, one, two, as many as a window
has, fewer, odd ones), with memory that ends where nobody may touch it, and prints a hash of what
is left after each call. The lifted code of each kind of processor that this machine has says what
the compiler's own says at each level of optimisation; that all of it has run is seen from the
pointers by which it is chosen.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.build.programs import ROOT, lift, need, run

FILTERS = ROOT / "corpus" / "filter"
EXERCISES = Path(__file__).with_name("filters")
FILES = {path.stem: path for path in sorted(FILTERS.glob("*.c*")) if path.stem != "basic"}
EXERCISED = [stem for stem in FILES if (EXERCISES / f"{stem}.cpp").exists()]
PLAIN = (("-O0", "-fsanitize=undefined", "-fno-sanitize-recover=all"), ("-O2",), ("-O3",))
"""A call that has another result at another level, or none, has no result to compare with."""
LEVELS = ("sse41", "avx2", "avx512")
UNBUILT = {
    "running_max": "height is read under conditions on pixels, and overwritten",
    "background_model#1.1": "so is spread",
    "median3_inplace#1": "so is p",
    "premultiply_bgra32": "so is image",
    "BlockMinForward#1.2": "signal is overwritten, and not all of it",
    "area_sums_float#1": "a copy of ii would begin in a row that only the first call touches",
}
"""Proved, and left to the compiler."""
UNCALLED = re.compile(r"_rotate_cw_uint\d+_lifted")
"""Of a function that is called by one other alone, whose lifted code does its work itself."""
SEEN = re.compile(r"lifted code for (.*)")
LEFT = re.compile(r"(?:, | for )(\S+) \(lifter\.model\.diagnostic\.LiftError: [^)]*\)")


@pytest.mark.slow
@pytest.mark.parametrize("stem", EXERCISED)
def test_what_is_lifted_of_a_file_does_what_its_compiler_made_of_it(
    tmp_path: Path, stem: str
) -> None:
    need("gcc")
    need("g++")
    source = FILES[stem]
    is_c = source.suffix == ".c"
    own = ["gcc", "-std=gnu99"] if is_c else ["g++", "-std=c++17"]
    own += ["-w", "-ffp-contract=off", "-c", str(source), "-o"]
    exercise = tmp_path / "exercise.o"
    words = ["g++", "-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-c"]
    made = run([*words, EXERCISES / f"{stem}.cpp", "-o", exercise])
    assert made.status == 0, made.err
    said = []
    for number, options in enumerate(PLAIN):
        object = tmp_path / f"plain{number}.o"
        assert run([*own, object, *options]).status == 0
        _link([exercise, object], tmp_path / f"plain{number}", options)
        done = run([tmp_path / f"plain{number}"])
        assert done.status == 0 and done.err == ""
        said.append(done.out)
    assert said[0].count("\n") > 100 and said[0] == said[1] == said[2]
    object = tmp_path / "lifted.o"
    made = lift("cc", "--watched", *own, str(object), "-O2", cwd=tmp_path)
    assert made.status == 0, made.err
    (names,) = SEEN.findall(made.err)
    assert set(LEFT.findall(made.err)) <= set(UNBUILT)
    _link([exercise, object], tmp_path / "lifted", ("-no-pie",))
    chosen = _symbols(tmp_path / "lifted", ".choice")
    not_yet = _symbols(tmp_path / "lifted", ".choose")
    assert len(chosen) == len(names.split(", "))
    for level in LEVELS:
        done = run([tmp_path / "lifted", *chosen.values()], env={"LIFT_CPU": level})
        different = _different(said[0], done.out)
        assert done.status == 0 and not different, f"{level}: {different or done.err}"
        pointers = [line for line in done.err.splitlines() if "LIFT_CPU" not in line]
        leads = dict(zip(chosen, pointers, strict=True))
        waiting = [name for name, to in leads.items() if to in not_yet.values()]
        assert [name for name in waiting if not UNCALLED.search(name)] == []


def test_an_exercise_calls_each_kernel_of_its_file() -> None:
    text = (FILTERS / "README.md").read_text("utf-8")
    for stem in EXERCISED:
        source = FILES[stem]
        listed = re.split(r"^## ", text, flags=re.MULTILINE)
        (table,) = [part for part in listed if part.startswith(f"{source.name}:")]
        names = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
        calls = (EXERCISES / f"{stem}.cpp").read_text("utf-8")
        missing = [n for n in names if len(re.findall(rf"\b{n}\(", calls)) < 2]
        assert names and not missing, f"{source.name}: {missing}"


def _link(objects: list[Path], program: Path, options: tuple[str, ...]) -> None:
    linked = run(["g++", *objects, *options, "-o", program, "-lm", "-lpthread"])
    assert linked.status == 0, linked.err


def _symbols(program: Path, end: str) -> dict[str, str]:
    """The addresses of the symbols of a program that end so, without the zeros before them."""
    need("nm")
    lines = (line.split() for line in run(["nm", program]).out.splitlines())
    return {
        words[2].removesuffix(end): words[0].lstrip("0")
        for words in lines
        if words[-1].endswith(end)
    }


def _different(expected: str, found: str) -> str:
    """The first line that differs, and what stands there instead."""
    lines = zip(expected.splitlines(), [*found.splitlines(), "nothing"], strict=False)
    return next((f"{a} became {b}" for a, b in lines if a != b), "")
