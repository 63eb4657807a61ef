"""Elements that an inner loop adds to, held in a scalar meanwhile.

    c[i * n + j] = 0;                                   float held = 0;
    for (k = 0; k < n; k++)                             for (k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j]; ->     held += a[i * n + k] * b[k * n + j];
                                                        c[i * n + j] = held;

The two do the same where the loop uses the array at that one place only: other arrays lie
elsewhere, which every proof takes for granted. An element that nothing was stored to before is read
and stored under the condition that the loop runs at all, so that none is touched that the original
doesn't touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from compiler.ir import Const, Expr, Load, Variable, postorder

from ..model.kernel import (
    Allocate,
    Array,
    Assign,
    Break,
    Declare,
    If,
    Kernel,
    Return,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)
from .numbers_in_memory import renamed
from .registers import LIMIT

_Place = tuple[str, tuple[Expr, ...]]
"""An array and where in it."""


def with_sums_held(kernel: Kernel) -> Kernel:
    """The same kernel, whose inner loops add to scalars instead of to elements."""
    made = _Holding(kernel)
    body = made.block(kernel.body, frozenset())
    return kernel if body == kernel.body else replace(kernel, body=body)


class _Holding:
    def __init__(self, kernel: Kernel) -> None:
        self.arrays = kernel.arrays
        self.names = {s.name for s in statements(kernel.body) if isinstance(s, (Assign, Declare))}
        self.names |= {p.name for p in kernel.params} | set(kernel.arrays)

    def block(self, body: Sequence[Stmt], changing: frozenset[str]) -> tuple[Stmt, ...]:
        """The statements of a block in loops that change the scalars `changing`."""
        found: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, If):
                then = self.block(stmt.then, changing)
                otherwise = self.block(stmt.otherwise, changing)
                found.append(replace(stmt, then=then, otherwise=otherwise))
            elif isinstance(stmt, WhileLoop):
                self._loop(stmt, changing, found)
            else:
                found.append(stmt)
        return tuple(found)

    def _loop(self, loop: WhileLoop, changing: frozenset[str], before: list[Stmt]) -> None:
        """Appends a loop to the statements in front of it, with what holds its element."""
        place, started = self._summed_at(loop, changing, before)
        if place is None:
            body = self.block(loop.body, changing | _assigned((loop,)))
            before.append(replace(loop, body=body))
            return
        array, indices = place
        type = self.arrays[array].type
        held = self._fresh(array)
        span = loop.span
        store = Store(span, array, indices, Variable(held, type))
        load = Load(array, indices, type)
        inside = renamed((loop,), {load: Variable(held, type)})
        if started is not None:
            start = before[started]
            assert isinstance(start, Store)
            before[started] = Assign(start.span, held, start.value)
            before += [*inside, store]
            return
        start_with = Assign(span, held, load)
        if not loop.test_first:
            before += [start_with, *inside, store]
        else:
            before += [
                Declare(span, held, type),
                If(span, loop.condition, (start_with, *inside, store)),
            ]

    def _summed_at(
        self, loop: WhileLoop, changing: frozenset[str], before: Sequence[Stmt]
    ) -> tuple[_Place | None, int | None]:
        """The one place of an array that a loop adds to, and where in front of it that gets its
        first value; where that isn't seen, each iteration stores there."""
        for place in _places(loop):
            if self._is_inner(place, changing):
                started = _started(before, place)
                if started is not None or _is_touched(loop, place):
                    return place, started
        return None, None

    def _is_inner(self, place: _Place, changing: frozenset[str]) -> bool:
        """Whether loops around change the place, and it lies in memory."""
        array = self.arrays[place[0]]
        names = {n.name for n in postorder(*place[1]) if isinstance(n, Variable)}
        return bool(names & changing) and not _is_register(array)

    def _fresh(self, array: str) -> str:
        number = 1
        while (name := f"{array}.held.{number}") in self.names:
            number += 1
        self.names.add(name)
        return name


def _is_register(array: Array) -> bool:
    size = array.size
    return array.origin == "local" and isinstance(size, Const) and size.value <= LIMIT


def _assigned(body: Iterable[Stmt]) -> frozenset[str]:
    return frozenset(s.name for s in statements(tuple(body)) if isinstance(s, (Assign, Declare)))


def _places(loop: WhileLoop) -> Iterator[_Place]:
    """The places that a loop reads and stores anew, each the only one of its array that it uses,
    and the same in all iterations."""
    inner = list(statements((loop,)))
    if any(isinstance(s, (Return, Allocate)) for s in inner):
        return
    stored = {s.array for s in inner if isinstance(s, Store)}
    for stmt in inner:
        if not isinstance(stmt, Store):
            continue
        own = Load(stmt.array, stmt.indices, stmt.value.type)
        if own not in postorder(stmt.value) and not _decides(own, loop):
            continue
        if _uses(loop, stmt.array) == {stmt.indices} and _is_steady(stmt.indices, loop, stored):
            yield stmt.array, stmt.indices


def _decides(element: Load, loop: WhileLoop) -> bool:
    """Whether a branch of a loop depends on an element."""
    return any(isinstance(s, If) and element in postorder(s.condition) for s in statements((loop,)))


def _is_touched(loop: WhileLoop, place: _Place) -> bool:
    """Whether each iteration of a loop stores to a place, what was there among what it stores."""
    if any(isinstance(s, Break) for s in statements((loop,))):
        return False
    return any(
        isinstance(s, Store)
        and (s.array, s.indices) == place
        and Load(s.array, s.indices, s.value.type) in postorder(s.value)
        for s in loop.body
    )


def _uses(loop: WhileLoop, array: str) -> set[tuple[Expr, ...]]:
    """Where in an array a loop reads or stores."""
    found = set()
    for stmt in statements((loop,)):
        if isinstance(stmt, Store) and stmt.array == array:
            found.add(stmt.indices)
        for node in postorder(*expressions_of(stmt)):
            if isinstance(node, Load) and node.array == array:
                found.add(node.indices)
    return found


def _is_steady(indices: tuple[Expr, ...], loop: WhileLoop, stored: set[str]) -> bool:
    """Whether a place is the same in all iterations."""
    changed = _assigned((loop,))
    return not any(
        (isinstance(n, Variable) and n.name in changed)
        or (isinstance(n, Load) and n.array in stored)
        for n in postorder(*indices)
    )


def _started(before: Sequence[Stmt], place: _Place) -> int | None:
    """Where among the statements in front of a loop its element gets the value that the loop begins
    with; None where that isn't seen."""
    array, indices = place
    parts = list(postorder(*indices))
    names = {n.name for n in parts if isinstance(n, Variable)}
    read = {n.array for n in parts if isinstance(n, Load)}
    for number in range(len(before) - 1, -1, -1):
        stmt = before[number]
        if isinstance(stmt, Store) and (stmt.array, stmt.indices) == place:
            return number
        if not isinstance(stmt, (Assign, Declare, Store)):
            return None
        loads = {n.array for n in postorder(*expressions_of(stmt)) if isinstance(n, Load)}
        if array in loads:
            return None
        if isinstance(stmt, Store):
            if stmt.array == array or stmt.array in read:
                return None
        elif stmt.name in names:
            return None
    return None
