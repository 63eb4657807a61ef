"""Which elements of a memory each thread of a block has for itself.

Threads need not wait for one another for a memory of which each accesses other elements than all
others do, in all statements that it runs. That is known where an element's place says which thread
accesses it: with the threads' part T of a place, the same in all accesses, and a modulus M,

    place = T(thread) + M * (anything),    0 <= T(thread) < M,    T different for all threads.

        h[tx + 16 * (y % 4)] = ...;  f[...] = h[tx + 16 * ((y + 1) % 4)]:  T = tx < 16, M = 16
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from ..ir import Cast, Const, Expr, Load, Mul, Ramp, Variable, const, reads_in, substitute
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, expressions_of


@dataclass(frozen=True)
class Place:
    """The place of an access: the sum of `threads` and of `others`, and `first`."""

    threads: tuple[tuple[str, int], ...]
    """By variable of a thread, or `lane` for a vector's, in order: by what it is multiplied."""
    lanes: int
    others: tuple[int, ...]
    """What other terms are multiplied by."""
    first: int


def places(stmt: s.Stmt, variables: Sequence[str]) -> dict[str, list[Place | None]]:
    """The places of all accesses of a thread, by memory; None for one that isn't understood.

    `variables` are those that say which thread runs.
    """
    found: dict[str, list[Place | None]] = {}
    for buffer, index in _accesses(stmt, {}):
        found.setdefault(buffer, []).append(_place(index, variables))
    return found


def are_own(accesses: Sequence[Place | None], extents: Mapping[str, Expr]) -> bool:
    """Whether no two threads of a block of `extents` (by variable) access one element."""
    first = accesses[0]
    if first is None:
        return False
    modulus = 0
    for place in accesses:
        if place is None or (place.threads, place.lanes) != (first.threads, first.lanes):
            return False
        modulus = gcd(modulus, place.first - first.first, *place.others)
    counts = {**extents, "lane": const(first.lanes)}
    digits: list[tuple[int, int]] = []
    by = dict(first.threads)
    for name, extent in counts.items():
        if not isinstance(extent, Const):
            return False
        if extent.value > 1:
            digits.append((by.get(name, 0), int(extent.value)))
    span = 0
    for factor, count in sorted(digits):
        if factor <= span:
            return False
        span += factor * (count - 1)
    return modulus == 0 or modulus > span


def _accesses(stmt: s.Stmt, lets: dict[Expr, Expr]) -> Iterator[tuple[str, Expr]]:
    """The memories that are accessed, and where, in terms of what stands outside of `stmt`."""
    for e in expressions_of(stmt):
        for node in reads_in(e):
            if isinstance(node, Load):
                yield node.array, substitute(node.indices[0], lets)
    if isinstance(stmt, s.Store):
        yield stmt.buffer, substitute(stmt.index, lets)
    if isinstance(stmt, s.LetStmt):
        name = Variable(stmt.name, stmt.value.type)
        lets = {**lets, name: substitute(stmt.value, lets)}
    for child in children_of(stmt):
        yield from _accesses(child, lets)


def _place(index: Expr, variables: Sequence[str]) -> Place | None:
    lanes, step = 1, 0
    if isinstance(index, Ramp):
        if not isinstance(index.stride, Const):
            return None
        lanes, step, index = index.lanes, int(index.stride.value), index.base
    if index.type.is_vector:
        return None
    terms: dict[Expr, int] = {}
    first = _add(index, 1, terms)
    threads, others = {}, []
    for term, by in terms.items():
        if isinstance(term, Variable) and term.name in variables:
            threads[term.name] = by
        else:
            others.append(by)
    if lanes > 1:
        threads["lane"] = step
    return Place(tuple(sorted(threads.items())), lanes, tuple(others), first)


def _add(e: Expr, by: int, terms: dict[Expr, int]) -> int:
    """Adds `by * e` to `terms`, and returns what is constant of it. Coordinates don't overflow."""
    match e:
        case Const(value=value):
            return by * int(value)
        case n.Add(a=a, b=b):
            return _add(a, by, terms) + _add(b, by, terms)
        case n.Sub(a=a, b=b):
            return _add(a, by, terms) + _add(b, -by, terms)
        case n.Neg(value=value):
            return _add(value, -by, terms)
        case Mul(a=a, b=Const(value=factor)) | Mul(a=Const(value=factor), b=a):
            return _add(a, by * int(factor), terms)
        case Cast(value=value) if e.type.is_int and e.type.bits > value.type.bits == 32:
            return _add(value, by, terms)
    terms[e] = terms.get(e, 0) + by
    return 0


__all__ = ["Place", "are_own", "places"]
