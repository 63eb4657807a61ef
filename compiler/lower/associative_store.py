"""Finds `f[i] = f[i] + b` and its like: updates of a place by an associative operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..ir import Expr, Load, Type
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.lanes import Reduction
from ..ir.operators import neutral

_OPERATIONS: dict[type[Expr], Reduction] = {
    n.Add: "add",
    n.Mul: "mul",
    n.Min: "min",
    n.Max: "max",
    n.And: "and",
    n.Or: "or",
    n.BitAnd: "and",
    n.BitOr: "or",
}


@dataclass(frozen=True)
class Combination:
    """The store's new value is `rebuilt(old value, operand)`; `operand` doesn't read the buffer."""

    operation: Reduction
    operand: Expr
    type: Type
    """Of the element as it is loaded."""
    neutral: int | float
    rebuilt: Callable[[Expr, Expr], Expr]


def combination(stmt: s.Store) -> Combination | None:
    """How `stmt` updates its place; None where it is no associative operation on what is there."""
    old = [x for x in n.postorder(stmt.value) if isinstance(x, Load) and x.array == stmt.buffer]
    if len(old) != 1 or old[0].indices != (stmt.index,) or old[0].type is not stmt.value.type:
        return None
    own, value = old[0], stmt.value
    if isinstance(value, n.Sub) and value.a is own and own not in set(n.postorder(value.b)):
        return Combination("add", value.b, own.type, 0, n.Sub)
    kind = type(value)
    operation = _OPERATIONS.get(kind)
    if operation is None or not isinstance(value, n.Binary):
        return None
    operand_or_none = _without(value, own, kind)
    if operand_or_none is None:
        return None

    def rebuilt(a: Expr, b: Expr) -> Expr:
        return kind(a, b)

    return Combination(operation, operand_or_none, own.type, neutral(kind, own.type), rebuilt)


def _without(value: Expr, own: Expr, kind: type[Expr]) -> Expr | None:
    """The operands of a chain of `kind` but for `own`, which is one of them just once."""
    parts = _chain(value, kind)
    if parts.count(own) != 1:
        return None
    rest = [p for p in parts if p is not own]
    if not rest or any(own in set(n.postorder(p)) for p in rest):
        return None
    made = rest[0]
    for part in rest[1:]:
        made = kind(made, part)
    return made


def _chain(value: Expr, kind: type[Expr]) -> list[Expr]:
    if isinstance(value, kind) and isinstance(value, n.Binary):
        return [*_chain(value.a, kind), *_chain(value.b, kind)]
    return [value]
