"""Finds strided stores that fill every element between them, to write them as one dense store.

    out[ramp(3*x + 0, 3, 64)] = r
    out[ramp(3*x + 1, 3, 64)] = g    ->    out[ramp(3*x, 1, 192)] = r0 g0 b0 r1 g1 b1 ...
    out[ramp(3*x + 2, 3, 64)] = b

All values are computed before anything is written, so that a value must not read what an earlier
store of its group wrote: a load of the same buffer must lie at other elements of the stride, or
the group ends before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir import Load, Ramp, postorder
from ..ir.stmts import Stmt, Store
from .affine import as_ramp, constant_stride, distance

MAX_STRIDE = 4
Group = tuple[Store, ...]


def interleaved(stmts: Sequence[Stmt]) -> Iterator[Stmt | Group]:
    """The statements in order, with groups of stores in the order of their first elements."""
    position = 0
    while position < len(stmts):
        group = _group_at(stmts, position)
        if group is None:
            yield stmts[position]
            position += 1
        else:
            yield tuple(sorted(group.values(), key=lambda store: _offset(group, store)))
            position += len(group)


def _offset(group: dict[int, Store], store: Store) -> int:
    return next(offset for offset, member in group.items() if member is store)


def _strided(stmt: Stmt) -> tuple[Ramp, int] | None:
    if not isinstance(stmt, Store) or stmt.predicate is not None:
        return None
    ramp = as_ramp(stmt.index) if stmt.index.type.lanes > 1 else None
    stride = constant_stride(ramp) if ramp is not None else None
    if ramp is None or stride is None or not 2 <= stride <= MAX_STRIDE:
        return None
    return ramp, stride


def _group_at(stmts: Sequence[Stmt], position: int) -> dict[int, Store] | None:
    """Stores from `position` on that fill a whole stride, by their offset from the first one."""
    first = stmts[position]
    found = _strided(first)
    if found is None or not isinstance(first, Store):
        return None
    ramp, stride = found
    group: dict[int, Store] = {0: first}
    for stmt in stmts[position + 1 : position + stride]:
        other = _strided(stmt)
        if other is None or not isinstance(stmt, Store) or other[1] != stride:
            return None
        if stmt.buffer != first.buffer or stmt.value.type is not first.value.type:
            return None
        offset = distance(ramp.base, other[0].base)
        if offset is None or offset in group or _reads_written(stmt, group, ramp, stride):
            return None
        group[offset] = stmt
    complete = len(group) == stride and max(group) - min(group) == stride - 1
    return group if complete else None


def _reads_written(stmt: Store, group: dict[int, Store], ramp: Ramp, stride: int) -> bool:
    for node in postorder(stmt.value):
        if not isinstance(node, Load) or node.array != stmt.buffer:
            continue
        read = as_ramp(node.indices[0]) if node.type.lanes > 1 else None
        offset = distance(ramp.base, read.base) if read is not None else None
        if read is None or offset is None or constant_stride(read) != stride:
            return True
        if any((offset - written) % stride == 0 for written in group):
            return True
    return False
