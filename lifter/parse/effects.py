"""What kernel statements and expressions read and change."""

from __future__ import annotations

from collections.abc import Iterable

from compiler.ir import Expr, Load, Variable, postorder

from ..model.kernel import Assign, Declare, Stmt, Store, expressions_of, statements


def reads(*exprs: Expr) -> set[str]:
    """The scalars and arrays whose contents the expressions depend on."""
    found: set[str] = set()
    for node in postorder(*exprs):
        if isinstance(node, Variable):
            found.add(node.name)
        elif isinstance(node, Load):
            found.add(node.array)
    return found


def reads_of(body: Iterable[Stmt]) -> set[str]:
    """The scalars and arrays that the statements, inner ones included, depend on."""
    return reads(*(e for stmt in statements(tuple(body)) for e in expressions_of(stmt)))


def writes(body: Iterable[Stmt]) -> set[str]:
    """The scalars and arrays that the statements change."""
    found: set[str] = set()
    for stmt in statements(tuple(body)):
        if isinstance(stmt, (Assign, Declare)):
            found.add(stmt.name)
        elif isinstance(stmt, Store):
            found.add(stmt.array)
    return found
