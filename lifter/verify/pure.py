"""Obligations of a pure stage: `output(p) = expression(p)` for every point p of the region.

The original's loop nest is a set of stores. If each round writes the point that the witness says
(`coverage`), every point of the region is written by some round (`coverage`), no point is written twice
(`unique`), no round reads what an earlier one wrote (`frame`), and the value stored is the
expression's at that point (`reads`, `value`), then running the nest and realizing the summary leave the
same contents, for all sizes. Loop normalization's claims are the `induction` obligations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from compiler.ir import (
    EQ,
    FALSE,
    I64,
    LE,
    LT,
    NE,
    TRUE,
    And,
    Call,
    Const,
    Expr,
    Load,
    Mul,
    Or,
    Select,
    Sub,
    TruncDiv,
    TruncMod,
    Variable,
    const,
    postorder,
    substitute,
)

from ..dag import (
    Loop,
    Ranges,
    Read,
    Stage,
    Write,
    as_formula,
    conjunction,
    conjuncts,
    disjunction,
    domain,
    negate,
    normal,
    normalize_indices,
    replace,
)
from ..synth.summary import Summary, SummaryKind, Witness
from .assumptions import Assumptions
from .decide import Decision
from .flatten import Flattener, address
from .proof import Obligation, ObligationName, Verdict

ZERO = const(0, I64)


@dataclass
class Piece:
    """One store with what is known of its rounds."""

    write: Write
    witness: Witness
    given: tuple[Expr, ...]
    """Its rounds: loop bounds and conditions on counters, as index formulas."""
    condition: Expr
    """The rest of its condition: typed, over array contents and parameters."""


@dataclass(frozen=True)
class Produced:
    """What earlier stages of the kernel left in an array."""

    summary: Summary
    is_fresh: bool
    """A local array that nothing else has written: its other elements are undefined."""
    interval: tuple[int, int] | None = None
    """Proven bounds of its elements' values."""


class StageProof:
    """Collects the obligations of one stage; stops at the first that fails."""

    kind: SummaryKind = "pure"

    def __init__(
        self,
        stage: Stage,
        summary: Summary,
        assumptions: Assumptions,
        produced: Mapping[str, Produced],
    ) -> None:
        self.stage = stage
        self.summary = summary
        self.assumptions = assumptions
        self.produced = produced
        self.prover = assumptions.prover
        self.parameters = self.prover.parameters
        self.obligations: list[Obligation] = []
        self.names = [d.variable for d in (summary.domain or summary.roi)]
        self.coordinates = [Variable(v.name, I64) for v in self.names]
        self.layout = summary.layouts[stage.output]
        self.pieces = [
            self._piece(w, s) for w, s in zip(stage.writes, summary.witnesses, strict=True)
        ]

    def _piece(self, write: Write, witness: Witness) -> Piece:
        counters = {loop.counter for loop in write.loops}
        given = list(domain(write.loops))
        rest = []
        for part in conjuncts(write.condition):
            formula = as_formula(part, Ranges(self.parameters, write.loops))
            if formula is not None and counters & set(postorder(formula)):
                given.append(formula)
            else:
                rest.append(part)
        return Piece(write, witness, tuple(given), conjunction(rest))

    @property
    def failed(self) -> Obligation | None:
        """The first obligation that isn't proved."""
        return next((o for o in self.obligations if o.verdict != "proved"), None)

    def record(self, name: ObligationName, text: str, decision: Decision) -> bool:
        self.obligations.append(
            Obligation(
                name,
                self.stage.name,
                text,
                decision.verdict,
                decision.by,
                decision.seconds,
                decision.smt2,
            )
        )
        return decision.proved

    def integers(
        self,
        name: ObligationName,
        text: str,
        goal: Expr,
        given: Iterable[Expr],
        remedies: Sequence[Expr] = (),
    ) -> bool:
        return self.record(name, text, self.assumptions.decide(goal, given, remedies))

    def run(self) -> bool:
        """All obligations, in order, until one fails."""
        return self.region() and self.frame() and self.values()

    # The obligations

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

    def well_formed(self) -> bool:
        """The summary is of the kind that is proved here, and its coordinates are its own."""
        summary = self.summary
        dimensions = (*summary.roi, *summary.domain)
        names = {d.variable.name for d in dimensions}
        bounds = [e for d in dimensions for e in (d.lower, d.upper)]
        free = {n.name for n in postorder(*bounds) if isinstance(n, Variable)}
        fine = (
            summary.kind == self.kind
            and summary.output == self.stage.output
            and len(names) == len(dimensions)
            and names.isdisjoint(self.parameters)
            and free <= set(self.parameters)
        )
        text = "bounds are over parameters, coordinates have names of their own"
        verdict: Verdict = "proved" if fine else "refuted"
        return self.record("coverage", text, Decision(verdict, "structural", 0.0))

    def always_runs(self) -> bool:
        """A summary that only runs under a condition leaves the points unwritten elsewhere."""
        condition = self.summary.condition
        if condition is None:
            return True
        decision = self.prover.equal(condition, TRUE, self.assumptions.formulas)
        return self.record("coverage", f"the stage always runs: {condition!r}", decision)

    def claims(self) -> bool:
        for claim in self.stage.claims:
            remedies = _remedies(claim.formula, claim.given, self.parameters)
            if not self.integers("induction", claim.text, claim.formula, claim.given, remedies):
                return False
        return True

    def vacuity(self) -> bool:
        """The region can be non-empty and every store can happen, so the proof says something."""
        for piece in self.pieces:
            found = self.prover.satisfiable((*self.assumptions.formulas, *piece.given))
            verdict = "proved" if found else "undecided" if found is None else "refuted"
            text = f"the store at line {piece.write.span.line} can happen under the preconditions"
            if not self.record("vacuity", text, Decision(verdict, "z3", 0.0)):  # type: ignore[arg-type]
                return False
        return True

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
            for d, (dimension, coordinate) in enumerate(
                zip(self.summary.roi, piece.witness.point, strict=True)
            ):
                inside = And(LE(dimension.lower, coordinate), LT(coordinate, dimension.upper))
                text = f"{dimension.lower} <= {coordinate} < {dimension.upper}: nothing outside is written"
                if not self.integers("coverage", text, inside, piece.given):
                    return False
                del d
        written = disjunction(self._hits(piece) for piece in self.pieces)
        return self.integers(
            "coverage", "every point of the region is written", written, self.in_region()
        )

    def _hits(self, piece: Piece) -> Expr:
        """At a point: the round that the witness names exists and writes this point."""
        solution = self.solution(piece)
        there = [replace(g, solution) for g in piece.given]
        for coordinate, value in zip(self.coordinates, piece.witness.point, strict=True):
            there.append(normal(EQ(replace(value, solution), coordinate)))
        return conjunction(there)

    def solution(self, piece: Piece) -> dict[Expr, Expr]:
        """The round that writes the point at hand."""
        return {
            loop.counter: value
            for loop, value in zip(piece.write.loops, piece.witness.counters, strict=True)
        }

    def in_region(self, coordinates: Sequence[Expr] | None = None) -> list[Expr]:
        chosen = coordinates or self.coordinates
        return [
            bound
            for dimension, c in zip(self.summary.roi, chosen, strict=True)
            for bound in (LE(dimension.lower, c), LT(c, dimension.upper))
        ]

    def unique(self) -> bool:
        others = [Variable(c.name + "'", I64) for c in self.coordinates]
        same_place = [
            EQ(a, b)
            for a, b in zip(
                address(self.layout, self.coordinates), address(self.layout, others), strict=True
            )
        ]
        same_point = conjunction(EQ(a, b) for a, b in zip(self.coordinates, others, strict=True))
        given = [*self.in_region(), *self.in_region(others), *same_place]
        text = f"different points of {self.stage.output} are different elements"
        if not self.integers("unique", text, same_point, given, self.layout_remedies()):
            return False
        for piece in self.pieces:
            back = {c: p for c, p in zip(self.coordinates, piece.witness.point, strict=True)}
            again = conjunction(
                EQ(replace(k, back), loop.counter)
                for loop, k in zip(piece.write.loops, piece.witness.counters, strict=True)
            )
            text = f"the store at line {piece.write.span.line} writes each point once"
            if not self.integers("unique", text, again, piece.given):
                return False
        pairs = [(a, b) for i, a in enumerate(self.pieces) for b in self.pieces[i + 1 :]]
        return all(self._apart(a, b) for a, b in pairs)

    def layout_remedies(self) -> list[Expr]:
        """Each row ends before the next begins (for strides of either sign)."""
        strides = [s for s in self.layout.strides]
        extents = [Sub(d.upper, d.lower) for d in self.summary.roi]
        up: list[Expr] = []
        down: list[Expr] = []
        for d in range(len(strides) - 1):
            span = normal(Mul(extents[d], strides[d]))
            up.append(normal(LE(span, strides[d + 1])))
            down.append(normal(LE(span, normal(Sub(ZERO, strides[d + 1])))))
        up = [f for f in up if not isinstance(f, Const)]
        last = conjunction([*up[:-1], *(f for f in down[-1:] if not isinstance(f, Const))])
        return [*(f for f in up), conjunction(up), last] if up else []

    def _apart(self, a: Piece, b: Piece) -> bool:
        """Two stores never write the same point (in rounds where both happen)."""
        renamed = {loop.counter: Variable(loop.counter.name + "'", I64) for loop in b.write.loops}
        meet = [
            EQ(p, replace(q, renamed))
            for p, q in zip(a.witness.point, b.witness.point, strict=True)
        ]
        given = [*a.given, *(replace(g, renamed) for g in b.given), *meet]
        text = f"the stores at lines {a.write.span.line} and {b.write.span.line} write different points"
        decision = self.assumptions.decide(FALSE, given)
        if not decision.proved:
            both = conjunction(self._at_point(p) for p in (a, b))
            exclusive = self.prover.equal(both, FALSE)
            decision = exclusive if exclusive.proved else decision
        return self.record("unique", text, decision)

    def _at_point(self, piece: Piece) -> Expr:
        """A store's condition in the round that writes the point at hand."""
        return replace(piece.condition, self.solution(piece))

    def frame(self) -> bool:
        """No round reads an element that an earlier one has overwritten."""
        own = (r for r in self.stage.reads if r.array == self.stage.output)
        return all(self._not_overwritten(r, p) for r in own for p in self.pieces)

    def _not_overwritten(self, read: Read, piece: Piece) -> bool:
        write = piece.write
        text = (
            f"{read.array}[{', '.join(map(repr, read.indices))}] (line {read.span.line}) isn't overwritten "
            f"before it is read (line {write.span.line})"
        )
        rounds = {*domain(read.loops), *self._index_part(read.condition, read.loops)}
        same_place = read.indices == write.indices and read.loops == write.loops
        if same_place and rounds.issuperset(piece.given):
            # Another round that writes this element would write it twice, against `unique`; and
            # execution hands a round its own store's value, so such a load is of the old content.
            return self.record("frame", text, Decision("proved", "structural", 0.0))
        renamed = {loop.counter: Variable(loop.counter.name + "'", I64) for loop in write.loops}
        common = 0
        for ours, theirs in zip(read.loops, write.loops, strict=False):
            if ours is not theirs and ours != theirs:
                break
            common += 1
        earlier: list[Expr] = []
        for depth in range(common + 1):
            before = [EQ(renamed[loop.counter], loop.counter) for loop in read.loops[:depth]]
            if depth < common:
                counter = read.loops[depth].counter
                earlier.append(conjunction([*before, LT(renamed[counter], counter)]))
            elif write.position < read.position:
                earlier.append(conjunction(before))
        same = [
            EQ(a, replace(b, renamed)) for a, b in zip(read.indices, write.indices, strict=True)
        ]
        given = [
            *domain(read.loops), *self._index_part(read.condition, read.loops),
            *(replace(g, renamed) for g in piece.given),
            *(replace(g, renamed) for g in self._index_part(write.condition, write.loops)),
            disjunction(earlier), *same,
        ]  # fmt: skip
        return self.record("frame", text, self.assumptions.decide(FALSE, given))

    def _index_part(self, condition: Expr, loops: tuple[Loop, ...]) -> list[Expr]:
        ranges = Ranges(self.parameters, loops)
        found = (as_formula(part, ranges) for part in conjuncts(condition))
        return [f for f in found if f is not None]

    def values(self) -> bool:
        """In every round that stores, the value is the expression's at the point; elsewhere the old one."""
        return all(self._value(piece) for piece in self.pieces) and self._untouched()

    def _flattener(self, piece: Piece) -> Flattener:
        return Flattener(
            self.names,
            piece.witness.point,
            self.summary.layouts,
            self.parameters,
            piece.write.loops,
        )

    def _value(self, piece: Piece) -> bool:
        flattener = self._flattener(piece)
        ours = normalize_indices(flattener.value(self.summary.expression))
        theirs = normalize_indices(piece.write.value)
        for doubt, inner in flattener.doubts:
            given = (*piece.given, *inner, *self._facts(piece, inner))
            remedies = _remedies(doubt, given, self.parameters) if _is_wide(doubt) else []
            if not self.integers("reads", f"coordinates fit: {doubt}", doubt, given, remedies):
                return False
        if not self._inside_producers(flattener, piece):
            return False
        matched = self._matched_reads(ours, theirs, piece)
        if matched is None:
            return False
        given = [
            *self._typed_given(piece), *conjuncts(piece.condition), *definedness(theirs),
            *self._known_values(matched, theirs),
        ]  # fmt: skip
        decision = self.prover.equal(matched, theirs, given)
        text = f"line {piece.write.span.line}: {theirs!r}"
        return self.record("value", text, decision)

    def _typed_given(self, piece: Piece) -> list[Expr]:
        """The round's bounds as hypotheses of a value; those that could overflow 64 bits are left out."""
        ranges = Ranges(self.parameters, piece.write.loops)
        limit = 1 << 62
        kept = []
        for formula in (*piece.given, *self.assumptions.formulas):
            sides = [c for n in postorder(formula) for c in n.children if c.type is I64]
            if all(-limit <= low and high <= limit for low, high in map(ranges.interval, sides)):
                kept.append(formula)
        return kept

    def _facts(self, piece: Piece, inner: Sequence[Expr]) -> list[Expr]:
        """What the original's arithmetic tells in this round, or else it is undefined."""
        counters = {loop.counter for loop in piece.write.loops} | {
            n for formula in inner for n in postorder(formula) if isinstance(n, Variable)
        }
        holding = set(conjuncts(piece.write.condition))
        return [
            fact.formula
            for fact in self.stage.facts
            if {loop.counter for loop in fact.loops} <= counters and holding.issuperset(fact.path)
        ]

    def _inside_producers(self, flattener: Flattener, piece: Piece) -> bool:
        """The expression reads produced arrays only where they were produced."""
        for node in postorder(self.summary.expression):
            if not (isinstance(node, Call) and node.kind == "image" and node.name in self.produced):
                continue
            producer = self.produced[node.name].summary
            if (
                node.name == self.stage.output
                and self.layout.strides != producer.layouts[node.name].strides
            ):
                continue  # the old content, which the frame obligation is about
            for place, d in zip(flattener.coordinates(node), producer.roi, strict=True):
                inside = And(LE(d.lower, place), LT(place, d.upper))
                if not self.integers("compose", f"{node!r} was produced", inside, piece.given):
                    return False
        return True

    def _known_values(self, ours: Expr, theirs: Expr) -> list[Expr]:
        """What is proved of the elements of produced arrays: their least and greatest values.

        Only where they were produced: the other elements of an array that isn't fresh still have
        what the caller left there, so a load counts when the expression has it too, whose reads
        are proved to lie inside. Reading a fresh array elsewhere is undefined.
        """
        found: list[Expr] = []
        inside = {n for n in postorder(ours) if isinstance(n, Load)}
        meanwhile = {w.array for w in self.stage.siblings}
        for node in postorder(theirs):
            producer = self.produced.get(node.array) if isinstance(node, Load) else None
            if producer is None or producer.interval is None or node.array in meanwhile:
                continue
            if producer.is_fresh or node in inside:
                low, high = (const(v, node.type) for v in producer.interval)
                found += [LE(low, node), LE(node, high)]
        return found

    def _matched_reads(self, ours: Expr, theirs: Expr, piece: Piece) -> Expr | None:
        """`ours` with each load replaced by the original's load of the same element."""
        known = [n for n in postorder(theirs) if isinstance(n, Load)]
        mapping: dict[Expr, Expr] = {}
        for load in (n for n in postorder(ours) if isinstance(n, Load)):
            text = f"{load!r} is what the original reads"
            if load in known:
                self.record("reads", text, Decision("proved", "structural", 0.0))
                continue
            match = next(
                (k for k in known if k.array == load.array and self._same_element(load, k, piece)),
                None,
            )
            if match is not None:
                mapping[load] = match
                self.record("reads", text, self._same_decision)
            elif not self._is_own_place(load, piece) and not self._is_read(load, piece):
                self.record(
                    "reads", f"the original doesn't read {load!r}", Decision("refuted", "z3", 0.0)
                )
                return None
        return substitute(ours, mapping)

    def _same_element(self, a: Load, b: Load, piece: Piece) -> bool:
        if a.type is not b.type or any(c.type is not I64 for c in (*a.indices, *b.indices)):
            return False
        same = conjunction(EQ(x, y) for x, y in zip(a.indices, b.indices, strict=True))
        given = (*self.assumptions.formulas, *piece.given, *self._was_written(b))
        self._same_decision = self.prover.integers(same, given, 2.0)
        return self._same_decision.proved

    def _was_written(self, load: Load) -> list[Expr]:
        """That the original's load of a fresh local array is of an element that was written.

        Any other element is uninitialised or outside the array: reading it is undefined.
        """
        producer = self.produced.get(load.array)
        if producer is None or not producer.is_fresh:
            return []
        if any(w.array == load.array for w in self.stage.siblings):
            return []
        dimensions = producer.summary.roi
        place = [Variable(f'{d.variable.name}"', I64) for d in dimensions]
        layout = producer.summary.layouts[load.array]
        bounds = [
            b
            for d, p in zip(dimensions, place, strict=True)
            for b in (LE(d.lower, p), LT(p, d.upper))
        ]
        return [
            *bounds,
            *(EQ(a, b) for a, b in zip(address(layout, place), load.indices, strict=True)),
        ]

    def _is_own_place(self, load: Load, piece: Piece) -> bool:
        return load.array == self.stage.output and load.indices == piece.write.indices

    def _is_read(self, load: Load, piece: Piece) -> bool:
        """Whether the original reads this element at all in this round (in its conditions, say)."""
        return any(
            r.array == load.array and r.indices == load.indices and r.loops == piece.write.loops
            for r in self.stage.reads
        )

    def _untouched(self) -> bool:
        """Where no store happens, the expression is the old value."""
        if all(p.condition is TRUE for p in self.pieces):
            return True
        text = "points that no store touches keep their value"
        if len(self.pieces) == 1:
            return self._kept(self.pieces[0], text)
        covering = disjunction(self._at_point(p) for p in self.pieces)
        given = self._typed_region()
        decision = self.prover.equal(covering, TRUE, given)
        if decision.proved and all(self._covers(p) for p in self.pieces):
            return self.record("value", "in every point some store happens", decision)
        if all(self._covers(p) for p in self.pieces):
            flattener = Flattener(
                self.names, self.coordinates, self.summary.layouts, self.parameters, ()
            )
            ours = normalize_indices(flattener.value(self.summary.expression))
            old = Load(self.stage.output, address(self.layout, self.coordinates), ours.type)
            kept = Select(covering, old, ours)
            return self.record("value", text, self.prover.equal(kept, old, given))
        return all(self._kept(p, text) for p in self.pieces) and self._disjoint_rounds()

    def _typed_region(self) -> list[Expr]:
        """The region's bounds as typed hypotheses; those that could overflow 64 bits are left out."""
        ranges = Ranges(self.parameters)
        limit = 1 << 62
        kept = []
        for d, c in zip(self.summary.roi, self.coordinates, strict=True):
            for side, formula in ((d.lower, LE(d.lower, c)), (d.upper, LT(c, d.upper))):
                parts = [ranges.interval(n) for n in postorder(side) if n.type is I64]
                if all(-limit <= low and high <= limit for low, high in parts):
                    kept.append(formula)
        return kept

    def _covers(self, piece: Piece) -> bool:
        hypotheses = (*self.assumptions.formulas, *self.in_region())
        return self.prover.integers(self._hits(piece), hypotheses).proved

    def _kept(self, piece: Piece, text: str) -> bool:
        if piece.condition is TRUE:
            return True
        ours = normalize_indices(self._flattener(piece).value(self.summary.expression))
        old = Load(self.stage.output, piece.write.indices, ours.type)
        given = [*self._typed_given(piece), negate(piece.condition)]
        return self.record("value", text, self.prover.equal(ours, old, given))

    def _disjoint_rounds(self) -> bool:
        """The pieces' points are apart whatever their conditions are: each keeps only its own."""
        for i, a in enumerate(self.pieces):
            for b in self.pieces[i + 1 :]:
                renamed = {
                    loop.counter: Variable(loop.counter.name + "'", I64) for loop in b.write.loops
                }
                meet = [
                    EQ(p, replace(q, renamed))
                    for p, q in zip(a.witness.point, b.witness.point, strict=True)
                ]
                given = [*a.given, *(replace(g, renamed) for g in b.given), *meet]
                text = "stores under conditions write different points"
                if not self.record("unique", text, self.assumptions.decide(FALSE, given)):
                    return False
        return True


def definedness(expr: Expr) -> list[Expr]:
    """What must hold for a value of the original to be defined: divisors aren't zero."""
    found: list[Expr] = []

    def walk(node: Expr, path: tuple[Expr, ...]) -> None:
        if isinstance(node, Select):
            walk(node.condition, path)
            walk(node.a, (*path, node.condition))
            walk(node.b, (*path, negate(node.condition)))
            return
        if isinstance(node, (And, Or)):
            walk(node.a, path)
            walk(node.b, (*path, node.a if isinstance(node, And) else negate(node.a)))
            return
        if isinstance(node, (TruncDiv, TruncMod)) and not isinstance(node.b, Const):
            nonzero: Expr = NE(node.b, const(0, node.b.type))
            for condition in path:
                nonzero = disjunction((negate(condition), nonzero))
            found.append(nonzero)
        if not isinstance(node, Load):
            for child in node.children:
                walk(child, path)

    walk(expr, ())
    return list(dict.fromkeys(found))


def _is_wide(doubt: Expr) -> bool:
    """About 32 bits or more: that an image is small enough for those may be assumed, but nobody
    would believe a summary that holds for 255 columns only."""
    return any(isinstance(n, Const) and abs(n.value) >= (1 << 31) - 1 for n in postorder(doubt))


def _remedies(formula: Expr, given: Sequence[Expr], parameters: dict[str, object]) -> list[Expr]:
    """Claims about counters at the ends of their ranges, as assumptions over parameters alone."""
    bounds: dict[Expr, Expr] = {}
    for hypothesis in given:
        if isinstance(hypothesis, LT) and isinstance(hypothesis.a, Variable):
            bounds.setdefault(hypothesis.a, normal(Sub(hypothesis.b, const(1, I64))))
    counters = [
        n for n in postorder(formula) if isinstance(n, Variable) and n.name not in parameters
    ]
    results = []
    for use_last in (False, True):
        current = formula
        for counter in reversed(counters):
            end = bounds.get(counter)
            if end is None:
                return []
            current = replace(current, {counter: end if use_last else ZERO})
        results.append(current)
    return [conjunction(results), *results]
