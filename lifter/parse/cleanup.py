"""Small rewrites that make a finished body plainer without changing what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from compiler.ir import TRUE, And, Const, Expr, Variable, postorder, substitute

from .folding import negate
from .kernel import (
    Allocate,
    Array,
    Assign,
    Assume,
    Break,
    Declare,
    If,
    Loop,
    Return,
    Stmt,
    Store,
    statements,
)


def expressions_of(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement itself, without those of statements inside of it."""
    if isinstance(stmt, Assign):
        return (stmt.value,)
    if isinstance(stmt, Store):
        return (*stmt.indices, stmt.value)
    if isinstance(stmt, (If, Loop, Assume)):
        return (stmt.condition,)
    if isinstance(stmt, Return) and stmt.value is not None:
        return (stmt.value,)
    return ()


Rewrite = Callable[[Stmt], Sequence[Stmt]]


def rewritten(body: Sequence[Stmt], rewrite: Rewrite) -> tuple[Stmt, ...]:
    """`body` with each statement (inner ones first) replaced by what `rewrite` gives for it."""
    result: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, If):
            then, otherwise = rewritten(stmt.then, rewrite), rewritten(stmt.otherwise, rewrite)
            stmt = replace(stmt, then=then, otherwise=otherwise)
        elif isinstance(stmt, Loop):
            inner, step = rewritten(stmt.body, rewrite), rewritten(stmt.step, rewrite)
            stmt = replace(stmt, body=inner, step=step)
        result.extend(rewrite(stmt))
    return tuple(result)


def without_unused(body: tuple[Stmt, ...], made: frozenset[str]) -> tuple[Stmt, ...]:
    """Drops assignments to the scalars `made` by the translator that nothing reads.

    Before: `skip = false; while (...) { ...; skip = true }`, after: the same without `skip`.
    """
    read = {
        node.name
        for stmt in statements(body)
        for node in postorder(*expressions_of(stmt))
        if isinstance(node, Variable)
    }
    unused = made - read
    if not unused:
        return body

    def rewrite(stmt: Stmt) -> Sequence[Stmt]:
        if isinstance(stmt, (Assign, Declare)) and stmt.name in unused:
            return ()
        if isinstance(stmt, If) and not stmt.then and not stmt.otherwise:
            return ()
        return (stmt,)

    return rewritten(body, rewrite)


def with_plain_exits(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Loops that one `break` at the beginning or the end of the body leaves get a condition.

    Before: `while (true) { t = n; n = n - 1; if (t <= 0) break; ... }`, after:
    `t = n; n = n - 1; while (t > 0) { ...; step: t = n; n = n - 1 }`.
    """

    def rewrite(stmt: Stmt) -> Sequence[Stmt]:
        if not isinstance(stmt, Loop) or not stmt.body:
            return (stmt,)
        return _left_at_the_start(stmt) or _left_at_the_end(stmt) or (stmt,)

    return rewritten(body, rewrite)


def _left_at_the_start(loop: Loop) -> tuple[Stmt, ...]:
    at = next((i for i, s in enumerate(loop.body) if not isinstance(s, Assign)), len(loop.body))
    out = _way_out(loop.body[at : at + 1])
    before, rest = loop.body[:at], loop.body[at + 1 :]
    if out is None or not loop.test_first or _breaks((*rest, *loop.step)):
        return ()
    if loop.condition is not TRUE and (before or len(out.then) > 1):
        return ()
    stay = negate(out.condition)
    first = before[0] if before else None
    if isinstance(first, Assign) and _is_only_tested(first.name, out.condition, loop):
        # The test comes first, and the other scalars change whether it leaves or not.
        tested = substitute(out.condition, {Variable(first.name, first.value.type): first.value})
        after = before[1:]
        whole = replace(loop, condition=negate(tested), body=(*after, *rest))
        return (whole, *after, *out.then[:-1])
    condition = stay if loop.condition is TRUE else And(loop.condition, stay)
    step = (*loop.step, *before)
    return (*before, replace(loop, condition=condition, body=rest, step=step), *out.then[:-1])


def _is_only_tested(name: str, condition: Expr, loop: Loop) -> bool:
    """Whether a scalar is a boolean that nothing but the condition reads."""
    uses = [
        n
        for s in statements((loop,))
        for n in postorder(*expressions_of(s))
        if isinstance(n, Variable) and n.name == name
    ]
    own = [n for n in postorder(condition) if isinstance(n, Variable) and n.name == name]
    return len(uses) == len(own) == 1 and uses[0].type.is_bool


def _left_at_the_end(loop: Loop) -> tuple[Stmt, ...]:
    out = _way_out(loop.body[-1:])
    if out is None or loop.condition is not TRUE or loop.step or _breaks(loop.body[:-1]):
        return ()
    again = replace(loop, condition=negate(out.condition), body=loop.body[:-1], test_first=False)
    return (again, *out.then[:-1])


def _way_out(stmts: Sequence[Stmt]) -> If | None:
    """`if (c) { scalars = ...; break }`."""
    for stmt in stmts:
        if not isinstance(stmt, If) or stmt.otherwise or not stmt.then:
            return None
        *before, last = stmt.then
        if isinstance(last, Break) and all(isinstance(s, Assign) for s in before):
            return stmt
    return None


def _breaks(body: Sequence[Stmt]) -> bool:
    """Whether a `break` among the statements leaves the loop around them."""
    for stmt in body:
        if isinstance(stmt, Break):
            return True
        if isinstance(stmt, If) and (_breaks(stmt.then) or _breaks(stmt.otherwise)):
            return True
    return False


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
            else (stmt.body, stmt.step)
            if isinstance(stmt, Loop)
            else ()
        )
        if any(_initialised_at_once(part, name, count) for part in inner):
            return True
    return False
