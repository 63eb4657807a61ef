"""Names of the source as names that Python and C++ both take."""

from __future__ import annotations

import re

from ..model.kernel import word_of
from ..model.reserved import WORDS, is_special

_LANGUAGE = """
    self print Expr Func Var RDom Halide select clamp min max abs cast
    sum product minimum maximum
"""
"""A stage named `sum` couldn't be told from the one that `hl.sum` makes."""
_RESERVED = {*WORDS, *_LANGUAGE.split()}


def program_name(function: str) -> str:
    """The name in its program of a function of the source: `del_` of `del`, as a rule its own."""
    function = word_of(function)
    if is_special(function):
        return _identifier(function)
    return function + "_" if function in _RESERVED else function


class Names:
    """Gives each thing a name of its own: the wanted one, or one close to it."""

    def __init__(self, taken: set[str] | None = None) -> None:
        self.taken = set(taken or ())

    def take(self, wanted: str, *alternatives: str) -> str:
        """The first of the wanted names that is free, else the first one with a number."""
        candidates = [_identifier(w) for w in (wanted, *alternatives)]
        for name in candidates:
            if name not in self.taken:
                self.taken.add(name)
                return name
        base = candidates[0].rstrip("_")
        number = 1
        while f"{base}_{number}" in self.taken:
            number += 1
        name = f"{base}_{number}"
        self.taken.add(name)
        return name


def _identifier(wanted: str) -> str:
    """`wanted` as an identifier of both languages: `src.size` is `src_size`, `in` is `in_`.

    Generators take no name that begins with `_` or has two of them in a row.
    """
    name = re.sub(r"[\W_]+", "_", wanted).lstrip("_")
    if not name or name[0].isdigit():
        name = "n" + name
    return name + "_" if name in _RESERVED else name
