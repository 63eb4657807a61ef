"""Outputs in the place of an input: granted only where every element is read in time."""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen import BufferBinding, Entry, EntryParam, Target, build_library
from compiler.frontend.lowering import schedule_and_lower
from compiler.frontend.pipeline import Pipeline
from compiler.ir import I32, I64, U8, Cast, Const, Mul, Variable
from compiler.ir.stmts import LoweredFunction
from compiler.lower.kept_elements import CallersMemory

COUNT, CHANNELS = Cast(I64, Variable("count", I32)), 4
ZERO, ONE, FOUR = Const(I64, 0), Const(I64, 1), Const(I64, CHANNELS)
SIZES = (0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 67, 128, 515)
PERIODS = (1, 2, 4, 8, 16, 64)

Value = Callable[[Any, Any, Any], Any]
Schedule = Callable[[Any, Any, Any], Any]
Values = Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]


def default(f: hl.Func, c: hl.Var, x: hl.Var) -> None:
    """Nothing: the default schedule."""


def pixels(value: Value, schedule: Schedule, channels: int = CHANNELS) -> LoweredFunction:
    """out(c, x) = value, over `channels` of four bytes side by side, where `image` may lie."""
    c, x = hl.Var("c"), hl.Var("x")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    f = hl.Func("out")
    f[c, x] = value(image, c, x)
    for buffer, extent in ((image, CHANNELS), (f.output_buffer(), channels)):
        buffer.dim(0).set_bounds(0, extent)
        buffer.dim(1).set_stride(CHANNELS)
    schedule(f, c, x)
    return lowered(f)


def row(value: Callable[[Any, Any], Any], low: int | None = 0) -> LoweredFunction:
    """out(x) = value, over single bytes from `low` on."""
    x = hl.Var("x")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    f = hl.Func("out")
    f[x] = value(image, x)
    if low is not None:
        f.output_buffer().dim(0).set_min(low)
    return lowered(f)


def lowered(f: hl.Func) -> LoweredFunction:
    pair = {"image": f.output_buffer().name()}
    return schedule_and_lower(Pipeline([f])._outputs(), "body", Target.host(), same_memory=pair)


def check(fn: LoweredFunction, folder: Path, channels: int | None, values: Values) -> None:
    """Runs it in place and compares with `values` of the pixels, a row of four bytes each.

    `channels` are those of each pixel that are written; None for all as one row of bytes.
    """
    assert fn.in_place
    box = BufferBinding("p", ZERO, (ZERO, ZERO), (FOUR, COUNT), (ONE, FOUR))
    if channels is None:
        box = written = BufferBinding("p", ZERO, (ZERO,), (Mul(COUNT, FOUR),), (ONE,))
    else:
        extents = (Const(I64, channels), COUNT)
        written = BufferBinding("p", ZERO, (ZERO, ZERO), extents, (ONE, FOUR))
    (output,) = (a.name for a in fn.args if a.is_output)
    params = (
        EntryParam("p", "pointer", U8, "uint8_t *"),
        EntryParam("count", "scalar", I32, "int"),
    )
    entry = Entry("here", params, {"image": box, output: written})
    function = ctypes.CDLL(str(build_library(fn, entry, folder).shared)).here
    for count, seed in itertools.product(SIZES, (1, 2)):
        data = np.random.default_rng(seed).integers(0, 256, CHANNELS * count + 64, np.uint8)
        expected = data.copy()
        inside = expected[: CHANNELS * count].reshape(count, CHANNELS)
        inside[:, :channels] = values(inside.copy())[:, :channels]
        function(data.ctypes.data_as(ctypes.c_void_p), count)
        assert (data == expected).all(), count


def swap(a: Any, c: Any, x: Any) -> Any:
    return hl.select(c == 0, a[2, x], c == 2, a[0, x], a[c, x])


def swapped(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return a[:, [2, 1, 0, 3]]


def times_first(a: Any, c: Any, x: Any) -> Any:
    return a[c, x] * a[0, x]


def times_alpha(a: Any, c: Any, x: Any) -> Any:
    return a[c, x] * a[3, x]


def in_elements(lanes: int) -> Schedule:
    def schedule(f: hl.Func, c: hl.Var, x: hl.Var) -> None:
        e, v, i = hl.Var("e"), hl.Var("v"), hl.Var("i")
        f.fuse(c, x, e).split(e, v, i, lanes, hl.TailStrategy.GuardWithIf).vectorize(i).parallel(v)

    return schedule


def in_channels(f: hl.Func, c: hl.Var, x: hl.Var) -> None:
    xi = hl.Var("xi")
    f.split(x, x, xi, 8, hl.TailStrategy.GuardWithIf).reorder(xi, c, x).vectorize(xi).unroll(c)


def scalar_pixels(f: hl.Func, c: hl.Var, x: hl.Var) -> None:
    f.unroll(c).parallel(x)


POINTS: dict[str, tuple[Value, Schedule, int, Values]] = {
    "channels_change_places": (swap, default, 4, swapped),
    "three_of_four_change_places": (swap, default, 3, swapped),
    "a_vector_of_elements_holds_whole_pixels": (swap, in_elements(16), 4, swapped),
    "channels_in_vectors_of_their_own": (swap, in_channels, 4, swapped),
    "one_pixel_at_a_time": (swap, scalar_pixels, 4, swapped),
    "all_read_the_first": (times_first, default, 4, lambda a: a * a[:, :1]),
    "all_read_the_last": (times_alpha, in_elements(32), 4, lambda a: a * a[:, 3:]),
    "what_is_read_is_never_written": (times_alpha, default, 3, lambda a: a * a[:, 3:]),
}  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("case", POINTS)
def test_blocks_that_read_only_what_they_store_need_no_copy(case: str, tmp_path: Path) -> None:
    value, schedule, channels, values = POINTS[case]
    check(pixels(value, schedule, channels), tmp_path, channels, values)


def test_a_row_may_be_read_in_groups_that_divide_its_blocks(tmp_path: Path) -> None:
    fn = row(lambda a, x: a[x / 4 * 4 + 3] - a[x / 2 * 2])
    assert fn.in_place

    def values(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.asarray(a[:, 3:] - a[:, [0, 0, 2, 2]])

    check(fn, tmp_path, None, values)


def serially(f: hl.Func, c: hl.Var, x: hl.Var) -> None:
    f.reorder(c, x)


def shifted(f: hl.Func, c: hl.Var, x: hl.Var) -> None:
    f.unroll(c).vectorize(x, 8, hl.TailStrategy.ShiftInwards)


def rounded_up(f: hl.Func, c: hl.Var, x: hl.Var) -> None:
    f.unroll(c).vectorize(x, 8, hl.TailStrategy.RoundUp)


def channels_outside(f: hl.Func, c: hl.Var, x: hl.Var) -> None:
    f.reorder(x, c).vectorize(x, 8, hl.TailStrategy.GuardWithIf)


REFUSED: dict[str, tuple[Value, Schedule]] = {
    "a_channel_loop_that_stores_one_by_one": (swap, serially),
    "channels_that_are_stored_after_others": (swap, channels_outside),
    "vectors_that_cut_pixels": (swap, in_elements(6)),
    "a_last_vector_that_computes_points_again": (lambda a, c, x: a[c, x] + 1, shifted),
    "a_last_vector_beyond_the_end": (lambda a, c, x: a[c, x] + 1, rounded_up),
    "the_next_pixel": (lambda a, c, x: a[c, x + 1], default),
    "a_place_that_data_tells": (lambda a, c, x: a[a[c, x] % 4, x], in_elements(6)),
    "the_same_pixel_of_another_row": (lambda a, c, x: a[c, 0], default),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_may_be_overwritten_too_early_is_refused(case: str) -> None:
    assert not pixels(*REFUSED[case]).in_place


def test_groups_must_begin_where_blocks_do() -> None:
    groups = lambda a, x: a[x / 4 * 4 + 3]  # noqa: E731
    assert row(groups, 0).in_place and row(groups, -8).in_place
    assert not row(groups, 2).in_place
    assert not row(groups, None).in_place
    assert not row(lambda a, x: a[x / 3 * 3]).in_place
    assert not row(lambda a, x: a[99 - x]).in_place


def test_nothing_is_granted_that_nobody_asked_for() -> None:
    x = hl.Var("x")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    f, g = hl.Func("f"), hl.Func("g")
    g[x] = image[x] + 1
    f[x] = image[x] + g[x] + g[x + 1]
    g.compute_root()
    assert not f.lowered().in_place


def test_other_stages_read_what_they_need_before_it_is_overwritten(tmp_path: Path) -> None:
    x = hl.Var("x")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    f, g = hl.Func("f"), hl.Func("g")
    g[x] = image[x] + 1
    f[x] = image[x] + g[CHANNELS * (x / CHANNELS)]
    g.compute_root()
    check(lowered(f), tmp_path, None, lambda a: a + a[:, :1] + 1)


@pytest.mark.parametrize(
    "where", ["in the loops", "in front of the loops", "behind", "in an update"]
)
def test_a_stage_that_may_read_what_is_overwritten_is_refused(where: str) -> None:
    x, xi = hl.Var("x"), hl.Var("xi")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    g[x] = image[x] + 1
    f[x] = image[x] + g[x + 1]
    f.split(x, x, xi, 8, hl.TailStrategy.GuardWithIf)
    g.compute_root()
    outputs = [f]
    if where == "in the loops":
        g.compute_at(f, x)
    if where == "in front of the loops":
        g.store_root().compute_at(f, x)
    if where == "in an update":
        f = hl.Func("f")
        r = hl.RDom([(0, 9)], "r")
        f[x] = image[x]
        f[r.x] = image[r.x + 1]
        outputs = [f]
    if where == "behind":
        f, g = hl.Func("f"), hl.Func("g")
        f[x] = image[x]
        g[x] = f[x] + image[x]
        h[x] = g[x + 1]
        g.compute_root()
        outputs = [f, h]
    pair = {"image": f.output_buffer().name()}
    fn = schedule_and_lower(Pipeline(outputs)._outputs(), "body", Target.host(), same_memory=pair)
    assert not fn.in_place


def test_outputs_that_need_what_is_overwritten_come_before() -> None:
    x = hl.Var("x")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    f, g, h, k = (hl.Func(name) for name in "fghk")
    g[x] = image[x] + 1
    f[x] = image[x] * 2
    h[x] = g[x + 1]
    k[x] = f[x + 1]
    g.compute_root()
    pair = {"image": f.output_buffer().name()}
    for others in ([h], [h, k], [k, h]):
        outputs = Pipeline([f, *others])._outputs()
        assert schedule_and_lower(outputs, "body", Target.host(), same_memory=pair).in_place
    # Needed by one alone that can't be before.
    h[x] += f[x]
    outputs = Pipeline([f, h])._outputs()
    assert not schedule_and_lower(outputs, "body", Target.host(), same_memory=pair).in_place


@pytest.mark.parametrize("scheduled", (False, True))
def test_numbers_found_in_common_loops_are_found_before(tmp_path: Path, scheduled: bool) -> None:
    x = hl.Var("x")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    f, low, high = (hl.Func(name) for name in ("f", "low", "high"))
    r = hl.RDom([(0, image.width())], "r")
    low[()], high[()] = hl.u8(255), hl.u8(0)
    low[()] = hl.min(low[()], image[r])
    high[()] = hl.max(high[()], image[r])
    f[x] = (image[x] - low[()]) ^ high[()]
    if scheduled:
        low.compute_root()
        high.compute_root()
        high.update().compute_with(low.update(), r)
    check(
        lowered(f),
        tmp_path,
        None,
        lambda a: (a - a.min(initial=255)) ^ a.max(initial=0),
    )


def test_what_is_computed_with_a_stage_that_waits_for_an_output_waits_too() -> None:
    x = hl.Var("x")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    for apart in (False, True):
        f, g, h, low, high = (hl.Func(name) for name in ("f", "g", "h", "low", "high"))
        r = hl.RDom([(0, 9)], "r")
        f[x] = image[x] + 1
        low[()], high[()] = hl.u8(255), hl.u8(0)
        low[()] = hl.min(low[()], image[r])
        high[()] = hl.max(high[()], f[r])
        g[x] = hl.u8(x) + low[()]
        h[x] = hl.u8(x) + high[()]
        low.compute_root()
        high.compute_root()
        if not apart:
            high.update().compute_with(low.update(), r)
        pair = {"image": f.output_buffer().name()}
        outputs = Pipeline([g, f, h])._outputs()
        fn = schedule_and_lower(outputs, "body", Target.host(), same_memory=pair)
        assert bool(fn.in_place) is apart


def test_a_stage_that_holds_what_memory_says_is_left_alone_reads_only_what_it_is_asked_for() -> (
    None
):
    x = hl.Var("x")
    image, mask = (hl.ImageParam(hl.UInt(8), 1, name) for name in ("image", "mask"))
    for scheduled in (False, True):
        f, g, s = hl.Func("f"), hl.Func("g"), hl.Func("s")
        g[x] = hl.select(mask[x] > 3, 7, image[x])
        r = hl.RDom([(0, 9)], "r")
        s[x] = hl.u8(0)
        s[r.x + 1] = hl.select(mask[r.x] > 9, g[r.x] + s[r.x], 3)
        f[x] = hl.select(mask[x] > 5, s[x], g[x])
        if scheduled:
            g.compute_root()
            s.compute_root()
        pair = {"image": f.output_buffer().name()}
        memory = CallersMemory(pair)
        fn = schedule_and_lower(
            Pipeline([f])._outputs(), "body", Target.host(), same_memory=pair, memory=memory
        )
        assert bool(fn.in_place) is not scheduled
        assert fn.read_by_pixels >= {"image"}


@pytest.mark.slow
def test_random_schedules_are_right_or_refused(tmp_path: Path) -> None:
    granted = [is_random_schedule_granted(seed, tmp_path / str(seed)) for seed in range(12)]
    assert 4 <= sum(granted) <= 10


def is_random_schedule_granted(seed: int, folder: Path) -> bool:
    """Whether it was, and then it is right."""
    random_ = random.Random(seed)
    order = random_.sample(range(CHANNELS), CHANNELS)
    tail = hl.TailStrategy.GuardWithIf

    def value(a: Any, c: Any, x: Any) -> Any:
        return hl.mux(c, [a[o, x] + a[c, x] for o in order])

    def schedule(f: hl.Func, c: hl.Var, x: hl.Var) -> None:
        e, v, i, y = hl.Var("e"), hl.Var("v"), hl.Var("i"), hl.Var("y")
        if random_.random() < 0.5:
            f.split(x, y, x, random_.choice(PERIODS), tail)
        f.fuse(c, x, e)
        f.split(e, v, i, random_.choice(PERIODS) * random_.choice((1, 1, 1, 3)), tail)
        f.vectorize(i) if random_.random() < 0.7 else f.unroll(i)
        f.parallel(v) if random_.random() < 0.5 else None

    fn = pixels(value, schedule)
    if fn.in_place:
        folder.mkdir()
        check(fn, folder, CHANNELS, lambda a: a[:, order] + a)
    return bool(fn.in_place)
