"""All cases of the matrix, in a fixed order, and the parts of them that shorter runs take."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial

from .c_language import c_cases
from .case import NUMBERS, Case, in_loop
from .compound import compound_cases
from .places import places
from .statements import statements
from .uses import uses
from .values import values

WHOLE = 6000
"""Cases of a long run."""
PART = 60
"""Cases of a shorter one."""
_OWN = ["x", "y", "o"]


def place_cases() -> Iterator[Case]:
    """Every place in every context over every number type."""
    for number in NUMBERS:
        for place in places(number):
            for name, text in uses(number, place):
                lines = [line for line in (place.setup, text) if line]
                watched = [*_OWN, *filter(None, place.watched.split(";"))]
                text = partial(in_loop, number, lines, watched)
                yield Case(f"{place.name}/{name}/{number.name}", text)


def value_cases() -> Iterator[Case]:
    """Every value in every context over every number type."""
    for number in NUMBERS:
        for name, lines in values(number):
            yield Case(f"value/{name}/{number.name}", partial(in_loop, number, lines, _OWN))


def statement_cases() -> Iterator[Case]:
    """Every statement over every number type."""
    for number in NUMBERS:
        for name, lines in statements(number):
            text = partial(in_loop, number, lines, _OWN)
            yield Case(f"statement/{name}/{number.name}", text)


def type_cases() -> Iterator[Case]:
    """Every place of a structure, a pointer and an array in every context."""
    for number in NUMBERS:
        yield from compound_cases(number)


FAMILIES: tuple[tuple[Callable[[], Iterator[Case]], float], ...] = (
    (place_cases, 0.4),
    (value_cases, 0.15),
    (type_cases, 0.2),
    (statement_cases, 0.15),
    (c_cases, 0.1),
)
"""The families of cases, and the part of a sample that is of each."""


@cache
def sample(count: int) -> list[Case]:
    """`count` different kernels: of each family its part, always the same ones.

    Which they are depends on their names alone, so that a form that is added leaves the others.
    """
    found: dict[str, Case] = {}
    for cases, part in FAMILIES:
        wanted = len(found) + round(part * count)
        for case in _in_order(cases()):
            if len(found) == wanted:
                break
            found.setdefault(case.text, case)
    return list(found.values())


@cache
def one_of_each_form() -> list[Case]:
    """Cases in which every place, every context, every value and every statement stands once."""
    found: list[Case] = []
    for cases, _ in FAMILIES:
        seen: set[str] = set()
        for case in cases():
            forms = {f"{at}/{form}" for at, form in enumerate(case.name.split("/")[:-1])}
            if not forms <= seen:
                seen |= forms
                found.append(case)
    return found


def _in_order(cases: Iterable[Case]) -> list[Case]:
    """As if drawn, but for statements, which have no contexts: each of them comes once first."""
    drawn = sorted(cases, key=lambda case: zlib.crc32(case.name.encode()))
    times: Counter[str] = Counter()
    place: dict[str, int] = {}
    for case in drawn:
        form = case.name.rpartition("/")[0] if "statement/" in case.name else ""
        place[case.name] = times[form] if form else 0
        times[form] += 1
    return sorted(drawn, key=lambda case: place[case.name])
