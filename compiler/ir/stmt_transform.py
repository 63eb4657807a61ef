"""Walking and rebuilding statements: the frame of every lowering pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from . import stmts as s
from .nodes import Expr
from .stmts import Stmt

ExprFunction = Callable[[Expr], Expr]


def expressions_of(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions that `stmt` itself holds, not those of statements below it."""
    match stmt:
        case s.For(min=low, extent=extent):
            return (low, extent)
        case s.Provide(values=values, args=args):
            return (*values, *args)
        case s.Realize(bounds=bounds):
            return tuple(e for pair in bounds for e in pair)
        case s.Store(value=value, index=index, predicate=predicate):
            return (value, index) if predicate is None else (value, index, predicate)
        case s.Allocate(size=size):
            return (size,)
        case s.Prefetch(index=index, count=count):
            return (index, count)
        case s.IfThenElse(condition=condition):
            return (condition,)
        case s.LetStmt(value=value) | s.Evaluate(value=value):
            return (value,)
        case s.AssertStmt(condition=condition, args=args):
            return (condition, *args)
    return ()


def children_of(stmt: Stmt) -> tuple[Stmt, ...]:
    """The statements directly below `stmt`."""
    match stmt:
        case s.Block(stmts=stmts):
            return stmts
        case s.IfThenElse(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
        case (
            s.For(body=body)
            | s.Realize(body=body)
            | s.ProducerConsumer(body=body)
            | s.Allocate(body=body)
            | s.LetStmt(body=body)
            | s.Atomic(body=body)
        ):
            return (body,)
    return ()


def walk(stmt: Stmt) -> Iterator[Stmt]:
    """`stmt` and all statements below it, outermost first, in the order they run."""
    yield stmt
    for child in children_of(stmt):
        yield from walk(child)


def rebuild(stmt: Stmt, children: tuple[Stmt, ...], visit: ExprFunction) -> Stmt:
    """`stmt` over other `children`, its own expressions mapped by `visit`; itself if unchanged."""
    if all(a is b for a, b in zip(children, children_of(stmt), strict=True)) and all(
        visit(e) is e for e in expressions_of(stmt)
    ):
        return stmt
    match stmt:
        case s.Block():
            return block(*children)
        case s.For(name, low, extent, kind, _):
            return s.For(name, visit(low), visit(extent), kind, children[0])
        case s.Provide(func, values, args):
            return s.Provide(func, tuple(map(visit, values)), tuple(map(visit, args)))
        case s.Realize(func, types, bounds, _, memory):
            mapped = tuple((visit(a), visit(b)) for a, b in bounds)
            return s.Realize(func, types, mapped, children[0], memory)
        case s.ProducerConsumer(func, is_producer, _):
            return s.ProducerConsumer(func, is_producer, children[0])
        case s.Store(buffer, value, index, predicate):
            masked = None if predicate is None else visit(predicate)
            return s.Store(buffer, visit(value), visit(index), masked)
        case s.Allocate(buffer, element, size, _, memory):
            return s.Allocate(buffer, element, visit(size), children[0], memory)
        case s.Atomic(buffer, _):
            return s.Atomic(buffer, children[0])
        case s.Prefetch(buffer, element, index, count):
            return s.Prefetch(buffer, element, visit(index), visit(count))
        case s.IfThenElse(condition, _, _):
            return s.IfThenElse(visit(condition), *children)
        case s.LetStmt(name, value, _):
            return s.LetStmt(name, visit(value), children[0])
        case s.AssertStmt(condition, message, args, code):
            return s.AssertStmt(visit(condition), message, tuple(map(visit, args)), code)
        case s.Evaluate(value):
            return s.Evaluate(visit(value))
    raise AssertionError(f"no rebuild for {type(stmt).__name__}")


def map_expressions(stmt: Stmt, visit: ExprFunction) -> Stmt:
    """`stmt` with `visit` applied to each whole expression in it and below it."""
    children = tuple(map_expressions(c, visit) for c in children_of(stmt))
    return rebuild(stmt, children, visit)


def block(*stmts: Stmt) -> Stmt:
    """The statements in order, without blocks in blocks."""
    flat: list[Stmt] = []
    for stmt in stmts:
        flat.extend(stmt.stmts if isinstance(stmt, s.Block) else (stmt,))
    return flat[0] if len(flat) == 1 else s.Block(tuple(flat))
