"""`require` in expressions becomes a check before the statement that evaluates it.

f[x] = require:"bad {}"(x < 9, a[x], x)      ->      assert x < 9, "bad {}", a[x], x
                                                     f[x] = a[x]
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir import Call, Expr, reads_in, transform
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, expressions_of, rebuild


def check_requirements(stmt: s.Stmt) -> s.Stmt:
    """Needs loops that are serial or parallel where `require` is called; leaves no such call."""
    found = [c for e in expressions_of(stmt) for c in _requirements(e)]
    children = tuple(map(check_requirements, children_of(stmt)))
    made = rebuild(stmt, children, _without if found else _same)
    if not found:
        return made
    return block(*map(_check, dict.fromkeys(found)), made)


def _check(call: Call) -> s.Stmt:
    condition, *values = map(_without, call.args)
    return s.AssertStmt(condition, call.name.partition(":")[2], tuple(values))


def _requirements(e: Expr) -> list[Call]:
    return [n for n in reads_in(e) if isinstance(n, Call) and _is_requirement(n)]


def _is_requirement(node: Expr) -> bool:
    return isinstance(node, Call) and node.kind == "effect" and node.name.startswith("require:")


_same: Callable[[Expr], Expr] = lambda e: e  # noqa: E731


def _without(e: Expr) -> Expr:
    """`e` with each `require` replaced by its value."""
    return transform(e, lambda n: n.args[1] if isinstance(n, Call) and _is_requirement(n) else n)
