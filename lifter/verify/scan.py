"""Obligations of a scan: `output(place(r)) = value(r)` for r in a domain, in its order.

The value may be made of any elements of the output, as the points before have left them. What is
proved is one step: the domain's points are the iterations of the loops, one to one and in their
order (`coverage`, `unique`); an iteration reads elements of the output before it stores its own,
as the update of a point does (`order`), and stores at the update's place what the update computes
of the same contents (`value`). So if both have left the same contents before an iteration, they
have after it; and before the first one they have what was there. The induction is over the number
of iterations, for all sizes.

Several scans may be the update of a tuple (`Stage.is_fold`), as several reductions may: at each
point all are computed of the same contents of all, and then stored at one place of each.

The output has the elements of a region that holds all that are stored and read (`coverage`); those
that no iteration stores keep their value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compiler.ir import (
    EQ,
    I64,
    LE,
    TRUE,
    Add,
    Call,
    Div,
    Expr,
    Load,
    Mod,
    Sub,
    Variable,
    const,
    postorder,
)

from ..dag import (
    Reduce,
    conjunction,
    disjunction,
    from_polynomial,
    normal,
    normalize_indices,
    replace,
)
from ..model.stage import Loop
from ..model.summary import SummaryKind
from ..synth.linear import linear_form
from ..synth.paths import reads_of
from .clamped_reads import Clamps
from .flatten import address, place_formula
from .reduction import ReductionProof
from .region_proof import one_element, rows_apart


class ScanProof(ReductionProof):
    """The obligations of one scan."""

    kind: SummaryKind = "scan"

    def _update(self) -> bool:
        """The step, without clamps that change nothing."""
        clamps = Clamps(self.summary.domain, self.summary.layouts, self.assumptions)
        self.expression, proved = clamps.free(self.summary.expression)
        for text, decision in proved:
            self.record("reads", text, decision)
        return self._are_different() and super()._update() and self._touches_all()

    def _are_different(self) -> bool:
        """Different points of the region are different elements: what is stored at one is read at
        none of the others."""
        roi, output = self.summary.roi, self.stage.output
        if self.layout.rows:
            text = f"{output} is no table of rows"
            return self.structural("unique", text, holds=False)
        same, given = one_element(self, [Variable(d.variable.name, I64) for d in roi])
        text = f"different points of {output} are different elements"
        return self.integers("unique", text, same, given, rows_apart(self.layout, roi))

    def _touches_all(self) -> bool:
        """Where the loops run, each element of the region is stored or read in some iteration, or
        lies between two that are."""
        summary, output = self.summary, self.stage.output
        if self.assumptions.kernel.arrays[output].origin == "local":
            return True  # an array of lifted code's own
        here: list[Expr] = [Variable(d.variable.name, I64) for d in summary.roi]
        accesses = list(self._accesses())
        ways = [self._is_accessed(accesses, here)]
        for number, d in enumerate(summary.roi):
            first, last = d.lower, normal(Sub(d.upper, const(1, I64)))
            ends = [[*here[:number], end, *here[number + 1 :]] for end in (first, last)]
            (low,), (place,), (high,) = (address(self.layout, p) for p in (ends[0], here, ends[1]))
            both = [self._is_accessed(accesses, end) for end in ends]
            for a, b in ((low, high), (high, low)):
                ways.append(conjunction((*both, LE(a, place), LE(place, b))))
        given = self.in_region(here)
        given += [] if summary.written_if is None else [summary.written_if]
        if not self._read_by_places():
            return False
        text = f"each element of {output}'s region is stored or read, or between such"
        return self.integers("frame", text, disjunction(ways), given)

    def _read_by_places(self) -> bool:
        """Pixels don't decide whether an element of the output is read: compiled code reads what
        its definition names."""
        output = self.stage.output
        reads = (r for r in reads_of((self.expression, TRUE)) if r.call.name == output)
        stored = self.summary.update_point
        fine = all(
            read.call.args == stored
            or not any(isinstance(n, (Load, Call)) for n in postorder(read.condition))
            for read in reads
        )
        text = f"which elements of {output} are read doesn't depend on pixels"
        return self.structural("frame", text, fine)

    def _accesses(self) -> Iterator[tuple[list[Expr], Expr]]:
        """Where an iteration stores and reads the output, and under which index formula."""
        piece, summary = self.piece, self.summary
        stored = Call(self.stage.output, summary.update_point, summary.expression.type, "image")
        yield self.flattener(piece).coordinates(stored), TRUE
        known = (*self.assumptions.formulas, *piece.given)
        for read in reads_of((self.expression, TRUE)):
            if read.call.name != stored.name or read.reductions:
                continue
            flattener = self.flattener(piece)
            condition = place_formula(
                normalize_indices(flattener.value(read.condition)),
                flattener.ranges,
                lambda doubt: self.prover.integers(doubt, known, 2.0).proved,
            )
            if condition is not None:
                yield flattener.coordinates(read.call), condition

    def _is_accessed(
        self, accesses: Sequence[tuple[list[Expr], Expr]], point: Sequence[Expr]
    ) -> Expr:
        """That some iteration accesses a point."""
        found: list[Expr] = []
        for places, condition in accesses:
            iteration = _iteration_at(places, point, self.piece.write.loops)
            same = [EQ(replace(p, iteration), q) for p, q in zip(places, point, strict=True)]
            there = (replace(f, iteration) for f in (*self.piece.given, condition))
            found.append(conjunction((*map(normal, same), *there)))
        return disjunction(found)

    def _domain(self) -> bool:
        """One point of the domain for each iteration, in their order."""
        loops = tuple(reversed(self.piece.write.loops))
        counters = {loop.counter for loop in loops}
        points = self.piece.witness.point
        if len(loops) != len(self.summary.domain) or len(points) != len(loops):
            text = "the domain has a coordinate for each loop"
            return self.structural("coverage", text, holds=False)
        for loop, d, point in zip(loops, self.summary.domain, points, strict=True):
            name = d.variable.name
            fixed = counters.isdisjoint(postorder(loop.extent, d.lower, d.upper))
            text = f"each iteration of {loop.counter} is one point of {name}: {point}"
            same = point is normal(Add(loop.counter, d.lower))
            if not self.structural("unique", text, fixed and same):
                return False
            text = f"{name} runs over the iterations 0 <= {loop.counter} < {loop.extent}"
            same_size = EQ(normal(Sub(d.upper, d.lower)), loop.extent)
            if not self.integers("coverage", text, same_size, ()):
                return False
        return True

    def _together(self) -> bool:
        """The arrays of a tuple are the kernel's own, and every iteration stores to all of them,
        each once, at one place."""
        if not self.stage.is_fold:
            return True
        write, arrays = self.piece.write, self.assumptions.kernel.arrays
        alike = all(
            (w.loops, w.indices) == (write.loops, write.indices)
            and w.condition is TRUE
            and arrays[w.array].origin == "local"
            and self._lies_as_the_output(w.array)
            for w in self.updated
        )
        text = f"{', '.join(self.own)} are updated in the same iterations, at one place"
        return self.structural("order", text, alike and len(self.own) == len(self.updated))

    def _lies_as_the_output(self, array: str) -> bool:
        """Whether the elements of an array at a place are those of the output."""
        producer = self.produced.get(array)
        layout = self.layout if producer is None else producer.summary.layouts[array]
        known = self.summary.layouts.get(array, layout)
        return all(
            (x.strides, x.offset, x.rows)
            == (self.layout.strides, self.layout.offset, self.layout.rows)
            for x in (layout, known)
        )

    def _known_reads(self) -> set[Load]:
        """What the original reads, and the element that is left as it is where nothing is stored
        (`Touched` proves that it isn't touched there)."""
        write = self.piece.write
        return super()._known_reads() | {Load(write.array, write.indices, write.value.type)}

    def _alone(self) -> bool:
        """What an iteration reads of the output is what is there by then: it is read in that very
        iteration, before the store, and nothing is known of what was there earlier. So of all
        arrays that are one tuple."""
        write, output = self.piece.write, self.stage.output
        alone = not (self.stage.beside or self.stage.is_joined)
        if not self.structural("order", f"nothing else of the nest stores to {output}", alone):
            return False
        reads = [r for r in self.stage.reads if r.array in self.own]
        for read in reads:
            text = f"{read.array} is read before iterations store to it (line {read.span.line})"
            now = read.loops == write.loops and all(
                read.position < w.position for w in self.updated
            )
            if not self.structural("order", text, now and not read.is_kept):
                return False
        text = "the source says the order of the iterations"  # and not a library, of its call
        if not self.structural("order", text, all(write.span != loop.span for loop in write.loops)):
            return False
        text = f"no iteration is handed what {', '.join(self.own)} held before"
        if not self.structural("order", text, self.stage.handed_on.isdisjoint(self.own)):
            return False
        own = {(r.array, r.indices, r.type) for r in reads}
        known = (
            (n.array, n.indices, n.type) in own
            for n in postorder(write.value, write.condition, *write.indices)
            if isinstance(n, Load) and n.array in self.own
        )
        summed = (
            any(isinstance(n, Load) and n.array in self.own for n in postorder(r.body))
            for r in postorder(write.value, write.condition)
            if isinstance(r, Reduce)
        )
        text = f"the iteration itself reads all that its store needs of {output}"
        return self.structural("order", text, all(known) and not any(summed)) and (
            self.reads_before_siblings()
        )

    def _commutes(self, ours: Expr, own: Load) -> bool:
        """Nothing commutes: points come in the order of iterations. What they read is inside."""
        text = f"{own.array} is computed in the order of the iterations"
        self.structural("order", text, holds=True)
        return self._reads_stay_inside()

    def _reads_stay_inside(self) -> bool:
        """The elements of the output that are read are elements of its region."""
        flattener = self.flattener(self.piece)
        for node in postorder(self.summary.expression):
            if not (isinstance(node, Call) and node.kind == "image"):
                continue
            if node.name != self.stage.output:
                continue
            places = flattener.coordinates(node)
            if not self.lies_inside(places, self.piece.given, f"{node!r}"):
                return False
        return True


def _iteration_at(
    places: Sequence[Expr], here: Sequence[Expr], loops: Sequence[Loop]
) -> dict[Expr, Expr]:
    """The iteration that accesses a point, if any does: a suggestion. Counters that say nothing of
    the place are those of the first iteration."""
    counters: set[Expr] = {loop.counter for loop in loops}
    found: dict[Expr, Expr] = dict.fromkeys(counters, const(0, I64))
    for place, coordinate in zip(places, here, strict=True):
        form = linear_form(place, counters)
        if form is None or set(form.terms) - {()}:
            continue
        steps = sorted(form.terms.get((), {}).items(), key=lambda step: -abs(step[1]))
        rest = normal(Sub(coordinate, from_polynomial(form.offsets)))
        for counter, step in steps:
            if step < 0:
                rest = normal(Sub(const(0, I64), rest))
            size = const(abs(step), I64)
            found[counter] = rest if abs(step) == 1 else normal(Div(rest, size))
            rest = normal(Mod(rest, size))
    return found
