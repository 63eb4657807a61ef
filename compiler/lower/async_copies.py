"""Copies into a block's memory that go on while its threads do something else.

A thread asks for a copy and doesn't wait for it; it waits for all that it has asked for in front of
the next barrier, behind which the block's threads find what was copied.

    f[tx] = a[x]                   async: f[tx] = a[x]
    barrier                 ->     await copies
    g[x] = f[tx + 1]               barrier
                                   g[x] = f[tx + 1]

A copy is of 4, 8 or 16 bytes at a multiple of that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import gcd

from ..ir import Add, Cast, Const, Expr, Load, Mod, Mul, Neg, Ramp, Sub
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, rebuild, walk
from ..lang import HalideError
from .barriers import Together

BYTES = (4, 8, 16)
"""What one copy may have."""


def with_async_copies(
    stmt: s.Stmt, buffers: Collection[str], alignments: Mapping[str, int], loop: str
) -> s.Stmt:
    """`stmt` of a kernel, with what is stored to `buffers` copied asynchronously.

    `alignments` says, by memory, of which number of bytes its address is a multiple; `loop` is the
    kernel's outermost one, for messages. Raises `HalideError` for stores that are no copies of
    memory that the kernel only reads.
    """
    if not buffers:
        return stmt
    made = {x.buffer for x in _all(stmt) if isinstance(x, s.Allocate)}
    written = made | {x.buffer for x in _all(stmt) if isinstance(x, s.Store)}

    def visit(stmt: s.Stmt) -> s.Stmt:
        if isinstance(stmt, Together):
            return Together(visit(stmt.body), stmt.extents)
        if isinstance(stmt, s.Store) and stmt.buffer in buffers:
            value = stmt.value
            reason = "is computed"
            if isinstance(value, Load) and value.predicate is stmt.predicate is None:
                reason = "is of memory that the kernel writes, too"
                if value.array not in written:
                    copies = _copies(stmt, value, alignments)
                    if copies:
                        return block(*copies)
                    reason = "isn't 4, 8 or 16 bytes in a row, at a multiple of that"
            raise HalideError(
                f"{stmt.buffer} is stored in GPUSharedAsync memory, in the kernel of {loop}, so "
                "what is stored there must be a plain copy of what lies in the device's memory: "
                f"what is stored {reason}. Use GPUShared."
            )
        return rebuild(stmt, tuple(map(visit, children_of(stmt))), lambda e: e)

    return visit(stmt)


def _all(stmt: s.Stmt) -> list[s.Stmt]:
    """The statements of a kernel, those of threads among them."""
    found: list[s.Stmt] = []
    for x in walk(stmt):
        found += walk(x.body) if isinstance(x, Together) else (x,)
    return found


def _copies(store: s.Store, value: Load, alignments: Mapping[str, int]) -> list[s.Stmt]:
    """The copies that a store is; none where it is no such copy."""
    element, places = value.type.element, (store.index, value.indices[0])
    if value.type.lanes == 1:
        return [s.AsyncCopy(store)] if element.bytes in BYTES else []
    ramps = [x for x in places if isinstance(x, Ramp)]
    if len(ramps) < 2 or any(not isinstance(x.stride, Const) for x in ramps):
        return []
    lanes, in_a_row = value.type.lanes, all(_is_one(x.stride) for x in ramps)
    aligned = gcd(_multiple(ramps[0].base), _multiple(ramps[1].base)) * element.bytes
    aligned = gcd(aligned, alignments.get(value.array, s.DEVICE_ALIGNMENT))
    size = lanes * element.bytes
    if in_a_row and size in BYTES and aligned % size == 0:
        return [s.AsyncCopy(store)]
    if element.bytes not in BYTES:
        return []
    to, source = ramps
    return [
        s.AsyncCopy(
            s.Store(store.buffer, Load(value.array, (_lane(source, i),), element), _lane(to, i))
        )
        for i in range(lanes)
    ]


def _is_one(e: Expr) -> bool:
    return isinstance(e, Const) and e.value == 1


def _lane(ramp: Ramp, number: int) -> Expr:
    assert isinstance(ramp.stride, Const)
    return Add(ramp.base, Const(ramp.base.type, int(ramp.stride.value) * number))


def _multiple(e: Expr) -> int:
    """A number that a coordinate is a multiple of; 0 for 0. Coordinates don't overflow."""
    match e:
        case Const(value=value):
            return abs(int(value))
        case Add(a=a, b=b) | Sub(a=a, b=b) | Mod(a=a, b=b):
            return gcd(_multiple(a), _multiple(b))
        case Mul(a=a, b=b):
            return _multiple(a) * _multiple(b)
        case Neg(value=value):
            return _multiple(value)
        case Cast(value=value) if e.type.is_int and value.type.is_int:
            return _multiple(value)
    return 1


def with_awaited_copies(stmt: s.Stmt) -> s.Stmt:
    """A kernel's body, whose threads wait for their copies in front of the next barrier."""
    made, outstanding = _awaited(stmt, False)
    return block(made, s.AwaitCopies()) if outstanding else made


def _asks(stmt: s.Stmt) -> bool:
    """Whether there are copies in a statement that nobody waits for by their group."""
    if isinstance(stmt, s.Ahead | s.AsyncCopy):
        return isinstance(stmt, s.AsyncCopy)
    return any(map(_asks, children_of(stmt)))


def _awaited(stmt: s.Stmt, outstanding: bool) -> tuple[s.Stmt, bool]:
    """`stmt` behind copies, if any are `outstanding`, and whether some are at its end."""
    if isinstance(stmt, s.Barrier):
        return (block(s.AwaitCopies(), stmt) if outstanding else stmt), False
    if not any(isinstance(x, s.Barrier) for x in walk(stmt)):
        return stmt, outstanding or _asks(stmt)
    match stmt:
        case s.Block(stmts):
            parts: list[s.Stmt] = []
            for part in stmts:
                made, outstanding = _awaited(part, outstanding)
                parts.append(made)
            return block(*parts), outstanding
        case s.For(body=body):
            made, end = _awaited(body, outstanding)
            if end and not outstanding:
                made, end = _awaited(body, True)
            return rebuild(stmt, (made,), lambda e: e), outstanding or end
    children, ends = [], []
    for child in children_of(stmt):
        made, end = _awaited(child, outstanding)
        children.append(made)
        ends.append(end)
    if isinstance(stmt, s.IfThenElse) and stmt.otherwise is None:
        ends.append(outstanding)
    return rebuild(stmt, tuple(children), lambda e: e), any(ends)


__all__ = ["with_async_copies", "with_awaited_copies"]
