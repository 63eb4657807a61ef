"""Which scalars are read behind each loop before they are set again.

What a loop leaves of the others is nobody's business: to say it would take reads of what the loop
has overwritten by then.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.ir import Variable, postorder

from ..model.kernel import (
    Assign,
    Break,
    Declare,
    If,
    Kernel,
    Return,
    Stmt,
    WhileLoop,
    expressions_of,
    statements,
)

_Names = frozenset[str]


class Liveness:
    """The scalars that a kernel's statements read behind each of its loops."""

    def __init__(self, kernel: Kernel) -> None:
        self._assigned = {s.name for s in statements(kernel.body) if isinstance(s, Assign)}
        self._behind: dict[int, _Names] = {}
        """By the loops' identities: equal loops may stand in several places."""
        self._handed_on: dict[int, _Names] = {}
        self._kernel = kernel  # as long as it is here, its statements are
        self._before(kernel.body, frozenset(), frozenset())

    def is_read_behind(self, loop: WhileLoop, name: str) -> bool:
        """Whether a scalar may be read behind the loop as this leaves it. True of what isn't known
        here: other loops, and elements of arrays that are scalars."""
        behind = self._behind.get(id(loop))
        return behind is None or name in behind or name not in self._assigned

    def is_handed_on(self, loop: WhileLoop, name: str) -> bool:
        """Whether an iteration of a loop may read what the one before left in a scalar."""
        found = self._handed_on.get(id(loop))
        if found is None:
            found = self._before((*loop.body, *loop.step), frozenset(), frozenset())
            self._handed_on[id(loop)] = found
        return name in found

    def _before(self, body: Iterable[Stmt], behind: _Names, left: _Names) -> _Names:
        """What is read from the beginning of `body` on, where `behind` is read from its end on, and
        `left` behind the loop around it."""
        for stmt in reversed(tuple(body)):
            behind = self._before_one(stmt, behind, left)
        return behind

    def _before_one(self, stmt: Stmt, behind: _Names, left: _Names) -> _Names:
        if isinstance(stmt, WhileLoop):
            return self._before_loop(stmt, behind)
        if isinstance(stmt, Break):
            return left
        if isinstance(stmt, If):
            behind = self._before(stmt.then, behind, left) | self._before(
                stmt.otherwise, behind, left
            )
        elif isinstance(stmt, (Assign, Declare)):
            behind -= {stmt.name}
        elif isinstance(stmt, Return):
            behind = frozenset()
        return behind | _read(stmt)

    def _before_loop(self, loop: WhileLoop, behind: _Names) -> _Names:
        self._behind[id(loop)] = self._behind.get(id(loop), frozenset()) | behind
        at_test = behind | _read(loop)
        while True:
            head = self._before((*loop.body, *loop.step), at_test, behind)
            more = at_test | self._before(loop.again, head, behind)
            if more == at_test:
                return at_test if loop.test_first else head
            at_test = more


def _read(stmt: Stmt) -> _Names:
    return frozenset(n.name for n in postorder(*expressions_of(stmt)) if isinstance(n, Variable))
