"""The names that a statement uses, to know what a parallel loop's body must be given."""

from __future__ import annotations

from ..ir import Expr, Load, Variable, postorder, stmts


def expressions(stmt: stmts.Stmt) -> list[Expr]:
    """All expressions of `stmt` and of the statements in it."""
    found: list[Expr] = []
    stack: list[stmts.Stmt | None] = [stmt]
    while stack:
        node = stack.pop()
        match node:
            case None:
                pass
            case stmts.Block():
                stack += node.stmts
            case stmts.For():
                found += [node.min, node.extent]
                stack.append(node.body)
            case stmts.ProducerConsumer():
                stack.append(node.body)
            case stmts.Store():
                found += [node.value, node.index]
                if node.predicate is not None:
                    found.append(node.predicate)
            case stmts.Allocate():
                found.append(node.size)
                stack.append(node.body)
            case stmts.IfThenElse():
                found.append(node.condition)
                stack += [node.then, node.otherwise]
            case stmts.LetStmt():
                found.append(node.value)
                stack.append(node.body)
            case stmts.AssertStmt():
                found += [node.condition, *node.args]
            case stmts.Evaluate():
                found.append(node.value)
            case stmts.Atomic():
                stack.append(node.body)
            case stmts.Prefetch():
                found += [node.index, node.count]
            case stmts.Launch():
                found += [*node.blocks, *node.threads, *node.values]
            case stmts.DeviceState():
                pass
            case _:
                raise TypeError(f"{type(node).__name__} in a lowered function")
    return found


def _touched(stmt: stmts.Stmt | None) -> set[str]:
    match stmt:
        case stmts.Block():
            return set().union(*map(_touched, stmt.stmts))
        case stmts.Store() | stmts.Prefetch():
            return {stmt.buffer}
        case stmts.Atomic():
            return _touched(stmt.body)
        case stmts.IfThenElse():
            return _touched(stmt.then) | _touched(stmt.otherwise)
        case stmts.For() | stmts.ProducerConsumer() | stmts.Allocate() | stmts.LetStmt():
            return _touched(stmt.body)
    return set()


def used(stmt: stmts.Stmt) -> tuple[set[str], set[str]]:
    """Names of the variables and of the buffers that `stmt` mentions, its own ones included."""
    variables: set[str] = set()
    buffers = _touched(stmt)
    for node in postorder(*expressions(stmt)):
        if isinstance(node, Variable):
            variables.add(node.name)
        elif isinstance(node, Load):
            buffers.add(node.array)
    return variables, buffers
