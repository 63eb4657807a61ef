"""Ways to see the flat array that a stage writes as an image: strides, and a point for each
iteration.

The strides are the factors of the loop counters in the stores' addresses; constants that are added
to them are other pixels of an iteration, or other channels of a pixel.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import gcd

from compiler.ir import I64, Add, Const, Expr, Sub, Variable, const

from ..dag import from_polynomial, normal
from ..model.parameters import row_stride_of
from ..model.stage import Stage
from .linear import (
    LinearForm,
    StrideKey,
    atoms,
    by_size,
    divide,
    key_expr,
    lies_before,
    linear_form,
    pitch_of,
)

MOST_CHANNELS = 8
"""More than a pixel has in practice."""


@dataclass(frozen=True)
class Axis:
    """One coordinate before it has bounds: its stride, and its value in each write's iterations."""

    stride: Expr
    coordinates: tuple[Expr, ...]
    row: bool = False
    named: bool = False
    """Whether parameters say which coordinate a store has: any up to the next axis' stride."""


@dataclass(frozen=True)
class AddressView:
    """A way to see addresses as coordinates: the axes, innermost first, and the origin's place."""

    axes: tuple[Axis, ...]
    offset: Expr
    is_finer: bool = False
    """Whether a pixel is a part of what an iteration moves on by: an iteration makes several
    pixels."""


def views(stage: Stage) -> Iterator[AddressView]:
    """Ways to see the written addresses as coordinates: merged channels first, then apart, smaller
    pixels last; then all again with a sum as the distance between rows."""
    counters = {loop.counter for w in stage.writes for loop in w.loops}
    places = [w.indices[-1] for w in stage.writes]
    row_axes: tuple[Axis, ...] = ()
    if len(stage.writes[0].indices) == 2:
        name = row_stride_of(stage.output)
        row_axes = (Axis(name, tuple(w.indices[0] for w in stage.writes), row=True),)
    for view in _views_of(stage, places, counters):
        yield replace(view, axes=(*view.axes, *row_axes))
        columns = _last_columns(view.axes)
        if columns is not None:
            yield replace(view, axes=(*columns, *row_axes))
        if not row_axes and _reads_beside(stage, view.axes):
            one = Axis(const(1, I64), tuple(const(0, I64) for _ in stage.writes))
            yield replace(view, axes=(one, *view.axes))
    pitch = pitch_of(places, counters, atoms(loop.extent for w in stage.writes for loop in w.loops))
    if pitch is None:
        return
    for view in _views_of(stage, [pitch.named(p) for p in places], counters):
        spelled = (
            Axis(pitch.spelled(a.stride), tuple(map(pitch.spelled, a.coordinates)))
            for a in view.axes
        )
        yield AddressView((*spelled, *row_axes), pitch.spelled(view.offset), view.is_finer)


def _reads_beside(stage: Stage, axes: Sequence[Axis]) -> bool:
    """Whether elements of a single column are made of others beside it in the same array."""
    own = any(read.array == stage.output for read in stage.reads)
    return own and len(axes) == 1 and isinstance(axes[0].stride, Variable)


def _last_columns(axes: Sequence[Axis]) -> list[Axis] | None:
    """The same addresses with `(-1, y + 1)` seen as `(width - 1, y)`; None where there are none."""
    if len(axes) < 2 or not isinstance(axes[1].stride, Variable):
        return None
    column, row = axes[0], axes[1]
    pairs = [
        (normal(Add(x, row.stride)), normal(Sub(y, const(1, I64)))) if lies_before(x) else (x, y)
        for x, y in zip(column.coordinates, row.coordinates, strict=True)
    ]
    if column.stride is not const(1, I64):
        return None
    first, second = (tuple(side) for side in zip(*pairs, strict=True))
    if first == column.coordinates:
        return None
    return [Axis(column.stride, first), Axis(row.stride, second), *axes[2:]]


def _views_of(
    stage: Stage, places: Sequence[Expr], counters: set[Variable]
) -> Iterator[AddressView]:
    forms = [linear_form(place, counters) for place in places]
    known = [
        f
        for f in forms
        if f is not None and all(v in counters for r in f.terms.values() for v in r)
    ]
    if len(known) < len(forms):
        return
    sizes = _pixel_sizes(stage, known)
    for size in (0, *sizes):
        view = _view(stage, known, size)
        if view is not None:
            yield replace(view, is_finer=size in sizes[1:])


def _pixel_sizes(stage: Stage, forms: list[LinearForm]) -> list[int]:
    """How many elements of an interleaved pixel there may be: what an iteration moves on by, then,
    for iterations that make several pixels, its divisors."""
    own = _channel_counters(stage, forms)
    steps = [c for f in forms for k, c in f.terms.get((), {}).items() if k not in own]
    largest = gcd(*steps)
    finer = (n for n in range(min(largest - 1, MOST_CHANNELS), 1, -1) if largest % n == 0)
    return [largest, *(n for n in finer if _are_alike(stage, forms, n))] if largest > 1 else []


def _are_alike(stage: Stage, forms: list[LinearForm], size: int) -> bool:
    """Whether pixels of `size` elements have the same channels written, in whatever loops."""
    extents: dict[Expr, Expr] = {
        loop.counter: loop.extent for w in stage.writes for loop in w.loops
    }
    own = _channel_counters(stage, forms)
    pixels: dict[Hashable, set[Hashable]] = {}
    for form in forms:
        inner, outer = set[Hashable](), set[Hashable]()
        for key, row in form.terms.items():
            for counter, step in row.items():
                within = key == () and counter in own
                (inner if within else outer).add((key, step, extents[counter]))
        constant = form.offsets.get((), 0)
        outer |= {(k, v) for k, v in form.offsets.items() if k}
        channel = constant % size, frozenset(inner)
        pixels.setdefault(channel, set()).add((constant // size, frozenset(outer)))
    first, *others = pixels.values()
    return all(other == first for other in others)


def _channel_counters(stage: Stage, forms: Sequence[LinearForm]) -> set[Variable]:
    """The counters of loops over a few channels; those that move on by the most are none, where
    all loops are that short (a block of eight by eight)."""
    few = {
        loop.counter
        for w in stage.writes
        for loop in w.loops
        if isinstance(loop.extent, Const) and loop.extent.value <= MOST_CHANNELS
    }
    for form in forms:
        steps = form.terms.get((), {})
        most = max(steps.values(), default=1)
        if most > 1 and steps.keys() <= few:
            few -= {counter for counter, step in steps.items() if step == most}
    return few


def _view(stage: Stage, forms: list[LinearForm], pixel: int) -> AddressView | None:
    """The view with pixels of so many elements; with 0, a pixel's channels aren't told apart."""
    keys = _innermost_first(stage, forms)
    axes: list[Axis] = []
    rest = [dict(f.offsets) for f in forms]
    for key in reversed(keys):
        terms = [f.terms.get(key, {}) for f in forms]
        moving: set[Expr] = {counter for row in terms for counter in row}
        extents: set[Expr] = set()
        extents |= atoms(
            loop.extent for w in stage.writes for loop in w.loops if loop.counter in moving
        )
        taken = [_take_offsets(r, key, extents) for r in rest]
        steps = [c for row in terms for c in row.values()]
        constants = [t.get((), 0) for t in taken]
        pitch = gcd(*steps, *(c - constants[0] for c in constants))
        if pixel and key == ():
            pair = _channel_axes(_channel_counters(stage, forms), terms, taken, pixel)
            if pair is None:
                return None
            axes.extend(reversed(pair))
            continue
        if not pixel:
            if not pitch:
                return None
            if any(c % pitch for c in constants) or any(
                v % pitch for t in taken for k, v in t.items() if k
            ):
                left = constants[0] % pitch
                for r, t in zip(rest, taken, strict=True):
                    t[()] = t.get((), 0) - left
                    r[key] = r.get(key, 0) + left
        axes.append(_axis(key, pitch, terms, taken))
    channels = _constant_channels(rest) if () not in keys and not pixel else None
    if channels is not None:
        axes.append(channels)
    rows = _constant_rows(rest) if keys == [()] else None
    rows = rows or _ends(rest)
    if rows is not None:
        axes.insert(0, rows)
    if () not in keys and not pixel and channels is None and rows is None:
        named = _named_channels(rest, axes)
        if named is not None:
            # Lifted code goes along a row of pixels for each channel, which isn't known before.
            axes.insert(len(axes) - 1, named)
    offsets = {tuple(sorted(((k, v) for k, v in r.items() if v), key=repr)) for r in rest}
    if len(offsets) != 1:
        return None
    axes.reverse()
    if pixel and not any(isinstance(a.stride, Const) and a.stride.value > 1 for a in axes):
        return None
    return AddressView(tuple(axes), from_polynomial({k: v for k, v in rest[0].items() if v}))


def _innermost_first(stage: Stage, forms: list[LinearForm]) -> list[StrideKey]:
    places: dict[str, list[Expr]] = {}
    for read in stage.reads:
        if read.array != stage.output:
            places.setdefault(read.array, []).append(read.indices[-1])
    loops = [loop for write in stage.writes for loop in write.loops]
    loops += [loop for read in stage.reads for loop in read.loops]
    others = (
        [linear_form(place, {loop.counter for loop in loops}) for place in found]
        for found in places.values()
    )
    inside: dict[Expr, int] = {
        loop.counter: depth for w in stage.writes for depth, loop in enumerate(w.loops)
    }
    extents: dict[Expr, Expr] = {loop.counter: loop.extent for loop in loops}

    def ordered(forms: list[LinearForm], lesser: Collection[StrideKey] = ()) -> list[StrideKey]:
        keys = {k for f in forms for k in f.terms}
        return by_size(keys, forms, lambda counter: -inside.get(counter, 0), extents, lesser)

    lesser = {
        key
        for found in others
        for key in ordered([form for form in found if form is not None])[:-1]
    }
    return ordered(forms, lesser - {()})


def _constant_channels(rest: list[dict[StrideKey, int]]) -> Axis | None:
    """The channels of pixels whose distance is a parameter, where each store has its own; what
    they are apart is taken from the offsets `rest`."""
    constants = [r.get((), 0) for r in rest]
    least = min(constants)
    if not 0 < max(constants) - least < MOST_CHANNELS:
        return None
    for offset in rest:
        offset[()] = least
    return Axis(const(1, I64), tuple(const(c - least, I64) for c in constants))


def _named_channels(rest: list[dict[StrideKey, int]], axes: Sequence[Axis]) -> Axis | None:
    """The channels of pixels whose distance is a parameter, where parameters say which channel a
    store has: `p[red] = r; p[green] = g; p += size`."""
    keys = {k for r in rest for k in r if len({other.get(k, 0) for other in rest}) > 1}
    names = {k for k in keys if k}
    if not axes or not isinstance(axes[-1].stride, Variable) or len(rest) > MOST_CHANNELS:
        return None
    if not names or any(len(k) > 1 or not isinstance(k[0], Variable) for k in names):
        return None
    own = [from_polynomial({k: r[k] for k in keys if r.get(k)}) for r in rest]
    if len(set(own)) < len(own):
        return None
    for offset in rest:
        for key in keys:
            offset.pop(key, None)
    return Axis(const(1, I64), tuple(own), named=True)


def _constant_rows(rest: list[dict[StrideKey, int]]) -> Axis | None:
    """The rows that stores name one by one (`p[0]`, `p[stride]`), whose numbers are taken from the
    offsets `rest`."""
    keys = {k for r in rest for k in r if k and len({other.get(k, 0) for other in rest}) > 1}
    if len(keys) != 1:
        return None
    (key,) = keys
    numbers = [r.get(key, 0) for r in rest]
    least = min(numbers)
    for offset in rest:
        offset[key] = least
    return Axis(key_expr(key, 1), tuple(const(n - least, I64) for n in numbers))


def _ends(rest: list[dict[StrideKey, int]]) -> Axis | None:
    """The first and the last row, or column, that stores name: `(h - 1) * stride` apart, which is
    taken from the offsets `rest`."""
    apart = [_less(r, rest[0]) for r in rest]
    ends = [a for a in apart if a]
    if not ends or len(ends[0]) < 2 or any(a != ends[0] for a in ends):
        return None
    stride, first = ends[0], 0
    if stride[max(stride, key=lambda key: (len(key), repr(key)))] < 0:
        stride, first = {key: -number for key, number in stride.items()}, 1
    origin = dict(next(r for r, a in zip(rest, apart, strict=True) if bool(a) == bool(first)))
    numbers = [int(bool(a) != bool(first)) for a in apart]
    for offset in rest:
        offset.clear()
        offset.update(origin)
    return Axis(from_polynomial(stride), tuple(const(n, I64) for n in numbers))


def _less(a: dict[StrideKey, int], b: dict[StrideKey, int]) -> dict[StrideKey, int]:
    found = {key: a.get(key, 0) - b.get(key, 0) for key in {*a, *b}}
    return {key: number for key, number in found.items() if number}


def _take_offsets(
    rest: dict[StrideKey, int], key: StrideKey, extents: set[Expr]
) -> dict[StrideKey, int]:
    """The part of an address' constant offset that belongs to the coordinate of stride `key`."""
    taken: dict[StrideKey, int] = {}
    for monomial in list(rest):
        quotient = divide(monomial, key)
        if quotient is not None and atoms(quotient) <= extents:
            taken[quotient] = rest.pop(monomial)
    return taken


def _axis(
    key: StrideKey, pitch: int, terms: list[dict[Expr, int]], taken: list[dict[StrideKey, int]]
) -> Axis:
    coordinates = []
    for row, offset in zip(terms, taken, strict=True):
        total: dict[StrideKey, int] = {(counter,): c // pitch for counter, c in row.items()}
        total.update({k: v // pitch for k, v in offset.items() if v // pitch})
        coordinates.append(from_polynomial(total))
    return Axis(key_expr(key, pitch), tuple(coordinates))


def _channel_axes(
    channel_counters: set[Variable],
    terms: list[dict[Expr, int]],
    taken: list[dict[StrideKey, int]],
    pitch: int,
) -> tuple[Axis, Axis] | None:
    """Interleaved pixels: the channel (stride 1) and the pixel (stride = channels per pixel)."""
    channel, pixel = [], []
    for row, offset in zip(terms, taken, strict=True):
        if any(k and v % pitch for k, v in offset.items()):
            return None
        constant = offset.get((), 0)
        inner: dict[StrideKey, int] = {(k,): c for k, c in row.items() if k in channel_counters}
        inner[()] = constant % pitch
        outer: dict[StrideKey, int] = {
            (k,): c // pitch for k, c in row.items() if k not in channel_counters
        }
        outer.update({k: v // pitch for k, v in offset.items() if k})
        outer[()] = constant // pitch
        channel.append(from_polynomial({k: v for k, v in inner.items() if v}))
        pixel.append(from_polynomial({k: v for k, v in outer.items() if v}))
    return Axis(const(1, I64), tuple(channel)), Axis(const(pitch, I64), tuple(pixel))
