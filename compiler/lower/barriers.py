"""Where the threads of a block wait for one another.

One statement that threads run together may need what another one has made, by other threads. They
wait between two statements of which one writes what the other reads or writes, and nowhere else.

    together: g[tx] = ...                    together: g[tx] = ...
    together: f[tx] = g[tx] + g[tx + 1]  ->  barrier
                                             together: f[tx] = g[tx] + g[tx + 1]

A barrier stands in loops and conditions that are the same for all threads of the block, since it is
put outside of what threads run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..ir import Expr, Load, Max, const, postorder, simplify
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, expressions_of, rebuild, walk
from .own_elements import Place, are_own, places


@dataclass(frozen=True, slots=True, eq=False)
class Together(s.Stmt):
    """`body`, run by the threads of a box from thread 0 on; gone when a kernel is made."""

    body: s.Stmt
    extents: tuple[Expr, Expr, Expr]


@dataclass(frozen=True)
class _Accesses:
    """The memories that statements read and write, since threads have last waited."""

    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    places: Mapping[str, tuple[Place | None, ...]] = field(default_factory=dict)
    """Of all accesses, by memory."""
    threads: tuple[Expr, ...] = (const(1),) * 3
    plain: frozenset[str] = frozenset()
    """What is accessed otherwise than by atomic updates, which may meet one another."""

    def __or__(self, other: _Accesses) -> _Accesses:
        places = {
            name: (*self.places.get(name, ()), *other.places.get(name, ()))
            for name in {*self.places, *other.places}
        }
        pairs = zip(self.threads, other.threads, strict=True)
        threads = tuple(simplify(Max(a, b)) for a, b in pairs)
        plain = self.plain | other.plain
        reads, writes = self.reads | other.reads, self.writes | other.writes
        return _Accesses(reads, writes, places, threads, plain)

    def shared_with(self, other: _Accesses) -> frozenset[str]:
        """The memories for which the statements of one have to be finished before the other's."""
        both = self.writes & (other.reads | other.writes) | (self.reads & other.writes)
        if not both:
            return both
        together = self | other
        extents = dict(zip(s.THREADS, together.threads, strict=True))
        met = both & together.plain
        return frozenset(x for x in met if not are_own(together.places[x], extents))


_NONE = _Accesses()


def with_barriers(
    stmt: s.Stmt, shared: frozenset[str], copied: frozenset[str] = frozenset()
) -> s.Stmt:
    """The statements of a block with barriers between them.

    Memories in `shared` are the block's; all others that are accessed lie in the device's memory,
    but for those in registers, which are each thread's own. What is in those that are `copied` is
    there behind the next barrier alone, even for the thread that has copied it.
    """
    own = (x.buffer for x in walk(stmt) if isinstance(x, s.Allocate) and x.memory == "register")
    made, _ = _Placing(shared, frozenset(own), copied).walk(stmt, _NONE)
    return made


@dataclass(frozen=True)
class _Placing:
    shared: frozenset[str]
    own: frozenset[str]
    """Memories of which no thread sees what others have."""
    copied: frozenset[str]

    def walk(self, stmt: s.Stmt, before: _Accesses) -> tuple[s.Stmt, _Accesses]:
        """`stmt`, behind a barrier if what ran before asks for one, and what has been accessed
        since the last barrier in front of its end."""
        match stmt:
            case Together():
                return self._after(stmt, self._accessed(stmt), before)
            case s.Block(stmts):
                parts: list[s.Stmt] = []
                for part in stmts:
                    placed, before = self.walk(part, before)
                    parts.append(placed)
                return block(*parts), before
            case s.For(body=body):
                return self._loop(stmt, body, before)
        own = _read(expressions_of(stmt))
        wait = before.shared_with(own)
        before = own if wait else before | own
        children: list[s.Stmt] = []
        ends: list[_Accesses] = []
        for child in children_of(stmt):
            placed, end = self.walk(child, before)
            children.append(placed)
            ends.append(end)
        if isinstance(stmt, s.IfThenElse) and stmt.otherwise is None:
            ends.append(before)
        after = _NONE
        for end in ends:
            after |= end
        made = rebuild(stmt, tuple(children), lambda e: e)
        return (block(self._barrier(wait), made) if wait else made), after

    def _loop(self, loop: s.For, body: s.Stmt, before: _Accesses) -> tuple[s.Stmt, _Accesses]:
        """A loop that all threads walk: an iteration may need what the one before has made."""
        own = _read(expressions_of(loop))
        whole = self._accessed(body)
        wait = before.shared_with(own | whole)
        made, end = self.walk(body, own)
        again = end.shared_with(whole | own)
        if again:
            made, end = block(made, self._barrier(again)), _NONE
        after = (_NONE if wait else before) | own | end
        stmt: s.Stmt = s.For(loop.name, loop.min, loop.extent, loop.kind, made)
        return (block(self._barrier(wait), stmt) if wait else stmt), after

    def _after(self, stmt: s.Stmt, own: _Accesses, before: _Accesses) -> tuple[s.Stmt, _Accesses]:
        wait = before.shared_with(own)
        if wait:
            return block(self._barrier(wait), stmt), own
        return stmt, before | own

    def _barrier(self, memories: frozenset[str]) -> s.Barrier:
        return s.Barrier(device=not memories <= self.shared)

    def _accessed(self, stmt: s.Stmt) -> _Accesses:
        """What a statement and those below it access, but for what each thread has of its own."""
        if not isinstance(stmt, Together):
            found = _read(expressions_of(stmt))
            for child in children_of(stmt):
                found |= self._accessed(child)
            return found
        own = self.own | {x.buffer for x in walk(stmt.body) if isinstance(x, s.Allocate)}
        reads, writes = set[str](), set[str]()
        for inside in walk(stmt.body):
            reads |= _read(expressions_of(inside)).reads
            if isinstance(inside, s.Store):
                writes.add(inside.buffer)
        found_places = {
            name: (None,) if name in self.copied else tuple(all_of)
            for name, all_of in places(stmt.body, s.THREADS).items()
            if name not in own
        }
        plain = frozenset(_plain(stmt.body)) - own
        return _Accesses(
            frozenset(reads - own), frozenset(writes - own), found_places, stmt.extents, plain
        )


def _plain(stmt: s.Stmt, updated: frozenset[tuple[str, Expr]] = frozenset()) -> Iterator[str]:
    """The memories that `stmt` accesses anywhere but at the places of atomic updates, `updated`."""
    if isinstance(stmt, s.Atomic):
        stores = [x for x in walk(stmt.body) if isinstance(x, s.Store)]
        updated = frozenset((x.buffer, x.index) for x in stores)
    if isinstance(stmt, s.Store) and (stmt.buffer, stmt.index) not in updated:
        yield stmt.buffer
    for node in postorder(*expressions_of(stmt)):
        if isinstance(node, Load) and (node.array, node.indices[0]) not in updated:
            yield node.array
    for child in children_of(stmt):
        yield from _plain(child, updated)


def _read(expressions: tuple[Expr, ...]) -> _Accesses:
    """What all threads read, in loops and conditions that they share."""
    loads = {x.array for x in postorder(*expressions) if isinstance(x, Load)}
    return _Accesses(
        frozenset(loads), frozenset(), dict.fromkeys(loads, (None,)), plain=frozenset(loads)
    )


__all__ = ["Together", "with_barriers"]
