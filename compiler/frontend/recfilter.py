"""Recursive filters in the words of recursive-filters-2015: what to filter, then how.

    x, y = RecFilterDim("x", width), RecFilterDim("y", height)
    blur = RecFilter("blur")
    blur[x, y] = image[x, y]
    for direction in (+x, -x, +y, -y):
        blur.add_filter(direction, gaussian_weights(5.0, 3))
    blur.cpu_auto_schedule()
    blur.as_func().realize([width, height])

It has no power of its own: each filter becomes a `Func` with an update over its dimension, `split`
is `tile_scan`, and what else is known of these stages holds of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..lang.errors import fail
from ..lang.expr import Expr, as_expr
from ..lang.functions import cast, select, undef
from ..lang.functions import max as greatest
from ..lang.functions import min as least
from ..lang.scan_recognition import largest_pole
from ..lang.variables import RDom, Var
from .func import Func

TILE = 1040
"""Steps of a tile: its values are in the first cache, and tiles begin in different sets of it."""

Factors = Sequence[float]


@dataclass(frozen=True)
class RecFilterDim:
    """A dimension of what is filtered, from 0 up to its extent; `+x` and `-x` are directions."""

    name: str
    extent: Any

    def __pos__(self) -> Direction:
        return Direction(self, True)

    def __neg__(self) -> Direction:
        return Direction(self, False)


@dataclass(frozen=True)
class Direction:
    """Along a dimension, from its begin (causal) or from its end."""

    dimension: RecFilterDim
    is_causal: bool

    def __str__(self) -> str:
        return f"{'+' if self.is_causal else '-'}{self.dimension.name}"


@dataclass(frozen=True)
class Filter:
    """y(i) = b x(i) + a_1 y(i - 1) + ... + a_k y(i - k)."""

    direction: Direction
    gain: float
    feedback: tuple[float, ...]


class RecFilter:
    """Filters one after the other, over an input.

    Outside of the image all is 0, or, by `set_clamped_image_border`, what a filter gives that has
    seen the edge's value for ever.
    """

    def __init__(self, name: str = "filter") -> None:
        self.name = name
        self.dimensions: tuple[RecFilterDim, ...] = ()
        self.filters: list[Filter] = []
        self._input: Expr | None = None
        self._is_clamped = False
        self._tiles: dict[str, int] = {}
        self._func: Func | None = None
        self._stages: list[Func] = []

    def __setitem__(self, dimensions: Any, value: Any) -> None:
        """The input, over the dimensions as coordinates: `blur[x, y] = image[x, y]`."""
        given = dimensions if isinstance(dimensions, tuple) else (dimensions,)
        if not given or not all(isinstance(d, RecFilterDim) for d in given):
            fail(f"RecFilter {self.name} is defined over RecFilterDims.")
        if self.dimensions:
            fail(f"RecFilter {self.name} has an input already.")
        self.dimensions = given
        self._input = as_expr(value)

    def add_filter(self, direction: Direction, coefficients: Factors) -> RecFilter:
        """Adds the filter `[b, a_1, ..., a_k]` along `+x` or `-x`; all are applied in order.

        Raises `HalideError` where it has no feedback, isn't finite or, of floats, isn't stable.
        """
        self._check_open()
        numbers = [float(c) for c in coefficients]
        if not isinstance(direction, Direction) or direction.dimension not in self.dimensions:
            fail(f"RecFilter {self.name} has no such dimension: {direction}.")
        if len(numbers) < 2:
            fail(f"RecFilter {self.name}: a filter along {direction} without feedback.")
        if not all(map(math.isfinite, numbers)):
            fail(f"RecFilter {self.name}: coefficients that aren't finite: {numbers}.")
        if self._is_float:
            pole = largest_pole(numbers[1:])
            if pole is not None:
                fail(
                    f"RecFilter {self.name}: the filter along {direction} is unstable: a pole of "
                    f"magnitude {pole:.4g}, outside of 1."
                )
        elif any(number != int(number) for number in numbers):
            fail(f"RecFilter {self.name}: integers are filtered by whole numbers, not {numbers}.")
        self.filters.append(Filter(direction, numbers[0], tuple(numbers[1:])))
        return self

    def set_clamped_image_border(self) -> RecFilter:
        """The image goes on beyond its edges with their values."""
        self._check_open()
        if not self._is_float:
            fail(f"RecFilter {self.name}: integers have no steady state; their border is 0.")
        self._is_clamped = True
        return self

    def split(self, dimension: RecFilterDim, tile: int) -> RecFilter:
        """Filters along a dimension run in tiles (`tile_scan`); of floats this permits to round
        otherwise."""
        self._check_open()
        if dimension not in self.dimensions:
            fail(f"RecFilter {self.name} has no dimension {dimension.name}.")
        if tile < 1:
            fail(f"RecFilter {self.name}: a tile of {tile} steps.")
        self._tiles[dimension.name] = tile
        return self

    def split_all_dimensions(self, tile: int) -> RecFilter:
        """`split` of each of them."""
        for dimension in self.dimensions:
            self.split(dimension, tile)
        return self

    def cpu_auto_schedule(self) -> RecFilter:
        """Tiles where there is one line alone; elsewhere lines side by side are lanes and tasks."""
        self._check_open()
        if len(self.dimensions) == 1 and not self._tiles:
            self.split(self.dimensions[0], TILE)
        return self

    def cascade(self, *groups: Sequence[int]) -> tuple[RecFilter, ...]:
        """The filters, by their numbers, in groups one after the other, each a `RecFilter` over
        the one before.

        Raises `HalideError` for an order that gives something else: filters change places that go
        along different dimensions, or with a border of 0 in one direction.
        """
        self._check_open()
        order = [number for group in groups for number in group]
        if sorted(order) != list(range(len(self.filters))):
            fail(f"RecFilter {self.name}: cascade needs each of {len(self.filters)} filters once.")
        for place, later in enumerate(order):
            for earlier in order[place + 1 :]:
                if earlier < later:
                    self._check_commute(self.filters[earlier], self.filters[later])
        made: list[RecFilter] = []
        for place, group in enumerate(groups):
            part = RecFilter(f"{self.name}_{place}")
            part.dimensions, part._input = self.dimensions, self._input
            if made:
                part._input = made[-1]._at(self._coordinates())
            part._is_clamped, part._tiles = self._is_clamped, dict(self._tiles)
            part.filters = [self.filters[number] for number in group]
            made.append(part)
        return tuple(made)

    def cascade_by_dimension(self) -> tuple[RecFilter, ...]:
        """A group of the filters along each dimension."""
        return self.cascade(*self._groups(lambda f: f.direction.dimension.name))

    def cascade_by_causality(self) -> tuple[RecFilter, ...]:
        """A group of the filters in each direction."""
        return self.cascade(*self._groups(lambda f: f.direction))

    def overlap_to_higher_order_filter(self) -> RecFilter:
        """Neighbouring filters in one direction become one of the sum of their orders.

        With a border of 0 that is the same but for rounding, which this permits.
        """
        self._check_open()
        if self._is_clamped:
            fail(f"RecFilter {self.name}: filters with a clamped border aren't those of their sum.")
        merged: list[Filter] = []
        for one in self.filters:
            if not merged or merged[-1].direction != one.direction:
                merged.append(one)
                continue
            product = np.polymul(*([1.0, *(-a for a in f.feedback)] for f in (merged[-1], one)))
            feedback = tuple(float(-a) for a in product[1:])
            merged[-1] = replace(one, gain=one.gain * merged[-1].gain, feedback=feedback)
        self.filters = merged
        return self

    overlap = overlap_to_higher_order_filter

    def as_func(self) -> Func:
        """The filtered image; a directive may still be given to it and to `stages()`."""
        if self._func is None:
            self._stages = self._build()
            self._func = self._stages[-1]
        return self._func

    def stages(self) -> list[Func]:
        """A stage for each filter, the input before them."""
        self.as_func()
        return list(self._stages)

    def realize(self, sizes: Sequence[int]) -> Any:
        """`as_func().realize(sizes)`."""
        return self.as_func().realize(sizes)

    def _build(self) -> list[Func]:
        if self._input is None:
            fail(f"RecFilter {self.name} has no input.")
        source = Func(f"{self.name}_input")
        source[tuple(self._coordinates())] = self._input
        made = [source]
        for number, one in enumerate(self.filters):
            made.append(self._stage(made[-1], one, f"{self.name}_{number}"))
        if self._tiles:
            # Directives for some stages are directives for all.
            for stage in made[1:-1]:
                stage.compute_root()
        return made

    def _stage(self, source: Func, one: Filter, name: str) -> Func:
        """The filter over `source`; in tiles its first steps, which see the border, come first."""
        type, order = self._type, len(one.feedback)
        extent = as_expr(one.direction.dimension.extent)
        tile = self._tiles.get(one.direction.dimension.name)
        known = one.direction.dimension.extent
        if tile is not None and isinstance(known, int) and known < order + tile:
            tile = None  # there is no whole tile
        few = extent if tile is None else least(as_expr(order), extent)
        stage = Func(name)
        stage[tuple(self._coordinates())] = undef(type)
        begin = RDom([(0, few)], f"{name}_begin")
        rest = RDom([(order, greatest(extent - order, 0))], f"{name}_rest")
        number = [cast(type, as_expr(value)) for value in (one.gain, *one.feedback)]
        if not self._is_float:
            number = [cast(type, as_expr(int(value))) for value in (one.gain, *one.feedback)]
        here = self._point(one, begin.x)
        before: Any = cast(type, as_expr(0))
        if self._is_clamped:
            steady = one.gain / (1 - sum(one.feedback))
            edge = source[tuple(self._point(one, as_expr(0)))]
            before = cast(type, as_expr(steady)) * edge
        value = number[0] * source[tuple(here)]
        for lag in range(1, order + 1):
            there = self._point(one, greatest(begin.x - lag, 0))
            own = stage[tuple(there)]
            value = value + number[lag] * select(begin.x >= lag, own, before)
        stage[tuple(here)] = value
        if tile is None:
            return stage
        here = self._point(one, rest.x)
        value = number[0] * source[tuple(here)]
        for lag in range(1, order + 1):
            value = value + number[lag] * stage[tuple(self._point(one, rest.x - lag))]
        stage[tuple(here)] = value
        stage.update(1).tile_scan(rest.x, tile)
        stage.update(0).unscheduled()
        return stage

    def _point(self, one: Filter, step: Any) -> list[Any]:
        dimension = one.direction.dimension
        place = step if one.direction.is_causal else as_expr(dimension.extent) - 1 - step
        return [place if d == dimension else Var(d.name) for d in self.dimensions]

    def _coordinates(self) -> list[Var]:
        return [Var(d.name) for d in self.dimensions]

    def _at(self, point: list[Any]) -> Expr:
        return as_expr(self.as_func()[tuple(point)])

    @property
    def _type(self) -> Any:
        if self._input is None:
            fail(f"RecFilter {self.name} has no input.")
        return self._input.type()

    @property
    def _is_float(self) -> bool:
        return bool(self._type.is_float())

    def _check_open(self) -> None:
        if self._func is not None:
            fail(f"RecFilter {self.name} was made a Func already.")

    def _check_commute(self, a: Filter, b: Filter) -> None:
        if a.direction.dimension != b.direction.dimension:
            return
        if a.direction == b.direction and not self._is_clamped:
            return
        why = "their directions differ" if a.direction != b.direction else "the border is clamped"
        fail(
            f"RecFilter {self.name}: filters along {a.direction} and {b.direction} can't change "
            f"places: {why}, so that the image's border would be another."
        )

    def _groups(self, key: Any) -> Iterable[list[int]]:
        made: dict[Any, list[int]] = {}
        for number, one in enumerate(self.filters):
            made.setdefault(key(one), []).append(number)
        return made.values()


def gaussian_weights(sigma: float, order: int = 3) -> list[float]:
    """[b, a_1, ...] of a filter that, there and back, is a Gaussian of `sigma` (Van Vliet's poles).

    Orders 1 to 3: the real pole, the pair, or all.
    """
    if not sigma > 0 or not math.isfinite(sigma):
        fail(f"gaussian_weights: sigma is {sigma}, which is no number above 0.")
    real, pair = [1.86543 + 0j], [1.41650 + 1.00829j, 1.41650 - 1.00829j]
    chosen = {1: real, 2: pair, 3: [*pair, *real]}.get(order)
    if chosen is None:
        fail(f"gaussian_weights: there are orders 1 to 3, not {order}.")
    q = 0.00399341 + 0.4715161 * sigma
    product = np.real(np.poly([1 / d ** (1 / q) for d in chosen]))
    return [float(product.sum()), *(float(-a) for a in product[1:])]


def integral_image_coeff(order: int) -> list[float]:
    """[1, a_1, ...] of sums of sums, `order` times: 1 / (1 - z)^order."""
    if order < 1:
        fail(f"integral_image_coeff: order {order}")
    product = np.poly(np.ones(order))
    return [1.0, *(float(round(-a)) for a in product[1:])]


def bspline_weights(degree: int) -> list[list[float]]:
    """A filter for each pole of the prefilter of cubic (3) or quintic (5) B-splines, to be applied
    there and back."""
    poles = {3: [math.sqrt(3) - 2]}
    a, b = math.sqrt(67.5 - math.sqrt(4436.25)), math.sqrt(67.5 + math.sqrt(4436.25))
    poles[5] = [a + math.sqrt(26.25) - 6.5, b - math.sqrt(26.25) - 6.5]
    if degree not in poles:
        fail(f"bspline_weights: there are degrees 3 and 5, not {degree}.")
    return [[1 - pole, pole] for pole in poles[degree]]


__all__ = [
    "Direction",
    "Filter",
    "RecFilter",
    "RecFilterDim",
    "bspline_weights",
    "gaussian_weights",
    "integral_image_coeff",
]
