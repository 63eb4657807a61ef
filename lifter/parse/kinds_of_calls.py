"""Loops that do one of several things, whichever their parameters choose: one kernel for each.

    for (x = 0; x < w; x++)                format == BYTES:     p[x] = c
        if (format == BYTES) p[x] = c;
        else ((u16 *)p)[x] = c;            format != BYTES:     p[2 * x], p[2 * x + 1] = c, c >> 8

Elements of different sizes fill different regions of memory, so that the loops have no one formula.
What is chosen is a precondition of each kernel: its guard asks it, and other calls are those of the
other kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from compiler.ir import (
    FALSE,
    TRUE,
    Const,
    Expr,
    Select,
    negation,
    to_text,
    transform,
)

from ..model.diagnostic import Span
from ..model.kernel import Assign, Assume, If, Kernel, Stmt, Store, WhileLoop, steady_choice
from .cleanup import rewritten


def kinds_of_calls(kernel: Kernel) -> Iterator[Expr]:
    """The conditions of which each call meets one, where loops choose by their parameters."""
    condition = steady_choice(kernel)
    if condition is not None:
        yield condition
        yield negation(condition)


def stated(span: Span, given: Sequence[Expr]) -> tuple[Assume, ...]:
    """What a kernel of some calls alone takes for granted."""
    return tuple(Assume(span, condition, to_text(condition), "inferred") for condition in given)


def where(body: Sequence[Stmt], given: Sequence[Expr]) -> tuple[Stmt, ...]:
    """What is left of a body in calls that meet conditions over parameters that nothing assigns."""

    def decided(node: Expr) -> Expr:
        if isinstance(node, Select) and isinstance(node.condition, Const):
            return node.a if node.condition.value else node.b
        if not node.type.is_bool or isinstance(node, Const):
            return node
        if node in given:
            return TRUE
        return FALSE if negation(node) in given else node

    def rewrite(stmt: Stmt) -> Sequence[Stmt]:
        if isinstance(stmt, If):
            condition = transform(stmt.condition, decided)
            if isinstance(condition, Const):
                return stmt.then if condition.value else stmt.otherwise
            return (replace(stmt, condition=condition),)
        if isinstance(stmt, WhileLoop):
            return (replace(stmt, condition=transform(stmt.condition, decided)),)
        if isinstance(stmt, Assign):
            return (replace(stmt, value=transform(stmt.value, decided)),)
        if isinstance(stmt, Store):
            indices = tuple(transform(i, decided) for i in stmt.indices)
            return (replace(stmt, indices=indices, value=transform(stmt.value, decided)),)
        return (stmt,)

    return rewritten(body, rewrite) if given else tuple(body)
