"""Which kinds of libclang's cursors stand in kernels, and which can't stand in any."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from clang.cindex import CursorKind

from lifter.parse.translation_unit import read_source

from .case import Case
from .compare import by_language, head
from .matrix import one_of_each_form, sample

_ELSEWHERE = {
    "OBJC_.*|OBJ_.*": "Objective-C",
    "BLOCK_EXPR": "a block of Objective-C and Apple's C",
    "OMP_.*": "OpenMP: what its pragmas say is an error or ignored, as by g++ without -fopenmp",
    "SEH_.*|MS_ASM_STMT": "Microsoft's C++",
    "FIXED_POINT_LITERAL": "fixed point numbers of embedded C, which neither compiler has for x86",
    "CXX_ADDRSPACE_CAST_EXPR": "OpenCL",
    "CONCEPT_SPECIALIZATION_EXPR|REQUIRES_EXPR": "C++20, and sources are read as C++17",
    "OBJC_FOR_COLLECTION_STMT": "Objective-C",
}
"""Kinds by a pattern of their names, and why no kernel in C or C++ has a cursor of theirs."""


def all_kinds() -> list[str]:
    """The names of every kind of expression and statement that libclang tells apart."""
    kinds = CursorKind.get_all_kinds()
    return [kind.name for kind in kinds if kind.is_expression() or kind.is_statement()]


def elsewhere(kind: str) -> str | None:
    """Why no kernel can have a cursor of this kind; None where one can."""
    return next((why for names, why in _ELSEWHERE.items() if re.fullmatch(names, kind)), None)


@cache
def kinds() -> dict[str, str]:
    """Each kind of cursor with the name of a case that has one."""
    with TemporaryDirectory() as folder:
        return kinds_seen(one_of_each_form(), Path(folder))


def of_each_kind() -> list[Case]:
    """Different kernels: one for each kind of expression and statement."""
    names = {kinds()[kind] for kind in all_kinds() if kind in kinds()}
    return [case for case in one_of_each_form() if case.name in names]


def with_each_kind(count: int) -> list[Case]:
    """`count` different kernels: those, and a sample."""
    chosen = {case.text: case for case in of_each_kind()}
    for case in sample(count):
        if len(chosen) < count:
            chosen.setdefault(case.text, case)
    return list(chosen.values())


def kinds_seen(cases: Sequence[Case], folder: Path) -> dict[str, str]:
    """The kinds of the cursors in the cases, each with the name of the first case that has it.

    Helpers that cases share don't count.
    """
    found: dict[str, str] = {}
    for batch in by_language(cases):
        language = batch[0].language
        path = folder / f"kinds.{language}"
        path.write_text(head(language) + _functions(batch))
        for cursor in read_source(path).unit.cursor.get_children():
            if re.fullmatch(r"k\d+", cursor.spelling):
                name = batch[int(cursor.spelling[1:])].name
                for kind in _below(cursor):
                    found.setdefault(kind, name)
    return found


def _functions(batch: Iterable[Case]) -> str:
    return "".join(case.function(f"k{n}") for n, case in enumerate(batch))


def _below(cursor: object) -> Iterator[str]:
    for inner in cursor.walk_preorder():  # type: ignore[attr-defined]
        yield inner.kind.name
