"""Copies that go on while threads use what was copied before: rings in a block's memory.

What an iteration copies may be copied some iterations early, where the ring has place for it
(`storage_folding.py`). Each iteration's copies are a group; a thread waits for an iteration's group
while those of later ones may go on, and one barrier an iteration does for two things: that all see
what was copied for it, and that nobody reads any more what the next copies overwrite.

    for k in [0, n):                           for j in [0, 2): if j < n: async: f[j % 3] = a[j]
      2 ahead: async: f[k % 3] = a[k]                          commit
      g(f[k % 3])                       ->     for k in [0, n):
                                                 await all copies but those of 1 group
                                                 barrier
                                                 if k + 2 < n: async: f[(k + 2) % 3] = a[k + 2]
                                                 commit
                                                 g(f[k % 3])
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from ..ir import I32, LT, Add, Expr, Load, Sub, Variable, const, postorder, simplify, substitute
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, expressions_of, rebuild, walk
from .barriers import Together

Around = tuple[s.LetStmt | s.IfThenElse, ...]


def with_rings(stmt: s.Stmt) -> s.Stmt:
    """A kernel's `stmt` with what may be copied early copied early: `Ahead` is left around these
    copies, with no iterations around those before a loop. What threads do is `Together`.
    """
    if not any(isinstance(x, s.Ahead) for x in _all(stmt)):
        return stmt
    made = {x.buffer for x in _all(stmt) if isinstance(x, s.Allocate | s.Store)}
    return _visit(stmt, made)


def without_rings(stmt: s.Stmt) -> s.Stmt:
    """`stmt` without `Ahead`, which stands for what is in it."""
    if isinstance(stmt, Together):
        return Together(without_rings(stmt.body), stmt.extents)
    made = rebuild(stmt, tuple(map(without_rings, children_of(stmt))), lambda e: e)
    return made.body if isinstance(made, s.Ahead) else made


def _visit(stmt: s.Stmt, made: Collection[str]) -> s.Stmt:
    if isinstance(stmt, Together):
        return Together(without_rings(stmt.body), stmt.extents)
    if isinstance(stmt, s.Ahead):
        return _visit(stmt.body, made)
    if isinstance(stmt, s.For) and stmt.kind == "serial":
        found = _Early(stmt.name, made)
        rest = found.taken_from(stmt.body, ())
        if found.copies:
            return _ring(stmt, found, _visit(rest, made))
    return rebuild(stmt, tuple(_visit(c, made) for c in children_of(stmt)), lambda e: e)


def _all(stmt: s.Stmt) -> Iterator[s.Stmt]:
    """The statements of a kernel, those of threads among them."""
    for x in walk(stmt):
        yield from walk(x.body) if isinstance(x, Together) else (x,)


@dataclass
class _Early:
    """What the iterations of a loop copy that may be copied early."""

    loop: str
    made: Collection[str]
    """The memories that the kernel writes."""
    copies: list[s.Stmt] = field(default_factory=list)
    steps: int = 0
    """How many iterations early all of it may be copied."""

    def taken_from(self, stmt: s.Stmt, around: Around) -> s.Stmt:
        """`stmt` without what may be copied early."""
        match stmt:
            case s.Ahead(self.loop, steps, body) if self._is_copy(around, body):
                for outer in reversed(around):
                    body = rebuild(outer, (body,), lambda e: e)
                self.steps = min(self.steps, steps) if self.copies else steps
                self.copies.append(body)
                return s.Block(())
            case s.Block(stmts):
                return block(*(self.taken_from(x, around) for x in stmts))
            case s.Allocate(body=body):
                return rebuild(stmt, (self.taken_from(body, around),), lambda e: e)
            case s.LetStmt(body=body) | s.IfThenElse(then=body, otherwise=None):
                inside = self.taken_from(body, (*around, stmt))
                return rebuild(stmt, (inside,), lambda e: e)
        return stmt

    def _is_copy(self, around: Around, body: s.Stmt) -> bool:
        """Whether only copies are made, and their places depend on nothing that is written."""
        kept = (s.Block, s.For, s.LetStmt, s.IfThenElse, s.AsyncCopy, s.Ahead, Together)
        stmts = list(_all(body))
        stores = {id(x.store) for x in stmts if isinstance(x, s.AsyncCopy)}
        if not all(isinstance(x, kept) or id(x) in stores for x in stmts):
            return False
        own = [*around, *stmts]
        loads = (x for each in own for x in postorder(*expressions_of(each)) if isinstance(x, Load))
        return not any(x.array in self.made for x in loads)

    def at(self, iteration: Expr) -> s.Stmt:
        """The copies of an iteration."""
        early = Variable(f"{self.loop}.early", I32)
        mapping: dict[Expr, Expr] = {Variable(self.loop, I32): early}
        copies = block(*(_renamed(x, mapping) for x in self.copies))
        return s.LetStmt(early.name, simplify(iteration), copies)


def _renamed(stmt: s.Stmt, mapping: dict[Expr, Expr]) -> s.Stmt:
    if isinstance(stmt, Together):
        x, y, z = (substitute(e, mapping) for e in stmt.extents)
        return Together(_renamed(stmt.body, mapping), (x, y, z))
    children = tuple(_renamed(c, mapping) for c in children_of(stmt))
    return rebuild(stmt, children, lambda e: substitute(e, mapping))


def _ring(loop: s.For, early: _Early, rest: s.Stmt) -> s.Stmt:
    variable, steps = Variable(loop.name, I32), const(early.steps)
    first = Variable(f"{loop.name}.first", I32)
    at_first = s.IfThenElse(LT(first, loop.extent), early.at(Add(loop.min, first)))
    before = s.For(first.name, const(0), steps, "serial", block(at_first, s.CommitCopies()))
    number = simplify(Add(Sub(variable, loop.min), steps))
    later = s.IfThenElse(LT(number, loop.extent), early.at(Add(variable, steps)))
    body = block(
        s.AwaitCopies(early.steps - 1),
        s.Barrier(device=False),
        s.Ahead(loop.name, early.steps, later),
        s.CommitCopies(),
        rest,
    )
    made = s.For(loop.name, loop.min, loop.extent, loop.kind, body)
    return block(s.Ahead(loop.name, 0, before), made)


__all__ = ["with_rings", "without_rings"]
