"""What is done once more behind a loop, with a shorter step, is a loop of at most one turn.

    for (; n >= 16; n -= 16) ...               for (; n >= 16; n -= 16) ...
    if (n >= 8) { ...; n -= 8; }               while (n >= 8) { ...; n -= 8; }
    for (; n > 0; n--) ...                     for (; n > 0; n--) ...

Fewer than 16 are left behind the loop, so fewer than 8 behind the turn. What remains is three loops
that go on where the one before ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from compiler.ir import GE, GT, LE, LT, Add, Cast, Comparison, Const, Expr, Sub, Variable

from ..model.kernel import Assign, Break, If, Return, Stmt, WhileLoop, statements
from .effects import writes


def with_turns_as_loops(body: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """`body` with loops in the place of such turns."""
    made: list[Stmt] = []
    left: _Left | None = None
    for stmt in body:
        if isinstance(stmt, If):
            then, otherwise = map(with_turns_as_loops, (stmt.then, stmt.otherwise))
            stmt = replace(stmt, then=then, otherwise=otherwise)
            if left is not None and _is_done_once(stmt, left):
                stmt = WhileLoop(stmt.span, stmt.condition, stmt.then)
        elif isinstance(stmt, WhileLoop):
            stmt = replace(stmt, body=with_turns_as_loops(stmt.body))
        made.append(stmt)
        if isinstance(stmt, WhileLoop):
            can_end_early = any(isinstance(s, (Break, Return)) for s in statements((stmt,)))
            left = None if can_end_early or stmt.again else _left(stmt.condition)
        elif left is not None and writes((stmt,)) & {name for name, _ in left.terms}:
            left = None
    return tuple(made)


@dataclass(frozen=True)
class _Left:
    """A condition that says that a sum of scalars is at least `least`."""

    terms: frozenset[tuple[str, int]]
    """Scalars with the numbers that they are multiplied by."""
    least: int
    condition: Expr


def _left(condition: Expr) -> _Left | None:
    if not isinstance(condition, (LT, LE, GT, GE)):
        return None
    a, b = condition.children
    if isinstance(condition, (LT, LE)):
        a, b = b, a
    terms: dict[str, int] = {}
    constant = _collect(a, 1, terms), _collect(b, -1, terms)
    if None in constant or not a.type.is_integer:
        return None
    first, second = constant
    assert first is not None and second is not None
    known = frozenset((name, factor) for name, factor in terms.items() if factor)
    if not a.type.is_int and (not isinstance(a, Variable) or not isinstance(b, Const)):
        return None  # sums may wrap
    return _Left(known, isinstance(condition, (LT, GT)) - first - second, condition)


def _collect(value: Expr, sign: int, terms: dict[str, int]) -> int | None:
    """The constant of a sum of scalars, which go to `terms`; None for anything else."""
    if isinstance(value, Const) and value.type.is_integer:
        return sign * int(value.value)
    if isinstance(value, Variable):
        terms[value.name] = terms.get(value.name, 0) + sign
        return 0
    if isinstance(value, Cast) and value.type.contains_all(value.value.type):
        return _collect(value.value, sign, terms)
    if isinstance(value, (Add, Sub)):
        a = _collect(value.a, sign, terms)
        b = _collect(value.b, sign if isinstance(value, Add) else -sign, terms)
        return None if a is None or b is None else a + b
    return None


def _is_done_once(turn: If, before: _Left) -> bool:
    """Whether the condition doesn't hold behind the turn; what it computes there is what the loop
    computed for its last test."""
    own = _left(turn.condition) if isinstance(turn.condition, Comparison) else None
    if own is None or turn.otherwise or own.terms != before.terms:
        return False
    if not _are_alike(own.condition, before.condition):
        return False  # another sum may overflow
    if any(isinstance(s, (Break, Return)) for s in statements(turn.then)):
        return False
    step = _step(turn.then, dict(own.terms))
    return step is not None and step > 0 and before.least == own.least + step


def _are_alike(a: Expr, b: Expr) -> bool:
    """Whether two expressions differ in constants alone."""
    if isinstance(a, Const) and isinstance(b, Const):
        return a.type is b.type
    if a is b or not a.children:
        return a is b
    if type(a) is not type(b) or a.type is not b.type or len(a.children) != len(b.children):
        return False
    return all(map(_are_alike, a.children, b.children))


def _step(body: Sequence[Stmt], terms: dict[str, int]) -> int | None:
    """By how much a sum of scalars gets smaller; None where that isn't a constant."""
    step = 0
    for stmt in body:
        changed = writes((stmt,)) & terms.keys()
        if not changed:
            continue
        if not isinstance(stmt, Assign):
            return None
        found: dict[str, int] = {}
        constant = _collect(stmt.value, 1, found)
        if constant is None or found != {stmt.name: 1}:
            return None
        step -= terms[stmt.name] * constant
    return step


__all__ = ["with_turns_as_loops"]
