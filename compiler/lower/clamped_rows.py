"""Vectors at the borders of images: what they read lies in rows, but for clamped coordinates."""

from __future__ import annotations

from ..ir import I32, Expr, Load, Max, Min, Variable
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.simplify import linear_terms
from ..ir.stmt_transform import expressions_of, walk


def reads_rows(loop: s.For) -> bool:
    """Whether all that a vectorized loop reads lies in rows, or would but for clamped coordinates.

    Such vectors need no gather: what they read are the elements between the first lane's and the
    last's, in another order.
    """
    variable: Expr = Variable(loop.name, I32)
    if any(not isinstance(x, s.Store) for x in walk(loop.body)):
        return False
    loads = {
        e for x in walk(loop.body) for e in n.postorder(*expressions_of(x)) if isinstance(e, Load)
    }
    return all(e.predicate is None and _is_row(e.indices[0], variable) for e in loads)


def _is_row(index: Expr, variable: Expr) -> bool:
    """Whether `index` is `variable`, or minima and maxima of it, plus what doesn't change."""
    moving = [term for term in linear_terms(index)[0].items() if variable in n.postorder(term[0])]
    if not moving:
        return True
    if len(moving) > 1:
        return False
    term, factor = moving[0]
    while isinstance(term, n.Cast) and term.type.is_int and term.type.bits >= term.value.type.bits:
        term = term.value
    is_limited = isinstance(term, (Min, Max))
    while isinstance(term, (Min, Max)):
        changing = [side for side in (term.a, term.b) if variable in n.postorder(side)]
        if len(changing) != 1:
            return False
        term = changing[0]
    if not is_limited:
        return term is variable
    inner = linear_terms(term)[0]
    return (
        factor == 1
        and inner.get(variable) == 1
        and not any(variable in n.postorder(other) for other in inner if other is not variable)
    )
