"""Every rule of the simplifier is proved: for all byte values, both sides are equal."""

from __future__ import annotations

import random

import numpy as np
import pytest

from compiler.ir import (
    BOOL,
    F32,
    I8,
    I32,
    U8,
    Add,
    Cast,
    Const,
    Div,
    Expr,
    Min,
    Mod,
    Mul,
    Neg,
    Select,
    Sub,
    Type,
    Variable,
    const,
    evaluate,
    simplify,
    substitute,
)
from compiler.ir.nodes import EQ, FALSE, LT, Not
from compiler.ir.rewriting import Rule
from compiler.ir.simplify_rules import ALL_RULES

from .proofs_of_rules import TYPES, all_values, counterexamples, is_constant, wildcards


def cases() -> list[tuple[Rule, Type]]:
    return [(rule, t) for rule in ALL_RULES for t in TYPES if rule.applies_to(t)]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(("rule", "type"), cases(), ids=lambda c: getattr(c, "name", str(c)))
def test_both_sides_are_equal_for_all_values(rule: Rule, type: Type) -> None:
    assert counterexamples(rule, type) == 0


def test_rule_names_are_unique() -> None:
    names = [rule.name for rule in ALL_RULES]
    assert len(set(names)) == len(names)


def test_the_proof_finds_a_wrong_rule() -> None:
    wrong = Rule("wrong", "iu", lambda w: (w.x * w.c / w.c, w.x))
    assert counterexamples(wrong, U8) > 0
    wrong_float = Rule("wrong", "f", lambda w: (w.x + 0.0, w.x))
    assert counterexamples(wrong_float, F32) > 0


@pytest.mark.parametrize(("rule", "type"), cases(), ids=lambda c: getattr(c, "name", str(c)))
def test_a_rule_fires_on_its_own_left_side(rule: Rule, type: Type) -> None:
    for left, _ in rule.instances(type):
        plain = {
            v: Const(v.type, 3) if is_constant(v) else Variable(v.name, v.type)
            for v in wildcards(left)
        }
        assert rule.apply(substitute(left, plain)) is not None


def random_expression(r: random.Random, type: Type, depth: int) -> Expr:
    if depth == 0:
        return r.choice([Variable("x", type), Variable("y", type),
                         const(type.wrap(r.choice([0, 1, 2, 3, 255, 128, -1])), type)])  # fmt: skip
    a, b = (
        random_expression(r, type, depth - 1),
        random_expression(r, type, r.randint(0, depth - 1)),
    )
    kind = r.choice([Add, Sub, Mul, Div, Mod, Min, "select", "neg", "cast"])
    if kind == "select":
        return Select(r.choice([LT, EQ])(a, b), b, a)
    if kind == "neg":
        return Neg(a)
    if kind == "cast":
        other = r.choice([I8, U8, I32])
        return Cast(type, Add(Cast(other, a), Cast(other, b)))
    return kind(a, b)  # type: ignore[operator]


@pytest.mark.parametrize("type", [I8, U8])
def test_random_expressions_keep_their_value(type: Type) -> None:
    x, y = (g.ravel() for g in np.meshgrid(all_values(type), all_values(type)))
    r = random.Random(7)
    for _ in range(150):
        e = random_expression(r, type, r.randint(1, 4))
        before, after = (evaluate(v, {"x": x, "y": y}) for v in (e, simplify(e)))
        np.testing.assert_array_equal(
            np.broadcast_to(after, x.shape), np.broadcast_to(before, x.shape), str(e)
        )


def test_sums_are_put_together() -> None:
    x, y = Variable("x", I32), Variable("y", I32)
    assert simplify(Sub(Add(x, y), x)) is y
    assert simplify(Sub(Add(x, const(5)), Add(x, const(3)))) is const(2)
    assert simplify(Add(Mul(Div(x, const(4)), const(4)), Mod(x, const(4)))) is x


def test_constants_fold_but_undefined_operations_stay() -> None:
    assert simplify(LT(const(3), const(2))) is FALSE
    division = Div(const(7), const(0))
    assert simplify(division) is const(0)
    from compiler.ir import TruncDiv

    undefined = TruncDiv(const(7), const(0))
    assert simplify(undefined) is undefined
    x = Variable("x", BOOL)
    assert simplify(Not(Not(x))) is x
