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

from ..ir import Const, Expr, Load, Max, const, reads_in, simplify
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, expressions_of, rebuild, walk
from ..ir.uses import loaded
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
    threads: Mapping[str, tuple[Expr, ...]] = field(default_factory=dict)
    """The extents of the boxes of threads that access a memory, as far as any."""
    plain: frozenset[str] = frozenset()
    """What is accessed otherwise than by atomic updates, which may meet one another."""
    changed: frozenset[str] = frozenset()
    """What is written otherwise than by a pure definition, which gives an element one value."""

    def __or__(self, other: _Accesses) -> _Accesses:
        names = {*self.places, *other.places}
        several = {x: (*self.places.get(x, ()), *other.places.get(x, ())) for x in names}
        places = {x: tuple(dict.fromkeys(of)) for x, of in several.items()}
        one: tuple[Expr, ...] = (const(1),) * 3
        threads = {}
        for name in names:
            pairs = zip(self.threads.get(name, one), other.threads.get(name, one), strict=True)
            threads[name] = tuple(simplify(Max(a, b)) for a, b in pairs)
        return _Accesses(
            self.reads | other.reads,
            self.writes | other.writes,
            places,
            threads,
            self.plain | other.plain,
            self.changed | other.changed,
        )

    def but_for(self, names: frozenset[str]) -> _Accesses:
        places = {x: p for x, p in self.places.items() if x not in names}
        threads = {x: e for x, e in self.threads.items() if x not in names}
        sets = (self.plain, self.changed)
        plain, changed = (x - names for x in sets)
        return _Accesses(self.reads - names, self.writes - names, places, threads, plain, changed)

    def same_as(self, other: _Accesses) -> bool:
        places = ({x: frozenset(p) for x, p in each.places.items()} for each in (self, other))
        rest = (
            (each.reads, each.writes, each.threads, each.plain, each.changed)
            for each in (self, other)
        )
        return next(places) == next(places) and next(rest) == next(rest)

    def shared_with(self, other: _Accesses) -> frozenset[str]:
        """The memories for which the statements of one have to be finished before the other's."""
        both = (self.writes & other.reads) | (self.reads & other.writes)
        both |= self.writes & other.writes & (self.changed | other.changed)
        if not both:
            return both
        together = self | other
        return frozenset(
            x
            for x in both & together.plain
            if not are_own(
                together.places[x], dict(zip(s.THREADS, together.threads[x], strict=True))
            )
        )


_NONE = _Accesses()


def with_barriers(
    stmt: s.Stmt, shared: frozenset[str], copied: frozenset[str] = frozenset()
) -> s.Stmt:
    """The statements of a block with barriers between them.

    Memories in `shared` are the block's; all others that are accessed lie in the device's memory,
    but for those in registers, which are each thread's own. What is in those that are `copied` is
    there behind the next barrier alone, even for the thread that has copied it.
    """
    kept = ("register", "stack")
    own = (x.buffer for x in walk(stmt) if isinstance(x, s.Allocate) and x.memory in kept)
    made, _ = _Placing(shared, frozenset(own), copied).walk(stmt, _NONE)
    return made


@dataclass(frozen=True)
class _Placing:
    shared: frozenset[str]
    own: frozenset[str]
    """Memories of which no thread sees what others have."""
    copied: frozenset[str]
    known: dict[s.Stmt, _Accesses] = field(default_factory=dict)
    """What statements access, as far as it has been found."""

    def walk(self, stmt: s.Stmt, before: _Accesses) -> tuple[s.Stmt, _Accesses]:
        """`stmt`, behind a barrier if what ran before asks for one, and what has been accessed
        since the last barrier in front of its end."""
        match stmt:
            case Together() | s.Ahead():
                own = self._accessed(stmt)
                wait = before.shared_with(own)
                after = self._since(before, wait) | own
                return (block(self._barrier(wait), stmt) if wait else stmt), after
            case s.Block(stmts):
                parts: list[s.Stmt] = []
                for part in stmts:
                    placed, before = self.walk(part, before)
                    parts.append(placed)
                return block(*parts), before
            case s.For(body=body):
                return self._loop(stmt, body, before)
            case s.Barrier(device):
                memories = before.reads | before.writes if device else self.shared
                return stmt, self._since(before, memories)
        own = _read(expressions_of(stmt))
        wait = before.shared_with(own)
        before = self._since(before, wait) | own
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
        """A loop that all threads walk: an iteration may need what the one before has made.

        They wait in front of it and at its end, unless what they wait for inside is enough.
        """
        own = _read(expressions_of(loop))
        made, end = self.walk(body, own)
        carried, after = self.walk(body, before | own | end)
        again, last = self.walk(body, before | own | after)
        enough = _barriers(made) == _barriers(carried) == _barriers(again)
        wait = before.shared_with(own)
        if enough and not wait and last.same_as(after):
            runs = isinstance(loop.extent, Const) and loop.extent.value > 0
            return _with_body(loop, again), (own | last if runs else before | own | last)
        whole = self._accessed(body)
        wait = before.shared_with(own | whole)
        before = self._since(before, wait)
        repeated = end.shared_with(whole | own)
        if repeated:
            made, end = block(made, self._barrier(repeated)), self._since(end, repeated)
        stmt = _with_body(loop, made)
        return (block(self._barrier(wait), stmt) if wait else stmt), before | own | end

    def _since(self, before: _Accesses, wait: frozenset[str]) -> _Accesses:
        """Of what was accessed `before`, what a barrier about the memories `wait` leaves open."""
        if not wait:
            return before
        return _NONE if not wait <= self.shared else before.but_for(self.shared)

    def _barrier(self, memories: frozenset[str]) -> s.Barrier:
        return s.Barrier(device=not memories <= self.shared)

    def _accessed(self, stmt: s.Stmt) -> _Accesses:
        """What a statement and those below it access, but for what each thread has of its own."""
        found = self.known.get(stmt)
        if found is None:
            if isinstance(stmt, Together):
                found = _of_threads(stmt, self.own, self.copied)
            elif isinstance(stmt, s.Ahead) and stmt.iterations:
                # Of a ring in a loop the barrier that is there takes care.
                found = _NONE
            else:
                found = _read(expressions_of(stmt))
                for child in children_of(stmt):
                    found |= self._accessed(child)
            self.known[stmt] = found
        return found


def _with_body(loop: s.For, body: s.Stmt) -> s.Stmt:
    return s.For(loop.name, loop.min, loop.extent, loop.kind, body)


def _barriers(stmt: s.Stmt) -> int:
    return sum(isinstance(x, s.Barrier) for x in walk(stmt))


def _of_threads(stmt: Together, registers: frozenset[str], copied: frozenset[str]) -> _Accesses:
    own = registers | {x.buffer for x in walk(stmt.body) if isinstance(x, s.Allocate)}
    reads, writes = set[str](), set[str]()
    for inside in walk(stmt.body):
        reads |= _read(expressions_of(inside)).reads
        if isinstance(inside, s.Store):
            writes.add(inside.buffer)
    found_places = {
        name: (None,) if name in copied else tuple(all_of)
        for name, all_of in places(stmt.body, s.THREADS).items()
        if name not in own
    }
    return _Accesses(
        frozenset(reads - own),
        frozenset(writes - own),
        found_places,
        dict.fromkeys(found_places, stmt.extents),
        frozenset(_plain(stmt.body)) - own,
        (frozenset(_changed(stmt.body)) | (copied & writes)) - own,
    )


def _changed(stmt: s.Stmt, around: tuple[str, ...] = ()) -> Iterator[str]:
    """The memories with a store that isn't in loops, whose names are `around`, of the pure
    definition of the stage that it stores."""
    if isinstance(stmt, s.Store):
        stages = (stmt.buffer, stmt.buffer.rpartition(".")[0])
        own = [x for x in around for stage in stages if x.startswith(f"{stage}.s")]
        if not own or not any(own[-1].startswith(f"{stage}.s0.") for stage in stages):
            yield stmt.buffer
    if isinstance(stmt, (s.For, s.LetStmt)):
        around = (*around, stmt.name)
    for child in children_of(stmt):
        yield from _changed(child, around)


def _plain(stmt: s.Stmt, updated: frozenset[tuple[str, Expr]] = frozenset()) -> Iterator[str]:
    """The memories that `stmt` accesses anywhere but at the places of atomic updates, `updated`."""
    if isinstance(stmt, s.Atomic):
        stores = [x for x in walk(stmt.body) if isinstance(x, s.Store)]
        updated = frozenset((x.buffer, x.index) for x in stores)
    if isinstance(stmt, s.Store) and (stmt.buffer, stmt.index) not in updated:
        yield stmt.buffer
    for node in (x for e in expressions_of(stmt) for x in reads_in(e)):
        if isinstance(node, Load) and (node.array, node.indices[0]) not in updated:
            yield node.array
    for child in children_of(stmt):
        yield from _plain(child, updated)


def _read(expressions: tuple[Expr, ...]) -> _Accesses:
    """What all threads read, in loops and conditions that they share."""
    loads = loaded(expressions)
    return _Accesses(loads, frozenset(), dict.fromkeys(loads, (None,)), plain=loads)


__all__ = ["Together", "with_barriers"]
