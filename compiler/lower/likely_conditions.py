"""`likely` and `likely_if_innermost`: hints for loop partitioning that change no value."""

from __future__ import annotations

from ..ir import Call, Expr, reads_in, transform
from ..ir import nodes as n

LIKELY = "likely"
LIKELY_IF_INNERMOST = "likely_if_innermost"


def is_likely(e: Expr, name: str) -> bool:
    """Whether `e` is hinted at; a hint inside of another choice speaks of that one."""
    if isinstance(e, Call):
        if e.name == name:
            return True
        if e.kind in ("func", "image"):
            return False
    if isinstance(e, (n.Select, n.Min, n.Max, n.Load)):
        return False
    return any(is_likely(c, name) for c in e.children)


def without_likely(e: Expr) -> Expr:
    """`e` without hints."""
    if not any(
        isinstance(x, Call) and x.name in (LIKELY, LIKELY_IF_INNERMOST) for x in reads_in(e)
    ):
        return e
    return transform(e, _value)


def _value(node: Expr) -> Expr:
    if isinstance(node, Call) and node.name in (LIKELY, LIKELY_IF_INNERMOST):
        return node.args[0]
    return node
