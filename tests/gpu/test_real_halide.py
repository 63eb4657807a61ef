"""Kernels and barriers are no more than the real package has, for the same schedules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import compiler as hl
from compiler.codegen.ptx import kernels_ptx
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk
from tests.ptx import text

from .corpus_programs import Case, load
from .programs import lowered
from .test_thread_registers import WAYS, application, product

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
    return compiled(list(algorithm.outputs), list(algorithm.inputs.values()), folder)


def compiled(outputs: list[Any], inputs: list[Any], folder: Path) -> str:
    """The real package's PTX."""
    module = halide.Pipeline(outputs).compile_to_module(
        inputs, "f", halide.Target("x86-64-linux-cuda-cuda_capability_75")
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


@pytest.mark.slow
@pytest.mark.parametrize("memory", ("Register", "Stack", "GPUShared", "Auto"))
def test_sums_of_a_tile_lie_where_the_real_package_has_them(memory: str, tmp_path: Path) -> None:
    """It keeps them in registers for the same schedules, and asks nobody whether threads read what
    others have."""
    x, y, xo, yo, u, v = (halide.Var(name) for name in ["x", "y", "xo", "yo", "u", "v"])
    a, b = (halide.ImageParam(halide.Int(32), 2, name) for name in "ab")
    k, ko, ki = halide.RDom([(0, 5)], "k"), halide.RVar("ko"), halide.RVar("ki")
    p, f = halide.Func("p"), halide.Func("f")
    p[x, y] = x
    p[x, y] += a[k.x, y] * b[x, k.x]
    f[x, y] = p[x, y]
    f.tile(x, y, xo, yo, x, y, 32, 8, halide.TailStrategy.RoundUp).gpu_blocks(xo, yo)
    p.compute_at(f, xo).bound_extent(x, 32).bound_extent(y, 8)
    p.store_in(getattr(halide.MemoryType, memory))
    for stage in (f, p, p.update()):
        stage.split(x, x, u, 4).split(y, y, v, 2).reorder(u, v, x, y).unroll(u).unroll(v)
        stage.gpu_threads(x, y)
    p.update().split(k.x, ko, ki, 4).reorder(u, v, ki, x, y, ko)
    text = compiled([f], [a, b], tmp_path)
    (kernel,) = lowered(product(WAYS["unrolled"][0], memory=getattr(hl.MemoryType, memory))).kernels
    places = {x.memory for x in walk(kernel.body) if isinstance(x, s.Allocate)}
    own = {"register", "stack"} >= places
    assert own == ("st.shared" not in text) == (memory in ("Register", "Stack"))
    assert "ld.local" not in text


@pytest.mark.slow
def test_an_application_takes_no_more_than_the_real_packages(tmp_path: Path) -> None:
    """Of whose sums some lie in a thread's memory."""
    f, *inputs = application(halide, halide.Int(32), (1, 2, 2), 64)
    real = compiled([f], inputs, tmp_path)
    own = kernels_ptx(lowered(application(hl, hl.Int(32), (1, 2, 2), 64)[0]).kernels, 75)
    entries = text.entries(own).values()
    assert max(sum(i.opcode[0] == "bar" for i in e.code) for e in entries) <= counted(real)[1]
    assert "ld.local" in real and "ld.local" not in own
