"""Kernels of corpus/pipelines: what they take of a GPU, and what they ask of its memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import kernels_ptx
from corpus.pipelines import NAMES
from tests.codegen.ptxas import ASSEMBLED_FOR, NEEDS_PTXAS, usage
from tests.ptx import machine

from .corpus_programs import Case
from .programs import by_ptx, lowered, on_device

MOST: dict[tuple[str, str], tuple[int, int]] = {
    ("bilateral_grid", "plain"): (32, 0), ("bilateral_grid", "gpu"): (96, 16384),
    ("blur", "plain"): (24, 0), ("blur", "gpu"): (32, 640),
    ("camera_pipe", "plain"): (40, 0), ("camera_pipe", "gpu"): (72, 2336),
    ("conv_layer", "plain"): (56, 0), ("conv_layer", "gpu"): (72, 0),
    ("harris", "plain"): (56, 0), ("harris", "gpu"): (40, 4448),
    ("hist", "plain"): (24, 0), ("hist", "gpu"): (128, 0),
    ("iir_blur", "plain"): (40, 0), ("iir_blur", "gpu"): (48, 4224),
    ("interpolate", "plain"): (48, 0), ("interpolate", "gpu"): (48, 1056),
    ("lens_blur", "plain"): (88, 0), ("lens_blur", "gpu"): (64, 656),
    ("local_laplacian", "plain"): (48, 0), ("local_laplacian", "gpu"): (56, 1088),
    ("mat_mul", "plain"): (32, 0), ("mat_mul", "gpu"): (64, 0),
    ("max_filter", "plain"): (80, 0), ("max_filter", "gpu"): (88, 0),
    ("nl_means", "plain"): (72, 0), ("nl_means", "gpu"): (72, 3984),
    ("stencil_chain", "plain"): (48, 0), ("stencil_chain", "gpu"): (80, 432),
    ("unsharp", "plain"): (40, 0), ("unsharp", "gpu"): (40, 3344),
}  # fmt: skip
"""By program and schedule: the registers of a thread and the bytes that a block shares, at most."""
MOST_MORE = 12
"""The registers that entries with wide indices may take beyond that: LLVM does less for these."""
Pair = tuple[str, str]


def _quick(pairs: Iterable[Pair], quick: Iterable[Pair]) -> list[Any]:
    return [pytest.param(*p, marks=() if p in quick else pytest.mark.slow) for p in pairs]


def test_all_programs_have_bounds() -> None:
    assert set(MOST) == {(name, schedule) for name in NAMES for schedule in ("plain", "gpu")}


@NEEDS_PTXAS
@pytest.mark.parametrize(("name", "schedule"), _quick(MOST, [("blur", "gpu")]))
def test_kernels_have_their_numbers_in_registers(name: str, schedule: str) -> None:
    fn = Case(name, ()).lowered(schedule)
    registers, shared = MOST[name, schedule]
    text = kernels_ptx(fn.kernels)
    for capability in ASSEMBLED_FOR:
        for symbol, used in usage(text, capability).items():
            assert (used.stack, used.spilled) == (0, 0), (symbol, capability)
            more = MOST_MORE if symbol.endswith("$wide") else 0
            assert used.registers <= registers + more, (symbol, capability)
            # Generations from 90 on keep a kilobyte of each block that shares memory.
            assert used.shared <= shared + 1024 * (capability >= 90), (symbol, capability)


def is_in_a_row(counts: machine.Counts) -> bool:
    """Whether warps read and write elements beside one another, from any element on."""
    sectors = counts.sectors_read + counts.sectors_written
    return sectors <= counts.least_sectors + counts.requests


IN_A_ROW: dict[Pair, tuple[int, ...]] = {
    ("blur", "plain"): (37, 19), ("blur", "gpu"): (37, 19),
    ("harris", "plain"): (37, 19), ("harris", "gpu"): (37, 19),
    ("unsharp", "plain"): (37, 19, 3), ("unsharp", "gpu"): (37, 19, 3),
    ("mat_mul", "plain"): (33, 9), ("max_filter", "gpu"): (33, 9, 3),
    ("conv_layer", "gpu"): (33, 13, 2, 1), ("iir_blur", "gpu"): (35, 17, 3),
    ("tp", "gpu"): (67, 35), ("tpm", "gpu"): (67, 35),
}  # fmt: skip
"""Programs that go through images row by row, and sizes of their outputs."""


@pytest.mark.parametrize(
    ("name", "schedule"), _quick(IN_A_ROW, [("blur", "plain"), ("blur", "gpu")])
)
def test_warps_read_neighbours_and_wait_for_no_bank(name: str, schedule: str) -> None:
    counted: dict[str, machine.Counts] = {}
    Case(name, IN_A_ROW[name, schedule]).on_device(schedule, with_ptx=True, counted=counted)
    assert counted
    for kernel, counts in counted.items():
        assert is_in_a_row(counts), kernel
        assert counts.shared_passes == counts.shared_requests, kernel
        assert counts.local_accesses == 0, kernel


def test_columns_instead_of_rows_are_seen() -> None:
    """A warp along y asks for a sector an element."""
    x, y, xi, yi = hl.vars("x y xi yi")
    a, f = hl.ImageParam(hl.Float(32), 2, "a"), hl.Func("f")
    f[x, y] = a[x, y] + 1.0
    f.tile(x, y, xi, yi, 8, 32).reorder(yi, xi).gpu_blocks(x, y).gpu_threads(yi, xi)
    fn = lowered(f)
    data = np.random.default_rng(2).random((64, 64), np.float32)
    counted: dict[str, machine.Counts] = {}
    output = fn.args[-1].name
    made, _ = on_device(fn, {"a": data}, {output: (64, 64)}, by_ptx(fn, counted=counted))
    np.testing.assert_array_equal(made[output], data + np.float32(1))
    (counts,) = counted.values()
    assert not is_in_a_row(counts)
    assert counts.sectors_read == 64 * 64
