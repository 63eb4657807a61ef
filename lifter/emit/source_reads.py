"""Arrays that the original reads although its summary doesn't: where, for the guarded entry.

A value may cancel out (`b[x] - b[x]`), and then no terminal says where it was read. The proof still
needs `b` apart from what is written, so the guard must know which elements the reads may touch.
"""

from __future__ import annotations

from collections.abc import Mapping

from compiler.ir import (
    I64,
    Add,
    Call,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Sub,
    postorder,
    substitute,
)  # fmt: skip

from ..dag import normal
from ..model.kernel import Kernel
from ..model.parameters import row_stride_of
from ..model.stage import Read, StageGraph
from ..model.summary import Layout
from .accesses import Bounds, Box, index_bounds

_ZERO, _ONE = Const(I64, 0), Const(I64, 1)
_FAR = 1 << 40
"""No array has an element beyond; keeps the guard's arithmetic inside of 64 bits."""


def source_reads(
    kernel: Kernel, graph: StageGraph, known: Mapping[str, Layout]
) -> dict[str, tuple[Layout, list[Box]]]:
    """For each array of the caller's that stages read and `known` lacks: a layout, and boxes that
    hold all reads, conditional ones included."""
    found: dict[str, tuple[Layout, list[Box]]] = {}
    for param in kernel.params:
        reads = [r for s in graph.order for r in s.reads if r.array == param.name]
        if reads and param.kind != "scalar" and param.name not in known:
            found[param.name] = _placed(param.name, reads, rows=param.kind == "rows")
    return found


def _placed(array: str, reads: list[Read], *, rows: bool) -> tuple[Layout, list[Box]]:
    if rows:
        strides: tuple[Expr, ...] = (_ONE, row_stride_of(array))
        # Indices of a table have the row first, boxes have it last.
        boxes = [tuple(_bounds(i, r) for i in reversed(r.indices)) for r in reads]
        return Layout(array, strides, _ZERO, rows=True), list(dict.fromkeys(boxes))
    split = [_linear(r) for r in reads]
    steps = {s[0] if s is not None else None for s in split}
    if None in steps or len(steps) > 1:
        flat: list[Box] = [(_bounds(r.indices[0], r),) for r in reads]
        return Layout(array, (_ONE,), _ZERO), list(dict.fromkeys(flat))
    linear = [((s[1], s[1]), *s[2]) for s in split if s is not None]
    (first, *_) = (s[0] for s in split if s is not None)
    return Layout(array, (_ONE, *first), _ZERO), list(dict.fromkeys(linear))


def _linear(read: Read) -> tuple[tuple[Expr, ...], Expr, Box] | None:
    """The index as the coefficients of the counters and a rest, all over parameters alone, and the
    ranges of the counters; None where it isn't such a sum."""
    (index,) = read.indices
    counters = [loop.counter for loop in read.loops]
    zeros: dict[Expr, Expr] = dict.fromkeys(counters, _ZERO)
    rest = normal(substitute(index, zeros))
    coefficients: list[Expr] = []
    again = rest
    for counter in counters:
        at_one: dict[Expr, Expr] = {c: _ONE if c is counter else _ZERO for c in counters}
        coefficients.append(normal(Sub(substitute(index, at_one), rest)))
        again = Add(again, Mul(coefficients[-1], counter))
    extents = [loop.extent for loop in read.loops]
    plain = not any(
        isinstance(n, (Load, Call)) or n in counters
        for n in postorder(rest, *coefficients, *extents)
    )
    if not plain or normal(Sub(index, again)) != _ZERO:
        return None
    box = tuple((_ZERO, _last(extent)) for extent in extents)
    return tuple(coefficients), rest, box


def _bounds(index: Expr, read: Read) -> Bounds:
    """Bounds of an index by its parts and their types."""
    known: dict[Expr, Bounds] = {}
    for loop in read.loops:  # an extent may name counters further out
        low, high = index_bounds(_last(loop.extent), known)
        known[loop.counter] = _ZERO, high
    low, high = index_bounds(index, known)
    return Max(low, Const(I64, -_FAR)), Min(high, Const(I64, _FAR))


def _last(extent: Expr) -> Expr:
    return normal(Sub(extent, _ONE))
