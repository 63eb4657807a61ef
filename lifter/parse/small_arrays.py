"""Local arrays that stand for a vector in memory, element by element.

    uint8_t last[8] = {0};                     last.0 = 0; ... last.7 = 0;
    memcpy(last, s + i, m);                    if (0 < m) last.0 = s[i]; ...
    v = load(last); ... store(last, v);        last.0 = f(last.0); ...
    memcpy(d + i, last, m);                    if (0 < m) d[i] = last.0; ...

What is left behind the last whole vector goes through such arrays. More than the array holds is
never copied: the original would be undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from compiler.ir import I64, LT, Add, Const, Expr, Load, Variable, postorder, transform

from ..model.kernel import (
    Allocate,
    Array,
    Assign,
    Declare,
    If,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
)
from .effects import reads
from .folding import add

_MOST_ELEMENTS = 64


def with_elements_apart(
    body: tuple[Stmt, ...], arrays: Mapping[str, Array], fresh: Callable[[str], str]
) -> tuple[tuple[Stmt, ...], set[str]]:
    """`body` with scalars in the place of such arrays, and the names of these scalars; `fresh`
    gives names that nothing else has."""
    sizes = {name: size for name, array in arrays.items() if (size := _size(array))}
    apart = _Apart(sizes, arrays, _counters_read_outside(body))
    apart.look(body)
    if not apart.sizes:
        return body, set()
    for name, size in apart.sizes.items():
        for place in range(size):
            apart.names[name, place] = fresh(f"{name}.{place}")
    return tuple(apart.rewritten(body)), set(apart.names.values())


def _size(array: Array) -> int:
    """How many elements a local array has that may be taken apart; 0 for others."""
    if array.origin != "local" or array.values is not None or len(array.shape or ()) > 1:
        return 0
    size = array.size
    if not isinstance(size, Const) or not 1 < size.value <= _MOST_ELEMENTS:
        return 0
    return int(size.value)


def _counters_read_outside(body: Sequence[Stmt]) -> set[str]:
    """Scalars that are read somewhere else than in a loop that copies, or begins, by them."""
    found: set[str] = set()
    for stmt in body:
        copied = _copy(stmt)
        if copied is not None:
            found |= reads(copied.count)
            found |= reads(*expressions_of(copied.store)) - {copied.counter.name}
            continue
        inner = [*_parts(stmt)]
        found |= {n for e in expressions_of(stmt) for n in reads(e)}
        found |= _counters_read_outside(inner)
    return found


def _parts(stmt: Stmt) -> Iterable[Stmt]:
    if isinstance(stmt, If):
        return (*stmt.then, *stmt.otherwise)
    if isinstance(stmt, WhileLoop):
        return (*stmt.body, *stmt.step, *stmt.again)
    return ()


class _Copy:
    """`while (k < count) { array[k] = value; k = k + 1 }`."""

    def __init__(self, counter: Variable, count: Expr, store: Store) -> None:
        self.counter, self.count, self.store = counter, count, store

    def at(self, place: int) -> Store:
        """The store of one iteration."""
        known = Const(I64, place)

        def visit(node: Expr) -> Expr:
            if node is self.counter:
                return known
            return add(node.a, node.b) if isinstance(node, Add) and node.type is I64 else node

        indices = tuple(transform(i, visit) for i in self.store.indices)
        return replace(self.store, indices=indices, value=transform(self.store.value, visit))


def _copy(stmt: Stmt) -> _Copy | None:
    if not isinstance(stmt, WhileLoop) or not isinstance(stmt.condition, LT):
        return None
    counter, count = stmt.condition.children
    if not isinstance(counter, Variable) or counter.type is not I64 or stmt.again:
        return None
    if len(stmt.body) != 1 or not isinstance(stmt.body[0], Store) or not stmt.test_first:
        return None
    if len(stmt.step) != 1 or counter.name in reads(count):
        return None
    (step,) = stmt.step
    is_step = isinstance(step, Assign) and step.name == counter.name
    if not is_step or getattr(step, "value", None) is not Add(counter, Const(I64, 1)):
        return None
    return _Copy(counter, count, stmt.body[0])


class _Apart:
    def __init__(
        self, sizes: dict[str, int], arrays: Mapping[str, Array], counters: set[str]
    ) -> None:
        self.sizes = sizes
        self.arrays = arrays
        self.counters = counters
        """Those that somebody else reads."""
        self.names: dict[tuple[str, int], str] = {}

    def scalar(self, array: str, place: int) -> Variable:
        """The scalar that an element is."""
        return Variable(self.names[array, place], self.arrays[array].type)

    # Which arrays

    def look(self, body: Sequence[Stmt]) -> None:
        """Forgets the arrays that are used otherwise."""
        before: Stmt | None = None
        for stmt in body:
            if self._own_copy(before, stmt) is None:
                self._see(stmt)
                self.look(tuple(_parts(stmt)))
            before = stmt

    def _own_copy(self, before: Stmt | None, stmt: Stmt) -> _Copy | None:
        """A loop that copies to, or from, one of the arrays, from its first element on."""
        copied = _copy(stmt)
        if copied is None or copied.counter.name in self.counters:
            return None
        start = before if isinstance(before, Assign) else None
        if start is None or start.name != copied.counter.name or start.value is not Const(I64, 0):
            return None
        places = [(copied.store.array, copied.store.indices)]
        loads = [n for n in postorder(copied.store.value) if isinstance(n, Load)]
        places += [(n.array, n.indices) for n in loads]
        own = [indices for array, indices in places if array in self.sizes]
        if len(own) != 1 or own[0] != (copied.counter,):
            return None
        return copied

    def _see(self, stmt: Stmt) -> None:
        places = [
            (n.array, n.indices) for n in postorder(*expressions_of(stmt)) if isinstance(n, Load)
        ]
        if isinstance(stmt, Store):
            places.append((stmt.array, stmt.indices))
        for array, indices in places:
            if array in self.sizes:
                (place, *others) = indices
                known = isinstance(place, Const) and 0 <= place.value < self.sizes[array]
                if others or not known:
                    del self.sizes[array]

    # What they become

    def rewritten(self, body: Sequence[Stmt]) -> list[Stmt]:
        made: list[Stmt] = []
        before: Stmt | None = None
        for stmt in body:
            copied = self._own_copy(before, stmt)
            before = stmt
            if copied is not None:
                made.pop()  # where its counter begins
                made += self._copied(copied)
            elif isinstance(stmt, Allocate) and stmt.array in self.sizes:
                scalars = [self.scalar(stmt.array, e) for e in range(self.sizes[stmt.array])]
                made += [Declare(stmt.span, s.name, s.type) for s in scalars]
            else:
                made.append(self._changed(stmt))
        return made

    def _copied(self, copied: _Copy) -> Iterable[Stmt]:
        arrays = [copied.store.array]
        arrays += [n.array for n in postorder(copied.store.value) if isinstance(n, Load)]
        (size,) = (self.sizes[a] for a in arrays if a in self.sizes)
        for place in range(size):
            stmt = self._changed(copied.at(place))
            test = LT(Const(I64, place), copied.count)
            if not isinstance(copied.count, Const):
                yield If(stmt.span, test, (stmt,))
            elif place < copied.count.value:
                yield stmt

    def _changed(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, If):
            then, otherwise = (tuple(self.rewritten(p)) for p in (stmt.then, stmt.otherwise))
            return replace(stmt, condition=self._of(stmt.condition), then=then, otherwise=otherwise)
        if isinstance(stmt, WhileLoop):
            inner = [tuple(self.rewritten(p)) for p in (stmt.body, stmt.step, stmt.again)]
            body, step, again = inner
            condition = self._of(stmt.condition)
            return replace(stmt, condition=condition, body=body, step=step, again=again)
        if isinstance(stmt, Store):
            value = self._of(stmt.value)
            if stmt.array in self.sizes:
                (place,) = stmt.indices
                assert isinstance(place, Const)
                return Assign(stmt.span, self.scalar(stmt.array, int(place.value)).name, value)
            return replace(stmt, indices=tuple(map(self._of, stmt.indices)), value=value)
        if isinstance(stmt, Assign):
            return replace(stmt, value=self._of(stmt.value))
        return stmt

    def _of(self, value: Expr) -> Expr:
        def visit(node: Expr) -> Expr:
            if isinstance(node, Load) and node.array in self.sizes:
                (place,) = node.indices
                assert isinstance(place, Const)
                return self.scalar(node.array, int(place.value))
            return node

        return transform(value, visit)


__all__ = ["with_elements_apart"]
