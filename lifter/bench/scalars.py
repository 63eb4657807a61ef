"""Values for a function's scalar parameters, so that it works on an image of a wanted size."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator

from compiler.ir import (
    I64,
    Add,
    Comparison,
    Const,
    Expr,
    Mod,
    Sub,
    TruncMod,
    Variable,
    postorder,
)

from ..dag.concrete import Number, integer, number
from ..emit.interface import Box, Interface, Parameter

_GUESSES: tuple[tuple[str, tuple[Number, ...]], ...] = (
    (r"opacity|alpha|amount|level|thresh|weight|strength", (100, 200, 64, 0, 255)),
    (r"bright|contrast|gain|value", (40, 64, 100, 0)),
    (r"radius|^r$|border|margin", (2, 1, 3, 0)),
    (r"mode|op$|kind|type|format|channel", (1, 0, 2, 3, 4, 5)),
)
_ATTEMPTS = 400
_LARGEST_STEP = 4096


class NoArguments(Exception):
    """No values were found with which the preconditions hold."""


def choose_scalars(
    interface: Interface, width: int, height: int, *, padding: int = 0, seed: int | None = None
) -> dict[str, Number]:
    """Values with which the outputs are `width` x `height` and all preconditions hold.

    The sizes are solved from the outputs' regions (from the inputs', where those are fixed, as a
    histogram's is), strides from what a row takes plus `padding`. The rest is guessed by name, so
    that there is work to do, or drawn when there is a `seed`. A function with a single varying
    dimension gets all pixels in it. Raises `NoArguments`.
    """
    source = random.Random(seed or 0)
    idle = None
    step = _step(interface)
    seen: set[tuple[tuple[str, Number], ...]] = set()
    for attempt in range(_ATTEMPTS):
        number_ = attempt // (1 + (step > 1)) + (seed is not None)
        # Every other time the next size that is a multiple of what sizes are multiples of.
        w, h = (-(-n // step) * step if attempt % 2 else n for n in (width, height))
        values = _attempt(interface, w, h, padding, source, number_)
        if values is None:
            continue
        told = tuple(sorted(values.items()))
        if told in seen:
            continue
        seen.add(told)
        if _admitted(interface, values):
            if seed is not None or _writes(interface, values):
                return values
            idle = values
    if idle is not None:
        return idle
    raise NoArguments(f"{interface.name}: no arguments of {width} x {height} pixels were found")


def _step(interface: Interface, name: str | None = None) -> int:
    """What all sizes may have to be a multiple of, or the scalar `name`, from the remainders in
    preconditions."""
    step = 1
    for assumption in interface.assumptions:
        for node in postorder(*([assumption.formula] if assumption.formula is not None else [])):
            if (
                isinstance(node, (Mod, TruncMod))
                and isinstance(node.b, Const)
                and (name is None or name in _names(node.a))
            ):
                step = math.lcm(step, abs(int(node.b.value)) or 1)
    return step if step <= _LARGEST_STEP else 1


def _admitted(interface: Interface, values: dict[str, Number]) -> bool:
    try:
        return all(
            number(a.formula, values) for a in interface.assumptions if a.formula is not None
        )
    except KeyError:
        return False


def _writes(interface: Interface, values: dict[str, Number]) -> bool:
    """Whether a branch around the loops is taken."""
    return any(o.condition is None or number(o.condition, values) for o in interface.outputs)


def _compared(interface: Interface, name: str) -> tuple[Number, ...]:
    """Constants that conditions compare the scalar with."""
    conditions = [o.condition for o in interface.outputs]
    conditions += [a.formula for a in interface.assumptions]
    found: dict[Number, None] = {}
    for node in postorder(*(c for c in conditions if c is not None)):
        if isinstance(node, Comparison) and isinstance(node.b, Const) and name in _names(node.a):
            found[node.b.value] = None
    return tuple(found)


def _bounds_a_size(interface: Interface, name: str) -> bool:
    """Whether a precondition compares the scalar with another one (`src.size >= dst.size`)."""
    return any(
        isinstance(node, Comparison) and name in _names(node) and len(_names(node)) > 1
        for assumption in interface.assumptions
        if assumption.formula is not None
        for node in postorder(assumption.formula)
    )


def _names(expr: Expr) -> set[str]:
    return {n.name for n in postorder(expr) if isinstance(n, Variable)}


def _attempt(
    interface: Interface,
    width: int,
    height: int,
    padding: int,
    source: random.Random,
    attempt: int,
) -> dict[str, Number] | None:
    values: dict[str, Number] = {}
    unknown = {p.name: p for p in interface.params if p.kind == "scalar"}
    vectors = [f"{p.name}.size" for p in interface.params if p.kind == "vector"]
    strides = _stride_names(interface)
    sizes = _size_names(interface)
    for name, parameter in unknown.items():
        if name not in strides and name not in sizes:
            compared = _compared(interface, name)
            if _bounds_a_size(interface, name):
                compared += (width * height,)
            values[name] = _guess(parameter, compared, source, attempt)
    for extent, target in _targets(interface, width, height):
        missing = _names(extent) - set(values)
        if len(missing) == 1:
            (name,) = missing
            solved = _solve(extent, name, values, target)
            if solved is not None:
                values[name] = solved
    for name in (*sizes, *vectors):
        values.setdefault(name, width * height if name in vectors else width)
    for _ in range(2):  # a stride may depend on another one
        for name in strides:
            needed = _stride(interface, name, values)
            if needed is not None:
                wanted = max(needed + padding, int(values.get(name, 0)))
                step = _step(interface, name)
                values[name] = -(-wanted // step) * step
    for name in unknown:
        values.setdefault(name, width)
    return values if all(_fits(p, values[p.name]) for p in unknown.values()) else None


def _fits(parameter: Parameter, value: Number) -> bool:
    return parameter.type.is_float or parameter.type.contains(int(value))


def _stride_names(interface: Interface) -> list[str]:
    names: dict[str, None] = {}
    for view in (*interface.images, *(o.view for o in interface.outputs)):
        for stride in view.strides:
            names |= dict.fromkeys(sorted(_names(stride)))
    sizes = _size_names(interface)
    return [n for n in names if n not in sizes]


def _size_names(interface: Interface) -> list[str]:
    names: dict[str, None] = {}
    for low, high in _regions(interface):
        names |= dict.fromkeys(sorted(_names(high) | _names(low)))
    return list(names)


def _regions(interface: Interface) -> Iterator[tuple[Expr, Expr]]:
    """Bounds that say how much work a call does: (lower, upper)."""
    varying = [bounds for o in interface.outputs for bounds in o.region if any(map(_names, bounds))]
    if varying:
        yield from varying
        return
    for boxes in interface.accesses.values():
        for box in boxes:
            yield from (bounds for bounds in box if any(map(_names, bounds)))


def _targets(interface: Interface, width: int, height: int) -> Iterator[tuple[Expr, int]]:
    """Extents, and what each should be."""
    boxes: list[list[Expr]]
    outputs: list[Box] = [o.region for o in interface.outputs]
    if any(_names(e) for region in outputs for bounds in region for e in bounds):
        boxes = [[Sub(high, low) for low, high in region] for region in outputs]
    else:
        one = Const(I64, 1)
        boxes = [
            [Add(Sub(high, low), one) for low, high in box]
            for array in interface.accesses.values()
            for box in array
        ]
    for extents in boxes:
        varying = [e for e in extents if _names(e)]
        if len(varying) == 1:
            yield varying[0], width * height
            continue
        yield from zip(varying, (width, height, *(1,) * len(varying)), strict=False)


def _solve(extent: Expr, name: str, values: dict[str, Number], target: int) -> int | None:
    """The value of `name` with which a linear `extent` is `target` (or the next above)."""
    at_zero = integer(extent, {**values, name: 0})
    slope = integer(extent, {**values, name: 1}) - at_zero
    if slope > 0:
        return -((at_zero - target) // slope)
    # One that grows in steps, as `n / 16 * 16` does: doubled until it is enough, then halved.
    high = 1
    while integer(extent, {**values, name: high}) < target:
        high *= 2
        if high > 64 * target + 64:
            return None
    low = high // 2
    while low + 1 < high:
        middle = (low + high) // 2
        if integer(extent, {**values, name: middle}) < target:
            low = middle
        else:
            high = middle
    return high if at_zero < target else 0


def _stride(interface: Interface, name: str, values: dict[str, Number]) -> int | None:
    """The smallest value of `name` with which no row runs into the next."""
    needed = None
    for view in (*interface.images, *(o.view for o in interface.outputs)):
        for number_, stride in enumerate(view.strides):
            if name not in _names(stride):
                continue
            try:
                width = max(
                    (_length(view.strides[:number_], box, values))
                    for box in interface.accesses[view.array]
                )
                value = _smallest(stride, name, values, width)
            except KeyError:
                continue
            needed = value if needed is None else max(needed, value)
    return needed


def _length(strides: tuple[Expr, ...], box: Box, values: dict[str, Number]) -> int:
    """Elements from the first to the last of the inner dimensions, both included."""
    length = 1
    for stride, (low, high) in zip(strides, box, strict=False):
        extent = integer(high, values) - integer(low, values)
        length += abs(integer(stride, values)) * max(extent, 0)
    return length


def _smallest(stride: Expr, name: str, values: dict[str, Number], width: int) -> int:
    for factor in (1, 2, 4, 8, 16):
        if integer(stride, {**values, name: width * factor}) >= width:
            return width * factor
    return width


def _guess(
    parameter: Parameter, compared: tuple[Number, ...], source: random.Random, attempt: int
) -> Number:
    if parameter.type.is_float:
        return (0.5, 0.25, 1.0)[attempt] if attempt < 3 else source.random()
    if parameter.type.is_bool:
        return 1 - attempt % 2
    choices: tuple[Number, ...] = (1, 2, 16, 100, 0, 3, 255)
    for pattern, known in _GUESSES:
        if re.search(pattern, parameter.name, re.IGNORECASE):
            choices = known
            break
    return (
        choices[0] if attempt == 0 else source.choice((*choices, *compared, source.randint(0, 300)))
    )
