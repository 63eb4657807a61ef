"""Requests for memory that is wanted soon: one for each cache line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import Const
from ..ir.stmts import Prefetch
from .addresses import element_address
from .builder import FunctionBuilder, Value, i64

if TYPE_CHECKING:
    from .expressions import Expressions

LINE = 64
UNROLLED = 8
"""Up to so many lines are asked for one after the other; more are asked for in a loop."""


def prefetch(at: Expressions, node: Prefetch) -> None:
    """Asks for `node.count` elements from `node.index` on; no harm where they don't exist."""
    f, size = at.function, node.type.bytes
    address = element_address(at, node.buffer, node.type, at.index(node.index))
    if isinstance(node.count, Const):
        # Without knowing where in a line the first byte lies.
        lines = (int(node.count.value) * size + 2 * LINE - 2) // LINE
        if 0 < lines <= UNROLLED:
            for line in range(lines):
                _ask(f, address, i64(line * LINE))
            return
    number = f.emit("i64", f"ptrtoint {address} to i64")
    into = f.emit("i64", f"and {number}, {LINE - 1}")
    count = f.emit("i64", f"mul {at.index(node.count)}, {size}")
    beyond = f.emit("i64", f"add {f.emit('i64', f'add {count}, {into.text}')}, {LINE - 1}")
    some = f.emit("i1", f"icmp sgt {count}, 0")
    all_lines = f.emit("i64", f"ashr {beyond}, {LINE.bit_length() - 1}")
    lines_asked = f.emit("i64", f"select {some}, {all_lines}, i64 0")
    with f.counting(lines_asked) as line_number:
        _ask(f, address, f.emit("i64", f"shl {line_number}, {LINE.bit_length() - 1}"))


def _ask(f: FunctionBuilder, address: Value, offset: Value) -> None:
    place = f.emit("ptr", f"getelementptr i8, {address}, {offset}")
    callee = f.module.declare("llvm.prefetch.p0", "void", "ptr, i32, i32, i32")
    # A read (0) of data (1) that is kept in all caches (3).
    f.do(f"call void {callee}({place}, i32 0, i32 3, i32 1)")
