"""Elements that a loop copies on, each from the one that the iteration before has stored.

    for (; x < 8; x++, p++) *p = p[-1];        first = p[-1]; for (; x < 8; x++, p++) *p = first;

Every iteration but the first reads what the one before has stored, which is what that read, and so
on: all store what the first one reads. That takes a single store to the array in the loop, in each
iteration, of that element alone; where iterations would store to the first one's element after all,
the proofs find it overwritten before it is read.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

from compiler.ir import Cast, Expr, Load, Variable

from ..model.kernel import (
    Break,
    Return,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)
from .closed_forms import LoopAnalysis, later
from .index import replace as substituted
from .polynomial import ZERO
from .symbolic import Executor


def with_first_element(
    executor: Executor, stmt: WhileLoop, analysis: LoopAnalysis
) -> tuple[Stmt, ...]:
    """The body of a loop whose scalars are those of an arbitrary iteration, with a name for the
    element that all iterations store, if they copy one on."""
    found = _copy(stmt)
    if found is None or found[0].array in executor.registers:
        return stmt.body
    store, load = found
    if store.span == stmt.span:
        # The loop of a call, `std::copy(d, d + n, d + 1)`: no loop of the library's has to be it.
        return stmt.body
    before = itertools.takewhile(lambda s: s is not store, stmt.body)
    with executor.dry_run():
        executor.run(before)
        to = executor.places(store.indices)
        with executor.noting_claims() as claims:
            source = executor.places(load.indices)
    counter = analysis.counter
    if tuple(later(place, counter, -1) for place in to) != source:
        return stmt.body
    executor.keep_claims(claims)
    first = Load(load.array, tuple(substituted(p, {counter: ZERO}) for p in source), load.type)
    executor.span = store.span
    executor.note_read(first)
    name = f"{store.array}@first {analysis.number}"
    executor.env[name] = first
    copied = replace(store, value=Variable(name, load.type))
    return tuple(copied if s is store else s for s in stmt.body)


def _copy(stmt: WhileLoop) -> tuple[Store, Load] | None:
    """The one store of a loop that copies an element of the array that it stores to."""
    parts = list(statements((stmt,)))
    if stmt.again or any(isinstance(s, (Break, Return)) for s in parts):
        return None
    for store in stmt.body:
        if not isinstance(store, Store):
            continue
        load = _unconverted(store.value)
        if not isinstance(load, Load) or load.array != store.array:
            continue
        stores = [s for s in parts if isinstance(s, Store) and s.array == store.array]
        loads = [
            node
            for part in parts
            for root in expressions_of(part)
            for node in _all(root)
            if isinstance(node, Load) and node.array == store.array
        ]
        return (store, load) if len(stores) == len(loads) == 1 else None
    return None


def _unconverted(value: Expr) -> Expr:
    """What is stored without conversions that change nothing: to a type that holds it and back."""
    inner = value
    while isinstance(inner, Cast):
        inner = inner.value
        if inner.type is value.type:
            return inner
        if not (inner.type.is_integer and inner.type.contains_all(value.type)):
            return value
    return inner


def _all(expr: Expr) -> list[Expr]:
    """All nodes, each as often as it is there."""
    return [expr, *(node for child in expr.children for node in _all(child))]
