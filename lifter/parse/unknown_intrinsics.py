"""Intrinsics that our headers don't know: what is said of one, and how a model makes it known.

Without a declaration clang reads no call. So a model file that defines one is read in front of the
source; there it is one more function whose body is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ..model.diagnostic import Diagnostic

_UNDECLARED = re.compile(
    r"(?:use of undeclared identifier|call to undeclared (?:library )?function) '(?P<name>\w+)'"
)
_SAID = re.compile(r"`(\w+)` isn't among the intrinsics")
_X86 = re.compile(r"_mm\d*_\w+|_m_\w+")
_ARM = re.compile(r"v[a-z]\w*_[sufp](8|16|32|64)")


def _name(found: Diagnostic) -> str | None:
    """The intrinsic that clang doesn't find; None for any other finding."""
    undeclared = _UNDECLARED.match(found.message)
    name = undeclared["name"] if undeclared else ""
    return name if _X86.fullmatch(name) or _ARM.fullmatch(name) else None


def in_users_words(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Clang's findings, with what helps where they are about intrinsics; what clang says of the
    same place afterwards follows from that."""
    said: list[Diagnostic] = []
    places = set()
    for found in diagnostics:
        name = _name(found)
        place = found.span and (found.span.file, found.span.line, found.span.column)
        if name is None:
            said += [] if place in places else [found]
            continue
        places.add(place)
        header = "immintrin.h" if _X86.fullmatch(name) else "arm_neon.h"
        text = f"`{name}` isn't among the intrinsics that are known"
        said.append(replace(found, message=text, help=_how(name, header)))
    return tuple(said)


def _how(name: str, header: str) -> str:
    return (
        f"give its meaning, lane by lane, in a file for --model FILE: `#include <{header}>`, "
        f"`#ifdef LIFT_FUNCTION` (compilers have their own), `static RESULT {name}(ARGUMENTS) "
        "{ ... }`, `#endif`"
    )


def models_for(
    diagnostics: Iterable[Diagnostic], models: Sequence[str | Path]
) -> Sequence[str | Path]:
    """The models that say what intrinsics mean which a source uses and nothing declares."""
    names = {said[1] for found in diagnostics if (said := _SAID.match(found.message))}
    texts = {model: Path(model).read_text("utf-8", "replace") for model in models if names}
    return [
        model
        for model, text in texts.items()
        if any(re.search(rf"\b{name}\s*\(", text) for name in names)
    ]
