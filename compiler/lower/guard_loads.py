"""What a choice doesn't take isn't read from the caller's memory.

The DSL computes both sides of a `select`; the original of a lifted function doesn't, and where it
doesn't read there may be no memory: the element behind the last one, a plane that a mode has no use
for, a pixel that belongs to another thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import reduce

from ..ir import FALSE, TRUE, And, Call, Expr, Load, Not, Or, Select, Variable, const, postorder
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
            certain = read.union(*map(read_anyway, roots))
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

    def guarded(self, roots: tuple[Expr, ...], certain: frozenset[Expr]) -> dict[Expr, Expr]:
        """What stands for each root with its loads under their conditions."""
        order = list(postorder(*roots))
        when = when_it_counts(roots, order, lambda condition: (condition, Not(condition)))
        made: dict[Expr, Expr] = {}
        deciding: set[Expr] = set()
        """The loads whose conditions are being changed."""

        def predicate(condition: Expr) -> Expr:
            if deciding.isdisjoint(postorder(condition)):
                return changed(condition)
            # Loads that wait for each other on different sides of a choice: each has the part of
            # its condition that comes before it there. Conditions don't hold the loads that they
            # are of, so this ends.
            return self.guarded((condition,), certain)[condition]

        def changed(expr: Expr) -> Expr:
            for node in postorder(expr):
                if node in made:
                    continue
                new = node.rebuild(tuple(made[c] for c in node.children))
                if isinstance(node, Load) and node.array in self.images and node not in certain:
                    condition = when[node]
                    if node in postorder(condition):
                        condition = _before(node, roots, order)
                    if condition is not TRUE and isinstance(new, Load):
                        if _depends_on_memory(condition):
                            self.by_pixels.add(new.array)
                        deciding.add(node)
                        new = Load(new.array, new.indices, new.type, predicate(condition))
                        deciding.remove(node)
                made[node] = new
            return made[expr]

        return {root: changed(root) for root in roots}


def read_anyway(expr: Expr) -> frozenset[Expr]:
    """The loads and calls that computing `expr` needs, however its choices are made."""
    done: dict[Expr, frozenset[Expr]] = {}
    for node in postorder(expr):
        below = [done[c] for c in node.children]
        if isinstance(node, Select):
            found = below[0] | (below[1] & below[2])
        elif isinstance(node, (And, Or)):
            found = below[0]
        else:
            found = frozenset().union(*below)
        if isinstance(node, (Load, Call)):
            found |= {node}
        done[node] = found
    return done[expr]


def when_it_counts(
    roots: Iterable[Expr], order: list[Expr], outcomes: Callable[[Expr], tuple[Expr, Expr]]
) -> dict[Expr, Expr]:
    """The condition under which each node's value counts; `order` has all nodes, operands first.

    `outcomes` says that a condition holds, and that it doesn't.
    """
    when: dict[Expr, Expr] = dict.fromkeys(roots, TRUE)
    for node in reversed(order):
        here = when[node]
        for number, child in enumerate(node.children):
            needed = here
            if number and isinstance(node, (And, Or, Select)):
                holds, fails = outcomes(node.children[0])
                if_it_holds = isinstance(node, And) or (isinstance(node, Select) and number == 1)
                needed = both(here, holds if if_it_holds else fails)
            when[child] = either(when.get(child, FALSE), needed)
    return when


def _before(load: Load, roots: Iterable[Expr], order: list[Expr]) -> Expr:
    """The condition under which `load` is read, decided without reading it.

    In `p && a[x] > 9 || !p && a[x] < 3` the second `a[x]` has the first in its condition. Where the
    first is read, that is the read; only where it isn't the second is reached unread.
    """
    unread = _Unread(load)
    for node in order:
        unread.add(node)
    return when_it_counts(roots, order, unread.outcomes.__getitem__)[load]


class _Unread:
    """What expressions come to where computing them doesn't read `load`."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.plain: dict[Expr, Expr] = {}
        """An expression of the same value without the load."""
        self.so: dict[Expr, Expr] = {}
        """That the load isn't read."""
        self.outcomes: dict[Expr, tuple[Expr, Expr]] = {}
        """That it isn't, and that a condition holds; and that it doesn't hold."""

    def add(self, node: Expr) -> None:
        """Needs all below `node`."""
        below = [self.so[c] for c in node.children]
        if node is not self.load and all(so is TRUE for so in below):
            self.plain[node], self.so[node] = node, TRUE
        elif isinstance(node, Load):
            # Where it counts it isn't computed; another load isn't to look up another place.
            self.plain[node] = const(0, node.type)
            self.so[node] = FALSE if node is self.load else reduce(both, below)
        else:
            self.plain[node] = node.rebuild(tuple(self.plain[c] for c in node.children))
            self.so[node] = self._unread(node, below)
        if node.type.is_bool:
            self.outcomes[node] = self._outcomes(node)

    def _unread(self, node: Expr, below: list[Expr]) -> Expr:
        if not isinstance(node, (And, Or, Select)):
            return reduce(both, below)
        yes, no = self.outcomes[node.children[0]]
        if isinstance(node, Select):
            return either(both(yes, below[1]), both(no, below[2]))
        decided, open_ = (no, yes) if isinstance(node, And) else (yes, no)
        return either(decided, both(open_, below[1]))

    def _outcomes(self, node: Expr) -> tuple[Expr, Expr]:
        if not isinstance(node, (And, Or, Not, Select)) or self.so[node] is TRUE:
            plain, so = self.plain[node], self.so[node]
            return both(so, plain), both(so, _not(plain))
        (yes, no), *others = (self.outcomes[c] for c in node.children)
        match node:
            case Not():
                return no, yes
            case And():
                ((then, otherwise),) = others
                return both(yes, then), either(no, both(yes, otherwise))
            case Or():
                ((then, otherwise),) = others
                return either(yes, both(no, then)), both(no, otherwise)
        (a, not_a), (b, not_b) = others
        return (
            either(both(yes, a), both(no, b)),
            either(both(yes, not_a), both(no, not_b)),
        )


def _not(a: Expr) -> Expr:
    if a is TRUE or a is FALSE:
        return FALSE if a is TRUE else TRUE
    made: Expr = a.value if isinstance(a, Not) else Not(a)
    return made


def _depends_on_memory(condition: Expr) -> bool:
    """Whether something is read to decide it, or has been: a name stands for a value."""
    return any(
        isinstance(x, Load) or (isinstance(x, Variable) and x.type.is_bool)
        for x in postorder(condition)
    )


def both(a: Expr, b: Expr) -> Expr:
    """`a && b`."""
    if a is TRUE or b is FALSE:
        return b
    if b is TRUE or a is FALSE:
        return a
    made: Expr = And(a, b)
    return made


def _asks_more(condition: Expr, than: Expr) -> bool:
    """Whether a condition holds only where another one does, by their forms."""
    if isinstance(condition, Or):
        return all(_asks_more(side, than) for side in condition.children)
    return set(conjuncts(than)) <= set(conjuncts(condition))


def conjuncts(condition: Expr) -> list[Expr]:
    """The conditions that a conjunction asks for, from the left."""
    if isinstance(condition, And):
        return [*conjuncts(condition.a), *conjuncts(condition.b)]
    return [condition]


def either(a: Expr, b: Expr) -> Expr:
    """`a || b`; where the two are one condition in both cases of another one, or one asks for all
    that the other does and more, that condition."""
    if a is TRUE or b is FALSE or a is b:
        return a
    if b is TRUE or a is FALSE:
        return b
    for one, other in ((a, b), (b, a)):
        if _asks_more(other, one):
            return one
        if isinstance(other, Not) and other.value is one:
            return TRUE
    if isinstance(a, And) and isinstance(b, And) and a.a is b.a:
        return both(a.a, either(a.b, b.b))
    made: Expr = Or(a, b)
    return made


__all__ = ["both", "conjuncts", "either", "guard_loads", "read_anyway", "when_it_counts"]
