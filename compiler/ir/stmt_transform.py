"""Walking and rebuilding statements: the frame of every lowering pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import is_

from . import stmts as s
from .nodes import Const, Expr
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
        case s.Fail(values=values):
            return values
        case s.Launch(blocks=blocks, threads=threads, values=values):
            return (*blocks, *threads, *values)
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
            | s.AtOnce(body=body)
            | s.Ahead(body=body)
            | s.AsyncCopy(store=body)
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
    before = expressions_of(stmt)
    exprs = tuple([visit(e) for e in before])
    if all(map(is_, exprs, before)) and all(
        a is b for a, b in zip(children, children_of(stmt), strict=True)
    ):
        return stmt
    match stmt:
        case s.Block():
            return block(*children)
        case s.For(name, _, _, kind, _):
            return s.For(name, exprs[0], exprs[1], kind, children[0])
        case s.Provide(func, values, _):
            return s.Provide(func, exprs[: len(values)], exprs[len(values) :])
        case s.Realize(func, types, _, _, memory):
            bounds = tuple(zip(exprs[::2], exprs[1::2], strict=True))
            return s.Realize(func, types, bounds, children[0], memory)
        case s.ProducerConsumer(func, is_producer, _):
            return s.ProducerConsumer(func, is_producer, children[0])
        case s.Store(buffer, _, _, _):
            return s.Store(buffer, *exprs)
        case s.Allocate(buffer, element, _, _, memory):
            return s.Allocate(buffer, element, exprs[0], children[0], memory)
        case s.Atomic(buffer, _):
            return s.Atomic(buffer, children[0])
        case s.AtOnce(buffer, _, extents):
            return s.AtOnce(buffer, children[0], extents)
        case s.Ahead(loop, iterations):
            return s.Ahead(loop, iterations, children[0])
        case s.Prefetch(buffer, element, _, _):
            return s.Prefetch(buffer, element, exprs[0], exprs[1])
        case s.IfThenElse():
            return s.IfThenElse(exprs[0], *children)
        case s.LetStmt(name, _, _):
            return s.LetStmt(name, exprs[0], children[0])
        case s.AssertStmt(_, message, _, code):
            return s.AssertStmt(exprs[0], message, exprs[1:], code)
        case s.Evaluate():
            return s.Evaluate(exprs[0])
        case s.AsyncCopy():
            return s.AsyncCopy(children[0])
        case s.Fail(number):
            return s.Fail(number, exprs)
        case s.Launch(kernel):
            x, y, z, *rest = exprs
            threads = rest[0], rest[1], rest[2]
            return s.Launch(kernel, (x, y, z), threads, tuple(rest[3:]))
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


def without_threads(stmt: Stmt) -> Stmt:
    """`stmt` with loops that are parallel run one iteration after the other."""
    made = rebuild(stmt, tuple(map(without_threads, children_of(stmt))), lambda e: e)
    if isinstance(made, s.For) and made.kind == "parallel":
        return s.For(made.name, made.min, made.extent, "serial", made.body)
    return made


def prune(stmt: s.Stmt) -> s.Stmt:
    """`stmt` without branches and loops that are known not to run, or to do nothing."""
    made = rebuild(stmt, tuple(map(prune, children_of(stmt))), lambda e: e)
    if isinstance(made, (s.For, s.LetStmt, s.IfThenElse)) and all(
        map(_is_empty, children_of(made))
    ):
        return s.Block(())
    if isinstance(made, s.IfThenElse) and isinstance(made.condition, Const):
        if made.condition.value:
            return made.then
        return made.otherwise if made.otherwise is not None else s.Block(())
    if isinstance(made, s.For) and isinstance(made.extent, Const) and made.extent.value <= 0:
        return s.Block(())
    if isinstance(made, s.Block):
        return block(*(x for x in made.stmts if not _is_empty(x)))
    return made


def _is_empty(stmt: s.Stmt) -> bool:
    return isinstance(stmt, s.Block) and not stmt.stmts
