"""Calls of a random kernel: awkward sizes, strides, pixels and pointers.

The original is called on one arena of bytes, of which each array has a part, so that pointers may
overlap in any way; the lifted code on exactly what the original touches of each part.
"""

from __future__ import annotations

import mmap
import random
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.end_to_end.recorder import WRITTEN
from tests.fenced import Array, Fenced, Say, told_by_child
from tests.fuzz.legacy_kernels import LegacyKernel
from tests.fuzz.whole_path import Libraries, Places

ARENA = 1 << 18
PART = ARENA // 4
_BORDER = 1 << 10
"""Bytes that nothing touches at both ends of a part."""
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


@dataclass(frozen=True)
class Compared:
    """How many calls the lifted code took, and the first one that went wrong."""

    calls: int
    wrong: str | None


def compared(kernel: LegacyKernel, libraries: Libraries, seed: int, count: int) -> Compared:
    """Calls within what C++ defines, of the original and of the guarded entry, in a child.

    The guarded entry gets exactly the memory that the original touches in the call: nothing is
    mapped before it and behind it, and what the original only reads can't be written. Calls that
    the guard sends to the original are made so too, and aren't counted.
    """

    def work(say: Say) -> None:
        for call in _calls(kernel, libraries, seed, count):
            say(f"call {_named(kernel, call.numbers)}\n")
            for at_end in (False, True):
                memory = _Memory(kernel, libraries, call, at_end)
                taken = libraries.lifted(kernel.name, memory.places)
                wrong = memory.difference()
                if wrong is not None and not (not taken and _is_elsewhere(memory, libraries)):
                    say(f"wrong {wrong}\n")
                    return
            say("taken\n" if taken else "")

    child = told_by_child(work)
    lines = child.said.splitlines()
    last = next((line for line in reversed(lines) if line.startswith("call ")), "before any call")
    wrong = next((line for line in lines if line.startswith("wrong ")), None)
    if child.signal:
        wrong = f"it touches what the original doesn't ({signal.Signals(child.signal).name})"
    return Compared(lines.count("taken"), wrong and f"{last}: {wrong}")


def _is_elsewhere(memory: _Memory, libraries: Libraries) -> bool:
    """Whether the original itself leaves something else where the memory of this call lies: some
    go to an aligned address first, and arrays that overlap show it."""
    same = _Memory(memory.kernel, libraries, memory.call, memory.at_end)
    libraries.original(memory.kernel.name, same.places)
    return same.difference() is not None


def _named(kernel: LegacyKernel, given: list[float]) -> str:
    names = [name for name, _ in (*kernel.arrays, *kernel.scalars)]
    return str(dict(zip(names, given, strict=True)))


@dataclass(frozen=True)
class _Part:
    """One of the arena's parts, which arrays point into: the bytes from `first` up to `behind` are
    what the original touches there, in whole elements."""

    first: int
    behind: int
    writable: bool


@dataclass(frozen=True)
class _Call:
    """A call of the original: what it leaves in the arena, what it touches of it by number of the
    part, and of each table of row pointers the first one that it reads and the one behind the last.
    """

    numbers: list[float]
    before: Array
    left: Array
    parts: dict[int, _Part]
    rows: list[tuple[int, int]]


def _calls(kernel: LegacyKernel, libraries: Libraries, seed: int, count: int) -> Iterator[_Call]:
    """Calls that C++ defines."""
    source = random.Random(f"{kernel.name}/{seed}")
    for number in range(count):
        given = numbers(kernel, source, hostile=number % 3 == 2)
        before = np.frombuffer(contents(kernel, source), np.uint8)
        arena = before.copy()
        tables = libraries.tables(kernel, arena.ctypes.data, given)
        marks = libraries.touched(kernel.name, arena, given, tables)
        if marks is None:
            continue
        arena[...] = before
        addresses = [table.ctypes.data for table in tables]
        libraries.original(kernel.name, Places(arena.ctypes.data, given, addresses))
        rows = [_rows(kernel, given, m.view(np.uint64)) for m in marks[1:]]
        yield _Call(given, before, arena, _parts(kernel, given, marks[0]), rows)


def _rows(kernel: LegacyKernel, given: list[float], marks: Array) -> tuple[int, int]:
    """The pointers that a call needs of a table whose rows the source says are evenly spaced.

    A table that the original looks at only under a condition on parameters is taken to be there in
    every call: `docs/proofs.md` lists that as assumed.
    """
    named = dict(zip((n for n, _ in kernel.scalars), given[len(kernel.arrays) :], strict=True))
    if marks.any() or min(named["width"], named["height"]) <= 0:
        return _range(marks)
    return 0, int(named["height"])


def _range(marks: Array) -> tuple[int, int]:
    """The first that is marked and the one behind the last; (0, 0) for none."""
    places = np.flatnonzero(marks)
    return (int(places[0]), int(places[-1]) + 1) if places.size else (0, 0)


def _parts(kernel: LegacyKernel, given: list[float], marks: Array) -> dict[int, _Part]:
    widest: dict[int, int] = {}
    for offset, (_, type) in zip(given, kernel.arrays, strict=False):
        number = int(offset) // PART
        widest[number] = max(widest.get(number, 1), _BYTES[type])
    parts = {}
    for number, size in widest.items():
        own = marks[number * PART : (number + 1) * PART]
        first, behind = _range(own)
        # An array that reached into another part would not be told from that part's own.
        if behind and not (first >= _BORDER and behind <= PART - _BORDER):
            raise ValueError(f"{kernel.name}: an array doesn't fit into its part of the arena")
        begin, end = first // size * size, -(-behind // size) * size
        writable = bool((own & WRITTEN).any())
        parts[number] = _Part(number * PART + begin, number * PART + end, writable)
    if any(marks[n * PART : (n + 1) * PART].any() for n in range(ARENA // PART) if n not in parts):
        raise ValueError(f"{kernel.name}: it touches what no array points into")
    return parts


class _Memory:
    """What one call may touch, in fences of its own."""

    def __init__(
        self, kernel: LegacyKernel, libraries: Libraries, call: _Call, at_end: bool
    ) -> None:
        self.kernel, self.call, self.at_end = kernel, call, at_end
        # As far apart as the arena's parts: guards ask for that, of boxes around what is touched.
        self.parts = {
            number: Fenced(
                call.before[part.first : part.behind],
                at_end=at_end,
                writable=part.writable,
                fence=PART // mmap.PAGESIZE,
            )
            for number, part in call.parts.items()
        }
        self.base = min(fenced.address for fenced in self.parts.values())
        given = [self._moved(offset) for offset in call.numbers[: len(kernel.arrays)]]
        given += call.numbers[len(kernel.arrays) :]
        whole = libraries.tables(kernel, self.base, given)
        self.tables = [
            Fenced(table[first:behind], at_end=at_end, writable=False)
            for table, (first, behind) in zip(whole, call.rows, strict=True)
        ]
        addresses = [
            fenced.address - first * fenced.values.itemsize
            for fenced, (first, _) in zip(self.tables, call.rows, strict=True)
        ]
        self.places = Places(self.base, given, addresses)

    def _moved(self, offset: float) -> float:
        number = int(offset) // PART
        return offset - self.call.parts[number].first + self.parts[number].address - self.base

    def difference(self) -> str | None:
        """Where it isn't what the original left."""
        for number, part in self.call.parts.items():
            wrong = _difference(self.kernel, self.call, part, self.parts[number].values)
            if wrong is not None:
                return wrong
        return None


def _difference(kernel: LegacyKernel, call: _Call, part: _Part, ours: Array) -> str | None:
    """In elements of the first array: all that is written is of its type."""
    whole = slice(part.first, part.behind)
    type = kernel.arrays[0][1]
    size = _BYTES[type]
    if len(ours) % size:
        type, size = "uint8_t", 1
    a, b, old = (x.view(_DTYPES[type]) for x in (call.left[whole], ours, call.before[whole]))
    wrong = a.view(f"u{size}") != b.view(f"u{size}")
    if type == "float":
        wrong &= ~(np.isnan(a) & np.isnan(b))
    places = np.flatnonzero(wrong)
    if not places.size:
        return None
    at = int(places[0])
    element = (part.first + at * size - int(call.numbers[0])) / size
    return (
        f"{places.size} elements differ, the first at {kernel.arrays[0][0]}[{element:g}]: "
        f"{old[at]!r} becomes {a[at]!r} in the original, {b[at]!r} here"
    )
