"""Choices that come to the same whichever way the conditions go that are possible."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product

from compiler.ir import And, Const, Expr, Not, Or, Select, transform

from .polynomial import choices, negate, normal, structural_key

_MOST = 5
"""Conditions that are taken both ways: 32 cases."""


def in_all_cases(index: Expr, known: Collection[Expr] = ()) -> Expr:
    """An index expression, in normal form, without choices that make no difference where all of
    `known` holds: `c && d ? q + 4 : c ? (d ? q : q + 4) : q + 4` is `q + 4`."""
    conditions = choices(index)
    if not conditions:
        return index
    own = {atom for condition in conditions for atom in _atoms(condition)}
    given = [k for k in known if not own.isdisjoint(_atoms(k))]
    atoms = own.union(*(_atoms(k) for k in given))
    if len(atoms) > _MOST:
        return index
    found: set[Expr] = set()
    for ways in product((False, True), repeat=len(atoms)):
        case = dict(zip(atoms, ways, strict=True))
        if not any(_value(k, case) is False for k in given):
            found.add(_taken(index, case))
            if len(found) > 1:
                return index
    return found.pop() if found else index


def _taken(index: Expr, case: Mapping[Expr, bool]) -> Expr:
    def visit(node: Expr) -> Expr:
        way = _value(node.condition, case) if isinstance(node, Select) else None
        if way is None or not isinstance(node, Select):
            return node
        return node.a if way else node.b

    return normal(transform(index, visit))


def _atoms(condition: Expr) -> Iterator[Expr]:
    """What a condition joins, each as the same whether it or its opposite stands there."""
    if isinstance(condition, (And, Or, Not)):
        for child in condition.children:
            yield from _atoms(child)
    elif not isinstance(condition, Const):
        yield _named(condition)[0]


def _named(atom: Expr) -> tuple[Expr, bool]:
    """The one of an atom and its opposite that stands for both, and whether it is the atom."""
    opposite = negate(atom)
    if isinstance(opposite, Not) or structural_key(atom) <= structural_key(opposite):
        return atom, True
    return opposite, False


def _value(condition: Expr, case: Mapping[Expr, bool]) -> bool | None:
    """Whether a condition holds in a case; None where that isn't said."""
    if isinstance(condition, Const):
        return bool(condition.value)
    if isinstance(condition, Not):
        inner = _value(condition.value, case)
        return None if inner is None else not inner
    if isinstance(condition, (And, Or)):
        sides = {_value(condition.a, case), _value(condition.b, case)}
        deciding = isinstance(condition, Or)
        if deciding in sides:
            return deciding
        return None if None in sides else not deciding
    atom, same = _named(condition)
    way = case.get(atom)
    return None if way is None else way is same
