"""Where the memories lie that the threads of a block have in common.

Two of them lie in one place where a barrier stands on each way from what is done with the one to
what is done with the other, and nobody needs what is in the one when the other is written:

    b = ...; barrier; c = b ...; barrier; d = c ...    ->    d lies where b was

What is allocated inside of a loop begins and ends with each iteration, so the ways are those to the
next iteration, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...ir import Const, stmts
from ...ir.errors import HalideError
from ...ir.stmt_transform import children_of, expressions_of, walk
from ...ir.uses import loaded

ALIGNMENT = 16


@dataclass(frozen=True)
class Packing:
    """The first byte of each shared memory of a kernel, and the bytes of all together."""

    places: dict[stmts.Allocate, int]
    size: int


def bytes_of(kernel: stmts.Kernel, node: stmts.Allocate) -> int:
    """The size of a memory inside of a kernel; `HalideError` where it is no constant."""
    if not isinstance(node.size, Const):
        raise HalideError(
            f"{kernel.name}: {node.buffer} needs {node.size} elements, which is no constant; "
            "memory inside of a kernel has a constant size: bound its extents, or compute it "
            "outside"
        )
    return max(int(node.size.value), 1) * node.type.bytes * node.type.lanes


def packed(kernel: stmts.Kernel) -> Packing:
    """Places for all shared memories of the kernel, large ones first."""
    sizes = {
        node: -(-bytes_of(kernel, node) // ALIGNMENT) * ALIGNMENT
        for node in walk(kernel.body)
        if isinstance(node, stmts.Allocate) and node.memory == "shared"
    }
    lives = _Lives(kernel.body)
    places: dict[stmts.Allocate, int] = {}
    for node in sorted(sizes, key=lambda node: -sizes[node]):
        beside = sorted(
            (place, place + sizes[other])
            for other, place in places.items()
            if not lives.are_apart(node, other)
        )
        place = 0
        for begin, end in beside:
            if place + sizes[node] <= begin:
                break
            place = max(place, end)
        places[node] = place
    return Packing(places, max((place + sizes[n] for n, place in places.items()), default=0))


Life = tuple[int, int]
"""The steps of a sequence in which a memory is first accessed, and last."""


@dataclass
class _Sequence:
    """What runs one after the other: the kernel, or an iteration of a loop."""

    lives: dict[stmts.Allocate, Life] = field(default_factory=dict)
    steps: int = 0

    def note(self, accessed: Iterable[stmts.Allocate]) -> None:
        """Another step, in which memories are accessed."""
        self.steps += 1
        for node in accessed:
            first, _ = self.lives.get(node, (self.steps, self.steps))
            self.lives[node] = first, self.steps


class _Lives:
    """When the shared memories of a kernel are accessed."""

    def __init__(self, body: stmts.Stmt) -> None:
        self.loops: dict[stmts.Allocate, tuple[stmts.For, ...]] = {}
        """Those around each memory, from outside."""
        self.around: dict[stmts.Allocate, set[stmts.Allocate]] = {}
        """The memories that are there as long as it is."""
        self.kernel = _Sequence()
        self.iterations: dict[stmts.For, _Sequence] = {}
        self.accessed: dict[stmts.Stmt, set[stmts.Allocate]] = {}
        """By a statement and those below it."""
        self.own: dict[stmts.Stmt, set[stmts.Allocate]] = {}
        """By a statement itself."""
        self.waiting: set[stmts.Stmt] = set()
        """Statements with barriers."""
        self.meeting: dict[stmts.Allocate, set[stmts.Allocate]] = {}
        """Those that one thread may access while another one accesses the memory."""
        self._note(body, self.kernel, {}, ())
        self._meet(body, frozenset())

    def are_apart(self, a: stmts.Allocate, b: stmts.Allocate) -> bool:
        """Whether both may lie in one place; a memory that nobody accesses lies anywhere."""
        if b in self.meeting.get(a, ()):
            return False
        if a not in self.around[b] and b not in self.around[a]:
            return True
        both = [x for x, y in zip(self.loops[a], self.loops[b], strict=False) if x is y]
        at = self.iterations[both[-1]] if both else self.kernel
        if a not in at.lives or b not in at.lives:
            return True
        (first, last), (others_first, others_last) = at.lives[a], at.lives[b]
        return last < others_first or others_last < first

    def _note(
        self,
        stmt: stmts.Stmt,
        at: _Sequence,
        names: Mapping[str, stmts.Allocate],
        loops: tuple[stmts.For, ...],
    ) -> set[stmts.Allocate]:
        """Notes what a part of a sequence accesses, and returns it."""
        arrays = set(loaded(expressions_of(stmt)))
        if isinstance(stmt, stmts.Store | stmts.Atomic):
            arrays.add(stmt.buffer)
        own = {names[name] for name in arrays if name in names}
        at.note(own)
        inside, within = at, loops
        match stmt:
            case stmts.Barrier():
                self.waiting.add(stmt)
            case stmts.Allocate():
                hidden = {k: v for k, v in names.items() if k != stmt.buffer}
                is_shared = stmt.memory == "shared"
                names = {**hidden, stmt.buffer: stmt} if is_shared else hidden
                pairs = zip(self.loops.get(stmt, loops), loops, strict=False)
                self.loops[stmt] = tuple(x for x, y in pairs if x is y)
                self.around.setdefault(stmt, set()).update(names.values())
            case stmts.For():
                inside, within = self.iterations.setdefault(stmt, _Sequence()), (*loops, stmt)
            case stmts.IfThenElse():
                inside = _Sequence()  # All of it is one step.
        accessed = set(own)
        for child in children_of(stmt):
            accessed |= self._note(child, inside, names, within)
            if child in self.waiting:
                self.waiting.add(stmt)
        if inside is not at:
            at.note(accessed)
        self.own.setdefault(stmt, set()).update(own)
        self.accessed.setdefault(stmt, set()).update(accessed)
        return accessed

    def _meet(
        self, stmt: stmts.Stmt, before: frozenset[stmts.Allocate]
    ) -> frozenset[stmts.Allocate]:
        """Notes which memories threads may access at once, where those in `before` have been
        accessed since the last barrier; returns those at the end of `stmt`.

        Loops and conditions with barriers inside are the same for all threads of a block.
        """
        if isinstance(stmt, stmts.Barrier):
            return frozenset()
        if stmt not in self.waiting:
            return self._at_once(self.accessed[stmt], before)
        after = self._at_once(self.own[stmt], before)
        if isinstance(stmt, stmts.For):
            again = after | self._meet(stmt.body, after)
            return again | self._meet(stmt.body, again)
        if isinstance(stmt, stmts.IfThenElse):
            ends = [self._meet(child, after) for child in children_of(stmt)]
            return frozenset().union(*ends, *([after] if stmt.otherwise is None else []))
        for child in children_of(stmt):
            after = self._meet(child, after)
        return after

    def _at_once(
        self, accessed: set[stmts.Allocate], before: frozenset[stmts.Allocate]
    ) -> frozenset[stmts.Allocate]:
        both = before | accessed
        for node in accessed:
            for other in both:
                self.meeting.setdefault(node, set()).add(other)
                self.meeting.setdefault(other, set()).add(node)
        return both
