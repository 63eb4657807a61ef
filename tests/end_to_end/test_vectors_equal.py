"""corpus/sse_blend and corpus/sse_filter with `lift cc` for the compiler: every function leaves and
returns what the original leaves and returns.

`check/check.cpp` of each suite calls its functions and their scalar twins at all sizes, with odd
strides and bases that aren't aligned, and compares whole buffers. Here the twin of a function is
what `lift cc` makes of the same source. The lifted code of each kind of processor that this machine
has is run, once with margins around all memory, and once with memory that ends where nobody may
touch it. That it has run is seen from the pointers by which it is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.build.programs import ROOT, lift, need, run

SUITES = ("sse_blend", "sse_filter")
SOURCES = [path for suite in SUITES for path in sorted((ROOT / "corpus" / suite).glob("*.cpp"))]
LEVELS = ("sse41", "avx2", "avx512")
OBSERVED = Path(__file__).with_name("observed.h")
SEEN = re.compile(r"lifted code for (.*)")
EQUAL = re.compile(r"^(?:\w+::)*(\w+) +equal", re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_is_lifted_of_vectors_does_what_the_original_does(
    source: Path, tmp_path: Path
) -> None:
    lifted = tmp_path / "lifted.o"
    made = lift("cc", "--timeout", "60", *compiling(source), lifted, cwd=tmp_path)
    assert made.status == 0, made.err
    if not SEEN.search(made.err):
        pytest.skip(f"nothing of it is lifted yet: {made.err.strip()}")
    check_equal(source, lifted)


def check_equal(source: Path, lifted: Path) -> None:
    """What `lifted` has lifted code for has run, and nothing differs anywhere."""
    for options in ((), ("-DTIGHT",)):
        program, names = checking(source, lifted, options)
        chosen, not_yet = symbols(program, ".choice"), symbols(program, ".choose")
        assert chosen
        observed = {"OBSERVED": " ".join(chosen.values())}
        for level in LEVELS:
            for words in ([], ["tall"]):
                done = run([program, *words, *names], env={"LIFT_CPU": level, **observed})
                assert done.status == 0, f"{level} {options}: {done.out[-2000:]}"
                assert sorted(EQUAL.findall(done.out)) == names
            told = [line for line in done.err.splitlines() if re.fullmatch("[0-9a-f]+", line)]
            leads = dict(zip(chosen, told, strict=True))
            waiting = [n for n, to in leads.items() if to in not_yet.values()]
            # Helpers that no other file sees may be parts of the lifted code of their callers.
            assert [n for n in waiting if any(name in n for name in names)] == [], level


def compiling(source: Path) -> list[str | Path]:
    """The command for the original, but for the name of the object."""
    need("g++")
    first, _, _ = source.read_text("utf-8").partition("\n")
    flags = first.removeprefix("// flags: ").split()
    words = ["g++", "-std=c++17", "-w", "-O2", "-ffp-contract=off", *flags]
    return [*words, "-c", source, "-o"]


def checking(source: Path, twin: Path, options: Sequence[str] = ()) -> tuple[Path, list[str]]:
    """The suite's check as a program, of one file's functions beside those of an object `twin`; and
    their names."""
    need("objcopy")
    folder = twin.parent
    original, check, renamed = (folder / f"{n}.o" for n in ("original", "check", "renamed"))
    text = source.parent / "check" / "check.cpp"
    more = ["-std=c++17", "-w", "-O1", "-include", OBSERVED, *options]
    for command in ([*compiling(source), original], ["g++", *more, "-c", text, "-o", check]):
        done = run(command)
        assert done.status == 0, done.err
    wanted = run(["nm", "-u", check]).out.split()
    given = {line.split()[-1] for line in run(["nm", "-g", twin]).out.splitlines()}
    pairs = ((without_ending(symbol), symbol) for symbol in wanted)
    names = {own: new for own, new in pairs if own != new and own in given}
    renames, kept = folder / "renames", folder / "kept"
    renames.write_text("".join(f"{own} {new}\n" for own, new in names.items()))
    kept.write_text("\n".join(names.values()))
    for step in (f"--redefine-syms={renames}", f"--keep-global-symbols={kept}"):
        done = run(["objcopy", step, renamed if renamed.exists() else twin, renamed])
        assert done.status == 0, done.err
    program = folder / "check"
    command = ["g++", "-no-pie", "-Wl,--unresolved-symbols=ignore-all", check, original, renamed]
    done = run([*command, "-o", program, "-lm", "-lpthread"])
    renamed.unlink()
    assert done.status == 0, done.err
    return program, sorted(map(last_name, names))


def without_ending(symbol: str) -> str:
    """The symbol of the function whose twin this one is, by a name that ends in `_c`."""
    done, rest = "", symbol
    if (mangled := re.match("_ZN?", symbol)) is not None:
        done, rest = mangled[0], symbol[mangled.end() :]
    while (length := re.match("[0-9]+", rest)) is not None:
        end = length.end() + int(length[0])
        name, rest = rest[length.end() : end], rest[end:]
        if name.endswith("_c"):
            return f"{done}{len(name) - 2}{name[:-2]}{rest}"
        done += f"{len(name)}{name}"
    return symbol


def last_name(symbol: str) -> str:
    """A function's name without its namespaces and its types."""
    name, rest = symbol, re.sub("^_ZN?", "", symbol)
    while (length := re.match("[0-9]+", rest)) is not None:
        end = length.end() + int(length[0])
        name, rest = rest[length.end() : end], rest[end:]
    return name


def symbols(program: Path, end: str) -> dict[str, str]:
    """The addresses of the symbols of a program that end so, without the zeros before them."""
    lines = (line.split() for line in run(["nm", program]).out.splitlines())
    return {
        words[2].removesuffix(end): words[0].lstrip("0")
        for words in lines
        if words[-1].endswith(end)
    }


# Negative twins: the comparison finds what it is for.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "is_right"),
    [
        ("", "", True),
        ("_mm_avg_epu8(a0,", "_mm_max_epu8(a0,", False),
        ("for (; x < w; x++)", "for (; x < w - 1; x++)", False),
    ],
    ids=["the same", "other vectors", "another tail"],
)  # fmt: skip
def test_another_function_is_found(old: str, new: str, is_right: bool, tmp_path: Path) -> None:
    source = ROOT / "corpus" / "sse_filter" / "plane_ops.cpp"
    text = source.read_text("utf-8")
    changed, twin = tmp_path / source.name, tmp_path / "lifted.o"
    changed.write_text(text.replace(old, new, 1))
    done = run([*compiling(changed), twin])
    assert done.status == 0 and (changed.read_text() != text or is_right), done.err
    for options in ((), ("-DTIGHT",)):
        done = run([checking(source, twin, options)[0], "pl_average"])
        assert (done.status == 0) == is_right, done.out


def test_reading_where_nobody_may_is_found(tmp_path: Path) -> None:
    source = ROOT / "corpus" / "sse_filter" / "plane_ops.cpp"
    text, old = source.read_text("utf-8"), "for (; x < w; x++)"
    changed, twin = tmp_path / source.name, tmp_path / "lifted.o"
    changed.write_text(text.replace(old, f"(void)*(volatile const uint8_t *)(a + w); {old}", 1))
    assert run([*compiling(changed), twin]).status == 0
    assert run([checking(source, twin)[0], "pl_average"]).status == 0
    assert run([checking(source, twin, ("-DTIGHT",))[0], "pl_average"]).status < 0
