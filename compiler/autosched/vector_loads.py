"""How many loads give one vector of what a definition reads."""

from __future__ import annotations

from functools import lru_cache

from .. import ir
from ..ir import Call

APART = 1.2
"""Loads for each lane that doesn't lie beside the last one."""

TRANSPOSED = 12.0
"""The same where the lines of a transposed row were lost before the next row needs them."""


@lru_cache(maxsize=1 << 14)
def vector_loads(call: Call, x: str, lanes: int, is_kept: bool) -> float:
    """Loads for `lanes` values along coordinate `x`: one where they lie side by side, one for each
    where data or another coordinate leads them apart. Of transposed rows each value lies in a line
    of its own, which the next row needs again: `is_kept` says whether it is still there then."""
    if lanes == 1 or not call.args:
        return 1.0
    first, *others = call.args
    if _is_placed_by_data(first):
        return APART * lanes
    if any(x in variables_of(other) for other in others):
        return (APART if is_kept else TRANSPOSED) * lanes
    if x not in variables_of(first):
        return 1.0
    return 1.0 if _is_step_one(first, x) else 2.0


@lru_cache(maxsize=1 << 14)
def variables_of(expr: ir.Expr) -> frozenset[str]:
    """The names of the variables in an expression."""
    return frozenset(n.name for n in ir.postorder(expr) if isinstance(n, ir.Variable))


@lru_cache(maxsize=4096)
def _is_placed_by_data(expr: ir.Expr) -> bool:
    """Whether something that is read says where to read."""
    return any(isinstance(n, Call) and n.kind in ("func", "image") for n in ir.postorder(expr))


@lru_cache(maxsize=4096)
def _is_step_one(expr: ir.Expr, name: str) -> bool:
    """Whether neighbouring values of a variable give neighbouring values."""
    nodes = ir.postorder(expr)
    scaling = (ir.Mul, ir.Div, ir.Mod)
    return not any(isinstance(n, scaling) and name in variables_of(n) for n in nodes)


__all__ = ["variables_of", "vector_loads"]
