"""Functions of places: those of a kernel's pure functions that its indices are made of.

What `border(x - 1, n)` gives is an element's place where it is an index. Whether there is one is
asked before, `if (i < 0) continue;`, of the same variable: such functions are given by their bodies
wherever they are called, so that both speak of one number. So are those that a loop ends by,
`i < align_down(n, 4)`, whatever they compute.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.ir import Call, Expr, Load, Variable, postorder

from ..model.kernel import Assign, Kernel, Store, WhileLoop, expressions_of, statements


def place_functions(kernel: Kernel) -> frozenset[str]:
    """The names of functions whose results reach an index, by way of variables, too."""
    if not kernel.functions:
        return frozenset()
    reached: list[Expr] = []
    for stmt in statements(kernel.body):
        if isinstance(stmt, Store):
            reached += stmt.indices
        for node in postorder(*expressions_of(stmt)):
            if isinstance(node, Load):
                reached += node.indices
    return frozenset(_called(kernel, reached))


def end_functions(kernel: Kernel) -> frozenset[str]:
    """The names of functions that say how long a loop runs, by way of variables, too."""
    if not kernel.functions:
        return frozenset()
    loops = (s for s in statements(kernel.body) if isinstance(s, WhileLoop))
    return frozenset(_called(kernel, [loop.condition for loop in loops]))


def _called(kernel: Kernel, reached: list[Expr]) -> Iterable[str]:
    values: dict[str, list[Expr]] = {}
    for stmt in statements(kernel.body):
        if isinstance(stmt, Assign):
            values.setdefault(stmt.name, []).append(stmt.value)
    seen: set[Expr] = set()
    while reached:
        for node in postorder(reached.pop()):
            if node in seen:
                continue
            seen.add(node)
            if isinstance(node, Call) and node.kind == "pure":
                yield node.name
            elif isinstance(node, Variable):
                reached += values.pop(node.name, ())
