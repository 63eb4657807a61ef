"""Loops that `break` leaves where a condition alone decides: the loop gets that condition."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from compiler.ir import (
    TRUE,
    Add,
    And,
    Cast,
    Comparison,
    Const,
    Expr,
    Load,
    Neg,
    Not,
    Or,
    Sub,
    Variable,
    negation,
    postorder,
)

from ..model.kernel import (
    Assign,
    Break,
    Declare,
    If,
    Stmt,
    WhileLoop,
    expressions_of,
    statements,
)
from .cleanup import rewritten
from .effects import before as before_steps
from .effects import reads, writes


def with_plain_exits(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Loops that `break` leaves at their beginning, their end or one place between get a condition.

    Before: `while (true) { t = n; n = n - 1; if (t <= 0) break; ... }`, after: `t = n; n = n - 1;
    while (t > 0) { ...; step: t = n; n = n - 1 }`. A test in the middle, `while (true) { a; if (c)
    break; b }`, becomes `do { a } while (!c) { b }` (see `WhileLoop.again`).
    """

    def rewrite(stmt: Stmt) -> Sequence[Stmt]:
        if not isinstance(stmt, WhileLoop) or not breaks(stmt.body):
            return (stmt,)
        before: list[Stmt] = []
        after: list[Stmt] = []
        loop = replace(stmt, body=_without_else(stmt.body))
        leaving: list[tuple[If, tuple[Stmt, ...]]] = []
        while (hoisted := _never_or_at_once(loop)) is not None:
            loop, out, entered = hoisted
            leaving.append((out, entered))
        while True:
            found = _left_at_the_start(loop) or _left_later(loop)
            if found is None:
                break
            first, loop, last = found
            before += first
            after = [*last, *after]
        result: tuple[Stmt, ...] = (*before, loop, *after)
        for out, entered in reversed(leaving):
            once = (replace(out, condition=stmt.condition, then=entered),) if entered else ()
            result = (replace(out, then=once, otherwise=result),)
        return result

    return rewritten(body, rewrite)


Parts = tuple[Sequence[Stmt], WhileLoop, Sequence[Stmt]]
"""What runs before the loop, the loop, what runs after it."""


def with_flags_apart(body: tuple[Stmt, ...], made: Collection[str]) -> tuple[Stmt, ...]:
    """Loops that a flag ends, whose second test asks what they read, with each test as a way out;
    flags `made` by the translator, which nothing but that reads.

    Before: `while (true) { t = a; if (t) { b; t = c } if (!t) break; d }`, after:
    `while (true) { if (!a) break; b; if (!c) break; d }`.
    """

    def rewrite(stmt: Stmt) -> Sequence[Stmt]:
        if not isinstance(stmt, WhileLoop) or stmt.again:
            return (stmt,)
        loop = stmt
        if not loop.test_first:
            out: Stmt = If(loop.span, negation(loop.condition), (Break(loop.span),))
            whole = (*loop.body, *loop.step, out)
            loop = replace(loop, condition=TRUE, body=whole, step=(), test_first=True)
        for at in range(len(loop.body) - 2):
            apart = _flag_apart(loop, at, made)
            if apart is not None:
                return (replace(loop, body=(*loop.body[:at], *apart, *loop.body[at + 3 :])),)
        return (stmt,)

    return rewritten(body, rewrite)


def _flag_apart(loop: WhileLoop, at: int, made: Collection[str]) -> tuple[Stmt, ...] | None:
    """What stands for a flag, what is done where it is set, and the way out where it isn't."""
    first, more, out = loop.body[at : at + 3]
    if not isinstance(first, Assign) or not isinstance(more, If) or not isinstance(out, If):
        return None
    flag = Variable(first.name, first.value.type)
    stay = conjuncts(negation(out.condition))
    if flag.name not in made or more.condition is not flag or more.otherwise:
        return None
    if stay[0] is not flag or flag.name in reads(*stay[1:]) or _way_out((out,)) is None:
        return None
    again = [s for s in more.then if isinstance(s, Assign) and s.name == flag.name]
    uses = [s for s in statements((loop,)) if flag.name in reads(*expressions_of(s))]
    sets = [s for s in statements((loop,)) if isinstance(s, Assign) and s.name == flag.name]
    if len(again) != 1 or len(uses) != 2 or len(sets) != 2 or breaks(more.then):
        return None
    if not asks_memory(again[0].value, loop):
        return None
    once = replace(out, condition=negation(first.value))
    if more.then[-1] is not again[0]:
        return once, *more.then, out
    twice = replace(out, condition=negation(_all_of((again[0].value, *stay[1:]))))
    return once, *more.then[:-1], twice


def _all_of(parts: Sequence[Expr]) -> Expr:
    whole = parts[0]
    for part in parts[1:]:
        whole = And(whole, part)
    return whole


def _never_or_at_once(loop: WhileLoop) -> tuple[WhileLoop, If, tuple[Stmt, ...]] | None:
    """A way out at the beginning of an iteration whose condition no iteration changes: (the loop
    without it, the way out, what runs before the first iteration leaves by it).

    Before: `while (c) { a; if (never) break; b }`, after:
    `if (never) { if (c) { a } } else { while (c) { a; b } }`.
    """
    if not loop.test_first or loop.again:
        return None
    at = next((i for i, s in enumerate(loop.body) if not isinstance(s, Assign)), len(loop.body))
    out = _way_out(loop.body[at : at + 1])
    if out is None or not is_plain(out.condition) or reads(out.condition) & writes((loop,)):
        return None
    before, rest = loop.body[:at], loop.body[at + 1 :]
    return replace(loop, body=(*before, *rest)), out, (*before, *out.then[:-1])


def is_plain(condition: Expr) -> bool:
    """Whether a condition may be asked where the source doesn't ask: it reads no memory, and has no
    arithmetic that could be undefined."""
    return all(
        isinstance(n, (Variable, Const, Comparison, And, Or, Not))
        or (isinstance(n, Cast) and n.type.is_integer and n.value.type.is_integer)
        for n in postorder(condition)
    )


def _without_else(body: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """What a branch that ends with `break` leaves to its `else` follows it instead."""
    result: list[Stmt] = []
    for stmt in body:
        if not isinstance(stmt, If) or not stmt.otherwise:
            result.append(stmt)
        elif stmt.then and isinstance(stmt.then[-1], Break):
            result += (replace(stmt, otherwise=()), *_without_else(stmt.otherwise))
        elif isinstance(stmt.otherwise[-1], Break):
            turned = replace(
                stmt, condition=negation(stmt.condition), then=stmt.otherwise, otherwise=()
            )
            result += (turned, *_without_else(stmt.then))
        else:
            result.append(stmt)
    return tuple(result)


def _left_at_the_start(loop: WhileLoop) -> Parts | None:
    at = next((i for i, s in enumerate(loop.body) if not isinstance(s, Assign)), len(loop.body))
    out = _way_out(loop.body[at : at + 1])
    endless = loop.condition is TRUE
    if out is None or not (loop.test_first or endless) or loop.again:
        return None
    before = [s for s in loop.body[:at] if isinstance(s, Assign)]
    rest, last = loop.body[at + 1 :], out.then[:-1]
    if not endless and (before or last):
        return None
    stay = negation(out.condition)
    first = before[0] if before else None
    others = breaks(rest)
    if first is not None and _is_only_tested(first.name, out.condition, loop):
        # The test comes first, of what the other scalars then change, whether it leaves or not.
        tested = before_steps(out.condition, before)
        after = before[1:]
        if others and (after or last):
            return None
        whole = replace(loop, condition=negation(tested), body=(*after, *rest), test_first=True)
        return (), whole, (*after, *last)
    if others and last:
        return None
    condition = stay if endless else And(loop.condition, stay)
    step = (*loop.step, *before)
    return before, replace(loop, condition=condition, body=rest, step=step, test_first=True), last


def _is_only_tested(name: str, condition: Expr, loop: WhileLoop) -> bool:
    """Whether a scalar is a boolean that nothing but the condition reads."""
    uses = [
        n
        for s in statements((loop,))
        for n in postorder(*expressions_of(s))
        if isinstance(n, Variable) and n.name == name
    ]
    own = [n for n in postorder(condition) if isinstance(n, Variable) and n.name == name]
    return len(uses) == len(own) == 1 and uses[0].type.is_bool


def _left_later(loop: WhileLoop) -> Parts | None:
    """An endless loop with one way out, behind statements that store."""
    at = next((i for i, s in enumerate(loop.body) if _way_out((s,))), None)
    if at is None or loop.condition is not TRUE or loop.again:
        return None
    out = _way_out(loop.body[at : at + 1])
    body, rest = loop.body[:at], (*loop.body[at + 1 :], *loop.step)
    if out is None or breaks((*body, *rest)):
        return None
    whole = replace(
        loop, condition=negation(out.condition), body=body, step=(), test_first=False, again=rest
    )
    return (), whole, out.then[:-1]


def _way_out(stmts: Sequence[Stmt]) -> If | None:
    """`if (c) { ...; break }` with one `break`."""
    for stmt in stmts:
        if not isinstance(stmt, If) or stmt.otherwise or not stmt.then:
            return None
        *before, last = stmt.then
        if isinstance(last, Break) and not breaks(before):
            return stmt
    return None


def breaks(body: Sequence[Stmt]) -> bool:
    """Whether a `break` among the statements leaves the loop around them."""
    for stmt in body:
        if isinstance(stmt, Break):
            return True
        if isinstance(stmt, If) and (breaks(stmt.then) or breaks(stmt.otherwise)):
            return True
    return False


def with_tests_inside(loop: WhileLoop) -> WhileLoop:
    """A loop whose condition asks memory what its iterations read, or what they make of that, with
    that as ways out at the beginning of each."""
    parts = conjuncts(loop.condition)
    tests = [p for p in parts if asks_memory(p, loop)]
    if not tests or not loop.test_first or loop.again:
        return loop
    bounds = [p for p in parts if p not in tests]
    late = parts[parts.index(tests[0]) :]
    if not bounds or any(p in bounds and not is_plain(p) for p in late):
        return loop
    condition = _all_of(bounds)
    outs = (If(loop.span, negation(test), (Break(loop.span),)) for test in tests)
    return replace(loop, condition=condition, body=(*outs, *loop.body))


def with_steps_apart(loop: WhileLoop) -> WhileLoop:
    """A loop whose iterations end with steps, with these as what follows each."""
    body = list(loop.body)
    steps: list[Stmt] = []
    while body and step_of(body[-1]) is not None:
        steps.insert(0, body.pop())
    return replace(loop, body=tuple(body), step=(*steps, *loop.step))


def asks_memory(part: Expr, loop: WhileLoop) -> bool:
    """Whether a condition asks what a loop's iterations read where each reads another element, or
    scalars that they make of that."""
    changed = writes((loop,))
    made: set[str] = set()
    while True:
        more = made | _made_of_memory((loop,), changed, made)
        if more == made:
            return _is_of_memory(part, changed, made)
        made = more


def _made_of_memory(body: Sequence[Stmt], changed: set[str], made: set[str]) -> set[str]:
    """The scalars that statements set to what is read, to what is made of scalars `made` of it, or
    where such a thing says whether they do."""
    found: set[str] = set()
    for stmt in body:
        if isinstance(stmt, Assign) and _is_of_memory(stmt.value, changed, made):
            found.add(stmt.name)
        elif isinstance(stmt, If):
            parts = (*stmt.then, *stmt.otherwise)
            if _is_of_memory(stmt.condition, changed, made):
                found |= {s.name for s in statements(parts) if isinstance(s, (Assign, Declare))}
            found |= _made_of_memory(parts, changed, made)
        elif isinstance(stmt, WhileLoop):
            found |= _made_of_memory((*stmt.body, *stmt.step, *stmt.again), changed, made)
    return found


def _is_of_memory(part: Expr, changed: set[str], made: set[str]) -> bool:
    return any(
        isinstance(n, Load) and (n.array in changed or reads(*n.indices) & changed)
        for n in postorder(part)
    ) or bool(reads(part) & made)


def conjuncts(condition: Expr) -> list[Expr]:
    if isinstance(condition, And):
        return [*conjuncts(condition.a), *conjuncts(condition.b)]
    return [condition]


def step_of(stmt: Stmt) -> Expr | None:
    """By how much an assignment changes its scalar."""
    if not isinstance(stmt, Assign):
        return None
    value = stmt.value
    if isinstance(value, Add):
        if is_named(value.a, stmt.name):
            return value.b
        return value.a if is_named(value.b, stmt.name) else None
    if isinstance(value, Sub) and is_named(value.a, stmt.name):
        if isinstance(value.b, Const) and value.b.type.is_int:
            return Const(value.b.type, -value.b.value)
        made: Expr = Neg(value.b)
        return made
    return None


def is_named(expr: Expr, name: str) -> bool:
    return isinstance(expr, Variable) and expr.name == name
