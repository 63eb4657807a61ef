"""`tile_scan`: a recursion in tiles is the recursion."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import compiler as hl

Array = np.ndarray[Any, Any]
DIMENSIONS = hl.vars("x y z")
TYPES = {
    "uint8": hl.UInt(8), "int16": hl.Int(16), "int32": hl.Int(32), "uint64": hl.UInt(64),
    "float32": hl.Float(32), "float64": hl.Float(64),
}  # fmt: skip


def line(f: hl.Func, dimension: int, place: Any, count: int) -> Any:
    """The point of `f` with `place` as one of its coordinates."""
    at = list(DIMENSIONS[:count])
    at[dimension] = place
    return f[tuple(at)] if count > 1 else f[at[0]]


class Recursion:
    """f(i) = b(i) + a1 f(i - 1) + ..., along one dimension of an image, forwards or backwards."""

    def __init__(self, seed: int, kind: str) -> None:
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.kind = kind
        self.is_float = kind.startswith("float")
        self.dimensions = self.random.randint(1, 3)
        self.dimension = self.random.randrange(self.dimensions)
        self.order = self.random.randint(1, 4)
        self.tile = self.random.choice([4, 5, 8, 16, 33])
        self.backward = self.random.random() < 0.5
        self.in_place = self.random.random() < 0.5
        self.length = self.random.choice([5, 16, 37, 100, 300])
        self.shape = [self.random.randint(1, 20) for _ in range(self.dimensions)]
        self.shape[self.dimension] = self.length
        if self.is_float:
            # Poles within the unit circle.
            poles = self.numbers.uniform(-0.9, 0.9, self.order)
            self.factors = [float(np.float32(-a)) for a in np.poly(poles)[1:]]
        else:
            self.factors = [self.random.randint(-3, 3) for _ in range(self.order)]
            self.factors[-1] = self.factors[-1] or 1

    def image(self) -> Array:
        if self.is_float:
            return self.numbers.standard_normal(self.shape[::-1]).astype(self.kind)
        return self.numbers.integers(0, 100, self.shape[::-1]).astype(self.kind)

    def func(self, image: Array, tile: int | None) -> hl.Func:
        type, count = TYPES[self.kind], self.dimensions
        a = hl.Buffer(image)
        f = hl.Func("f")
        f[DIMENSIONS[:count]] = a[DIMENSIONS[:count]]
        r = hl.RDom([(self.order, self.length - self.order)], "r")

        def place(lag: int) -> Any:
            return self.length - 1 - r.x + lag if self.backward else r.x - lag

        new = line(f if self.in_place else a, self.dimension, place(0), count)  # type: ignore[arg-type]
        for lag, factor in enumerate(self.factors, 1):
            value = hl.cast(type, hl.Expr(factor)) if self.is_float else hl.cast(type, factor)
            new = new + value * line(f, self.dimension, place(lag), count)
        at = list(DIMENSIONS[:count])
        at[self.dimension] = place(0)
        f[tuple(at)] = new
        if tile is not None:
            f.update().tile_scan(r.x, tile)
        return f

    def exact(self, image: Array) -> Array:
        """In more digits than any of the types."""
        lines = np.moveaxis(image.astype(np.longdouble), self.dimensions - 1 - self.dimension, 0)
        lines = lines[::-1] if self.backward else lines
        for i in range(self.order, self.length):
            for lag, factor in enumerate(self.factors, 1):
                lines[i] += factor * lines[i - lag]
        lines = lines[::-1] if self.backward else lines
        return np.moveaxis(lines, 0, self.dimensions - 1 - self.dimension)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(s, marks=pytest.mark.slow)
                                               for s in range(3, 40))])  # fmt: skip
def test_a_recursion_in_tiles_is_the_recursion(seed: int, kind: str) -> None:
    recursion = Recursion(seed, kind)
    image = recursion.image()
    direct = np.array(recursion.func(image, None).realize(recursion.shape))
    tiled = np.array(recursion.func(image, recursion.tile).realize(recursion.shape))
    if not recursion.is_float:
        np.testing.assert_array_equal(tiled, direct)
        return
    exact = recursion.exact(image)
    scale = float(np.abs(exact).max())
    own = float(np.abs(direct - exact).max()) + float(np.finfo(kind).eps) * scale
    assert float(np.abs(tiled - exact).max()) <= 4 * own


def summed(count: int, tile: int | None) -> Array:
    x = DIMENSIONS[0]
    f, r = hl.Func("f"), hl.RDom([(1, count - 1)], "r")
    f[x] = hl.u32(x + 1)
    f[r.x] += f[r.x - 1]
    if tile is not None:
        f.update().tile_scan(r.x, tile)
    out = np.zeros(count, np.uint32)
    f.realize(hl.Buffer(out))
    return out


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("count", [2, 3, 4, 5, 16, 17, 64, 65, 66, 1000])
def test_sizes_need_be_no_multiple_of_the_tile(count: int) -> None:
    for tile in (1, 2, 4, 16):
        np.testing.assert_array_equal(summed(count, tile), summed(count, None))


def test_a_state_of_order_two_goes_from_tile_to_tile() -> None:
    """Modulo 2**32: every term of the matrix between tiles counts, which isn't symmetric."""
    x = DIMENSIONS[0]
    f, r = hl.Func("f"), hl.RDom([(2, 398)], "r")
    f[x] = hl.u32(1)
    f[r.x] = hl.u32(r.x) + f[r.x - 1] * hl.u32(3) + hl.u32(2) * f[r.x - 2]
    f.update().tile_scan(r.x, 8)
    expected = [1, 1]
    for i in range(2, 400):
        expected.append((i + 3 * expected[-1] + 2 * expected[-2]) % 2**32)
    out = np.zeros(400, np.uint32)  # of which nothing lies beyond the domain
    f.realize(hl.Buffer(out))
    assert out.tolist() == expected


@pytest.mark.parametrize("name", ["min", "max", "and", "or"])
@pytest.mark.parametrize("type", ["int32", "float32"])
def test_semigroups_go_from_tile_to_tile(name: str, type: str) -> None:
    if type == "float32" and name in ("and", "or"):
        return
    combine = {"min": hl.min, "max": hl.max, "and": lambda a, b: a & b, "or": lambda a, b: a | b}
    image = np.random.default_rng(1).integers(-500, 500, 777).astype(type)
    a, x = hl.Buffer(image), DIMENSIONS[0]
    f, r = hl.Func("f"), hl.RDom([(1, 776)], "r")
    f[x] = a[x]
    f[r.x] = combine[name](f[r.x - 1], a[r.x])
    f.update().tile_scan(r.x, 16)
    numbers = {"min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or}
    np.testing.assert_array_equal(np.array(f.realize([777])), numbers[name].accumulate(image))


def test_there_and_back_along_both_dimensions() -> None:
    image = np.random.default_rng(3).integers(0, 99, (50, 70)).astype(np.int32)
    a, (x, y) = hl.Buffer(image), DIMENSIONS[:2]

    def made(tile: int | None) -> Array:
        f = hl.Func("f")
        f[x, y] = a[x, y]
        r, q = hl.RDom([(1, 69)], "r"), hl.RDom([(1, 49)], "q")
        f[r.x, y] += 3 * f[r.x - 1, y]
        f[69 - r.x, y] -= f[70 - r.x, y]
        f[x, q.x] += 5 * f[x, q.x - 1]
        f[x, 49 - q.x] += f[x, 50 - q.x]
        if tile is not None:
            # What is before an update in place becomes a stage of its own.
            for index, one in ((0, r), (2, r), (2, q), (2, q)):
                f.update(index).tile_scan(one.x, tile)
        return np.array(f.realize([70, 50]))

    np.testing.assert_array_equal(made(8), made(None))


def test_factors_may_be_parameters() -> None:
    x, b = DIMENSIONS[0], hl.Param(hl.Float(32), "b", 0.75)
    a = hl.Buffer(np.ones(500, np.float32))

    def made(tile: int | None) -> Array:
        f, r = hl.Func("f"), hl.RDom([(1, 499)], "r")
        f[x] = a[x]
        f[r.x] = (1 - b) * a[r.x] + b * f[r.x - 1]
        if tile is not None:
            f.update().tile_scan(r.x, tile)
        return np.array(f.realize([500]))

    np.testing.assert_allclose(made(16), made(None), rtol=1e-6)


def refused(make: Any, tile: int = 16, type: Any = hl.Float(32)) -> str:  # noqa: B008
    x, f = DIMENSIONS[0], hl.Func("f")
    a = hl.ImageParam(type, 1, "a")
    f[x] = a[x]
    r = hl.RDom([(4, 90)], "r")
    f[r.x] = make(f, a, r.x)
    with pytest.raises(hl.HalideError) as caught:
        f.update().tile_scan(r.x, tile)
    return str(caught.value)


def test_what_can_not_be_tiled_says_why() -> None:
    assert "unstable: a pole of magnitude 1.1" in refused(lambda f, a, x: a[x] + 1.1 * f[x - 1])
    assert "isn't finite" in refused(lambda f, a, x: a[x] + hl.f32(float("inf")) * f[x - 1])
    order = "a recursion of order 4 needs tiles of at least as many steps"
    assert order in refused(lambda f, a, x: a[x] + 0.1 * f[x - 4], 3)
    assert "a tile of 0 steps" in refused(lambda f, a, x: a[x] + 0.1 * f[x - 1], 0)
    assert "isn't linear in f" in refused(lambda f, a, x: a[x] + f[x - 1] * f[x - 1])
    assert "isn't linear in f" in refused(lambda f, a, x: hl.sqrt(f[x - 1]) + a[x])
    assert "isn't the same for all steps" in refused(lambda f, a, x: a[x] * f[x - 1])
    saturating = refused(lambda f, a, x: hl.saturating_add(f[x - 1], a[x]), type=hl.UInt(8))
    assert "isn't linear in f" in saturating
    assert "isn't linear in f" in refused(lambda f, a, x: a[x] + f[x + 1] + f[x - 1])
    assert "reads nothing of the steps before" in refused(lambda f, a, x: a[x] + f[x])
    narrow = refused(lambda f, a, x: hl.u8((hl.i32(f[x - 1]) + a[x]) >> 1), type=hl.UInt(8))
    assert "isn't linear in f" in narrow
    with pytest.raises(hl.HalideError, match="must be called on an update definition"):
        f = hl.Func("g")
        f[DIMENSIONS[0]] = 1
        hl.Stage(f).tile_scan(hl.RDom([(0, 1)]).x, 4)


def test_box_sums_are_stable_enough() -> None:
    """Their poles lie on the unit circle."""
    x, f = DIMENSIONS[0], hl.Func("f")
    f[x] = hl.f32(1)
    r = hl.RDom([(3, 200)], "r")
    f[r.x] = 3.0 * f[r.x - 1] - 3.0 * f[r.x - 2] + f[r.x - 3]
    f.update().tile_scan(r.x, 16)
    np.testing.assert_allclose(np.array(f.realize([203])), np.ones(203), rtol=1e-3)
