"""Concrete inputs of a kernel: small, awkward, and within its preconditions.

Sizes are 0 x 0, 1 x 1, one column, odd, more than a vector; strides equal the width, exceed it,
and now and then fall below it; pixels are random, all zero, all at the maximum, or a mix of
extremes. What a scalar parameter means is guessed from its name, and a wrong guess costs nothing
but variety. Everything follows from (seed, number), so a case can be made again from its text.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Final, Literal

from compiler.ir import I64, Expr, Type, to_text

from ..model.kernel import Assume, Kernel, Param
from ..model.parameters import PAGE, address_of, given_of, size_of
from .interpret import DEFAULT_STEP_LIMIT, RunOutcome, run
from .memory import Fill, Index, Memory

Pattern = Literal["random", "zero", "max", "extremes", "ramp", "words"]
_PATTERNS: Final[tuple[Pattern, ...]] = ("random", "zero", "max", "extremes", "ramp")

_SIZES: Final = ((0, 0), (1, 1), (1, 3), (5, 4), (3, 1), (7, 3), (2, 2), (0, 3), (3, 0), (17, 2))
"""(width, height), in the order in which cases go through them."""

_LARGE_SIZES: Final = ((35, 18), (33, 2), (1, 20), (259, 2))
"""Every eighth case: wider than a vector or a tile, so that remainder loops have work."""

_HEIGHT: Final = re.compile(r"^(h|ny|height|rows?|num_?rows|lines?)$|height|rows$", re.IGNORECASE)
_WIDTH: Final = re.compile(
    r"^(w|n|nx|len|length|size|width|cols?|columns|count)$|width|cols$|count$", re.IGNORECASE
)
_STRIDE: Final = re.compile(r"stride|rowbytes|pitch|step|rb$", re.IGNORECASE)
_PLANE: Final = re.compile(r"^plane_?bytes$", re.IGNORECASE)
_LEVEL: Final = re.compile(
    r"opacity|alpha|amount|level|thresh|bright|gain|contrast|value|weight|blend", re.IGNORECASE
)
_RADIUS: Final = re.compile(r"radius|^r$|border|margin|kernel_?size", re.IGNORECASE)
_MODE: Final = re.compile(r"mode|op$|kind|type|format|channel", re.IGNORECASE)

_LARGE_NUMBER: Final = 1 << 20
"""The number of the first case of a size that was asked for."""

_ATTEMPTS: Final = 400
"""How often one case is drawn anew before the preconditions count as out of reach."""

_FEW_ATTEMPTS: Final = 20
"""The same for one of several sizes."""


@dataclass(frozen=True, slots=True)
class Case:
    """One input: scalars by name, and for each array parameter a pattern and maybe a size."""

    seed: int
    number: int
    scalars: dict[str, int | float]
    patterns: dict[str, Pattern]
    types: dict[str, Type]
    sizes: dict[str, int]
    """Element counts of the arrays whose extent the caller knows (vectors, references)."""
    cells: dict[str, dict[Index, int | float]] = field(default_factory=dict)
    """Elements that have other values than the array's pattern gives them."""

    def memories(self) -> dict[str, Memory]:
        """Fresh memories with this case's contents."""
        return {
            name: Memory(type, self.fill(name), self.sizes.get(name))
            for name, type in self.types.items()
        }

    def fill(self, name: str) -> Fill:
        """The initial contents of the array `name`."""
        start = zlib.crc32(f"{self.seed}/{self.number}/{name}".encode())
        pattern = _fill(self.types[name], self.patterns[name], start)
        changed = self.cells.get(name)
        if not changed:
            return pattern
        return lambda index: changed[index] if index in changed else pattern(index)

    def __str__(self) -> str:
        scalars = ", ".join(f"{k}={v}" for k, v in self.scalars.items())
        arrays = ", ".join(f"{k}: {v}" for k, v in self.patterns.items())
        return f"seed {self.seed}, case {self.number}: {scalars}; {arrays}"


def cases(
    kernel: Kernel, seed: int, count: int, assumptions: Sequence[Expr] = (), first: int = 0
) -> Iterator[Case]:
    """Up to `count` inputs that satisfy the kernel's preconditions and the given `assumptions`.

    The same arguments give the same cases. Gives fewer than `count` when drawing at random does
    not meet the preconditions. `first` is the first one's number.
    """
    conditions = _conditions(kernel, assumptions)
    for number in range(first, first + count):
        case = _case(kernel, conditions, seed, number)
        if case is not None:
            yield case


def large_cases(
    kernel: Kernel,
    seed: int,
    sizes: Sequence[int],
    axes: Mapping[str, int],
    assumptions: Sequence[Expr] = (),
) -> Iterator[Case]:
    """Inputs of `sizes` columns and few rows, and the other way round, as `cases` gives them.

    `axes` are the parameters that bound images, with the dimensions that they bound.
    """
    conditions = _conditions(kernel, assumptions)
    for number, (size, turned) in enumerate(product(sizes, (False, True))):
        across = (3, size) if turned else (size, 3)
        case = _case(kernel, conditions, seed, _LARGE_NUMBER + number, across, axes)
        if case is not None:
            yield case


def sized_cases(
    kernel: Kernel,
    seed: int,
    sizes: Sequence[tuple[int, int]],
    axes: Mapping[str, int],
    assumptions: Sequence[Expr] = (),
) -> Iterator[Case]:
    """Inputs of `sizes`, columns and rows, as `large_cases` gives them; of a size that the
    preconditions forbid, or hardly admit, there is none."""
    conditions = _conditions(kernel, assumptions)
    for number, size in enumerate(sizes):
        case = _case(kernel, conditions, seed, number, size, axes, _FEW_ATTEMPTS)
        if case is not None:
            yield case


def with_words(case: Case) -> Case | None:
    """The case with wide integers of which every bit counts, as in packed pixels; None where it has
    no such array."""
    packed = [n for n, t in case.types.items() if t.is_integer and t.bits > 16]
    if not packed:
        return None
    return replace(case, patterns={**case.patterns, **dict.fromkeys(packed, "words")})


def run_case(kernel: Kernel, case: Case, step_limit: int = DEFAULT_STEP_LIMIT) -> RunOutcome:
    """Interprets `kernel` on fresh memories of `case`."""
    memories = case.memories()
    return run(kernel.body, case.scalars, memories, kernel.arrays, kernel.functions, step_limit)


def _conditions(kernel: Kernel, assumptions: Sequence[Expr]) -> tuple[Assume, ...]:
    given = tuple(Assume(kernel.span, e, to_text(e)) for e in assumptions)
    return (*kernel.preconditions, *given)


def _case(
    kernel: Kernel,
    conditions: tuple[Assume, ...],
    seed: int,
    number: int,
    size: tuple[int, int] | None = None,
    axes: Mapping[str, int] | None = None,
    attempts: int = _ATTEMPTS,
) -> Case | None:
    source = random.Random(f"{seed}/{number}")
    for attempt in range(attempts):
        # A size that the preconditions forbid must not be drawn for ever.
        drawn = _size(number + attempt // 20) if size is None else size
        case = _draw(kernel.params, source, seed, number, drawn, axes or {})
        if not conditions:
            return case
        tested = run(conditions, case.scalars, case.memories(), kernel.arrays, kernel.functions)
        if tested.stopped is None:
            return case
    return None


def _size(number: int) -> tuple[int, int]:
    if number % 8 == 7:
        return _LARGE_SIZES[(number // 8) % len(_LARGE_SIZES)]
    return _SIZES[(number - number // 8) % len(_SIZES)]


def _draw(
    params: tuple[Param, ...],
    source: random.Random,
    seed: int,
    number: int,
    size: tuple[int, int],
    axes: Mapping[str, int],
) -> Case:
    width, height = size
    scalars: dict[str, int | float] = {}
    patterns: dict[str, Pattern] = {}
    types: dict[str, Type] = {}
    sizes: dict[str, int] = {}
    common_stride = _stride(source, width) if source.random() < 0.6 else None
    plain: Pattern = _PATTERNS[number % len(_PATTERNS)]
    for param in params:
        if param.kind == "scalar":
            stride = _stride(source, width) if common_stride is None else common_stride
            scalars[param.name] = _scalar(param, source, width, height, stride)
            if param.name in axes and param.type.is_integer:
                wanted = size[min(axes[param.name], 1)]
                scalars[param.name] = min(max(wanted, param.type.min), param.type.max)
            continue
        types[param.name] = param.type
        patterns[param.name] = plain if source.random() < 0.5 else source.choice(_PATTERNS)
        if param.kind == "reference":
            sizes[param.name] = 1
        elif param.kind == "vector":
            sizes[param.name] = max(0, source.choice(_sizes_of(param, width, height)))
            scalars[size_of(param.name).name] = I64.wrap(sizes[param.name])
        if param.has_address:
            scalars[address_of(param.name).name] = source.randrange(PAGE)
        if param.may_be_null:
            given = source.randint(0, 1)
            scalars[given_of(param.name).name] = given
            if not given:
                sizes[param.name] = 0
    return Case(seed, number, scalars, patterns, types, sizes)


def _sizes_of(param: Param, width: int, height: int) -> tuple[int, ...]:
    """What a container may have as its size; one inside of an object holds that object's image."""
    if "." in param.name:
        return width * height, 4 * (width + 5) * height
    return width, width, width * height, width + 1


def _stride(source: random.Random, width: int) -> int:
    kind = source.random()
    if kind < 0.3:
        return width
    if kind < 0.65:
        return width + source.randint(1, 5)
    if kind < 0.9:
        return source.choice((2, 3, 4)) * width + source.randint(0, 3)
    return source.randint(-3, max(0, width - 1))


def _scalar(
    param: Param, source: random.Random, width: int, height: int, stride: int
) -> int | float:
    name, type = param.name, param.type
    if type.is_float:
        return source.choice((0.0, 1.0, 0.5, 0.25, source.random(), 2.0, -1.0))
    if type.is_bool:
        return source.randint(0, 1)
    if _PLANE.search(name):
        value = stride * max(height, 1)
    elif _STRIDE.search(name):
        value = stride
    elif _HEIGHT.search(name):
        value = height
    elif _WIDTH.search(name):
        value = width
    elif _LEVEL.search(name):
        value = source.choice((0, 255, 128, 1, 254, 256, 1000, -1, source.randint(0, 255)))
    elif _RADIUS.search(name):
        value = source.randint(0, 2)
    elif _MODE.search(name):
        value = source.randint(0, 6)
    else:
        value = source.choice((0, 1, 2, 3, source.randint(-4, 16), source.randint(0, 255)))
    return min(max(value, type.min), type.max)


def _mix(start: int, index: Index) -> int:
    """A 64-bit number that depends on every part of `index` (the finalizer of splitmix64)."""
    mixed = start
    for part in index:
        mixed = (mixed + (part + 1) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        mixed ^= mixed >> 31
    return mixed


def _fill(type: Type, pattern: Pattern, start: int) -> Fill:
    if type.is_float:
        return _float_fill(pattern, start)
    low, high = type.min, type.max
    every = high - low + 1
    # Wide integers hold counts and sums: their extremes would only make every sum overflow.
    if type.bits > 16:
        low, high = max(low, -(1 << 16)), min(high, 1 << 16)
    span = high - low + 1
    match pattern:
        case "random":
            return lambda index: low + _mix(start, index) % span
        case "words":
            return lambda index: type.min + _mix(start, index) % every
        case "zero":
            return lambda index: 0
        case "max":
            return lambda index: high
        case "extremes":
            few = (low, high, high // 2, min(high // 2 + 1, high), min(1, high), high - 1)
            return lambda index: few[_mix(start, index) % len(few)]
        case "ramp":
            return lambda index: low + (start + 3 * index[-1] + 7 * index[0]) % span


def _float_fill(pattern: Pattern, start: int) -> Fill:
    match pattern:
        case "random" | "words":
            return lambda index: (_mix(start, index) % (1 << 24)) / (1 << 24)
        case "zero":
            return lambda index: 0.0
        case "max":
            return lambda index: 1.0
        case "extremes":
            few = (0.0, 1.0, 0.5, -0.0, -1.0, 1.0e-30, 255.0, 0.49999997, 1.0e9)
            return lambda index: few[_mix(start, index) % len(few)]
        case "ramp":
            return lambda index: ((start + 3 * index[-1] + 7 * index[0]) % 64) / 63
