"""Obligations of a pure stage: `output(p) = expression(p)` for every point p of the region.

The original's loop nest is a set of stores. If each iteration writes the point that the witness
says (`coverage`), every point of the region is written by some iteration (`coverage`), no point is
written twice (`unique`), no iteration reads what an earlier one wrote (`frame`), and the value
stored is the expression's at that point (`reads`, `value`), then running the nest and realizing the
summary leave the same contents, for all sizes. Loop normalization's claims are the `induction`
obligations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    GT,
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
    Const,
    Div,
    Expr,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    Or,
    Select,
    Sub,
    Variable,
    const,
    postorder,
    substitute,
    to_text,
    transform,
)

from ..dag import (
    Ranges,
    Reduce,
    conjunction,
    conjuncts,
    disjunction,
    domain,
    negate,
    normal,
    normalize_indices,
    replace,
    typed,
)
from ..model.kernel import Store, statements
from ..model.stage import Claim, Loop
from ..model.summary import Limit, SummaryKind
from ..synth.paths import computed_where
from .branch_reads import read_in_branches
from .clamped_reads import Clamps
from .decide import Decision
from .definedness import definedness
from .encode import is_product
from .fitting_places import places_fit, text_of
from .flatten import NOWHERE, Flattener, address, said, strict_formula, strict_place
from .region_proof import RegionProof
from .remedies import remedies_for_a_doubt
from .short_iterations import elements_of_an_iteration, short_iterations
from .stage_proof import Piece, is_wrapped_around, outside_places
from .touched import Touched

_OF_SUMS = {Add, Cast, Const, Div, Mod, Mul, Sub}
_OF_EXTREMES = {Add, And, Cast, Const, GE, GT, LE, LT, Max, Min, Mul, Or, Select, Sub}

SHOWN = 4000
"""Characters of a value that an obligation shows."""


class PureProof(RegionProof):
    """The obligations of one pure stage."""

    kind: SummaryKind = "pure"

    expression: Expr
    """The summary's, without clamps that change nothing."""

    def run(self) -> bool:
        """All obligations, in order, until one fails."""
        return self.region() and self.frame() and self.values() and self.touched.copies()

    def rests_on_numbers(self, claim: Claim) -> bool:
        """Those that say how many terms a sum has: see `_limited`."""
        loads = any(isinstance(n, Load) for n in postorder(claim.formula))
        return claim.name == "bounds" and loads

    def limit_of(self, claim: Claim) -> Limit | None:
        """What a claim about reads may say of all points: a suggestion."""
        formula = claim.formula
        if not isinstance(formula, LE) or not self.assumptions.over_parameters(formula.b):
            return None
        loads = [n for n in postorder(formula.a) if isinstance(n, Load)]
        for piece in self.pieces:
            flattener = self.flattener(piece)
            known: dict[Expr, Expr] = {}
            for call in postorder(self.summary.expression):
                if isinstance(call, Call) and call.kind == "image":
                    known.setdefault(flattener.load(call), call)
            if all(load in known for load in loads):
                here: dict[Expr, Expr] = {load: known[load] for load in loads}
                made = Limit(substitute(formula.a, {**here, **self.solution(piece)}), formula.b)
                return made if self.is_of_before(made) else None
        return None

    def is_of_before(self, limit: Limit) -> bool:
        """Whether the numbers of a limit are there before the call: nobody writes them."""
        body = self.assumptions.kernel.body
        written = {s.array for s in statements(body) if isinstance(s, Store)}
        calls = (n for n in postorder(limit.value) if isinstance(n, Call))
        return all(n.name not in written for n in calls)

    def _is_said_by(self, claim: Claim, limit: Limit) -> bool:
        """Whether a claim follows from a limit at all points, since its iterations write points."""
        formula = claim.formula
        if not isinstance(formula, LE) or formula.b is not limit.most:
            return False
        known = (*self.assumptions.formulas, *claim.given)
        for piece in self.pieces:
            # Nothing is stored, and no point is meant, where its condition on sizes doesn't hold.
            inside = conjunction(
                (*piece.given, *self._index_part(piece.condition, piece.write.loops))
            )
            if not self.prover.integers(inside, known, 2.0).proved:
                continue
            flattener = self.flattener(piece)
            here = normal(normalize_indices(flattener.value(limit.value)))
            told = (*known, *self._facts(piece, ()))
            doubts = (self.prover.integers(d, (*told, *g), 2.0) for d, g in flattener.doubts)
            if here is formula.a and all(doubt.proved for doubt in doubts):
                return True
        return False

    def _limited(self) -> bool:
        """How many terms a sum has at most, where numbers in memory say it: they are assumed to be
        small enough at all points, which the guarded entry tests before the call.

        It may read them, since the original does at each point, and nobody writes them.
        """
        for claim in filter(self.rests_on_numbers, self.stage.claims):
            found = next(
                (
                    limit
                    for limit in self.summary.limits
                    if self._is_said_by(claim, limit) and self.is_testable(limit)
                ),
                None,
            )
            if found is None:
                return self.record("induction", claim.text, Decision("undecided", None, 0.0))
            self.record("induction", claim.text, Decision("proved", "structural", 0.0))
            self.assumptions.assume_limit(found, text_of(found, self.stage.output))
        return True

    def is_testable(self, limit: Limit) -> bool:
        """Whether the guarded entry may read the numbers of a limit: the original does at each
        point, and nobody writes them."""
        calls = (n for n in postorder(limit.value) if isinstance(n, Call))
        return self.is_of_before(limit) and all(map(self.touched.is_made_anyway, calls))

    def values(self) -> bool:
        """In every iteration that stores, the value is the expression's at the point; elsewhere the
        old one.
        """
        clamps = Clamps(self.summary.roi, self.summary.layouts, self.assumptions)
        self.expression, proved = clamps.free(self.summary.expression)
        for text, decision in proved:
            self.record("reads", text, decision)
        if not any(self._wraps(piece) for piece in self.pieces):
            return self._values()
        # As it is, or else where the places fit that numbers in memory say.
        return self.first_that_holds(
            [lambda proof: proof._values(), lambda proof: places_fit(proof) and proof._values()]
        )

    def _wraps(self, piece: Piece) -> bool:
        """Whether a place is taken to wrap that numbers in memory say."""
        flattener = self.flattener(piece)
        flattener.value(self.expression)
        return bool(flattener.wrapped)

    def _values(self) -> bool:
        return (
            self._limited()
            and all(self._value_in_each_iteration(piece) for piece in self.pieces)
            and self._untouched()
            and (not self.has_gaps or self._gaps_keep())
            and self.touched.decide()
        )

    @cached_property
    def touched(self) -> Touched:
        """What is proved of the elements that lifted code touches."""
        return Touched(self)

    def _gaps_keep(self) -> bool:
        """At a point of the region that no iteration writes, the expression is the old value.

        A row that is reversed in place leaves its middle element alone, which is where it belongs.
        """
        given = [*self.in_region(), negate(self.written())]
        flattener = Flattener(
            self.names, self.coordinates, self.summary.layouts, self.parameters, ()
        )
        expression = self._here(self.expression, flattener, given, "in a gap")
        ours = normalize_indices(flattener.value(expression))
        text = "a point that no iteration writes keeps its value"
        for doubt, inner in flattener.doubts:
            around = (*given, *inner)
            remedies = remedies_for_a_doubt(doubt, around, self.parameters)
            if not self.integers("reads", f"coordinates fit: {doubt}", doubt, around, remedies):
                return False
        old = Load(self.stage.output, address(self.layout, self.coordinates), ours.type)
        mapping: dict[Expr, Expr] = {}
        for load in (n for n in postorder(ours) if isinstance(n, Load)):
            if load.array != old.array or any(c.type is not I64 for c in load.indices):
                continue
            same = conjunction(EQ(a, b) for a, b in zip(load.indices, old.indices, strict=True))
            decision = self.prover.integers(same, (*self.assumptions.formulas, *given), 2.0)
            if decision.proved:
                self.record("coverage", f"{load!r} stays where it is in a gap", decision)
                mapping[load] = old
        known = self.typed_at_points(given)
        decision = self.prover.equal(substitute(ours, mapping), old, known)
        return self.record("coverage", text, decision)

    def _value_in_each_iteration(self, piece: Piece) -> bool:
        """At once, or else for each channel of a loop over channels."""
        channels = short_iterations(piece)
        ways: list[Callable[[PureProof], bool]] = [lambda proof: proof._value(piece)]
        if len(channels) > 1:
            ways.append(lambda proof: all(map(proof._value, channels)))
        return self.first_that_holds(ways)

    def _value(self, piece: Piece) -> bool:
        flattener = self.flattener(piece)
        where = f"line {piece.write.span.line}"
        stored = self._chosen_by_parameters(piece)
        here = (*piece.given, *stored, *self._facts(piece, ()))
        told = (*here, *self._said(piece.condition, piece, ()))
        expression = self._here(self.expression, self.flattener(piece), told, where)
        ours = normalize_indices(flattener.value(expression))
        # What is computed is the summary's, whose reads are clamped also where they don't count.
        computed = self._here(self.summary.expression, self.flattener(piece), here, where)
        theirs = normalize_indices(piece.write.value)
        for doubt, inner in flattener.doubts:
            around = (*piece.given, *stored, *inner, *self._facts(piece, inner))
            remedies = remedies_for_a_doubt(doubt, around, self.parameters)
            if not self.integers("reads", f"coordinates fit: {doubt}", doubt, around, remedies):
                return False
        if not self._inside_producers(flattener, piece, computed):
            return False
        ours = self._matched_extents(ours, theirs, piece)
        matched = self._matched_reads(ours, theirs, piece)
        if matched is None:
            return False
        matched = self._matched_places(matched, theirs, piece)
        matched = _where_all_hold(matched, conjuncts(piece.condition))
        matched = self._with_exact_numbers(matched, theirs, piece, here)
        given = [
            *self.typed_given(piece), *conjuncts(piece.condition), *self._defined(theirs),
            *self._known_values(matched, theirs),
        ]  # fmt: skip
        decision = self._same_value(matched, theirs, given)
        if not decision.proved:
            fits = self._fits_coordinates(piece)
            decision = self._same_value(matched, theirs, (*given, *fits)) if fits else decision
        text = f"line {piece.write.span.line}: {to_text(theirs, longest=SHOWN)}"
        return self.record("value", text, decision)

    def _same_value(self, ours: Expr, theirs: Expr, given: Sequence[Expr]) -> Decision:
        return self.prover.equal(ours, theirs, given)

    def _chosen_by_parameters(self, piece: Piece) -> list[Expr]:
        """What a store asks of the parameters, where the expression asks the same first: elsewhere
        it is the old value, and its places don't count."""
        chosen = self.summary.expression
        if not isinstance(chosen, Select) or not isinstance(chosen.b, Call):
            return []
        if chosen.b.args != tuple(self.names) or chosen.b.name != self.stage.output:
            return []
        ranges = Ranges(self.parameters, piece.write.loops)
        tests = (strict_formula(part, ranges) for part in conjuncts(chosen.condition))
        asked = {formula for formula, doubts in tests if formula is not None and not doubts}
        known = (*self.assumptions.formulas, *piece.given)
        return [
            formula
            for formula in self.by_parameters(piece)
            if formula in asked or self.prover.integers(formula, known).proved
        ]

    def _fits_coordinates(self, piece: Piece) -> list[Expr]:
        """That the coordinates of the points that `piece` writes fit the DSL's int32, where that
        is known or can be assumed, and where it isn't so by the counters' types."""
        found: list[Expr] = []
        ranges = Ranges(self.parameters, piece.write.loops)
        known = (*piece.given, *self._facts(piece, ()))
        for place in piece.witness.point:
            low, high = ranges.interval(place)
            if I32.min <= low and high <= I32.max:
                continue
            fits = And(LE(const(I32.min, I64), place), LE(place, const(I32.max, I64)))
            remedies = remedies_for_a_doubt(fits, known, self.parameters)
            if self.assumptions.decide(fits, known, remedies).proved:
                found += conjuncts(fits)
        return found

    def _defined(self, theirs: Expr) -> list[Expr]:
        """What holds where the original's value is defined."""
        return definedness(theirs)

    def _here(
        self, expression: Expr, flattener: Flattener, given: Sequence[Expr], where: str
    ) -> Expr:
        """The expression with its choices by place made, where `given` decides them.

        `select(x == n - 1, s(x), s(x + 1))` is `s(x)` in the iteration that writes the last point.
        """

        def visit(node: Expr) -> Expr:
            if not isinstance(node, Select):
                return node
            holds = self._holds_here(node.condition, flattener, given, where)
            return node if holds is None else node.a if holds else node.b

        return transform(expression, visit)

    def _holds_here(
        self, condition: Expr, flattener: Flattener, given: Sequence[Expr], where: str
    ) -> bool | None:
        """Whether a condition holds by the place alone; None where that doesn't decide it."""
        if isinstance(condition, (And, Or)):
            sides = [self._holds_here(c, flattener, given, where) for c in condition.children]
            decisive = isinstance(condition, Or)
            if decisive in sides:
                return decisive
            return None if None in sides else not decisive
        if not self._is_by_place(condition):
            return None
        for test, holds in ((condition, True), (Not(condition), False)):
            formula = exact_formula(flattener.value(test), flattener.ranges)
            if formula is None:
                continue
            decision = self.prover.integers(formula, (*self.assumptions.formulas, *given))
            if decision.proved:
                self.record("value", f"{where}: {test!r}", decision)
                return holds
        return None

    def _is_by_place(self, condition: Expr) -> bool:
        nodes = list(postorder(condition))
        own = {v.name for v in self.names}
        return any(isinstance(n, Variable) and n.name in own for n in nodes) and not any(
            isinstance(n, (Call, Load)) for n in nodes
        )

    def _known_values(self, ours: Expr, theirs: Expr) -> list[Expr]:
        """What is proved of the elements of produced arrays: their least and greatest values.

        Only where they were produced: the other elements of an array that isn't fresh still have
        what the caller left there, so a load counts when the expression has it too, whose reads
        are proved to lie inside. Reading a fresh array elsewhere is undefined.
        """
        found: list[Expr] = []
        inside = {n for n in postorder(ours) if isinstance(n, Load)}
        meanwhile = {w.array for w in self.stage.siblings}
        for node in (n for n in postorder(theirs) if isinstance(n, Load)):
            producer = self.produced.get(node.array)
            if producer is None or producer.interval is None or node.array in meanwhile:
                continue
            if producer.is_fresh or node in inside:
                low, high = (const(v, node.type) for v in producer.interval)
                found += [LE(low, node), LE(node, high)]
        return found

    def _matched_extents(self, ours: Expr, theirs: Expr, piece: Piece) -> Expr:
        """`ours` with the original's numbers of terms for those that are the same: a size that is
        divided towards 0, where the DSL's quotients are rounded down."""
        known = dict.fromkeys(r.extent for r in postorder(theirs) if isinstance(r, Reduce))
        extents = dict.fromkeys(r.extent for r in postorder(ours) if isinstance(r, Reduce))
        same: dict[Expr, Expr] = {}
        given = (*self.assumptions.formulas, *piece.given)
        for extent in (e for e in extents if e not in known and self._is_of_sizes(e)):
            for original in filter(self._is_of_sizes, known):
                decision = self.prover.integers(EQ(extent, original), given, 2.0)
                if decision.proved:
                    self.record("value", f"{extent} terms are {original}", decision)
                    same[extent] = original
                    break
        if not same:
            return ours

        def visit(node: Expr) -> Expr:
            if not isinstance(node, Reduce):
                return node
            extent = same.get(node.extent, node.extent)
            return Reduce(node.operator, node.counter, extent, node.body)

        return transform(ours, visit)

    def _is_of_sizes(self, extent: Expr) -> bool:
        names = (n.name for n in postorder(extent) if isinstance(n, Variable))
        return set(self.parameters).issuperset(names) and not any(
            isinstance(n, (Load, Call)) for n in postorder(extent)
        )

    def _matched_reads(self, ours: Expr, theirs: Expr, piece: Piece) -> Expr | None:
        """`ours` with each load replaced by the original's load of the same element."""
        known = [n for n in postorder(theirs) if isinstance(n, Load)]
        around = computed_where(ours)
        mapping: dict[Expr, Expr] = {}
        for load in (n for n in postorder(ours) if isinstance(n, Load)):
            text = f"{load!r} is what the original reads"
            condition, reductions = around[load]
            loops = tuple(Loop(r.counter, r.extent, NOWHERE) for r in reductions)
            inner = (*domain(loops), *self._said(condition, piece, loops))
            if load in known:
                self.record("reads", text, Decision("proved", "structural", 0.0))
                continue
            found = next(
                filter(None, (self._same_element(load, k, piece, inner) for k in known)), None
            )
            if found is not None:
                mapping[load], decision = found
                self.record("reads", text, decision)
            elif not (
                self._is_own_place(load, piece)
                or self._is_read(load, piece)
                or self._is_own_table(load, piece)
                or self._is_read_in_branches(load, piece)
            ):
                self.record(
                    "reads", f"the original doesn't read {load!r}", Decision("refuted", "z3", 0.0)
                )
                return None
        return substitute(ours, mapping)

    def _matched_places(self, ours: Expr, theirs: Expr, piece: Piece) -> Expr:
        """`ours` with comparisons of int32 numbers replaced by those of the original's unbounded
        ones that say the same, how many terms an element's sum has, and by those of remainders:
        where a place is that is wrapped around a size."""
        known: dict[Expr, tuple[Expr, Sequence[Expr]]] = {}
        of_values = outside_places(theirs)
        for node, (_, reductions) in computed_where(theirs).items():
            if not isinstance(node, Comparison) or node not in of_values:
                continue
            if is_wrapped_around(node):
                loops = tuple(Loop(r.counter, r.extent, NOWHERE) for r in reductions)
                ranges = Ranges(self.parameters, piece.write.loops + loops)
                formula, doubts = strict_formula(node, ranges)
                if formula is not None:
                    known[node] = formula, doubts
            elif node.a.type is I64:
                known[node] = node, ()
        return self.matched_comparisons(ours, known, piece)

    def _with_exact_numbers(
        self, ours: Expr, theirs: Expr, piece: Piece, given: Sequence[Expr]
    ) -> Expr:
        """`ours` with int32 numbers of counters and parameters as the original's unbounded ones,
        where nothing wraps on the way: sums and products of quotients and remainders,
        `w * 256 / n * x`, which bits would take long to compare, and the extremes and choices that
        the original's value is made of."""
        own = {loop.counter for loop in piece.write.loops}
        ranges = Ranges(self.parameters, piece.write.loops)
        wanted = {n for n in postorder(theirs) if _is_extreme(n)}
        waiting, found = [ours], dict[Expr, Expr]()
        while waiting:
            node = waiting.pop()
            if node in found or isinstance(node, Load):
                continue
            found[node] = node
            parts = list(postorder(node))
            kinds = {type(n) for n in parts if not isinstance(n, Variable)}
            is_whole = node.type is I32 and all(
                n in own or n.name in self.parameters for n in parts if isinstance(n, Variable)
            )
            # Of quotients alone bits tell soon enough that they are the same.
            is_made = (
                kinds <= _OF_SUMS
                and any(isinstance(n, (Div, Mod)) and _is_of_products(n) for n in parts)
                and not kinds.isdisjoint((Add, Sub, Mul))
            )
            if is_whole and (is_made or (wanted and kinds <= _OF_EXTREMES)):
                place, doubts = strict_place(node, ranges)
                known = (*self.assumptions.formulas, *given)
                exact = typed(I32, place)
                if (
                    (is_made or exact in wanted)
                    and self.fits_64_bits(place, piece)
                    and all(self.prover.integers(doubt, known, 2.0).proved for doubt in doubts)
                ):
                    found[node] = exact
                    self.record(
                        "value", f"{node!r} doesn't wrap", Decision("proved", "structural", 0.0)
                    )
                    continue
            waiting += node.children
        changed = {node: other for node, other in found.items() if node is not other}
        return substitute(ours, changed) if changed else ours

    def _same_element(
        self, a: Load, b: Load, piece: Piece, inner: Sequence[Expr]
    ) -> tuple[Load, Decision] | None:
        """The original's load `b` and the proof that it reads the same element as `a`, which is
        read only where the formulas `inner` hold, or None."""
        if a.array != b.array or a.type is not b.type:
            return None
        if any(c.type is not I64 for c in (*a.indices, *b.indices)):
            return None
        same = conjunction(EQ(x, y) for x, y in zip(a.indices, b.indices, strict=True))
        given = (*self.assumptions.formulas, *piece.given, *inner, *self._was_written(b))
        decision = self.prover.integers(same, given, 2.0)
        if not decision.proved and any(isinstance(n, Mod) for n in postorder(same)):
            # What may wrap in the DSL can't in the original, which would be undefined.
            told = (*given, *self._facts(piece, inner))
            decision = self.prover.integers(self.prover.unwrapped(same, told), told, 2.0)
        if not decision.proved:
            decision = self._same_bits(a, b, piece)
        return (b, decision) if decision.proved else None

    def _same_bits(self, a: Load, b: Load, piece: Piece) -> Decision:
        """Whether two places are the same by the bits of what is looked up."""
        decision = Decision("undecided", None, 0.0)
        for x, y in zip(a.indices, b.indices, strict=True):
            if x is not y:
                decision = self.same_bits(x, y, piece)
                if not decision.proved:
                    return decision
        return decision

    def _said(self, condition: Expr, piece: Piece, loops: tuple[Loop, ...]) -> Iterator[Expr]:
        """Index formulas that follow from a typed condition in iterations of `piece` and
        `loops`."""
        ranges = Ranges(self.parameters, (*piece.write.loops, *loops))
        for part in conjuncts(condition):
            formula = said(part, ranges)
            if formula is not None:
                yield formula

    def _was_written(self, load: Load) -> list[Expr]:
        """That the original's load of a fresh local array is of an element that was written, and
        that of a constant table of one that it has.

        Any other element is uninitialised or outside the array: reading it is undefined.
        """
        values = self.assumptions.kernel.arrays[load.array].values
        if values is not None:
            (index,) = load.indices
            return [GE(index, const(0, I64)), LT(index, const(len(values), I64))]
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
        """Whether the original reads this element at all in this iteration (in its conditions,
        say)."""
        return any(
            r.array == load.array and load.indices in elements_of_an_iteration(r, piece.write.loops)
            for r in self.stage.reads
        )

    def _is_own_table(self, load: Load, piece: Piece) -> bool:
        """Whether the array is constant or the function's own and filled before: it may be read
        inside, which is asked here or by `compose`, also in a mode in which the original doesn't.
        """
        array = self.assumptions.kernel.arrays.get(load.array)
        values = array.values if array is not None else None
        if values is not None:
            (index,) = load.indices
            inside = And(GE(index, const(0, I64)), LT(index, const(len(values), I64)))
            known = (*self.assumptions.formulas, *piece.given)
            return index.type is I64 and self.prover.integers(inside, known, 2.0).proved
        producer = self.produced.get(load.array)
        meanwhile = {self.stage.output, *(w.array for w in self.stage.siblings)}
        return producer is not None and producer.is_fresh and load.array not in meanwhile

    def _is_read_in_branches(self, load: Load, piece: Piece) -> bool:
        """Whether the stores of another branch to this point, in its iterations, read the
        element."""
        if any(i.type is not I64 for i in load.indices):
            return False
        return read_in_branches(
            load,
            (*self.assumptions.formulas, *piece.given),
            dict(zip(self.coordinates, piece.witness.point, strict=True)),
            [(p, self.hits(p), self.solution(p)) for p in self.pieces if p is not piece],
            self.stage.reads,
            self.parameters,
            lambda goal, given: self.prover.integers(goal, given, 2.0).proved,
        )

    def _untouched(self) -> bool:
        """Where no store happens, the expression is the old value."""
        if all(p.condition is TRUE for p in self.pieces):
            return True
        text = "points that no store touches keep their value"
        if len(self.pieces) == 1:
            return self._kept(self.pieces[0], text)
        covering = disjunction(self.at_point(p) for p in self.pieces)
        given = self.typed_region()
        decision = self.prover.equal(covering, TRUE, given)
        covers = self._each_condition_covers()
        if decision.proved and covers:
            return self.record("value", "in every point some store happens", decision)
        if covers:
            flattener = Flattener(
                self.names, self.coordinates, self.summary.layouts, self.parameters, ()
            )
            ours = normalize_indices(flattener.value(self.expression))
            old = Load(self.stage.output, address(self.layout, self.coordinates), ours.type)
            kept = Select(covering, old, ours)
            decision = self.prover.equal(kept, old, given)
            if decision.proved:
                return self.record("value", text, decision)
            # A choice by place is made only where a store says which place it is.
        return all(self._kept(p, text) for p in self.pieces)

    def typed_region(self) -> list[Expr]:
        """The region's bounds as typed hypotheses; those that could overflow are left out."""
        ranges = Ranges(self.parameters)
        limit = 1 << 62
        kept: list[Expr] = []
        for d, c in zip(self.summary.roi, self.coordinates, strict=True):
            for side, formula in ((d.lower, LE(d.lower, c)), (d.upper, LT(c, d.upper))):
                parts = [ranges.interval(n) for n in postorder(side) if n.type is I64]
                if all(-limit <= low and high <= limit for low, high in parts):
                    kept.append(formula)
        return kept

    def _each_condition_covers(self) -> bool:
        """Whether each point is one of the iterations of each condition, so that these alone
        decide.

        The stores of one branch may go to the points one by one, those of another two by two.
        """
        iterations: dict[Expr, list[Expr]] = {}
        for piece in self.pieces:
            iterations.setdefault(self.at_point(piece), []).append(self.hits(piece))
        hypotheses = (*self.assumptions.formulas, *self.in_region())
        return all(
            self.prover.integers(disjunction(hits), hypotheses).proved
            for hits in iterations.values()
        )

    def _kept(self, piece: Piece, text: str) -> bool:
        """In an iteration that doesn't store, the expression is the old value, or another store
        happens.

        Of a point that no store touches, `coverage` names an iteration; so this is about all of
        them.
        """
        if piece.condition is TRUE:
            return True
        decision = self._keeps(piece)
        if not decision.proved:
            # Each channel of a loop over channels may be another store's, too.
            each = [self._keeps(channel) for channel in short_iterations(piece)]
            decision = next((d for d in each if not d.proved), each[0])
        return self.record("value", text, decision)

    def _keeps(self, piece: Piece) -> Decision:
        # Points outside of the region keep their value whatever the expression is.
        inside = self.in_region(piece.witness.point)
        known = (*self.assumptions.formulas, *piece.given, *inside)
        parts = self._index_part(piece.condition, piece.write.loops)
        if len(parts) == len(list(conjuncts(piece.condition))):
            stores = self.prover.integers(conjunction(parts), known, 2.0)
            if stores.proved:
                return stores
            known = (*known, negate(conjunction(parts)))
        here: dict[Expr, Expr] = dict(zip(self.coordinates, piece.witness.point, strict=True))
        others = [
            replace(self.at_point(other), here)
            for other in self.pieces
            if self.prover.integers(replace(self.hits(other), here), known, 2.0).proved
        ]
        untouched = conjunction(negate(c) for c in (piece.condition, *others))
        if untouched is FALSE:
            return Decision("proved", "structural", 0.0)
        ours = normalize_indices(self.flattener(piece).value(self.expression))
        old = Load(self.stage.output, piece.write.indices, ours.type)
        given = [*self.typed_given(piece, inside), *conjuncts(untouched)]
        return self.prover.equal(ours, old, given)


def exact_formula(test: Expr, ranges: Ranges) -> Expr | None:
    """A typed condition as a formula: it holds, and its int32 arithmetic doesn't wrap."""
    formula, doubts = strict_formula(test, ranges)
    return None if formula is None else conjunction([formula, *doubts])


def _where_all_hold(expr: Expr, known: Sequence[Expr]) -> Expr:
    """An expression with the choices made whose conditions are among those that are known."""

    def visit(node: Expr) -> Expr:
        holds = isinstance(node, Select) and set(conjuncts(node.condition)) <= set(known)
        return node.a if isinstance(node, Select) and holds else node

    return transform(expr, visit) if known else expr


def _is_extreme(number: Expr) -> bool:
    """Whether an int32 number is the least, the greatest or a choice of unbounded ones."""
    return (
        isinstance(number, Cast)
        and number.type is I32
        and number.value.type is I64
        and any(isinstance(n, (Max, Min, Select)) for n in postorder(number.value))
    )


def _is_of_products(division: Div | Mod) -> bool:
    """Whether it is by no constant, or of a product of two numbers that are none."""
    return not isinstance(division.b, Const) or any(map(is_product, postorder(division.a)))
