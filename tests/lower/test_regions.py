"""The regions that bounds inference finds: programs are taken and refused as by the real Halide."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import halide
import numpy as np
import pytest

import compiler

from .both_packages import assert_same

READS = [
    "f[x] = hl.clamp(im[x], 0, 9); f.compute_root(); h[x] = g[f[x]]",
    "f[x] = im[x]; f.compute_root(); h[x] = g[f[x]]",
    "f[x] = hl.clamp(im[x], 0, p); f.compute_root(); h[x] = g[f[x] + p]",
    "f[x] = hl.u8(im[x]); f.compute_root(); h[x] = g[f[x]]",
    "h[x] = im[hl.i32(x * 0.5)] + im[hl.i32(hl.floor(x * 1.5))]",
    "h[x] = im[hl.i32(hl.floor(x * 2.5))]",
    "h[x] = g[x / p] + g[x * p] + g[x % p]",
    "h[x] = g[hl.min(im[x], 5)]",
    "h[x] = g[hl.max(hl.min(im[x], 5) - 1, 0)]",
    "h[x] = g[hl.select(im[x] > 3, x, 2 * x)]",
    "h[x] = g[hl.i32(hl.u8(x * 40))] + g[hl.i32(hl.u16(x) * 3)] + g[hl.i32(hl.i64(x) * 3)]",
    "h[x] = g[hl.i32(hl.abs(x - 4))] + g[(x - 4) * (x - 4)]",
    "h[x] = g[20 - x] + g[-x / 2] + g[x >> 1] + g[x << 1] + g[x & 7]",
    "h[x] = g[hl.i32(hl.sqrt(hl.f32(x)))]",
    "h[x] = im[x - 1]",
    "h[x] = im[x + 8]",
    "h[x] = im[x + 9]",
]


def outcome(hl: Any, text: str) -> Any:
    x, image, p = hl.Var("x"), hl.ImageParam(hl.Int(32), 1, "im"), hl.Param(hl.Int(32), "p", 3)
    image.set(hl.Buffer(np.arange(16, dtype=np.int32) % 7))
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    g[x] = x * x
    g.compute_root()
    exec(text, {"hl": hl, "x": x, "im": image, "p": p, "f": f, "g": g, "h": h})
    try:
        return np.array(h.realize([8])).tolist()
    except hl.HalideError:
        return "refused"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("text", READS)
def test_what_is_read_is_bounded_as_by_halide(text: str) -> None:
    assert outcome(compiler, text) == outcome(halide, text)


@pytest.mark.slow
def test_regions_of_a_deep_pipeline_stay_small() -> None:
    from compiler.ir import postorder
    from compiler.ir import stmts as s
    from compiler.ir.stmt_transform import expressions_of, walk

    x, image = compiler.Var("x"), compiler.ImageParam(compiler.Int(32), 1, "im")
    stage = compiler.Func("stage")
    stage[x] = image[compiler.clamp(x, 0, 99)]
    for depth in range(40):
        before, stage = stage.compute_root(), compiler.Func("stage")
        stage[x] = before[x / 2] + before[x / 2 + 1] if depth % 2 else before[2 * x] + before[x - 1]
    body: list[s.Stmt] = []
    stage.lowered("", None, None, lambda _, stmt: body.append(stmt))
    sizes = [sum(1 for _ in postorder(e)) for x in walk(body[-1]) for e in expressions_of(x)]
    assert max(sizes) < 400


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("rows", [1, 23, 24, 32, 49])
def test_what_blocks_beyond_the_end_read_is_not_asked_for(rows: int) -> None:
    def program(hl: Any, _: SimpleNamespace) -> Any:
        y, strip, row, block, inner = (hl.Var(n) for n in ("y", "strip", "row", "block", "inner"))
        g, f, guard = hl.Func("g"), hl.Func("f"), hl.TailStrategy.GuardWithIf
        g[y] = hl.Buffer(np.arange(rows, dtype=np.int32))[y] * 3
        f[y] = g[y] + 1
        f.split(y, strip, row, 24, guard).split(row, block, inner, 6, guard)
        g.compute_at(f, block)
        return f.realize([rows])

    assert_same(program)


FLOATS = ["x / p", "(x + 0.5) / p - 0.5", "x / (p + 1)", "hl.floor(x / p)", "(x / p) / p"]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("index", FLOATS)
@pytest.mark.parametrize("value", [2.0, -0.5, 0.3])
def test_an_index_may_be_divided_by_a_float_parameter(index: str, value: float) -> None:
    made = []
    for hl in (halide, compiler):
        x, p = hl.Var("x"), hl.Param(hl.Float(32))
        p.set(value)
        g, f = hl.Func("g"), hl.Func("f")
        g[x] = x * 2
        g.compute_root()
        f[x] = g[hl.i32(eval(index, {"hl": hl, "x": x, "p": p}))]
        made.append(np.array(f.realize([8])).tolist())
    assert made[0] == made[1]
