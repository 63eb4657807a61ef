"""Vectors of every second to fourth element, read as dense vectors and shuffled.

    r = a[ramp(3*x, 3, 64)]              v = a[ramp(3*x, 1, 192)]
    g = a[ramp(3*x + 1, 3, 64)]    ->    r = v[0], v[3], ...    g = v[1], v[4], ...
    b = a[ramp(3*x + 2, 3, 64)]          b = v[2], v[5], ...

Loads of one expression that lie within one stride of each other are a family and share the dense
reads. Nothing outside the family's elements is read: where they end before the last stride does,
the last dense piece ends with them and overlaps the piece before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..ir import Expr, Load, Ramp, postorder
from ..ir.stmts import Stmt, Store
from .addresses import element_address, load_dense, shuffle
from .affine import as_ramp, constant_stride, distance
from .builder import Value
from .llvm_types import memory_type

if TYPE_CHECKING:
    from .expressions import Expressions

MAX_STRIDE = 4


@dataclass
class Family:
    """Loads of one array and stride whose first elements lie less than a stride apart."""

    base: Expr
    """The index of the first element of all; of its lowest one for a negative stride."""
    stride: int
    offsets: dict[Load, int] = field(default_factory=dict)

    def admit(self, node: Load, offset: int, base: Expr) -> bool:
        """Takes `node` in, `offset` after the base, if the family stays within one stride."""
        known = [*self.offsets.values(), offset]
        if max(known) - min(known) >= self.stride:
            return False
        if offset < 0:
            self.base = base
            self.offsets = {member: old - offset for member, old in self.offsets.items()}
            offset = 0
        self.offsets[node] = offset
        return True

    @property
    def span(self) -> int:
        """Elements from the first to the last that some member reads."""
        lanes = next(iter(self.offsets)).type.lanes
        return (lanes - 1) * self.stride + max(self.offsets.values()) + 1


def families(exprs: Iterable[Expr]) -> dict[Load, Family]:
    """The family of each load in `exprs` with a constant stride of 2 to `MAX_STRIDE`."""
    found: dict[Load, Family] = {}
    by_array: dict[tuple[object, ...], list[Family]] = {}
    for node in postorder(*exprs):
        if not isinstance(node, Load) or node.type.lanes == 1 or len(node.indices) != 1:
            continue
        if node.predicate is not None:
            continue
        ramp = as_ramp(node.indices[0])
        stride = constant_stride(ramp) if ramp is not None else None
        if ramp is None or stride is None or not 2 <= stride <= MAX_STRIDE:
            continue
        candidates = by_array.setdefault((node.array, node.type, stride), [])
        for family in candidates:
            offset = distance(family.base, ramp.base)
            if offset is not None and family.admit(node, offset, ramp.base):
                found[node] = family
                break
        else:
            found[node] = Family(ramp.base, stride, {node: 0})
            candidates.append(found[node])
    return found


def families_of_neighbours(stmts: Sequence[Stmt]) -> dict[Load, Family]:
    """The families of loads of stores that follow one another without a condition.

    All elements of such a family are read by one of them or another, so that each may read the
    whole family's vectors; where they did so already, the machine does it once.
    """
    found: dict[Load, Family] = {}
    run: list[Expr] = []
    for stmt in (*stmts, None):
        if isinstance(stmt, Store) and stmt.predicate is None and stmt.value.type.lanes > 1:
            run.append(stmt.value)
            continue
        if len(run) > 1:
            found.update(families(run))
        run = []
    return found


def load(at: Expressions, node: Load, ramp: Ramp, stride: int) -> Value:
    """The elements of `node`, as they are in memory, for a stride of 1 to 4 or of -1 to -4."""
    f, lanes, step = at.function, node.type.lanes, abs(stride)
    family = at.families.get(node)
    if family is None:
        family = Family(ramp.base, step, {node: 0})
    offset = family.offsets[node]
    elements = [lane * step + offset for lane in range(lanes)]
    pieces = at.dense.get(id(family))
    if pieces is None:
        pieces = _pieces(at, node, family, stride)
        if node in at.families:
            at.dense[id(family)] = pieces
    if stride < 0:
        elements.reverse()
    if stride == 1:
        return pieces[0][1]
    if len(pieces) == 1:
        return shuffle(f, pieces[0][1], None, elements)
    where = [max(n for n, (start, _) in enumerate(pieces) if start <= e) for e in elements]
    result = pieces[0][1]
    for number, (start, piece) in enumerate(pieces[1:], 1):
        mask = [-1] * lanes
        for lane, element in enumerate(elements):
            if where[lane] == number:
                mask[lane] = lanes + element - start
            elif where[lane] < number:
                mask[lane] = element if number == 1 else lane
        result = shuffle(f, result, piece, mask)
    return result


def _pieces(at: Expressions, node: Load, family: Family, stride: int) -> list[tuple[int, Value]]:
    """Dense vectors with the number of their first element, which together hold the span."""
    f, type, lanes, span = at.function, node.type, node.type.lanes, family.span
    first = at.place(family.base)
    if stride < 0:
        first = f.emit("i64", f"sub {first}, {span - 1}")
    address = element_address(at, node.array, type, first)
    if span == lanes * family.stride:
        return [(0, load_dense(f, node.array, address, type.element, span))]
    element = memory_type(type.element)
    made = []
    for piece in range(family.stride):
        start = min(piece * lanes, span - lanes)
        place = f.element(element, address, start)
        made.append((start, load_dense(f, node.array, place, type.element, lanes)))
    return made
