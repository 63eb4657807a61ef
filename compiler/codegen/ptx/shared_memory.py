"""Where the memories lie that the threads of a block have in common.

Two of them lie in one place where a barrier stands between all that is done with the one and all
that is done with the other:

    b = ...; barrier; c = b ...; barrier; d = c ...    ->    d lies where b was
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
    lives = _lives(kernel.body, {node.buffer for node in sizes})
    places: dict[stmts.Allocate, int] = {}
    for node in sorted(sizes, key=lambda node: -sizes[node]):
        beside = sorted(
            (place, place + sizes[other])
            for other, place in places.items()
            if not _are_apart(lives.get(node.buffer), lives.get(other.buffer))
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


def _are_apart(a: Life | None, b: Life | None) -> bool:
    """Whether a barrier lies between; a memory that nobody accesses lies anywhere."""
    return a is None or b is None or a[1] < b[0] or b[1] < a[0]


def _lives(body: stmts.Stmt, names: set[str]) -> dict[str, Life]:
    """The lives of the memories, by the barriers that all threads pass once."""
    found: dict[str, Life] = {}
    passed = 0
    for step in _steps(body):
        if isinstance(step, stmts.Barrier):
            passed += 1
            continue
        for name in names & step:
            found[name] = found.get(name, (passed, passed))[0], passed
    return found


def _steps(stmt: stmts.Stmt) -> Iterator[stmts.Barrier | set[str]]:
    """What runs one after the other: barriers, and what memories the rest accesses.

    A loop or a condition is one step, with all that is in it.
    """
    match stmt:
        case stmts.Barrier():
            yield stmt
        case stmts.Block() | stmts.Allocate() | stmts.ProducerConsumer() | stmts.LetStmt():
            yield _read(stmt)
            for child in children_of(stmt):
                yield from _steps(child)
        case _:
            accessed: set[str] = set()
            for inside in walk(stmt):
                accessed |= _read(inside)
                if isinstance(inside, stmts.Store | stmts.Atomic):
                    accessed.add(inside.buffer)
            yield accessed


def _read(stmt: stmts.Stmt) -> set[str]:
    """The memories that a statement's own expressions read."""
    return {e.array for e in postorder(*expressions_of(stmt)) if isinstance(e, Load)}
