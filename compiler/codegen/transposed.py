"""Neighbouring columns of an image, each a vector of some rows, read and written row by row.

    out[ramp(x + 0, pitch, 8)] = f(a[ramp(x + 0, pitch, 8)])
    ...                                                        ->  8 rows of a, transposed in
    out[ramp(x + 7, pitch, 8)] = f(a[ramp(x + 7, pitch, 8)])       registers, and 8 rows of out

A recursion along rows that is vectorized across them and unrolled along them is made of these. What
one column reads of the column before it stays in its register, also from one iteration of a loop
to the next. All memory is read before any of it is written: where the pitch may be so small that
rows share elements, that is decided at run time, and the stores go as they stand.

Nothing is read or written but the elements that the statements name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..ir import (
    I32,
    Add,
    Const,
    Expr,
    Load,
    Ramp,
    Type,
    Variable,
    const,
    postorder,
    substitute,
    value_in_lane,
)
from ..ir.stmts import Block, For, Stmt, Store
from . import memory
from .addresses import element_address, load_dense, shuffle
from .affine import as_ramp, constant_stride, distance
from .builder import FunctionBuilder, Value
from .llvm_types import memory_type
from .scope import BoundVariable, Scope
from .strided import MAX_STRIDE

if TYPE_CHECKING:
    from .expressions import Expressions
    from .statements import Statements

FEWEST = 4
"""Columns, and rows, of the smallest block that is transposed."""

PART = 16
"""Bytes within which machines interleave elements in one instruction."""


@dataclass
class Columns:
    """Columns of one array, by how far each lies from the first one that was found."""

    array: str
    type: Type
    """Of a column: as many lanes as there are rows."""
    base: Expr
    stride: Expr
    loads: dict[Load, int] = field(default_factory=dict)

    def offset(self, array: str, type: Type, ramp: Ramp) -> int | None:
        """Where a column of some array lies, if it is one of these."""
        if (array, type, ramp.stride) != (self.array, self.type, self.stride):
            return None
        return distance(self.base, ramp.base)


@dataclass
class Written(Columns):
    """Columns that are written, and read where they are not yet."""

    stores: list[int] = field(default_factory=list)

    @property
    def span(self) -> int:
        """How many elements of a row are touched, or lie between two that are."""
        every = [*self.stores, *self.loads.values()]
        return max(every) - min(every) + 1

    def apart(self) -> bool | None:
        """Whether no two rows share an element; None where the pitch decides at run time."""
        if not isinstance(self.stride, Const):
            return None
        return abs(int(self.stride.value)) >= self.span


@dataclass
class Transposition:
    """Stores that follow one another, with the columns that they read and write."""

    stores: Sequence[Store]
    read: list[Columns]
    written: dict[str, Written]
    """By buffer; what is stored in dense vectors is not among them."""
    forwarded: dict[tuple[int, Load], int]
    """By the number of a store and a load in it: the column that an earlier one of them wrote."""


def transpositions(stmts: Sequence[Stmt]) -> Iterator[Stmt | Transposition]:
    """The statements in order, with those together whose columns are worth transposing."""
    run: list[Store] = []
    for stmt in (*stmts, None):
        if isinstance(stmt, Store) and stmt.predicate is None and stmt.value.type.lanes >= FEWEST:
            run.append(stmt)
            continue
        if run:
            found = transposition(run)
            yield from run if found is None else (found,)
            run = []
        if stmt is not None:
            yield stmt


def alone(body: Stmt) -> Transposition | None:
    """The transposition that `body` is, if it is nothing else."""
    if not isinstance(body, Block) or not all(isinstance(x, Store) for x in body.stmts):
        return None
    parts = list(transpositions(body.stmts))
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Transposition) else None


def transposition(stores: Sequence[Store]) -> Transposition | None:
    """`stores` as one; None where some read what they must not, or nothing is gained."""
    if len(stores) < FEWEST or len({store.value.type.lanes for store in stores}) > 1:
        return None
    written: dict[str, Written] = {}
    dense: set[str] = set()
    for store in stores:
        ramp, type = as_ramp(store.index), store.value.type
        if ramp is None or not _is_column(ramp, type):
            dense.add(store.buffer)
            continue
        first = Written(store.buffer, type, ramp.base, ramp.stride)
        columns = written.setdefault(store.buffer, first)
        offset = columns.offset(store.buffer, type, ramp)
        if offset is None:
            return None
        columns.stores.append(offset)
    if dense & set(written):
        return None
    made = Transposition(stores, [], written, {})
    done: dict[str, set[int]] = {name: set() for name in written}
    for number, store in enumerate(stores):
        for node in postorder(store.value):
            if isinstance(node, Load) and not _admit(made, number, node, done, dense):
                return None
        if store.buffer in written:
            done[store.buffer].add(written[store.buffer].stores[len(done[store.buffer])])
    if any(columns.apart() is False for columns in written.values()):
        return None
    if any(len(set(columns.stores)) < len(columns.stores) for columns in written.values()):
        return None
    blocks = [_blocks(set(c.loads.values()), c.type.lanes) for c in (*made.read, *written.values())]
    blocks += [_blocks(set(c.stores), c.type.lanes) for c in written.values()]
    return made if any(count > 1 for found in blocks for _, count in found) else None


def _admit(
    made: Transposition, number: int, node: Load, done: Mapping[str, set[int]], dense: set[str]
) -> bool:
    """Takes in a load of the store `number`; whether that was possible."""
    columns = made.written.get(node.array)
    ramp = None
    if node.predicate is None and node.type.lanes > 1 and len(node.indices) == 1:
        ramp = as_ramp(node.indices[0])
    if columns is not None:
        offset = None if ramp is None else columns.offset(node.array, node.type, ramp)
        if offset is None:
            return False
        if offset in done[node.array]:
            made.forwarded[number, node] = offset
        else:
            columns.loads[node] = offset
        return True
    if node.array in dense:
        return False
    if ramp is None or not _is_column(ramp, node.type):
        return True
    for known in made.read:
        offset = known.offset(node.array, node.type, ramp)
        if offset is not None:
            known.loads[node] = offset
            return True
    made.read.append(Columns(node.array, node.type, ramp.base, ramp.stride, {node: 0}))
    return True


def _is_column(ramp: Ramp, type: Type) -> bool:
    """Whether lanes lie so far apart that shuffles of one dense vector don't reach them."""
    if type.is_bool or type.lanes < FEWEST or type.lanes & (type.lanes - 1):
        return False
    stride = constant_stride(ramp)
    return stride is None or abs(stride) > MAX_STRIDE


def _blocks(offsets: Iterable[int], lanes: int) -> list[tuple[int, int]]:
    """(first, count) of blocks of neighbours that are transposed; what is left by ones."""
    made: list[tuple[int, int]] = []
    rest = sorted(offsets)
    while rest:
        first, length = rest[0], 1
        while length < len(rest) and rest[length] == first + length:
            length += 1
        count = min(lanes, 1 << (length.bit_length() - 1))
        count = count if count >= FEWEST else 1
        made.append((first, count))
        rest = rest[count:]
    return made


@dataclass
class Iteration:
    """A loop that is a transposition: what its iterations have to do with each other."""

    first: Value
    """Whether this is the first one."""
    slots: dict[Load, Value] = field(default_factory=dict)
    """Registers with columns that the iteration before has written."""
    offsets: dict[Load, int] = field(default_factory=dict)
    """The column of this iteration that the next one reads as that."""


def iteration(f: FunctionBuilder, loop: For, found: Transposition, first: Value) -> Iteration:
    """What there is to know inside of `loop`, whose body is a transposition."""
    made = Iteration(first)
    variable: Expr = Variable(loop.name, I32)
    for columns in found.written.values():
        following = substitute(columns.base, {variable: Add(variable, const(1))})
        step = distance(columns.base, following)
        if not step or variable in postorder(columns.stride):
            continue
        for load, offset in columns.loads.items():
            if offset + step in columns.stores:
                made.slots[load] = f.alloca(memory_type(load.type), align=64)
                made.offsets[load] = offset + step
    return made


def run(
    to: Statements, scope: Scope, found: Transposition, within: Iteration | None = None
) -> None:
    """Appends the stores; where rows share elements, one by one."""
    f = to.function
    condition: Value | None = None
    for columns in found.written.values():
        if columns.apart() is not None:
            continue
        stride = to.index_in(scope, columns.stride)
        callee = f.module.declare("llvm.abs.i64", "i64", "i64, i1")
        size = f.emit("i64", f"call i64 {callee}({stride}, i1 false)")
        fine = f.emit("i1", f"icmp sge {size}, {columns.span}")
        condition = fine if condition is None else f.emit("i1", f"and {condition}, {fine.text}")
    if condition is None:
        _run(to, scope, found, within)
        return
    yes, no, after = f.label("apart"), f.label("shared"), f.label("after")
    f.branch(condition, yes, no, likely=True)
    f.start(yes)
    _run(to, scope, found, within)
    f.jump(after)
    f.start(no)
    _one_by_one(to, scope, found)
    f.jump(after)
    f.start(after)


def _one_by_one(to: Statements, scope: Scope, found: Transposition) -> None:
    """Row after row, for none of which it matters what the others are."""
    f = to.function
    lane = Variable(f"{found.stores[0].buffer}.row", I32)
    single = [_of_lane(store, lane) for store in found.stores]
    if None in single:
        for store in found.stores:
            memory.store(to.at(scope), store)
        return
    lanes = Value("i64", str(found.stores[0].value.type.lanes))
    with f.counting(lanes, {"unroll.disable": "", "vectorize.enable": "i1 false"}) as counter:
        narrow = f.emit("i32", f"trunc {counter} to i32")
        inside = scope.with_variable(lane.name, BoundVariable(I32, narrow, counter))
        for one in single:
            assert one is not None
            memory.store(to.at(inside), one)


def _of_lane(store: Store, lane: Expr) -> Store | None:
    """What a store does in one of its lanes; None where lanes have to do with each other."""
    value, index = value_in_lane(store.value, lane), value_in_lane(store.index, lane)
    return None if value is None or index is None else Store(store.buffer, value, index)


def _run(to: Statements, scope: Scope, found: Transposition, within: Iteration | None) -> None:
    f, at = to.function, to.at(scope)
    values: dict[Load, Value] = {}
    for columns in (*found.read, *found.written.values()):
        values |= _loaded(at, columns, within)
    new: dict[str, dict[int, Value]] = {name: {} for name in found.written}
    for number, store in enumerate(found.stores):
        bound: dict[Expr, Expr] = {}
        inside = scope
        for node in postorder(store.value):
            if not isinstance(node, Load):
                continue
            offset = found.forwarded.get((number, node))
            value = values.get(node) if offset is None else new[node.array][offset]
            if value is not None:
                name = f"{node.array}.column{len(bound)}"
                bound[node] = Variable(name, node.type)
                inside = inside.with_variable(name, BoundVariable(node.type, value))
        plain = Store(store.buffer, substitute(store.value, bound), store.index)
        columns_of = found.written.get(store.buffer)
        if columns_of is None:
            memory.store(to.at(inside), plain)
            continue
        offset = columns_of.stores[len(new[store.buffer])]
        here = to.at(inside)
        new[store.buffer][offset] = here.sharing(plain.value).value(plain.value)
    for name, columns in found.written.items():
        _store(at, columns, new[name])
    if within is not None:
        for load, offset in within.offsets.items():
            f.do(f"store {new[load.array][offset]}, {within.slots[load]}")


def _loaded(at: Expressions, columns: Columns, within: Iteration | None) -> dict[Load, Value]:
    """The values that the columns have before anything is written."""
    f, type = at.function, columns.type
    by_offset: dict[int, Value] = {}
    wanted: dict[int, Load] = {}
    for load, offset in columns.loads.items():
        slot = None if within is None else within.slots.get(load)
        if within is None or slot is None:
            wanted.setdefault(offset, load)
            continue
        with f.when(within.first):
            f.do(f"store {memory.load(at.fresh(), load)}, {slot}")
        by_offset[offset] = f.emit(memory_type(type), f"load {memory_type(type)}, {slot}")
    for first, count in _blocks(wanted, type.lanes):
        if count == 1:
            by_offset[first] = memory.load(at, wanted[first])
            continue
        places = _rows(at, columns, first)
        rows = [load_dense(f, columns.array, place, type.element, count) for place in places]
        together = _joined(f, rows, count)
        for place, column in enumerate(_transposed(f, together, type, count)):
            by_offset[first + place] = column
    return {load: by_offset[offset] for load, offset in columns.loads.items()}


def _store(at: Expressions, columns: Written, values: Mapping[int, Value]) -> None:
    f, type = at.function, columns.type
    tag = f.module.memory_tag(columns.array)
    for first, count in _blocks(values, type.lanes):
        places = _rows(at, columns, first)
        if count == 1:
            for row, place in enumerate(places):
                one = f.emit(
                    memory_type(type.element), f"extractelement {values[first]}, i32 {row}"
                )
                f.do(f"store {one}, {place}, align {type.bytes}{tag}")
            continue
        made = _transposed(f, [values[first + k] for k in range(count)], type, count)
        for row, place in enumerate(places):
            group, line = divmod(row, count)
            dense = made[line]
            if count < type.lanes:
                dense = shuffle(f, dense, None, list(range(group * count, (group + 1) * count)))
            f.do(f"store {dense}, {place}, align {type.bytes}{tag}")


def _rows(at: Expressions, columns: Columns, offset: int) -> list[Value]:
    """Where each row's element of the column `offset` lies."""
    f, type = at.function, columns.type
    element = memory_type(type.element)
    first = element_address(at, columns.array, type, at.index(columns.base))
    stride = at.index(columns.stride)
    made = []
    for row in range(type.lanes):
        moved = f.emit("i64", f"mul nsw {stride}, {row}")
        moved = f.emit("i64", f"add nsw {moved}, {offset}")
        made.append(f.emit("ptr", f"getelementptr {element}, {first}, {moved}"))
    return made


def _joined(f: FunctionBuilder, rows: Sequence[Value], count: int) -> list[Value]:
    """`count` vectors, each of every `count`-th row one after the other."""
    made = []
    for first in range(count):
        parts = list(rows[first::count])
        size = count
        while len(parts) > 1:
            size *= 2
            order = list(range(size))
            parts = [shuffle(f, a, b, order) for a, b in zip(*[iter(parts)] * 2, strict=True)]
        made.append(parts[0])
    return made


def _transposed(f: FunctionBuilder, vectors: list[Value], type: Type, count: int) -> list[Value]:
    """`count` vectors with each block of `count` x `count` elements in them transposed.

    First within parts of a register, by interleaving, then parts are exchanged.
    """
    lanes = type.lanes
    part = min(max(PART // type.bytes, 1), count)
    across: list[list[Value]] = []
    for start in range(0, count, part):
        group = vectors[start : start + part]
        for _ in range(part.bit_length() - 1):
            half = len(group) // 2
            group = [
                shuffle(f, a, b, _interleaving(lanes, part, side))
                for a, b in zip(group[:half], group[half:], strict=True)
                for side in (0, 1)
            ]
        across.append(group)
    step = 1
    while step < len(across):
        low = _exchange(lanes, part, step, False)
        high = _exchange(lanes, part, step, True)
        for place in range(len(across)):
            if place & step:
                continue
            pairs = list(zip(across[place], across[place | step], strict=True))
            across[place] = [shuffle(f, a, b, low) for a, b in pairs]
            across[place | step] = [shuffle(f, a, b, high) for a, b in pairs]
        step *= 2
    return [vector for group in across for vector in group]


def _interleaving(lanes: int, part: int, side: int) -> list[int]:
    """The order taking turns between the lower (0) or upper (1) halves of two vectors' parts."""
    order: list[int] = []
    for start in range(0, lanes, part):
        first = start + side * part // 2
        order += [first + k // 2 + (lanes if k % 2 else 0) for k in range(part)]
    return order


def _exchange(lanes: int, part: int, step: int, upper: bool) -> list[int]:
    """The order that keeps the parts of one vector where `step` is off (of the other, where it is
    on), with the other's parts from there in the places between."""
    order: list[int] = []
    for place in range(lanes // part):
        is_on = bool(place & step)
        source = place + step * (int(upper) - int(is_on))
        order += [source * part + k + (lanes if is_on else 0) for k in range(part)]
    return order


__all__ = ["Transposition", "alone", "iteration", "run", "transpositions"]
