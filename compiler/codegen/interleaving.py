"""Finds strided stores that lie between each other, to write them as one dense store.

    out[ramp(3*x + 0, 3, 64)] = r
    out[ramp(3*x + 1, 3, 64)] = g    ->    out[ramp(3*x, 1, 192)] = r0 g0 b0 r1 g1 b1 ...
    out[ramp(3*x + 2, 3, 64)] = b

Where the machine leaves out lanes of a store at no cost they need not fill every element: the gaps
are lanes that are off. All values are computed before anything is written, so that a value must not
read what an earlier store of its group wrote: a load of the same buffer must lie at other elements
of the stride, or the group ends before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..ir import Load, Ramp, postorder
from ..ir.stmts import Stmt, Store
from .affine import as_ramp, constant_stride, distance

MAX_STRIDE = 4


@dataclass(frozen=True)
class StoreGroup:
    """Stores of one stride to one buffer, by how far each begins after the first of them."""

    stride: int
    stores: Mapping[int, Store]

    @property
    def has_gaps(self) -> bool:
        return len(self.stores) < self.stride

    @property
    def first(self) -> Store:
        return self.stores[0]


def interleaved(stmts: Sequence[Stmt], gaps: bool = False) -> Iterator[Stmt | StoreGroup]:
    """The statements in order, with groups of stores; `gaps` says whether groups may have any."""
    position = 0
    while position < len(stmts):
        group = _group_at(stmts, position, gaps)
        if group is None:
            yield stmts[position]
            position += 1
        else:
            yield group
            position += len(group.stores)


def _strided(stmt: Stmt) -> tuple[Ramp, int] | None:
    if not isinstance(stmt, Store) or stmt.predicate is not None:
        return None
    ramp = as_ramp(stmt.index) if stmt.index.type.lanes > 1 else None
    stride = constant_stride(ramp) if ramp is not None else None
    if ramp is None or stride is None or not 2 <= stride <= MAX_STRIDE:
        return None
    return ramp, stride


def _group_at(stmts: Sequence[Stmt], position: int, gaps: bool) -> StoreGroup | None:
    """Stores from `position` on that lie within one stride; all of its elements without `gaps`."""
    first = stmts[position]
    found = _strided(first)
    if found is None or not isinstance(first, Store):
        return None
    ramp, stride = found
    stores: dict[int, Store] = {0: first}
    for stmt in stmts[position + 1 : position + stride]:
        other = _strided(stmt)
        if other is None or not isinstance(stmt, Store) or other[1] != stride:
            break
        if stmt.buffer != first.buffer or stmt.value.type is not first.value.type:
            break
        offset = distance(ramp.base, other[0].base)
        if offset is None or offset in stores or _reads_written(stmt, stores, ramp, stride):
            break
        if max(*stores, offset) - min(*stores, offset) >= stride:
            break
        stores[offset] = stmt
    if len(stores) < stride and not gaps:
        return None
    lowest = min(stores)
    return StoreGroup(stride, {offset - lowest: stores[offset] for offset in sorted(stores)})


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
