"""Rows that iterations hand on: arrays of a kernel's own of which each iteration of a loop over
rows changes each element once, and makes other stores of what it finds there.

    for (y = 0; y < h; y++)                  rows[0][x] = acc[x]
        for (x = 0; x < w; x++) {            rows[y + 1][x] = rows[y][x] + s[y][x]
            d[y][x] = acc[x];                d[y][x] = rows[y][x]
            acc[x] += s[y][x];
        }

Row `y` of a new array is what the array is at the head of iteration `y`: what it was before the
loops, and then what each iteration makes of the row before. No element is made of another, so that
each by itself is a scalar that the outer loop hands on (`states.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

from compiler.ir import LT, TRUE, Add, Expr, Load, Mul, Select, postorder

from ..model.stage import Loop, Read, Write
from .index import replace as substituted
from .polynomial import ONE, from_polynomial, normal, polynomial
from .scalars import fold
from .symbolic import markers


@dataclass(frozen=True)
class RowStates:
    """A nest's stores over rows of an array that it hands on, and the stores that fill these."""

    array: str
    beginning: Write
    step: Write
    writes: tuple[Write, ...]
    read: Read
    """Of the rows, by the step and these stores."""


def with_rows(
    writes: tuple[Write, ...],
    reads: Iterable[Read],
    own: Collection[str],
    is_read_behind: Callable[[str], bool],
    array: Callable[[str, Expr], str],
    position: int,
) -> RowStates | None:
    """The stores of a nest with rows for the first array that it hands on; None where it hands on
    none of the arrays `own` in the way that is understood here.

    `array` makes a new array for one of these, of so many elements.
    """
    known = tuple(reads)
    for update in writes:
        if update.array not in own or sum(w.array == update.array for w in writes) != 1:
            continue
        others = tuple(w for w in writes if w is not update)
        old: Expr = Load(update.array, update.indices, update.value.type)
        using = [w for w in others if _loads(w, update.array)]
        if not using or not _is_row(update) or any(w.loops != update.loops for w in using):
            continue
        if any(load is not old for w in writes for load in _loads(w, update.array)):
            continue
        own_reads = [r for r in known if r.array == update.array]
        # What an iteration finds is what it hands on, so it has looked before it stores.
        if any(
            r.loops != update.loops or r.is_kept or r.position >= update.position for r in own_reads
        ):
            continue
        if any(True for _ in markers(update.value, update.condition)):
            continue
        ends = not is_read_behind(update.array) and not _loads(update, update.array)
        return _rows(update, others, old, array, position, ends_early=ends)
    return None


def _loads(write: Write, array: str) -> list[Load]:
    nodes = postorder(write.value, write.condition, *write.indices)
    return [n for n in nodes if isinstance(n, Load) and n.array == array]


def _is_row(update: Write) -> bool:
    """Whether each iteration of the outer of two loops stores to elements that the inner one alone
    tells, to each once."""
    if len(update.loops) != 2 or len(update.indices) != 1:
        return False
    rows, columns = update.loops
    counters = {rows.counter, columns.counter}
    terms = polynomial(update.indices[0])
    steady = abs(terms.pop((columns.counter,), 0)) == 1
    rest = from_polynomial(terms)
    plain = not counters & set(postorder(rest, rows.extent, columns.extent))
    nodes = postorder(rest, rows.extent, columns.extent)
    return steady and plain and not any(isinstance(n, Load) for n in nodes)


def _rows(
    update: Write,
    others: tuple[Write, ...],
    old: Expr,
    array: Callable[[str, Expr], str],
    position: int,
    *,
    ends_early: bool,
) -> RowStates:
    """`ends_early`: whether nothing is made of the row that the last iteration leaves."""
    rows, columns = update.loops
    height = rows.extent if ends_early else normal(Add(rows.extent, ONE))
    name = array(update.array, normal(Mul(height, columns.extent)))

    def place(row: Expr) -> tuple[Expr]:
        return (normal(Add(Mul(row, columns.extent), columns.counter)),)

    here: Expr = Load(name, place(rows.counter), old.type)
    value = (
        update.value
        if update.condition is TRUE
        else fold(Select(update.condition, update.value, old))
    )
    known = {old: here}
    every = Loop(rows.counter, height, rows.span)
    beginning = Write(name, place(rows.counter), old, (every, columns), TRUE, position, update.span)
    step = Write(
        name, place(Add(rows.counter, ONE)), substituted(value, known), update.loops,
        LT(normal(Add(rows.counter, ONE)), rows.extent) if ends_early else TRUE,
        position + 3, update.span,
    )  # fmt: skip
    made = tuple(
        replace(
            w, value=substituted(w.value, known), condition=substituted(w.condition, known),
        )
        for w in others
    )  # fmt: skip
    read = Read(name, place(rows.counter), old.type, update.loops, TRUE, position + 2, update.span)
    return RowStates(update.array, beginning, step, (*made, update), read)
