"""Tests that no iteration changes, taken out of loops' conditions.

    while (x < w && rows > 0) { ... x++ }      ->      if (rows > 0) while (x < w) { ... x++ }

The two do the same: the part that is taken out has one value at all tests of the loop. As C++ has
it, it may be evaluated in the original only where what stands before it holds; so either nothing
stands before it, and the loop's first test evaluates it, or it is of a kind that can be evaluated
anywhere: neither reads memory nor divides, shifts or calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile

from compiler.ir import (
    Add,
    And,
    Cast,
    Comparison,
    Const,
    Expr,
    Load,
    Mul,
    Neg,
    Not,
    Or,
    Sub,
    Variable,
    postorder,
)

from ..model.kernel import Allocate, Assign, Declare, If, Kernel, Stmt, Store, WhileLoop, statements
from .polynomial import conjunction, conjuncts

_HARMLESS = (Add, And, Cast, Comparison, Const, Mul, Neg, Not, Or, Sub, Variable)
"""What may be evaluated where the original doesn't."""


def with_tests_around(kernel: Kernel) -> Kernel:
    """The same kernel, in which loops are under what they test again and again to no end."""
    body = tuple(_visited(kernel.body))
    return kernel if body == kernel.body else replace(kernel, body=body)


def _visited(body: Iterable[Stmt]) -> Iterator[Stmt]:
    for stmt in body:
        if isinstance(stmt, If):
            then, otherwise = tuple(_visited(stmt.then)), tuple(_visited(stmt.otherwise))
            same = then == stmt.then and otherwise == stmt.otherwise
            yield stmt if same else replace(stmt, then=then, otherwise=otherwise)
        elif isinstance(stmt, WhileLoop):
            inner = tuple(_visited(stmt.body))
            yield _under_its_tests(stmt if inner == stmt.body else replace(stmt, body=inner))
        else:
            yield stmt


def _under_its_tests(loop: WhileLoop) -> Stmt:
    parts = conjuncts(loop.condition)
    if not loop.test_first or len(parts) == 1:
        return loop
    set_inside = _set_inside(loop)

    def is_steady(part: Expr) -> bool:
        return all(_place(n) not in set_inside for n in postorder(part))

    leading = len(list(takewhile(is_steady, parts)))
    steady = parts[:leading] + tuple(
        p for p in parts[leading:] if is_steady(p) and _can_be_evaluated_anywhere(p)
    )
    rest = [p for p in parts if p not in steady]
    if not steady or not rest:
        return loop
    return If(loop.span, conjunction(steady), (replace(loop, condition=conjunction(rest)),))


def _set_inside(loop: WhileLoop) -> set[str | None]:
    """The scalars and arrays that an iteration may change."""
    found: set[str | None] = set()
    for stmt in statements((loop,)):
        if isinstance(stmt, (Assign, Declare)):
            found.add(stmt.name)
        elif isinstance(stmt, (Store, Allocate)):
            found.add(stmt.array)
    return found


def _place(node: Expr) -> str | None:
    """What an expression's node itself looks at."""
    if isinstance(node, Variable):
        return node.name
    return node.array if isinstance(node, Load) else None


def _can_be_evaluated_anywhere(part: Expr) -> bool:
    return all(isinstance(n, _HARMLESS) for n in postorder(part))
