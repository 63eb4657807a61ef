"""What is done once more behind a loop, with a shorter step, is a loop of at most one turn.

    for (; n >= 16; n -= 16) ...               for (; n >= 16; n -= 16) ...
    if (n >= 8) { ...; n -= 8; }               while (n >= 8) { ...; n -= 8; }
    for (; n > 0; n--) ...                     for (; n > 0; n--) ...

Fewer than 16 are left behind the loop, so fewer than 8 behind the turn. What remains is three loops
that go on where the one before ends. So is what is done for as many lanes of a vector as are left:

    for (l = 0; l < 16; l++) if (l < n) ...    for (l = 0; l < n; l++) ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from compiler.ir import GE, GT, LE, LT, Add, Cast, Comparison, Const, Expr, Sub, Variable

from ..model.kernel import Assign, Break, If, Return, Stmt, WhileLoop, expressions_of, statements
from .effects import reads, writes


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
        left = _left_behind(stmt, left)
    return tuple(made)


def with_lanes_counted(body: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """`body` with loops over the lanes that are left, in the place of those over all lanes."""
    return _with_lanes_counted(body, None, _readers(body))


def _readers(body: Sequence[Stmt]) -> Counter[str]:
    """How many statements read each scalar."""
    return Counter(n for stmt in statements(tuple(body)) for n in reads(*expressions_of(stmt)))


def _is_its_own(counter: Expr, stmt: Stmt, readers: Counter[str]) -> bool:
    """Whether nothing but a statement reads the counter of its loop, which ends with another value
    than it did."""
    if not isinstance(counter, Variable):
        return False
    return readers[counter.name] == _readers((stmt,))[counter.name]


def _with_lanes_counted(
    body: Sequence[Stmt], left: _Left | None, readers: Counter[str]
) -> tuple[Stmt, ...]:
    made: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, If):
            branches = (stmt.then, stmt.otherwise)
            then, otherwise = (_with_lanes_counted(b, left, readers) for b in branches)
            before, stmt = stmt, replace(stmt, then=then, otherwise=otherwise)
            if _is_about_lanes(stmt, before, readers):
                made += then
                left = _left_behind(stmt, left)
                continue
        elif isinstance(stmt, WhileLoop):
            inner = _with_lanes_counted(stmt.body, None, readers)
            stmt = _counted(stmt, left, readers) or replace(stmt, body=inner)
        made.append(stmt)
        left = _left_behind(stmt, left)
    return tuple(made)


def _counted(loop: WhileLoop, left: _Left | None, readers: Counter[str]) -> WhileLoop | None:
    """A loop over lanes whose body does nothing for others than those that are left."""
    if left is None or len(loop.body) != 1 or not isinstance(loop.condition, LT):
        return None
    lane, lanes = loop.condition.children
    (inner,) = loop.body
    if not isinstance(inner, If) or inner.otherwise or not isinstance(inner.condition, LT):
        return None
    number, count = inner.condition.children
    if not _is_its_own(lane, loop, readers):
        return None
    if number is not lane or not isinstance(lanes, Const) or not loop.test_first or loop.again:
        return None
    more = _beyond(count, left)
    if more is None or {name for name, _ in left.terms} & writes((loop,)):
        return None
    # At most left.least - 1 is left.
    if left.least - 1 + more > lanes.value:
        return None
    return replace(loop, condition=LT(lane, count), body=inner.then)


def _is_about_lanes(stmt: If, before: If, readers: Counter[str]) -> bool:
    """`if (n > 0)` around a loop over n lanes, which goes over none otherwise."""
    if len(stmt.then) != 2 or stmt.otherwise:
        return False
    start, loop = stmt.then
    if not isinstance(start, Assign) or not isinstance(loop, WhileLoop) or not loop.test_first:
        return False
    test, own = loop.condition, _left(stmt.condition)
    if own is None or not isinstance(test, LT) or not isinstance(test.a, Variable):
        return False
    if not _is_its_own(test.a, before, readers) or test.a.name != start.name:
        return False
    if start.value is not Const(test.a.type, 0):
        return False
    more = _beyond(test.b, own)
    return more is not None and own.least <= 1 - more


def _left_behind(stmt: Stmt, left: _Left | None) -> _Left | None:
    """What is known of what is left behind a statement."""
    if isinstance(stmt, WhileLoop):
        can_end_early = any(isinstance(s, (Break, Return)) for s in statements((stmt,)))
        found = None if can_end_early or stmt.again else _left(stmt.condition)
        if found is not None and any(n in _lanes_of(stmt) for n, _ in found.terms):
            found = None
        if found is not None:
            return found
    if left is not None and writes((stmt,)) & {name for name, _ in left.terms}:
        return None
    return left


def _lanes_of(loop: WhileLoop) -> set[str]:
    """The counter of a loop over a constant number of lanes: it says nothing of a row."""
    test = loop.condition
    if isinstance(test, LT) and isinstance(test.a, Variable) and isinstance(test.b, Const):
        return {test.a.name}
    return set()


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
    first, second = _collect(a, 1, terms), _collect(b, -1, terms)
    if first is None or second is None or not a.type.is_integer:
        return None
    known = frozenset((name, factor) for name, factor in terms.items() if factor)
    if not a.type.is_int and (not isinstance(a, Variable) or not isinstance(b, Const)):
        return None  # sums may wrap
    return _Left(known, isinstance(condition, (LT, GT)) - first - second, condition)


def _collect(value: Expr, sign: int, terms: dict[str, int]) -> int | None:
    """The constant of a sum of scalars, which go to `terms`; None for anything else, and for sums
    that wrap."""
    if isinstance(value, Const) and value.type.is_integer:
        return sign * int(value.value)
    if isinstance(value, Variable):
        terms[value.name] = terms.get(value.name, 0) + sign
        return 0
    if isinstance(value, Cast) and value.type.contains_all(value.value.type):
        return _collect(value.value, sign, terms)
    if isinstance(value, (Add, Sub)) and value.type.is_int and value.type.bits >= 32:
        a = _collect(value.a, sign, terms)
        b = _collect(value.b, sign if isinstance(value, Add) else -sign, terms)
        return None if a is None or b is None else a + b
    return None


def _beyond(count: Expr, left: _Left) -> int | None:
    """By how much a count is larger than the sum that is left; None where it is another sum."""
    terms: dict[str, int] = {}
    constant = _collect(count, 1, terms)
    return constant if frozenset(terms.items()) == left.terms else None


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
    step = _step(turn.then, own)
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


def _step(body: Sequence[Stmt], own: _Left) -> int | None:
    """By how much the sum of a condition gets smaller where that holds; None where that isn't a
    constant, or where it might wrap."""
    step = 0
    terms = dict(own.terms)
    for stmt in body:
        changed = writes((stmt,)) & terms.keys()
        if not changed:
            continue
        if not isinstance(stmt, Assign):
            return None
        less = _less(stmt, terms[stmt.name])
        if less is None:
            return None
        step += less
        if stmt.value.type.is_uint and (terms != {stmt.name: 1} or not 0 <= step <= own.least):
            return None
    return step


def _less(stmt: Assign, factor: int) -> int | None:
    """By how much `factor` times a scalar gets smaller, if nothing wraps."""
    value = stmt.value
    if value.type.is_uint and isinstance(value, Sub) and isinstance(value.b, Const):
        is_own = isinstance(value.a, Variable) and value.a.name == stmt.name
        return factor * int(value.b.value) if is_own else None
    found: dict[str, int] = {}
    constant = _collect(value, 1, found)
    return None if constant is None or found != {stmt.name: 1} else -factor * constant


__all__ = ["with_lanes_counted", "with_turns_as_loops"]
