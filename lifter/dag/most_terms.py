"""How many terms a reduction has at most, where each element has a number of its own.

    for (k = 0; k < bounds[2 * x + 1]; k++) sum += in[bounds[2 * x] + k] * w[x * size + k];

A domain of reduction is a box over parameters: it has as many terms as any element may have, here
`size`, since that is where the next element's coefficients begin, and the terms beyond an element's
own number count for nothing. That no element has more terms is for the verifier to prove or to
assume.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from compiler.ir import (
    GE,
    GT,
    I64,
    LE,
    LT,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Select,
    Sub,
    Variable,
    const,
    postorder,
)

from .polynomial import ONE, Polynomial, from_polynomial, normal, polynomial

_MOST_CHOICES = 64


def most_terms(
    extent: Expr, counter: Variable, body: Expr, outer: Collection[Variable]
) -> Expr | None:
    """An index expression over parameters that `extent` may be bounded by; None if none is seen.

    `extent` depends on the counters `outer` of loops around the one of `counter`, which adds `body`
    in each iteration.
    """
    found = [e for e in islice(_above(extent), _MOST_CHOICES) if _is_fixed(e, outer)]
    if found:
        most = found[0]
        for other in dict.fromkeys(found[1:]):
            most = normal(Min(most, other))
        return most
    loads = [n for n in postorder(body) if isinstance(n, Load)]
    # Coefficients stand where counters say; what else is read, where memory says.
    loads.sort(key=lambda load: any(isinstance(n, Load) for n in postorder(*load.indices)))
    for load in loads:
        step = _distance(load.indices[-1], counter, outer)
        if step is not None:
            return step
    return None


def depends_on(expr: Expr, outer: Collection[Variable]) -> bool:
    """Whether an index expression, or where it reads, depends on one of the counters."""
    return any(n in outer for n in postorder(expr))


def _is_fixed(expr: Expr, outer: Collection[Variable]) -> bool:
    return not depends_on(expr, outer) and not any(isinstance(n, Load) for n in postorder(expr))


def _above(extent: Expr) -> Iterator[Expr]:
    """Index expressions that are nowhere less, simpler by an operand of an extreme each."""
    yield extent
    terms = polynomial(extent)
    for monomial, factor in terms.items():
        if len(monomial) != 1:
            continue
        atom = _as_extreme(monomial[0])
        if isinstance(atom, Min if factor > 0 else Max):
            rest: Polynomial = {m: c for m, c in terms.items() if m != monomial}
            for side in atom.children:
                yield from _above(normal(_sum(rest, side, factor)))
            return


def _sum(rest: Polynomial, side: Expr, factor: int) -> Expr:
    total: Expr = from_polynomial(rest)
    more = {m: c * factor for m, c in polynomial(side).items()}
    return Sub(total, from_polynomial({m: -c for m, c in more.items()}))


def _as_extreme(atom: Expr) -> Expr:
    """A choice of the less or the greater of two numbers as their minimum or maximum."""
    if not isinstance(atom, Select) or not isinstance(atom.condition, (LT, LE, GT, GE)):
        return atom
    test = atom.condition
    if test.a.type is not I64:
        return atom
    low, high = (test.a, test.b) if isinstance(test, (LT, LE)) else (test.b, test.a)
    # The first side is taken where `over` is positive.
    over = normal(Sub(high, low))
    over = normal(Sub(over, const(-1, I64))) if isinstance(test, (LE, GE)) else over
    difference = normal(Sub(atom.a, atom.b))
    for kind, expected in ((Max, over), (Min, normal(Sub(const(0, I64), over)))):
        further = normal(Sub(expected, ONE) if kind is Max else Sub(expected, const(-1, I64)))
        if difference in (expected, further):
            made: Expr = kind(atom.a, atom.b)
            return made
    return atom


def _distance(index: Expr, counter: Variable, outer: Collection[Variable]) -> Expr | None:
    """How far apart the elements of neighbours begin that `counter` goes through one by one."""
    terms = polynomial(index)
    if terms.get((counter,)) != 1 or sum(counter in m for m in terms) != 1:
        return None
    for place in outer:
        steps = {
            tuple(a for a in m if a is not place): c
            for m, c in terms.items()
            if m.count(place) == 1
        }
        step = from_polynomial(steps)
        if not steps or not _is_fixed(step, outer):
            continue
        if isinstance(step, Const) and step.value <= 1:
            continue
        if all(isinstance(n, (Variable, Const)) for m in steps for n in m):
            return step
    return None


__all__ = ["depends_on", "most_terms"]
