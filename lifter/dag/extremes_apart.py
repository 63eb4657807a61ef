"""The least and the greatest of the same numbers, told apart by one `else`.

    low = high = s[0];                                  low = high = s[0];
    for (...)                                           for (...) {
        if (s[i] < low) low = s[i];             ->          if (s[i] < low) low = s[i];
        else if (s[i] > high) high = s[i];                  if (s[i] > high) high = s[i];
                                                        }

The two do the same: both begin as one value, `low` never rises and `high` never falls, so that
`low <= high` as long as they are numbers, and what is below `low` isn't above `high`. Floats that
begin as no number stay what they are, since nothing is below or above them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from compiler.ir import GT, LT, Expr, Load, Variable, postorder

from ..model.kernel import (
    Allocate,
    Assign,
    Declare,
    If,
    Kernel,
    Stmt,
    Store,
    WhileLoop,
    statements,
)
from .polynomial import conjuncts

_Same = dict[str, Expr]
"""Scalars and what they were set to, which has the same value still."""


def with_extremes_apart(kernel: Kernel) -> Kernel:
    """The same kernel, in which greatest numbers are looked for beside least ones."""
    body = tuple(_visited(kernel.body, {}))
    return kernel if body == kernel.body else replace(kernel, body=body)


def _visited(body: Iterable[Stmt], same: _Same) -> Iterator[Stmt]:
    """The statements of a block, in front of which `same` is known."""
    for stmt in body:
        if isinstance(stmt, If):
            then = tuple(_visited(stmt.then, dict(same)))
            otherwise = tuple(_visited(stmt.otherwise, dict(same)))
            is_as_before = then == stmt.then and otherwise == stmt.otherwise
            yield stmt if is_as_before else replace(stmt, then=then, otherwise=otherwise)
        elif isinstance(stmt, WhileLoop):
            yield _loop(stmt, same)
        else:
            yield stmt
        _forget(stmt, same)
        if isinstance(stmt, Assign) and stmt.name not in _names(stmt.value):
            value = stmt.value
            known = same.get(value.name) if isinstance(value, Variable) else None
            same[stmt.name] = value if known is None else known


def _forget(stmt: Stmt, same: _Same) -> None:
    """Drops what a statement may change."""
    for inner in statements((stmt,)):
        if isinstance(inner, (Assign, Declare)):
            same.pop(inner.name, None)
            changed = {n for n, value in same.items() if inner.name in _names(value)}
        elif isinstance(inner, (Store, Allocate)):
            changed = {n for n, value in same.items() if inner.array in _arrays(value)}
        else:
            continue
        for name in changed:
            del same[name]


def _names(value: Expr) -> set[str]:
    return {n.name for n in postorder(value) if isinstance(n, Variable)}


def _arrays(value: Expr) -> set[str]:
    return {n.array for n in postorder(value) if isinstance(n, Load)}


def _loop(loop: WhileLoop, same: _Same) -> Stmt:
    inner: _Same = {}
    body = tuple(_visited(loop.body, inner))
    made = loop if body == loop.body else replace(loop, body=body)
    falling, rising = (_moved(made, kind) for kind in (LT, GT))
    pairs = {
        (low, high)
        for low in falling
        for high in rising
        if low != high and _began_alike(low, high, same)
    }
    if not pairs:
        return made
    body = tuple(_apart(made.body, pairs))
    return made if body == made.body else replace(made, body=body)


def _began_alike(low: str, high: str, same: _Same) -> bool:
    one, other = same.get(low), same.get(high)
    if one is None or other is None:
        # One was set to the other.
        known, name = (one, high) if other is None else (other, low)
        return isinstance(known, Variable) and known.name == name
    return one is other


def _moved(loop: WhileLoop, kind: type[LT] | type[GT]) -> set[str]:
    """The scalars that a loop sets to nothing but what is less than they are (or greater)."""
    every, beaten = Counter[str](), Counter[str]()
    for stmt in statements((loop,)):
        if isinstance(stmt, (Assign, Declare)):
            every[stmt.name] += 1
        elif isinstance(stmt, If) and stmt.then:
            first = stmt.then[0]
            if isinstance(first, Assign) and _beats(stmt.condition, first, kind):
                beaten[first.name] += 1
    return {name for name, count in every.items() if count == beaten[name]}


def _beats(condition: Expr, setting: Assign, kind: type[LT] | type[GT]) -> bool:
    """Whether a condition says that what a scalar is set to is less than it is (or greater)."""
    own = Variable(setting.name, setting.value.type)
    other = GT if kind is LT else LT
    wanted = (kind(setting.value, own), other(own, setting.value))
    return own not in postorder(setting.value) and any(p in wanted for p in conjuncts(condition))


def _apart(body: Iterable[Stmt], pairs: set[tuple[str, str]]) -> Iterator[Stmt]:
    for stmt in body:
        if isinstance(stmt, WhileLoop):
            inner = tuple(_apart(stmt.body, pairs))
            yield stmt if inner == stmt.body else replace(stmt, body=inner)
        elif isinstance(stmt, If) and _is_told_apart(stmt, pairs):
            yield replace(stmt, otherwise=())
            yield stmt.otherwise[0]
        elif isinstance(stmt, If):
            then, otherwise = tuple(_apart(stmt.then, pairs)), tuple(_apart(stmt.otherwise, pairs))
            is_as_before = then == stmt.then and otherwise == stmt.otherwise
            yield stmt if is_as_before else replace(stmt, then=then, otherwise=otherwise)
        else:
            yield stmt


def _is_told_apart(stmt: If, pairs: set[tuple[str, str]]) -> bool:
    """`if (v < low) low = v; else if (v > high) high = v;`, or the other way around."""
    if len(stmt.then) != 1 or len(stmt.otherwise) != 1:
        return False
    (one,), (inner,) = stmt.then, stmt.otherwise
    if not isinstance(inner, If) or inner.otherwise or len(inner.then) != 1:
        return False
    (two,) = inner.then
    if not isinstance(one, Assign) or not isinstance(two, Assign) or one.value is not two.value:
        return False
    if len(conjuncts(stmt.condition)) != 1 or len(conjuncts(inner.condition)) != 1:
        return False
    if (one.name, two.name) in pairs:
        return _beats(stmt.condition, one, LT) and _beats(inner.condition, two, GT)
    if (two.name, one.name) in pairs:
        return _beats(stmt.condition, one, GT) and _beats(inner.condition, two, LT)
    return False
