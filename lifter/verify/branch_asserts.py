"""Asserts inside of branches and loops, as what they say of parameters alone.

`switch (mode) { case 0: ...; case 1: ...; default: assert(0); }` states that the mode is 0 or 1,
wherever it stands: a call with another one ends the program, and lifted code mustn't go on instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compiler.ir import FALSE, Expr, Or, Variable, postorder

from ..dag import Ranges, as_formula, negate, normal
from ..model.kernel import (
    Allocate,
    Assign,
    Assume,
    Declare,
    If,
    Kernel,
    Stmt,
    WhileLoop,
    statements,
)
from .decide import Prover


def asserted_in_branches(kernel: Kernel, prover: Prover) -> Iterator[Expr]:
    """Formulas over parameters that the asserts of a body state under its conditions.

    Conditions of loops are left out: what is asserted in a loop is asked of calls whose loops have
    no iteration, too.
    """
    changed = {s.name for s in statements(kernel.body) if isinstance(s, (Assign, Declare))}
    changed |= {s.array for s in statements(kernel.body) if isinstance(s, Allocate)}
    known = set(prover.parameters) - changed

    def formula(condition: Expr) -> Expr | None:
        if not all(n.name in known for n in postorder(condition) if isinstance(n, Variable)):
            return None
        return as_formula(condition, Ranges(prover.parameters))

    def visit(body: Sequence[Stmt], unless: Expr) -> Iterator[Expr]:
        for stmt in body:
            if isinstance(stmt, WhileLoop):
                yield from visit((*stmt.body, *stmt.step), unless)
            elif isinstance(stmt, If):
                test = formula(stmt.condition)
                if test is not None:
                    yield from visit(stmt.then, _or(unless, negate(test)))
                    yield from visit(stmt.otherwise, _or(unless, test))
            elif isinstance(stmt, Assume):
                stated = formula(stmt.condition)
                if stated is not None:
                    yield normal(_or(unless, stated))

    yield from visit(kernel.body, FALSE)


def _or(a: Expr, b: Expr) -> Expr:
    if a is FALSE:
        return b
    return a if b is FALSE else Or(a, b)
