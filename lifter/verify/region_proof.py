"""Obligations about where a stage writes: `coverage`, `unique` and `frame`.

If each iteration writes the point that the witness says (`coverage`), every point of the region is
written by some iteration (`coverage`), no point is written twice (`unique`) and no iteration reads
what an earlier one wrote (`frame`), then the order of the iterations doesn't matter, and each point
is made by one iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    I64,
    LE,
    LT,
    NE,
    And,
    Const,
    Expr,
    Load,
    Mul,
    Sub,
    Variable,
    const,
    postorder,
)

from ..dag import (
    conjunction,
    conjuncts,
    disjunction,
    negate,
    normal,
    polynomial,
    replace,
)
from ..model.summary import Dimension, Layout
from ..synth.boxes import box_of, may_be_less
from .decide import Decision
from .flatten import address
from .frame import FrameProof, another_iteration
from .remedies import remedies_at_ends
from .stage_proof import Piece, StageProof

ZERO = const(0, I64)


def two_iterations(a: Piece, b: Piece) -> tuple[list[Expr], list[Expr]]:
    """An iteration of `a` and one of `b`, whatever their conditions are: (what holds in them, that
    they write one point)."""
    renamed = another_iteration(b.write)
    points = zip(a.witness.point, b.witness.point, strict=True)
    same: list[Expr] = [EQ(p, replace(q, renamed)) for p, q in points]
    return [*a.given, *(replace(g, renamed) for g in b.given)], same


def meeting(a: Piece, b: Piece) -> list[Expr]:
    """That an iteration of `a` and an iteration of `b` write one point, whatever their conditions
    are."""
    iterations, same = two_iterations(a, b)
    return [*iterations, *same]


def _at_most(span: Expr, stride: Expr) -> Expr:
    """span <= stride, as `skip >= 0` where the stride is the span and a rest of one term."""
    rest = normal(Sub(stride, span))
    if isinstance(rest, Variable) and not isinstance(stride, Variable):
        return normal(GE(rest, ZERO))
    return normal(LE(span, stride))


def rows_apart(layout: Layout, region: Sequence[Dimension]) -> list[Expr]:
    """What makes different points different elements: each row ends before the next begins (for
    strides of either sign).

    Where the distance of neighbours is a parameter, too, they lie apart, in this order, or in
    the other one where nothing but that says which of two parameters is the greater stride.
    """
    strides = layout.strides
    extents = [normal(Sub(d.upper, d.lower)) for d in region]
    up = _in_order(strides, extents)
    last = conjunction([*up[:-1], *_downwards(strides, extents)])
    remedies = [*(f for f in up), conjunction(up), last] if up else []
    if strides and not isinstance(strides[0], Const):
        apart = normal(GE(strides[0], const(1, I64)))
        remedies += [conjunction([apart, *up]), conjunction([apart, last])]
    either = [] if layout.rows else _in_either_order(strides, extents)
    return [*either, *remedies]


def _in_order(strides: Sequence[Expr], extents: Sequence[Expr]) -> list[Expr]:
    """That what lies along each dimension ends before the next step of the one around it."""
    spans = (normal(Mul(extent, stride)) for extent, stride in zip(extents, strides, strict=False))
    up = [_at_most(span, stride) for span, stride in zip(spans, strides[1:], strict=False)]
    return [f for f in up if not isinstance(f, Const)]


def _downwards(strides: Sequence[Expr], extents: Sequence[Expr]) -> list[Expr]:
    """The same of the last dimension, whose stride is negative."""
    if len(strides) < 2:
        return []
    span = normal(Mul(extents[len(strides) - 2], strides[-2]))
    down = normal(LE(span, normal(Sub(ZERO, strides[-1]))))
    return [] if isinstance(down, Const) else [down]


def _in_either_order(strides: Sequence[Expr], extents: Sequence[Expr]) -> list[Expr]:
    """That the last two strides are apart one way or the other, where both are parameters of which
    none is how many there are of something: `d[y * pitch + x * size]` is filled by columns, too."""
    last = strides[-2:]
    if not len(strides) == len(extents) >= 2:
        return []
    if not all(isinstance(stride, Variable) and stride not in extents for stride in last):
        return []
    ways = []
    for order in ((-2, -1), (-1, -2)):
        own = [*strides[:-2], *(strides[i] for i in order)]
        theirs = [*extents[:-2], *(extents[i] for i in order)]
        first = [] if isinstance(own[0], Const) else [normal(GE(own[0], const(1, I64)))]
        ways.append(conjunction([*first, *_in_order(own, theirs)]))
    return [disjunction(ways)]


def one_element(proof: StageProof, here: Sequence[Variable]) -> tuple[Expr, list[Expr]]:
    """That a point and any other one of the region are the same, and what holds where they are one
    element."""
    there = [Variable(c.name + "'", I64) for c in here]
    places = zip(address(proof.layout, here), address(proof.layout, there), strict=True)
    same_place = [EQ(a, b) for a, b in places]
    same_point = conjunction(EQ(a, b) for a, b in zip(here, there, strict=True))
    return same_point, [*proof.in_region(here), *proof.in_region(there), *same_place]


class RegionProof(FrameProof):
    """The obligations of a stage whose iterations and points determine each other."""

    def region(self) -> bool:
        """Everything about where is written: claims, coverage and uniqueness."""
        return (
            self.well_formed()
            and self.always_runs()
            and self.claims()
            and self.vacuity()
            and self.unique()
            and self.coverage()
        )

    def coverage(self) -> bool:
        for piece in self.pieces:
            place = address(self.layout, piece.witness.point)
            for ours, theirs in zip(place, piece.write.indices, strict=True):
                shown = ", ".join(map(repr, piece.witness.point))
                text = (
                    f"the store at line {piece.write.span.line} is at {self.stage.output}({shown})"
                )
                if not self.integers("coverage", text, EQ(ours, theirs), piece.given):
                    return False
            for dimension, coordinate in zip(self.summary.roi, piece.witness.point, strict=True):
                inside = And(LE(dimension.lower, coordinate), LT(coordinate, dimension.upper))
                shown = f"{dimension.lower} <= {coordinate} < {dimension.upper}"
                text = f"{shown}: nothing outside is written"
                remedies = [
                    *self._not_negative(piece),
                    *remedies_at_ends(inside, piece.given, self.parameters),
                ]
                # Where its condition on sizes doesn't hold, nothing is stored.
                if isinstance(coordinate, Variable) and coordinate.name in self.parameters:
                    never = [negate(f) for f in self.by_parameters(piece)]
                    remedies[:0] = [disjunction((*never, inside))] if never else []
                given = (*piece.given, *self._index_part(piece.condition, piece.write.loops))
                if not self.integers("coverage", text, inside, given, remedies):
                    return False
        written = self.assumptions.decide(self.written(), self.in_region())
        if not written.proved:
            self.has_gaps = True
            return True
        return self.record("coverage", "every point of the region is written", written)

    def written_here(self) -> Expr:
        """`written` without what holds at every point of the region."""
        known = (*self.assumptions.formulas, *self.in_region())
        return disjunction(
            conjunction(
                part
                for part in conjuncts(self.hits(piece))
                if not self.prover.integers(part, known, 2.0).proved
            )
            for piece in self.pieces
        )

    def _not_negative(self, piece: Piece) -> list[Expr]:
        """That sizes which bound a store's loops, or say where it goes, aren't negative."""
        bounding = self._sizes(loop.extent for loop in piece.write.loops)
        each: list[Expr] = [GE(n, ZERO) for n in bounding]
        positive: list[Expr] = [GE(n, const(1, I64)) for n in bounding]
        places: list[Expr] = [GE(n, ZERO) for n in self._sizes(piece.witness.point)]
        return [*each, conjunction(each), *positive, *places]

    def _sizes(self, expressions: Iterable[Expr]) -> list[Expr]:
        """The parameters in index expressions."""
        # Inside of typed arithmetic, as in `int64(n | 3)`, a size has the type of its declaration.
        return list(
            dict.fromkeys(
                Variable(n.name, I64)
                for n in postorder(*expressions)
                if isinstance(n, Variable) and n.name in self.parameters
            )
        )

    def unique(self) -> bool:
        same_point, given = one_element(self, self.coordinates)
        text = f"different points of {self.stage.output} are different elements"
        if (
            self.layout.strides
            and self._fills_ends()
            and not self.assumptions.decide(same_point, given).proved
        ):
            text = f"all points of {self.stage.output} get one value, whichever are one element"
            return self.record("unique", text, Decision("proved", "structural", 0.0))
        if not self.integers("unique", text, same_point, given, self.layout_remedies()):
            return False
        for piece in self.pieces:
            back: dict[Expr, Expr] = dict(zip(self.coordinates, piece.witness.point, strict=True))
            again = conjunction(
                EQ(replace(k, back), loop.counter)
                for loop, k in zip(piece.write.loops, piece.witness.counters, strict=True)
            )
            text = f"the store at line {piece.write.span.line} writes each point once"
            if not self.integers("unique", text, again, piece.given):
                return False
        pairs = [(a, b) for i, a in enumerate(self.pieces) for b in self.pieces[i + 1 :]]
        return all(self._apart(a, b) for a, b in pairs)

    def _fills_ends(self) -> bool:
        """Whether one value that parameters say is all that is stored, where they say, at places as
        far apart as an image has ends: its first row and its last are one where it has no other."""
        writes = self.stage.writes
        values = {write.value for write in writes}
        counters: set[Expr] = {loop.counter for write in writes for loop in write.loops}
        parts = [p for write in writes for p in (write.value, write.condition, *write.indices)]
        return (
            bool(self.layout.strides)
            and len(values) == 1
            and counters.isdisjoint(postorder(*values))
            and not any(isinstance(node, Load) for node in postorder(*parts))
            and len(polynomial(self.layout.strides[-1])) > 1
        )

    def layout_remedies(self) -> list[Expr]:
        return rows_apart(self.layout, self.summary.roi)

    def _apart(self, a: Piece, b: Piece) -> bool:
        """Two stores never write the same point (in iterations where both happen)."""
        lines = f"{a.write.span.line} and {b.write.span.line}"
        text = f"the stores at lines {lines} write different points"
        iterations, same = two_iterations(a, b)
        iterations += [*self.by_parameters(a), *self.by_parameters(b)]
        apart = negate(conjunction(same))
        decision = self.assumptions.decide(apart, iterations, self._remedies_apart(a, b))
        if not decision.proved:
            both = conjunction(self.at_point(p) for p in (a, b))
            exclusive = self.prover.equal(both, FALSE)
            decision = exclusive if exclusive.proved else decision
        return self.record("unique", text, decision)

    def _remedies_apart(self, a: Piece, b: Piece) -> list[Expr]:
        """In some coordinate, all that one of two stores writes lies before what the other does, or
        each has one place that parameters say, wherever both happen."""
        happening = [negate(f) for f in (*self.by_parameters(a), *self.by_parameters(b))]
        found: list[Expr] = []
        for p, q in zip(self._ends(a), self._ends(b), strict=True):
            for (_, last), (first, _) in ((p, q), (q, p)):
                before = normal(LT(last, first))
                if not isinstance(before, Const) and may_be_less(last, first):
                    found.append(disjunction((*happening, before)))
            if p[0] is p[1] and q[0] is q[1] and not any(isinstance(e, Const) for e in (*p, *q)):
                named = normal(NE(p[0], q[0]))
                found[:0] = [] if isinstance(named, Const) else [disjunction((*happening, named))]
        return found

    def _ends(self, piece: Piece) -> tuple[tuple[Expr, Expr], ...]:
        """The least and the greatest of each coordinate that a store writes."""
        return box_of(piece.write, piece.witness.point)

    def frame(self) -> bool:
        """No iteration reads an element that an earlier one has overwritten."""
        own = (r for r in self.stage.reads if r.array == self.stage.output)
        return (
            all(self._not_overwritten(r, p) for r in own for p in self.pieces)
            and self.reads_before_siblings()
        )
