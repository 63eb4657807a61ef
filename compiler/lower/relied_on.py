"""Whether the program relies on what a stage holds: for an index, a loop's length, an effect.

Memory that was allocated but never written holds anything. For points that nobody uses that is
well enough, as long as nothing but values comes of it. On the stack it holds less than anything:
LLVM sees that nothing was written and takes code that depends on it for code that never runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .. import ir
from ..ir import Call, Expr
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, expressions_of
from .interval import Interval, Intervals

_PURE = frozenset({"func", "image", "pure", "intrinsic"})
"""The kinds of calls that do nothing but give a value."""

_DIVISIONS = (n.Div, n.Mod, n.TruncDiv, n.TruncMod)


def is_relied_on(
    stmt: s.Stmt,
    names: frozenset[str],
    ranges: Mapping[str, Interval],
    reads: Callable[[s.Stmt], bool],
    on_stack: bool = False,
) -> bool:
    """Whether `stmt` does anything with what the stage with values `names` holds that is safe only
    for values that the stage computes.

    `ranges` are those of what stages hold: an index is safe where its limits follow from types and
    clamps alone. `reads` says whether a statement, or one in it, reads the stage; `on_stack`,
    whether its memory may lie there, where no index, integer divisor or condition is safe.
    """
    return _Reliance(names, ranges, reads, on_stack).of(stmt)


class _Reliance:
    def __init__(
        self,
        names: frozenset[str],
        ranges: Mapping[str, Interval],
        reads: Callable[[s.Stmt], bool],
        on_stack: bool,
    ) -> None:
        self.names, self.reads, self.on_stack = names, reads, on_stack
        self.known = Intervals({}, ranges)
        self.unknown = Intervals({}, {k: v for k, v in ranges.items() if k not in names})
        self.indices: dict[Expr, bool] = {}

    def of(self, stmt: s.Stmt) -> bool:
        if not self.reads(stmt):
            return False
        expressions = expressions_of(stmt)
        decides = (s.For, s.AssertStmt, s.IfThenElse) if self.on_stack else (s.For, s.AssertStmt)
        if isinstance(stmt, decides) and any(map(self._mentions, expressions)):
            return True
        if isinstance(stmt, s.Provide) and any(map(self._in_index, stmt.args)):
            return True
        return any(map(self._in_value, expressions)) or any(map(self.of, children_of(stmt)))

    def _in_value(self, expr: Expr) -> bool:
        for x in ir.postorder(expr):
            if isinstance(x, n.Let) and self._mentions(x.value):
                return True
            if self.on_stack and self._may_trap(x):
                return True
            if isinstance(x, Call):
                if x.kind not in _PURE and self._mentions(x):
                    return True
                if x.kind in ("func", "image") and any(map(self._in_index, x.args)):
                    return True
        return False

    def _may_trap(self, expr: Expr) -> bool:
        """Whether `expr` divides integers by what the stage holds; floats have no bad divisor."""
        return isinstance(expr, _DIVISIONS) and expr.type.is_integer and self._mentions(expr.b)

    def _in_index(self, index: Expr) -> bool:
        found = self.indices.get(index)
        if found is None:
            found = self._mentions(index) and (
                self.on_stack or self.known.of(index) != self.unknown.of(index)
            )
            self.indices[index] = found
        return found

    def _mentions(self, expr: Expr) -> bool:
        return any(isinstance(x, Call) and x.name in self.names for x in ir.reads_in(expr))


__all__ = ["is_relied_on"]
