"""What the proofs of all kinds of stages share: the record of obligations, claims and vacuity.

Loop normalization's claims are the `induction` obligations. A proof stops at the first obligation
that isn't proved, and counts only if its stores can happen (`vacuity`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    I64,
    LE,
    LT,
    TRUE,
    And,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Call,
    Cast,
    Comparison,
    Const,
    Expr,
    Load,
    Or,
    Select,
    Shl,
    Shr,
    Sub,
    Type,
    Variable,
    const,
    postorder,
    substitute,
)

from ..dag import (
    Indexer,
    Ranges,
    Reduce,
    as_formula,
    conjunction,
    conjuncts,
    disjunction,
    domain,
    negate,
    normal,
    replace,
)
from ..model.proof import Obligation, ObligationName, Verdict
from ..model.stage import Claim, Loop, Stage, Write
from ..model.summary import Summary, SummaryKind, Witness
from ..synth.paths import computed_where
from .assumptions import Assumptions
from .decide import Decision
from .encode import is_remainder
from .flatten import NOWHERE, Flattener, meaning_the_same, strict_formula
from .produced import Produced
from .remedies import remedies_at_bounds, remedies_at_ends, remedies_by_factors
from .window import equal_sums

ZERO = const(0, I64)


@dataclass
class Piece:
    """One store with what is known of its iterations."""

    write: Write
    witness: Witness
    given: tuple[Expr, ...]
    """Its iterations: loop bounds and conditions on counters, as index formulas."""
    condition: Expr
    """The rest of its condition: typed, over array contents and parameters."""


_OF_BITS = (BitAnd, BitOr, BitXor, Shl, Shr)
_OF_64_BITS = (BitAnd, BitNot, BitOr, BitXor, Cast, Const, Select, Shr)
"""Operators of numbers of 64 bits that give such numbers."""


class StageProof:
    """Collects the obligations of one stage; stops at the first that fails."""

    kind: SummaryKind
    """Of the summaries that this proves."""

    proves_folds = False
    """Whether the reductions that this proves may be the update of a tuple."""

    has_gaps = False
    """Whether points of the region are left to prove that no iteration writes: they keep their
    value.
    """

    where_stored: Sequence[Expr] = ()
    """What holds in the iterations that store, as index formulas, or else the original is
    undefined."""

    stores_too_much = False
    """Whether it isn't proved that the original stores wherever the expression does."""

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
        self.fitting: dict[object, list[tuple[Type, Expr]]] = {}
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

    def fork(self) -> Self:
        """The same proof so far, to go on by itself."""
        fork = copy(self)
        for name in self.__dict__:
            if isinstance(getattr(type(self), name, None), cached_property):
                del fork.__dict__[name]  # computed for this one
        fork.obligations, fork.assumptions = list(self.obligations), self.assumptions.fork()
        fork.fitting = {of: list(known) for of, known in self.fitting.items()}
        return fork

    def adopt(self, fork: Self) -> None:
        """Goes on where a fork of this proof has come to."""
        self.obligations = fork.obligations
        self.assumptions.adopt(fork.assumptions)
        self.fitting, self.stores_too_much = fork.fitting, fork.stores_too_much

    def first_that_holds(self, ways: Iterable[Callable[[Self], bool]]) -> bool:
        """Whether one of several ways to prove the same does, each tried where the others have left
        nothing. If none does, the obligations of the first one say why."""
        first: Self | None = None
        for way in ways:
            fork = self.fork()
            if way(fork):
                self.adopt(fork)
                return True
            first = first or fork
        if first is not None:
            self.adopt(first)
        return False

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
                decision.model,
            )
        )
        return decision.proved

    def structural(self, name: ObligationName, text: str, holds: bool) -> bool:
        """Records what the form of the stage and its summary decides."""
        verdict: Verdict = "proved" if holds else "refuted"
        return self.record(name, text, Decision(verdict, "structural", 0.0))

    def integers(
        self,
        name: ObligationName,
        text: str,
        goal: Expr,
        given: Iterable[Expr],
        remedies: Sequence[Expr] = (),
    ) -> bool:
        return self.record(name, text, self.assumptions.decide(goal, given, remedies))

    def well_formed(self) -> bool:
        """The summary is of the kind that is proved here, and its coordinates are its own."""
        summary = self.summary
        dimensions = (*summary.roi, *summary.domain)
        names = {d.variable.name for d in dimensions}
        bounds = [e for d in dimensions for e in (d.lower, d.upper)]
        free = {n.name for n in postorder(*bounds) if isinstance(n, Variable)}
        fine = (
            (summary.kind == self.kind or (self.kind == "pure" and summary.is_pure))
            and summary.is_fold == self.stage.is_fold
            and (self.proves_folds or not summary.is_fold)
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

    def rests_on_numbers(self, claim: Claim) -> bool:
        """Whether a claim is about numbers that are read, which a proof of this kind may assume."""
        return False

    def claims(self) -> bool:
        for claim in self.stage.claims:
            if self.rests_on_numbers(claim):
                continue
            if claim.name == "window":
                if not self.record("induction", claim.text, equal_sums(claim, self.assumptions)):
                    return False
                continue
            remedies = [
                *claim.remedies,
                *remedies_at_ends(claim.formula, claim.given, self.parameters),
                *remedies_at_bounds(claim.formula, claim.given),
                *remedies_by_factors(claim.formula),
            ]
            if not self.integers("induction", claim.text, claim.formula, claim.given, remedies):
                return False
        return True

    def vacuity(self) -> bool:
        """The region can be non-empty and every store can happen, so the proof says something."""
        for piece in self.pieces:
            found = self.prover.satisfiable((*self.assumptions.formulas, *piece.given))
            verdict: Verdict = "proved" if found else "undecided" if found is None else "refuted"
            text = f"the store at line {piece.write.span.line} can happen under the preconditions"
            if not self.record("vacuity", text, Decision(verdict, "z3", 0.0)):
                return False
        return True

    def solution(self, piece: Piece) -> dict[Expr, Expr]:
        """The iteration that writes the point at hand."""
        return {
            loop.counter: value
            for loop, value in zip(piece.write.loops, piece.witness.counters, strict=True)
        }

    def hits(self, piece: Piece) -> Expr:
        """At a point: the iteration that the witness names exists and writes this point."""
        solution = self.solution(piece)
        there = [replace(g, solution) for g in piece.given]
        for coordinate, value in zip(self.coordinates, piece.witness.point, strict=True):
            there.append(normal(EQ(replace(value, solution), coordinate)))
        return conjunction(there)

    def at_point(self, piece: Piece) -> Expr:
        """A store's condition in the iteration that writes the point at hand."""
        return replace(piece.condition, self.solution(piece))

    def written(self) -> Expr:
        """That some iteration writes the point at hand."""
        return disjunction(self.hits(piece) for piece in self.pieces)

    def typed_given(self, piece: Piece, more: Sequence[Expr] = ()) -> list[Expr]:
        """The iteration's bounds as hypotheses of a value; those that could overflow 64 bits are
        left out.
        """
        ranges = Ranges(self.parameters, piece.write.loops)
        return meaning_the_same((*piece.given, *more, *self.assumptions.formulas), ranges)

    def same_bits(self, a: Expr, b: Expr, piece: Piece) -> Decision:
        """Whether two places of which nothing overflows 64 bits are one number of 64 bits: of the
        bits of what is looked up, and of floats, unbounded integers know nothing."""
        is_of_bits = any(isinstance(n, _OF_BITS) or n.type.is_float for n in postorder(a, b))
        if not is_of_bits or not all(self.fits_64_bits(e, piece) for e in (a, b)):
            return Decision("undecided", None, 0.0)
        return self.prover.equal(a, b, self.typed_given(piece), 2.0)

    def fits_64_bits(self, expr: Expr, piece: Piece) -> bool:
        """Whether a number means the same in 64 bits as without bounds; the places of what it reads
        don't count."""
        ranges = Ranges(self.parameters, piece.write.loops)
        limit = 1 << 62
        waiting, seen = [expr], set()
        while waiting:
            node = waiting.pop()
            if node in seen or isinstance(node, Load):
                continue
            seen.add(node)
            waiting += node.children
            if node.type is not I64 or isinstance(node, _OF_64_BITS):
                continue
            low, high = ranges.interval(node)
            if not (-limit <= low and high <= limit):
                return False
        return True

    def typed_at_points(self, formulas: Iterable[Expr]) -> list[Expr]:
        """Formulas over the coordinates of points of the region as hypotheses of a value."""
        axes = zip(self.summary.roi, self.coordinates, strict=True)
        loops = tuple(Loop(c, d.upper, NOWHERE) for d, c in axes if d.lower is ZERO)
        return meaning_the_same(formulas, Ranges(self.parameters, loops))

    def by_parameters(self, piece: Piece) -> list[Expr]:
        """What a store's condition asks of the parameters, before any of its iterations."""
        counters = {loop.counter for loop in piece.write.loops}
        found = self._index_part(piece.condition, piece.write.loops)
        return [f for f in found if not counters & set(postorder(f))]

    def in_region(self, coordinates: Sequence[Expr] | None = None) -> list[Expr]:
        chosen = coordinates or self.coordinates
        return [
            bound
            for dimension, c in zip(self.summary.roi, chosen, strict=True)
            for bound in (LE(dimension.lower, c), LT(c, dimension.upper))
        ]

    def _index_part(self, condition: Expr, loops: tuple[Loop, ...]) -> list[Expr]:
        ranges = Ranges(self.parameters, loops)
        found = (as_formula(part, ranges) for part in conjuncts(condition))
        return [f for f in found if f is not None]

    def flattener(self, piece: Piece | None) -> Flattener:
        """To the iterations of a store (without: to the points themselves)."""
        return Flattener(
            self.names,
            self.coordinates if piece is None else piece.witness.point,
            self.summary.layouts,
            self.parameters,
            () if piece is None else piece.write.loops,
            self.fitting_of(piece),
        )

    def fitting_of(self, piece: Piece | None) -> list[tuple[Type, Expr]]:
        """The values over array elements that are known to fit a type in each iteration of a store
        (without: at each point of the region)."""
        return self.fitting.setdefault(_iterations_of(piece), [])

    def matched_comparisons(
        self, ours: Expr, known: Mapping[Expr, tuple[Expr, Sequence[Expr]]], piece: Piece
    ) -> Expr:
        """`ours` with comparisons of integers replaced by those of the original that are proved to
        say the same in the iterations of `piece`. Of each of these is `known` which index formula
        it is, and under which others."""
        around = computed_where(ours) if known else {}
        for node in reversed(around):
            if not isinstance(node, Comparison) or not node.a.type.is_integer or node in known:
                continue
            if node not in outside_places(ours):
                continue  # it stood in another one
            loops = tuple(Loop(r.counter, r.extent, NOWHERE) for r in around[node][1])
            formula, doubts = strict_formula(
                node, Ranges(self.parameters, piece.write.loops + loops)
            )
            if formula is None:
                continue
            given = (*self.assumptions.formulas, *piece.given, *domain(loops))
            given += (*self._facts(piece, domain(loops)),)
            wrapped, arrays = is_wrapped_around(formula), _arrays_of(formula)
            for original, (other, more) in known.items():
                if is_wrapped_around(other) != wrapped or _arrays_of(other) != arrays:
                    continue
                same = Or(And(formula, other), And(negate(formula), negate(other)))
                asked = conjunction((same, *doubts, *more))
                decision = self.prover.integers(asked, given, 2.0)
                if decision.proved:
                    self.record("value", f"{node!r} is {original!r} here", decision)
                    ours = substitute(ours, {node: original})
                    break
        return ours

    def _facts(self, piece: Piece, inner: Sequence[Expr]) -> list[Expr]:
        """What the original's arithmetic tells in this iteration, or else it is undefined; `inner`
        are the iterations of loops around a part of its value."""
        counters = {loop.counter for loop in piece.write.loops}
        counters |= {n for f in inner for n in postorder(f) if isinstance(n, Variable)}
        return self._told(counters, (*piece.given, *inner), conjuncts(piece.write.condition))

    def facts_in_any_branch(self, piece: Piece | None, around: Sequence[Loop] = ()) -> list[Expr]:
        """What the original's arithmetic tells where an iteration of `piece` would be, stored or
        not; `around` are further loops.

        Without a piece: what it tells in each call.
        """
        loops = (*(() if piece is None else piece.write.loops), *around)
        given = () if piece is None else piece.given
        return self._told({x.counter for x in loops}, (*given, *domain(around)), ())

    def _told(
        self, counters: set[Variable], given: Sequence[Expr], holding: Sequence[Expr]
    ) -> list[Expr]:
        """The facts about `counters`, each where its iteration and its branch are: `given` and
        `holding` are known of these."""
        found: dict[Expr, None] = {}
        for fact in self.stage.facts:
            if not {loop.counter for loop in fact.loops} <= counters:
                continue
            where = [bound for bound in domain(fact.loops) if bound not in given]
            for part in fact.path:
                if part not in holding:
                    where += self._formula_of(part, fact.loops)
            if FALSE not in where:
                found[disjunction((*map(negate, where), fact.formula))] = None
        return list(found)

    def _formula_of(self, part: Expr, loops: tuple[Loop, ...]) -> list[Expr]:
        """Index formulas from which a condition of the original's follows; FALSE for none."""
        formulas: list[Expr] = []
        indexer = Indexer(Ranges(self.parameters, loops), lambda doubt, _: formulas.append(doubt))
        formula = indexer.formula(part)
        return [FALSE if formula is None else formula, *formulas]

    def _inside_producers(
        self, flattener: Flattener, piece: Piece, expression: Expr | None = None
    ) -> bool:
        """The expression reads produced arrays only where they were produced."""
        whole = self.summary.expression if expression is None else expression
        for node, around in image_reads(whole):
            if node.name not in self.produced:
                continue
            producer = self.produced[node.name].summary
            same = producer.layouts[node.name].strides, producer.roi
            if node.name == self.stage.output and (self.layout.strides, self.summary.roi) != same:
                continue  # the old content, which the frame obligation is about
            read = self.prover.inlined(node)
            assert isinstance(read, Call)
            places = flattener.coordinates(read)
            for place, d in zip(places, producer.roi, strict=True):
                inside = And(LE(d.lower, place), LT(place, d.upper))
                # Where there is nothing to produce, the original may still read: a last element.
                some = normal(GE(Sub(d.upper, d.lower), const(1, I64)))
                remedies = [] if isinstance(some, Const) else [some]
                given = (*piece.given, *domain(around))
                text = f"{node!r} was produced"
                if not self.integers("compose", text, inside, given, remedies):
                    return False
        return True


def image_reads(expression: Expr) -> Iterator[tuple[Call, tuple[Loop, ...]]]:
    """The reads of images in an expression, each with the reductions around it."""
    waiting: list[tuple[Expr, tuple[Loop, ...]]] = [(expression, ())]
    seen: set[tuple[Expr, tuple[Loop, ...]]] = set()
    while waiting:
        node, around = waiting.pop()
        if (node, around) in seen:
            continue
        seen.add((node, around))
        if isinstance(node, Call) and node.kind == "image":
            yield node, around
        if isinstance(node, Reduce):
            inside = (*around, Loop(node.counter, node.extent, NOWHERE))
            waiting += [(node.extent, around), (node.body, inside)]
        else:
            waiting += [(child, around) for child in node.children]


def _iterations_of(piece: Piece | None) -> object:
    """What is the same of pieces with the same iterations."""
    return None if piece is None else (piece.write.position, piece.given, piece.witness.point)


def outside_places(expr: Expr) -> set[Expr]:
    """The nodes of a typed expression but for those of which the places are made that it reads."""
    waiting, seen = [expr], set[Expr]()
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += () if isinstance(node, Load) else node.children
    return seen


def _arrays_of(formula: Expr) -> set[str]:
    """The arrays that are read for a formula: those that say the same read the same."""
    return {n.array for n in postorder(formula) if isinstance(n, Load)}


def is_wrapped_around(expr: Expr) -> bool:
    """Whether numbers are remainders by others, of which bits know little."""
    return any(map(is_remainder, postorder(expr)))
