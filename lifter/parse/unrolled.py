"""Short loops, iteration by iteration, where their counters say what rows or members are used, or
where they are left early.

for (j = -1; j <= 1; j++)              sum += s[y - 1][x] * k[0];
    sum += s[y + j][x] * k[j + 1];     sum += s[y][x] * k[1];
                                       sum += s[y + 1][x] * k[2];

for (c = 0; c < 2; c++)                              if (s[0] > 9) { v = 1; }
    if (s[c] > 9) { v = 1; break; }                  else if (s[1] > 9) { v = 1; }

for (c = 0; c < 3; c++)                              p.r = f(q.r);
    (c == 0 ? p.r : c == 1 ? p.g : p.b) =            p.g = f(q.g);
        f(c == 0 ? q.r : c == 1 ? q.g : q.b);        p.b = f(q.b);
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from compiler.ir import (
    BOOL,
    FALSE,
    TRUE,
    Call,
    Const,
    Expr,
    Load,
    Variable,
    negation,
    postorder,
)

from ..model.kernel import (
    Allocate,
    Assign,
    Assume,
    Break,
    Declare,
    If,
    Return,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)
from .effects import reads, writes
from .exits import breaks, with_steps_apart, with_tests_inside
from .folding import with_constants

_MOST_ITERATIONS = 16
_MOST_STATEMENTS = 256
"""Of what a loop becomes."""


Fresh = Callable[[str], str]
"""Gives a name that nothing else has."""
Wanted = Callable[["_Count", WhileLoop], bool]


def with_rows_in_turn(body: Sequence[Stmt], tables: Collection[str]) -> tuple[Stmt, ...]:
    """`body` with the loops unrolled whose counters say which rows of these tables are used, and
    with them the short loops inside."""

    def names_rows(count: _Count, loop: WhileLoop) -> bool:
        return count.name in _rows_by(loop.body, tables)

    return tuple(_block(body, names_rows, True))


def with_places_in_turn(body: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """`body` with the loops unrolled whose counters choose among the places of stores, and those
    of one iteration."""

    def chooses(count: _Count, loop: WhileLoop) -> bool:
        return len(count.values) == 1 or count.name in _places_by(loop.body)

    return tuple(_block(body, chooses, False))


def with_ways_out_in_turn(body: Sequence[Stmt], fresh: Fresh) -> tuple[Stmt, ...]:
    """`body` with the loops unrolled that `break` leaves, inner ones first; `fresh` gives names
    that nothing else has."""
    made: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, If):
            then, otherwise = (with_ways_out_in_turn(p, fresh) for p in (stmt.then, stmt.otherwise))
            stmt = replace(stmt, then=then, otherwise=otherwise)
        if isinstance(stmt, WhileLoop):
            stmt = replace(stmt, body=with_ways_out_in_turn(stmt.body, fresh))
            asked = with_steps_apart(with_tests_inside(stmt))
            stays, before = _without_ways_out(asked.body), made[-1] if made else None
            count = None if stays is None else _count(before, replace(asked, body=stays))
            turns = None if count is None else _left_in_turn(asked, count, 0, fresh)
            if turns is not None and len(list(statements(turns))) <= _MOST_STATEMENTS:
                made += turns
                continue
        made.append(stmt)
    return tuple(made)


def _left_in_turn(loop: WhileLoop, count: _Count, at: int, fresh: Fresh) -> tuple[Stmt, ...]:
    """The iterations of a loop from one on, each where none before has left it."""
    if at == len(count.values):
        return (Assign(loop.span, count.name, count.after),)
    value = count.values[at]
    known: dict[Expr, Expr] = {Variable(count.name, value.type): value}
    following = _left_in_turn(loop, count, at + 1, fresh)
    turn = tuple(with_known(loop.body, known))
    begin = Assign(loop.span, count.name, value)
    if not any(isinstance(s, If) and _leaves_deeper(s) for s in turn):
        return begin, *_unless_left(turn, following)
    # What follows would stand behind each of several branches.
    left: Variable = Variable(fresh("left"), BOOL)
    effects = set(_effects(turn))
    alike = effects.pop() if len(effects) == 1 else ()
    inside = _marking(turn, left, len(alike))
    behind = If(loop.span, left, alike, following)
    return begin, Assign(loop.span, left.name, FALSE), *inside, behind


def _effects(body: Sequence[Stmt]) -> Iterator[tuple[Stmt, ...]]:
    """What a block does before it leaves the loop, of each way out."""
    for place, stmt in enumerate(body):
        if isinstance(stmt, Break):
            yield tuple(body[:place])
            return
        if isinstance(stmt, If):
            for part in (stmt.then, stmt.otherwise):
                yield from _effects(part)


def _leaves_deeper(stmt: If) -> bool:
    """Whether a loop is left from within a branch of a branch."""
    return any(isinstance(s, Break) for p in (stmt.then, stmt.otherwise) for s in p[:-1]) or any(
        isinstance(s, If) and breaks((s,)) for p in (stmt.then, stmt.otherwise) for s in p
    )


def _marking(body: Sequence[Stmt], left: Variable, alike: int) -> tuple[Stmt, ...]:
    """An iteration that says by a mark whether it leaves the loop, and does nothing behind that;
    the last `alike` statements before each way out are left to what follows."""
    for place, stmt in enumerate(body):
        if isinstance(stmt, Break):
            return *body[: place - alike], Assign(stmt.span, left.name, TRUE)
        if isinstance(stmt, If) and breaks((stmt,)):
            then, otherwise = (_marking(part, left, alike) for part in (stmt.then, stmt.otherwise))
            rest = _marking(body[place + 1 :], left, alike)
            unless = (If(stmt.span, negation(left), rest),) if rest else ()
            return *body[:place], replace(stmt, then=then, otherwise=otherwise), *unless
    return tuple(body)


def _unless_left(body: tuple[Stmt, ...], following: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """An iteration, and what follows where it doesn't leave the loop."""
    for place, stmt in enumerate(body):
        if isinstance(stmt, Break):
            return body[:place]
        if isinstance(stmt, If) and _is_way_out(stmt.then):
            rest = _unless_left((*stmt.otherwise, *body[place + 1 :]), following)
            if len(stmt.then) == 1:
                stay = negation(stmt.condition)
                return *body[:place], replace(stmt, condition=stay, then=rest, otherwise=())
            return *body[:place], replace(stmt, then=stmt.then[:-1], otherwise=rest)
        if isinstance(stmt, If) and _is_way_out(stmt.otherwise):
            rest = _unless_left((*stmt.then, *body[place + 1 :]), following)
            return *body[:place], replace(stmt, then=rest, otherwise=stmt.otherwise[:-1])
    return *body, *following


def _is_way_out(body: Sequence[Stmt]) -> bool:
    return bool(body) and isinstance(body[-1], Break)


def _without_ways_out(body: Sequence[Stmt]) -> tuple[Stmt, ...] | None:
    """An iteration that stays; None where there is no way out, or one that isn't a branch's end."""
    found = False
    stays: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, If):
            parts = [stmt.then, stmt.otherwise]
            if any(map(_is_way_out, parts)):
                found = True
                # What leaves may do what it likes: nothing follows it here.
                stays += [s for p in parts for s in p if not _is_way_out(p)]
                leaves = [s for p in parts if _is_way_out(p) for s in p[:-1]]
                if any(isinstance(s, (Break, WhileLoop)) for s in statements(tuple(leaves))):
                    return None
                continue
            if breaks((stmt,)):
                found = True
                inner = [_without_ways_out(p) if breaks(p) else p for p in parts]
                if inner[0] is None or inner[1] is None:
                    return None
                stays.append(replace(stmt, then=inner[0], otherwise=inner[1]))
                continue
        stays.append(stmt)
    return tuple(stays) if found else None


def _block(body: Sequence[Stmt], wanted: Wanted, deep: bool, every: bool = False) -> list[Stmt]:
    """The statements with the `wanted` loops unrolled; `deep`: with all that are inside of those;
    `every`: with all."""
    made: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, If):
            then, otherwise = (
                tuple(_block(part, wanted, deep, every)) for part in (stmt.then, stmt.otherwise)
            )
            stmt = replace(stmt, then=then, otherwise=otherwise)
        if not isinstance(stmt, WhileLoop):
            made.append(stmt)
            continue
        count = _count(made[-1] if made else None, stmt)
        is_wanted = count is not None and (every or wanted(count, stmt))
        inside = every or (deep and is_wanted)
        inner = replace(stmt, body=tuple(_block(stmt.body, wanted, deep, inside)))
        turns = tuple(_turns(inner, count)) if count is not None and is_wanted else ()
        is_short = len(list(statements(turns))) <= _MOST_STATEMENTS
        made += turns if turns and is_short else (inner,)
    return made


@dataclass(frozen=True, slots=True)
class _Count:
    """A loop's counter: its value in each iteration, and behind the loop."""

    name: str
    values: tuple[Const, ...]
    after: Const


def _count(before: Stmt | None, loop: WhileLoop) -> _Count | None:
    """The counter of a loop with as many iterations as its text says; None for any other."""
    if not isinstance(before, Assign) or not isinstance(before.value, Const):
        return None
    if len(loop.step) != 1 or loop.again or not before.value.type.is_integer:
        return None
    (step,) = loop.step
    name, value = before.name, before.value
    if not isinstance(step, Assign) or step.name != name or name in writes(loop.body):
        return None
    if reads(step.value) != {name} or reads(loop.condition) != {name}:
        return None
    if any(isinstance(s, (Break, Return, Allocate)) for s in statements(loop.body)):
        return None
    values: list[Const] = []
    counter = Variable(name, value.type)
    while True:
        test = with_constants(loop.condition, {counter: value})
        if not isinstance(test, Const):
            return None
        if not test.value and (loop.test_first or values):
            return _Count(name, tuple(values), value)
        if len(values) == _MOST_ITERATIONS:
            return None
        values.append(value)
        grown = with_constants(step.value, {counter: value})
        if not isinstance(grown, Const):
            return None
        value = grown


def _rows_by(body: Sequence[Stmt], tables: Collection[str]) -> set[str]:
    """The scalars that rows of these tables are computed of."""
    found: set[str] = set()
    for stmt in statements(tuple(body)):
        rows = [n.indices[0] for n in postorder(*expressions_of(stmt))
                if isinstance(n, Load) and n.array in tables]  # fmt: skip
        if isinstance(stmt, Store) and stmt.array in tables:
            rows.append(stmt.indices[0])
        for row in rows:
            found |= reads(row)
    return _with_sources(found, body)


def _places_by(body: Sequence[Stmt]) -> set[str]:
    """The scalars that choose among stores to different elements of one array."""
    found: set[str] = set()
    for stmt in statements(tuple(body)):
        if not isinstance(stmt, If):
            continue
        then, otherwise = _stored(stmt.then), _stored(stmt.otherwise)
        if any(then[array] != otherwise[array] for array in then.keys() & otherwise.keys()):
            found |= reads(stmt.condition)
    return _with_sources(found, body)


def _stored(body: Sequence[Stmt]) -> dict[str, set[tuple[Expr, ...]]]:
    """The elements that statements store, by array."""
    found: dict[str, set[tuple[Expr, ...]]] = {}
    for stmt in statements(tuple(body)):
        if isinstance(stmt, Store):
            found.setdefault(stmt.array, set()).add(stmt.indices)
    return found


def _with_sources(found: set[str], body: Sequence[Stmt]) -> set[str]:
    """Scalars, and those of which they are computed: `p.row = y + j`."""
    while True:
        more = {
            n
            for stmt in statements(tuple(body))
            if isinstance(stmt, Assign) and stmt.name in found
            for n in reads(stmt.value)
        }
        if more <= found:
            return found
        found = found | more


def _stays(value: Expr, changed: Collection[str]) -> bool:
    """Whether a value is computed of scalars alone, and of none of those that are `changed`."""
    return reads(value).isdisjoint(changed) and not any(
        isinstance(node, (Load, Call)) for node in postorder(value)
    )


def _turns(loop: WhileLoop, count: _Count) -> Iterator[Stmt]:
    """The iterations of a loop, one after the other, and what its counter is in the end.

    A scalar that an iteration sets once, to what nothing in it changes, is known in the rest of it
    (`p.row = y + j / 3`).
    """
    changed = writes(loop.body)
    names = [s.name for s in statements(loop.body) if isinstance(s, Assign)]
    once = {name for name in names if names.count(name) == 1}
    for value in count.values:
        known: dict[Expr, Expr] = {Variable(count.name, value.type): value}
        yield Assign(loop.span, count.name, value)
        for stmt in loop.body:
            made = list(with_known((stmt,), known))
            yield from made
            for own in made:
                if isinstance(own, Assign) and own.name in once and _stays(own.value, changed):
                    known[Variable(own.name, own.value.type)] = own.value
    yield Assign(loop.span, count.name, count.after)


def with_known(body: Sequence[Stmt], known: dict[Expr, Expr]) -> Iterator[Stmt]:
    """Statements with constants for scalars that they don't change."""

    def told(expr: Expr) -> Expr:
        return with_constants(expr, known)

    for stmt in body:
        match stmt:
            case Assign():
                yield replace(stmt, value=told(stmt.value))
            case Store():
                indices = tuple(map(told, stmt.indices))
                yield replace(stmt, indices=indices, value=told(stmt.value))
            case If():
                then, otherwise = with_known(stmt.then, known), with_known(stmt.otherwise, known)
                condition = told(stmt.condition)
                if isinstance(condition, Const):
                    yield from then if condition.value else otherwise
                else:
                    yield If(stmt.span, condition, tuple(then), tuple(otherwise))
            case WhileLoop():
                parts = (stmt.body, stmt.step, stmt.again)
                inner, step, again = (tuple(with_known(part, known)) for part in parts)
                condition = told(stmt.condition)
                yield replace(stmt, condition=condition, body=inner, step=step, again=again)
            case Assume():
                yield replace(stmt, condition=told(stmt.condition))
            case Declare() | Break():
                yield stmt
