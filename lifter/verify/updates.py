"""Obligations of a reduction whose loops are others than its domain: cut, unrolled, interchanged.

`output(place(r)) = output(place(r)) + added(r)` for r in a domain. Each iteration of each store
adds to one element a value that doesn't depend on the output, reading that element right before
(`frame`), so what is left is what was there plus all that was added, in whatever order: addition of
integers commutes. So it is enough that the iterations of all stores and the points of the domain
are the same ones: each iteration is a point (`coverage`), no point is two iterations (`unique`),
every point is an iteration (`coverage`); and that an iteration adds what the point adds, to the
same element (`value`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compiler.ir import (
    EQ,
    I64,
    LE,
    LT,
    TRUE,
    Add,
    And,
    Call,
    Expr,
    Load,
    Select,
    Variable,
    postorder,
    substitute,
)

from ..dag import Ranges, conjunction, disjunction, negate, normalize_indices, replace
from ..model.stage import Stage, Write
from ..model.summary import Summary, SummaryKind, Witness
from .assumptions import Assumptions
from .cases_of_sizes import piece_of_iterations
from .decide import Decision
from .flatten import address
from .produced import Produced
from .region_proof import RegionProof
from .remedies import remedies_for_a_doubt
from .stage_proof import Piece
from .touched import Touched


class UpdatesProof(RegionProof):
    """The obligations of one reduction stage with any number of stores, whose witnesses say which
    point of the domain an iteration is, and which iteration a point."""

    kind: SummaryKind = "reduction"

    def __init__(
        self,
        stage: Stage,
        summary: Summary,
        assumptions: Assumptions,
        produced: Mapping[str, Produced],
    ) -> None:
        super().__init__(stage, summary, assumptions, produced)
        self.bounds = [
            bound
            for d, c in zip(summary.domain, self.coordinates, strict=True)
            for bound in (LE(d.lower, c), LT(c, d.upper))
        ]

    def _piece(self, write: Write, witness: Witness) -> Piece:
        """An iteration is one in which the store's conditions on sizes hold, too."""
        return piece_of_iterations(write, witness, Ranges(self.parameters, write.loops))

    def run(self) -> bool:
        """All obligations, in order, until one fails."""
        touched = Touched(self)
        return (
            self.well_formed()
            and self._adds_integers()
            and self.always_runs()
            and self.claims()
            and self.vacuity()
            and self._iterations_are_points()
            and self._points_are_iterations()
            and self._reads_right_before()
            and all(self._update(piece) for piece in self.pieces)
            and touched.decide()
            and touched.copies()
        )

    def _adds_integers(self) -> bool:
        """Sums of integers are the same in any order; those of floats aren't."""
        type = self.pieces[0].write.value.type
        return self.structural(
            "order", f"{self.stage.output} holds integers", type.is_integer and not type.is_bool
        )

    def _iterations_are_points(self) -> bool:
        for piece in self.pieces:
            line = piece.write.span.line
            for d, p in zip(self.summary.domain, piece.witness.point, strict=True):
                point = f"{p} of {d.variable.name}"
                text = f"each iteration of the store at line {line} is a point: {point}"
                inside = And(LE(d.lower, p), LT(p, d.upper))
                remedies = self._not_negative(piece)
                if not self.integers("coverage", text, inside, piece.given, remedies):
                    return False
            back: dict[Expr, Expr] = dict(zip(self.coordinates, piece.witness.point, strict=True))
            again = conjunction(
                EQ(replace(k, back), loop.counter)
                for loop, k in zip(piece.write.loops, piece.witness.counters, strict=True)
            )
            text = f"the iterations of the store at line {line} are different points"
            if not self.integers("unique", text, again, piece.given):
                return False
        pairs = [(a, b) for i, a in enumerate(self.pieces) for b in self.pieces[i + 1 :]]
        return all(self._apart(a, b) for a, b in pairs)

    def _apart(self, a: Piece, b: Piece) -> bool:
        other: dict[Expr, Expr] = {
            loop.counter: Variable(loop.counter.name + "'", I64) for loop in b.write.loops
        }
        points = zip(a.witness.point, b.witness.point, strict=True)
        same = conjunction(EQ(p, replace(q, other)) for p, q in points)
        lines = f"{a.write.span.line} and {b.write.span.line}"
        text = f"no iteration of the stores at lines {lines} is one point"
        given = [*a.given, *(replace(g, other) for g in b.given)]
        return self.integers("unique", text, negate(same), given)

    def _points_are_iterations(self) -> bool:
        hit = disjunction(self.hits(piece) for piece in self.pieces)
        return self.integers("coverage", "every point is an iteration", hit, self.bounds)

    def _reads_right_before(self) -> bool:
        """A store reads its element, and nothing is stored between; nothing else is read."""
        stores = self.stage.writes
        for read in (r for r in self.stage.reads if r.array == self.stage.output):
            text = f"{read.array} is read only where it is updated (line {read.span.line})"
            later = [w for w in stores if w.position > read.position]
            first = min(later, key=lambda w: w.position, default=None)
            own = first is not None and (first.indices, first.loops) == (read.indices, read.loops)
            if not self.structural("frame", text, own and not read.is_kept):
                return False
        for write in stores:
            before = [
                r
                for r in self.stage.reads
                if (r.array, r.indices, r.loops) == (write.array, write.indices, write.loops)
                and r.position < write.position
            ]
            last = max((r.position for r in before), default=None)
            alone = last is not None and not any(
                last < w.position < write.position for w in stores if w is not write
            )
            text = f"the store at line {write.span.line} adds to what is there by then"
            if not self.structural("frame", text, alone):
                return False
        return True

    def _update(self, piece: Piece) -> bool:
        write, summary = piece.write, self.summary
        target = Call(self.stage.output, summary.update_point, write.value.type, "image")
        flattener = self.flattener(piece)
        places = flattener.coordinates(target)
        ours = normalize_indices(flattener.value(summary.expression))
        for doubt, inner in flattener.doubts:
            around = (*piece.given, *inner, *self._facts(piece, inner))
            remedies = remedies_for_a_doubt(doubt, around, self.parameters)
            if not self.integers("reads", f"coordinates fit: {doubt}", doubt, around, remedies):
                return False
        (flat,) = address(self.layout, places)
        text = f"the iteration updates element {flat}"
        if not self.integers("coverage", text, EQ(flat, write.indices[0]), piece.given):
            return False
        for place, d in zip(places, summary.roi, strict=True):
            inside = And(LE(d.lower, place), LT(place, d.upper))
            if not self.integers("coverage", f"{place} lies in the region", inside, piece.given):
                return False
        if not self._inside_producers(flattener, piece):
            return False
        theirs = normalize_indices(write.value)
        own = Load(write.array, write.indices, write.value.type)
        matched = self._matched(ours, theirs, piece)
        if matched is None:
            return False
        if piece.condition is not TRUE:
            theirs = Select(piece.condition, theirs, own)
        decision = self.prover.equal(matched, theirs)
        if not self.record("value", f"line {write.span.line}: {theirs!r}", decision):
            return False
        return self._commutes(matched, own)

    def _matched(self, ours: Expr, theirs: Expr, piece: Piece) -> Expr | None:
        """`ours` with each load replaced by the original's load of the same element; None where
        the original doesn't read it."""
        known = [n for n in postorder(theirs, piece.condition) if isinstance(n, Load)]
        own = Load(piece.write.array, piece.write.indices, piece.write.value.type)
        mapping: dict[Expr, Expr] = {}
        for load in (n for n in postorder(ours) if isinstance(n, Load)):
            text = f"{load!r} is what the original reads"
            here = substitute(load, mapping)
            if here in known or here is own:
                self.record("reads", text, Decision("proved", "structural", 0.0))
                mapping[load] = here
                continue
            for candidate in (k for k in known if (k.array, k.type) == (load.array, load.type)):
                assert isinstance(here, Load)
                decision = self._same_element(here, candidate, piece.given)
                if decision.proved:
                    mapping[load] = candidate
                    self.record("reads", text, decision)
                    break
            else:
                self.structural("reads", f"the original doesn't read {load!r}", holds=False)
                return None
        return substitute(ours, mapping)

    def _same_element(self, a: Load, b: Load, given: Sequence[Expr]) -> Decision:
        if any(c.type is not I64 for c in (*a.indices, *b.indices)):
            return Decision("undecided", None, 0.0)
        same = conjunction(EQ(x, y) for x, y in zip(a.indices, b.indices, strict=True))
        return self.prover.integers(same, (*self.assumptions.formulas, *given), 2.0)

    def _commutes(self, ours: Expr, own: Load) -> bool:
        """The new value is the old one plus something free of the output: order doesn't matter."""
        text = f"{ours!r} adds to the old value what doesn't depend on {own.array}"
        if not (isinstance(ours, Add) and own in (ours.a, ours.b)):
            return self.structural("order", text, holds=False)
        other = ours.b if ours.a is own else ours.a
        free = all(not (isinstance(n, Load) and n.array == own.array) for n in postorder(other))
        return self.structural("order", text, free)
