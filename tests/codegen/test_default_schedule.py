"""Whole pipelines under the default schedule: the instructions that a person would have used."""

from __future__ import annotations

from pathlib import Path

import compiler as hl
from compiler.codegen import Target, emit
from compiler.frontend.lowering import schedule_and_lower

X, Y = hl.vars("x y")
TARGETS = ["x86-64-avx2", "x86-64-avx512"]


def assembly(f: hl.Func, target: str, folder: Path) -> str:
    emit(
        schedule_and_lower([f.function], "f", Target.parse(target)),
        "assembly",
        folder / "f.s",
        target,
    )
    return (folder / "f.s").read_text()


def mixed(shift: int) -> hl.Func:
    a, b = (hl.ImageParam(hl.UInt(8), 2, name) for name in "ab")
    opacity = hl.Param(hl.Int(32), "opacity")
    f = hl.Func("f")
    f[X, Y] = hl.u8((a[X, Y] * (256 - opacity) + b[X, Y] * opacity) >> shift)
    return f


def test_a_mix_by_an_unknown_opacity_runs_in_words(tmp_path: Path) -> None:
    for target in TARGETS:
        text = assembly(mixed(8), target, tmp_path)
        assert "vpmullw" in text and "vpmulld" not in text


def test_a_mix_whose_upper_bits_count_does_not(tmp_path: Path) -> None:
    for target in TARGETS:
        assert "vpmulld" in assembly(mixed(9), target, tmp_path)


def interleaved() -> hl.Func:
    r, g, b = (hl.ImageParam(hl.UInt(8), 2, name) for name in "rgb")
    c, f = hl.Var("c"), hl.Func("f")
    f[c, X, Y] = hl.mux(c, [r[X, Y], g[X, Y], b[X, Y]])
    f.output_buffer().dim(0).set_bounds(0, 3)
    f.output_buffer().dim(1).set_stride(3)
    return f


def test_planes_are_interleaved_by_picking_bytes_from_whole_registers(tmp_path: Path) -> None:
    text = assembly(interleaved(), "x86-64-avx512+avx512vbmi", tmp_path)
    # Six for a pixel block: in the ordinary loop, and each time in the one past the caches.
    count = text.count("vpermt2b") + text.count("vpermi2b")
    assert count and count % 6 == 0
    assert "vpermt2b" not in assembly(interleaved(), "x86-64-avx512", tmp_path)


def test_a_remainder_is_written_under_a_mask(tmp_path: Path) -> None:
    text = assembly(mixed(8), "x86-64-avx512", tmp_path)
    masked = [line for line in text.splitlines() if "vmovdqu8" in line and "%k" in line]
    assert masked
    assert "%k1" not in assembly(mixed(8), "x86-64-avx2", tmp_path)
