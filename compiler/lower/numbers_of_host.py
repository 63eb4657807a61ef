"""Numbers that all threads of a launch have in common are computed once, where it is launched.

    kernel(w, h):                                    kernel(n):
      f[x + (max(w, h) - min(w, 16)) * y] = ...  ->    f[x + n*y] = ...
    launch kernel(w, h)                              launch kernel(max(w, h) - min(w, 16))

What is added to such a number stays in the kernel, where addresses take it for nothing, and so does
a power of two that it is a multiple of, which says how addresses are aligned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..ir import (
    I32,
    Add,
    Call,
    Const,
    Expr,
    Load,
    Mul,
    Variable,
    const,
    postorder,
    simplify,
    substitute,
)
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, rebuild

MOST_NUMBERS = 256
"""Of one kernel: its parameters have a limit."""
LEAST_STEPS = 2
"""Operators that a number has, or else threads compute it as fast as they would fetch it."""

MOST_TWOS = 8
"""Of a number: addresses aren't known to be multiples of more."""


def with_numbers_of_host(body: s.Stmt, kernel: str) -> tuple[s.Stmt, dict[str, Expr]]:
    """The body of a kernel, and the numbers that are new parameters of it, by name."""
    found = _Numbers(kernel)
    return found.visit(body, frozenset((*s.BLOCKS, *s.THREADS)), {}), found.values


@dataclass
class _Numbers:
    kernel: str
    values: dict[str, Expr] = field(default_factory=dict)
    names: dict[Expr, Expr] = field(default_factory=dict)
    """The parameters by what they are."""

    def visit(self, stmt: s.Stmt, inside: frozenset[str], lets: Mapping[Expr, Expr]) -> s.Stmt:
        """`stmt`, where the variables `inside` differ among threads or iterations, and `lets` are
        the same in all."""

        def change(e: Expr) -> Expr:
            return self._replaced(e, inside, lets)

        within, known = inside, lets
        match stmt:
            case s.For(name):
                within = inside | {name}
            case s.LetStmt(name, value):
                variable = Variable(name, value.type)
                if value in _common(value, inside):
                    within, known = inside - {name}, {**lets, variable: substitute(value, lets)}
                else:
                    within = inside | {name}
        children = tuple(self.visit(child, within, known) for child in children_of(stmt))
        return rebuild(stmt, children, change)

    def _replaced(self, e: Expr, inside: frozenset[str], lets: Mapping[Expr, Expr]) -> Expr:
        common = _common(e, inside)
        mapping: dict[Expr, Expr] = {}
        stack, seen = [e], {e}
        while stack:
            node = stack.pop()
            if node.type is I32 and node in common:
                made = self._number(node, lets)
                if made is not None:
                    mapping[node] = made
                continue
            for child in node.children:
                if child not in seen:
                    seen.add(child)
                    stack.append(child)
        return substitute(e, mapping) if mapping else e

    def _number(self, e: Expr, lets: Mapping[Expr, Expr]) -> Expr | None:
        """`e` by way of a parameter; None where it isn't worth one."""
        if isinstance(e, Add) and isinstance(e.b, Const):
            made = self._number(e.a, lets)
            return None if made is None else Add(made, e.b)
        scale = 1 << min(_twos(e), MOST_TWOS)
        value = substitute(simplify(n.Div(e, const(scale))) if scale > 1 else e, lets)
        known = self.names.get(value)
        if known is None:
            steps = sum(bool(x.children) for x in postorder(e))
            if steps - (scale > 1) < LEAST_STEPS or len(self.values) == MOST_NUMBERS:
                return None
            name = f"{self.kernel}.number{len(self.values)}"
            self.values[name] = value
            known = self.names[value] = Variable(name, I32)
        return Mul(known, const(scale)) if scale > 1 else known


def _common(e: Expr, inside: frozenset[str]) -> set[Expr]:
    """The parts of `e` that depend on nothing but what isn't `inside`, and on no memory."""
    found: set[Expr] = set()
    for node in postorder(e):
        if isinstance(node, Variable):
            is_common = node.name not in inside
        else:
            is_common = not isinstance(node, (Load, Call)) and found.issuperset(node.children)
        if is_common:
            found.add(node)
    return found


def _twos(e: Expr) -> int:
    """How often 2 divides `e`, for all that its operators say."""
    match e:
        case Const(value=value):
            number = int(value)
            return 31 if number == 0 else (number & -number).bit_length() - 1
        case Mul(a=a, b=b):
            return min(_twos(a) + _twos(b), 30)
        case Add(a=a, b=b) | n.Sub(a=a, b=b) | n.Min(a=a, b=b) | n.Max(a=a, b=b):
            return min(_twos(a), _twos(b))
    return 0


__all__ = ["with_numbers_of_host"]
