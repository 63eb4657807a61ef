"""What an integer expression adds up, modulo 2**bits.

    t + s[i + r] - (i >= r ? s[i - r] : 0)        1 * t,  1 * s[i + r],  -1 * s[i - r] if i >= r

Wrapping to so many bits is a ring homomorphism: sums, differences, products with numbers, and
conversions between types that have these bits and more are taken apart, choices and reductions that
add up too. What is left are values that are added so often, wherever their conditions hold, in each
iteration of some loops. Two expressions whose summands are the same are equal modulo 2**bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compiler.ir import (
    I64,
    Add,
    Cast,
    Const,
    Expr,
    Mul,
    Neg,
    Select,
    Shl,
    Sub,
    Variable,
    const,
)

from .index import normalize_indices
from .polynomial import ONE, ZERO, conjuncts, normal
from .reduce import Reduce
from .scalars import is_unknown


@dataclass(frozen=True)
class Term:
    """A value that is added in each iteration of some loops in which conditions hold."""

    value: Expr
    """Typed: the number that it is, whatever its type; `ONE` for what is a number already."""
    conditions: tuple[Expr, ...] = ()
    """Typed booleans."""
    loops: tuple[tuple[Variable, Expr], ...] = ()
    """Counters and extents, outermost first."""


Summands = dict[Term, Expr]
"""How often each is added: polynomials over parameters and counters that aren't 0."""


def summands(expr: Expr, bits: int) -> Summands:
    """The summands of an integer expression with so many bits, or more."""
    found: Summands = {}
    for term, times in _of(normalize_indices(expr), bits):
        _add(found, term, times)
    return found


def _add(found: Summands, term: Term, times: Expr) -> None:
    total = normal(Add(found.get(term, ZERO), times))
    if total is ZERO:
        found.pop(term, None)
    else:
        found[term] = total


def _of(expr: Expr, bits: int) -> Iterator[tuple[Term, Expr]]:
    number = _number(expr, bits)
    if number is not None:
        yield Term(ONE), number
    elif isinstance(expr, (Add, Sub)):
        yield from _of(expr.a, bits)
        sign = ONE if isinstance(expr, Add) else const(-1, I64)
        yield from _times(sign, _of(expr.b, bits))
    elif isinstance(expr, Neg):
        yield from _times(const(-1, I64), _of(expr.value, bits))
    elif isinstance(expr, Mul):
        yield from _of_product(expr, bits)
    elif isinstance(expr, Shl) and isinstance(expr.b, Const) and 0 <= expr.b.value < bits:
        yield from _times(const(1 << int(expr.b.value), I64), _of(expr.a, bits))
    elif isinstance(expr, Cast) and expr.value.type.is_integer:
        yield from _of_conversion(expr.value, bits)
    elif isinstance(expr, Select):
        yield from _of_choice(expr.condition, _of(expr.a, bits), _of(expr.b, bits))
    elif isinstance(expr, Reduce) and expr.operator == "add":
        for term, times in _of(expr.body, bits):
            around = (expr.counter, expr.extent)
            yield Term(term.value, term.conditions, (around, *term.loops)), times
    else:
        yield Term(expr), ONE


def _times(factor: Expr, terms: Iterator[tuple[Term, Expr]]) -> Iterator[tuple[Term, Expr]]:
    for term, times in terms:
        yield term, normal(Mul(factor, times))


def _of_product(expr: Mul, bits: int) -> Iterator[tuple[Term, Expr]]:
    for factor, other in ((expr.a, expr.b), (expr.b, expr.a)):
        number = _number(factor, bits)
        if number is not None:
            yield from _times(number, _of(other, bits))
            return
    yield Term(expr), ONE


def _of_conversion(value: Expr, bits: int) -> Iterator[tuple[Term, Expr]]:
    """What is converted to a type that has the bits."""
    if value.type.is_bool:
        yield Term(ONE, tuple(conjuncts(value))), ONE
    elif value.type.bits >= bits:
        yield from _of(value, bits)
    elif isinstance(value, Select):
        sides = (_of_conversion(side, bits) for side in (value.a, value.b))
        yield from _of_choice(value.condition, *sides)
    elif isinstance(value, Cast) and _is_kept(value):
        yield from _of_conversion(value.value, bits)
    else:
        number = _narrow_number(value)
        yield (Term(value), ONE) if number is None else (Term(ONE), number)


def _of_choice(
    condition: Expr, a: Iterator[tuple[Term, Expr]], b: Iterator[tuple[Term, Expr]]
) -> Iterator[tuple[Term, Expr]]:
    """One side, and what the other one has more or less where the condition holds."""
    other, more = list(b), Summands()
    for term, times in a:
        _add(more, term, times)
    for term, times in other:
        _add(more, term, normal(Neg(times)))
    yield from other
    for term, times in more.items():
        yield Term(term.value, (*conjuncts(condition), *term.conditions), term.loops), times


def _number(expr: Expr, bits: int) -> Expr | None:
    """A number that an expression over parameters and counters is congruent to."""
    if isinstance(expr, Const):
        return const(int(expr.value), I64) if I64.contains(int(expr.value)) else None
    if isinstance(expr, Variable):
        return None if is_unknown(expr) or expr.type.is_bool else Variable(expr.name, I64)
    if isinstance(expr, (Add, Sub, Mul, Neg)):
        parts = [_number(c, bits) for c in expr.children]
        known = [p for p in parts if p is not None]
        return normal(expr.rebuild(tuple(known))) if len(known) == len(parts) else None
    if isinstance(expr, Cast) and expr.value.type.is_integer and not expr.value.type.is_bool:
        wide = expr.value.type.bits >= bits
        return _number(expr.value, bits) if wide else _narrow_number(expr.value)
    return None


def _narrow_number(value: Expr) -> Expr | None:
    """The number that a constant or parameter of fewer bits is."""
    return _number(value, value.type.bits) if isinstance(value, (Const, Variable)) else None


def _is_kept(conversion: Cast) -> bool:
    """Whether a conversion leaves a number what it is."""
    inner, type = conversion.value.type, conversion.type
    return (
        inner.is_integer
        and not inner.is_bool
        and type.contains(int(inner.min))
        and type.contains(int(inner.max))
    )
