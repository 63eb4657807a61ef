"""Copies that go on while threads do: PTX's `cp.async`, which GPUs have since capability 8.0.

Older ones load and store, which is there at once.
"""

from __future__ import annotations

from collections.abc import Collection

from ...ir import Load, Ramp, stmts
from ..addresses import element_address
from ..builder import i32
from ..errors import CodegenError
from ..scope import Scope
from ..statements import Statements

SINCE = 80


def _copies(at: Statements) -> bool:
    processor = at.function.module.target.processor
    return int(processor.removeprefix("sm_").rstrip("af")) >= SINCE


def copy(at: Statements, node: stmts.AsyncCopy, scope: Scope, overlapping: Collection[str]) -> None:
    """Asks for a copy; those of 16 bytes go past the nearest cache. Of memories that are
    `overlapping` others something else may be written by the thread itself: they are loaded."""
    store = node.store
    if not isinstance(store, stmts.Store) or not isinstance(store.value, Load):
        raise CodegenError(f"no copy of memory: {store}")
    if not _copies(at) or store.value.array in overlapping:
        at.run(store, scope)
        return
    f, here, type = at.function, at.at(scope), store.value.type
    places = (store.index, store.value.indices[0])
    to, source = (
        element_address(here, name, type, here.place(x.base if isinstance(x, Ramp) else x))
        for name, x in zip((store.buffer, store.value.array), places, strict=True)
    )
    size = type.bytes * type.lanes
    way = "cg" if size == 16 else "ca"
    name = f"llvm.nvvm.cp.async.{way}.shared.global.{size}"
    f.call("void", f.module.declare(name, "void", f"{to.type}, {source.type}"), [to, source])


def commit_copies(at: Statements, node: stmts.CommitCopies, scope: Scope) -> None:
    f = at.function
    if _copies(at):
        f.call("void", f.module.declare("llvm.nvvm.cp.async.commit.group", "void", ""), [])


def await_copies(at: Statements, node: stmts.AwaitCopies, scope: Scope) -> None:
    """Waits for all groups but the last ones; where none may go on, what is in no group is one."""
    if not _copies(at):
        return
    f = at.function
    if not node.pending:
        commit_copies(at, stmts.CommitCopies(), scope)
    wait = f.module.declare("llvm.nvvm.cp.async.wait.group", "void", "i32")
    f.call("void", wait, [i32(node.pending)])
