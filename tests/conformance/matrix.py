"""All cases of the matrix, in a fixed order, and the part of them that a quick run takes."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from .c_language import c_cases
from .case import NUMBERS, Case, in_loop
from .places import places
from .statements import statements
from .uses import uses
from .values import values

WHOLE = 6000
"""Cases of a long run."""
PART = 500
"""Cases of a quick run."""
_OWN = ["x", "y", "o"]


def place_cases() -> Iterator[Case]:
    """Every place in every context over every number type."""
    for number in NUMBERS:
        for place in places(number):
            for name, text in uses(number, place):
                lines = [line for line in (place.setup, text) if line]
                watched = [*_OWN, *filter(None, place.watched.split(";"))]
                yield Case(f"{place.name}/{name}/{number.name}", in_loop(number, lines, watched))


def value_cases() -> Iterator[Case]:
    """Every value in every context over every number type."""
    for number in NUMBERS:
        for name, lines in values(number):
            yield Case(f"value/{name}/{number.name}", in_loop(number, lines, _OWN))


def statement_cases() -> Iterator[Case]:
    """Every statement over every number type."""
    for number in NUMBERS:
        for name, lines in statements(number):
            yield Case(f"statement/{name}/{number.name}", in_loop(number, lines, _OWN))


def sample(count: int) -> list[Case]:
    """`count` different kernels: of each family its part, always the same ones.

    Which they are depends on their names alone, so that a form that is added leaves the others.
    """
    found: dict[str, Case] = {}
    for cases, part in (
        (place_cases, 0.6),
        (value_cases, 0.2),
        (statement_cases, 0.1),
        (c_cases, 0.1),
    ):
        wanted = len(found) + round(part * count)
        for case in sorted(cases(), key=lambda case: zlib.crc32(case.name.encode())):
            if len(found) == wanted:
                break
            found.setdefault(case.text, case)
    return list(found.values())
