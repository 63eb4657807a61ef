"""What symbolic execution folds at the root of an expression, each rule proved."""

from __future__ import annotations

import itertools

import pytest

from compiler.ir import (
    BOOL,
    EQ,
    I32,
    LT,
    NE,
    U32,
    And,
    BitAnd,
    BitOr,
    Cast,
    Const,
    Expr,
    Not,
    Select,
    Shl,
    Shr,
    Type,
    Variable,
    evaluate,
    substitute,
)
from compiler.ir.rewriting import Rule
from lifter.dag.scalars import FOLDING_RULES, fold, unknown
from tests.ir.proofs_of_rules import TYPES, counterexamples, wildcards

EQUATIONS = [
    (rule, type) for rule in FOLDING_RULES.rules if isinstance(rule, Rule)
    for type in TYPES if rule.applies_to(type)
]  # fmt: skip
P, Q, X, Y = (Variable(name, BOOL) for name in "pqxy")
A, B = Variable("a", I32), Variable("b", I32)
D = Variable("d", U32)


def low(value: Expr, mask: int = 255) -> Expr:
    return BitAnd(value, Const(U32, mask))


def shl(value: Expr, by: int) -> Expr:
    return Shl(value, Const(U32, by))


def shr(value: Expr, by: int) -> Expr:
    return Shr(value, Const(U32, by))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(("rule", "type"), EQUATIONS, ids=lambda x: getattr(x, "name", str(x)))
def test_both_sides_of_an_equation_are_equal_and_it_fires(rule: Rule, type: Type) -> None:
    assert counterexamples(rule, type) == 0
    for left, _ in rule.instances(type):
        plain = {v: Variable(f"{v.name}_", v.type) for v in wildcards(left)}
        node = substitute(left, plain)
        assert fold(node) is not node


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (Select(P, unknown("undefined", "t", I32), A), A),
        (Select(P, A, unknown("undefined", "t", I32)), A),
        (Not(And(LT(A, B), P)), "a >= b || !p"),
        (EQ(Cast(I32, And(P, Q)), Const(I32, 0)), "!p || !q"),
        (NE(Cast(I32, P), Const(I32, 0)), P),
        (Cast(BOOL, Cast(I32, P)), P),
        (low(BitOr(shl(low(D, 255), 24), shr(D, 8))), "d >> 8 & 255"),
        (low(BitOr(shr(D, 8), shl(D, 24))), "d >> 8 & 255"),
        (low(BitOr(shl(D, 16), BitOr(shl(D, 8), D))), "d & 255"),
        (low(low(D, 0xFF00), 0xFFFF), "d & 65280"),
        (low(low(D, 0x1FF)), "d & 255"),
    ],
    ids=str,
)
def test_what_no_pattern_says(given: Expr, expected: Expr | str) -> None:
    assert str(fold(given)) == str(expected)


@pytest.mark.parametrize(
    "expr",
    [
        Select(P, unknown("stale", "t", I32), A),
        Not(P),
        EQ(Cast(I32, P), Const(I32, 1)),
        Cast(I32, Cast(BOOL, A)),
        And(P, Q),
        low(BitOr(shl(D, 7), D)),
        low(BitOr(shr(D, 8), shr(D, 24))),
        low(BitOr(low(D, 0x100), low(D, 1))).a,
        BitAnd(BitOr(BitAnd(A, Const(I32, 256)), A), Const(I32, 255)),
    ],
    ids=str,
)
def test_what_says_something_stays(expr: Expr) -> None:
    assert fold(expr) is expr


@pytest.mark.parametrize("mask", [1, 255, 0xFF00, 0xF0F0F0F0, 0xFFFFFFFF])
def test_the_bits_that_a_mask_leaves_are_those_that_were_there(mask: int) -> None:
    parts = [low(D, 0xFF00FF), shl(D, 8), shr(D, 8), shl(low(D, 255), 24), D, low(shr(D, 16), 255)]
    for a, b in itertools.product(parts, parts):
        node = low(BitOr(a, b), mask)
        for d in (0, 0xFFFFFFFF, 0x12345678, 0x80FF017E):
            assert int(evaluate(fold(node), {"d": d})) == int(evaluate(node, {"d": d}))
