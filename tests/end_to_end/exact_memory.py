"""Calls with exactly the memory that the original touches, and nothing mapped around it.

The original, compiled to record its accesses, says which elements those are. A lifted function then
gets arrays of these alone: right behind the last element (or right before the first) there is no
memory, and what the original doesn't write can't be written. One element too many ends the process,
so the calls run in a child, which says what it calls.
"""

from __future__ import annotations

import ctypes
import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tests.end_to_end.calls import call_c
from tests.end_to_end.images import Arguments, differences
from tests.end_to_end.recorder import WRITTEN, record
from tests.fenced import Fenced, Say, told_by_child


@dataclass(frozen=True)
class Touched:
    """What one call of the original did: `marks` has READ and WRITTEN bits for each element."""

    call: Arguments
    marks: dict[str, np.ndarray[Any, Any]]
    left: dict[str, np.ndarray[Any, Any]]
    """What it left in each buffer."""

    def range(self, name: str) -> tuple[int, int]:
        """The first element that is touched and the one behind the last; (0, 0) for none."""
        places = np.flatnonzero(self.marks[name])
        return (int(places[0]), int(places[-1]) + 1) if places.size else (0, 0)


def recorded(call: Arguments, libraries: Sequence[ctypes.CDLL], name: str) -> Touched:
    """Calls the function `name` of originals that were compiled with each of `RECORDED`."""
    marks = {name: np.zeros(v.nbytes, np.uint8) for name, v in call.contents.items()}
    for library in libraries:
        left = {name: values.copy() for name, values in call.contents.items()}
        made = partial(call_c, library[name], call.passed(), left)
        record(library, left, marks, made)
    elements = {
        name: np.bitwise_or.reduce(marks[name].reshape(-1, values.itemsize), axis=1)
        for name, values in left.items()
    }
    for name, values in left.items():
        bits = f"u{values.itemsize}"
        elements[name][values.view(bits) != call.contents[name].view(bits)] |= WRITTEN
    return Touched(call, elements, left)


class _View:
    """Stands for a buffer in `call_c`: elements have the addresses that they would have in it."""

    def __init__(self, fenced: Fenced, first: int, itemsize: int) -> None:
        self.fenced, self.itemsize = fenced, itemsize
        self.ctypes = self
        self.data = fenced.address - first * itemsize


def wrong_with_exact_memory(touched: Touched, function: Any, *, at_end: bool) -> Iterator[str]:
    """What `function` leaves otherwise; it ends the process where it touches anything else."""
    views: dict[str, Any] = {}
    for name, values in touched.call.contents.items():
        first, behind = touched.range(name)
        writable = bool((touched.marks[name] & WRITTEN).any())
        fenced = Fenced(values[first:behind], at_end=at_end, writable=writable)
        views[name] = _View(fenced, first, values.itemsize)
    call_c(function, touched.call.passed(), views)
    for name, view in views.items():
        first, behind = touched.range(name)
        expected = {name: touched.left[name][first:behind]}
        yield from differences(expected, {name: view.fenced.values})


def check_exact_memory(calls: Iterable[Touched], function: Any) -> None:
    """Fails where `function` touches other memory than the original, or leaves other values."""
    for touched, at_end, problem in _first_wrong(list(calls), function):
        where = "flush with the page behind" if at_end else "flush with the page before"
        raise AssertionError(f"{touched.call.text}, arrays {where}: {problem}")


def _first_wrong(calls: list[Touched], function: Any) -> Iterator[tuple[Touched, bool, str]]:
    """The first call that goes wrong, if any."""
    turns = [(touched, at_end) for touched in calls for at_end in (False, True)]

    def run(say: Say) -> None:
        for touched, at_end in turns:
            say("|")
            for problem in wrong_with_exact_memory(touched, function, at_end=at_end):
                say(problem)
                return
        say("|")

    child = told_by_child(run)
    *before, problem = child.said.split("|")
    if child.signal:
        problem = f"it touched what the original doesn't ({signal.Signals(child.signal).name})"
    if problem:
        yield (*turns[len(before) - 1], problem)


__all__ = ["Touched", "check_exact_memory", "recorded"]
