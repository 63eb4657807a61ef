"""What kernel statements and expressions read and change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from compiler.ir import Expr, Load, Variable, postorder, substitute

from ..model.kernel import (
    Assign,
    Declare,
    If,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)

Part = tuple[Literal["scalar", "array"], str]
"""What an expression depends on. An array and the place of the pointer that leads into it may have
one name."""


def parts_read(*exprs: Expr) -> set[Part]:
    """The scalars, and the arrays whose contents, the expressions depend on."""
    found: set[Part] = set()
    for node in postorder(*exprs):
        if isinstance(node, Variable):
            found.add(("scalar", node.name))
        elif isinstance(node, Load):
            found.add(("array", node.array))
    return found


def parts_read_in(body: Iterable[Stmt]) -> set[Part]:
    """What the statements, inner ones included, depend on."""
    return parts_read(*(e for stmt in statements(tuple(body)) for e in expressions_of(stmt)))


def parts_written(body: Iterable[Stmt]) -> set[Part]:
    """What the statements change."""
    found: set[Part] = set()
    for stmt in statements(tuple(body)):
        if isinstance(stmt, (Assign, Declare)):
            found.add(("scalar", stmt.name))
        elif isinstance(stmt, Store):
            found.add(("array", stmt.array))
    return found


def reads(*exprs: Expr) -> set[str]:
    """The names of the scalars and arrays whose contents the expressions depend on."""
    return {name for _, name in parts_read(*exprs)}


def writes(body: Iterable[Stmt]) -> set[str]:
    """The names of the scalars and arrays that the statements change."""
    return {name for _, name in parts_written(body)}


def before(expr: Expr, steps: Sequence[Assign]) -> Expr:
    """What an expression says after some assignments, in terms of what is there before them."""
    for step in reversed(steps):
        expr = substitute(expr, {Variable(step.name, step.value.type): step.value})
    return expr


def needed_by(body: Iterable[Stmt], own: set[Part] | None = None) -> set[Part]:
    """What statements may read that isn't among their `own`, which grow by the scalars that they
    certainly set."""
    own = set() if own is None else own
    found: set[Part] = set()
    for stmt in body:
        if isinstance(stmt, WhileLoop):
            inside = set(own)
            found |= needed_by((*stmt.body, *stmt.step), inside)
            found |= parts_read(stmt.condition) - (own if stmt.test_first else inside)
            found |= needed_by(stmt.again, inside)
            continue
        found |= parts_read(*expressions_of(stmt)) - own
        if isinstance(stmt, (Assign, Declare)):
            own.add(("scalar", stmt.name))
        elif isinstance(stmt, If):
            ends = [set(own), set(own)]
            for part, end in zip((stmt.then, stmt.otherwise), ends, strict=True):
                found |= needed_by(part, end)
            own |= ends[0] & ends[1]
    return found


def last_set(name: str, before: Sequence[Stmt]) -> Assign | None:
    """The last of some statements that sets a scalar, if it always does."""
    found = next((s for s in reversed(before) if name in writes((s,))), None)
    return found if isinstance(found, Assign) else None
