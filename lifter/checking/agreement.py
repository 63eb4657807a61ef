"""Whether committed files say what was proved, no more and nothing else.

A proof makes a result, and from a result emission makes texts. Files are accepted when they are
those texts, up to layout and comments, or can be read back as the same program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..emit import (
    Program,
    build_program,
    check_round_trip,
    generator_text,
    pipeline_text,
    promises,
    read_pipeline,
    refuse_other_encodings,
    same_program,
    summary_to_json,
)
from ..model.diagnostic import LiftError
from ..model.lifted import FunctionResult

if TYPE_CHECKING:
    from ..model.proof import Precondition

_NO_CLAIMS = frozenset(
    ("file", "line", "signature", "source", "source_sha256", "models", "warnings", "undefined",
     "seconds", "proof", "obligations", "stages", "lifted")
)  # fmt: skip
"""What `summary.json` tells of the source and of how a proof went, and what is compared apart; all
else is what people rely on, and those who build."""
_SHOWN = 60


def told(
    result: FunctionResult, preconditions: Sequence[Precondition]
) -> tuple[Program, dict[str, Any]]:
    """The program and the `summary.json` of a proved result, under these preconditions.

    Raises `LiftError` or `ValueError` where there is no text for it.
    """
    assert result.proof is not None
    under = replace(result, proof=replace(result.proof, preconditions=tuple(preconditions)))
    program = build_program(under)
    return program, summary_to_json(under, program)


class OtherVersion(Exception):
    """A summary lacks what every summary of this version has."""


def difference_in_summary(data: Mapping[str, Any], mine: Mapping[str, Any]) -> str | None:
    """What a committed `summary.json` says of the function, its preconditions and its C entry that
    isn't what was proved (`mine`); None when all is. Raises `OtherVersion`."""
    for key in mine:
        if key in _NO_CLAIMS:
            continue
        if key not in data:
            raise OtherVersion(f"it has no `{key}`, so another version of lift wrote it")
        found = _difference(data[key], mine[key], key)
        if found is not None:
            return found
    return None


def difference_in_stages(data: Mapping[str, Any], mine: Mapping[str, Any]) -> str | None:
    """The same of the definitions that people read."""
    return _difference(data.get("stages"), mine["stages"], "stages")


def _difference(theirs: Any, ours: Any, where: str) -> str | None:
    """The first place at which two JSON values differ, in words."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in [*ours, *(k for k in theirs if k not in ours)]:
            if key not in theirs or key not in ours:
                return f"`{where}` {'lacks' if key not in theirs else 'has also'} `{key}`"
            found = _difference(theirs[key], ours[key], f"{where}.{key}")
            if found is not None:
                return found
        return None
    if isinstance(theirs, list) and isinstance(ours, list | tuple) and len(theirs) == len(ours):
        pairs = enumerate(zip(theirs, ours, strict=True))
        each = (_difference(a, b, f"{where}[{i}]") for i, (a, b) in pairs)
        return next((found for found in each if found is not None), None)
    if isinstance(theirs, list) and isinstance(ours, tuple) and theirs == list(ours):
        return None
    if type(theirs) is type(ours) and theirs == ours:
        return None
    return f"`{where}` is {_shown(theirs)}; what is proved is {_shown(ours)}"


def _shown(value: Any) -> str:
    text = "".join(c if c.isprintable() else "?" for c in repr(value))
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def difference_in_pipeline(text: str, program: Program, shown: Program) -> str | None:
    """Why a `pipeline.py` isn't the program; it is read, never run. `shown` is the program with the
    functions that the text has names for.

    Raises `Unreadable` for a text that isn't of the shapes that `lift` writes.
    """
    refuse_other_encodings(text)
    mine = pipeline_text(shown, [shown.name])
    if same_program(text, mine):
        return None
    read_pipeline(text, program.name)
    if promises(text) != promises(mine):
        return "it promises other strides or bounds of its images"
    return _difference_in_program(program, text)


def says(program: Program, text: str) -> bool:
    """Whether a text defines the program."""
    return _difference_in_program(program, text) is None


def _difference_in_program(program: Program, text: str) -> str | None:
    try:
        check_round_trip(program, text, load=read_pipeline)
    except LiftError as error:
        return "; ".join(error.diagnostic.notes) or error.diagnostic.message
    return None


def difference_in_generator(text: str, shown: Program) -> bool:
    """Whether a `generator.cpp` isn't the program's, the comment at its head aside."""
    return _code(text) != _code(generator_text(shown, []))


def _code(text: str) -> list[str]:
    """The lines of a generator without the comment at its head and blank ends.

    A line ends where one does in C++, so that none is part of a comment there and a line here.
    """
    lines = [line.rstrip(" \t") for line in text.split("\n")]
    while lines and (not lines[0] or lines[0].startswith("// ")) and not lines[0].endswith("\\"):
        del lines[0]
    return [line for line in lines if line]
