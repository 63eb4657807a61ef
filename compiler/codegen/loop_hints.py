"""What LLVM is told about a loop: which ones it may still vectorize, and that it unrolls none.

A stage that the schedule vectorizes has scalar loops for what is left at its ends. LLVM would make
vectors of those, too, with checks, unrolled, and with remainders of their own: more code than the
stage itself, for a few elements, and most of the compile time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..ir import Load, const, postorder
from ..ir.stmt_transform import children_of, expressions_of, walk
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


OPAQUE = 'call void asm sideeffect "", ""() memory(inaccessiblemem: readwrite) nounwind willreturn'
"""No instruction, but LLVM's analysis of a loop's accesses gives up where it sees it."""
MANY = 8


def is_opaque(loop: For, vectorized: frozenset[str]) -> bool:
    """Whether `loop` is an unrolled body of vectors that LLVM had better not analyse.

    Its accesses are compared pair by pair to find what to keep from one iteration to the next,
    which takes most of the compile time of a transposition of 16 by 16 and finds nothing.
    """
    return stage_of(loop.name) in vectorized and _stores(loop.body) >= MANY


def _stores(stmt: Stmt) -> int:
    """The number of stores of a body; none where there is another loop in it that stays one."""
    found, stack = 0, [stmt]
    while stack:
        node = stack.pop()
        if isinstance(node, For) and node.extent is not const(1):
            return 0
        found += isinstance(node, Store)
        stack += children_of(node)
    return found


def hints(loop: For, vectorized: frozenset[str]) -> Mapping[str, str]:
    """LLVM's properties of `loop`, by their names after `llvm.loop.`, with their operands."""
    made = {"unroll.runtime.disable": ""}
    if stage_of(loop.name) in vectorized or _is_better_scalar(loop.body):
        made["vectorize.enable"] = "i1 false"
    return made


def _is_better_scalar(body: Stmt) -> bool:
    """Whether `body` reads where something that was read says, or the schedule unrolled it, which
    is seen from several stores into one memory.

    LLVM takes vectors of such indices and of interleaved elements apart again, lane by lane.
    """
    if any(isinstance(x, For) and x.extent is not const(1) for x in walk(body)):
        return False  # LLVM makes vectors of innermost loops alone
    loads = [e for x in walk(body) for e in postorder(*expressions_of(x)) if isinstance(e, Load)]
    looked_up = any(isinstance(e, Load) for load in loads for e in postorder(*load.indices))
    stored = [x.buffer for x in walk(body) if isinstance(x, Store)]
    return looked_up or len(set(stored)) < len(stored)
