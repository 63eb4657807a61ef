"""Pure scalar functions: statements over scalars folded into one expression."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir import Cast, Const, Expr, Load, Select, Variable, postorder, transform

from ..model.kernel import Assign, Declare, If, Loop, Stmt
from .folding import convert, fold

_ROUNDS = 64
_NODES = 3000


class NotPure(Exception):
    """The statements are no expression: they touch memory, or loop an unknown number of times."""


Values = dict[str, Expr]


def fold_statements(body: Sequence[Stmt], result: str, tables: frozenset[str]) -> Expr:
    """The value of the scalar `result` after `body`, as an expression of the parameters.

    `tables` are the constant arrays that may be read. Raises `NotPure`.
    """
    values: Values = {}
    for stmt in body:
        _execute(stmt, values, tables)
    if result not in values:
        raise NotPure
    found = values[result]
    size = 0
    for node in postorder(found):
        size += 1
        if isinstance(node, Load) and node.array not in tables:
            raise NotPure
    if size > _NODES:
        raise NotPure
    return found


def _substituted(expr: Expr, values: Values) -> Expr:
    def visit(node: Expr) -> Expr:
        if isinstance(node, Variable):
            return values.get(node.name, node)
        if isinstance(node, Select) and isinstance(node.condition, Const):
            return node.a if node.condition.value else node.b
        children = node.children
        if children and all(isinstance(c, Const) for c in children):
            if isinstance(node, Cast):
                return convert(node.value, node.type)
            return fold(node)
        return node

    return transform(expr, visit)


def _execute(stmt: Stmt, values: Values, tables: frozenset[str]) -> None:
    if isinstance(stmt, Assign):
        values[stmt.name] = _substituted(stmt.value, values)
    elif isinstance(stmt, Declare):
        values.pop(stmt.name, None)
    elif isinstance(stmt, If):
        _execute_if(stmt, values, tables)
    elif isinstance(stmt, Loop):
        _execute_loop(stmt, values, tables)
    else:
        raise NotPure


def _execute_if(stmt: If, values: Values, tables: frozenset[str]) -> None:
    condition = _substituted(stmt.condition, values)
    if isinstance(condition, Const):
        for inner in stmt.then if condition.value else stmt.otherwise:
            _execute(inner, values, tables)
        return
    then, otherwise = dict(values), dict(values)
    for inner in stmt.then:
        _execute(inner, then, tables)
    for inner in stmt.otherwise:
        _execute(inner, otherwise, tables)
    for name in dict.fromkeys((*then, *otherwise)):
        a, b = then.get(name), otherwise.get(name)
        # A name that only one path knows is undefined on the other, or a parameter there.
        if a is None or b is None:
            known = a if a is not None else b
            assert known is not None
            unknown = Variable(name, known.type)
            a, b = (known, unknown) if b is None else (unknown, known)
        values[name] = a if a is b else Select(condition, a, b)


def _execute_loop(stmt: Loop, values: Values, tables: frozenset[str]) -> None:
    first = not stmt.test_first
    for _ in range(_ROUNDS):
        if not first:
            condition = _substituted(stmt.condition, values)
            if not isinstance(condition, Const):
                raise NotPure
            if not condition.value:
                return
            for inner in stmt.again:
                _execute(inner, values, tables)
        first = False
        for inner in (*stmt.body, *stmt.step):
            _execute(inner, values, tables)
    raise NotPure
