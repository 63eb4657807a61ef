"""Kernels and barriers are no more than the real package has, for the same schedules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compiler.codegen.ptx import kernels_ptx
from tests.ptx import text

from .corpus_programs import Case, load

halide = pytest.importorskip("halide", reason="the wheel `halide` of the real package")

NAMES = ("blur", "unsharp", "harris", "camera_pipe", "iir_blur", "mat_mul", "conv_layer",
         "stencil_chain", "max_filter", "tp", "tpm", "matmul", "copy")  # fmt: skip


def counted(ptx: str) -> tuple[int, int]:
    """Kernels and barriers."""
    return len(re.findall(r"^\s*\.visible \.entry", ptx, re.MULTILINE)), ptx.count("bar.sync")


def theirs(name: str, folder: Path) -> str:
    program = load(name)
    algorithm = program.build(halide)
    program.schedule(halide, algorithm, "gpu")
    module = halide.Pipeline(list(algorithm.outputs)).compile_to_module(
        list(algorithm.inputs.values()), "f", halide.Target("x86-64-linux-cuda-cuda_capability_75")
    )
    path = folder / "device.ptx"
    module.compile({halide.OutputFileType.device_code: str(path)})
    return path.read_text("utf-8", "replace")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_more_kernels_and_barriers_than_the_real_packages(name: str, tmp_path: Path) -> None:
    fn = Case(name, load(name).test_size).lowered("gpu")
    entries = text.entries(kernels_ptx(fn.kernels, 75))
    kernels, barriers = counted(theirs(name, tmp_path))
    assert 0 < len(fn.kernels) <= kernels
    own = [sum(i.opcode[0] in ("bar", "barrier") for i in e.code) for e in entries.values()]
    widths = len(entries) // len(fn.kernels)
    assert sum(own) // widths <= barriers, (sum(own), barriers)
