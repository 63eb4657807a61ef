"""What a person sees in a kernel that wasn't understood: known shapes of trouble, told by line.

These are observations on Kernel IR, each true of the text whatever the reason of the failure was;
they are told where they fit the failure's code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from compiler.ir import GE, Const, Expr, Load, Mod, TruncMod, Variable, postorder

from ..model.kernel import Assign, If, Kernel, Stmt, Store, WhileLoop, statements

if TYPE_CHECKING:
    from ..model.diagnostic import Diagnostic


def reasons(kernel: Kernel, diagnostic: Diagnostic) -> tuple[str, ...]:
    """Sentences about the kernel that fit the diagnostic's code."""
    match diagnostic.code:
        case "loop-bound":
            found = [*_endless(kernel), *_always(kernel)]
        case "no-roi":
            found = [*_always(kernel), *_scatters(kernel), *_triangles(kernel), *_wraps(kernel)]
        case "loop-carried":
            found = [*_carried(kernel, diagnostic.message.split(" ", 1)[0].strip("`"))]
        case _:
            found = []
    return tuple(dict.fromkeys(found))


def _loops(body: tuple[Stmt, ...]) -> Iterator[WhileLoop]:
    return (s for s in statements(body) if isinstance(s, WhileLoop))


def _names(*exprs: Expr) -> set[str]:
    return {n.name for n in postorder(*exprs) if isinstance(n, Variable)}


def _assigned(loop: WhileLoop) -> set[str]:
    return {s.name for s in statements((loop,)) if isinstance(s, Assign)}


def _endless(kernel: Kernel) -> Iterator[str]:
    for loop in _loops(kernel.body):
        tested = _names(loop.condition)
        reads = any(isinstance(n, Load) for n in postorder(loop.condition))
        if tested and not reads and not tested & _assigned(loop):
            names = " and ".join(f"`{n}`" for n in sorted(tested))
            yield (
                f"Nothing in the loop at line {loop.span.line} changes {names}, which its "
                "condition tests: a step such as `i++` may be missing."
            )


def _always(kernel: Kernel) -> Iterator[str]:
    for loop in _loops(kernel.body):
        for node in postorder(loop.condition):
            if not (isinstance(node, GE) and isinstance(node.b, Const) and node.b.value == 0):
                continue
            if isinstance(node.a, Variable) and node.a.type.is_uint:
                yield (
                    f"`{node.a.name} >= 0` at line {loop.span.line} always holds, since "
                    f"`{node.a.name}` is unsigned: count down with an int."
                )


def _scatters(kernel: Kernel) -> Iterator[str]:
    for stmt in statements(kernel.body):
        if isinstance(stmt, Store):
            read = {n.array for i in stmt.indices for n in postorder(i) if isinstance(n, Load)}
            if read:
                yield (
                    f"Where line {stmt.span.line} stores depends on what `{sorted(read)[0]}` holds "
                    "(a scatter): turn it into a gather, a loop over the elements of "
                    f"`{stmt.array}` that reads from the place that belongs to each."
                )


def _triangles(kernel: Kernel) -> Iterator[str]:
    for outer in _loops(kernel.body):
        moved = {s.name for s in outer.step if isinstance(s, Assign)}
        for inner in _loops(outer.body):
            shared = sorted(moved & _names(inner.condition))
            if shared:
                yield (
                    f"How far the loop at line {inner.span.line} runs depends on `{shared[0]}`, "
                    "the counter of the loop around it, so it writes no rectangle: let it run "
                    "over the whole row, and keep the old value where it didn't run: "
                    "`d[...] = inside ? new : d[...];`"
                )


def _wraps(kernel: Kernel) -> Iterator[str]:
    for stmt in statements(kernel.body):
        if isinstance(stmt, Store) and any(
            isinstance(n, (Mod, TruncMod)) and not isinstance(n.b, Const)
            for i in stmt.indices
            for n in postorder(i)
        ):
            yield (
                f"The place that line {stmt.span.line} stores to wraps around (`%`): store at the "
                "loop's counter, and wrap the place that is read instead."
            )


def _carried(kernel: Kernel, name: str) -> Iterator[str]:
    changing = [
        loop
        for loop in _loops(kernel.body)
        if any(isinstance(s, Assign) and s.name == name for s in statements(loop.body))
    ]
    if not changing:
        return
    uses = [s for s in statements(changing[-1].body) if _uses(s, name)]
    if not uses:
        yield (
            f"`{name}` is used after its loop only, but isn't combined in a way that is "
            "understood: sums, products, minima and maxima of integers, sums of floats."
        )
    elif isinstance(uses[0], If):
        yield (
            f"Line {uses[0].span.line} tests `{name}` in each iteration, so what it becomes is no "
            "sum, product, minimum or maximum that could be taken in any order."
        )
    else:
        yield (
            f"Line {uses[0].span.line} uses what `{name}` is in each iteration (as a running sum "
            "or a recursive filter does): that needs the iterations before, which a formula for "
            "each element by itself can't say."
        )


def _uses(stmt: Stmt, name: str) -> bool:
    """Whether a statement reads a scalar, but for its own update."""
    match stmt:
        case Assign():
            return stmt.name != name and name in _names(stmt.value)
        case Store():
            return name in _names(*stmt.indices, stmt.value)
        case If() | WhileLoop():
            return name in _names(stmt.condition)
    return False
