"""Obligations of a reduction: `output(place(r)) = output(place(r)) + added(r)` for r in a domain.

The domain is the iterations of the loops, one to one. Every iteration adds to one element a value
that doesn't depend on the output, and addition modulo 2**bits commutes and associates, so the order
of the iterations doesn't matter (`order`): the element's final value is its old one plus all that
was added.

Of an array that the source says the end of, any place will do: where the original stores, it is
inside, and where it doesn't, nothing is added. So that lifted code stays inside, too, its place is
`clamp(place, 0, elements - 1)`; the obligations are those of the place as it is.

Several reductions may be the update of a tuple (`Stage.is_fold`): each iteration reads one element
of each of the arrays, as the iteration before has left it, and then stores to all of them. Each is
proved by itself; that they are stored to in the same iterations, and read nowhere else, is part of
that (`order`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from compiler.ir import (
    EQ,
    GE,
    I32,
    I64,
    LE,
    LT,
    TRUE,
    Add,
    And,
    Call,
    Cast,
    Comparison,
    Expr,
    Load,
    Max,
    Min,
    Select,
    Sub,
    Type,
    const,
    postorder,
    substitute,
)

from ..dag import Ranges, domain, normal, normalize_indices
from ..model.parameters import elements_of
from ..model.stage import Stage, Write
from ..model.summary import Summary, SummaryKind
from .assumptions import Assumptions
from .compose import as_int32
from .flatten import address, strict_formula
from .frame import FrameProof
from .produced import Produced
from .remedies import remedies_for_a_doubt
from .touched import Touched


class ReductionProof(FrameProof):
    """The obligations of one reduction stage."""

    kind: SummaryKind = "reduction"
    proves_folds = True

    def __init__(
        self,
        stage: Stage,
        summary: Summary,
        assumptions: Assumptions,
        produced: Mapping[str, Produced],
    ) -> None:
        self.elements = elements_of(assumptions.kernel, stage.output)
        plain = _not_kept_inside(summary, self.elements, assumptions.prover.parameters)
        self.is_kept_inside = plain is not summary
        super().__init__(stage, plain, assumptions, produced)
        self.piece = self.pieces[0]
        write = self.piece.write
        self.updated = (write, *stage.together)
        """The updates that happen at once in each iteration."""
        self.own = {w.array: Load(w.array, w.indices, w.value.type) for w in self.updated}
        if self.is_kept_inside:
            assert self.elements is not None
            (index,) = self.piece.write.indices
            self.where_stored = (LE(const(0, I64), index), LT(index, self.elements))
        self.names = [d.variable for d in summary.domain]
        self.expression = self.summary.expression

    def run(self) -> bool:
        return (
            self.well_formed()
            and self._single()
            and self.always_runs()
            and self.claims()
            and self.vacuity()
            and self._domain()
            and self._together()
            and self._alone()
            and self._has_elements()
            and self._update()
            and self.touched.decide()
            and self.touched.copies()
        )

    @cached_property
    def touched(self) -> Touched:
        """What is proved of the elements that lifted code touches."""
        return Touched(self)

    def _single(self) -> bool:
        """The nest has one store to the output: a second one would be forgotten."""
        text = f"{self.stage.output} is updated by one store"
        return self.structural("order", text, len(self.pieces) == 1)

    def _domain(self) -> bool:
        """One point of the domain for each iteration."""
        write, summary = self.piece.write, self.summary
        iterations = [(d.variable.name, d.lower, d.upper) for d in reversed(summary.domain)]
        for loop, (name, lower, upper) in zip(write.loops, iterations, strict=True):
            counters = {other.counter for other in write.loops}
            fixed = not counters & set(postorder(loop.extent))
            same = And(EQ(lower, const(0, I64)), EQ(upper, loop.extent))
            text = f"{name} runs over the iterations 0 <= {loop.counter} < {loop.extent}"
            if not fixed:
                return self.structural("coverage", text, holds=False)
            if not self.integers("coverage", text, same, ()):
                return False
        point = self.piece.witness.point
        expected = tuple(loop.counter for loop in reversed(write.loops))
        text = "each iteration is one point of the domain"
        return self.structural("unique", text, point == expected)

    def _together(self) -> bool:
        """Where several elements are one tuple, every iteration updates all of them, each once."""
        if not self.stage.is_fold:
            return True
        write, counters = self.piece.write, {loop.counter for loop in self.piece.write.loops}
        alike = all(
            w.loops == write.loops
            and w.condition is TRUE
            and not counters & set(postorder(*w.indices))
            and not any(isinstance(n, Load) for n in postorder(*w.indices))
            for w in self.updated
        )
        apart = len(self.own) == len(self.updated) and not self.summary.update_point
        text = f"{', '.join(self.own)} are updated in the same iterations"
        return self.structural("order", text, alike and apart)

    def _alone(self) -> bool:
        """The nest reads the output only at the element that the iteration updates."""
        loops = self.piece.write.loops
        for read in self.stage.reads:
            own_load = self.own.get(read.array)
            if own_load is None:
                continue
            text = f"{read.array} is read only where it is updated (line {read.span.line})"
            own = read.indices == own_load.indices and read.loops == loops
            if not self.structural("frame", text, own):
                return False
        return self.reads_before_siblings()

    def _has_elements(self) -> bool:
        """There is an element that a place which is kept inside can be: where nothing is added, it
        may be any. And the last one has a coordinate."""
        if not self.is_kept_inside:
            return True
        assert self.elements is not None
        some = (LT(const(0, I64), self.elements), LE(self.elements, const(I32.max, I64)))
        text = f"{self.stage.output} has elements, and no more than coordinates"
        return all(self.integers("coverage", text, goal, (), (goal,)) for goal in some)

    def _fits(self, doubt: Expr, inner: Sequence[Expr]) -> bool:
        """That a coordinate fits its 32 bits, which sizes may be assumed to be small enough for."""
        given = (*self.piece.given, *inner)
        remedies = remedies_for_a_doubt(doubt, given, self.parameters)
        return self.integers("reads", f"coordinates fit: {doubt}", doubt, given, remedies)

    def _flat(self, expr: Expr) -> Expr | None:
        flattener = self.flattener(self.piece)
        flat = normalize_indices(flattener.value(expr))
        for doubt, inner in flattener.doubts:
            if not self._fits(doubt, inner):
                return None
        return flat

    def _update(self) -> bool:
        write, summary = self.piece.write, self.summary
        if len(summary.update_point) != len(summary.roi):
            text = "the place of an update has as many coordinates as the region"
            return self.structural("coverage", text, holds=False)
        target = Call(self.stage.output, summary.update_point, write.value.type, "image")
        flattener = self.flattener(self.piece)
        places = flattener.coordinates(target)
        for doubt, inner in flattener.doubts:
            if not self._fits(doubt, (*inner, *self.where_stored)):
                return False
        (flat,) = address(self.layout, places)
        given = (*domain(write.loops), *self.where_stored)
        text = f"the iteration updates element {flat}"
        same = self.same_bits(flat, write.indices[0], self.piece)
        if same.proved:
            self.record("coverage", text, same)
        elif not self.integers("coverage", text, EQ(flat, write.indices[0]), given):
            return False
        if not self.lies_inside(places, given):
            return False
        if not self._inside_producers(flattener, self.piece):
            return False
        own = Load(write.array, write.indices, write.value.type)
        ours = self._flat(self.expression)
        if ours is not None:
            # Where it is another element, nothing is stored.
            ours = substitute(ours, {Load(own.array, (normal(flat),), own.type): own})
        if ours is None or not self._reads_of(ours):
            return False
        theirs = normalize_indices(write.value)
        ours = self._with_places(ours, theirs)
        if ours is None:
            return False
        if write.condition is not TRUE:
            theirs = Select(write.condition, theirs, own)
        decision = self.prover.equal(self._matched_sizes(ours, write), theirs)
        if not self.record("value", f"line {write.span.line}: {theirs!r}", decision):
            return False
        return self._commutes(ours, own)

    def lies_inside(self, places: Sequence[Expr], given: Sequence[Expr], what: str = "") -> bool:
        """Records that a place lies in the region, `what` or each of its coordinates by itself."""
        for place, dimension in zip(places, self.summary.roi, strict=True):
            inside = And(LE(dimension.lower, place), LT(place, dimension.upper))
            text = f"{what or place} lies in the region"
            if not self.integers("coverage", text, inside, given):
                return False
        return True

    def _with_places(self, ours: Expr, theirs: Expr) -> Expr | None:
        """`ours` with the original's 64-bit places for those of the domain, which have 32 bits;
        None where they don't fit them."""
        known = set(postorder(theirs))
        places: dict[Expr, Expr] = {}
        for node in postorder(ours):
            if isinstance(node, Cast) and node.type is I64 and isinstance(node.value, Cast):
                place = node.value.value
                if node.value.type is I32 and place.type is I64 and place in known:
                    places[node] = place
        for place in dict.fromkeys(places.values()):
            for doubt in (LE(place, const(I32.max, I64)), GE(place, const(I32.min, I64))):
                if not self._fits(doubt, ()):
                    return None
        made: Expr = substitute(ours, places)
        return made

    def _matched_sizes(self, ours: Expr, write: Write) -> Expr:
        """`ours` with the original's comparisons of sizes, of which it knows that they don't wrap:
        `if (n & 1)` behind a loop over pairs."""
        known: dict[Expr, tuple[Expr, Sequence[Expr]]] = {}
        compared = (n for n in postorder(write.condition, write.value) if isinstance(n, Comparison))
        for node in compared:
            ranges = Ranges(self.parameters, write.loops)
            formula, doubts = strict_formula(node, ranges)
            if formula is not None:
                known[node] = formula, doubts
        return self.matched_comparisons(ours, known, self.piece)

    def _known_reads(self) -> set[Load]:
        """What the original reads in an iteration."""
        write = self.piece.write
        return {n for n in postorder(write.value, write.condition) if isinstance(n, Load)}

    def _reads_of(self, ours: Expr) -> bool:
        known = self._known_reads()
        for load in (n for n in postorder(ours) if isinstance(n, Load)):
            text = f"{load!r} is what the original reads"
            if not self.structural("reads", text, load in known):
                return False
        return True

    def _commutes(self, ours: Expr, own: Load) -> bool:
        """The new value is the old one plus something free of the output: order doesn't matter.

        Where all iterations update one element, any function of it will do: the domain's points
        are the iterations, in their order, and no program does updates in another one.
        """
        counters = {loop.counter for loop in self.piece.write.loops}
        if not self.summary.update_point and not counters & set(postorder(*own.indices)):
            loads = (n for n in postorder(ours) if isinstance(n, Load))
            alone = all(self.own.get(n.array, n) is n for n in loads)
            text = f"{own.array} is updated in the order of the iterations"
            return self.structural("order", text, alone)
        text = (
            f"{self.summary.expression!r} adds to the old value what doesn't depend on {own.array}"
        )
        if isinstance(ours, Add) and own in (ours.a, ours.b):
            other = ours.b if ours.a is own else ours.a
            free = all(not (isinstance(n, Load) and n.array == own.array) for n in postorder(other))
            return self.structural("order", text, free)
        return self.structural("order", text, holds=False)


def kept_inside(place: Expr, elements: Expr, parameters: dict[str, Type]) -> Expr:
    """A coordinate kept among so many elements."""
    last = as_int32(normal(Sub(elements, const(1, I64))), parameters)
    return Max(Min(place, last), const(0, I32))


def _not_kept_inside(
    summary: Summary, elements: Expr | None, parameters: dict[str, Type]
) -> Summary:
    """The same with the place of an update as it is; the summary itself where it is."""
    if elements is None or len(summary.update_point) != 1:
        return summary
    (place,) = summary.update_point
    if not isinstance(place, Max) or not isinstance(place.a, Min):
        return summary
    plain = place.a.a
    if kept_inside(plain, elements, parameters) is not place:
        return summary
    element = summary.expression.type
    kept = Call(summary.output, (place,), element, "image")
    expression = substitute(
        summary.expression, {kept: Call(summary.output, (plain,), element, "image")}
    )
    return replace(summary, update_point=(plain,), expression=expression)
