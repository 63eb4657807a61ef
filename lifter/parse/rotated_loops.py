"""Loops whose first test stands in front of them, as one.

if (e >= n)                               while (e >= n) {
    do {                                      e -= n;
        e -= n;                               s++;
        s++;                              }
    } while (e >= n);
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..model.kernel import If, Stmt, WhileLoop
from .cleanup import rewritten


def with_first_tests(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """`body` with `while` for each `do` that the same test stands before."""
    return rewritten(body, _rewrite)


def _rewrite(stmt: Stmt) -> Sequence[Stmt]:
    if not isinstance(stmt, If) or stmt.otherwise or len(stmt.then) != 1:
        return (stmt,)
    (loop,) = stmt.then
    if not isinstance(loop, WhileLoop) or loop.test_first or loop.again:
        return (stmt,)
    return (replace(loop, test_first=True),) if loop.condition is stmt.condition else (stmt,)
