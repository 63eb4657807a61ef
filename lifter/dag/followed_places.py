"""Elements that a loop looks up where it has put a mark, as scalars of the loop.

    for (i = 1; i < n; i++)                  float there = 1 < n ? s[at] : 0;
        if (s[i] > s[at])            ->      for (i = 1; i < n; i++)
            at = i;                              if (s[i] > there) { at = i; there = s[at]; }

The two do the same where the loop stores nothing to the array: `there` is what is at the mark all
the time. The first iteration reads it, whatever happens; if there is none, nobody does. What is
read where the mark is set anew has been read in that iteration before, by the comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from compiler.ir import And, Expr, Load, Or, Select, Variable, const, postorder, substitute

from ..model.kernel import (
    Assign,
    Declare,
    If,
    Kernel,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)
from .polynomial import conjuncts


def with_places_followed(kernel: Kernel) -> Kernel:
    """The same kernel, in which loops keep what they look up at their marks."""
    taken = {s.name for s in statements(kernel.body) if isinstance(s, (Assign, Declare))}
    taken |= {p.name for p in kernel.params} | kernel.arrays.keys()
    body = tuple(_visited(kernel.body, taken))
    return kernel if body == kernel.body else replace(kernel, body=body)


def _visited(body: Iterable[Stmt], taken: set[str]) -> Iterator[Stmt]:
    for stmt in body:
        if isinstance(stmt, If):
            then = tuple(_visited(stmt.then, taken))
            otherwise = tuple(_visited(stmt.otherwise, taken))
            same = then == stmt.then and otherwise == stmt.otherwise
            yield stmt if same else replace(stmt, then=then, otherwise=otherwise)
        elif isinstance(stmt, WhileLoop):
            yield from _loop(stmt, taken)
        else:
            yield stmt


def _loop(loop: WhileLoop, taken: set[str]) -> Iterator[Stmt]:
    every = list(statements((loop,)))
    is_plain = loop.test_first and not loop.again
    if is_plain and not any(isinstance(s, WhileLoop) for s in every[1:]):
        stored = {s.array for s in every if isinstance(s, Store)}
        for load in dict.fromkeys(_looked_up_first(loop.body)):
            mark = _mark(load, loop)
            if mark is None or load.array in stored:
                continue
            followed = _Followed(load, mark, Variable(_name(mark, taken), load.type))
            body = followed.block(loop.body, ())
            if body is not None:
                first = Select(loop.condition, load, const(0, load.type))
                yield Assign(loop.span, followed.there.name, first)
                loop = replace(loop, body=body)
    yield loop


def _name(mark: str, taken: set[str]) -> str:
    name = f"{mark}.there"
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _looked_up_first(body: Sequence[Stmt]) -> Iterator[Load]:
    """What every iteration reads before it comes to a branch, or to decide about one, at places
    that it hasn't changed by then."""
    changed: set[str] = set()
    for stmt in body:
        for expr in expressions_of(stmt):
            for load in _evaluated(expr):
                if changed.isdisjoint(_names(load)):
                    yield load
        if not isinstance(stmt, (Assign, Declare)):
            return
        changed.add(stmt.name)


def _names(load: Load) -> set[str]:
    """The scalars that say which element is loaded."""
    return {n.name for n in postorder(*load.indices) if isinstance(n, Variable)}


def _evaluated(expr: Expr) -> Iterator[Load]:
    """The loads that are made wherever an expression is evaluated."""
    if isinstance(expr, Load):
        yield expr
    children = expr.children
    if isinstance(expr, (And, Or, Select)):
        children = children[:1]
    for child in children:
        yield from _evaluated(child)


def _mark(load: Load, loop: WhileLoop) -> str | None:
    """The scalar that says which element is looked up, where it is one that a loop's body sets."""
    changed = {s.name for s in statements((loop,)) if isinstance(s, (Assign, Declare))}
    names = _names(load) & changed
    if len(names) != 1 or any(isinstance(n, Load) for n in postorder(*load.indices)):
        return None
    (mark,) = names
    elsewhere = (s.name for s in statements(loop.step) if isinstance(s, (Assign, Declare)))
    declared = (s.name for s in statements(loop.body) if isinstance(s, Declare))
    return None if mark in (*elsewhere, *declared) else mark


@dataclass(frozen=True)
class _Followed:
    """One element at a mark, and the scalar that has its value."""

    load: Load
    mark: str
    there: Variable

    def block(self, body: Sequence[Stmt], read: Sequence[Load]) -> tuple[Stmt, ...] | None:
        """Statements that keep the scalar up to date, where `read` has been read before in the
        iteration; None where they would read anything new."""
        known: dict[Expr, Expr] = {self.load: self.there}
        seen = list(read)
        made: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Assign):
                own = Variable(stmt.name, stmt.value.type)
                seen += _evaluated(stmt.value)
                made.append(replace(stmt, value=substitute(stmt.value, known)))
                # What has been read is another element if the place has changed since.
                seen = [r for r in seen if own not in postorder(*r.indices)]
                if stmt.name == self.mark:
                    place: dict[Expr, Expr] = {own: stmt.value}
                    new = substitute(self.load, place)
                    if own in postorder(stmt.value) or new not in seen:
                        return None
                    made.append(Assign(stmt.span, self.there.name, new))
            elif isinstance(stmt, If):
                asked = [*seen, *_evaluated(stmt.condition)]
                held = [n for part in conjuncts(stmt.condition) for n in _evaluated(part)]
                then = self.block(stmt.then, [*seen, *held])
                otherwise = self.block(stmt.otherwise, asked)
                if then is None or otherwise is None:
                    return None
                condition = substitute(stmt.condition, known)
                made.append(replace(stmt, condition=condition, then=then, otherwise=otherwise))
                seen = []
            elif isinstance(stmt, Store):
                parts = (substitute(e, known) for e in (*stmt.indices, stmt.value))
                *indices, value = parts
                made.append(replace(stmt, indices=tuple(indices), value=value))
            elif isinstance(stmt, Declare):
                made.append(stmt)
            else:
                return None
        return tuple(made)
