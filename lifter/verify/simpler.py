"""Shorter formulas that say the same as an inferred precondition: `n <= 86` for `n * 3 - 3 <= 255`.

People read preconditions, and a guard computes them at every call. Candidates are comparisons of
one parameter, or of two; each is proved equivalent under what else is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from compiler.ir import (
    EQ,
    GE,
    I64,
    LE,
    And,
    Const,
    Expr,
    Mod,
    Mul,
    Variable,
    const,
    postorder,
    substitute,
)

from ..dag import normal
from .decide import Prover

_DIVISORS = (2, 3, 4, 8, 16)
_FACTORS = (1, 2, 3, 4)


def simpler(formula: Expr, given: Sequence[Expr], prover: Prover) -> Expr:
    """A formula that is equivalent where `given` holds, and plainer if one is found."""
    variables = list(dict.fromkeys(n for n in postorder(formula) if isinstance(n, Variable)))
    if not 1 <= len(variables) <= 2 or _is_plain(formula):
        return formula
    one = variables[0] if len(variables) == 1 else None
    for candidate in _of_two(variables) if one is None else _of_one(formula, one, prover):
        there = prover.integers(candidate, (*given, formula))
        if there.proved and prover.integers(formula, (*given, candidate)).proved:
            return candidate
    return formula


def _is_plain(formula: Expr) -> bool:
    """Whether a formula compares a parameter, or a multiple of one, with another or a constant."""
    if isinstance(formula, And) or len(formula.children) != 2:
        return False
    return all(_is_term(c) for c in formula.children)


def _is_term(expr: Expr) -> bool:
    if isinstance(expr, Mul):
        return isinstance(expr.a, Variable) and isinstance(expr.b, Const)
    return isinstance(expr, (Variable, Const))


def _of_one(formula: Expr, variable: Variable, prover: Prover) -> Iterator[Expr]:
    zero = const(0, I64)
    for divisor in _DIVISORS:
        yield EQ(Mod(variable, const(divisor, I64)), zero)
    type = prover.parameters[variable.name]
    low, high = max(type.min, -(1 << 31)), min(type.max, (1 << 31) - 1)

    def holds(value: int) -> bool:
        found = normal(substitute(formula, {variable: const(value, I64)}))
        return isinstance(found, Const) and bool(found.value)

    middle = next((v for v in (1, 2, 0, 3, 4, 8, 16, 64, 100, -1) if holds(v)), None)
    if middle is None:
        return
    most, least = _last(holds, middle, high, 1), _last(holds, middle, low, -1)
    upper, lower = LE(variable, const(most, I64)), GE(variable, const(least, I64))
    yield from (upper, lower, And(lower, upper))


def _last(holds: Callable[[int], bool], start: int, end: int, step: int) -> int:
    """The last number from `start` towards `end` for which a threshold's formula holds."""
    if holds(end):
        return end
    good, bad = start, end
    while abs(bad - good) > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return good


def _of_two(variables: Sequence[Variable]) -> Iterator[Expr]:
    for a, b in (variables, variables[::-1]):
        for factor in _FACTORS:
            multiple = normal(Mul(a, const(factor, I64)))
            yield LE(multiple, b)
            yield GE(multiple, b)
    yield EQ(*variables)
