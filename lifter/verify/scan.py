"""Obligations of a scan: `output(place(r)) = value(r)` for r in a domain, in its order.

The value may be made of any elements of the output, as the points before have left them. What is
proved is one step: the domain's points are the iterations of the loops, one to one and in their
order (`coverage`, `unique`); an iteration reads elements of the output before it stores its own,
as the update of a point does (`order`), and stores at the update's place what the update computes
of the same contents (`value`). So if both have left the same contents before an iteration, they
have after it; and before the first one they have what was there. The induction is over the number
of iterations, for all sizes.

The output has the elements of a region that holds all that are stored and read (`coverage`); those
that no iteration stores keep their value.
"""

from __future__ import annotations

from compiler.ir import EQ, LE, LT, Add, And, Call, Expr, Load, Sub, postorder

from ..dag import Reduce, normal
from ..model.proof import Verdict
from ..model.summary import SummaryKind
from .clamped_reads import Clamps
from .decide import Decision
from .reduction import ReductionProof


class ScanProof(ReductionProof):
    """The obligations of one scan."""

    kind: SummaryKind = "scan"
    proves_folds = False

    def _update(self) -> bool:
        """The step, without clamps that change nothing."""
        clamps = Clamps(self.summary.domain, self.summary.layouts, self.assumptions)
        self.expression, proved = clamps.free(self.summary.expression)
        for text, decision in proved:
            self.record("reads", text, decision)
        return super()._update()

    def _domain(self) -> bool:
        """One point of the domain for each iteration, in their order."""
        loops = tuple(reversed(self.piece.write.loops))
        counters = {loop.counter for loop in loops}
        points = self.piece.witness.point
        if len(loops) != len(self.summary.domain) or len(points) != len(loops):
            text = "the domain has a coordinate for each loop"
            return self.record("coverage", text, Decision("refuted", "structural", 0.0))
        for loop, d, point in zip(loops, self.summary.domain, points, strict=True):
            name = d.variable.name
            fixed = counters.isdisjoint(postorder(loop.extent, d.lower, d.upper))
            text = f"each iteration of {loop.counter} is one point of {name}: {point}"
            same = point is normal(Add(loop.counter, d.lower))
            verdict = Decision("proved" if fixed and same else "refuted", "structural", 0.0)
            if not self.record("unique", text, verdict):
                return False
            text = f"{name} runs over the iterations 0 <= {loop.counter} < {loop.extent}"
            same_size = EQ(normal(Sub(d.upper, d.lower)), loop.extent)
            if not self.integers("coverage", text, same_size, ()):
                return False
        return True

    def _known_reads(self) -> set[Load]:
        """What the original reads, and the element that is left as it is where nothing is stored
        (`Touched` proves that it isn't touched there)."""
        write = self.piece.write
        return super()._known_reads() | {Load(write.array, write.indices, write.value.type)}

    def _alone(self) -> bool:
        """What an iteration reads of the output is what is there by then: it is read in that very
        iteration, before the store, and nothing is known of what was there earlier."""
        write, output = self.piece.write, self.stage.output
        reads = [r for r in self.stage.reads if r.array == output]
        for read in reads:
            text = f"{output} is read before the iteration stores to it (line {read.span.line})"
            now = read.loops == write.loops and read.position < write.position
            if not self._structural(text, now and not read.is_kept):
                return False
        text = "the source says the order of the iterations"  # and not a library, of its call
        if not self._structural(text, all(write.span != loop.span for loop in write.loops)):
            return False
        text = f"no iteration is handed what {output} held before"
        if not self._structural(text, output not in self.stage.handed_on):
            return False
        own = {(r.array, r.indices, r.type) for r in reads}
        known = (
            (n.array, n.indices, n.type) in own
            for n in postorder(write.value, write.condition, *write.indices)
            if isinstance(n, Load) and n.array == output
        )
        summed = (
            any(isinstance(n, Load) and n.array == output for n in postorder(r.body))
            for r in postorder(write.value, write.condition)
            if isinstance(r, Reduce)
        )
        text = f"the iteration itself reads all that its store needs of {output}"
        return self._structural(text, all(known) and not any(summed)) and (
            self.reads_before_siblings()
        )

    def _structural(self, text: str, holds: bool) -> bool:
        verdict: Verdict = "proved" if holds else "refuted"
        return self.record("order", text, Decision(verdict, "structural", 0.0))

    def _commutes(self, ours: Expr, own: Load) -> bool:
        """Nothing commutes: points come in the order of iterations. What they read is inside."""
        text = f"{own.array} is computed in the order of the iterations"
        self.record("order", text, Decision("proved", "structural", 0.0))
        return self._reads_stay_inside()

    def _reads_stay_inside(self) -> bool:
        """The elements of the output that are read are elements of its region."""
        flattener = self.flattener(self.piece)
        for node in postorder(self.summary.expression):
            if not (isinstance(node, Call) and node.kind == "image"):
                continue
            if node.name != self.stage.output:
                continue
            for place, dimension in zip(flattener.coordinates(node), self.summary.roi, strict=True):
                inside = And(LE(dimension.lower, place), LT(place, dimension.upper))
                text = f"{node!r} lies in the region"
                if not self.integers("coverage", text, inside, self.piece.given):
                    return False
        return True
