"""Our headers as the C++ of before 2011 reads them.

They are written in C++17. Of what it has and C++98 hasn't, clang takes nearly all as extensions,
in headers without a word; only words that weren't yet reserved have to be said in another way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

HEADERS = Path(__file__).parent / "include"

_OLDER = re.compile(r"-?-std=(?:c|gnu)\+\+(?:98|03)|-ansi")
_STANDARD = re.compile(r"-?-std=.*|-ansi")
_WORDS = {
    "static constexpr": "static const",
    "inline constexpr": "static const",
    "constexpr": "",
    "noexcept": "",
    "nullptr": "__nullptr",
    "decltype": "__decltype",
    "static_assert": "_Static_assert",
    "alignof": "__alignof",
    "char16_t": "unsigned short",
    "char32_t": "unsigned",
}
_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b")
_TWO_ENDS = re.compile(r"(?<!\s)(?<!operator)>(?=>)")
"""Of lists of template arguments; a shift has a space in front of it."""


def headers_for(arguments: Sequence[str]) -> list[tuple[str, str]]:
    """The paths and texts that replace our headers where clang is told of so old a standard."""
    stated = [a for a in arguments if _STANDARD.fullmatch(a)]
    is_older = stated and _OLDER.fullmatch(stated[-1]) and language_of(arguments) != "c"
    return list(_older()) if is_older else []


def language_of(arguments: Sequence[str]) -> str | None:
    """What clang is told to read sources as, by the last `-x`; None where nothing is said."""
    stated = [b for a, b in pairwise(arguments) if a == "-x"]
    return stated[-1] if stated else None


@cache
def _older() -> tuple[tuple[str, str], ...]:
    """The headers that say it otherwise.

    Before: `static constexpr bool value = v;`, after: `static const bool value = v;`.
    """
    found = []
    for path in sorted(p for p in HEADERS.rglob("*") if p.is_file()):
        text = path.read_text("utf-8")
        older = _WORD.sub(lambda word: _WORDS[word[0]], _TWO_ENDS.sub("> ", text))
        if older != text:
            found.append((str(path), older))
    return tuple(found)
