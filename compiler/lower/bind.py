"""Coordinates, regions and promised shapes go where they are used."""

from __future__ import annotations

from collections.abc import Mapping

from ..ir import I32, Expr, Variable, substitute, variables_in
from ..ir import stmts as s
from ..ir.simplify_coordinate import simplify_coordinate, simplify_indices
from ..ir.stmt_transform import children_of, rebuild
from .region import is_large, is_region_field, part_of


def bind(body: s.Stmt, promised: Mapping[Expr, Expr]) -> s.Stmt:
    """`body` without `LetStmt`s of int32 values, each replaced by its value; simplified.

    `promised` maps buffer fields to the constants that a check establishes; the checks themselves
    keep the fields. Regions outside of all loops whose values are large stay variables.

        let x = xo * 8 + xi; f(x) = a(x)   ->   f(xo * 8 + xi) = a(xo * 8 + xi)
    """
    return _Binder(promised).statement(body, in_loop=False)


class _Binder:
    def __init__(self, promised: Mapping[Expr, Expr]) -> None:
        self.promised = promised
        self.lets: dict[Expr, Expr] = {}
        self.done: dict[Expr, Expr] = {}

    def statement(self, stmt: s.Stmt, in_loop: bool) -> s.Stmt:
        if isinstance(stmt, s.AssertStmt):
            return rebuild(stmt, (), self._checked)
        if isinstance(stmt, s.LetStmt) and stmt.value.type is I32:
            return self._let(stmt, in_loop)
        if isinstance(stmt, s.Provide):
            values = tuple([simplify_indices(self._known(v)) for v in stmt.values])
            return s.Provide(stmt.func, values, tuple(map(self.bound, stmt.args)))
        within = in_loop or isinstance(stmt, s.For)
        children = tuple(self.statement(c, within) for c in children_of(stmt))
        return rebuild(stmt, children, self.bound)

    def _let(self, stmt: s.LetStmt, in_loop: bool) -> s.Stmt:
        value = self.bound(stmt.value)
        if not in_loop and is_region_field(stmt.name) and is_large(value):
            return s.LetStmt(stmt.name, value, self.statement(stmt.body, in_loop))
        # Names are bound again where a stage is computed in several places.
        before, done = self.lets, self.done
        self.lets = {**before, Variable(stmt.name, I32): value}
        self.done = {}
        made = self.statement(stmt.body, in_loop)
        self.lets, self.done = before, done
        return made

    def bound(self, expr: Expr) -> Expr:
        found = self.done.get(expr)
        if found is None:
            found = self.done[expr] = simplify_coordinate(self._known(expr))
        return found

    def _known(self, expr: Expr) -> Expr:
        return self._used(part_of(expr), self.promised, self.lets)

    def _checked(self, expr: Expr) -> Expr:
        return simplify_coordinate(self._used(part_of(expr), self.lets))

    @staticmethod
    def _used(expr: Expr, *mappings: Mapping[Expr, Expr]) -> Expr:
        """`expr` with the variables that one of `mappings` knows replaced."""
        used: dict[Expr, Expr] = {}
        for variable in variables_in(expr):
            for mapping in mappings:
                if variable in mapping:
                    used[variable] = mapping[variable]
        return substitute(expr, used) if used else expr
