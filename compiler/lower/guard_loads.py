"""Pass: what a choice doesn't take isn't read from the caller's memory.

The DSL computes both sides of a `select`; the original of a lifted function doesn't, and where it
doesn't read there may be no memory: the element behind the last one, a plane that a mode has no use
for, a pixel that belongs to another thread.
"""

from __future__ import annotations

from collections.abc import Collection

from ..ir import FALSE, TRUE, And, Expr, Load, Not, Or, Select, Variable, postorder
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, expressions_of, rebuild


def guard_loads(stmt: s.Stmt, images: Collection[str], by_pixels: set[str]) -> s.Stmt:
    """Each load of one of `images` with a predicate: the condition under which its value counts.

    `select`, `&&` and `||` are taken to be decided from the left. A load that the statement, or a
    condition or a `let` around it, does in any case has none. Needs flat memory; leaves scalar
    loads with predicates, which vectorizing makes masks of. Adds to `by_pixels` those images of
    which what is read depends on what memory holds.

        f[x] = select(x < n, a[x], 0) + b[x]   ->   f[x] = select(x < n, (a[x] if x < n), 0) + b[x]
    """
    if not images:
        return stmt
    return _Guard(frozenset(images), by_pixels).statement(stmt, frozenset())


class _Guard:
    def __init__(self, images: frozenset[str], by_pixels: set[str]) -> None:
        self.images, self.by_pixels = images, by_pixels

    def statement(self, stmt: s.Stmt, read: frozenset[Expr], chosen: bool = False) -> s.Stmt:
        """`stmt`, before which all of `read` was read; `chosen` by what memory holds or not."""
        roots = expressions_of(stmt)
        if not isinstance(stmt, s.Prefetch) and any(map(self.reads, roots)):
            certain = read.union(*map(self.certain, roots))
            if chosen:
                self.by_pixels |= {x.array for x in certain - read if isinstance(x, Load)}
            guarded = self.guarded(roots, certain)
            stmt = rebuild(stmt, children_of(stmt), lambda e: guarded.get(e, e))
            if isinstance(stmt, (s.IfThenElse, s.LetStmt)):
                read = certain
        if isinstance(stmt, s.IfThenElse):
            chosen = chosen or _depends_on_memory(stmt.condition)
        children = tuple(self.statement(child, read, chosen) for child in children_of(stmt))
        return rebuild(stmt, children, lambda e: e)

    def reads(self, expr: Expr) -> bool:
        return any(isinstance(x, Load) and x.array in self.images for x in postorder(expr))

    def certain(self, expr: Expr) -> frozenset[Expr]:
        """The loads that computing `expr` needs, however its choices are made."""
        done: dict[Expr, frozenset[Expr]] = {}
        for node in postorder(expr):
            below = [done[c] for c in node.children]
            if isinstance(node, Select):
                found = below[0] | (below[1] & below[2])
            elif isinstance(node, (And, Or)):
                found = below[0]
            else:
                found = frozenset().union(*below)
            if isinstance(node, Load):
                found |= {node}
            done[node] = found
        return done[expr]

    def guarded(self, roots: tuple[Expr, ...], certain: frozenset[Expr]) -> dict[Expr, Expr]:
        """What stands for each root with its loads under their conditions."""
        order = list(postorder(*roots))
        when: dict[Expr, Expr] = dict.fromkeys(roots, TRUE)
        """The condition, over nodes as they are, under which a node's value counts."""
        for node in reversed(order):
            here = when[node]
            for number, child in enumerate(node.children):
                needed = here
                if isinstance(node, Select) and number:
                    needed = _both(here, node.condition if number == 1 else Not(node.condition))
                elif isinstance(node, (And, Or)) and number:
                    needed = _both(here, node.a if isinstance(node, And) else Not(node.a))
                when[child] = _either(when.get(child, FALSE), needed)
        made: dict[Expr, Expr] = {}

        def changed(expr: Expr) -> Expr:
            for node in postorder(expr):
                if node in made:
                    continue
                new = node.rebuild(tuple(made[c] for c in node.children))
                if isinstance(node, Load) and node.array in self.images and node not in certain:
                    condition = when[node]
                    if condition is not TRUE and isinstance(new, Load):
                        if _depends_on_memory(condition):
                            self.by_pixels.add(new.array)
                        new = Load(new.array, new.indices, new.type, changed(condition))
                made[node] = new
            return made[expr]

        return {root: changed(root) for root in roots}


def _depends_on_memory(condition: Expr) -> bool:
    """Whether something is read to decide it, or has been: a name stands for a value."""
    return any(
        isinstance(x, Load) or (isinstance(x, Variable) and x.type.is_bool)
        for x in postorder(condition)
    )


def _both(a: Expr, b: Expr) -> Expr:
    if a is TRUE or b is FALSE:
        return b
    if b is TRUE or a is FALSE:
        return a
    made: Expr = And(a, b)
    return made


def _either(a: Expr, b: Expr) -> Expr:
    """`a || b`; where the two are one condition in both cases of another one, that condition."""
    if a is TRUE or b is FALSE or a is b:
        return a
    if b is TRUE or a is FALSE:
        return b
    for one, other in ((a, b), (b, a)):
        if isinstance(other, And) and other.a is one:
            return one
        if isinstance(other, Not) and other.value is one:
            return TRUE
    if isinstance(a, And) and isinstance(b, And) and a.a is b.a:
        return _both(a.a, _either(a.b, b.b))
    made: Expr = Or(a, b)
    return made


__all__ = ["guard_loads"]
