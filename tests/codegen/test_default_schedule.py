"""Whole pipelines under the default schedule: the instructions that a person would have used."""

from __future__ import annotations

from pathlib import Path

import compiler as hl
from compiler.codegen import Target, emit
from compiler.lower import lower

X, Y = hl.vars("x y")
TARGETS = ["x86-64-avx2", "x86-64-avx512"]


def assembly(f: hl.Func, target: str, folder: Path) -> str:
    emit(lower([f.function], "f", Target.parse(target)), "assembly", folder / "f.s", target)
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
