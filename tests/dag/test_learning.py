"""What arithmetic tells, or else is undefined, and what it claims: where it is computed."""

from __future__ import annotations

from compiler.ir import (
    EQ,
    GE,
    I32,
    I64,
    LT,
    NE,
    U32,
    Add,
    And,
    Cast,
    Expr,
    Mul,
    Or,
    Select,
    Sub,
    Type,
    Variable,
    const,
)
from lifter.dag import Indexer, Ranges

A, M, N = (Variable(name, I32) for name in "amn")
TWICE = Mul(N, const(2, I32))


def learnt(expr: Expr) -> dict[str, list[str]]:
    """The values that fit, with what holds where each is known to."""
    found: dict[str, list[str]] = {}

    def learn(_: Type, value: Expr, where: tuple[Expr, ...]) -> None:
        found.setdefault(repr(value), []).append(" and ".join(map(repr, where)))

    indexer = Indexer(Ranges({"a": I32, "m": I32, "n": I32}), lambda *_: None, learn)
    indexer.formula(expr) if expr.type.is_bool else indexer.index(expr)
    return found


def test_a_sum_fits() -> None:
    assert learnt(Add(A, TWICE)) == {"n * 2": [""], "a + n * 2": [""]}


def test_one_side_of_a_choice_fits_where_it_is_taken() -> None:
    chosen = Select(EQ(M, const(1, I32)), TWICE, Add(A, N))
    assert learnt(chosen) == {"n * 2": ["m == 1"], "a + n": ["m != 1"]}


def test_choices_in_choices() -> None:
    inner = Select(LT(A, const(0, I32)), A, TWICE)
    chosen = Select(EQ(M, const(1, I32)), A, inner)
    assert learnt(chosen) == {"n * 2": ["m != 1 and a >= 0"]}


def test_the_second_part_of_a_condition_fits_where_it_is_asked() -> None:
    first, second = GE(A, const(0, I32)), LT(TWICE, A)
    assert learnt(And(first, second)) == {"n * 2": ["a >= 0"]}
    assert learnt(Or(first, second)) == {"n * 2": ["a < 0"]}


U, ONE = Variable("u", U32), const(1, U32)
BEFORE = Sub(U, ONE)
FIRST_OR_BEFORE = Select(NE(U, const(0, U32)), BEFORE, U)


def claims(*exprs: Expr) -> list[str]:
    found: list[str] = []
    indexer = Indexer(Ranges({"u": U32}), lambda formula, _: found.append(repr(formula)))
    for expr in exprs:
        indexer.index(Cast(I64, expr))
    return found


def test_what_would_wrap_is_claimed_not_to_where_it_counts() -> None:
    assert claims(BEFORE) == ["u - 1 >= 0"]
    assert claims(FIRST_OR_BEFORE) == ["u == 0 || u - 1 >= 0"]


def test_what_counts_everywhere_is_claimed_everywhere() -> None:
    assert claims(FIRST_OR_BEFORE, BEFORE) == ["u == 0 || u - 1 >= 0", "u - 1 >= 0"]
    assert claims(BEFORE, FIRST_OR_BEFORE)[0] == "u - 1 >= 0"
