"""Small rewrites that make a finished body plainer without changing what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from compiler.ir import Const

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
    statements,
)
from .effects import reads

Rewrite = Callable[[Stmt], Sequence[Stmt]]


def rewritten(body: Sequence[Stmt], rewrite: Rewrite) -> tuple[Stmt, ...]:
    """`body` with each statement (inner ones first) replaced by what `rewrite` gives for it."""
    result: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, If):
            then, otherwise = rewritten(stmt.then, rewrite), rewritten(stmt.otherwise, rewrite)
            stmt = replace(stmt, then=then, otherwise=otherwise)
        elif isinstance(stmt, WhileLoop):
            inner, step = rewritten(stmt.body, rewrite), rewritten(stmt.step, rewrite)
            again = rewritten(stmt.again, rewrite)
            stmt = replace(stmt, body=inner, step=step, again=again)
        result.extend(rewrite(stmt))
    return tuple(result)


def without_unused(body: tuple[Stmt, ...], made: frozenset[str]) -> tuple[Stmt, ...]:
    """Drops assignments to the scalars `made` by the translator that nothing reads.

    Before: `skip = false; while (...) { ...; skip = true }`, after: the same without `skip`.
    """
    needed: set[str] = set()
    made_of: dict[str, set[str]] = {}
    for stmt in statements(body):
        own = reads(*expressions_of(stmt))
        if isinstance(stmt, Assign) and stmt.name in made:
            made_of.setdefault(stmt.name, set()).update(own)
        else:
            needed |= own
    pending = [*needed]
    while pending:
        more = made_of.pop(pending.pop(), set()) - needed
        needed |= more
        pending += more
    unused = made - needed
    if not unused:
        return body

    def rewrite(stmt: Stmt) -> Sequence[Stmt]:
        if isinstance(stmt, (Assign, Declare)) and stmt.name in unused:
            return ()
        if isinstance(stmt, If) and not stmt.then and not stmt.otherwise:
            return ()
        return (stmt,)

    return rewritten(body, rewrite)


def with_tables(
    body: tuple[Stmt, ...], arrays: dict[str, Array]
) -> tuple[tuple[Stmt, ...], dict[str, Array]]:
    """Local arrays that only take constants where they are declared become constant tables.

    Before: `allocate k; k[0] = 1; k[1] = 2; ... k[i]`, after: `table k = {1, 2}; ... k[i]`.
    """
    stored: dict[str, list[Store]] = {}
    for stmt in statements(body):
        if isinstance(stmt, Store):
            stored.setdefault(stmt.array, []).append(stmt)
    tables: dict[str, Array] = {}
    for name, array in arrays.items():
        values = _constants(array, stored.get(name, []))
        if values is not None and _initialised_at_once(body, name, len(values)):
            tables[name] = replace(array, origin="table", values=values)
    if not tables:
        return body, arrays

    def rewrite(stmt: Stmt) -> Sequence[Stmt]:
        gone = isinstance(stmt, (Store, Allocate)) and stmt.array in tables
        return () if gone else (stmt,)

    return rewritten(body, rewrite), {**arrays, **tables}


def _constants(array: Array, stores: Sequence[Store]) -> tuple[int | float, ...] | None:
    if array.origin != "local" or not isinstance(array.size, Const) or not array.shape:
        return None
    values: dict[int, int | float] = {}
    for store in stores:
        position = store.indices[0]
        if not isinstance(position, Const) or not isinstance(store.value, Const):
            return None
        if int(position.value) in values:
            return None
        values[int(position.value)] = store.value.value
    count = int(array.size.value)
    if set(values) != set(range(count)):
        return None
    return tuple(values[i] for i in range(count))


def _initialised_at_once(body: Sequence[Stmt], name: str, count: int) -> bool:
    """Whether all stores to the array follow right after its allocation."""
    for position, stmt in enumerate(body):
        if isinstance(stmt, Allocate) and stmt.array == name:
            following = body[position + 1 : position + 1 + count]
            return all(isinstance(s, Store) and s.array == name for s in following)
        inner = (
            (stmt.then, stmt.otherwise)
            if isinstance(stmt, If)
            else (stmt.body, stmt.step, stmt.again)
            if isinstance(stmt, WhileLoop)
            else ()
        )
        if any(_initialised_at_once(part, name, count) for part in inner):
            return True
    return False
