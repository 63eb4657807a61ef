"""Places of structure, pointer and array types, and every context in which each can stand.

The forms are in `types/*.txt`: `{T}` is the number type inside, `{N}` its name. A place may be a
`value`, which nothing can store to or refer to, and may change something when it is evaluated
(`acts`). A context is for every place, or for those that are an `lvalue`, and for those that are
`still`, which means that they change nothing. In a context `L` is the place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from .case import Case, Number, in_loop

_FOLDER = Path(__file__).with_name("types")
PRELUDE = (_FOLDER / "prelude.txt").read_text()
_OWN = ["x", "y", "o"]
_PLACE = re.compile(r"\bL\b(?=(\[|\.|\(|->|\+\+|--)?)")


@dataclass(frozen=True)
class Compound:
    """A kind of type: what comes before every place of it, and the numbers of which one consists.

    `parts` are written with `L` for the place; `always` are places that are always observed.
    """

    name: str
    setup: str
    parts: tuple[str, ...]
    always: tuple[str, ...] = ()


COMPOUNDS = (
    Compound("object", "", ("L.a", "L.b", "L.e[0]", "L.e[1]")),
    Compound("pointer", "{T} a[5] = {x, y, 2, 3, 5};", (), tuple(f"a[{at}]" for at in range(5))),
    Compound("array", "", ("L[0]", "L[1]", "L[2]")),
)


@dataclass(frozen=True)
class _Form:
    """A line of a table; a context has no `setup` and nothing `watched`."""

    name: str
    flags: frozenset[str]
    text: str
    setup: str = ""
    watched: tuple[str, ...] = ()


def compound_cases(number: Number) -> Iterator[Case]:
    """Every place of every kind of type in every context, with one number type inside."""
    for compound in COMPOUNDS:
        places, uses = _forms(compound.name)
        for place in places:
            for use in uses:
                if _fits(place, use):
                    name = f"{compound.name}/{place.name}/{use.name}/{number.name}"
                    yield Case(name, partial(_written, compound, place, use, number))


def _written(compound: Compound, place: _Form, use: _Form, number: Number) -> str:
    setup = [filled(text, number) for text in (compound.setup, place.setup) if text]
    parts = (_with(w, part) for w in place.watched for part in compound.parts)
    lines = [*setup, filled(_with(place.text, use.text), number)]
    return in_loop(number, lines, [*_OWN, *compound.always, *parts])


def _fits(place: _Form, use: _Form) -> bool:
    return not (
        ("value" in place.flags and "lvalue" in use.flags)
        or ("acts" in place.flags and "still" in use.flags)
    )


def _with(place: str, use: str) -> str:
    """The context with the place in it, in parentheses where C++ would read it otherwise."""
    whole = f"({place})" if place.startswith(("*", "&", "+", "-", "(")) or ".*" in place else place
    return _PLACE.sub(lambda found: whole if found[1] else place, use)


def filled(text: str, number: Number) -> str:
    """A text over one number type."""
    return text.replace("{T}", number.spelling).replace("{N}", number.name)


@cache
def _forms(name: str) -> tuple[list[_Form], list[_Form]]:
    """The places and the contexts of one kind of type."""
    lines = (_FOLDER / f"{name}.txt").read_text().splitlines()
    lines = [line for line in lines if not line.startswith("#")]
    at = lines.index("uses")
    return [_form(line) for line in lines[1:at]], [_form(line) for line in lines[at + 1 :]]


def _form(line: str) -> _Form:
    name, flags, text, *more = (part.strip() for part in line.split("@"))
    setup, watched = (*more, "", "")[:2]
    return _Form(name, frozenset(flags.split()), text, setup, tuple(watched.split()))
