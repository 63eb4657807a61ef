"""Calls of a random kernel on one arena of bytes: awkward sizes, strides, pixels and pointers."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.fuzz.legacy_kernels import LegacyKernel
from tests.fuzz.whole_path import Libraries

ARENA = 1 << 18
_SIZES = (-1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 33, 40)
_ROWS = (-1, 0, 1, 2, 3, 5, 8)
_BYTES = {
    "uint8_t": 1,
    "int8_t": 1,
    "uint16_t": 2,
    "int16_t": 2,
    "int32_t": 4,
    "uint32_t": 4,
    "float": 4,
}
_DTYPES: dict[str, Any] = {
    "uint8_t": np.uint8, "int8_t": np.int8, "uint16_t": np.uint16, "int16_t": np.int16,
    "int32_t": np.int32, "uint32_t": np.uint32, "float": np.float32,
}  # fmt: skip
_MASKS = {"int32_t": (0xFF, 0xFFFF, 0x7FFFFFFF), "uint32_t": (0xFF, 0xFFFF, 0xFFFFFFFF)}


def numbers(kernel: LegacyKernel, source: random.Random, *, hostile: bool) -> list[float]:
    """Offsets of the arrays and values of the scalars; `hostile` ones overlap or run backwards."""
    width = max(source.choice(_SIZES), kernel.least)
    height = max(source.choice(_ROWS), kernel.least)
    room = max(width, 0) * source.choice((1, 1, 1, 2, 3, 4)) + source.choice((0, 0, 1, 5, 9))
    strides = [room, room if source.random() < 0.5 else room + source.randint(0, 7)]
    offsets = [(2 * i + 1) * ARENA // 8 + 4 * source.randint(0, 8) for i in range(4)]
    if source.random() < 0.3:
        strides[source.randrange(2)] *= -1
    if hostile:
        if source.random() < 0.5:
            strides[source.randrange(2)] = source.randint(-3, max(width, 0))
        aligned = source.choice((0, 4, 4 * room, -4 * room, 4 * source.randint(-50, 50)))
        count = len(kernel.arrays)
        offsets[source.randrange(count)] = offsets[source.randrange(count)] + aligned
    scalars = {
        "width": width, "height": height, "dstStride": strides[0], "srcStride": strides[1],
        "k": source.choice((0, 1, 2, 3, 7, 100, 127, 128, 200, 254, 255, 256, -1, -100, 1000)),
        "mode": source.choice((0, 1, 2, 3, -1)), "gain": source.choice((0.0, 0.25, 1.0, -2.0)),
    }  # fmt: skip
    least_k = source.choice((0, 1, 3, 5)) if "j < k" in kernel.source else None
    if least_k is not None:
        scalars["k"] = least_k
    return [*offsets[: len(kernel.arrays)], *(scalars[name] for name, _ in kernel.scalars)]


def contents(kernel: LegacyKernel, source: random.Random) -> bytes:
    """Pixels of the arena: an eighth to each side of an array's offset is of its type."""
    generator = np.random.default_rng(source.getrandbits(32))
    arena = np.zeros(ARENA, np.uint8)
    for number, (_, type) in enumerate(kernel.arrays):
        count = ARENA // 4 // _BYTES[type]
        place = slice(number * ARENA // 4, (number + 1) * ARENA // 4)
        arena[place] = _pixels(type, count, source, generator).view(np.uint8)
    return arena.tobytes()


def _pixels(
    type: str, count: int, source: random.Random, generator: np.random.Generator
) -> np.ndarray[tuple[int], np.dtype[np.generic]]:
    dtype = _DTYPES[type]
    kind = source.choice(("random", "random", "least", "most", "extremes"))
    if type == "float":
        few = np.array([0.0, -0.0, 1.0, 0.5, 1e30, -1.0, 1e-40, 255.0], np.float32)
        plain = generator.random(count, np.float32)
        return few[generator.integers(0, len(few), count)] if kind == "extremes" else plain
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    mask = source.choice(_MASKS.get(type, (0xFFFF,)))
    if kind == "extremes":
        values = np.array([low, high, high // 2, high // 2 + 1, 0, 1, high - 1], np.int64)
        made = values[generator.integers(0, len(values), count)]
    elif kind == "random":
        made = generator.integers(low, high, count, np.int64, endpoint=True)
    else:
        made = np.full(count, low if kind == "least" else high, np.int64)
    return ((made & mask) if mask != 0xFFFF else made).astype(dtype)


def differing_calls(
    kernel: LegacyKernel, libraries: Libraries, seed: int, count: int
) -> Iterator[str | None]:
    """For each call within what C++ defines: what differs, None where nothing does; calls that the
    guard sent to the original are not told about."""
    source = random.Random(f"{kernel.name}/{seed}")
    for number in range(count):
        given = numbers(kernel, source, hostile=number % 3 == 2)
        before = contents(kernel, source)
        scratch, theirs, ours = (ctypes.create_string_buffer(before, ARENA) for _ in range(3))
        if not libraries.is_defined(kernel.name, scratch, given):
            continue
        libraries.original(kernel.name, theirs, given)
        if not libraries.lifted(kernel.name, ours, given):
            continue
        yield _difference(kernel, before, theirs.raw, ours.raw, given)


def _difference(
    kernel: LegacyKernel, before: bytes, theirs: bytes, ours: bytes, given: list[float]
) -> str | None:
    if theirs == ours:
        return None
    type = kernel.arrays[0][1]
    a, b, old = (np.frombuffer(x, _DTYPES[type]) for x in (theirs, ours, before))
    wrong = a.view(f"u{a.itemsize}") != b.view(f"u{a.itemsize}")
    if type == "float":
        wrong &= ~(np.isnan(a) & np.isnan(b))
    places = np.flatnonzero(wrong)
    if not places.size:
        return None
    at = int(places[0])
    names = [name for name, _ in (*kernel.arrays, *kernel.scalars)]
    element = (at * a.itemsize - int(given[0])) / a.itemsize
    return (
        f"{dict(zip(names, given, strict=True))}: {places.size} elements differ, the first at "
        f"dst[{element:g}]: {old[at]!r} becomes {a[at]!r} in the original, {b[at]!r} here"
    )
