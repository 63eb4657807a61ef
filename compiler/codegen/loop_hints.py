"""What LLVM is told about a loop: which ones it may still vectorize, and that it unrolls none.

A stage that the schedule vectorizes has scalar loops for what is left at its ends. LLVM would make
vectors of those, too, with checks, unrolled, and with remainders of their own: more code than the
stage itself, for a few elements, and most of the compile time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..ir.stmt_transform import children_of
from ..ir.stmts import For, Stmt, Store

_STAGE = re.compile(r"(.*\.s\d+)\.")


def stage_of(loop: str) -> str | None:
    """The stage that a loop belongs to: `blur.s0` for `blur.s0.x.xi`."""
    found = _STAGE.match(loop)
    return found.group(1) if found else None


def vector_stages(stmt: Stmt) -> frozenset[str]:
    """The stages with a loop around a store of a vector."""
    found: set[str] = set()

    def walk(stmt: Stmt, stage: str | None) -> None:
        if isinstance(stmt, For):
            stage = stage_of(stmt.name) or stage
        elif isinstance(stmt, Store) and stmt.value.type.lanes > 1 and stage is not None:
            found.add(stage)
        for child in children_of(stmt):
            walk(child, stage)

    walk(stmt, None)
    return frozenset(found)


def hints(loop: For, vectorized: frozenset[str]) -> Mapping[str, str]:
    """LLVM's properties of `loop`, by their names after `llvm.loop.`, with their operands."""
    made = {"unroll.runtime.disable": ""}
    if stage_of(loop.name) in vectorized:
        made["vectorize.enable"] = "i1 false"
    return made
