"""States: scalars that one iteration hands to the next, as arrays of what each is handed.

    t = 0;                                   t[0] = 0
    for (i = 0; i < n; i++) {                t[i + 1] = t[i] + a[i]     for each i, in order
        t += a[i];                           s[i] = t[i + 1]
        s[i] = t;
    }

What has no closed form and isn't a sum behind the loop is left as it is: element `i` of an array of
the kernel's own is what the scalar is at the head of iteration `i`, and the last one what the loop
leaves. Where loops are around, each of their iterations has a row of the array.

The stores of the nest become three nests: what the arrays begin as, what each iteration makes of
what it is handed, and the stores themselves. That they are done one after the other changes nothing
but where the nest overwrites what it reads: all three have the nest's stores for siblings, whose
places the proofs compare with what is read before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from compiler.ir import (
    I64,
    TRUE,
    Add,
    Expr,
    Load,
    Max,
    Mul,
    Type,
    Variable,
    const,
    postorder,
    substitute,
)

from ..model.stage import Claim, Fact, Loop, Read, Write
from .polynomial import ONE, ZERO, normal
from .scalars import is_unknown
from .symbolic import markers


@dataclass(frozen=True)
class State:
    """The scalars of one loop that its iterations hand on: what each is at the head of an
    iteration, and what the iteration makes of it."""

    loops: tuple[Loop, ...]
    """Outermost first; the last one hands on."""
    entry: Mapping[Variable, Expr]
    """What each begins as, by the marker of what an iteration is handed."""
    after: Mapping[Variable, Expr]

    def needed(self, wanted: Iterable[Variable]) -> list[Variable] | None:
        """The scalars that some depend on, themselves included, in the order of the loop; None
        where an iteration makes them of anything else that isn't known."""
        found, waiting = set[Variable](), list(wanted)
        while waiting:
            one = waiting.pop()
            if one in found:
                continue
            after, entry = self.after.get(one), self.entry.get(one)
            if after is None or entry is None or any(True for _ in markers(entry)):
                return None
            found.add(one)
            waiting += markers(after)
        return [m for m in self.after if m in found]


@dataclass(frozen=True)
class Expanded:
    """A nest's stores over the arrays of its states, and the stores that fill these."""

    beginnings: tuple[Write, ...]
    steps: tuple[tuple[Write, tuple[Read, ...]], ...]
    """Each with its reads of the arrays."""
    writes: tuple[Write, ...]
    reads: tuple[Read, ...]
    """Of the arrays, by these stores."""
    known: Mapping[Expr, Expr]
    """What stands for each marker."""


def expanded(
    states: Mapping[Variable, State],
    writes: tuple[Write, ...],
    array: Callable[[Variable, Expr], str],
    position: int,
) -> Expanded | None:
    """The stores of a nest with arrays for the markers of what is handed on; None where it isn't
    known how that is made, or where it says where something is stored.

    `array` makes a new array for a marker, of so many elements. Positions count from `position`.
    """
    wanted = list(dict.fromkeys(m for w in writes for m in markers(w.value, w.condition)))
    if not wanted or any(True for w in writes for _ in markers(*w.indices)):
        return None
    of = {m: states.get(m) for m in wanted}
    state = of[wanted[0]]
    if state is None or any(other is not state for other in of.values()):
        return None
    needed = state.needed(wanted)
    counters = {loop.counter for loop in state.loops}
    if needed is None or any(counters & set(postorder(loop.extent)) for loop in state.loops):
        return None
    if any(isinstance(n, Load) for loop in state.loops for n in postorder(loop.extent)):
        return None
    if any(w.loops[: len(state.loops)] != state.loops for w in writes if _uses(w, wanted)):
        return None
    *outer, own = state.loops
    length = normal(Add(Max(own.extent, ZERO), ONE))
    row: Expr = ZERO
    size = length
    for loop in outer:
        row = normal(Add(Mul(row, loop.extent), loop.counter))
        size = normal(Mul(size, Max(loop.extent, ZERO)))
    here = normal(Add(Mul(row, length), own.counter))
    names = {m: array(m, size) for m in needed}
    handed = {m: Load(names[m], (here,), m.type) for m in needed}
    left = {m: Load(names[m], (normal(Add(here, ONE)),), m.type) for m in needed}
    known: dict[Expr, Expr] = {m: load for m, load in handed.items()}

    def read(load: Load, at: int) -> Read:
        return Read(load.array, load.indices, load.type, state.loops, TRUE, at, own.span)

    filled = replace(own, extent=length)
    beginnings = tuple(
        Write(names[m], (here,), state.entry[m], (*outer, filled), TRUE, position, own.span)
        for m in needed
    )
    steps = []
    for m in needed:
        value = substitute(state.after[m], known)
        loads = [n for n in postorder(value) if isinstance(n, Load) and n in handed.values()]
        write = Write(
            names[m], left[m].indices, value, state.loops, TRUE, position + 2, own.span
        )
        steps.append((write, tuple(read(load, position + 1) for load in loads)))
    made: dict[Expr, Expr] = {
        after: left[m] for m, after in state.after.items() if m in left and after.children
    }
    stores = tuple(
        replace(w, value=substitute(substitute(w.value, made), known),
                condition=substitute(substitute(w.condition, made), known))
        for w in writes
    )  # fmt: skip
    used = dict.fromkeys(
        n for w in stores for n in postorder(w.value, w.condition)
        if isinstance(n, Load) and n.array in names.values()
    )  # fmt: skip
    return Expanded(
        beginnings, tuple(steps), stores, tuple(read(n, position + 3) for n in used), known
    )


def _uses(write: Write, wanted: Iterable[Variable]) -> bool:
    return not set(wanted).isdisjoint(markers(write.value, write.condition))
