"""Rings: arrays of a kernel's own that go round, of which each iteration of a loop replaces the
element that has been there longest.

    for (i = 0; i < n; i++) {                  last[i] = i < k ? ring[i] : 0
        d[i] = s[i] - ring[p];                 last[i + k] = s[i]        where i + k < n
        ring[p] = s[i];                        d[i] = s[i] - last[i]
        p = p + 1 == k ? 0 : p + 1;
    }

Iteration `i` finds what iteration `i - k` has stored, or what was there before the loop. Element
`i` of a new array is what iteration `i` finds: no place is stored to twice, and none goes round.

That the place is `i mod k` follows by induction from what an iteration makes of it, where `k` is 1
at least: it begins at 0, and stays below `k`, so that no step of it wraps. The form of the step
shows all of that but how large `k` is, which is claimed. Nothing behind the loop may read the ring:
its elements aren't kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from compiler.ir import (
    EQ,
    GE,
    LE,
    LT,
    NE,
    TRUE,
    Add,
    Const,
    Expr,
    Load,
    Mod,
    Select,
    Sub,
    TruncMod,
    Variable,
    const,
    postorder,
)

from ..model.stage import Claim, Read, Write
from .index import domain
from .index import replace as substituted
from .polynomial import ONE, normal
from .states import State
from .symbolic import Recording, markers


@dataclass(frozen=True)
class Ring:
    """A nest's stores over what its iterations find in a ring, and the stores that fill this."""

    array: str
    size: Expr
    """How many places it has, an index expression; 1 at least is claimed."""
    beginning: Write
    before: Read
    """Of the ring as it was before the loop."""
    step: Write
    update: Write
    """The store to the ring, which is none of the stores any more."""
    writes: tuple[Write, ...]
    read: Read
    """Of what iterations find, by the step and these stores."""
    found: Mapping[Expr, Expr]
    """What is found, for what reads the ring."""

    def within(self, recording: Recording, given: Sequence[Expr]) -> Recording:
        """What was recorded of the nest, made of what is found."""
        known = dict(self.found)
        reads = [
            replace(
                r,
                indices=tuple(substituted(i, known) for i in r.indices),
                condition=substituted(r.condition, known),
            )
            for r in recording.reads.values()
            if r.array != self.array
        ]
        text = f"{self.array} has a place at least"
        inside = (*domain(self.update.loops), *given)
        claim = Claim("range", LE(ONE, self.size), inside, self.update.span, text)
        made = {key: self._made(c) for key, c in recording.claims.items()}
        facts = (
            f
            for f in recording.facts
            if not any(markers(f.formula, *f.path)) and not _loads(self.array, f.formula, *f.path)
        )
        return replace(
            recording,
            reads={r.key: r for r in reads},
            claims=made | {(claim.name, claim.formula, claim.given): claim},
            facts=dict.fromkeys(facts),
        )

    def _made(self, claim: Claim) -> Claim:
        known = dict(self.found)
        given = tuple(substituted(g, known) for g in claim.given)
        return replace(claim, formula=substituted(claim.formula, known), given=given)

    def states(self, states: Mapping[Variable, State]) -> dict[Variable, State]:
        """What iterations hand on, made of what they find."""
        known = dict(self.found)
        made: dict[int, State] = {}
        for state in states.values():
            after = {m: substituted(e, known) for m, e in state.after.items()}
            made.setdefault(id(state), replace(state, after=after))
        return {m: made[id(state)] for m, state in states.items()}


def without_ring(
    writes: tuple[Write, ...],
    reads: Iterable[Read],
    states: Mapping[Variable, State],
    own: Collection[str],
    is_read_behind: Callable[[str], bool],
    index: Callable[[Expr], Expr],
    array: Callable[[str, Expr], str],
    position: int,
) -> Ring | None:
    """The stores of a nest without the first ring among the arrays `own`; None where there is none.

    `index` gives a number of the program's as an index expression, `array` makes a new array for
    one of these, of so many elements.
    """
    known = tuple(reads)
    for update in writes:
        if update.array not in own or sum(w.array == update.array for w in writes) != 1:
            continue
        if len(update.loops) != 1 or update.condition is not TRUE or len(update.indices) != 1:
            continue
        size = _size(update, states, index)
        if size is None or is_read_behind(update.array):
            continue
        old: Expr = Load(update.array, update.indices, update.value.type)
        stored = substituted(update.value, {old: const(0, old.type)})
        if any(True for _ in markers(stored)) or not _is_looked_at(update, known, states):
            continue
        others = tuple(w for w in writes if w is not update)
        of_others = (e for w in others for e in (w.value, w.condition, *w.indices))
        if all(load is old for load in _loads(update.array, update.value, *of_others)):
            return _ring(update, size, others, old, array, position)
    return None


def _loads(array: str, *exprs: Expr) -> list[Load]:
    return [n for n in postorder(*exprs) if isinstance(n, Load) and n.array == array]


def _is_looked_at(update: Write, reads: Iterable[Read], states: Mapping[Variable, State]) -> bool:
    """Whether a ring is looked at where it is stored to, before it is, in the same iteration; and
    by nothing else that is known of the nest."""
    own = [r for r in reads if r.array == update.array]
    handed_on = (e for s in states.values() for e in s.after.values() if s.loops == update.loops)
    elsewhere = (
        e
        for s in states.values()
        for e in (*s.entry.values(), *(s.after.values() if s.loops != update.loops else ()))
    )
    return (
        bool(own)
        and all(
            r.loops == update.loops
            and r.indices == update.indices
            and r.position < update.position
            and not r.is_kept
            for r in own
        )
        and all(load.indices == update.indices for load in _loads(update.array, *handed_on))
        and not _loads(update.array, *elsewhere)
    )


def _size(
    update: Write, states: Mapping[Variable, State], index: Callable[[Expr], Expr]
) -> Expr | None:
    """How many places there are, if the one at hand is the number of the iteration modulo that."""
    (place,), counter = update.indices, update.loops[-1].counter
    size: Expr | None = None
    if isinstance(place, Mod) and place.a is counter:
        size = place.b
    elif isinstance(place, Variable):
        marker = next((m for m in states if m.name == place.name), None)
        state = None if marker is None else states[marker]
        if marker is None or state is None or state.loops != update.loops:
            return None
        begun = state.entry[marker]
        turned = _turned(marker, state.after[marker])
        if turned is None or not isinstance(begun, Const) or begun.value:
            return None
        size = index(turned)
    if size is None:
        return None
    nodes = list(postorder(size))
    return None if counter in nodes or any(isinstance(n, Load) for n in nodes) else size


def _turned(marker: Variable, after: Expr) -> Expr | None:
    """How many values a number goes through that an iteration makes the next one of, which the last
    one is followed by 0: a number of the same type."""
    size = _sized(marker, after)
    if size is None or size.type is not marker.type or not marker.type.is_integer:
        return None
    return None if any(True for _ in markers(size)) else size


def _sized(marker: Variable, after: Expr) -> Expr | None:
    following = Add(marker, const(1, marker.type))
    if isinstance(after, (TruncMod, Mod)) and after.a is following:
        return after.b
    if not isinstance(after, Select):
        return None
    test = after.condition
    if isinstance(test, (EQ, GE)):
        again, onward = after.a, after.b
    elif isinstance(test, (NE, LT)):
        onward, again = after.a, after.b
    else:
        return None
    if onward is not following or not isinstance(again, Const) or again.value:
        return None
    if test.a is following:
        return test.b
    if test.a is not marker:
        return None
    if isinstance(test.b, Const):
        number = int(test.b.value) + 1
        return const(number, marker.type) if number <= marker.type.max else None
    is_before = isinstance(test.b, Sub) and test.b.b is const(1, marker.type)
    return test.b.a if is_before and isinstance(test.b, Sub) else None


def _ring(
    update: Write,
    size: Expr,
    others: tuple[Write, ...],
    old: Expr,
    array: Callable[[str, Expr], str],
    position: int,
) -> Ring:
    (loop,) = update.loops
    counter = loop.counter
    is_made_of_itself = bool(_loads(update.array, update.value))
    # What the last iterations store is found by none, and asked for where others are made of it.
    length = normal(Add(loop.extent, size)) if is_made_of_itself else loop.extent
    name = array(update.array, length)
    here: Expr = Load(name, (counter,), old.type)
    known = {old: here}
    there: Expr = Load(update.array, (counter,), old.type)
    first = LT(counter, size)
    beginning = Write(
        name, (counter,), Select(first, there, const(0, old.type)),
        (replace(loop, extent=length),), TRUE, position, update.span,
    )  # fmt: skip
    before = Read(
        update.array, (counter,), old.type, beginning.loops, first, position - 1, update.span
    )
    place = normal(Add(counter, size))
    step = Write(
        name, (place,), substituted(update.value, known), update.loops,
        TRUE if is_made_of_itself else LT(place, loop.extent), position + 3, update.span,
    )  # fmt: skip
    made = tuple(
        replace(
            w,
            value=substituted(w.value, known),
            condition=substituted(w.condition, known),
            indices=tuple(substituted(i, known) for i in w.indices),
        )
        for w in others
    )
    read = Read(name, (counter,), old.type, update.loops, TRUE, position + 2, update.span)
    return Ring(update.array, size, beginning, before, step, update, made, read, known)
