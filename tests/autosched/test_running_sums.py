"""Window sums of integers run along a coordinate where nobody scheduled anything: the same values,
in constant time a point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.autosched import with_running_sums
from compiler.lower.environment import realization_order

Array = np.ndarray[Any, Any]
X, Y = hl.vars("x y")
Term = Callable[[Any, Any], Any]
"""What is added at (a coordinate, the other one)."""


def runs(*outputs: hl.Func) -> list[str]:
    """The stages that hold running sums, by the names of those they are made for."""
    functions = [f.function for f in outputs]
    before = realization_order(functions)
    order, _ = with_running_sums(before, functions)
    known = {f.name for f in before}
    return [f.name.split("_running")[0].split("$")[0] for f in order if f.name not in known]


def image(bits: int = 8, dimensions: int = 2) -> hl.ImageParam:
    return hl.ImageParam(hl.UInt(bits), dimensions, "image")


def window(low: Any, steps: Any, term: Callable[[Any], Any]) -> hl.Expr:
    r = hl.RDom([(low, steps)], "r")
    return hl.sum(r, term(r.x), "window")


def along(dimension: int, low: Any, steps: Any, read: Term) -> hl.Func:
    """A function of the sum of `read` over a window that moves with a coordinate."""
    f = hl.Func("f")
    own, other = (X, Y) if dimension == 0 else (Y, X)
    f[X, Y] = window(low, steps, lambda r: read(own + r, other)) * 3
    return f


def clamped(a: hl.ImageParam, type: Any, dimension: int) -> Term:
    size = (a.width(), a.height())[dimension]

    def read(place: Any, other: Any) -> Any:
        at = hl.max(0, hl.min(place, size - 1))
        return hl.cast(type, a[at, other] if dimension == 0 else a[other, at])

    return read


def sums(values: Array, low: int, steps: int) -> Array:
    """Clamped sums along the last axis, as numbers."""
    n = values.shape[-1]
    found = np.zeros(values.shape, np.int64)
    for r in range(low, low + steps):
        places = np.clip(np.arange(n) + r, 0, n - 1)
        found += values[..., places]
    return found


@pytest.mark.parametrize(
    "bits, dimension",
    (
        (8, 0), (32, 1),
        *(pytest.param(b, d, marks=pytest.mark.slow)
          for b in (8, 16, 32, 64) for d in (0, 1) if (b, d) not in ((8, 0), (32, 1))),
    ),
)  # fmt: skip
def test_clamped_windows_of_all_types_have_the_direct_sums(bits: int, dimension: int) -> None:
    """Narrow types wrap, as they do where each window is added up."""
    random = np.random.default_rng(bits)
    a = image()
    low, steps = hl.Param(hl.Int(32), "low"), hl.Param(hl.Int(32), "steps")
    f = along(dimension, low, steps, clamped(a, hl.Int(bits), dimension))
    assert runs(f) == ["window"]
    for width, height in ((1, 1), (2, 3), (17, 5), (40, 33), (67, 18)):
        values = random.integers(0, 256, (height, width), np.uint8)
        for first, number in ((0, 1), (-1, 3), (-3, 4), (2, 5), (-40, 81), (0, 0), (1, -4)):
            a.set(hl.Buffer(values))
            low.set(first)
            steps.set(number)
            found = np.asarray(f.realize([width, height]))
            turned = values if dimension == 0 else values.T
            expected = sums(turned, first, max(number, 0)) * 3
            expected = expected if dimension == 0 else expected.T
            assert (found == expected.astype(found.dtype)).all(), (width, height, first, number)


def test_what_is_added_may_depend_on_where_the_window_is_seen_from_outside() -> None:
    """Zeros outside of the image, weights by row, another stage's values."""
    a, radius = image(), hl.Param(hl.Int(32), "radius")
    doubled = hl.Func("doubled")
    doubled[X, Y] = hl.i32(a[hl.clamp(X, 0, a.width() - 1), Y]) * (Y + 2)

    def read(place: Any, other: Any) -> Any:
        return hl.select((place >= 0) & (place < a.width()), doubled[place, other], 0)

    f = along(0, -radius, 2 * radius + 1, read)
    assert runs(f) == ["window"]
    values = np.random.default_rng(1).integers(0, 256, (21, 37), np.uint8)
    a.set(hl.Buffer(values))
    padded = np.pad(values.astype(np.int64), ((0, 0), (50, 50)))
    for r in (0, 1, 4, 18, 50):
        radius.set(r)
        expected = sum(padded[:, 50 + k : 87 + k] for k in range(-r, r + 1))
        expected = expected * (np.arange(21)[:, None] + 2) * 3
        assert (np.asarray(f.realize([37, 21])) == expected).all(), r


def test_a_part_of_the_output_and_nothing_beyond_the_input_that_it_needs() -> None:
    """The sums begin at the first coordinate that is asked for, wherever that is."""
    a, radius = image(16, 1), hl.Param(hl.Int(32), "radius")
    f, r = hl.Func("f"), hl.RDom([(-radius, 2 * radius + 1)], "r")
    f[X] = hl.cast(hl.UInt(16), 0)
    f[X] += a[X + r]
    assert runs(f) == ["f"]
    values = np.random.default_rng(2).integers(0, 1 << 16, 60, np.uint16)
    for first, count, size in ((5, 20, 5), (3, 1, 3), (0, 60, 0), (30, 0, 7), (-2, 9, 4)):
        part = values[: count + 2 * size] if count else values[:size]
        given = hl.Buffer(part.copy())
        given.set_min([first - size])
        a.set(given)
        radius.set(size)
        found = hl.Buffer(hl.UInt(16), [count])
        found.set_min([first])
        f.realize(found)
        expected = [part[i : i + 2 * size + 1].sum(dtype=np.uint16) for i in range(count)]
        assert np.asarray(found).tolist() == expected, (first, count, size)


def test_two_outputs_need_what_either_does() -> None:
    a, steps = image(8, 1), hl.Param(hl.Int(32), "steps")
    s, f, g = hl.Func("s"), hl.Func("f"), hl.Func("g")
    r = hl.RDom([(0, steps)], "r")
    s[X] = 0
    s[X] += hl.i32(a[X + r])
    f[X] = s[X] + 1
    g[X] = s[X] * 2
    assert runs(f, g) == ["s"]
    values = np.random.default_rng(3).integers(0, 256, 64, np.uint8)
    a.set(hl.Buffer(values))
    steps.set(9)
    expected = np.convolve(values.astype(np.int32), np.ones(9, np.int32), "valid")
    for (low, count), (other, more) in (((0, 20), (5, 40)), ((12, 3), (4, 5)), ((30, 4), (2, 9))):
        one, two = hl.Buffer(hl.Int(32), [count]), hl.Buffer(hl.Int(32), [more])
        one.set_min([low])
        two.set_min([other])
        hl.Pipeline([f, g]).realize([one, two])
        assert (np.asarray(one) == expected[low : low + count] + 1).all()
        assert (np.asarray(two) == expected[other : other + more] * 2).all()


def test_what_parameters_say_is_the_same_for_all_windows() -> None:
    a, p, q = image(), hl.Param(hl.Int(32), "p"), hl.Param(hl.Int(32), "q")
    f, r = hl.Func("f"), hl.RDom([(0, q)], "r")
    t = hl.sum(r, hl.i32(a[hl.min(X + r, a.width() - 1), Y]), "window")
    f[X, Y] = hl.select(p > 0, hl.select(t > 300, t // q, t), -1)
    assert runs(f) == ["window"]
    values = np.random.default_rng(4).integers(0, 256, (5, 33), np.uint8)
    a.set(hl.Buffer(values))
    q.set(7)
    total = sums(values, 0, 7)
    for known, expected in ((1, np.where(total > 300, total // 7, total)), (0, total * 0 - 1)):
        p.set(known)
        assert (np.asarray(f.realize([33, 5])) == expected).all()


def weighted(a: hl.ImageParam) -> hl.Func:
    w = hl.ImageParam(hl.UInt(8), 1, "w")
    f, r = hl.Func("f"), hl.RDom([(0, w.width())], "r")
    f[X] = hl.sum(r, hl.i32(a[X + r, 0]) * w[r])
    return f


def of_floats(a: hl.ImageParam) -> hl.Func:
    f, r = hl.Func("f"), hl.RDom([(0, a.width())], "r")
    f[X, Y] = hl.sum(r, hl.f32(a[X + r, Y]))
    return f


def cut_at_its_own_place(a: hl.ImageParam) -> hl.Func:
    f, r = hl.Func("f"), hl.RDom([(0, a.width())], "r")
    f[X, Y] = hl.sum(r, hl.select(X > 3, hl.i32(a[X + r, Y]), 0))
    return f


def of_strides(a: hl.ImageParam) -> hl.Func:
    f, r = hl.Func("f"), hl.RDom([(0, a.width())], "r")
    f[X, Y] = hl.sum(r, hl.i32(a[X * 2 + r, Y]))
    return f


def seen_elsewhere(a: hl.ImageParam) -> hl.Func:
    s, f, r = hl.Func("s"), hl.Func("f"), hl.RDom([(0, a.width())], "r")
    s[X, Y] = hl.sum(r, hl.i32(a[X + r, Y]))
    f[X, Y] = s[X + Y, Y]
    return f


def short(a: hl.ImageParam) -> hl.Func:
    f, r = hl.Func("f"), hl.RDom([(-1, 3)], "r")
    f[X, Y] = hl.sum(r, hl.i32(a[X + r, Y]))
    return f


def conditional(a: hl.ImageParam) -> hl.Func:
    f, r = hl.Func("f"), hl.RDom([(0, a.width())], "r")
    r.where(a[r.x, 0] > 7)
    f[X, Y] = hl.sum(r, hl.i32(a[X + r, Y]))
    return f


def of_extremes(a: hl.ImageParam) -> hl.Func:
    f, r = hl.Func("f"), hl.RDom([(0, a.width())], "r")
    f[X, Y] = hl.maximum(r, hl.i32(a[X + r, Y]))
    return f


def needed_at_times(a: hl.ImageParam) -> hl.Func:
    """Where a coordinate says: elements of other windows may not be there."""
    f, r = hl.Func("f"), hl.RDom([(0, a.width())], "r")
    f[X, Y] = hl.select(X < 5, hl.sum(r, hl.i32(a[X + r, Y])), 0)
    return f


def by_data(a: hl.ImageParam) -> hl.Func:
    """What a step reads is told by what another one read, not by its place alone."""
    f, r = hl.Func("f"), hl.RDom([(0, a.width())], "r")
    f[X, Y] = hl.sum(r, hl.i32(a[hl.clamp(a[X, Y] + r, 0, 9), Y]))
    return f


@pytest.mark.parametrize(
    "make",
    (weighted, of_floats, cut_at_its_own_place, of_strides, seen_elsewhere, short, conditional,
     of_extremes, by_data, needed_at_times),
)  # fmt: skip
def test_other_sums_stay(make: Callable[[hl.ImageParam], hl.Func]) -> None:
    f = make(image())
    functions = [f.function]
    order = realization_order(functions)
    assert with_running_sums(order, functions) == (order, functions)


def test_a_users_program_stays_what_it_is() -> None:
    a, radius = image(), hl.Param(hl.Int(32), "radius")
    f = along(0, -radius, 2 * radius + 1, clamped(a, hl.Int(32), 0))
    functions = realization_order([f.function])
    before = [(g, list(g.definitions), g.schedule.key()) for g in functions]
    a.set(hl.Buffer(np.zeros((4, 4), np.uint8)))
    radius.set(2)
    f.realize([4, 4])
    assert realization_order([f.function]) == functions
    assert before == [(g, g.definitions, g.schedule.key()) for g in functions]


@pytest.mark.parametrize(
    "type, channels",
    (
        (hl.UInt(8), 3),
        *(pytest.param(t, c, marks=pytest.mark.slow)
          for t, c in ((hl.UInt(8), 1), (hl.Int(32), 1), (hl.Int(32), 3))),
    ),
    ids=str,
)  # fmt: skip
def test_windows_over_two_coordinates_run_along_both(type: Any, channels: int) -> None:
    """What else is added up at each place, of a few channels say, is a sum of its own."""
    a, size = image(8, 3), [hl.Param(hl.Int(32), name) for name in ("rx", "ry")]
    r = hl.RDom([(-size[0], 2 * size[0] + 1), (-size[1], size[1] + 1), (0, channels)], "r")
    f = hl.Func("f")
    x, y = (hl.clamp(c + k, 0, n - 1) for c, k, n in ((X, r.x, a.width()), (Y, r.y, a.height())))
    f[X, Y] = hl.sum(r, hl.cast(type, a[x, y, r.z]), "window")
    assert runs(f) == ["window"] * 3
    for width, height in ((1, 1), (19, 6), (40, 35)):
        values = np.random.default_rng(width).integers(0, 256, (channels, height, width), np.uint8)
        a.set(hl.Buffer(values))
        for rx, ry in ((0, 0), (2, 1), (1, 7), (20, 20)):
            size[0].set(rx)
            size[1].set(ry)
            found = np.asarray(f.realize([width, height]))
            expected = sums(values.sum(0, dtype=np.int64), -rx, 2 * rx + 1)
            expected = sums(expected.T, -ry, ry + 1).T
            assert (found == expected.astype(found.dtype)).all(), (width, height, rx, ry)
