"""Which loop nests of a kernel are tried as one: those that may fill one region together.

A main loop and its rest, a head and a tail, branches one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from compiler.ir import Expr

from ..model.stage import Stage, nests_of

Nest = tuple[Stage, ...]
"""The stages of one loop nest, one for each array that it writes; they happen at once."""


def groups(order: Sequence[Stage]) -> Iterator[tuple[Nest, ...]]:
    """Runs of nests in the program's order; all of a run write arrays that its first one writes."""
    group: list[Nest] = []
    for nest in map(tuple, nests_of(order, lambda stage: stage.nest)):
        is_apart = any(s.is_fold or s.is_update for s in (*nest, *group[0])) if group else False
        if group and not is_apart and {s.output for s in nest} <= {s.output for s in group[0]}:
            group.append(nest)
        else:
            if group:
                yield tuple(group)
            group = [nest]
    if group:
        yield tuple(group)


def turns(group: Sequence[Nest]) -> list[tuple[Nest, ...]]:
    """A run of nests as runs of which none stores again where it has stored already.

    What sets numbers of an array, and what makes others of them later, are two turns.
    """
    found: list[list[Nest]] = []
    stored: set[tuple[str, tuple[Expr, ...]]] = set()
    for nest in group:
        places = {(w.array, w.indices) for stage in nest for w in stage.writes}
        if not found or not places.isdisjoint(stored):
            found.append([])
            stored.clear()
        found[-1].append(nest)
        stored |= places
    return [tuple(turn) for turn in found]


def joined(group: Sequence[Nest]) -> Nest:
    """The stages of several nests, one after the other, as those of one nest.

    Their accesses keep their places in the program's order, by which the proofs see that each reads
    what was there before all of them.
    """
    stages = [stage for nest in group for stage in nest]
    # All stages of a nest have its reads, claims and facts.
    firsts = [nest[0] for nest in group]
    return tuple(
        replace(
            first,
            writes=tuple(w for s in stages if s.output == first.output for w in s.writes),
            siblings=tuple(
                dict.fromkeys(
                    w for s in stages for w in (*s.writes, *s.others) if w.array != first.output
                )
            ),
            others=tuple(dict.fromkeys(w for s in stages for w in s.others)),
            reads=tuple(r for s in firsts for r in s.reads),
            claims=tuple(c for s in firsts for c in s.claims),
            facts=tuple(f for s in firsts for f in s.facts),
            is_joined=True,
        )
        for first in group[0]
    )
