"""Loops that walk an image element by element and carry to the next row, as a loop in a loop.

    while (x != 0 || y != h) {                while (x != 0 || y != h) {
        *p = f(*p);                               do {
        if (++x < w) {                                *p = f(*p);
            p++;                                      if (++x >= w) break;
        } else {                                      p++;
            x = 0; p = row(++y);                  }
        }                                         x = 0; p = row(++y);
    }                                         }

Iterators over images with padded rows are written so, and what is inlined of them looks so. The two
differ in one thing: the right one doesn't ask the condition after a step within a row. There it
holds, either since nothing that it asks has changed from when it was asked last (`y < h`), or since
`x` begins at a constant that isn't negative, nothing but `x++` and such constants are assigned to
it, so that it is at least 1 after `x++` (signed, it doesn't wrap), and the condition is one that
holds for any such `x`.

Several of them may be turned in each iteration, one for each image. As they begin with the same
column, and their rows are equally long, they carry together, and one loop has the rows of all. That
two lengths which the caller gives are the same is made a precondition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from compiler.ir import (
    EQ,
    NE,
    Add,
    And,
    Const,
    Expr,
    Not,
    Or,
    Variable,
    negation,
    postorder,
    substitute,
)

from ..model.kernel import (
    Assign,
    Break,
    Declare,
    If,
    Return,
    Stmt,
    WhileLoop,
    statements,
)
from .effects import (
    Part,
    before,
    needed_by,
    parts_read,
    parts_read_in,
    parts_written,
    reads,
    writes,
)
from .folding import with_constants

_MOST_STEPS = 3
"""Assignments between the beginning of an odometer's turn and its branch."""
Values = dict[str, Expr]
"""What is known of scalars: constants, and parameters that nothing changes."""


def with_rows_of_odometers(
    body: Sequence[Stmt], scalars: Collection[str]
) -> tuple[tuple[Stmt, ...], tuple[Expr, ...]]:
    """`body` with a loop for the rows and one for the columns; and which equations between the
    parameters `scalars` that takes."""
    found = _Rewriting(frozenset(scalars) - writes(body))
    made = found.block(body, {})
    return tuple(made), tuple(found.equations)


@dataclass
class _Rewriting:
    steady: frozenset[str]
    """The parameters that nothing changes."""
    equations: dict[Expr, None] = field(default_factory=dict)

    def block(self, body: Sequence[Stmt], known: Values) -> list[Stmt]:
        """The statements with their loops rewritten; `known` then is what holds behind them."""
        made: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Assign):
                value = _told(stmt.value, known)
                known.pop(stmt.name, None)
                if isinstance(value, Const) or self._is_steady(value):
                    known[stmt.name] = value
                made.append(stmt)
                continue
            if isinstance(stmt, If):
                then, otherwise = (
                    tuple(self.block(part, dict(known))) for part in (stmt.then, stmt.otherwise)
                )
                stmt = replace(stmt, then=then, otherwise=otherwise)
            elif isinstance(stmt, WhileLoop):
                first, stmt = _with_plain_test(stmt, made)
                made += self.block(first, known)
                stmt = self._loop(stmt, known)
            made.append(stmt)
            for name in writes((stmt,)):
                known.pop(name, None)
        return made

    def _is_steady(self, value: Expr) -> bool:
        return isinstance(value, Variable) and value.name in self.steady

    def _loop(self, loop: WhileLoop, known: Values) -> WhileLoop:
        changed = writes((loop,))
        lasting = {n: v for n, v in known.items() if n not in changed}
        loop = replace(loop, body=tuple(self.block(loop.body, dict(lasting))))
        turn = None if loop.again or not loop.test_first else _Turn.of((*loop.body, *loop.step))
        if turn is None:
            return loop
        condition = _told(loop.condition, lasting)
        within = parts_written(
            (*turn.body, *(s for o in turn.odometers for s in (*o.steps, *o.on)))
        )
        if within & parts_read(condition) and not any(
            _holds(condition, odometer.column) for odometer in turn.odometers
        ):
            return loop
        if not self._carry_together(turn.odometers, known, lasting, parts_written((loop,))):
            return loop
        first = turn.odometers[0]
        inner = replace(
            loop,
            condition=first.stays,
            body=(*turn.body, *(s for o in turn.odometers for s in o.steps)),
            step=(),
            test_first=False,
            again=tuple(s for o in turn.odometers for s in o.on),
        )
        carries = (s for o in turn.odometers for s in o.carry)
        return replace(loop, body=(inner, *carries), step=())

    def _carry_together(
        self,
        odometers: Sequence[_Odometer],
        known: Values,
        lasting: Values,
        changed: Collection[Part],
    ) -> bool:
        """Whether all begin with one column that isn't negative, and are at the ends of their rows
        at the same time; notes which equations that takes."""
        begins = {known.get(o.column.name) for o in odometers}
        resets = {o.reset for o in odometers}
        start = begins.pop()
        if begins or len(resets) > 1 or not isinstance(start, Const) or start.value < 0:
            return False
        if len(odometers) == 1:
            return True
        tests = [_told(o.test, lasting) for o in odometers]
        for odometer, test in zip(odometers, tests, strict=True):
            others = parts_read(test) - {("scalar", odometer.column.name)}
            if not others.isdisjoint(changed):
                return False
        first = odometers[0]
        for odometer, test in zip(odometers[1:], tests[1:], strict=True):
            same = substitute(test, {odometer.column: first.column})
            if same is not tests[0] and not self._equate(tests[0], same, first.column):
                return False
        return True

    def _equate(self, one: Expr, other: Expr, column: Variable) -> bool:
        """Notes the equation of two parameters that makes two tests of a column the same, if there
        is one."""
        lengths = [
            [n for n in postorder(e) if isinstance(n, Variable) and n is not column]
            for e in (one, other)
        ]
        if any(len(found) != 1 or found[0].name not in self.steady for found in lengths):
            return False
        (a,), (b,) = lengths
        if a.type is not b.type or substitute(other, {b: a}) is not one:
            return False
        self.equations[EQ(a, b)] = None
        return True


@dataclass(frozen=True, slots=True)
class _Odometer:
    """What turns one of them by an element: `steps`, then `on` within a row, or `carry`."""

    column: Variable
    steps: tuple[Assign, ...]
    stays: Expr
    """Whether the next element is in the same row, after the steps."""
    test: Expr
    """The same, before them."""
    on: tuple[Stmt, ...]
    carry: tuple[Stmt, ...]
    reset: Const
    """The first column of the next row."""

    @staticmethod
    def at(body: Sequence[Stmt]) -> _Odometer | None:
        """The one whose turn begins with the first of these statements."""
        steps: list[Assign] = []
        branch: Stmt | None = None
        for branch in body[: _MOST_STEPS + 1]:
            if not isinstance(branch, Assign):
                break
            steps.append(branch)
        if not steps or not isinstance(branch, If):
            return None
        for step in steps:
            column = Variable(step.name, step.value.type)
            begins = steps[0] is step or steps[0].name in reads(branch.condition)
            if not begins or not column.type.is_int or column.type.bits < 32:
                continue
            if step.value is not Add(column, Const(column.type, 1)):
                continue
            within, behind = branch.condition, negation(branch.condition)
            for stays, on, carry in (
                (within, branch.then, branch.otherwise),
                (behind, branch.otherwise, branch.then),
            ):
                resets = [s.value for s in carry if isinstance(s, Assign) and s.name == step.name]
                if len(resets) == 1 and isinstance(resets[0], Const) and resets[0].value >= 0:
                    test = before(stays, steps)
                    return _Odometer(column, tuple(steps), stays, test, on, carry, resets[0])
        return None


@dataclass(frozen=True, slots=True)
class _Turn:
    """An iteration: what it does with its elements, and how it goes on to the next ones."""

    body: tuple[Stmt, ...]
    odometers: tuple[_Odometer, ...]

    @staticmethod
    def of(body: Sequence[Stmt]) -> _Turn | None:
        """The iteration with its odometers at its end, where they may stand there: what follows
        one, and the steps of the next one, must be as good before it."""
        if any(isinstance(s, (Break, Return)) for s in statements(tuple(body))):
            return None
        first: list[Stmt] = []
        odometers: list[_Odometer] = []
        rest = tuple(body)
        while rest:
            found = _Odometer.at(rest)
            if found is None:
                moved, rest = rest[:1], rest[1:]
                first += moved
            else:
                moved, rest = found.steps, rest[len(found.steps) + 1 :]
            for earlier in odometers:
                ways = If(body[0].span, earlier.stays, earlier.on, earlier.carry)
                passed = (ways,) if found is not None else (*earlier.steps, ways)
                if not _commute(moved, passed):
                    return None
            if found is not None:
                odometers.append(found)
        columns = [o.column.name for o in odometers]
        assigned = Counter(
            s.name for s in statements(tuple(body)) if isinstance(s, (Assign, Declare))
        )
        if not odometers or any(assigned[name] != 2 for name in columns):
            return None
        return _Turn(tuple(first), tuple(odometers))


def _commute(one: Sequence[Stmt], other: Sequence[Stmt]) -> bool:
    """Whether two sequences of statements may change places."""
    changed, other_changed = parts_written(one), parts_written(other)
    return changed.isdisjoint(other_changed | parts_read_in(other)) and other_changed.isdisjoint(
        parts_read_in(one)
    )


def _told(expr: Expr, known: Values) -> Expr:
    """An expression with what is known of its scalars."""
    mapping: dict[Expr, Expr] = {
        n: known[n.name] for n in postorder(expr) if isinstance(n, Variable) and n.name in known
    }
    return with_constants(expr, mapping) if mapping else expr


def _holds(condition: Expr, column: Variable, wanted: bool = True) -> bool:
    """Whether a condition is seen to hold (or, unless `wanted`, not to hold) for each column from 1
    on, whatever else it asks."""
    if isinstance(condition, Not):
        return _holds(condition.value, column, not wanted)
    if isinstance(condition, (And, Or)):
        parts = (_holds(part, column, wanted) for part in (condition.a, condition.b))
        return all(parts) if isinstance(condition, And) is wanted else any(parts)
    kind = NE if wanted else EQ
    return (
        isinstance(condition, kind)
        and condition.a is column
        and isinstance(condition.b, Const)
        and condition.b.value <= 0
    )


def _with_plain_test(
    loop: WhileLoop, earlier: Sequence[Stmt]
) -> tuple[tuple[Stmt, ...], WhileLoop]:
    """What a loop computes anew before each test, though nothing in it changes, before the loop:
    `do { n = h; } while (y < n) { rest }`, and `while (y < n) { rest; n = h }` where `n = h` is the
    `earlier` statement, are `n = h; while (y < n) { rest }`."""
    if not loop.test_first:
        first = (*loop.body, *loop.step)
        if loop.again and _is_as_before(first, loop.again):
            return first, replace(loop, body=loop.again, step=(), again=(), test_first=True)
        return (), loop
    for count in range(min(len(loop.step), len(earlier)), 0, -1):
        last, rest = loop.step[-count:], loop.step[:-count]
        if _say_the_same(last, earlier[-count:]) and _is_as_before(last, (*loop.body, *rest)):
            return (), replace(loop, step=rest)
    return (), loop


def _say_the_same(one: Sequence[Stmt], other: Sequence[Stmt]) -> bool:
    return all(
        isinstance(a, Assign) and isinstance(b, Assign) and (a.name, a.value) == (b.name, b.value)
        for a, b in zip(one, other, strict=True)
    )


def _is_as_before(first: Sequence[Stmt], rest: Sequence[Stmt]) -> bool:
    """Whether statements about scalars leave what they have left before, once more and with `rest`
    in between."""
    if not all(isinstance(s, (Assign, Declare, If)) for s in statements(tuple(first))):
        return False
    needed, made, changed = needed_by(first), parts_written(first), parts_written(rest)
    return made.isdisjoint(changed | needed) and needed.isdisjoint(changed)
