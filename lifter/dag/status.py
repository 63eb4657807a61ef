"""What a function returns beside what it writes: a number that its parameters alone decide."""

from __future__ import annotations

from compiler.ir import (
    EQ,
    NE,
    U64,
    And,
    Cast,
    Comparison,
    Const,
    Expr,
    Max,
    Min,
    Not,
    Or,
    Select,
    Variable,
    postorder,
)

from ..model.kernel import Return
from .failure import unsupported
from .symbolic import Executor

_PLAIN = (And, Comparison, Const, Max, Min, Not, Or, Select)


def returned(executor: Executor, stmt: Return) -> Expr | None:
    """The value of a `return` at a function's end, over its parameters; None for none.

    Raises `LiftError` (`unsupported-stage`) for one that pixels decide, or that arithmetic makes,
    which might overflow.
    """
    if stmt.value is None:
        return None
    executor.span = stmt.span
    value = executor.value(stmt.value)
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
    # The guarded entry, which returns it, computes in int64_t.
    wide = any(c.type is U64 and not isinstance(c, Const) for c in node.children)
    return isinstance(node, _PLAIN) and (not wide or isinstance(node, (EQ, NE)))
