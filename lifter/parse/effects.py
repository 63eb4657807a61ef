"""What kernel statements and expressions read and change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from compiler.ir import Expr, Load, Variable, postorder

from ..model.kernel import Assign, Declare, Stmt, Store, expressions_of, statements

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
