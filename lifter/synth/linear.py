"""Addresses as sums of strides times counters: the analysis that suggests regions and layouts."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from compiler.ir import I64, Expr, Variable, const, postorder

from ..dag import from_polynomial, polynomial, structural_key

StrideKey = tuple[Expr, ...]
"""A product of scalar parameters; () is 1."""


@dataclass(frozen=True)
class LinearForm:
    """sum over keys of key * (sum of coefficient * variable) + sum over keys of key * constant."""

    terms: dict[StrideKey, dict[Expr, int]]
    offsets: dict[StrideKey, int]

    def keys(self) -> list[StrideKey]:
        """Keys that some variable is multiplied with, smallest stride first."""
        return sorted(self.terms, key=key_order)


def key_order(key: StrideKey) -> tuple[int, tuple[str, ...]]:
    return len(key), tuple(map(structural_key, key))


def key_expr(key: StrideKey, factor: int = 1) -> Expr:
    """A stride as an index expression."""
    return from_polynomial({key: factor}) if factor else const(0, I64)


def linear_form(expr: Expr, variables: Collection[Expr]) -> LinearForm | None:
    """`expr` as a linear form over `variables`; atoms with one of them or data inside count as one.

    None when a product has two of them.
    """
    terms: dict[StrideKey, dict[Expr, int]] = {}
    offsets: dict[StrideKey, int] = {}
    for monomial, coefficient in polynomial(expr).items():
        moving = [a for a in monomial if not is_parameter(a, variables)]
        key = tuple(a for a in monomial if is_parameter(a, variables))
        if len(moving) > 1:
            return None
        if moving:
            row = terms.setdefault(key, {})
            row[moving[0]] = row.get(moving[0], 0) + coefficient
        else:
            offsets[key] = offsets.get(key, 0) + coefficient
    return LinearForm(terms, offsets)


def is_parameter(atom: Expr, variables: Collection[Expr]) -> bool:
    """Whether an atom depends on scalar parameters alone."""
    return all(
        node not in variables and not hasattr(node, "indices") and not hasattr(node, "args")
        for node in postorder(atom)
    )


def divide(monomial: StrideKey, key: StrideKey) -> StrideKey | None:
    """monomial / key as a product of parameters; None when it doesn't divide."""
    rest = list(monomial)
    for atom in key:
        if atom not in rest:
            return None
        rest.remove(atom)
    return tuple(rest)


def atoms(exprs: Iterable[Expr]) -> set[Expr]:
    """The variables in index expressions."""
    return {n for e in exprs for n in postorder(e) if isinstance(n, Variable)}
