"""Unrolled loops are written out."""

from __future__ import annotations

from ..ir import I32, Const, Expr, Variable, const, simplify, substitute
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, map_expressions, prune, rebuild
from ..lang import HalideError
from .flatten import replacing

MOST_COPIES = 1024
"""More than this many copies is a mistake: code that nobody can cache."""


def unroll(stmt: s.Stmt) -> s.Stmt:
    """Every `unrolled` loop as copies of its body; its extent must be constant.

    A serial loop of one step is none.

    unrolled c in [0, +2): f[c] = 0   ->   f[0] = 0; f[1] = 0
    """
    made = rebuild(stmt, tuple(map(unroll, children_of(stmt))), lambda e: e)
    if not isinstance(made, s.For):
        return made
    if made.kind == "serial" and isinstance(made.extent, Const) and made.extent.value == 1:
        return copy_at(made, 0)
    if made.kind != "unrolled":
        return made
    if not isinstance(made.extent, Const):
        raise HalideError(
            "Can only unroll for loops over a constant extent.\n"
            f"Loop over {made.name} has extent {made.extent}."
        )
    if made.extent.value > MOST_COPIES:
        raise HalideError(f"Unrolling loop {made.name} would make {made.extent.value} copies.")
    return block(*(copy_at(made, i) for i in range(int(made.extent.value))))


def copy_at(loop: s.For, step: int) -> s.Stmt:
    """The body of `loop` in its iteration `step`."""
    variable = Variable(loop.name, I32)
    here = simplify(n.Add(loop.min, const(step)))

    mapping = replacing(variable, here)

    def at(e: Expr) -> Expr:
        return simplify(substitute(e, mapping))

    return prune(map_expressions(loop.body, at))
