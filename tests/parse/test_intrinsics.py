"""Intrinsics mean what the processor does: all extreme values, and random ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.ir import F32, F64, U8, Type

from .intrinsics import Case, Pool, cases_of, differences, intrinsics, on_processor

HEADER = "immintrin.h"
COMMAND = ("g++", "-std=c++17", "-O1", "-march=native")


FEW = (0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 27, 31, 32, 33, 63, 64, 78, 128, 177, 216, 255)


@pytest.mark.slow
@pytest.mark.parametrize("element", [U8, F32, F64], ids=str)
def test_x86_means_what_the_processor_does(element: Type, tmp_path: Path) -> None:
    pool = Pool.drawn(10_000, 1, element)
    every = intrinsics(HEADER, "_mm").values()
    cases: list[Case] = [
        case for one in every if one.element is element for case in cases_of(one, FEW)
    ]
    given = on_processor(cases, pool, HEADER, COMMAND, tmp_path)
    wrong = {
        (one.name, n): count
        for (one, n), bytes_ in zip(cases, given, strict=True)
        if (count := differences(one, pool, bytes_, n))
    }
    assert not wrong
