"""Coordinates as sums of terms with whole-number factors: the form in which they are compared.

A term is anything that is no sum itself: a variable, a quotient, a minimum. Terms stand in one
order, so that the same sum is the same node wherever it comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from zlib import crc32

from . import nodes as n
from .nodes import Call, Const, Expr, Load, Variable, const
from .simplify import whole_form
from .types import Type

SUMS = (n.Add, n.Sub, n.Neg, n.Mul)


class Sum(NamedTuple):
    """factor * term + ... + constant; no factor is 0."""

    terms: Mapping[Expr, int]
    constant: int

    def plus(self, other: Sum, factor: int = 1) -> Sum:
        """self + factor * other."""
        terms = dict(self.terms)
        for term, count in other.terms.items():
            made = terms.get(term, 0) + factor * count
            if made:
                terms[term] = made
            else:
                terms.pop(term, None)
        return Sum(terms, self.constant + factor * other.constant)

    def times(self, factor: int) -> Sum:
        return Sum({t: c * factor for t, c in self.terms.items()}, self.constant * factor)

    def without(self, terms: Iterable[Expr]) -> Sum:
        left = dict(self.terms)
        for term in terms:
            left.pop(term, None)
        return Sum(left, self.constant)


ZERO = Sum({}, 0)


def is_far(constant: int, type: Type) -> bool:
    """Whether a coordinate may overflow when `constant` is added to it: no step may bring such a
    sum about. Smaller ones are taken to leave every coordinate in its type."""
    return abs(constant) > type.max // 2


_sums: dict[Expr, Sum] = {}
_ranks: dict[Expr, tuple[int, int, str]] = {}
_MOST_REMEMBERED = 1 << 17


def sum_of(expr: Expr) -> Sum:
    """`expr`, an integer, as a sum."""
    found = _sums.get(expr)
    if found is None:
        if len(_sums) > _MOST_REMEMBERED:
            _sums.clear()
        found = _sums[expr] = Sum(*whole_form(expr))
    return found


def expr_of(total: Sum, type: Type) -> Expr:
    """The sum as an expression: what is added before what is subtracted, the constant last."""
    made: Expr | None = None
    terms = total.terms
    order = sorted(terms, key=rank) if len(terms) > 1 else terms
    for positive in (True, False):
        for term in order:
            factor = terms[term]
            if (factor > 0) != positive:
                continue
            size = abs(factor)
            part = term if size == 1 else n.Mul(term, const(type.wrap(size), type))
            if made is None:
                made = part if positive else n.Neg(part)
            else:
                made = n.Add(made, part) if positive else n.Sub(made, part)
    constant = type.wrap(total.constant)
    if made is None:
        return const(constant, type)
    if constant == 0:
        return made
    if constant > 0 or constant == type.min:
        return n.Add(made, const(constant, type))
    return n.Sub(made, const(-constant, type))


def rank(node: Expr) -> tuple[int, int, str]:
    """Where a term stands in a sum: variables by name, extents after others, what is made last."""
    found = _ranks.get(node)
    if found is not None:
        return found
    if len(_ranks) > _MOST_REMEMBERED:
        _ranks.clear()
    for below in n.unknown_in(node, _ranks):
        _ranks[below] = _rank(below)
    return _ranks[node]


def _rank(node: Expr) -> tuple[int, int, str]:
    if isinstance(node, Variable):
        return int(is_extent(node)), 1, node.name
    size, parts = 1, [type(node).__name__, str(node.type)]
    if isinstance(node, Const):
        parts.append(repr(node.value))
    elif isinstance(node, (Call, n.Let)):
        parts.append(node.name)
    elif isinstance(node, Load):
        parts.append(node.array)
    for child in node.children:
        _, below, text = _ranks[child]
        size += below
        parts.append(text)
    return 2, size, f"{crc32(' '.join(parts).encode()):08x}"


def is_extent(node: Expr) -> bool:
    """Whether `node` is the extent of a buffer or of a stage's region, which is never negative."""
    return isinstance(node, Variable) and ".extent." in node.name
