"""Which streamed buffers an innermost loop fills element after element, and in how many rows.

A loop may fill several rows of one buffer side by side, as where channels or rows of an image are
unrolled around the vectors of a row: each is a stream with a memory of its own, so the stores to
each get a name of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .. import ir
from ..ir import I32, I64, Cast, Const, Expr, Load, Ramp, Variable, stmts
from ..ir.stmt_transform import children_of, rebuild
from .affine import as_ramp, constant_stride, terms
from .names import expressions

LARGEST_STEP = 4096
"""Bytes that one iteration may store; a wider one leaves no room for a strip."""

_Lets = Mapping[str, Expr]
_Terms = Mapping[Expr, int]


@dataclass(frozen=True)
class Stream:
    """What one iteration stores to a row of `buffer`: `step` elements from `first` on."""

    buffer: str
    name: str
    """The buffer of these stores in the loop that `streams_of` returns."""
    first: Expr
    """With the lets of the loop's body put in: over the loop's variable and outer ones."""
    step: int
    bytes: int
    """Of one element."""


@dataclass(frozen=True)
class _Place:
    """Where a store begins: sum of `terms` + `factor` * the loop's variable + `constant`."""

    store: stmts.Store
    base: Expr
    stride: int
    terms: _Terms
    factor: int
    constant: int

    def is_in_row(self, other: _Place) -> bool:
        return self.factor == other.factor and self.terms == other.terms


def streams_of(loop: stmts.For, names: frozenset[str]) -> tuple[stmts.For, list[Stream]]:
    """The loop with its rows' stores named, and the rows that it fills without gaps.

    No rows where a streamed buffer is written in any other way.
    """
    if not names:
        return loop, []
    places: dict[str, list[_Place]] = {}
    for store, lets, sure in _stores(loop.body, {}, True):
        if store.buffer in names:
            place = _place(store, lets, loop.name)
            if place is None or not sure or store.predicate is not None:
                return loop, []
            places.setdefault(store.buffer, []).append(place)
    roots = expressions(loop.body)
    read = {node.array for node in ir.postorder(*roots) if isinstance(node, Load)}
    found: list[Stream] = []
    renamed: dict[int, str] = {}
    for buffer, group in places.items():
        rows = _rows(buffer, group)
        streams = [_stream(buffer, i, row) for i, row in enumerate(rows)]
        if any(s is None for s in streams):
            return loop, []
        if buffer in read:
            continue
        for stream, row in zip(streams, rows, strict=True):
            if stream is not None:
                found.append(stream)
                renamed.update((id(place.store), stream.name) for place in row)
    return replace(loop, body=_renamed(loop.body, renamed)), found


def _stores(
    stmt: stmts.Stmt | None, lets: _Lets, sure: bool
) -> Iterator[tuple[stmts.Store, _Lets, bool]]:
    """Each store, the lets around it, and whether it runs exactly once."""
    match stmt:
        case stmts.Store():
            yield stmt, lets, sure
        case stmts.Block():
            for part in stmt.stmts:
                yield from _stores(part, lets, sure)
        case stmts.LetStmt():
            value = _put_in(stmt.value, lets)
            yield from _stores(stmt.body, {**lets, stmt.name: value}, sure)
        case stmts.ProducerConsumer() | stmts.Allocate():
            yield from _stores(stmt.body, lets, sure)
        case stmts.For() | stmts.Atomic():
            yield from _stores(stmt.body, lets, False)
        case stmts.IfThenElse():
            yield from _stores(stmt.then, lets, False)
            yield from _stores(stmt.otherwise, lets, False)


def _put_in(expr: Expr, lets: _Lets) -> Expr:
    mapping: dict[Expr, Expr] = {}
    for node in ir.postorder(expr):
        if isinstance(node, Variable) and node.name in lets:
            mapping[node] = lets[node.name]
    return ir.substitute(expr, mapping) if mapping else expr


def _place(store: stmts.Store, lets: _Lets, variable: str) -> _Place | None:
    index, lanes = _put_in(store.index, lets), store.value.type.lanes
    ramp = as_ramp(index) if lanes > 1 else Ramp(index, Const(index.type, 1), 2)
    stride = constant_stride(ramp) if ramp is not None else None
    if ramp is None or stride is None or stride < 1:
        return None
    linear = _linear(ramp.base, variable)
    return None if linear is None else _Place(store, ramp.base, stride, *linear)


def _linear(index: Expr, variable: str) -> tuple[dict[Expr, int], int, int] | None:
    """`index` as (terms without `variable`, the variable's factor, the constant)."""
    rest: dict[Expr, int] = {}
    factor = constant = 0
    work = [(index, 1)]
    while work:
        expr, times = work.pop()
        parts, number = terms(expr)
        constant += number * times
        for atom, count in parts.items():
            inner = _narrow(atom)
            if isinstance(inner, Variable) and inner.name == variable:
                factor += count * times
            elif inner is not atom and _is_sum(inner):
                work.append((inner, count * times))
            elif _mentions(inner, variable):
                return None
            else:
                rest[inner] = rest.get(inner, 0) + count * times
    return {atom: count for atom, count in rest.items() if count}, factor, constant


def _narrow(expr: Expr) -> Expr:
    """The coordinate that `expr` widens, if it does no more than that."""
    if isinstance(expr, Cast) and expr.type is I64 and expr.value.type is I32:
        return expr.value
    return expr


def _is_sum(expr: Expr) -> bool:
    """Whether `terms` takes the expression apart."""
    if isinstance(expr, ir.Mul):
        return isinstance(expr.a, Const) or isinstance(expr.b, Const)
    return isinstance(expr, ir.Add | ir.Sub)


def _mentions(expr: Expr, variable: str) -> bool:
    return any(isinstance(n, Variable) and n.name == variable for n in ir.postorder(expr))


def _rows(buffer: str, places: Sequence[_Place]) -> list[list[_Place]]:
    """The places row by row; all as one row where two rows may meet in a point.

    They don't where they are a fixed number of strides of outer dimensions apart.
    """
    rows: list[list[_Place]] = []
    for place in places:
        for row in rows:
            if place.is_in_row(row[0]):
                row.append(place)
                break
        else:
            rows.append([place])
    for i, row in enumerate(rows):
        for other in rows[:i]:
            if not _are_apart(buffer, row[0], other[0]):
                return [list(places)]
    return rows


def _are_apart(buffer: str, a: _Place, b: _Place) -> bool:
    if a.factor != b.factor:
        return False
    between: dict[tuple[Expr, ...], int] = {}
    for place, sign in ((a, 1), (b, -1)):
        for term, count in place.terms.items():
            for atoms, times in _products(term).items():
                between[atoms] = between.get(atoms, 0) + sign * count * times
    left = [atoms for atoms, count in between.items() if count and atoms]
    return bool(left) and all(len(atoms) == 1 and _is_pitch(atoms[0], buffer) for atoms in left)


def _is_pitch(expr: Expr, buffer: str) -> bool:
    start = f"{buffer}.stride."
    return isinstance(expr, Variable) and expr.name.startswith(start) and expr.name != f"{start}0"


def _products(expr: Expr) -> dict[tuple[Expr, ...], int]:
    """`expr` as a sum of products: how often each is in it, the constant as the empty one."""
    expr = _narrow(expr)
    if isinstance(expr, Const):
        return {(): int(expr.value)}
    if isinstance(expr, ir.Neg):
        return {atoms: -count for atoms, count in _products(expr.value).items()}
    if not isinstance(expr, ir.Add | ir.Sub | ir.Mul):
        return {(expr,): 1}
    made: dict[tuple[Expr, ...], int] = {}
    first, second = _products(expr.a), _products(expr.b)
    if not isinstance(expr, ir.Mul):
        sign = 1 if isinstance(expr, ir.Add) else -1
        for part, times in ((first, 1), (second, sign)):
            for atoms, count in part.items():
                made[atoms] = made.get(atoms, 0) + times * count
        return made
    for a, m in first.items():
        for b, n in second.items():
            atoms = tuple(sorted((*a, *b), key=id))
            made[atoms] = made.get(atoms, 0) + m * n
    return made


def _stream(buffer: str, number: int, row: Sequence[_Place]) -> Stream | None:
    first = min(row, key=lambda place: place.constant)
    if not all(place.is_in_row(first) for place in row):
        return None
    step, size = first.factor, first.store.value.type.element.bytes
    covered: set[int] = set()
    total = 0
    for place in row:
        lanes = place.store.value.type.lanes
        covered.update(place.constant + place.stride * lane for lane in range(lanes))
        total += lanes
    whole = len(covered) == total == step and max(covered) - min(covered) + 1 == step
    if not whole or step * size > LARGEST_STEP or step * size < 8:
        return None
    return Stream(buffer, f"{buffer}/{number}" if number else buffer, first.base, step, size)


def _renamed(stmt: stmts.Stmt, names: Mapping[int, str]) -> stmts.Stmt:
    if isinstance(stmt, stmts.Store):
        return replace(stmt, buffer=names.get(id(stmt), stmt.buffer))
    children = tuple(_renamed(child, names) for child in children_of(stmt))
    return rebuild(stmt, children, lambda e: e)
