"""Checks that say the same in all blocks of a kernel are made before its launch, on the host.

gpu_block bx:                          require z.extent <= 32
  require z.extent <= 32        ->     gpu_block bx:
  allocate grid[...]                     allocate grid[...]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ..ir import GT, And, Expr, Load, Variable, const, postorder, substitute
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, rebuild


def with_checks_before(
    stmt: s.Stmt, inside: Collection[str], blocks: tuple[Expr, Expr, Expr]
) -> tuple[s.Stmt, tuple[s.Stmt, ...]]:
    """What a block does without the checks that need nothing of `inside`, the variables that blocks
    have, and these checks. None is made where there are no `blocks`, or by an iteration or a
    branch, which may not run."""
    found: list[s.AssertStmt] = []

    def visit(stmt: s.Stmt, lets: Mapping[Expr, Expr]) -> s.Stmt:
        match stmt:
            case s.AssertStmt():
                made = replace(
                    stmt,
                    condition=substitute(stmt.condition, lets),
                    args=tuple(substitute(e, lets) for e in stmt.args),
                )
                nodes = list(postorder(made.condition, *made.args))
                names = {x.name for x in nodes if isinstance(x, Variable)}
                if names & set(inside) or any(isinstance(x, Load) for x in nodes):
                    return stmt
                found.append(made)
                return s.Block(())
            case s.LetStmt(name, value, body):
                variable = Variable(name, value.type)
                more = {**lets, variable: substitute(value, lets)}
                return replace(stmt, body=visit(body, more))
            case s.Block() | s.Allocate():
                parts = tuple(visit(c, lets) for c in children_of(stmt))
                return rebuild(stmt, parts, lambda e: e)
        return stmt

    made = visit(stmt, {})
    if not found:
        return stmt, ()
    some = And(And(*(GT(n, const(0)) for n in blocks[:2])), GT(blocks[2], const(0)))
    return made, (s.IfThenElse(some, block(*found)),)


__all__ = ["with_checks_before"]
