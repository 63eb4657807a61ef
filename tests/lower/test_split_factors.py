"""Splits by what is only known when the pipeline runs, as by the real Halide."""

from __future__ import annotations

import itertools
import re
from types import SimpleNamespace
from typing import Any

import halide
import numpy as np
import pytest

import compiler

from .both_packages import assert_same_refusal, inputs

FACTORS = (1, 3, 8, 40, 0, -3)
SIZES = ((16, 8), (20, 9), (3, 2))

SCHEDULES = [
    "f.split(x, xo, xi, p)",
    "f.split(x, xo, xi, p, T.GuardWithIf).vectorize(y, 4, T.GuardWithIf)",
    "f.split(x, xo, xi, p, T.RoundUp)",
    "f.split(x, xo, xi, hl.max(p, 1), T.Predicate)",
    "f.split(x, xo, xi, image.dim(0).extent())",
    "f.parallel(y, p)",
    "f.tile(x, y, xo, yo, xi, yi, p, p + 1, T.GuardWithIf).parallel(yo)",
    "f.split(x, xo, xi, p).fuse(xi, y, yi)",
    "f.split(x, xo, xi, p).split(xi, xi, yi, p)",
    "f.split(x, xo, xi, p, T.GuardWithIf); g.compute_at(f, xo)",
    "f.split(x, xo, xi, p, T.GuardWithIf); g.compute_at(f, xo).hoist_storage_root()",
    "f.split(x, xo, xi, p, T.GuardWithIf); g.store_at(f, xo).compute_at(f, xi)",
    "f.split(x, xo, xi, p, T.ShiftInwards); g.compute_at(f, xo)",
    "f.split(y, yo, yi, p, T.GuardWithIf); g.store_root().compute_at(f, yi)",
    "f.specialize(p > 3).split(x, xo, xi, p, T.GuardWithIf)",
    "g.compute_root().split(x, xo, xi, p)",
    "g.compute_root().split(x, xo, xi, p, T.RoundUp)",
    "f.update().split(r, ro, ri, p)",
    "f.update().split(r, ro, ri, p).rfactor(ro, yi)",
    "f.update().split(r, ro, ri, p).rfactor(ri, yi)",
    "f.update().split(x, xo, xi, p, T.GuardWithIf)",
]


def pipeline(hl: Any, i: SimpleNamespace, schedule: str) -> tuple[Any, Any]:
    """f, which reads g and has an update that sums over 8 steps; the parameter p."""
    r, p = hl.RDom([(0, 8)], "r"), hl.Param(hl.Int(32), "p", 4)
    image = hl.ImageParam(hl.Int(32), 1, "image")
    image.set(hl.Buffer(np.arange(9, dtype=np.int32)))
    f, g = hl.Func("f"), hl.Func("g")
    g[i.x, i.y] = i.x * 7 + i.y
    f[i.x, i.y] = g[i.x, i.y] + g[i.x + 1, i.y + 1] * 3
    f[i.x, i.y] += r * i.y
    names = vars(i) | {"hl": hl, "T": hl.TailStrategy, "f": f, "g": g, "r": r, "p": p}
    hl.Stage(f).unscheduled()
    f.update().unscheduled()
    exec(schedule, names | {"image": image, "ro": hl.RVar("ro"), "ri": hl.RVar("ri")})
    return f, p


def outcomes(hl: Any, schedule: str) -> list[Any]:
    """For each factor and size the values, or the message."""
    f, p = pipeline(hl, inputs(hl), schedule)
    made: list[Any] = []
    for factor, size in itertools.product(FACTORS, SIZES):
        p.set(factor)
        buffer = hl.Buffer(hl.Int(32), size)
        try:
            f.realize(buffer)
            made.append(np.array(buffer).tolist())
        except hl.HalideError as error:
            text = re.sub(r"\$\d+|(?<=\bv)\d+", "", str(error)).strip().splitlines()[0]
            made.append(re.sub(r"^(\S*:\d+|Error): ", "", text))
    return made


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_factor_that_varies_gives_halides_values_and_errors(schedule: str) -> None:
    assert outcomes(compiler, schedule) == outcomes(halide, schedule)


def test_one_compiled_pipeline_runs_with_every_factor() -> None:
    hl = compiler
    x, xo, xi = hl.vars("x xo xi")
    p, f = hl.Param(hl.Int(32), "p"), hl.Func("f")
    f[x] = x * x
    f.split(x, xo, xi, p, hl.TailStrategy.GuardWithIf)
    run = f.compile_to_callable([p])
    for factor in (1, 2, 7, 100):
        out = np.zeros(30, np.int32)
        run(factor, hl.Buffer(out))
        assert (out == np.arange(30) ** 2).all()


def test_lanes_and_unrolled_rounds_need_a_constant_factor() -> None:
    for directive, word in (("vectorize", "vectorize"), ("unroll", "unroll")):
        assert_same_refusal(
            lambda hl, i, d=directive: pipeline(hl, i, f"f.{d}(x, p)")[0].realize([8, 8]),
            f"Can only {word} for loops over a constant extent",
        )


@pytest.mark.parametrize(
    "factor",
    ["x", "r", "p + x", "g[0, 0]", "image[2]", "0", "-1", "hl.i64(4)", "4.0", "hl.Expr()"],
)
def test_what_is_no_factor_is_refused_by_both(factor: str) -> None:
    """The real package says so when it compiles, in words about its own variables."""
    for hl in (halide, compiler):
        with pytest.raises((hl.HalideError, RuntimeError)):
            pipeline(hl, inputs(hl), f"f.split(x, xo, xi, {factor})")[0].realize([8, 8])
