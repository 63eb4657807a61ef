"""A function that returns a number as one that stores it: what holds of stores holds of results."""

from __future__ import annotations

from dataclasses import replace

from compiler.ir import I64, Const

from ..model.kernel import Array, If, Kernel, Param, Return, Stmt, Store

RESULT = "the_result"
"""The array of one element that holds it."""


def with_result_stored(kernel: Kernel) -> Kernel:
    """The kernel with an output for what it returns; itself where it returns nothing."""
    type = kernel.return_type
    if type is None or RESULT in kernel.arrays:
        return kernel

    def visit(stmt: Stmt) -> Stmt:
        if isinstance(stmt, Return) and stmt.value is not None:
            return Store(stmt.span, RESULT, (Const(I64, 0),), stmt.value)
        if isinstance(stmt, If):
            return replace(
                stmt,
                then=tuple(map(visit, stmt.then)),
                otherwise=tuple(map(visit, stmt.otherwise)),
            )
        return stmt

    out = Param(RESULT, "reference", type, f"{type} &", False, kernel.span)
    return replace(
        kernel,
        params=(*kernel.params, out),
        arrays={**kernel.arrays, RESULT: Array(RESULT, type)},
        return_type=None,
        body=tuple(map(visit, kernel.body)),
    )
