"""Two loops that are one loop in pieces of a constant size, as vectors make them.

    for (i0 = 0; i0 < n / 16; i0++)                  for (i = 0; i < 16 * (n / 16); i++)
        for (i1 = 0; i1 < 16; i1++)                      d[i] = s[i] + 1
            d[16 * i0 + i1] = s[16 * i0 + i1] + 1

Iterations are the same, in the same order, wherever both counters stand in 16 * i0 + i1 alone. What
may be a pixel's channels stays a loop of its own.
Claims stay as they are: they speak for all values of the counters that they name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from compiler.ir import I64, Const, Expr, Mul, Sub, Variable, postorder

from ..model.stage import Fact, Loop, Read, Write
from .index import replace as replaced
from .polynomial import normal

_CHANNELS = 4

_Access = TypeVar("_Access", Read, Write)


def with_loops_joined(
    writes: tuple[Write, ...], reads: tuple[Read, ...], facts: tuple[Fact, ...]
) -> tuple[tuple[Write, ...], tuple[Read, ...], tuple[Fact, ...]]:
    """The accesses of a nest, with one loop for each two that are one."""
    done: set[Loop] = set()
    while True:
        pair = _next_pair([*writes, *reads], done)
        if pair is None:
            return writes, reads, facts
        outer, inner = pair
        done.add(inner)
        joined = _Joined(outer, inner)
        accesses: list[Read | Write] = [*writes, *reads]
        if not all(map(joined.fits, accesses)):
            continue
        writes = tuple(joined.access(w) for w in writes)
        reads = tuple(joined.access(r) for r in reads)
        facts = tuple(joined.fact(f) for f in facts)


def _next_pair(accesses: Iterable[Read | Write], done: set[Loop]) -> tuple[Loop, Loop] | None:
    for access in accesses:
        for outer, inner in zip(access.loops, access.loops[1:], strict=False):
            if _is_piece(inner, access) and inner not in done:
                return outer, inner
    return None


def _is_piece(inner: Loop, access: Read | Write) -> bool:
    """Whether a loop may be a piece of one: it is longer than pixels have channels, or goes over
    the lanes of the very store that stands in it."""
    if not isinstance(inner.extent, Const):
        return False
    return inner.extent.value > _CHANNELS or (
        inner.extent.value > 1 and isinstance(access, Write) and access.span == inner.span
    )


class _Joined:
    """The loop that `outer` and `inner` are together; it has the outer one's name and one of its
    own behind it."""

    def __init__(self, outer: Loop, inner: Loop) -> None:
        self.outer, self.inner = outer, inner
        assert isinstance(inner.extent, Const)
        pieces = Mul(outer.extent, inner.extent)
        counter = Variable(f"{outer.counter.name}_{inner.counter.name}", I64)
        self.loop = Loop(counter, normal(pieces), outer.span)
        self.known: dict[Expr, Expr] = {
            inner.counter: normal(Sub(counter, Mul(outer.counter, inner.extent)))
        }

    def fits(self, access: Read | Write) -> bool:
        """Whether an access stands in both loops, or in neither, and names one number of them."""
        if self.outer not in access.loops:
            return self.inner not in access.loops
        at = access.loops.index(self.outer)
        if access.loops[at + 1 : at + 2] != (self.inner,):
            return False
        extents = [loop.extent for loop in access.loops if loop not in (self.outer, self.inner)]
        parts = [*access.indices, access.condition, *extents]
        if isinstance(access, Write):
            parts.append(access.value)
        return self._are_free(parts)

    def _are_free(self, parts: Sequence[Expr]) -> bool:
        made = (replaced(part, self.known) for part in parts)
        return all(self.outer.counter not in postorder(e) for e in made)

    def access(self, access: _Access) -> _Access:
        if self.outer not in access.loops:
            return access
        own = {
            "indices": tuple(replaced(i, self.known) for i in access.indices),
            "condition": replaced(access.condition, self.known),
            "loops": self._loops(access.loops),
        }
        if isinstance(access, Write):
            own["value"] = replaced(access.value, self.known)
        return replace(access, **own)  # type: ignore[arg-type]

    def fact(self, fact: Fact) -> Fact:
        at = fact.loops.index(self.outer) if self.outer in fact.loops else None
        if at is None or fact.loops[at + 1 : at + 2] != (self.inner,):
            return fact
        if not self._are_free([fact.formula, *fact.path]):
            return fact
        path = tuple(replaced(p, self.known) for p in fact.path)
        return Fact(replaced(fact.formula, self.known), self._loops(fact.loops), path)

    def _loops(self, loops: tuple[Loop, ...]) -> tuple[Loop, ...]:
        at = loops.index(self.outer)
        others = (replace(x, extent=replaced(x.extent, self.known)) for x in loops[at + 2 :])
        return (*loops[:at], self.loop, *others)
