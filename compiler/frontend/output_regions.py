"""The regions that a pipeline really writes: rounded-up loops may need more than was asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..ir import evaluate
from ..ir.stmts import LoweredFunction
from ..lang.buffer import Buffer

Region = list[tuple[int, int]]
"""(min, extent) by dimension."""


def _known(fn: LoweredFunction, values: Sequence[Any]) -> dict[str, Any]:
    """The scalars and the buffers' fields of a call with `values`, the arguments in order."""
    known: dict[str, Any] = {}
    for argument, value in zip(fn.args, values, strict=True):
        if not argument.is_buffer:
            known[argument.name] = value
            continue
        for d in range(value.dimensions()):
            dim = value.dim(d)
            for field in ("min", "extent", "stride"):
                known[f"{argument.name}.{field}.{d}"] = getattr(dim, field)()
    return known


def required_regions(fn: LoweredFunction, values: Sequence[Any]) -> Mapping[str, Region]:
    """What a call of `fn` with `values` touches of each of its buffers, by the buffer's parameter
    name."""
    known = _known(fn, values)
    for name, expr in fn.required.lets:
        known[name] = int(evaluate(expr, known))
    made: dict[str, Region] = {}
    for name, box in fn.required.boxes:
        ends = [(int(evaluate(a, known)), int(evaluate(b, known))) for a, b in box]
        made[name] = [(low, high - low + 1) for low, high in ends]
    return made


def fixed_fields(fn: LoweredFunction, values: Sequence[Any]) -> Mapping[str, int]:
    """The mins, extents and strides that the program promises of a call's buffers, by the names of
    the fields."""
    known = _known(fn, values)
    return {name: int(evaluate(expr, known)) for name, expr in fn.required.promised}


def grown(
    fn: LoweredFunction, values: Sequence[Any], buffers: Sequence[Buffer]
) -> tuple[list[Buffer], list[Buffer]]:
    """Output buffers large enough for `fn` in the place of `buffers`, and views of the latter's
    regions in them."""
    whole: list[Buffer] = []
    asked: list[Buffer] = []
    regions = required_regions(fn, [*values, *buffers])
    outputs = [a.name for a in fn.args if a.is_output]
    for name, buffer in zip(outputs, buffers, strict=True):
        own = [(buffer.dim(d).min(), buffer.dim(d).extent()) for d in range(buffer.dimensions())]
        needed = [
            (min(low, first), max(low + size, first + extent) - min(low, first))
            for (low, size), (first, extent) in zip(own, regions.get(name, own), strict=True)
        ]
        if needed == own or any(extent == 0 for _, extent in own):
            whole.append(buffer)
            asked.append(buffer)
            continue
        large = Buffer(buffer.type(), [extent for _, extent in needed])
        large.set_min([low for low, _ in needed])
        whole.append(large)
        asked.append(large.cropped(own))
    return whole, asked
