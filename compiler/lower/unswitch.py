"""Conditions on parameters alone are decided once, outside of all loops."""

from __future__ import annotations

from ..ir import Call, Expr, Load, Not, Select, Variable, simplify, substitute
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, expressions_of, map_expressions, prune, rebuild, walk
from .facts import determines

MOST_VERSIONS = 32
"""A loop nest is written out at most this many times; further conditions stay inside."""


def unswitch(stmt: s.Stmt) -> s.Stmt:
    """Each outermost loop nest once for each outcome of the conditions that nothing in it changes.

    for x: f[x] = select(mode == 0, a[x], b[x])
    ->  if mode == 0: for x: f[x] = a[x]
        else:         for x: f[x] = b[x]
    """
    if isinstance(stmt, s.For):
        return _versions(stmt, MOST_VERSIONS)[0]
    return rebuild(stmt, tuple(map(unswitch, children_of(stmt))), lambda e: e)


def _versions(nest: s.Stmt, most: int) -> tuple[s.Stmt, int]:
    """The nest specialised into at most `most` versions, and how many it became."""
    condition = _invariant_condition(nest) if most > 1 else None
    if condition is None:
        return nest, 1
    # A chain of tests (switch) goes down the `else` side, so that side gets what is left.
    then, used = _versions(_assuming(nest, condition, True), most - 1)
    otherwise, more = _versions(_assuming(nest, condition, False), most - used)
    return s.IfThenElse(condition, then, otherwise), used + more


def _invariant_condition(nest: s.Stmt) -> Expr | None:
    """The first condition, outermost first, that depends on parameters alone."""
    inside = {x.name for x in walk(nest) if isinstance(x, (s.For, s.LetStmt))}
    for stmt in walk(nest):
        for expr in expressions_of(stmt):
            for node in reversed(list(n.postorder(expr))):
                if isinstance(node, Select) and _is_invariant(node.condition, inside):
                    return node.condition
        # Tests of the region's shape guard remainders; the nest is no better without them.
        if (
            isinstance(stmt, s.IfThenElse)
            and _is_invariant(stmt.condition, inside)
            and not any("." in v.name for v in _variables(stmt.condition))
        ):
            return stmt.condition
    return None


def _variables(expr: Expr) -> list[Variable]:
    return [v for v in n.postorder(expr) if isinstance(v, Variable)]


def _is_invariant(condition: Expr, inside: set[str]) -> bool:
    nodes = list(n.postorder(condition))
    if any(isinstance(x, Load) or (isinstance(x, Call) and x.kind != "intrinsic") for x in nodes):
        return False
    names = [x.name for x in nodes if isinstance(x, Variable)]
    return bool(names) and not any(name in inside for name in names)


def _assuming(nest: s.Stmt, condition: Expr, value: bool) -> s.Stmt:
    """The nest where `condition` is known, and what follows from it for other conditions."""
    known: dict[Expr, Expr] = {condition: n.TRUE if value else n.FALSE}
    if isinstance(condition, Not):
        known[condition.value] = n.FALSE if value else n.TRUE
    if value and isinstance(condition, n.EQ) and determines(condition.b):
        known[condition.a] = condition.b
    if isinstance(condition, n.And) and value:
        known[condition.a] = known[condition.b] = n.TRUE
    if isinstance(condition, n.Or) and not value:
        known[condition.a] = known[condition.b] = n.FALSE

    def visit(e: Expr) -> Expr:
        made = substitute(e, known)
        return e if made is e else simplify(made)

    return prune(_without_unread(prune(map_expressions(nest, visit))))


def _without_unread(stmt: s.Stmt) -> s.Stmt:
    """`stmt` without stores into memory of its own that nothing reads now: what these are made of
    may not be there where no value is made of it."""
    made = rebuild(stmt, tuple(map(_without_unread, children_of(stmt))), lambda e: e)
    if not isinstance(made, s.Allocate) or made.buffer in _read_of(made.body):
        return made
    return _without_stores(made.body, made.buffer)


def _read_of(stmt: s.Stmt) -> set[str]:
    """What is read, or named in another way, but by stores into the same memory."""
    found: set[str] = set()
    for part in walk(stmt):
        nodes = [x for e in expressions_of(part) for x in n.postorder(e)]
        named = {x.array for x in nodes if isinstance(x, Load)}
        named |= {v.name for v in nodes if isinstance(v, Variable)}
        named |= {x.name for x in nodes if isinstance(x, Call)}
        if isinstance(part, s.Store):
            named.discard(part.buffer)
        elif isinstance(part, (s.Atomic, s.Prefetch)):
            named.add(part.buffer)
        found |= named
    return found


def _without_stores(stmt: s.Stmt, buffer: str) -> s.Stmt:
    if isinstance(stmt, s.Store) and stmt.buffer == buffer:
        return s.Block(())
    children = tuple(_without_stores(child, buffer) for child in children_of(stmt))
    return rebuild(stmt, children, lambda e: e)
