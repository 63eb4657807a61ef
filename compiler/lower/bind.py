"""Pass 4: coordinates, regions and promised shapes go where they are used."""

from __future__ import annotations

from collections.abc import Mapping

from ..ir import I32, Expr, Variable, simplify, substitute
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, rebuild


def bind(body: s.Stmt, promised: Mapping[Expr, Expr]) -> s.Stmt:
    """`body` without `LetStmt`s of int32 values, each replaced by its value; simplified.

    `promised` maps buffer fields to the constants that a check establishes; the checks themselves
    keep the fields.

        let x = xo * 8 + xi; f(x) = a(x)   ->   f(xo * 8 + xi) = a(xo * 8 + xi)
    """

    def walk(stmt: s.Stmt, known: dict[Expr, Expr]) -> s.Stmt:
        if isinstance(stmt, s.AssertStmt):
            return stmt

        def bound(e: Expr) -> Expr:
            return simplify(substitute(e, known))

        if isinstance(stmt, s.LetStmt) and stmt.value.type is I32:
            inner = {**known, Variable(stmt.name, I32): bound(stmt.value)}
            return walk(stmt.body, inner)
        return rebuild(stmt, tuple(walk(c, known) for c in children_of(stmt)), bound)

    return walk(body, dict(promised))
