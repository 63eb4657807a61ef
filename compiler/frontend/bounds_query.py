"""Bounds queries: what a call would touch, asked by passing shapes without elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir.stmts import LoweredFunction
from ..lang.buffer import Buffer
from ..lang.errors import fail
from .output_regions import fixed_fields, required_regions

MOST_PASSES = 16
"""What is read of one image may depend on the shape of another, and so on: as many as Halide asks
for."""


def asks_for_bounds(values: Sequence[Any]) -> bool:
    """Whether any of a call's arguments is a bounds query: then nothing is computed."""
    return any(isinstance(v, Buffer) and v.is_bounds_query for v in values)


def answer(fn: LoweredFunction, values: Sequence[Any]) -> None:
    """Gives each bounds query among `values`, the arguments of `fn` in order, the region that a
    call touches of it, or that the program promised of it.

    Raises `HalideError` where that depends on itself without end.
    """
    names = [a.name for a in fn.args]
    queries = [
        (name, value) for name, value in zip(names, values, strict=True) if asks_for_bounds([value])
    ]
    for _ in range(MOST_PASSES):
        regions, fixed = required_regions(fn, values), fixed_fields(fn, values)
        changed = False
        for name, query in queries:
            own = [(query.dim(d).min(), query.dim(d).extent()) for d in range(query.dimensions())]
            region = [
                (fixed.get(f"{name}.min.{d}", low), max(fixed.get(f"{name}.extent.{d}", extent), 0))
                for d, (low, extent) in enumerate(regions.get(name, own))
            ]
            changed = changed or region != own
            query.answer_bounds_query(region)
        if not changed:
            return
    fail(
        f"The regions that {fn.name} asks for depend on each other: they did not settle in "
        f"{MOST_PASSES} passes."
    )


def storage_order(fn: LoweredFunction, values: Sequence[Any], name: str) -> list[int]:
    """The dimensions of the image `name` from the one whose elements lie closest together, as the
    strides that are promised of it say."""
    fixed = fixed_fields(fn, values)
    count = next(a.dimensions for a in fn.args if a.name == name) or 0
    promised = {d: fixed[field] for d in range(count) if (field := f"{name}.stride.{d}") in fixed}
    first = sorted(promised, key=lambda d: promised[d])
    if all(stride == 1 for stride in promised.values()):
        return list(range(count))
    return [*first, *(d for d in range(count) if d not in promised)]


__all__ = ["MOST_PASSES", "answer", "asks_for_bounds", "storage_order"]
