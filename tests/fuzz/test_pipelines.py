"""Random pipelines under random schedules agree with the real Halide and with the interpreter.

`python -m tests.fuzz.pipelines --seed N` replays one and shrinks it; `LIFT_SEED` moves the first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from compiler.autosched import available
from tests.sample import covering

from .pipelines.generate import generate
from .pipelines.program import Program
from .pipelines.run import Comparison, Counts, Finding
from .pipelines.shrink import shrunk
from .pipelines.twists import generate_twisted

FIRST = int(os.environ.get("LIFT_SEED", "0"))
BLOCK = 25
LONG_BLOCK = 100
SAMPLE, AT_THE_LIMITS = 12, 10
"""Programs of a sample: of the first 300, and of the first 50 with a stage at the limits."""
SHORT, FEW = 3, 6
"""Stages of the programs of a quick run, at most, and how many there are."""


@pytest.fixture(scope="module")
def comparison() -> Iterator[Comparison]:
    """The processes of all blocks: the imports of one take as long as several programs."""
    with Comparison() as made:
        yield made


def optimise_little() -> None:
    """Has LLVM do little, which takes half of the time of a quick run."""
    from compiler.codegen.target import Effort

    Effort.passes, Effort.code = 0, 0


@pytest.fixture(scope="module")
def quick_comparison() -> Iterator[Comparison]:
    with Comparison(optimise_little) as made:
        yield made


def findings(comparison: Comparison, programs: Iterable[Program]) -> list[Finding]:
    """What is wrong with the programs; the first finding made small."""
    found: list[Finding] = []
    comparison.counts = Counts()
    tried = list(programs)
    for program in tried:
        finding = comparison.check(program)
        if finding is not None:
            found.append(shrunk(finding, comparison) if not found else finding)
    assert comparison.counts.equal > len(tried) // 2, f"too few programs count: {comparison.counts}"
    return found


def features(program: Program) -> set[str]:
    """The functions and directives that a program uses, its tail strategies and its scheduler."""
    names = re.findall(r"\.(\w+)\(|TailStrategy\.(\w+)|'(\w+)', \{", program.text())
    return {name for alternatives in names for name in alternatives if name}


def first_programs() -> list[Program]:
    return [generate(seed) for seed in range(FIRST, FIRST + 300)]


def first_at_the_limits() -> list[Program]:
    return [generate_twisted(seed) for seed in range(FIRST, FIRST + 50)]


def test_short_ones_of_the_first_pipelines_agree(quick_comparison: Comparison) -> None:
    short = [program for program in first_programs() if len(program.stages) <= SHORT]
    found = findings(quick_comparison, covering(short, features, FEW))
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.slow
def test_a_sample_of_the_first_pipelines_agrees(quick_comparison: Comparison) -> None:
    found = findings(quick_comparison, covering(first_programs(), features, SAMPLE))
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.slow
def test_a_sample_of_the_programs_at_the_limits_agrees(quick_comparison: Comparison) -> None:
    found = findings(quick_comparison, covering(first_at_the_limits(), features, AT_THE_LIMITS))
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.parametrize("count", [SAMPLE, AT_THE_LIMITS])
def test_a_sample_has_all_that_any_program_has(count: int) -> None:
    programs = first_programs() if count == SAMPLE else first_at_the_limits()
    sample = covering(programs, features, count)
    assert len(sample) == count < len(programs)
    assert set().union(*map(features, sample)) == set().union(*map(features, programs))
    assert len(set().union(*map(features, programs))) > 50


@pytest.mark.slow
@pytest.mark.parametrize("block", range(12))
def test_three_hundred_pipelines_agree(comparison: Comparison, block: int) -> None:
    first = FIRST + block * BLOCK
    found = findings(comparison, map(generate, range(first, first + BLOCK)))
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(50))
def test_five_thousand_pipelines_agree(comparison: Comparison, block: int) -> None:
    first = FIRST + 100_000 + block * LONG_BLOCK
    found = findings(comparison, map(generate, range(first, first + LONG_BLOCK)))
    assert not found, "\n\n".join(map(str, found))


def plant_wrong_rule() -> None:
    """Teaches the simplifier that a minimum is its first operand."""
    from compiler.ir.rewriting import Rule
    from compiler.ir.simplify_rules import RULES

    RULES.rules = (Rule("wrong", "iu", lambda w: (w.x.min(w.y), w.x)), *RULES.rules)


@pytest.mark.slow
def test_a_planted_bug_is_found_and_made_small() -> None:
    with Comparison(plant_wrong_rule) as comparison:
        for seed in range(40):
            finding = comparison.check(generate(seed))
            if finding is not None and "differ" in finding.what:
                small = shrunk(finding, comparison)
                assert len(small.program.text()) <= len(finding.program.text())
                assert "replay" in str(small)
                return
    raise AssertionError("forty programs with a wrong simplifier agree")


def test_a_seed_gives_the_same_program() -> None:
    assert generate(11) == generate(11)
    assert generate(11) != generate(12)
    assert isinstance(generate(11), Program)


def plant_reductions_that_change_sides() -> None:
    """Lets schedules reorder some of a sum's loops past the others."""
    from compiler.autosched import groups

    groups._Writer._add_reductions = lambda *_: None  # type: ignore[method-assign]


@pytest.mark.slow
def test_a_planted_bug_in_how_schedules_are_written_is_found() -> None:
    seeds = (39, 91)
    with Comparison(plant_reductions_that_change_sides) as comparison:
        found = [comparison.check(generate(seed, "Mullapudi2016")) for seed in seeds]
    assert any(f is not None and "can't reorder RVars" in f.what for f in found)


def test_one_program_in_eight_is_left_to_each_of_the_autoschedulers() -> None:
    lines = [d for seed in range(300) for d in generate(seed).directives]
    drawn = [line for line in lines if line.startswith("autoschedule(")]
    assert 25 < len(drawn) < 50
    assert all(any(repr(name) in line for line in drawn) for name in available())


def test_with_and_without_an_autoscheduler_a_seed_has_the_same_stages() -> None:
    for seed in range(0, 20, 4):
        automatic = generate(seed, "any")
        assert automatic.stages == generate(seed).stages
        assert automatic.directives[-1].startswith("autoschedule(")


@pytest.mark.slow
@pytest.mark.parametrize("block", range(2))
def test_fifty_programs_at_the_limits_agree(comparison: Comparison, block: int) -> None:
    first = FIRST + block * BLOCK
    found = findings(comparison, map(generate_twisted, range(first, first + BLOCK)))
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_programs_at_the_limits_agree(comparison: Comparison, block: int) -> None:
    first = FIRST + 200_000 + block * LONG_BLOCK
    found = findings(comparison, map(generate_twisted, range(first, first + LONG_BLOCK)))
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.slow
def test_programs_at_the_limits_have_what_they_are_for() -> None:
    texts = [generate_twisted(seed).text() for seed in range(100)]
    for words in ("specialize(z", "2147483646", "compute_at(z, y)", "table[", "hl.Func('b0')"):
        assert sum(words in text for text in texts) >= 2, words
    assert sum("z[x, y] = (" in text for text in texts) >= 20
    assert generate_twisted(7) == generate_twisted(7)


def plant_stores_without_masks() -> None:
    """Lets the tails of vectors be written whole."""
    from compiler.codegen import memory

    def whole(f: Any, buffer: str, value: Any, address: Any, type: Any, mask: Any) -> None:
        f.do(f"store {value}, {address}, align {type.bytes}")

    memory.store_masked = whole


@pytest.mark.slow
def test_stores_beyond_a_row_are_found() -> None:
    with Comparison(plant_stores_without_masks) as comparison:
        found = [comparison.check(generate_twisted(seed)) for seed in (8, 9)]
    assert any(f is not None and ("crash" in f.what or "between" in f.what) for f in found)
