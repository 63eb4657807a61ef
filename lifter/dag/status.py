"""What a function returns beside what it writes: a number that its parameters alone decide.

The guarded entry computes it in int64_t, so it is made of what that has without overflow: bits,
sums of numbers of up to 32 bits, which wrap as their type does, and their quotients and remainders
by constants.
"""

from __future__ import annotations

from compiler.ir import (
    EQ,
    I64,
    NE,
    U64,
    Add,
    And,
    BitAnd,
    BitOr,
    BitXor,
    Cast,
    Comparison,
    Const,
    Expr,
    Max,
    Min,
    Not,
    Or,
    Select,
    Sub,
    TruncDiv,
    TruncMod,
    Variable,
    postorder,
    transform,
)

from ..model.kernel import Return
from .failure import unsupported
from .symbolic import Executor

_PLAIN = (And, BitAnd, BitOr, BitXor, Comparison, Const, Max, Min, Not, Or, Select)


def returned(executor: Executor, stmt: Return) -> Expr | None:
    """The value of a `return` at a function's end, over its parameters; None for none.

    Raises `LiftError` (`unsupported-stage`) for one that pixels decide, or that arithmetic makes
    which might overflow in 64 bits.
    """
    if stmt.value is None:
        return None
    executor.span = stmt.span
    value = transform(executor.value(stmt.value), _in_64_bits)
    if not value.type.is_integer or not all(_is_plain(executor, n) for n in postorder(value)):
        raise unsupported(
            "unsupported-stage",
            "the function returns a value that isn't a constant chosen by its parameters",
            stmt.span,
            "write the result through a pointer",
        )
    return value


def _is_plain(executor: Executor, node: Expr) -> bool:
    if isinstance(node, Variable):
        return node.type.is_integer and executor.parameters.get(node.name) is node.type
    if isinstance(node, Cast):
        return node.type.is_integer and node.value.type.is_integer
    if isinstance(node, (Add, Sub)):
        return node.type is I64 and all(_is_narrow(c) for c in node.children)
    if isinstance(node, (TruncDiv, TruncMod)):
        is_by_some = isinstance(node.b, Const) and node.b.value not in (0, -1)
        return is_by_some and node.type.is_integer and node.type.bits <= 32
    wide = any(c.type is U64 and not isinstance(c, Const) for c in node.children)
    return isinstance(node, _PLAIN) and (not wide or isinstance(node, (EQ, NE)))


def _in_64_bits(node: Expr) -> Expr:
    """A sum of narrow numbers as one in 64 bits, brought back to its type: what wraps does so then,
    and where signed ones overflow the original is undefined."""
    if not isinstance(node, (Add, Sub)) or not node.type.is_integer or node.type.bits > 32:
        return node
    return Cast(node.type, node.rebuild(tuple(Cast(I64, c) for c in node.children)))


def _is_narrow(operand: Expr) -> bool:
    return (
        isinstance(operand, Cast)
        and operand.value.type.is_integer
        and (operand.value.type.bits <= 32)
    )
