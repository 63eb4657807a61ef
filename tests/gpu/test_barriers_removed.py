"""Each barrier is needed: without it threads race, or what comes out is something else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from compiler import HalideError
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import children_of, rebuild, walk

from .corpus_programs import Case
from .device import Race, Unready
from .programs import Array, lowered, on_device
from .random_programs import Program

CASES = {
    "blur": (35, 9), "unsharp": (33, 9, 3), "harris": (35, 9), "camera_pipe": (33, 17, 3),
    "iir_blur": (18, 17, 3), "nl_means": (17, 9, 3), "tp": (19, 17),
    "tpm": (19, 17),
}  # fmt: skip
QUICK = ("tp", "blur")

Run = Callable[[s.LoweredFunction], tuple[list[Array], int]]
"""What a function leaves, and how many barriers blocks have come to."""


def without(stmt: s.Stmt, barrier: s.Barrier) -> s.Stmt:
    if stmt is barrier:
        return s.Block(())
    return rebuild(stmt, tuple(without(c, barrier) for c in children_of(stmt)), lambda e: e)


def unneeded(fn: s.LoweredFunction, run: Run) -> tuple[int, list[str]]:
    """How many barriers blocks come to, and the kernels of those that nobody misses."""
    expected, met = run(fn)
    count, found = 0, []
    for number, kernel in enumerate(fn.kernels):
        for barrier in (x for x in walk(kernel.body) if isinstance(x, s.Barrier)):
            kernels = list(fn.kernels)
            kernels[number] = replace(kernel, body=without(kernel.body, barrier))
            try:
                made, met_now = run(replace(fn, kernels=tuple(kernels)))
            except (Race, Unready):
                count += 1
                continue
            if met_now == met:
                continue
            count += 1
            if all(np.array_equal(a, b) for a, b in zip(made, expected, strict=True)):
                found.append(f"{kernel.name}: {barrier}")
    return count, found


def of_corpus(name: str, size: tuple[int, ...]) -> tuple[int, list[str]]:
    case = Case(name, size)

    def run(fn: s.LoweredFunction) -> tuple[list[Array], int]:
        made, counts = case.run(fn)
        return made, counts.barriers

    return unneeded(case.lowered("gpu"), run)


def of_random(seed: int) -> tuple[int, list[str]]:
    """Of a random program, on an output that its tiles don't divide; (0, []) if it is refused."""
    program = Program(seed)
    try:
        program.schedule()
        fn = lowered(program.output)
    except HalideError:
        return 0, []
    width, height = (-(-13 // program.multiple[0]), -(-11 // program.multiple[1]))
    shape = (width * program.multiple[0], height * program.multiple[1])
    image = np.random.default_rng(seed).integers(0, 256, (shape[1] + 3, shape[0] + 3), np.uint8)
    name = fn.args[-1].name

    def run(fn: s.LoweredFunction) -> tuple[list[Array], int]:
        made, counts = on_device(fn, {program.image.name(): image}, {name: shape})
        return [made[name]], counts.barriers

    return unneeded(fn, run)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in CASES]
)
def test_each_barrier_of_a_program_is_needed(name: str) -> None:
    count, found = of_corpus(name, CASES[name])
    assert count > 0 and found == []


@pytest.mark.slow
def test_barriers_of_random_programs_are_needed_for_the_blocks_own_memory() -> None:
    """What lies in the device's memory may overlap, for all that is known of its strides."""
    several = [of_random(seed) for seed in range(200)]
    count = sum(count for count, _ in several)
    found = [each for _, of_one in several for each in of_one if "device=False" in each]
    # In small tiles threads may happen to read what they have written themselves.
    assert count > 40 and len(found) <= count // 10
