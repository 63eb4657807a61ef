"""Which memories statements use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from . import stmts as s
from .nodes import Expr, Load, reads_in
from .stmt_transform import expressions_of, walk


@dataclass(frozen=True)
class Uses:
    """The memories that are loaded from, and those that are stored to."""

    read: frozenset[str]
    written: frozenset[str]

    @staticmethod
    def of(stmt: s.Stmt) -> Uses:
        """Those of a statement and all in it; kernels that it launches are others' statements."""
        nodes = list(walk(stmt))
        return Uses(
            loaded(e for x in nodes for e in expressions_of(x)),
            frozenset(x.buffer for x in nodes if isinstance(x, s.Store)),
        )

    @property
    def all(self) -> frozenset[str]:
        return self.read | self.written


def loaded(exprs: Iterable[Expr]) -> frozenset[str]:
    """The memories that expressions load from."""
    return frozenset(x.array for e in exprs for x in reads_in(e) if isinstance(x, Load))


__all__ = ["Uses", "loaded"]
