"""What the default schedule does with scans, and that it changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.autosched.default import default_schedule
from compiler.codegen import Target
from compiler.lower.environment import realization_order

Array = np.ndarray[Any, Any]
X, Y = hl.vars("x y")
TARGET = Target.parse("x86-64-avx512")
SIZES = [(1, 1), (7, 5), (16, 8), (45, 33), (70, 40)]


def loops(f: hl.Func, stage: str, index: int) -> list[tuple[str, str]]:
    """The loops of a definition with their kinds, innermost first."""
    made = default_schedule(realization_order([f.function]), [f.function], TARGET)
    (schedule,) = (made[g] for g in made if g.name == stage)
    return [(d.name.split("$")[0], d.kind) for d in schedule.stages[index].dimensions]


def level(f: hl.Func, stage: str) -> str:
    made = default_schedule(realization_order([f.function]), [f.function], TARGET)
    (schedule,) = (made[g] for g in made if g.name == stage)
    return f"{schedule.level.place} {schedule.level.var}".strip()


def along_rows(combine: Any, type: Any = hl.Float(32)) -> hl.Func:  # noqa: B008
    a, f = hl.ImageParam(type, 2, "a"), hl.Func()
    r = hl.RDom([(1, a.width() - 1)], "r")
    f[X, Y] = a[X, Y]
    f[r.x, Y] = combine(f[r.x - 1, Y], a[r.x, Y])
    return f


def test_rows_are_lanes_and_steps_are_unrolled() -> None:
    f = along_rows(lambda before, new: before * 0.5 + new)
    assert loops(f, f.name(), 1) == [
        ("lane", "vectorized"), ("step", "unrolled"), ("block", "serial"), ("strip", "parallel"),
    ]  # fmt: skip


def test_integers_that_are_combined_go_along_their_row() -> None:
    f = along_rows(lambda before, new: before + new, hl.UInt(32))
    assert [kind for _, kind in loops(f, f.name(), 1)] == ["serial", "serial", "parallel"]
    g = along_rows(lambda before, new: before * 3 + new, hl.UInt(32))
    assert loops(g, g.name(), 1)[0] == ("lane", "vectorized")


def test_columns_are_lanes() -> None:
    a, f = hl.ImageParam(hl.Float(32), 2, "a"), hl.Func()
    r = hl.RDom([(1, a.height() - 1)], "r")
    f[X, Y] = a[X, Y]
    f[X, r.x] = f[X, r.x - 1] * 0.5 + a[X, r.x]
    assert [kind for _, kind in loops(f, f.name(), 1)] == [
        "vectorized", "serial", "serial", "parallel",
    ]  # fmt: skip


def hidden(width: Any) -> tuple[hl.Func, hl.Func, hl.ImageParam]:
    a, t, f = hl.ImageParam(hl.UInt(8), 2, "a"), hl.Func(), hl.Func()
    r = hl.RDom([(0, width)], "r")
    t[X, Y] = hl.i32(a[0, Y]) << 8
    t[r.x + 1, Y] = t[r.x, Y] + ((((hl.i32(a[r.x, Y]) << 8) - t[r.x, Y]) * 40) >> 8)
    f[X, Y] = hl.u8(t[X + 1, Y] >> 8)
    return f, t, a


def integral(width: Any, height: Any) -> tuple[hl.Func, hl.Func, hl.ImageParam]:
    a, t, f = hl.ImageParam(hl.UInt(8), 2, "a"), hl.Func(), hl.Func()
    r, q = hl.RDom([(0, width)], "r"), hl.RDom([(0, height)], "q")
    t[X, Y] = hl.u32(0)
    t[r.x + 1, Y] = t[r.x, Y] + a[r.x, Y]
    f[X, Y] = hl.u32(0)
    f[X, q.x] = t[X + 1, q.x] + hl.select(q.x > 0, f[X, hl.max(q.x - 1, 0)], 0)
    return f, t, a


def test_what_a_row_hands_on_is_kept_for_a_strip() -> None:
    f, t, _ = hidden(hl.Param(hl.Int(32), "width"))
    assert level(f, t.name()) == "at strip"


def test_rows_that_a_scan_down_columns_reads_are_kept_for_a_band() -> None:
    f, t, _ = integral(hl.Param(hl.Int(32), "width"), hl.Param(hl.Int(32), "height"))
    assert level(f, t.name()) == "at band"


@pytest.mark.parametrize("size", SIZES)
def test_a_hidden_state_is_the_loop(size: tuple[int, int]) -> None:
    width, height = size
    image = np.random.default_rng(width).integers(0, 256, (height, width)).astype(np.uint8)
    f, _, a = hidden(width)
    a.set(hl.Buffer(image))
    wanted = np.zeros_like(image)
    t = image[:, 0].astype(np.int32) << 8
    for x in range(width):
        t = t + ((((image[:, x].astype(np.int32) << 8) - t) * 40) >> 8)
        wanted[:, x] = t >> 8
    np.testing.assert_array_equal(np.array(f.realize([width, height])), wanted)


@pytest.mark.parametrize("size", SIZES)
def test_an_integral_image_is_the_sums(size: tuple[int, int]) -> None:
    width, height = size
    image = np.random.default_rng(width).integers(0, 256, (height, width)).astype(np.uint8)
    f, _, a = integral(width, height)
    a.set(hl.Buffer(image))
    wanted = image.astype(np.uint32).cumsum(0).cumsum(1)
    np.testing.assert_array_equal(np.array(f.realize([width, height])), wanted)
