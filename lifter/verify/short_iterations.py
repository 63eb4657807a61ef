"""Loops over channels, whose few iterations the source says, looked at iteration by iteration.

    for (c = 0; c < 3; c++) d[4 * i + c] = ...        is        d[4 * i] = ...; d[4 * i + 1] = ...;

What is proved of each is proved of the loop.
"""

from __future__ import annotations

from dataclasses import replace as with_changes

from compiler.ir import FALSE, I64, TRUE, Const, Expr, const

from ..dag import as_formula, conjuncts, normal, replace
from ..model.stage import Loop, Read
from ..model.summary import Witness
from .stage_proof import Piece

MOST_ROUNDS = 64


def short_iterations(piece: Piece) -> list[Piece]:
    """A store for each iteration of its loops over channels; the store itself if it has none."""
    return [_pinned(piece, iterations) for iterations in values_of(piece.write.loops)]


def elements_of_an_iteration(read: Read, loops: tuple[Loop, ...]) -> list[tuple[Expr, ...]]:
    """What `read` meets in an iteration of `loops`, its channels and theirs apart: some
    elements."""
    common = 0
    for ours, theirs in zip(read.loops, loops, strict=False):
        if ours != theirs:
            break
        common += 1
    found = [read.indices] if common == len(read.loops) else []
    while common and isinstance(read.loops[common - 1].extent, Const):
        common -= 1
    inner = read.loops[common:]
    values = values_of(inner)
    if all(len(v) == len(inner) for v in values):
        happening = (v for v in values if not _is_impossible(read.condition, v))
        found += [tuple(replace(i, v) for i in read.indices) for v in happening]
    return found


def _is_impossible(condition: Expr, iterations: dict[Expr, Expr]) -> bool:
    """Whether nothing happens under a condition in these iterations: `c < 3` in the iteration of c
    = 3."""
    for part in conjuncts(condition):
        formula = as_formula(replace(part, iterations))
        if formula is not None and normal(formula) is FALSE:
            return True
    return False


def _pinned(piece: Piece, iterations: dict[Expr, Expr]) -> Piece:
    write, witness = piece.write, piece.witness
    if not iterations:
        return piece
    free = [loop.counter not in iterations for loop in write.loops]
    given = (replace(g, iterations) for g in piece.given)
    return Piece(
        with_changes(
            write,
            indices=tuple(replace(i, iterations) for i in write.indices),
            value=replace(write.value, iterations),
            condition=replace(write.condition, iterations),
            loops=tuple(loop for loop, keep in zip(write.loops, free, strict=True) if keep),
        ),
        Witness(
            point=tuple(replace(p, iterations) for p in witness.point),
            counters=tuple(c for c, keep in zip(witness.counters, free, strict=True) if keep),
        ),
        tuple(g for g in given if g is not TRUE),
        replace(piece.condition, iterations),
    )


def values_of(loops: tuple[Loop, ...]) -> list[dict[Expr, Expr]]:
    """Values of the counters of the short loops, for each iteration."""
    found: list[dict[Expr, Expr]] = [{}]
    for loop in loops:
        if not isinstance(loop.extent, Const):
            continue
        numbers = range(int(loop.extent.value))
        if 0 < len(found) * len(numbers) <= MOST_ROUNDS:
            found = [{**r, loop.counter: const(k, I64)} for r in found for k in numbers]
    return found
