"""corpus/neon with `lift cc` before the cross compiler: under qemu, every function leaves and
returns what the original leaves and returns.

`check/check.cpp` calls the suite's functions and their plain versions, at widths 0 to 70, with odd
strides and bases that aren't aligned, and compares whole buffers, margins included. Here the plain
version of a function is what `lift cc` makes of the same source.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.build.programs import ROOT, lift, need, run
from tests.end_to_end.test_vectors_equal import without_ending

SUITE = ROOT / "corpus" / "neon"
SOURCES = sorted(SUITE.glob("*.cpp"))
TOOLS = "aarch64-linux-gnu"
COMPILER = (f"{TOOLS}-g++", "-std=c++17", "-w", "-ffp-contract=off")
LIFTED = re.compile(r"lifted code for (.*)")
EQUAL = re.compile(r"^(\w+) +(?:\(all\) +)?agrees", re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_what_is_lifted_of_neon_does_what_the_original_does(source: Path, tmp_path: Path) -> None:
    need_tools()
    lifted = tmp_path / "lifted.o"
    made = lift("cc", "--timeout", "120", *compiling(source), lifted, cwd=tmp_path)
    assert made.status == 0, made.err
    told = LIFTED.search(made.err)
    assert told is not None, made.err
    names = sorted({name.split("#")[0] for name in told[1].split(", ")})
    check_equal(source, lifted, [name for name in names if name.endswith("_neon")])


def need_tools() -> None:
    for tool in (COMPILER[0], f"{TOOLS}-objcopy", "qemu-aarch64"):
        need(tool)


def compiling(source: Path) -> list[str | Path]:
    """The command for an object, but for its name."""
    return [*COMPILER, "-O2", "-c", source, "-o"]


def check_equal(source: Path, lifted: Path, names: Sequence[str]) -> None:
    program = checking(source, lifted)
    assert names
    for name in names:
        done = run(["qemu-aarch64", program, name])
        assert done.status == 0, done.out + done.err
        assert set(EQUAL.findall(done.out)) == {name}, done.out


def checking(source: Path, twin: Path) -> Path:
    """The suite's check as a program, of one file's functions beside those of an object `twin`."""
    folder = twin.parent
    original, check, renamed = (folder / f"{name}.o" for name in ("original", "check", "renamed"))
    text = SUITE / "check" / "check.cpp"
    for command in ([*compiling(source), original], [*COMPILER, "-O1", "-c", text, "-o", check]):
        done = run(command)
        assert done.status == 0, done.err
    wanted = run([f"{TOOLS}-nm", "-u", check]).out.split()
    given = {line.split()[-1] for line in run([f"{TOOLS}-nm", "-g", twin]).out.splitlines()}
    pairs = ((without_ending(symbol), symbol) for symbol in wanted)
    names = {own: new for own, new in pairs if own != new and own in given}
    renames = [f"--redefine-sym={own}={new}" for own, new in names.items()]
    kept = [f"--keep-global-symbol={new}" for new in names.values()]
    for step in (renames, kept):
        done = run([f"{TOOLS}-objcopy", *step, renamed if step is kept else twin, renamed])
        assert done.status == 0, done.err
    program = folder / "program"
    command = [COMPILER[0], "-static", "-Wl,--unresolved-symbols=ignore-all", check, original]
    done = run([*command, renamed, "-o", program, "-lm", "-lpthread"])
    assert done.status == 0, done.err
    return program


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "is_right"),
    [
        ("", "", True),
        ("vrhaddq_u8(", "vhaddq_u8(", False),
        ("for (; x < w; x++)", "for (; x < w - 1; x++)", False),
    ],
    ids=["the same", "other vectors", "another tail"],
)  # fmt: skip
def test_another_function_is_found(old: str, new: str, is_right: bool, tmp_path: Path) -> None:
    need_tools()
    source = SUITE / "video_mc.cpp"
    text = source.read_text("utf-8")
    changed, twin = tmp_path / source.name, tmp_path / "lifted.o"
    changed.write_text(text.replace(old, new, 1))
    done = run([*compiling(changed), twin])
    assert done.status == 0 and (changed.read_text() != text or is_right), done.err
    done = run(["qemu-aarch64", checking(source, twin), "mc_avg_w16_neon"])
    assert (done.status == 0) == is_right, done.out
