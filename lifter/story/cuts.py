"""Which part of a function stands in the way: the smallest one without which the rest is proved.

Delta reduction on Kernel IR: one part at a time is cut out (a statement, a branch, a loop nest),
and the rest is lifted. A cut says where the trouble is; it is no proposal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .question import Question

if TYPE_CHECKING:
    from compiler.ir import Expr

    from ..model.diagnostic import Span
    from ..model.kernel import Kernel, Stmt

CUTS = 24
"""How many parts are cut out, one at a time."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Lines `first` to `last` of the source, without which the rest is proved; on a single line
    the columns from `column` to `end` (exclusive)."""

    first: int
    last: int
    column: int = 1
    end: int = 0


@dataclass(frozen=True, slots=True)
class Cuts:
    """What the cuts showed: the smallest that help, of `tried`."""

    helping: tuple[Cut, ...]
    tried: int


def find_cuts(question: Question) -> Cuts:
    """Cuts of one size, the smallest that help; none where no single part is to blame."""
    from ..lift.lift_function import lift_kernel

    kernel = question.kernel()
    if kernel is None:
        return Cuts((), 0)
    helping: list[Cut] = []
    size = tried = 0
    for part in sorted(_parts(kernel), key=lambda p: (p.size, p.cut.first, p.cut.column))[:CUTS]:
        if helping and part.size > size:
            break
        rest = _without(kernel, part)
        if rest is None:
            continue
        tried += 1
        if lift_kernel(rest, question.trial_options()).status == "proved":
            helping.append(part.cut)
            size = part.size
    return Cuts(tuple(helping), tried)


@dataclass(frozen=True, slots=True)
class _Part:
    cut: Cut
    size: int
    """Statements that go."""
    statements: frozenset[int]
    """Their identities; those inside of a compound one go with it."""


def _parts(kernel: Kernel) -> Iterator[_Part]:
    """What can be cut out: each plain statement, each branch and each loop."""
    from ..model.kernel import Assign, If, Store, WhileLoop, statements

    plain: dict[Span, list[Stmt]] = {}
    for stmt in statements(kernel.body, steps=False):
        if isinstance(stmt, (If, WhileLoop)):
            inside = list(statements((stmt,)))
            last = max(s.span.end_line for s in inside)
            cut = Cut(stmt.span.line, last, stmt.span.column, stmt.span.end_column)
            yield _Part(cut, len(inside), frozenset({id(stmt)}))
        elif isinstance(stmt, (Assign, Store)):
            plain.setdefault(stmt.span, []).append(stmt)
    for span, found in plain.items():
        cut = Cut(span.line, span.end_line, span.column, span.end_column)
        yield _Part(cut, len(found), frozenset(map(id, found)))


def _without(kernel: Kernel, part: _Part) -> Kernel | None:
    """The rest; None where it stores nothing, or uses a value that only the part gives."""
    from ..model.kernel import Store, statements

    rest = replace(kernel, body=_cut(kernel.body, part.statements))
    if not any(isinstance(s, Store) for s in statements(rest.body)):
        return None
    if _local_stores(kernel) != _local_stores(rest) and _reads_local(rest):
        return None
    return rest if _first_values(kernel) <= _first_values(rest) else None


def _local_stores(kernel: Kernel) -> int:
    """How many statements give local arrays their elements."""
    from ..model.kernel import Store, statements

    stores = (s for s in statements(kernel.body) if isinstance(s, Store))
    return sum(kernel.arrays[s.array].origin == "local" for s in stores)


def _reads_local(kernel: Kernel) -> bool:
    from compiler.ir import Load, postorder

    from ..model.kernel import statements

    return any(
        isinstance(n, Load) and kernel.arrays[n.array].origin == "local"
        for stmt in statements(kernel.body, steps=False)
        for n in postorder(*_expressions(stmt))
    )


def _expressions(stmt: Stmt) -> list[Expr]:
    """What a statement itself computes, without those inside of it."""
    from compiler.ir import Expr

    from ..model.kernel import Store

    parts = [getattr(stmt, "value", None), getattr(stmt, "condition", None)]
    parts += list(stmt.indices) if isinstance(stmt, Store) else []
    return [e for e in parts if isinstance(e, Expr)]


def _cut(body: tuple[Stmt, ...], gone: frozenset[int]) -> tuple[Stmt, ...]:
    from ..model.kernel import If, WhileLoop

    kept: list[Stmt] = []
    for stmt in body:
        if id(stmt) in gone:
            continue
        if isinstance(stmt, If):
            then, otherwise = _cut(stmt.then, gone), _cut(stmt.otherwise, gone)
            kept.append(replace(stmt, then=then, otherwise=otherwise))
        elif isinstance(stmt, WhileLoop):
            kept.append(replace(stmt, body=_cut(stmt.body, gone)))
        else:
            kept.append(stmt)
    return tuple(kept)


def _first_values(kernel: Kernel) -> set[tuple[str, int]]:
    """The statements that give a scalar its first value: a later use needs it."""
    from compiler.ir import Variable, postorder

    from ..model.kernel import Assign, WhileLoop, statements

    found: dict[str, int] = {}
    used: set[str] = set()
    for stmt in statements(kernel.body):
        if isinstance(stmt, Assign):
            found.setdefault(stmt.name, id(stmt))
        used |= {n.name for n in postorder(*_expressions(stmt)) if isinstance(n, Variable)}
        if isinstance(stmt, WhileLoop):
            used |= {s.name for s in stmt.step if isinstance(s, Assign)}
    return {(name, place) for name, place in found.items() if name in used}
