"""That places which numbers in memory say fit the DSL's int32 coordinates.

    d[x] = s[pos[x] + 3]        d(x) = s(pos(x) + 3)    where pos(x) <= 2147483644 at each point

C++ adds what it reads to a pointer in 64 bits, the DSL in 32, where it wraps. How large the numbers
are is a precondition, a *limit*, that the guarded entry tests at each point before the call; that
narrow numbers and coordinates are small enough is one over parameters alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from compiler.ir import (
    GE,
    I64,
    LE,
    Add,
    And,
    Call,
    Cast,
    Div,
    Expr,
    Load,
    Sub,
    Type,
    Variable,
    const,
    postorder,
    substitute,
    to_text,
    transform,
)

from ..dag import (
    conjunction,
    disjunction,
    domain,
    from_polynomial,
    negate,
    normal,
    polynomial,
    replace,
)
from ..model.stage import Loop
from ..model.summary import Limit
from .remedies import remedies_for_a_doubt
from .stage_proof import Piece

if TYPE_CHECKING:
    from .pure import PureProof

_ROUNDS = 3
"""Of places inside of places: `s[pos[first[x] + 1] + 1]`."""


def text_of(limit: Limit, output: str) -> str:
    """A limit as people read it."""
    number = limit.value.value if isinstance(limit.value, Cast) else limit.value
    least = "" if limit.least is None else f"{limit.least} <= "
    return f"{least}{to_text(number)} <= {limit.most} at each point of {output}"


def limits_of_places(proof: PureProof) -> list[Limit]:
    """What the wide numbers in memory may be for the places that they say to fit: a suggestion."""
    found: dict[Limit, None] = {}
    for piece in proof.pieces:
        flattener = proof.flattener(piece)
        flattener.value(proof.summary.expression)
        alone = proof.flattener(piece)
        calls: dict[Expr, Expr] = {
            alone.load(node): node
            for node in postorder(proof.summary.expression)
            if isinstance(node, Call) and node.kind == "image"
        }
        for (type, value), reductions in flattener.wrapped.items():
            for limit in _limits(type, value, reductions, proof):
                loads = set(_outermost_loads(limit.value))
                if loads <= calls.keys():
                    here = substitute(limit.value, {n: calls[n] for n in loads})
                    made = _over_coordinates(substitute(here, proof.solution(piece)), proof)
                    found[Limit(made, limit.most, limit.least)] = None
    found = {limit: None for limit in found if proof.is_of_before(limit)}
    return _closest(found)


def _closest(limits: Iterable[Limit]) -> list[Limit]:
    """Of limits on one number that differ by constants, the one that says all."""
    found: dict[tuple[Expr, Expr, Expr | None], Limit] = {}
    for limit in limits:
        most, more = _with_constant(limit.most)
        least, less = (None, 0) if limit.least is None else _with_constant(limit.least)
        known = found.get((limit.value, most, least))
        if known is not None:
            more = min(more, _with_constant(known.most)[1])
            less = less if known.least is None else max(less, _with_constant(known.least)[1])
        end = None if least is None else normal(Add(least, const(less, I64)))
        made = Limit(limit.value, normal(Add(most, const(more, I64))), end)
        found[limit.value, most, least] = made
    return list(found.values())


def _with_constant(value: Expr) -> tuple[Expr, int]:
    """A sum as what isn't constant of it, and the constant."""
    terms = polynomial(value)
    constant = terms.get((), 0)
    return from_polynomial({m: f for m, f in terms.items() if m}), constant


def places_fit(proof: PureProof) -> bool:
    """Assumes the limits of the summary, and makes known to the proof which places fit; True."""
    before = proof.fork()  # which knows nothing of places that fit
    limits = [limit for limit in proof.summary.limits if before.is_testable(limit)]
    proof.adopt(before)
    for limit in limits:
        proof.assumptions.assume_limit(limit, text_of(limit, proof.stage.output))
    for piece in (*proof.pieces, None):
        for _ in range(_ROUNDS):
            if not _more_fit(proof, piece, limits):
                break
    return True


def _more_fit(proof: PureProof, piece: Piece | None, limits: Sequence[Limit]) -> bool:
    """Whether more places are known to fit in the iterations of a store (without: at all points of
    the region)."""
    flattener = proof.flattener(piece)
    flattener.value(proof.expression)
    given = proof.in_region() if piece is None else [*piece.given]
    given += _told(proof, piece, limits)
    if piece is not None:
        # What may wrap in the DSL can't in the original, which would be undefined.
        given += proof.facts_in_any_branch(piece)
    fitting = proof.fitting_of(piece)
    before = len(fitting)
    for (type, value), reductions in flattener.wrapped.items():
        if not type.is_int or type.bits < 32:
            continue
        fits = And(LE(const(type.min, I64), value), LE(value, const(type.max, I64)))
        known = (*given, *domain(reductions))
        remedies = [
            remedy
            for doubt in _of_extremes(type, value)
            for remedy in remedies_for_a_doubt(doubt, known, proof.parameters)
        ]
        decision = proof.assumptions.decide(fits, known, remedies)
        if decision.proved:
            proof.record("reads", f"{to_text(value)} fits {type}", decision)
            fitting.append((type, value))
    return len(fitting) > before


def _told(proof: PureProof, piece: Piece | None, limits: Sequence[Limit]) -> Iterator[Expr]:
    """What limits say of the point that an iteration writes, if that is one of the region."""
    flattener = proof.flattener(piece)
    point = proof.coordinates if piece is None else piece.witness.point
    given = proof.in_region() if piece is None else piece.given
    known = (*proof.assumptions.formulas, *given)
    for limit in limits:
        value = flattener.place(limit.value)
        if not all(_holds(d, (*known, *g), proof) for d, g in flattener.doubts):
            continue
        ends: list[Expr] = [LE(value, limit.most)]
        if limit.least is not None:
            ends.append(GE(value, limit.least))
        yield disjunction((negate(conjunction(proof.in_region(point))), conjunction(ends)))


def _holds(doubt: Expr, given: Sequence[Expr], proof: PureProof) -> bool:
    """Whether a place in the array of numbers fits, if need be by a precondition."""
    remedies = remedies_for_a_doubt(doubt, given, proof.parameters)
    return proof.assumptions.decide(doubt, given, remedies).proved


def _limits(
    type: Type, value: Expr, reductions: Sequence[Loop], proof: PureProof
) -> Iterator[Limit]:
    """Limits on the wide numbers that a value is computed of, in all iterations of reductions."""
    if not type.is_int or type.bits != 32:
        return
    low, high = (_at_an_end(value, reductions, sign) for sign in (-1, 1))
    if low is None or high is None:
        return
    least, most = const(type.min, I64), const(type.max, I64)
    (low_data, low_rest), (high_data, high_rest) = (_parts(v, proof) for v in (low, high))
    top, bottom = normal(Sub(most, high_rest)), normal(Sub(least, low_rest))
    if not any(n.type.bits >= 32 for n in _outermost_loads(high_data)):
        return
    if not (proof.assumptions.over_parameters(top) and proof.assumptions.over_parameters(bottom)):
        return
    if low_data is high_data:
        yield _of_one(high_data, top, bottom) or Limit(_converted(high_data), top, bottom)
    else:
        yield Limit(_converted(high_data), top)
        yield Limit(_converted(low_data), normal(Sub(most, low_rest)), bottom)


def _of_one(data: Expr, top: Expr, bottom: Expr) -> Limit | None:
    """What limits on a multiple of one number of 64 bits say of the number itself, at which the
    guard can look: a multiple may have more bits than it has."""
    terms = polynomial(data)
    if len(terms) != 1:
        return None
    ((atoms, factor),) = terms.items()
    if len(atoms) != 1 or not isinstance(atoms[0], Load) or factor < 2:
        return None
    by, none = const(factor, I64), const(0, I64)
    least = normal(Sub(none, Div(Sub(none, bottom), by)))
    return Limit(_converted(atoms[0]), normal(Div(top, by)), least)


def _at_an_end(value: Expr, reductions: Sequence[Loop], sign: int) -> Expr | None:
    """The value in the first or the last iteration of each reduction, where it is the least (or
    with a positive sign the greatest) of all; None where that isn't known."""
    for loop in reversed(reductions):
        slopes = [
            (monomial, factor)
            for monomial, factor in polynomial(value).items()
            if any(loop.counter in postorder(atom) for atom in monomial)
        ]
        if not slopes:
            continue
        if len(slopes) > 1 or slopes[0][0] != (loop.counter,):
            return None
        last = normal(Sub(loop.extent, const(1, I64)))
        rises = slopes[0][1] > 0
        value = replace(value, {loop.counter: last if rises == (sign > 0) else const(0, I64)})
    return value


def _parts(value: Expr, proof: PureProof) -> tuple[Expr, Expr]:
    """A sum as what is read, or says where, and what the parameters say."""
    data: dict[tuple[Expr, ...], int] = {}
    rest: dict[tuple[Expr, ...], int] = {}
    for monomial, factor in polynomial(value).items():
        known = all(isinstance(a, Variable) and a.name in proof.parameters for a in monomial)
        (rest if known else data)[monomial] = factor
    return normal(from_polynomial(data)), normal(from_polynomial(rest))


def _converted(value: Expr) -> Expr:
    """A number of 64 bits by itself as the guard looks at one."""
    return Cast(I64, value) if isinstance(value, Load) else value


def _over_coordinates(value: Expr, proof: PureProof) -> Expr:
    """With the coordinates outside of reads as what they are in the DSL, converted."""
    own: dict[Expr, Expr] = {
        coordinate: Cast(I64, name)
        for coordinate, name in zip(proof.coordinates, proof.names, strict=True)
    }
    return transform(value, lambda node: own.get(node, node))


def _outermost_loads(value: Expr) -> Iterator[Load]:
    """The reads that a sum is of, without those that say where these are."""
    for monomial in polynomial(value):
        for atom in monomial:
            inner = atom.value if isinstance(atom, Cast) else atom
            if isinstance(inner, Load):
                yield inner


def _of_extremes(type: Type, value: Expr) -> Iterator[Expr]:
    """That a value fits its type if each narrow number that is read is its type's least or
    greatest."""
    for sign in (-1, 1):
        terms: list[tuple[tuple[Expr, ...], int]] = []
        for monomial, factor in polynomial(value).items():
            others = list(monomial)
            for atom in monomial:
                inner = atom.value if isinstance(atom, Cast) else atom
                if isinstance(inner, Load) and inner.type.is_integer and inner.type.bits < 32:
                    others.remove(atom)
                    end = inner.type.max if (factor > 0) == (sign > 0) else inner.type.min
                    factor *= int(end)
            terms.append((tuple(others), factor))
        total = _sum(terms)
        if sign < 0:
            yield GE(total, const(type.min, I64))
        else:
            yield LE(total, const(type.max, I64))


def _sum(terms: Iterable[tuple[tuple[Expr, ...], int]]) -> Expr:
    found: dict[tuple[Expr, ...], int] = {}
    for monomial, factor in terms:
        found[monomial] = found.get(monomial, 0) + factor
    return normal(from_polynomial({m: f for m, f in found.items() if f}))
