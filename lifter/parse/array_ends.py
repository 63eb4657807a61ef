"""Loops that nothing but what they read ends: the array's own end, which they don't pass, does.

    while (hist[i] == 0) i++;        becomes        while (i < 256 && hist[i] == 0) i++;

Where `hist` has 256 elements, the loop on the left reads no other ones in any run that C++ gives a
meaning to; so the condition on the right holds whenever the one on the left is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from compiler.ir import (
    GE,
    I32,
    I64,
    LT,
    TRUE,
    U32,
    U64,
    Add,
    And,
    Cast,
    Comparison,
    Const,
    Expr,
    Load,
    Or,
    Select,
    Sub,
    Variable,
    postorder,
)

from ..model.kernel import Assign, Declare, Stmt, WhileLoop, statements
from .cleanup import rewritten
from .effects import reads, writes
from .exits import conjuncts, step_of

_FEWEST = 65
"""Elements of an array: loops of fewer iterations are written out, and what a search is then, a
choice in a choice for each, takes the compiler very long."""
_UP = (I32, I64, U32, U64)
_DOWN = (I32, I64)


def with_array_ends(body: tuple[Stmt, ...], counts: Mapping[str, int]) -> tuple[Stmt, ...]:
    """`body` with bounds for loops that end by what they read; `counts` says how many elements
    arrays have."""

    def rewrite(stmt: Stmt) -> Sequence[Stmt]:
        if not isinstance(stmt, WhileLoop) or not stmt.test_first or stmt.condition is TRUE:
            return (stmt,)
        changed = writes((stmt,))
        parts = conjuncts(stmt.condition)
        if not all(_asks_elsewhere(part, changed) for part in parts):
            return (stmt,)  # it has a bound
        for part in parts:
            end = _end(part, stmt, counts)
            if end is not None:
                return (replace(stmt, condition=And(end, stmt.condition)),)
        return (stmt,)

    return rewritten(body, rewrite)


def _asks_elsewhere(part: Expr, changed: set[str]) -> bool:
    """Whether a condition reads another element in each iteration."""
    loads = (n for n in postorder(part) if isinstance(n, Load))
    return any(reads(*load.indices) & changed for load in loads)


def _end(part: Expr, loop: WhileLoop, counts: Mapping[str, int]) -> Expr | None:
    """What holds where a part of a loop's condition reads an element that the array has."""
    if not isinstance(part, Comparison):
        return None
    if any(isinstance(n, (And, Or, Select)) for n in postorder(part)):
        return None  # it may read nothing
    for load in (n for n in postorder(part) if isinstance(n, Load)):
        count = counts.get(load.array)
        place = _place(load.indices[0]) if len(load.indices) == 1 else None
        if count is None or count < _FEWEST or place is None:
            continue
        index, begin = place
        step = _step(index, loop)
        if step > 0 and index.type in _UP and (begin == 0 or index.type in _DOWN):
            return LT(index, Const(index.type, count - begin))
        if step < 0 and index.type in _DOWN:
            return GE(index, Const(index.type, -begin))
    return None


def _place(index: Expr) -> tuple[Variable, int] | None:
    """A scalar, and the constant that is added to it."""
    while isinstance(index, Cast) and 32 <= index.value.type.bits <= index.type.bits:
        index = index.value
    match index:
        case Variable():
            return index, 0
        case Add(a=Variable() as scalar, b=Const() as begin):
            return scalar, int(begin.value)
        case Sub(a=Variable() as scalar, b=Const() as begin):
            return scalar, -int(begin.value)
    return None


def _step(index: Variable, loop: WhileLoop) -> int:
    """By how much a loop moves a scalar, which it sets in one place; 0 where that isn't known."""
    changes = [
        s for s in statements((loop,))
        if isinstance(s, (Assign, Declare)) and s.name == index.name
    ]  # fmt: skip
    step = step_of(changes[0]) if len(changes) == 1 else None
    return int(step.value) if isinstance(step, Const) and step.type.is_integer else 0
