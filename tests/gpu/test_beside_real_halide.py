"""The real package's kernels beside ours, for the same schedules, as the PTX machine counts them.

Its runtime runs on the emulated driver, its kernels where ours do: neither needs a GPU.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from compiler.codegen.ptx.shared_memory import packed
from compiler.ir.stmts import Kernel
from tests.ptx.machine import Counts

from .corpus_programs import Case
from .programs import by_ptx
from .real_halide import theirs
from .test_corpus import ELSE, FEWER, SMALL

pytest.importorskip("halide", reason="the wheel `halide` of the real package")

NAMES = (
    "blur", "unsharp", "harris", "camera_pipe", "iir_blur", "mat_mul", "conv_layer",
    "stencil_chain", "max_filter", "interpolate", "hist", "nl_means", "lens_blur", "tp", "tpm",
    "matmul", "gemm", "three_mm", "doitgen", "syrk", "syr2k", "trmm", "copy", "mask",
)  # fmt: skip
"""Without those whose kernels read what nobody wrote, which the machine forbids."""
AT_LEAST = {"copy": (160, 24), "mask": (160, 24), "lens_blur": (33, 35, 3), "iir_blur": (35, 33, 3)}
"""Where the package asks for more than a tile, or gives smaller images less."""
ALIGNMENT = 16
"""Bytes of which our memories of a block are multiples."""
FUSED = 1e-6
"""The package joins products to sums, which are rounded once then."""
FIRST_READS = 1.02
"""What it reads once we read in each of the parts that a loop is taken apart into."""


def small(name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Case, list[str]]:
    """The program with few stages, and how another process makes it so."""
    fewer = FEWER.get(name)
    if fewer is not None:
        monkeypatch.setattr(import_module(f"corpus.pipelines.{name}"), *fewer)
    size = AT_LEAST.get(name) or SMALL.get(name, ELSE)
    return Case(name, size), [f"{fewer[0]}={fewer[1]}"] if fewer else []


def shared(kernel: Kernel) -> tuple[int, int]:
    """Bytes of a block, and how many of them may lie between its memories."""
    packing = packed(kernel)
    return packing.size, (ALIGNMENT - 1) * len(packing.places)


def sectors(counts: Counts) -> int:
    return counts.sectors_read + counts.sectors_written


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_kernels_ask_for_no_more_than_the_real_packages(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, fewer = small(name, monkeypatch)
    fn, counted = case.lowered("gpu"), dict[str, Counts]()
    made, _ = case.run(fn, by_ptx(fn, counted=counted))
    real = theirs(case, tmp_path, fewer)
    for array, expected in zip(made, real.outputs, strict=True):
        np.testing.assert_allclose(array, expected, rtol=FUSED, atol=FUSED)
    assert len(fn.kernels) == len(real.ran)
    for kernel, other in zip(fn.kernels, real.ran, strict=True):
        own = counted[kernel.name]
        assert own.barriers <= other.counts.barriers, kernel.name
        assert own.shared_passes <= other.counts.shared_passes, kernel.name
        assert sectors(own) <= FIRST_READS * sectors(other.counts), kernel.name
        assert own.local_accesses <= other.counts.local_accesses, kernel.name
        size, between = shared(kernel)
        assert size <= other.shared + between, kernel.name
