"""Where the memories lie that the threads of a block have in common.

Two of them lie in one place where a barrier stands between all that is done with the one and all
that is done with the other:

    b = ...; barrier; c = b ...; barrier; d = c ...    ->    d lies where b was

What is allocated inside of a loop begins and ends with each iteration. Two such memories share a
place where a barrier lies between them on the way to the next iteration, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...ir import Const, Load, postorder, stmts
from ...ir.errors import HalideError
from ...ir.stmt_transform import children_of, expressions_of, walk

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
"""How many barriers the kernel's threads have passed when a memory is first accessed, and last."""


@dataclass
class _Sequence:
    """What runs one after the other: the kernel, or an iteration of a loop."""

    lives: dict[stmts.Allocate, Life] = field(default_factory=dict)
    passed: int = 0
    """The barriers in it that all threads pass once."""

    def note(self, accessed: set[stmts.Allocate]) -> None:
        for node in accessed:
            first, _ = self.lives.get(node, (self.passed, self.passed))
            self.lives[node] = first, self.passed


class _Lives:
    """When the shared memories of a kernel are accessed."""

    def __init__(self, body: stmts.Stmt) -> None:
        self.loops: dict[stmts.Allocate, tuple[stmts.For, ...]] = {}
        """Those around each memory, from outside."""
        self.kernel = _Sequence()
        self.iterations: dict[stmts.For, _Sequence] = {}
        self._walk(body, self.kernel, {}, ())

    def are_apart(self, a: stmts.Allocate, b: stmts.Allocate) -> bool:
        """Whether a barrier lies between them; a memory that nobody accesses lies anywhere."""
        both = [x for x, y in zip(self.loops[a], self.loops[b], strict=False) if x is y]
        at = self.iterations[both[-1]] if both else self.kernel
        if a not in at.lives or b not in at.lives:
            return True
        (first, last), (others_first, others_last) = at.lives[a], at.lives[b]
        if both and (0, at.passed) in ((first, others_last), (others_first, last)):
            return False  # the end of an iteration and the beginning of the next one
        return last < others_first or others_last < first

    def _walk(
        self,
        stmt: stmts.Stmt,
        at: _Sequence,
        names: Mapping[str, stmts.Allocate],
        loops: tuple[stmts.For, ...],
    ) -> set[stmts.Allocate]:
        """Notes what a part of a sequence accesses, and returns it."""
        arrays = {e.array for e in postorder(*expressions_of(stmt)) if isinstance(e, Load)}
        if isinstance(stmt, stmts.Store | stmts.Atomic):
            arrays.add(stmt.buffer)
        accessed = {names[name] for name in arrays if name in names}
        at.note(accessed)
        match stmt:
            case stmts.Barrier():
                at.passed += 1
            case stmts.Allocate():
                hidden = {k: v for k, v in names.items() if k != stmt.buffer}
                is_shared = stmt.memory == "shared"
                names = {**hidden, stmt.buffer: stmt} if is_shared else hidden
                self.loops[stmt] = loops
        inside, within = at, loops
        match stmt:
            case stmts.For():
                inside, within = self.iterations.setdefault(stmt, _Sequence()), (*loops, stmt)
            case stmts.IfThenElse():
                # Barriers in it are passed by some kernels alone: all of it is one step.
                inside = _Sequence()
        for child in children_of(stmt):
            accessed |= self._walk(child, inside, names, within)
        if inside is not at:
            at.note(accessed)
        return accessed
