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


def there_and_back(a: hl.ImageParam, width: int, height: int) -> list[hl.Func]:
    """Along rows, back, and down columns, each of what the one before it gives."""
    made = [hl.Func() for _ in range(3)]
    r, q = hl.RDom([(0, width)], "r"), hl.RDom([(0, height)], "q")
    right, left, down = made
    for f in made:
        f[X, Y] = hl.undef(hl.Float(32))
    right[r.x, Y] = a[r.x, Y] + 0.5 * hl.select(r.x > 0, right[hl.max(r.x - 1, 0), Y], 0.0)
    back = width - 1 - r.x
    own = left[hl.min(back + 1, width - 1), Y]
    left[back, Y] = right[back, Y] + 0.25 * hl.select(r.x > 0, own, 0.0)
    down[X, q.x] = left[X, q.x] - 0.5 * hl.select(q.x > 0, down[X, hl.max(q.x - 1, 0)], 0.0)
    return made


def test_scans_along_rows_are_computed_where_other_scans_read_these_rows() -> None:
    right, left, down = there_and_back(hl.ImageParam(hl.Float(32), 2, "a"), 40, 30)
    assert level(down, right.name()) == "at rows"
    assert level(down, left.name()) == "at band"
    half = hl.Func()
    half[X, Y] = down[X, Y] * 0.5 + down[X, Y + 1]
    assert level(half, left.name()) == "at band"
    twice = hl.Func()
    twice[X, Y] = down[X, Y] + right[X, Y]
    assert level(twice, right.name()) == "root"


def test_an_element_of_a_scan_is_read_where_it_is_needed() -> None:
    a = hl.ImageParam(hl.Float(32), 2, "a")
    *_, down = there_and_back(a, 40, 30)
    moved, r = hl.Func(), hl.RDom([(1, 39)], "r")
    moved[X, Y] = down[X, 29 - Y]
    again = hl.Func()
    again[X, Y] = moved[X, Y]
    again[r.x, Y] = again[r.x - 1, Y] + moved[r.x, Y]
    assert level(again, moved.name()) == "inline"


@pytest.mark.parametrize("size", SIZES)
def test_scans_one_after_the_other_are_the_loops(size: tuple[int, int]) -> None:
    width, height = size
    image = np.random.default_rng(width).random((height, width), np.float32)
    a = hl.ImageParam(hl.Float(32), 2, "a")
    down = there_and_back(a, width, height)[-1]
    a.set(hl.Buffer(image))
    wanted = image.copy()
    for x in range(1, width):
        wanted[:, x] += np.float32(0.5) * wanted[:, x - 1]
    for x in range(width - 2, -1, -1):
        wanted[:, x] += np.float32(0.25) * wanted[:, x + 1]
    for y in range(1, height):
        wanted[y] -= np.float32(0.5) * wanted[y - 1]
    np.testing.assert_array_equal(np.array(down.realize([width, height])), wanted)


def in_turn(
    a: hl.ImageParam, type: Any, size: tuple[int, ...], axes: str, combine: Any
) -> list[hl.Func]:
    """Scans along `axes`, each of what the one before gives; capitals go back from the end."""
    made: list[hl.Func] = []
    point = list(hl.vars("x y z"))[: len(size)]
    for axis in axes:
        dimension = "xyz".index(axis.lower())
        r, last = hl.RDom([(0, size[dimension])]), size[dimension] - 1
        place = (last - r.x) if axis.isupper() else r.x
        before = hl.min(last - r.x + 1, last) if axis.isupper() else hl.max(r.x - 1, 0)
        here, there = list(point), list(point)
        here[dimension], there[dimension] = place, before
        f = hl.Func()
        f[tuple(point)] = hl.undef(type)
        own = hl.select(r.x > 0, f[tuple(there)], hl.cast(type, 0))
        f[tuple(here)] = combine(own, (made[-1] if made else a)[tuple(here)])
        made.append(f)
    return made


def values_in_turn(image: Array, axes: str, factor: int) -> Array:
    """What `in_turn` gives; a step is the one before times `factor`, and what is there."""
    made = image.copy()
    for axis in axes:
        lines = np.moveaxis(made, made.ndim - 1 - "xyz".index(axis.lower()), 0)
        lines = lines[::-1] if axis.isupper() else lines
        for i in range(1, len(lines)):
            lines[i] += lines[i - 1] * image.dtype.type(factor)
    return made


@pytest.mark.parametrize(
    "axes, size, factor",
    (
        ("xXx", (40, 33), 1),
        ("xX", (20, 18, 3), 3),
        ("zx", (9, 5, 17), 1),
        *(
            pytest.param(axes, size, factor, marks=pytest.mark.slow)
            for axes, size in (("xXxY", (40, 33)), ("xXy", (20, 18, 3)), ("zyXz", (9, 17, 5)))
            for factor in (1, 3)
        ),
    ),
)
def test_scans_of_any_dimensions_read_each_other(
    axes: str, size: tuple[int, ...], factor: int
) -> None:
    """Of sums alone one that is computed with others' rows holds rows itself."""
    image = np.random.default_rng(len(axes)).integers(0, 1 << 32, size[::-1]).astype(np.uint32)
    a = hl.ImageParam(hl.UInt(32), len(size), "a")
    k = hl.cast(hl.UInt(32), factor)

    def combine(own: Any, new: Any) -> Any:
        return own + new if factor == 1 else own * k + new

    *_, f = in_turn(a, hl.UInt(32), size, axes, combine)
    a.set(hl.Buffer(image))
    found = np.array(f.realize(list(size)))
    np.testing.assert_array_equal(found, values_in_turn(image, axes, factor))


def test_rows_of_all_planes_are_computed_with_those_that_read_them() -> None:
    """A scan along planes is as long as they are, and is computed once."""
    for axes, where in (("zx", "at rows"), ("zy", "at band"), ("xX", "at rows"), ("xy", "at band")):
        a = hl.ImageParam(hl.Float(32), 3, "a")
        first, second = in_turn(
            a, hl.Float(32), (40, 30, 3), axes, lambda own, new: own * 0.5 + new
        )
        assert level(second, first.name()) == where
        assert loops(second, second.name(), 1)[-1][0] == where.split()[1]


def relaxed(a: hl.ImageParam, width: int, is_innermost: bool) -> hl.Func:
    """Along rows, each element five times of what it is and what is left of it; or the rows five
    times."""
    f, five = hl.Func(), (0, 5)
    r = hl.RDom([five, (0, width)] if is_innermost else [(0, width), five])
    place = r.y if is_innermost else r.x
    f[X, Y] = a[X, Y]
    f[place, Y] = f[place, Y] * hl.u32(3) + f[hl.max(place - 1, 0), Y]
    return f


@pytest.mark.parametrize("is_innermost", (True, False))
def test_other_serial_loops_stay_where_they_are(is_innermost: bool) -> None:
    a, image = hl.ImageParam(hl.UInt(32), 2, "a"), np.arange(9 * 18, dtype=np.uint32)
    wanted = image.reshape(18, 9).copy()
    a.set(hl.Buffer(image.reshape(18, 9)))
    columns, times = range(9), range(5)
    for x in (x for x in columns for _ in times) if is_innermost else [*columns] * 5:
        wanted[:, x] = wanted[:, x] * np.uint32(3) + wanted[:, max(x - 1, 0)]
    found = np.array(relaxed(a, 9, is_innermost).realize([9, 18]))
    np.testing.assert_array_equal(found, wanted)


def test_a_scan_column_by_column_may_read_the_column_before_further_down() -> None:
    width, height, planes = 6, 5, 3
    a, z = hl.ImageParam(hl.UInt(8), 3, "a"), hl.Var("z")
    f, r = hl.Func(), hl.RDom([(0, height), (0, width)])
    f[X, Y, z] = a[X, Y, z]
    before = f[hl.max(r.y - 1, 0), hl.min(r.x + 1, height - 1), z]
    f[r.y, r.x, z] = before * hl.u8(3) + a[r.y, r.x, z]
    image = np.arange(planes * height * width, dtype=np.uint8).reshape(planes, height, width)
    wanted = image.copy()
    for x in range(width):
        for y in range(height):
            before = wanted[:, min(y + 1, height - 1), max(x - 1, 0)]
            wanted[:, y, x] = before * np.uint8(3) + image[:, y, x]
    a.set(hl.Buffer(image))
    np.testing.assert_array_equal(np.array(f.realize([width, height, planes])), wanted)
