"""Every program of `corpus/pipelines/` gives the same picture under random schedules.

Numpy's reference is the judge, and the real package's own result under the schedule by hand: what
a program computes does not depend on how. A schedule that ours refuses, the real one must refuse.
"""

from __future__ import annotations

import random
import zlib
from types import ModuleType
from typing import Any

import halide
import pytest

import compiler
from corpus.pipelines import NAMES, load
from corpus.pipelines.program import Compiled
from tests.fuzz.pipelines.corpus_schedules import apply, random_directives, shapes

from .test_pipelines import SLOW, computed_by_halide, differences, expected, given

FEW, MANY = 2, 50
BLOCK = 10
LIGHT = [name for name in NAMES if name not in SLOW]


def directives(name: str, number: int) -> list[str]:
    """The random schedule of that number; the same each time."""
    algorithm = load(name).build(compiler)
    r = random.Random(zlib.crc32(f"{name} {number}".encode()))
    return random_directives(r, shapes(algorithm))


def compiled(hl: ModuleType, name: str, lines: list[str]) -> Compiled:
    algorithm = load(name).build(hl)
    apply(hl, algorithm, lines)
    return Compiled(hl, algorithm)


def difference(name: str, lines: list[str]) -> str | None:
    """What is wrong with ours under the schedule `lines`; None if nothing."""
    program = load(name)
    try:
        made = compiled(compiler, name, lines)
    except compiler.HalideError as refusal:
        try:
            compiled(halide, name, lines)
        except halide.HalideError:
            return None
        return f"ours refuses what the real package takes: {refusal}"
    try:
        found = made(given(name), program.test_size)
    except compiler.HalideError as refusal:
        try:
            compiled(halide, name, lines)(given(name), program.test_size)
        except halide.HalideError:
            return None
        return f"ours fails where the real package runs: {refusal}"
    wrong = max(differences(found, expected(name)))
    if not wrong <= program.tolerance:
        return f"differs by {wrong} from the reference"
    wrong = max(differences(found, computed_by_halide(name, "x86")))
    if not wrong <= 2 * program.tolerance:
        return f"differs by {wrong} from the real package's result"
    return None


def check(name: str, numbers: range) -> None:
    wrong: list[Any] = []
    for number in numbers:
        lines = directives(name, number)
        try:
            what = difference(name, lines)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
        if what is not None:
            wrong.append(f"{name}, schedule {number}: {what}\n" + "\n".join(lines))
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("number", range(FEW))
@pytest.mark.parametrize("name", LIGHT)
def test_a_random_schedule_changes_no_picture(name: str, number: int) -> None:
    check(name, range(number, number + 1))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, MANY, BLOCK))
@pytest.mark.parametrize("name", NAMES)
def test_fifty_random_schedules_change_no_picture(name: str, first: int) -> None:
    check(name, range(first, first + BLOCK))


@pytest.mark.parametrize("name", LIGHT)
def test_random_schedules_differ(name: str) -> None:
    assert directives(name, 3) == directives(name, 3)
    assert len({tuple(directives(name, number)) for number in range(12)}) > 6
