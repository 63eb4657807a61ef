"""Intrinsics mean what the processor does: all extreme values, and random ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from compiler.ir import F32, F64, U8, Type

from .intrinsics import Case, Intrinsic, Pool, cases_of, differences, intrinsics, on_processor

HEADER = "immintrin.h"
COMMAND = ("g++", "-std=c++17", "-O1", "-march=native")
FEW = (0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 27, 31, 32, 33, 63, 64, 78, 128, 177, 216, 255)
IN_ONE_PROGRAM = 400
"""Cases that are compiled together."""


def wrong(cases: Sequence[Case], pool: Pool, folder: Path) -> dict[str, int]:
    """The cases in which the header says something else than the processor, and how often."""
    found: dict[str, int] = {}
    for first in range(0, len(cases), IN_ONE_PROGRAM):
        some = cases[first : first + IN_ONE_PROGRAM]
        given = on_processor(some, pool, HEADER, COMMAND, folder)
        for (one, constants), bytes_ in zip(some, given, strict=True):
            different = differences(one, pool, bytes_, constants)
            if different:
                found[f"{one.name} {constants}"] = different
    return found


MASKED = re.compile(r"_mm\d*_mask\w?_")
NOT_IN_GCC = ("_mm256_permutexvar_ps",)
"""What this machine's compiler has no function for."""


def functions(element: Type, masked: bool, prefix: str = "_") -> list[Intrinsic]:
    return [
        one
        for name, one in intrinsics(HEADER, prefix).items()
        if one.element is element
        and (MASKED.match(name) is not None) == masked
        and name not in NOT_IN_GCC
    ]


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("element", [U8, F32, F64], ids=str)
def test_some_functions_mean_what_the_processor_does(
    element: Type, masked: bool, tmp_path: Path
) -> None:
    every = functions(element, masked)
    cases = [case for one in every[:: len(every) // 12] for case in cases_of(one, FEW)[:2]]
    assert not wrong(cases, Pool.drawn(200, 3, element), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("element", [U8, F32, F64], ids=str)
def test_functions_mean_what_the_processor_does(element: Type, tmp_path: Path) -> None:
    cases = [case for one in functions(element, False) for case in cases_of(one, FEW)]
    assert not wrong(cases, Pool.drawn(10_000, 1, element), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("element", [U8, F32, F64], ids=str)
def test_masked_forms_mean_what_the_processor_does(element: Type, tmp_path: Path) -> None:
    cases = [case for one in functions(element, True) for case in cases_of(one, FEW[::4])]
    assert not wrong(cases, Pool.drawn(300, 1, element), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["_mm_", "_mm256_", "_mm512_"])
@pytest.mark.parametrize("element", [U8, F32, F64], ids=str)
def test_every_constant_means_what_the_processor_does(
    prefix: str, element: Type, tmp_path: Path
) -> None:
    every = functions(element, False, prefix)
    cases = [case for one in every if one.immediates for case in cases_of(one)]
    assert cases and not wrong(cases, Pool.drawn(20, 2, element), tmp_path)
