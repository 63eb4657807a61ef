"""Every schedule gives the values of no schedule, and the loops that the real package shows."""

from __future__ import annotations

import random
from typing import Any

import halide
import numpy as np
import pytest

import compiler

MARGIN = 64
"""Loops that are shifted inwards or rounded up read this far beyond small outputs."""

IMAGE = np.random.default_rng(3).integers(0, 256, (64 + 2 * MARGIN, 80 + 2 * MARGIN), np.uint8)

SCHEDULES = [
    "pass",
    "h.vectorize(x, 16)",
    "h.parallel(y).vectorize(x, 8)",
    "h.split(x, xo, xi, 7)",
    "h.split(x, xo, xi, 8).reorder(xi, y, xo)",
    "h.tile(x, y, xo, yo, xi, yi, 16, 4).vectorize(xi).parallel(yo)",
    "h.tile(x, y, xi, yi, 8, 8).unroll(yi)",
    "h.unroll(x, 3)",
    "h.split(x, xo, xi, 32).split(xi, xi, xj, 8).vectorize(xj).unroll(xi)",
    "h.fuse(x, y, t).parallel(t)",
    "h.fuse(x, y, t).split(t, xo, xi, 16).vectorize(xi)",
    "g.compute_root()",
    "g.compute_root().vectorize(x, 16); h.vectorize(x, 16)",
    "g.compute_at(h, y).vectorize(x, 8)",
    "h.split(y, yo, yi, 4); g.compute_at(h, yo)",
    "h.tile(x, y, xo, yo, xi, yi, 16, 4); g.compute_at(h, xo).vectorize(x, 8)",
    "h.tile(x, y, xo, yo, xi, yi, 16, 4).parallel(yo).vectorize(xi, 8); g.compute_at(h, yi)",
    "h.reorder(y, x); g.compute_at(h, x)",
    "h.reorder(y, x).vectorize(y, 4)",
    "g.compute_root().reorder(y, x).parallel(x)",
    "k.compute_root(); g.compute_at(h, y); k.vectorize(x, 4)",
    "k.compute_at(h, y); g.compute_at(h, y)",
    "k.compute_at(g, x); g.compute_at(h, y)",
    "k.compute_root().update().vectorize(x, 8)",
    "k.compute_root().update().reorder(x, r.x, y).vectorize(x, 8).parallel(y)",
]


def pipeline(hl: Any, schedule: str) -> Any:
    x, y = hl.Var("x"), hl.Var("y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    image.set(hl.Buffer(IMAGE))
    image.get().set_min([-MARGIN, -MARGIN])
    g, h, k, r = hl.Func("g"), hl.Func("h"), hl.Func("k"), hl.RDom([(0, 3)], "r")
    k[x, y] = hl.u16(1)
    k[x, y] += hl.u16(image[x + r, y])
    g[x, y] = k[x, y] + k[x + 1, y] / 2
    h[x, y] = hl.u8(hl.i32(g[x, y]) + g[x, y + 1] - 3 * hl.i32(g[x + 1, y + 2]))
    names = {n: hl.Var(n) for n in ("xo", "yo", "xi", "yi", "xj", "t")}
    if "k." not in schedule:
        k.compute_root()
    exec(schedule, {"g": g, "h": h, "k": k, "r": r, "x": x, "y": y, **names})
    return h


@pytest.fixture(scope="module")
def reference() -> dict[tuple[int, int], np.ndarray]:
    sizes = [(70, 55), (16, 4), (5, 3), (33, 17)]
    func = pipeline(halide, "k.compute_root()")
    return {size: np.array(func.realize(list(size))) for size in sizes}


@pytest.mark.sampled(every=32)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_schedule_changes_no_value(
    schedule: str, reference: dict[tuple[int, int], np.ndarray]
) -> None:
    func = pipeline(compiler, schedule)
    for size, expected in reference.items():
        np.testing.assert_array_equal(np.array(func.realize(list(size))), expected)


def test_the_default_schedule_of_nothing_scheduled(
    reference: dict[tuple[int, int], np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    for mode in ("on", "off"):
        monkeypatch.setenv("LIFT_DEFAULT_SCHEDULE", mode)
        func = pipeline(compiler, "k.update()  # k.")
        for size, expected in reference.items():
            np.testing.assert_array_equal(np.array(func.realize(list(size))), expected)


def loop_nest(hl: Any, build: Any, capfd: pytest.CaptureFixture[str]) -> str:
    capfd.readouterr()
    build(hl).print_loop_nest()
    captured = capfd.readouterr()
    return captured.out + captured.err


def plain(hl: Any) -> Any:
    f, x, y = hl.Func("nest"), hl.Var("x"), hl.Var("y")
    f[x, y] = x + y
    return f


def staged(hl: Any) -> Any:
    f, g, x, y = hl.Func("made"), hl.Func("used"), hl.Var("x"), hl.Var("y")
    xo, xi = hl.Var("xo"), hl.Var("xi")
    f[x, y] = x + y
    g[x, y] = f[x, y] + f[x + 1, y]
    f.compute_at(g, y)
    return g.split(x, xo, xi, 8).unroll(xi)


@pytest.mark.parametrize("build", [plain, staged])
def test_the_loop_nest_is_the_one_that_halide_prints(
    build: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = (loop_nest(hl, build, capfd) for hl in (compiler, halide))
    assert without_numbers(ours) == without_numbers(theirs)


def without_numbers(text: str) -> str:
    """Names made unique, `made$1`, without their number: it differs from run to run."""
    import re

    return re.sub(r"\$\d+", "", text)


BAD = [
    "g.compute_at(h, xo)",
    "h.split(x, xo, xi, 0)",
    "h.reorder(x, x)",
    "k.compute_root().update().parallel(r.x)",
    "h.unroll(x)",
    "h.vectorize(x)",
]


@pytest.mark.parametrize("schedule", BAD)
def test_a_schedule_that_makes_no_sense_is_refused(schedule: str) -> None:
    with pytest.raises(compiler.HalideError):
        pipeline(compiler, schedule).realize([8, 8])


@pytest.mark.slow
def test_random_tilings_change_no_value(reference: dict[tuple[int, int], np.ndarray]) -> None:
    r = random.Random(5)
    for _ in range(12):
        b, lanes = r.randint(1, 9), r.choice([2, 4, 8, 16])
        # A vector wider than the tile is refused for outputs: nothing can make room for it.
        a = r.randint(lanes, 40)
        at = r.choice(["xo", "yo", "xi", "yi"])
        text = (
            f"h.tile(x, y, xo, yo, xi, yi, {a}, {b}).vectorize(xi, {lanes}); g.compute_at(h, {at})"
        )
        func = pipeline(compiler, text)
        for size, expected in reference.items():
            np.testing.assert_array_equal(np.array(func.realize(list(size))), expected, text)


def reductions(hl: Any, image: Any) -> Any:
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    r = hl.RDom([(0, 3), (0, 3)], "r")
    where = hl.RDom([(0, 4), (0, 4)], "where")
    where.where(where.x < where.y)
    values = [
        hl.i32(hl.sum(hl.u16(image[x + r.x, y + r.y])) / 9),
        hl.i32(hl.maximum(image[x + r.x, y + r.y])),
        hl.i32(hl.sum(hl.f32(image[x + r.x, y + r.y]) * 0.5)),
        hl.sum(hl.i32(image[x + where.x, y + where.y])),
        hl.i32(hl.product(hl.u8(image[x + r.x, y]))),
    ]
    f[x, y] = values[0] + 3 * values[1] - values[2] + 5 * values[3] + values[4]
    return f


def test_short_reductions_become_expressions_with_the_same_values() -> None:
    made = []
    for hl in (halide, compiler):
        image = hl.ImageParam(hl.UInt(8), 2, "image")
        image.set(hl.Buffer(IMAGE))
        made.append(np.array(reductions(hl, image).realize([70, 55])))
    np.testing.assert_array_equal(made[1], made[0])


def test_a_short_sum_needs_no_memory_and_a_long_one_does() -> None:
    from compiler.ir import stmts as s
    from compiler.ir.stmt_transform import walk

    image = compiler.ImageParam(compiler.UInt(8), 2, "image")
    x, y = compiler.vars("x y")
    for steps, stores in ((3, False), (200, True)):
        f, r = compiler.Func("f"), compiler.RDom([(0, steps)])
        f[x, y] = compiler.u8(compiler.sum(compiler.i32(image[x + r, y])) / steps)
        body = f.lowered().body
        assert any(isinstance(st, s.Allocate) for st in walk(body)) == stores
