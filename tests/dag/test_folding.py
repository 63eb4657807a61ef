"""What symbolic execution folds at the root of an expression, each rule proved."""

from __future__ import annotations

import pytest

from compiler.ir import (
    BOOL,
    EQ,
    I32,
    LT,
    NE,
    And,
    Cast,
    Const,
    Expr,
    Not,
    Select,
    Type,
    Variable,
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
    ],
    ids=str,
)
def test_what_says_something_stays(expr: Expr) -> None:
    assert fold(expr) is expr
