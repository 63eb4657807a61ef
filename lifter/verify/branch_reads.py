"""Reads of another branch: what a mode doesn't read that others do.

    if (mode == 0) for (...) d[x] = s[x];          d(x) = select(mode == 0, s(x), s(x) + m(x))
    else           for (...) d[x] = s[x] + m[x];

In the iterations of the first loop the original doesn't read `m`, but the iteration of the second
one that writes the same point reads the very element, so it is the parameters alone that decide
whether the element is read. Compiled code decides such selections outside of its loops
(`compiler/lower/unswitch.py`) and reads `m` in the original's modes only; whether there is one at
all is a precondition (`conditional_reads.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compiler.ir import EQ, Expr, Load, Type, postorder

from ..dag import Ranges, as_formula, conjunction, conjuncts, disjunction, replace
from ..model.stage import Read
from .stage_proof import Piece

Decider = Callable[[Expr, Sequence[Expr]], bool]
"""Whether a formula follows from others."""


def read_in_branches(
    load: Load,
    known: Sequence[Expr],
    here: dict[Expr, Expr],
    branches: Sequence[tuple[Piece, Expr, dict[Expr, Expr]]],
    reads: Sequence[Read],
    parameters: dict[str, Type],
    holds: Decider,
) -> bool:
    """Whether some store to the point `here`, in an iteration that exists, reads the element of
    `load`.

    `known` holds in the iteration at hand; `branches` are stores, each with the formula that one of
    its iterations writes a point, and that iteration's counters, both over the coordinates of the
    point.
    """
    happening: list[Expr] = []
    for piece, hits, solution in branches:
        for read in reads:
            if read.array != load.array or read.loops != piece.write.loops:
                continue
            element = [replace(replace(i, solution), here) for i in read.indices]
            iteration = [replace(hits, here), *_in_iteration(read, parameters, solution, here)]
            same = conjunction(EQ(a, b) for a, b in zip(element, load.indices, strict=True))
            if tuple(element) == load.indices or holds(same, (*known, *iteration)):
                happening.append(conjunction(iteration))
    return bool(happening) and holds(disjunction(happening), known)


def _in_iteration(
    read: Read, parameters: dict[str, Type], solution: dict[Expr, Expr], here: dict[Expr, Expr]
) -> list[Expr]:
    """What the read's condition says of its iteration: `x < w - 1` of a neighbour that is read."""
    counters = {loop.counter for loop in read.loops}
    found = []
    for part in conjuncts(read.condition):
        formula = as_formula(part, Ranges(parameters, read.loops))
        if formula is not None and counters & set(postorder(formula)):
            found.append(replace(replace(formula, solution), here))
    return found
