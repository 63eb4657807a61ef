"""NEON's intrinsics mean what an AArch64 processor does, as qemu has it: all extreme values, all
constants, and random ones."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from compiler.ir import F32, F64, U8

from .intrinsics import WIDEST, Case, Pool, cases_of, differences, intrinsics, on_processor

HEADER = "arm_neon.h"
COMMAND = ("aarch64-linux-gnu-g++", "-std=c++17", "-O1", "-static")
COMMAND += ("-ffp-contract=off", "-march=armv8.2-a+dotprod")
RUNNER = ("qemu-aarch64",)
TYPES = [f"{letter}{bits}" for letter in "su" for bits in (8, 16, 32, 64)]
TYPES += ["p8", "p16", "p64", "f32", "f64"]
FEW = (0, 1, 2, 7, 8, 15, 16, 31, 32, 63, 64)
IN_ONE_PROGRAM = 600

pytestmark = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in (COMMAND[0], *RUNNER)),
    reason="needs aarch64-linux-gnu-g++ and qemu-aarch64",
)


def of_type(element: str) -> list[Case]:
    every = intrinsics(HEADER, "v").values()
    ours = [one for one in every if one.name.split("_")[-1] == element]
    return [case for one in ours for case in cases_of(one)]


def floats() -> Pool:
    """Every sign and exponent with every 8 bits behind the point, and something behind these."""
    pick = np.random.default_rng(7)
    words = np.arange(1 << 17, dtype=np.uint32) << 15
    words = np.concatenate([words, words | pick.integers(0, 1 << 15, words.size, dtype=np.uint32)])
    made = np.zeros((4, words.size, WIDEST), np.uint8)
    made[0] = np.repeat(words.astype("<u4")[:, None], WIDEST // 4, axis=1).view(np.uint8)
    return Pool(words.size, made)


def wrong(cases: Sequence[Case], count: int, folder: Path) -> dict[str, int]:
    """The cases in which the header says something else than the processor, and how often."""
    found: dict[str, int] = {}
    for element in (U8, F32, F64):
        own = [c for c in cases if c[0].element is element]
        for first in range(0, len(own), IN_ONE_PROGRAM):
            some = own[first : first + IN_ONE_PROGRAM]
            pool = Pool.drawn(count, 1, element)
            given = on_processor(some, pool, HEADER, COMMAND, folder, RUNNER)
            for (one, constants), bytes_ in zip(some, given, strict=True):
                different = differences(one, pool, bytes_, constants)
                if different:
                    found[f"{one.name} {constants}"] = different
    return found


@pytest.mark.parametrize("element", TYPES)
def test_functions_mean_what_the_processor_does(element: str, tmp_path: Path) -> None:
    some = [case for case in of_type(element) if all(n in FEW[:4] for n in case[1])]
    assert not wrong(some[::11], 300, tmp_path)


@pytest.mark.parametrize("name", ["vrecpe_f32", "vrsqrte_f32", "vrecpe_u32", "vrsqrte_u32"])
def test_estimates_are_the_processor_s_to_the_last_bit(name: str, tmp_path: Path) -> None:
    one, pool = intrinsics(HEADER, "v")[name], floats()
    (given,) = on_processor([(one, ())], pool, HEADER, COMMAND, tmp_path, RUNNER)
    assert not differences(one, pool, given, ())


@pytest.mark.slow
@pytest.mark.parametrize("element", TYPES)
def test_functions_mean_it_for_every_constant(element: str, tmp_path: Path) -> None:
    cases = of_type(element)
    assert not wrong(cases, 300, tmp_path)
    assert not wrong([c for c in cases if all(n in FEW for n in c[1])], 10_000, tmp_path)
