"""Weak conditions on parameters that would make a formula hold: what may become a precondition."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from compiler.ir import GE, I64, LE, LT, Const, Expr, Sub, Variable, const, postorder

from ..dag import (
    bounds_of_atoms,
    conjunction,
    conjuncts,
    from_polynomial,
    negate,
    normal,
    polynomial,
    replace,
)

ZERO = const(0, I64)


def remedies_at_ends(
    formula: Expr, given: Sequence[Expr], parameters: Collection[str]
) -> list[Expr]:
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


def remedies_at_bounds(formula: Expr, given: Sequence[Expr]) -> list[Expr]:
    """Claims about what is computed of counters, at the ends that the facts `given` say it has:
    `q * stride <= k` where `0 <= q + c && q + c < h`."""
    least, most = bounds_of_atoms(given)
    bounded = [n for n in postorder(formula) if n in least and n in most]
    if not bounded:
        return []
    results = [replace(formula, {n: ends[n] for n in bounded}) for ends in (least, most)]
    return [conjunction(results), *results]


def remedies_for_a_doubt(
    doubt: Expr, given: Sequence[Expr], parameters: Collection[str]
) -> list[Expr]:
    """Those for a coordinate, or the side of a choice (`!c || k - 1 >= -2147483648`), to fit its
    type."""
    parts = map(negate, conjuncts(negate(doubt)))
    wide = [part for part in parts if is_wide(part)]
    return [r for part in wide for r in remedies_at_ends(part, given, parameters)]


def remedies_by_factors(formula: Expr) -> list[Expr]:
    """That a product isn't negative, as two conditions over its factors, which say more but are
    smaller numbers: `(right - left) * planes >= 0` where `planes >= 0` and `right - left >= 0`.
    """
    if not isinstance(formula, (GE, LE)):
        return []
    difference = Sub(formula.a, formula.b) if isinstance(formula, GE) else Sub(formula.b, formula.a)
    terms = {m: c for m, c in polynomial(normal(difference)).items() if m}
    shared = set.intersection(*map(set, terms)) if len(terms) > 1 else set()
    found: list[Expr] = []
    for factor in sorted(shared, key=repr):
        rest: dict[tuple[Expr, ...], int] = {}
        for monomial, coefficient in terms.items():
            left = list(monomial)
            left.remove(factor)
            rest[tuple(left)] = coefficient
        for least in (ZERO, const(1, I64)):
            both = (GE(factor, least), GE(from_polynomial(rest), least))
            found.append(conjunction(map(normal, both)))
    return found


def is_wide(doubt: Expr) -> bool:
    """About 32 bits or more: that an image is small enough for those may be assumed, but nobody
    would believe a summary that holds for 255 columns only."""
    return any(isinstance(n, Const) and abs(n.value) >= (1 << 31) - 1 for n in postorder(doubt))
