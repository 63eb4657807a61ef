"""What an expression costs its reader: a small whole number, the lower the better.

The sum of one weight a node. The weights order what an image programmer would rather read:
a named function before the `select` that means the same, Halide's division before C++'s, few casts,
few odd constants. Terminals count as one word each, whatever stands in their indices. Shared
sub-expressions are counted each time that they are read.
"""

from __future__ import annotations

import math

from compiler.ir import Expr
from compiler.ir import nodes as n

from ..dag.reduce import Reduce

CAST = 2
CAST_TO_64_BITS = 3
CAST_OF_BOOL = 5
SELECT = 3
TRUNCATING = 4
OPERATOR = 1
CALL = 1
SATURATING = 2
TERMINAL = 1
FAMILIAR = 1
ODD = 2

_SMALL = 16


def is_terminal(expr: Expr) -> bool:
    """Whether `expr` is a free symbol of the search: a name, a read, a source function, a sum."""
    if isinstance(expr, n.Call):
        return expr.kind != "intrinsic"
    return isinstance(expr, (n.Variable, n.Load, Reduce))


def constant_weight(value: int | float) -> int:
    """Small numbers, powers of two and their neighbours are familiar; others are odd."""
    if not math.isfinite(value) or value != int(value):
        return ODD
    whole = abs(int(value))
    near_power = whole & (whole - 1) == 0 or whole & (whole + 1) == 0
    return FAMILIAR if whole <= _SMALL or near_power else ODD


def weight(expr: Expr) -> int:
    """The cost of the root of `expr` alone."""
    if isinstance(expr, n.Const):
        return constant_weight(expr.value)
    if is_terminal(expr):
        return TERMINAL
    if isinstance(expr, n.Cast):
        if expr.value.type.is_bool:
            return CAST_OF_BOOL
        return CAST_TO_64_BITS if expr.type.is_integer and expr.type.bits == 64 else CAST
    if isinstance(expr, n.Select):
        return SELECT
    if isinstance(expr, (n.TruncDiv, n.TruncMod)):
        return TRUNCATING
    if isinstance(expr, n.Call):
        return SATURATING if expr.name.startswith("saturating") else CALL
    return OPERATOR


def read_parts(expr: Expr) -> tuple[Expr, ...]:
    """The operands that a reader sees as computation: all but the indices of reads."""
    if isinstance(expr, (n.Load, n.Variable)):
        return ()
    if isinstance(expr, n.Call) and expr.kind in ("image", "func"):
        return ()
    return (expr.body,) if isinstance(expr, Reduce) else expr.children


def cost(expr: Expr, known: dict[Expr, int] | None = None) -> int:
    """The reader's cost of `expr`. `known` memoizes over several calls."""
    known = {} if known is None else known
    pending = [expr]
    while pending:
        node = pending[-1]
        if node in known:
            pending.pop()
            continue
        missing = [part for part in read_parts(node) if part not in known]
        if missing:
            pending.extend(missing)
        else:
            known[node] = weight(node) + sum(known[part] for part in read_parts(node))
            pending.pop()
    return known[expr]
