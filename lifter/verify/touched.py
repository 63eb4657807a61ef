"""Obligations about memory: lifted code reads and stores no element that the original doesn't.

    d[i] = i + 1 < n ? s[i + 1] : 0;        d(x) = select(x + 1 < n, s(x + 1), 0)

Equal values aren't enough: with `s` at the end of its memory, `s(n)` isn't there to be read, and an
element that keeps its value may be another thread's. What lifted code touches at a point is known
from the expression alone (`paths.py`): each element that it reads there must be one that an
iteration of the original touches under a condition that follows, and it may store only where an
iteration does.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from compiler.ir import (
    EQ,
    FALSE,
    I32,
    I64,
    LE,
    LT,
    TRUE,
    Add,
    And,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Or,
    Select,
    Sub,
    Variable,
    const,
    postorder,
    substitute,
)

from ..dag import (
    Ranges,
    as_formula,
    conjunction,
    conjuncts,
    disjunction,
    domain,
    from_polynomial,
    negate,
    normal,
    normalize_indices,
    polynomial,
    replace,
)
from ..model.kernel import Store, statements
from ..model.stage import Loop
from ..model.stage import Read as OriginalRead
from ..model.summary import Summary
from ..synth.paths import PathRead, both, either, reads_by_pixels, reads_of, where_stored
from .decide import Decision
from .flatten import NOWHERE, Flattener, place_formula, said
from .short_iterations import values_of
from .stage_proof import Piece, StageProof

Case = tuple[tuple[Expr, ...], tuple[Expr, ...]]
"""What has to hold for an access of the original: index formulas, and typed conditions."""

_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class _Touch:
    """An element that an iteration of the original touches, at the point at hand."""

    array: str
    indices: tuple[Expr, ...]
    iteration: tuple[Expr, ...]
    """That there is such an iteration, as index formulas."""
    condition: tuple[Expr, ...]
    """Typed booleans: the branches around the access."""

    def is_always(self, load: Load, given: Sequence[Expr]) -> bool:
        """Whether this is the element of `load`, touched wherever `given` holds."""
        same = self.indices == load.indices
        return same and not self.iteration and all(part in given for part in self.condition)


def _reaches_its_bounds(index: Expr, parameters: Collection[str], names: list[str]) -> bool:
    """Whether an index takes the bounds that are computed from those of its parts
    (`emit/accesses.py`): it rises or falls with each coordinate. Adds the coordinates to `names`.
    """
    match index:
        case Const():
            return True
        case Variable():
            if index.name not in parameters:
                names.append(index.name)
            return True
        case Call() | Load() | Select():
            return False
    if not (index.type.is_int and index.type.bits >= 32):
        return False
    before = len(names)
    if not all(_reaches_its_bounds(part, parameters, names) for part in index.children):
        return False
    fixed = len(names) == before
    match index:
        case Cast() | Neg() | Add() | Sub() | Mul() | Min() | Max():
            return True
        case Div(b=Const(value=by)) if by > 0:
            return True
        case Div() | Mod():
            return fixed
    return False


class Touched:
    """What is proved of the elements that a stage of lifted code touches."""

    def __init__(self, proof: StageProof) -> None:
        self.proof = proof
        self._places: dict[tuple[int, tuple[Loop, ...]], _Place] = {}

    @property
    def summary(self) -> Summary:
        return self.proof.summary

    def decide(self) -> bool:
        """Records `frame` obligations; whether all hold."""
        summary, proof = self.summary, self.proof
        if summary.written_if is not None and not self._is_written_if(summary.written_if):
            return False
        point = summary.update_point if summary.domain else tuple(self.proof.names)
        old = Call(summary.output, point, summary.expression.type, "image")
        if summary.stores_changed:
            reads = reads_of((summary.expression, TRUE), (old, TRUE))
        else:
            stored, value = where_stored(summary.expression, old)
            proof.stores_too_much = not self._are_stored(stored)
            if proof.stores_too_much:
                return False
            reads = reads_of((value, stored), *((place, stored) for place in point))
        callers = [read for read in reads if self._is_callers(read.call.name)]
        return all(map(self._is_touched, callers)) and all(
            map(self.is_made_anyway, summary.read_anyway)
        )

    def is_made_anyway(self, call: Call) -> bool:
        """Records that the original reads an element of the caller's at each point of the region;
        whether it does."""
        return self._is_callers(call.name) and self._is_touched(
            PathRead(call, TRUE), "is read at each point, that is,"
        )

    @cached_property
    def _gap(self) -> Expr | None:
        """Of points of the region, a formula for those that no iteration writes; None for no
        such."""
        proof = self.proof
        written = disjunction(
            conjunction((proof.hits(piece), *proof.by_parameters(piece))) for piece in proof.pieces
        )
        everywhere = proof.prover.integers(
            written, (*proof.assumptions.formulas, *self._region()), _SECONDS
        )
        return None if everywhere.proved else negate(written)

    def _region(self) -> list[Expr]:
        """That the coordinates are those of a point of the region, or of the domain of updates."""
        dimensions = self.summary.domain or self.summary.roi
        return [
            bound
            for d, c in zip(dimensions, self.proof.coordinates, strict=True)
            for bound in (LE(d.lower, c), LT(c, d.upper))
        ]

    def copies(self) -> bool:
        """Records that what compiled code may copy is touched by the original; whether it is.

        An array that the function overwrites, and reads at other pixels than the one it writes, may
        be copied before anything is computed: all that the definition names, whatever is decided.
        Not so what stages that make something else read where pixels say so.
        """
        kernel = self.proof.assumptions.kernel
        written = {s.array for s in statements(kernel.body) if isinstance(s, Store)}
        point = self.summary.update_point if self.summary.domain else tuple(self.proof.names)
        expressions = (self.summary.expression, *point)
        reads = reads_of(*((expression, TRUE) for expression in expressions))
        never = list(reads_by_pixels(expressions, self.summary.output))
        copied = [
            read
            for read in reads
            if read.call.name in written and self._is_copied(read.call.name)
            if read not in never
            if self._is_of_another_pixel(read.call, point) and not self._is_running(read.call)
        ]
        return all(self._is_a_box(read) for read in copied) and all(
            self._is_between(read) and self._is_copied_as_touched(read)
            for read in copied
            if read.condition is not TRUE
        )

    def _is_copied_as_touched(self, read: PathRead) -> bool:
        """That what is copied for a read is touched, whatever its condition says; or else what this
        asks of parameters is a precondition."""
        anywhere = PathRead(read.call, TRUE, read.reductions)
        asked = conjunction(self._of_parameters(read.condition))
        fork = Touched(self.proof.fork())
        if asked is not TRUE and not fork._is_touched(anywhere, "is copied", in_gaps=True):
            text = f"{read.call!r} is copied only where {asked}"
            if not self.proof.integers("frame", text, asked, self._region(), (asked,)):
                return False
        return self._is_touched(anywhere, "is copied", in_gaps=True)

    def _of_parameters(self, condition: Expr) -> Iterator[Expr]:
        """The parts of a condition that parameters alone decide, as index formulas."""
        known = set(self.proof.parameters)
        for part in conjuncts(condition):
            formula = as_formula(part, Ranges(self.proof.parameters, ()))
            names = (n.name for n in postorder(part) if isinstance(n, Variable))
            if formula is not None and known.issuperset(names):
                yield formula

    def _is_between(self, read: PathRead) -> bool:
        """What is copied for a point that no iteration writes is read there nevertheless, or lies
        between what is copied for two others along an axis: the whole copy begins and ends with
        elements that iterations touch."""
        if self._gap is None:
            return True
        proof, text = self.proof, f"{read.call!r} is copied between elements that are touched"
        written = () if self.summary.written_if is None else (self.summary.written_if,)
        around = tuple(Loop(r.counter, r.extent, NOWHERE) for r in read.reductions)
        place = _Place(proof, None, around, (*self._region(), self._gap, *written))
        decision = proof.prover.integers(FALSE, place.known, _SECONDS)
        if decision.proved:
            return proof.record("frame", text, decision)
        here = place.load(read.call).indices
        touches = (*self._iterations_around(read.call.name), *self._elsewhere(read.call.name, here))
        for touch in touches:
            asked = conjunction((*_all_equal(touch, here), *touch.iteration))
            decision = proof.prover.integers(asked, place.known, _SECONDS)
            if decision.proved:
                return proof.record("frame", text, decision)
        for dimension, c in zip(self.summary.roi, proof.coordinates, strict=True):
            first: dict[Expr, Expr] = {c: dimension.lower}
            last: dict[Expr, Expr] = {c: Sub(dimension.upper, const(1, I64))}
            for low, high in ((first, last), (last, first)):
                ends = [negate(replace(self._gap, end)) for end in (low, high)]
                order = [
                    LE(normal(a), normal(b))
                    for i in here
                    for a, b in ((replace(i, low), i), (i, replace(i, high)))
                ]
                asked = conjunction((*ends, *order))
                decision = proof.prover.integers(asked, place.known, _SECONDS)
                if decision.proved:
                    return proof.record("frame", text, decision)
        return proof.record("frame", text, decision)

    def _iterations_around(self, array: str) -> Iterator[_Touch]:
        """The elements that iterations of the loops around a store read, at the point at hand,
        whether they store there or not: `m = d[x * n]; for (c = 1; c < n; c++) d[x * n + c] *= m`.
        """
        proof = self.proof
        for piece, read in itertools.product(proof.pieces, proof.stage.reads):
            around = piece.write.loops[: len(read.loops)]
            formula = as_formula(read.condition, Ranges(proof.parameters, around))
            if read.array != array or read.loops != around or formula is None:
                continue
            solution = proof.solution(piece)
            indices = tuple(_settled(replace(i, solution)) for i in read.indices)
            iteration = tuple(replace(f, solution) for f in (*domain(around), formula))
            yield _Touch(array, indices, iteration, ())

    def _elsewhere(self, array: str, here: Sequence[Expr]) -> Iterator[_Touch]:
        """The iterations of the nest that read an element, whichever point they are about: of the
        loops around them, the first."""
        proof = self.proof
        for read in proof.stage.reads:
            formula = as_formula(read.condition, Ranges(proof.parameters, read.loops))
            if read.array != array or len(here) != 1 or not read.loops or formula is None:
                continue
            counter = read.loops[-1].counter
            terms = polynomial(read.indices[0])
            step = terms.pop((counter,), 0)
            rest = from_polynomial(terms)
            if abs(step) != 1 or counter in postorder(rest):
                continue
            first: dict[Expr, Expr] = {x.counter: const(0, I64) for x in read.loops[:-1]}
            distance = normal(Sub(here[0], replace(rest, first)))
            found = {
                **first,
                counter: distance if step > 0 else normal(Sub(const(0, I64), distance)),
            }
            iteration = tuple(replace(f, found) for f in (*domain(read.loops), formula))
            yield _Touch(array, tuple(here), iteration, ())

    def _is_a_box(self, read: PathRead) -> bool:
        """Records that the box that is copied for a read ends where the read does."""
        known = set(self.proof.parameters)
        names: list[str] = []
        exact = all(_reaches_its_bounds(a, known, names) for a in read.call.args)
        if exact and len(set(names)) == len(names):
            return True
        text = f"{read.call}, which is overwritten, is read as far as what is copied for it"
        return self.proof.record("frame", text, Decision("refuted", "structural", 0.0))

    def _is_of_another_pixel(self, read: Call, point: tuple[Expr, ...]) -> bool:
        """Whether a read is at another place but for the channel."""
        if len(read.args) != len(point) or self.summary.domain:
            return read.args != point
        return any(
            a is not b
            for a, b, d in zip(read.args, point, self.summary.roi, strict=True)
            if not (isinstance(d.lower, Const) and isinstance(d.upper, Const))
        )

    def _is_running(self, read: Call) -> bool:
        """Whether a read is of what a scan has left there by then, not of what was there before."""
        return self.summary.kind == "scan" and read.name == self.summary.output

    def _is_written_if(self, formula: Expr) -> bool:
        """Nothing is stored where the parameters' formula doesn't hold."""
        proof = self.proof
        known = set(proof.parameters)
        fine = formula.type.is_bool and all(
            n.name in known for n in postorder(formula) if isinstance(n, Variable)
        )
        text = f"something is stored only where {formula}"
        if not fine:
            return proof.record("frame", text, Decision("refuted", "structural", 0.0))
        return all(
            proof.integers("frame", text, formula, (*piece.given, *proof.by_parameters(piece)))
            for piece in proof.pieces
        )

    def _are_stored(self, stored: Expr) -> bool:
        """Where lifted code stores, an iteration of the original does."""
        text = f"{self.summary.output} is stored only where the original stores it"
        if self._gap is None and all(p.condition is TRUE for p in self.proof.pieces):
            return self.proof.record("frame", text, Decision("proved", "structural", 0.0))
        if not self._not_in_gaps(stored, (), text):
            return False
        for piece in self.proof.pieces:
            place = self._place(piece)
            cases = [((), tuple(conjuncts(piece.condition))), *place.other_stores()]
            if not self.proof.record("frame", text, place.follows(cases, *place.flat(stored))):
                return False
        return True

    def _is_touched(self, read: PathRead, what: str = "is read", *, in_gaps: bool = False) -> bool:
        text = f"{read.call!r} {what} only where the original touches it"
        around = tuple(Loop(r.counter, r.extent, NOWHERE) for r in read.reductions)
        if not (
            in_gaps
            or self._is_read_beside(read, text)
            or self._not_in_gaps(read.condition, around, text)
        ):
            return False
        for piece in self.proof.pieces:
            place = self._place(piece, around)
            places, given = place.flat(read.condition)
            if all(part in given for part in conjuncts(piece.condition)):
                places += self.proof.where_stored
            load = place.load(read.call)
            touches = place.touched(load.array)
            if any(t.is_always(load, given) for t in touches):
                self.proof.record("frame", text, Decision("proved", "structural", 0.0))
                continue
            if not self.proof.record("frame", text, place.is_touched(load, places, given)):
                return False
        return True

    def _place(self, piece: Piece, around: tuple[Loop, ...] = ()) -> _Place:
        key = id(piece), around
        if key not in self._places:
            self._places[key] = _Place(self.proof, piece, around)
        return self._places[key]

    def _not_in_gaps(self, condition: Expr, around: tuple[Loop, ...], text: str) -> bool:
        """That a condition holds at no point of the region that no iteration writes: no iteration
        exists there, or what is asked of the parameters before it doesn't hold."""
        proof = self.proof
        if self._gap is None:
            return True
        gap = [*self._region(), self._gap]
        place = _Place(proof, None, around, tuple(gap))
        places, _ = place.flat(condition)
        decision = proof.prover.integers(
            FALSE, (*proof.assumptions.formulas, *gap, *places), _SECONDS
        )
        return proof.record("frame", f"{text}, not at a point that no iteration writes", decision)

    def _is_read_beside(self, read: PathRead, text: str) -> bool:
        """Records that what is read at a point that no iteration writes is what is read at one
        beside it that some iteration writes: all channels of a pixel are made of the same."""
        proof = self.proof
        if self._gap is None or self.summary.domain or read.condition is not TRUE:
            return False
        used = {n.name for n in postorder(read.call) if isinstance(n, Variable)}
        counters = {loop.counter for piece in proof.pieces for loop in piece.write.loops}
        for d, coordinate in enumerate(proof.coordinates):
            if self.summary.roi[d].variable.name in used or read.reductions:
                continue
            for piece in proof.pieces:
                place = piece.witness.point[d]
                if piece.condition is not TRUE or not counters.isdisjoint(postorder(place)):
                    continue
                there: dict[Expr, Expr] = {coordinate: place}
                written = conjunction((proof.hits(piece), *proof.by_parameters(piece)))
                known = (*proof.assumptions.formulas, *self._region())
                decision = proof.prover.integers(replace(written, there), known, _SECONDS)
                if decision.proved:
                    what = f"{text}, as at {coordinate} = {place}"
                    return proof.record("frame", what, decision)
        return False

    def _is_callers(self, array: str) -> bool:
        """Whether a read of an array may be one of the caller's memory, as it was before the call:
        nothing has stored all of its elements."""
        produced = self.proof.produced.get(array)
        return self._is_parameter(array) and (produced is None or not produced.is_whole)

    def _is_copied(self, array: str) -> bool:
        """Whether a read of an array is one of the caller's memory, where nothing of the kernel's
        is read there."""
        return self._is_parameter(array) and array not in self.proof.produced

    def _is_parameter(self, array: str) -> bool:
        return self.proof.assumptions.kernel.arrays[array].origin == "param"


class _Place:
    """The point that an iteration of `piece` writes (without: any point for which `given`
    holds)."""

    def __init__(
        self,
        proof: StageProof,
        piece: Piece | None,
        around: tuple[Loop, ...] = (),
        given: tuple[Expr, ...] = (),
    ) -> None:
        self.proof, self.piece, self.around = proof, piece, around
        self.point = proof.coordinates if piece is None else piece.witness.point
        loops = around if piece is None else (*piece.write.loops, *around)
        self.given = given if piece is None else (*piece.given, *proof.by_parameters(piece))
        self._touches: dict[str, list[_Touch]] = {}
        self.flattener = Flattener(
            proof.names, self.point, proof.summary.layouts, proof.parameters, loops,
            proof.fitting_of(piece),
        )  # fmt: skip
        self._known = (*self.given, *domain(around), *proof.facts_in_any_branch(piece, around))

    @property
    def known(self) -> tuple[Expr, ...]:
        """What holds at the point under all that is assumed by now."""
        return (*self.proof.assumptions.formulas, *self._known)

    def flat(self, condition: Expr) -> tuple[list[Expr], list[Expr]]:
        """A condition's parts: (those about places, as index formulas; all, over loads)."""
        places: list[Expr] = []
        typed: list[Expr] = []
        value = self._counted(self.flattener.value(condition), self.around)
        for part in conjuncts(_settled(value)):
            typed.append(part)
            formula = self._of_place(self._counted(part, self.flattener.ranges.loops))
            # Of numbers that say how many terms there are, what is read matters, too.
            if formula is TRUE and self.proof.summary.limits:
                formula = said(part, self.flattener.ranges) or TRUE
            if formula is not TRUE:
                places.append(formula)
        return places, typed

    def _counted(self, value: Expr, loops: Iterable[Loop]) -> Expr:
        """A value with counters as they are instead of as numbers of 32 bits, which they fit."""
        narrow: dict[Expr, Expr] = {}
        for counter in (loop.counter for loop in loops):
            node: Expr = Cast(I64, Cast(I32, counter))
            limits = (LE(const(I32.min, I64), counter), LE(counter, const(I32.max, I64)))
            if node in postorder(value) and all(map(self.holds, limits)):
                narrow[node] = counter
        made: Expr = substitute(value, narrow) if narrow else value
        return made

    def _of_place(self, condition: Expr) -> Expr:
        """What a condition over loads says of the place, whatever the loads are."""
        formula = place_formula(condition, self.flattener.ranges, self.holds)
        if formula is not None:
            return formula
        if isinstance(condition, And):
            return both(self._of_place(condition.a), self._of_place(condition.b))
        if isinstance(condition, Or):
            return either(self._of_place(condition.a), self._of_place(condition.b))
        return TRUE

    def holds(self, formula: Expr) -> bool:
        return self.proof.prover.integers(formula, self.known, _SECONDS).proved

    def load(self, call: Call) -> Load:
        inlined = self.proof.prover.inlined(call)
        assert isinstance(inlined, Call)
        load = self.flattener.load(inlined)
        return Load(load.array, tuple(map(_settled, load.indices)), load.type)

    def is_touched(self, load: Load, places: Sequence[Expr], given: Sequence[Expr]) -> Decision:
        """That an element is touched here under the conditions `places` and `given`."""
        prover, known = self.proof.prover, (*self.known, *places)
        decision = prover.integers(FALSE, known, _SECONDS)
        if decision.proved:
            return decision  # it isn't read here
        exists = cache(
            lambda iteration: not prover.integers(FALSE, (*known, *iteration), _SECONDS).proved
        )
        touches = [t for t in self.touched(load.array) if exists(t.iteration)]
        told = (*known, *self._told(given))
        same: list[_Touch] = []
        for is_same, facts in (
            (self._is_named_so, known),
            (self._is_same, known),
            (self._is_same, told),
            (self._has_same_bits, known),
        ):
            more = [t for t in touches if t not in same and is_same(t, load, facts)]
            if more:
                same += more
                cases = [(t.iteration, t.condition) for t in same]
                decision = self.follows(cases, places, given)
                if decision.proved:
                    return decision
        if same and load.array not in self.proof.stage.handed_on:
            return decision
        # One element here, another one there: `d(min(x + 1, n - 1))`.
        found = [
            ((*_equal(t, load), *t.iteration), t.condition)
            for t in touches
            if _is_by_place(t, load)
        ]
        return self.follows(found, places, given)

    def _told(self, given: Sequence[Expr]) -> Iterator[Expr]:
        """What conditions over numbers in memory say of them, as index formulas."""
        for part in given:
            formula = said(part, self.flattener.ranges)
            if formula is not None:
                yield formula

    def _is_named_so(self, touch: _Touch, load: Load, known: Sequence[Expr]) -> bool:
        return touch.indices == load.indices

    def _is_same(self, touch: _Touch, load: Load, known: Sequence[Expr]) -> bool:
        if not _is_by_place(touch, load):
            return False
        same = conjunction(_equal(touch, load))
        given = (*known, *touch.iteration)
        prover = self.proof.prover
        if prover.integers(same, given, _SECONDS).proved:
            return True
        unwrapped = prover.unwrapped(same, given)
        return unwrapped is not same and prover.integers(unwrapped, given, _SECONDS).proved

    def _has_same_bits(self, touch: _Touch, load: Load, known: Sequence[Expr]) -> bool:
        """Whether it is the same element by the bits of what is looked up."""
        piece = self.piece
        if piece is None or touch.iteration or not _is_by_place(touch, load):
            return False
        return all(
            a is b or self.proof.same_bits(a, b, piece).proved
            for a, b in zip(touch.indices, load.indices, strict=True)
        )

    def other_stores(self) -> list[Case]:
        """The iterations of other stores that write this point."""
        return [
            (tuple(map(self._here, self._hits(other))), self._parts(self.proof.at_point(other)))
            for other in self.proof.pieces
            if other is not self.piece
        ]

    def touched(self, array: str) -> list[_Touch]:
        """What the iterations of the original that write this point touch of an array."""
        if array not in self._touches:
            self._touches[array] = list(self._touched(array))
        return self._touches[array]

    def _touched(self, array: str) -> Iterator[_Touch]:
        for piece in sorted(self.proof.pieces, key=lambda p: p is not self.piece):
            own = piece is self.piece
            hits = () if own else tuple(map(self._here, self._hits(piece)))

            def here(expr: Expr, piece: Piece = piece, own: bool = own) -> Expr:
                return _settled(
                    expr if own else self._here(replace(expr, self.proof.solution(piece)))
                )

            if array == self.proof.stage.output:
                condition = tuple(conjuncts(here(piece.condition)))
                yield _Touch(array, tuple(map(here, piece.write.indices)), hits, condition)
            for read in (r for r in self.proof.stage.reads if r.array == array):
                for counters, loops in _iterations(read, piece):
                    yield _Touch(
                        array,
                        tuple(here(replace(i, counters)) for i in read.indices),
                        (*hits, *map(here, domain(loops))),
                        tuple(conjuncts(here(replace(read.condition, counters)))),
                    )
            if array in self.proof.stage.handed_on:
                yield from self._touched_before(array, piece, hits, here)

    def _touched_before(
        self, array: str, piece: Piece, hits: tuple[Expr, ...], here: Callable[[Expr], Expr]
    ) -> Iterator[_Touch]:
        """What the iteration before has read, or the last one of a loop that is over by then: of an
        array whose old elements iterations hand on."""
        for read in (r for r in self.proof.stage.reads if r.array == array):
            if any(isinstance(n, Load) for n in postorder(read.condition)):
                continue
            both = zip(read.loops, piece.write.loops, strict=False)
            common = len(list(itertools.takewhile(lambda pair: pair[0] == pair[1], both)))
            own, others = read.loops[:common], read.loops[common:]
            last: dict[Expr, Expr] = {x.counter: Sub(x.extent, const(1, I64)) for x in others}
            before: dict[Expr, Expr] = {}
            if own:
                counter = own[-1].counter
                before = {counter: Sub(counter, const(1, I64))}
            for there in (last, before | last) if before and last else (before | last,):
                iteration = (replace(f, there) for f in domain(read.loops))
                yield _Touch(
                    array,
                    tuple(here(replace(i, there)) for i in read.indices),
                    (*hits, *map(here, iteration)),
                    tuple(conjuncts(here(replace(read.condition, there)))),
                )

    def _hits(self, piece: Piece) -> tuple[Expr, ...]:
        return tuple(conjuncts(self.proof.hits(piece)))

    def _here(self, expr: Expr) -> Expr:
        """What is said of the coordinates, of this point."""
        return replace(expr, dict(zip(self.proof.coordinates, self.point, strict=True)))

    def _parts(self, condition: Expr) -> tuple[Expr, ...]:
        return tuple(conjuncts(_settled(self._here(condition))))

    def follows(
        self, cases: Sequence[Case], places: Sequence[Expr], given: Sequence[Expr]
    ) -> Decision:
        """That one of the cases holds here under the conditions `places` and `given`."""
        prover, known = self.proof.prover, (*self.known, *places)
        left: list[Expr] = []
        by_place: list[Expr] = []
        for iteration, condition in cases:
            formulas, typed = [f for f in iteration if f not in known], []
            for part in condition:
                formula = place_formula(part, self.flattener.ranges, self.holds)
                if formula is None and part not in given:
                    typed.append(part)
                elif formula is not None and formula not in known:
                    formulas.append(formula)
            decision = Decision("proved", "structural", 0.0)
            if formulas:
                decision = prover.integers(conjunction(formulas), known, _SECONDS)
            if decision.proved and not typed:
                return decision
            if not typed:
                by_place.append(conjunction(formulas))
            # What follows from the place alone isn't asked again.
            left.append(conjunction(typed if decision.proved else (*iteration, *condition)))
        if not left:
            return Decision("undecided", None, 0.0)
        if len(by_place) > 1:
            decision = prover.integers(disjunction(by_place), known, _SECONDS)
            if decision.proved:
                return decision
        region = [] if self.piece is None else self.proof.typed_given(self.piece)
        return prover.equal(disjunction(left), TRUE, (*region, *given), _SECONDS)


def _is_by_place(touch: _Touch, load: Load) -> bool:
    return all(i.type is I64 for i in (*touch.indices, *load.indices))


def _equal(touch: _Touch, load: Load) -> tuple[Expr, ...]:
    return _all_equal(touch, load.indices)


def _all_equal(touch: _Touch, indices: Sequence[Expr]) -> tuple[Expr, ...]:
    return tuple(EQ(a, b) for a, b in zip(touch.indices, indices, strict=True))


def _settled(expr: Expr) -> Expr:
    """In normal form, the indices of loads inside of indices too."""
    made = normalize_indices(expr)
    return normal(made) if made.type is I64 else made


def _iterations(
    read: OriginalRead, piece: Piece
) -> Iterator[tuple[dict[Expr, Expr], tuple[Loop, ...]]]:
    """Iterations of a read that belong to an iteration of a store: the counters of its loops over
    channels, and the other loops of its own, of which each iteration is one."""
    common = 0
    for ours, theirs in zip(read.loops, piece.write.loops, strict=False):
        if ours != theirs:
            break
        common += 1
    yield {}, read.loops[common:]
    while common and isinstance(read.loops[common - 1].extent, Const):
        common -= 1
    for counters in values_of(read.loops[common:]):
        if counters:
            yield counters, tuple(x for x in read.loops[common:] if x.counter not in counters)
