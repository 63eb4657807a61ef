"""Loads of the caller's memory run where C++'s order of evaluation runs them, and nowhere else."""

from __future__ import annotations

import itertools
import random

import pytest

from compiler.ir import (
    FALSE,
    GT,
    I32,
    LT,
    Add,
    And,
    Const,
    Expr,
    Load,
    Not,
    Or,
    Select,
    Variable,
    const,
    postorder,
)
from compiler.ir import stmts as s
from compiler.lower.guard_loads import guard_loads

P, Q = Variable("p", I32), Variable("q", I32)
A, B, C = (Load("m", (const(i),), I32) for i in range(3))
ASKED_P = GT(P, const(0))


class Reading:
    """Computes an expression over some memory, and notes what it reads."""

    def __init__(self, names: dict[str, int], memory: tuple[int, ...], *, lazily: bool) -> None:
        self.names, self.memory, self.lazily = names, memory, lazily
        self.read: set[int] = set()
        self.known: dict[Expr, int] = {}

    def value(self, e: Expr) -> int:
        if e not in self.known:
            self.known[e] = self._value(e)
        return self.known[e]

    def _value(self, e: Expr) -> int:
        match e:
            case Const():
                return int(e.value)
            case Variable():
                return self.names[e.name]
            case Load():
                at = self.value(e.indices[0])
                if e.predicate is not None and not self.value(e.predicate):
                    return 0
                self.read.add(at)
                return self.memory[at % len(self.memory)]
            case Select() if self.lazily:
                return self.value(e.children[1 if self.value(e.condition) else 2])
            case And() if self.lazily:
                return self.value(e.a) and self.value(e.b)
            case Or() if self.lazily:
                return self.value(e.a) or self.value(e.b)
        values = [self.value(c) for c in e.children]
        match e:
            case Select():
                return values[1] if values[0] else values[2]
            case And():
                return values[0] and values[1]
            case Or():
                return values[0] or values[1]
            case Not():
                return int(not values[0])
            case Add():
                return values[0] + values[1]
            case GT():
                return int(values[0] > values[1])
            case LT():
                return int(values[0] < values[1])
        raise AssertionError(e)


def guarded(e: Expr) -> Expr:
    stmt = guard_loads(s.Store("f", e, const(0)), {"m"}, set())
    assert isinstance(stmt, s.Store)
    return stmt.value


def check(e: Expr) -> None:
    made = guarded(e)
    for p, q, *memory in itertools.product((0, 1), (0, 1), (0, 2), (0, 2), (0, 2)):
        names = {"p": p, "q": q}
        lazy = Reading(names, tuple(memory), lazily=True)
        eager = Reading(names, tuple(memory), lazily=False)
        assert eager.value(made) == lazy.value(e), f"{e} for {names}, {memory}"
        assert eager.read <= lazy.read, f"{e} for {names}, {memory}"


SAME_ON_BOTH_SIDES = Or(And(ASKED_P, GT(A, const(1))), And(Not(ASKED_P), LT(A, const(1))))
EACH_BEFORE_THE_OTHER = Or(
    And(ASKED_P, And(GT(A, const(1)), GT(B, const(1)))),
    And(Not(ASKED_P), And(LT(B, const(1)), LT(A, const(1)))),
)
IN_A_CHOICE_OF_NUMBERS = Or(
    And(ASKED_P, LT(Select(GT(Q, const(0)), A, const(5)), const(3))), GT(A, const(1))
)
LOOKED_UP = Or(
    And(ASKED_P, GT(Load("m", (A,), I32), const(1))), And(LT(B, const(1)), GT(A, const(1)))
)


@pytest.mark.parametrize(
    "expr",
    [SAME_ON_BOTH_SIDES, EACH_BEFORE_THE_OTHER, IN_A_CHOICE_OF_NUMBERS, LOOKED_UP],
    ids=["one load", "two loads", "a choice of numbers", "a look-up"],
)
def test_a_load_whose_condition_holds_the_load(expr: Expr) -> None:
    check(expr)


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("seed", range(60))
def test_random_conditions(seed: int) -> None:
    check(_condition(random.Random(seed), 4))


def _condition(source: random.Random, depth: int) -> Expr:
    if depth == 0 or source.random() < 0.15:
        kind = source.choice((LT, GT))
        made: Expr = kind(_number(source, 2), const(1))
        return made
    a, b = _condition(source, depth - 1), _condition(source, depth - 1)
    match source.choice(("and", "or", "not", "select")):
        case "and":
            return And(a, b)
        case "or":
            return Or(a, b)
        case "not":
            return Not(a)
    return Select(a, b, _condition(source, depth - 1))


def _number(source: random.Random, depth: int) -> Expr:
    kind = source.choice(("load", "load", "name", "select", "add", "look-up"))
    if depth == 0 or kind in ("load", "name"):
        return source.choice((A, B, C) if kind == "load" else (P, Q))
    if kind == "look-up":
        return Load("m", (source.choice((A, B)),), I32)
    a, b = _number(source, depth - 1), _number(source, depth - 1)
    return Add(a, b) if kind == "add" else Select(_condition(source, 1), a, b)


def test_what_is_read_in_any_case_has_no_condition() -> None:
    both = Select(ASKED_P, Add(A, const(1)), A)
    assert guarded(both) is both


def test_what_is_read_already_where_a_choice_reads_it_again_is_left_out() -> None:
    """The condition by place is enough: what data decide would be asked of each load again."""
    first, again = (Select(ASKED_P, const(n), A) for n in (0, 5))
    expr = Select(GT(first, const(1)), Add(again, const(1)), const(7))
    check(expr)
    (load,) = {n for n in postorder(guarded(expr)) if isinstance(n, Load)}
    assert load.predicate is Not(ASKED_P)


def test_a_load_without_its_condition_is_found() -> None:
    """Negative twin: the check finds what it is for."""
    eager = Reading({"p": 0, "q": 0}, (2, 2, 2), lazily=False)
    lazy = Reading({"p": 0, "q": 0}, (2, 2, 2), lazily=True)
    unguarded = And(FALSE, GT(A, const(1)))
    assert eager.value(unguarded) == lazy.value(unguarded)
    assert not eager.read <= lazy.read
