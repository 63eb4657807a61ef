"""Arguments of a kernel for an image of a given size: numbers, and buffers with wide margins.

A scalar with a stated range gets the range's ends and what lies between; what others mean is
guessed from their names, as in the verifier's cases. Strides are drawn until the kernel's
preconditions hold. All memory that a call may touch lies inside of the buffers, so functions are
compared on whole buffers, margins included.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from compiler.ir import (  # fmt: skip
    GE,
    GT,
    I64,
    LE,
    LT,
    And,
    Cast,
    Const,
    Expr,
    Type,
    Variable,
    dtype_of,
    evaluate,
)
from lifter.model.kernel import Kernel, Param
from lifter.verify.cases import _scalar
from tests.end_to_end.calls import Passed, call_c
from tests.end_to_end.original import _ctype

Pattern = Literal["random", "least", "most", "extremes"]
PATTERNS: tuple[Pattern, ...] = ("random", "least", "most", "extremes")

TABLE = 4096
"""The largest table or histogram of the corpus; every buffer has room for it."""
REACH = 4
"""Rows and columns that a neighbourhood may reach outside of the image."""
WORDS = {"argb_fill_rect": 4, "FxMultiply15": 2, "FxNormal15Mask8": 2, "FxFade565": 2}
"""Bytes of the words that rows of bytes are seen as: C++ wants their pitch to be a multiple."""
UNSTATED = {f"fade_plane_{type}": {"t": (0.0, 1.0)} for type in ("uint8", "uint16")}
"""Ranges outside of which the original is undefined, without saying so: its callers do."""
_DRAWS = 300
_STRIDES = ((1, 0), (1, 3), (4, 0), (4, 5), (3, 1), (2, 7), (3, 0))


class NoArguments(Exception):
    """No draw satisfied the kernel's preconditions at this size."""


@dataclass
class Arguments:
    """One call: each `call` is on fresh buffers with the same contents."""

    kernel: Kernel
    scalars: dict[str, int | float]
    contents: dict[str, np.ndarray[Any, Any]]
    origins: dict[str, int]
    """The element that the pointer points to, by array."""
    row_stride: int
    text: str = field(default="")

    def call(self, function: Any) -> dict[str, np.ndarray[Any, Any]]:
        """Calls a C function on fresh copies and gives back what it left in them."""
        buffers = {name: values.copy() for name, values in self.contents.items()}
        call_c(function, self.passed(), buffers)
        return buffers

    def passed(self) -> list[Passed]:
        """The arguments in order, as `call_c` takes them."""
        found: list[Passed] = []
        for param in self.kernel.params:
            if param.kind == "scalar":
                found.append((_ctype(param.type).__name__, self.scalars[param.name]))
                continue
            origin, values = self.origins[param.name], self.contents[param.name]
            if param.kind == "rows":
                count = (values.size - origin) // max(self.row_stride, 1)
                found.append((param.name, origin, self.row_stride, max(count, 1)))
            else:
                found.append((param.name, origin))
            if param.kind == "vector":
                found.append(("c_int64", int(self.scalars[f"{param.name}.size"])))
        return found


def stated_ranges(kernel: Kernel) -> dict[str, tuple[int | float, int | float]]:
    """The least and the greatest value of each scalar that the source bounds on both sides."""
    low: dict[str, int | float] = {
        p.name: p.type.min for p in kernel.params if p.kind == "scalar" and p.type.is_uint
    }
    high: dict[str, int | float] = {}
    todo = [a.condition for a in kernel.preconditions]
    while todo:
        condition = todo.pop()
        if isinstance(condition, And):
            todo += [condition.a, condition.b]
        elif isinstance(condition, (LE, LT, GE, GT)):
            a, b = _plain(condition.a), _plain(condition.b)
            below, above = (a, b) if isinstance(condition, (LE, LT)) else (b, a)
            step = int(isinstance(condition, (LT, GT)) and not below.type.is_float)
            if isinstance(below, Const) and isinstance(above, Variable):
                least = low.get(above.name, below.value)
                low[above.name] = max(least, below.value + step)
            elif isinstance(below, Variable) and isinstance(above, Const):
                most = high.get(below.name, above.value)
                high[below.name] = min(most, above.value - step)
    return {name: (low[name], high[name]) for name in low if name in high}


def _plain(expr: Expr) -> Expr:
    while isinstance(expr, Cast):
        expr = expr.value
    return expr


def _in_range(
    param: Param, ends: tuple[int | float, int | float], turn: int, source: random.Random
) -> int | float:
    """Both ends, and values between them, in turn."""
    low, high = ends
    if turn % 4 in (1, 2):
        return low if turn % 4 == 1 else high
    if param.type.is_float:
        return source.uniform(low, high)
    return source.randint(int(low), int(high))


def possible_arguments(
    kernel: Kernel, sizes: Iterable[tuple[int, int, Pattern]], preconditions: Sequence[Expr] = ()
) -> Iterator[Arguments]:
    """For each (width, height, pattern) the arguments, but where the preconditions forbid it."""
    for width, height, pattern in sizes:
        try:
            made = arguments(kernel, width, height, pattern, preconditions)
        except NoArguments:
            continue
        yield made


def arguments(
    kernel: Kernel, width: int, height: int, pattern: Pattern, preconditions: Sequence[Expr] = ()
) -> Arguments:
    """Raises `NoArguments` when the preconditions forbid this size."""
    source = random.Random(f"{kernel.name}/{width}/{height}/{pattern}")
    conditions = (*(a.condition for a in kernel.preconditions), *preconditions)
    ranges = {**UNSTATED.get(kernel.name, {}), **stated_ranges(kernel)}
    word = WORDS.get(kernel.name, 1)
    turn = width + height + PATTERNS.index(pattern)
    for attempt in range(_DRAWS):
        factor, extra = _STRIDES[attempt % len(_STRIDES)]
        if source.random() < 0.3:
            factor, extra = source.choice(_STRIDES)
        stride = -(-(factor * width + extra) // word) * word
        scalars: dict[str, int | float] = {}
        for param in kernel.params:
            if param.kind == "scalar" and param.name in ranges:
                ends = ranges[param.name]
                scalars[param.name] = _in_range(param, ends, turn + attempt, source)
            elif param.kind == "scalar":
                scalars[param.name] = _scalar(param, source, width, height, stride)
            elif param.kind == "vector":
                scalars[f"{param.name}.size"] = I64.wrap(width)
        if all(bool(evaluate(c, dict(scalars))) for c in conditions):
            return _filled(kernel, scalars, width, height, max(stride, 4 * width), pattern, source)
    raise NoArguments(f"{kernel.name} at {width} x {height}")


def _filled(
    kernel: Kernel,
    scalars: dict[str, int | float],
    width: int,
    height: int,
    stride: int,
    pattern: Pattern,
    source: random.Random,
) -> Arguments:
    generator = np.random.default_rng(source.getrandbits(64))
    margin = REACH * (stride + REACH)
    count = 2 * margin + (2 * height + 2) * stride + TABLE
    contents, origins = {}, {}
    for param in kernel.params:
        if param.kind == "scalar":
            continue
        contents[param.name] = _values(param.type, pattern, count, generator)
        origins[param.name] = margin
    text = f"{kernel.name} {width} x {height}, {pattern}: {scalars}"
    return Arguments(kernel, scalars, contents, origins, width + 5, text)


def _values(
    type: Type, pattern: Pattern, count: int, generator: np.random.Generator
) -> np.ndarray[Any, Any]:
    spread: np.ndarray[Any, Any]
    if type.is_float:
        extremes = [0.0, -0.0, 1.0, -1.0, 0.5, 1e30, -1e30, 1e-40, np.inf, -np.inf, np.nan]
        least, most = -1e30, 1e30
        spread = generator.uniform(-0.25, 1.25, count)
    else:
        # Wide signed integers hold counts and sums: near their ends the original would overflow.
        # Unsigned ones are packed pixels, or wrap.
        packed = type.is_uint and type.bits <= 32
        least = max(type.min, -(1 << 16))
        most = type.max if packed else min(type.max, 1 << 16)
        extremes = [least, most, most // 2, most // 2 + 1, 1, most - 1, 0]
        spread = generator.integers(least, most, count, endpoint=True)
    match pattern:
        case "random":
            chosen = spread
        case "least":
            chosen = np.full(count, least)
        case "most":
            chosen = np.full(count, most)
        case "extremes":
            chosen = np.array(extremes)[generator.integers(0, len(extremes), count)]
    return chosen.astype(dtype_of(type))


def differences(
    expected: dict[str, np.ndarray[Any, Any]], found: dict[str, np.ndarray[Any, Any]]
) -> Iterator[str]:
    """Each array in which two calls left different bits (any NaN equals any NaN)."""
    for name, ours in found.items():
        theirs = expected[name]
        bits = f"u{ours.itemsize}"
        wrong = theirs.view(bits) != ours.view(bits)
        if ours.dtype.kind == "f":
            wrong &= ~(np.isnan(theirs) & np.isnan(ours))
        places = np.flatnonzero(wrong)
        if places.size:
            at = places[0]
            yield (
                f"{name}: {places.size} elements differ, the first at {at}: "
                f"the original leaves {theirs[at]!r}, not {ours[at]!r}"
            )
