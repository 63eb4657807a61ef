"""Numbers that are reduced over equal domains have their loops in common: the same values, read
once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.autosched import default_schedule
from compiler.codegen import Target
from compiler.lower.environment import realization_order

IMAGE = hl.ImageParam(hl.UInt(8), 2, "image")
OTHER = hl.ImageParam(hl.UInt(8), 2, "other")
WIDTH, HEIGHT = IMAGE.width(), IMAGE.height()
X = hl.Var("x")
PIXELS = np.random.default_rng(7).integers(0, 256, (13, 37), np.uint8)


def domain(image: hl.ImageParam = IMAGE, first: int = 0) -> hl.RDom:
    return hl.RDom([(first, WIDTH - first), (0, HEIGHT)], "r")


def number(name: str, type: Any, first: Any, step: Any) -> hl.Func:
    """A function without coordinates: `first`, then what `step` makes of it."""
    f = hl.Func(name)
    f[()] = hl.cast(type, first)
    f[()] = step(f[()])
    return f


def least(image: hl.ImageParam = IMAGE, first: int = 0) -> hl.Func:
    r = domain(image, first)
    return number("least", hl.UInt(8), 255, lambda own: hl.min(own, image[r.x, r.y]))


def greatest() -> hl.Func:
    r = domain()
    return number("greatest", hl.UInt(8), 0, lambda own: hl.max(own, IMAGE[r.x, r.y]))


def total(of: Any = lambda x: x) -> hl.Func:
    r = domain()
    return number("total", hl.Int(32), 0, lambda own: own + of(hl.i32(IMAGE[r.x, r.y])))


def both(*numbers: hl.Func) -> hl.Func:
    """A function whose elements are the numbers, in turn."""
    x, f = hl.Var("x"), hl.Func("both")
    value: Any = hl.i32(numbers[-1][()])
    for place, one in reversed(list(enumerate(numbers[:-1]))):
        value = hl.select(x == place, hl.i32(one[()]), value)
    f[x] = value
    return f


def joined(*outputs: hl.Func) -> list[tuple[str, str, str]]:
    """The stages that join another one's loops, that one, and the innermost common loop."""
    functions = [f.function for f in outputs]
    order = realization_order(functions)
    made = default_schedule(order, functions, Target.parse("x86-64-avx512"))
    return [
        (f.name.split("$")[0], stage.fused.func.split("$")[0], stage.fused.var.split("$")[-1])
        for f, schedule in made.items()
        for stage in schedule.stages
        if stage.fused is not None
    ]


def computed(output: hl.Func, size: int, pixels: np.ndarray[Any, Any] = PIXELS) -> Sequence[int]:
    IMAGE.set(hl.Buffer(np.ascontiguousarray(pixels)))
    OTHER.set(hl.Buffer(np.ascontiguousarray(pixels)))
    return [int(v) for v in np.asarray(output.realize([size]))]


def test_the_least_and_the_greatest_are_found_in_one_pass() -> None:
    f = both(least(), greatest())
    assert joined(f) in ([("greatest", "least", "x")], [("least", "greatest", "x")])
    assert computed(f, 2) == [int(PIXELS.min()), int(PIXELS.max())]


@pytest.mark.parametrize("width", (0, 1, 8, 64, 65))
def test_there_may_be_nothing_to_reduce(width: int) -> None:
    pixels = np.resize(PIXELS, (3, width))
    found = computed(both(least(), greatest(), total()), 3, pixels)
    empty = width == 0
    assert found[:2] == ([255, 0] if empty else [int(pixels.min()), int(pixels.max())])
    assert found[2] == int(pixels.sum())


def test_numbers_of_other_types_share_the_rows() -> None:
    f = both(least(), total())
    assert [loop for _, _, loop in joined(f)] == ["y"]
    assert computed(f, 2) == [int(PIXELS.min()), int(PIXELS.sum(dtype=np.int32))]


def test_three_numbers_share_one_nest() -> None:
    f = both(total(), total(lambda x: x * x), total(lambda x: x * 3))
    assert len(joined(f)) == 2
    wide = PIXELS.astype(np.int32)
    assert computed(f, 3) == [int(wide.sum()), int((wide * wide).sum()), 3 * int(wide.sum())]


def test_other_domains_and_other_memory_stay_apart() -> None:
    assert joined(both(least(first=1), greatest())) == []
    assert joined(both(least(OTHER), greatest())) == []


def test_a_number_that_another_one_needs_is_finished_first() -> None:
    mean, r = total(), domain()
    deviation = number(
        "deviation",
        hl.Int(32),
        0,
        lambda own: own + hl.abs(hl.i32(IMAGE[r.x, r.y]) * 481 - mean[()]),
    )
    f = both(mean, deviation)
    assert joined(f) == []
    sum = int(PIXELS.sum(dtype=np.int32))
    wide = PIXELS.astype(np.int64)
    assert computed(f, 2) == [sum, int(np.abs(wide * 481 - sum).sum())]


def test_groups_that_would_wait_for_one_another_are_not_made() -> None:
    """a and b in one nest, c and d in another one: d needs b, so a may not need c."""
    r = domain()
    a0, c0 = least(), greatest()
    d0 = number("d", hl.Int(32), 0, lambda own: own + IMAGE[r.x, r.y] * hl.i32(a0[()]))
    q = domain()
    b0 = number("b", hl.Int(32), 0, lambda own: own + IMAGE[q.x, q.y] * hl.i32(c0[()]))
    f = both(a0, c0, d0, b0)
    low, high, sum = int(PIXELS.min()), int(PIXELS.max()), int(PIXELS.sum(dtype=np.int64))
    assert computed(f, 4) == [low, high, sum * low, sum * high]


def test_a_search_that_stops_at_its_hit_stays_by_itself() -> None:
    r, q = domain(), domain()
    first = number(
        "first",
        hl.Int(32),
        -1,
        lambda own: hl.select((own < 0) & (IMAGE[r.x, r.y] > 200), r.x, own),
    )
    count = number("count", hl.Int(32), 0, lambda own: own + hl.i32(IMAGE[q.x, q.y] > 200))
    f = both(first, count)
    assert joined(f) == []
    where = np.argwhere(PIXELS > 200)
    assert computed(f, 2) == [int(where[0][1]), len(where)]


def test_numbers_that_are_outputs_of_their_own_are_all_found_before_the_first_is_read() -> None:
    numbers = [least(), greatest(), total(), total(lambda x: x * x)]
    outputs = []
    for place, one in enumerate(numbers):
        f = hl.Func(f"out{place}")
        f[X] = hl.i32(one[()]) + X
        outputs.append(f)
    assert len(joined(*outputs)) == 3
    IMAGE.set(hl.Buffer(PIXELS))
    made = [[int(v) for v in np.asarray(b)] for b in hl.Pipeline(outputs).realize([3])]
    wide = PIXELS.astype(np.int32)
    first = [int(PIXELS.min()), int(PIXELS.max()), int(wide.sum()), int((wide * wide).sum())]
    assert made == [[n, n + 1, n + 2] for n in first]
