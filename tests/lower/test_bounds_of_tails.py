"""What the points that only tails of splits add ask for: memory, but no values of other stages.

The real Halide is asked which schedules run; the values must be the same.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import halide
import numpy as np
import pytest

import compiler

from .both_packages import assert_same

PACKAGES = (compiler, halide)
PLACED = ["f.compute_root()", "f.compute_at(g, y)", "f.compute_at(g, y).store_at(g, c)",
          "f.compute_at(g, x).store_at(g, c)", "f.compute_at(g, x).store_at(g, y)"]  # fmt: skip
SPLIT = [
    "f.split(y, y, inner, 16).unroll(inner, 2)",
    "f.split(x, x, inner, 16, T.ShiftInwards).reorder(y, x)",
    "f.split(y, y, inner, 16, T.RoundUp)",
    "f.split(x, x, inner, 16, T.RoundUp).split(x, x, c, 3, T.RoundUp)",
    "f.fuse(x, y, c).split(c, c, inner, 170, T.ShiftInwards)",
    "f.fuse(x, y, c).split(c, c, inner, 7, T.RoundUp)",
]
MOVING = "g[x, y, c] = f[x, y] + f[x, y + 2]"
"""Rows that slide are computed as they were where a tail computes them again."""


def outcome(hl: Any, schedule: str, read: str = "g[x, y, c] = f[x, y] * c") -> Any:
    """The values of g, or the message of the error: image -> made -> f -> g."""
    names = {n: hl.Var(n) for n in ("x", "y", "c", "inner")}
    x, y = names["x"], names["y"]
    image = hl.Buffer(np.arange(13 * 10, dtype=np.int32).reshape(13, 10))
    made, f, g = hl.Func("made"), hl.Func("f"), hl.Func("g")
    made[x, y] = image[x, y] * 3
    f[x, y] = made[x, y] + x
    exec(f"{read}; {schedule}", {**names, "made": made, "f": f, "g": g, "T": hl.TailStrategy})
    try:
        return np.array(g.realize([10, 10, 2])).tolist()
    except hl.HalideError as found:
        return str(found)


@pytest.mark.sampled(every=14)
@pytest.mark.parametrize("split", SPLIT)
@pytest.mark.parametrize("placed", PLACED)
def test_points_that_only_tails_add_ask_nothing_of_other_stages(placed: str, split: str) -> None:
    ours, theirs = (outcome(hl, f"made.compute_root(); {placed}; {split}") for hl in PACKAGES)
    assert isinstance(theirs, list)
    assert ours == theirs


@pytest.mark.sampled(every=5)
@pytest.mark.parametrize("split", [SPLIT[0], SPLIT[2], SPLIT[4]])
@pytest.mark.parametrize("placed", PLACED)
def test_rows_that_are_kept_stay_right_under_a_tail(placed: str, split: str) -> None:
    ours, theirs = (
        outcome(hl, f"made.compute_root(); {placed}; {split}", MOVING) for hl in PACKAGES
    )
    assert isinstance(theirs, list)
    assert ours == theirs


@pytest.mark.parametrize("made", ["", "made.compute_at(f, x); "])
def test_what_they_read_of_an_image_must_be_there(made: str) -> None:
    for hl in PACKAGES:
        said = outcome(hl, f"{made}f.compute_at(g, y); {SPLIT[0]}")
        assert "accessed at -15, which is before the min" in str(said)


INDICES = {
    "table[f8[x]]": True,
    "table[hl.clamp(f32[x], 0, 19)]": True,
    "table[hl.i32(hl.f32(f32[x]) * 0.5) % 8]": True,
    "table[f32[x]]": False,
    "table[f32[x] + hl.i32(f8[x]) % 2]": False,
    "hl.require(f32[x] < 20, f32[x])": False,
}
"""What may be anything where it was never computed, and what must be a value of the stage."""


@pytest.mark.parametrize(("read", "is_safe"), INDICES.items())
def test_what_an_index_relies_on_is_computed(read: str, is_safe: bool) -> None:
    asked = _asked_of_image(f"g[x] = hl.i32({read})")
    assert (asked == (0, 5)) == is_safe, asked
    assert is_safe or asked == (-11, 16)


def _asked_of_image(read: str) -> tuple[int, int]:
    """(min, extent) of an image that is read by way of stages at the root, for 5 points of g."""
    x, inner = compiler.Var("x"), compiler.Var("inner")
    image = compiler.ImageParam(compiler.Int(32), 1, "image")
    table = compiler.Buffer(np.zeros(256, np.int32))
    f8, f32, g, h = (compiler.Func(n) for n in ("f8", "f32", "g", "h"))
    f8[x] = compiler.u8(image[x])
    f32[x] = compiler.clamp(image[x], 0, 19)
    exec(read, {"hl": compiler, "x": x, "table": table, "f8": f8, "f32": f32, "g": g})
    h[x] = g[x]
    f8.compute_root()
    f32.compute_root()
    g.compute_root().split(x, x, inner, 16, compiler.TailStrategy.ShiftInwards)
    h.infer_input_bounds([5])
    found = image.get().dim(0)
    return found.min(), found.extent()


FUSED = ["f.compute_at(g, x)", "f.compute_at(g, inner)"]
SIZES = [
    "f[x, y] + f[hl.clamp(x, 0, p), p]",
    "f[x / 2, y] + f[x + y, y % 3]",
    "f[x, y] + f[x, y + 1]",
]


@pytest.mark.sampled
@pytest.mark.parametrize("tail", ["Auto", "GuardWithIf"])
@pytest.mark.parametrize("read", SIZES)
@pytest.mark.parametrize("placed", FUSED)
def test_a_fused_loop_whose_size_moves_stays_bounded(placed: str, read: str, tail: str) -> None:
    def program(hl: Any, _: SimpleNamespace) -> Any:
        names = {n: hl.Var(n) for n in ("x", "y", "t", "inner")}
        x, y, t, p = names["x"], names["y"], names["t"], hl.Param(hl.Int(32), "p", 3)
        e, f, g = hl.Func("e"), hl.Func("f"), hl.Func("g")
        e[x, y] = x * 3 + y * 5
        f[x, y] = e[x - 1, y] + e[x + 1, y + 2]
        g[x, y] = eval(read, {**names, "hl": hl, "f": f, "p": p})
        e.compute_root()
        if "inner" in placed:
            g.split(x, x, names["inner"], 4)
        exec(placed, {**names, "f": f, "g": g})
        f.fuse(x, y, t).unroll(t, 3, getattr(hl.TailStrategy, tail))
        return g.realize([8, 6])

    assert_same(program)


def test_a_fused_loop_around_an_update_is_bounded_in_vectors() -> None:
    def program(hl: Any, given: SimpleNamespace) -> Any:
        x, y, t = hl.Var("x"), hl.Var("y"), hl.Var("t")
        e, f, g, r = hl.Func("e"), hl.Func("f"), hl.Func("g"), hl.RDom([(1, 4)])
        e[x, y] = given.b[x + 4, y + 4]
        f[x, y] = e[x - 1, y + 2] + x
        f[r, y] = f[r - 1, y] + f[r, y]
        g[x, y] = f[x + 1, y - 3] + f[x + 1, y] + f[x - 1, y - 1]
        f.fuse(x, y, t).vectorize(t, 4)
        e.compute_root()
        return g.realize([7, 5])

    assert_same(program)


UPDATED = [
    "a.compute_at(b, y).fuse(x, y, u); a.update().split(y, v, w, 3, T.RoundUp).unroll(w)"
    ".split(v, c, v, 8, T.ShiftInwardsAndBlend)",
    "a.compute_root(); a.update().split(y, v, w, 16, T.RoundUp)",
]


@pytest.mark.parametrize("schedule", UPDATED)
def test_rows_that_tails_of_updates_add_are_not_initialized(schedule: str) -> None:
    def program(hl: Any, given: SimpleNamespace) -> Any:
        names = {n: hl.Var(n) for n in ("x", "y", "u", "v", "w", "c")}
        x, y = names["x"], names["y"]
        a, b, r = hl.Func("a"), hl.Func("b"), hl.RDom([(1, 3)])
        a[x, y] = given.b[x, y] * 3 + x
        a[r, y] += a[r - 1, y]
        b[x, y] = a[x + 2, y] + a[x + 1, y]
        exec(schedule, {**names, "a": a, "b": b, "T": hl.TailStrategy})
        return b.realize([6, 4])

    assert_same(program)


@pytest.mark.sampled
@pytest.mark.parametrize("tail", ["RoundUp", "ShiftInwards"])
@pytest.mark.parametrize("place", ["x", "y"])
def test_what_is_kept_is_not_computed_again_from_what_was_never_computed(
    place: str, tail: str
) -> None:
    """Columns go left, rows are kept: a tail on the right computes kept points again. (The real
    Halide computes them from nothing.)"""
    x, y, inner = compiler.Var("x"), compiler.Var("y"), compiler.Var("inner")
    image = np.arange(40 * 40, dtype=np.int32).reshape(40, 40)
    p, f, g = compiler.Func("p"), compiler.Func("f"), compiler.Func("g")
    p[x, y] = compiler.Buffer(image)[x, y] * 7
    f[x, y] = p[x, y] + 1
    g[x, y] = f[20 - x, y] + f[20 - x, y + 1]
    f.compute_at(g, x).store_root().split(x, x, inner, 4, getattr(compiler.TailStrategy, tail))
    p.compute_at(g, {"x": x, "y": y}[place])
    wanted = (image[:9] + image[1:10])[:, 20:11:-1] * 7 + 2
    assert np.array(g.realize([9, 9])).tolist() == wanted.tolist()


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("tail", ["ShiftInwards", "RoundUp", "GuardWithIf"])
@pytest.mark.parametrize(
    "placed", ["s.compute_at(u, c)", "s.compute_at(u, inner)", "s.compute_root()"]
)
def test_a_tile_asks_only_for_what_lies_within_the_whole(placed: str, tail: str) -> None:
    """Four channels in tiles of seven: the image has no more than four."""

    def made(hl: Any) -> Any:
        x, c, inner = hl.Var("x"), hl.Var("c"), hl.Var("inner")
        image = hl.Buffer(np.arange(40, dtype=np.int32).reshape(4, 10))
        p, s, u, out = (hl.Func(name) for name in ("p", "s", "u", "out"))
        p[x, c] = image[x, c] * 3
        s[x, c] = p[x, c] + x
        u[x, c] = s[x, c] - c
        out[x, c] = u[x, c] + u[x, 3]
        p.compute_root()
        u.compute_root().split(c, c, inner, 7, getattr(hl.TailStrategy, tail))
        exec(placed, {"s": s, "u": u, "c": c, "inner": inner})
        return out.realize([10, 4])

    assert_same(lambda hl, _: made(hl))


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "schedule",
    [
        "u.compute_root().split(c, c, i, 4); "
        "s.store_at(u, c).compute_at(u, x).split(c, c, inner, 4)",
        "u.compute_root(); s.compute_at(u, c).split(c, c, inner, 16); "
        "q.store_at(s, c).compute_at(s, inner)",
        "u.compute_root().split(c, c, i, 4); "
        "s.store_at(u, c).compute_at(u, i).split(c, c, inner, 16)",
        "u.compute_root(); s.compute_at(u, c).split(c, c, inner, 16, T.RoundUp); "
        "q.store_at(s, c).compute_at(s, inner)",
    ],
)
def test_what_only_tails_compute_asks_for_nothing_where_a_window_slides(schedule: str) -> None:
    """Four channels of which a step needs one, in splits of 4 and 16: the image has no others."""

    def made(hl: Any) -> Any:
        x, c, inner, i = (hl.Var(name) for name in ("x", "c", "inner", "i"))
        image = hl.Buffer(np.arange(48, dtype=np.int32).reshape(4, 12))
        p, q, s, u, out = (hl.Func(name) for name in ("p", "q", "s", "u", "out"))
        p[x, c] = image[x, c] * 3
        q[x, c] = p[x, c] + c
        s[x, c] = q[x, c] * 5 + x
        u[x, c] = s[x, c] - s[x + 1, 3] * 2
        out[x, c] = u[x, c] + u[x, 3]
        p.compute_root()
        exec(schedule, {"q": q, "s": s, "u": u, "x": x, "c": c, "inner": inner, "i": i,
                        "T": hl.TailStrategy})  # fmt: skip
        return out.realize([10, 4])

    assert_same(lambda hl, _: made(hl))


@pytest.mark.parametrize("read", ["y", "40 - y", "y / 2"])
@pytest.mark.parametrize(("height", "inner"), [(17, 4), (18, 8), (5, 4)])
def test_tiles_in_tiles_ask_only_for_what_lies_within_the_whole(
    height: int, inner: int, read: str
) -> None:
    """A tile of the last tile that is empty lies beyond all that the others are made of."""

    def program(hl: Any, _: SimpleNamespace) -> Any:
        names = {n: hl.Var(n) for n in ("x", "y", "big", "within", "small", "step")}
        x, y, guard = names["x"], names["y"], hl.TailStrategy.GuardWithIf
        image = hl.ImageParam(hl.Int(32), 2, "image")
        e, f, g = hl.Func("e"), hl.Func("f"), hl.Func("g")
        e[x, y] = image[x, eval(read, names)]
        f[x, y] = e[x, y] * 2
        g[x, y] = f[x, y] + 3
        g.split(y, names["big"], names["within"], 16, guard)
        f.compute_at(g, names["big"]).split(y, names["small"], names["step"], inner, guard)
        e.compute_at(f, names["small"])
        g.infer_input_bounds([5, height])
        rows = image.get().dim(1)
        return [rows.min(), rows.extent()]

    assert_same(program)
