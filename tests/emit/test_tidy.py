"""Exact rewrites, checked on all values; promotion rules, checked on the real Halide."""

from __future__ import annotations

import itertools

import halide as hl
import numpy as np
import pytest

from compiler.ir import (  # fmt: skip
    F32,
    GE,
    I8,
    I16,
    I32,
    I64,
    LT,
    U8,
    U16,
    U32,
    Add,
    And,
    BitAnd,
    Cast,
    Const,
    Expr,
    Max,
    Min,
    Neg,
    Sub,
    Type,
    Variable,
    evaluate,
    substitute,
)
from compiler.ir.rewriting import Rule
from lifter.emit.promotion import arithmetic, bitwise
from lifter.emit.tidy import TIDY_RULES, tidy
from tests.ir.proofs_of_rules import TYPES as BYTES_AND_FLOATS
from tests.ir.proofs_of_rules import counterexamples, is_constant, wildcards

A, B = Variable("a", U8), Variable("b", U8)
S = Variable("s", I8)
VALUES = np.arange(256)


def wide(e: Expr) -> Expr:
    return Cast(I32, e)


EXPRESSIONS = [
    Cast(U8, Cast(I32, A)),
    Cast(U8, Add(wide(A), wide(B))),
    Cast(U16, Cast(I16, wide(A))),
    Cast(I8, Cast(U16, Cast(I32, S))),
    Cast(U32, Cast(U8, wide(S))),
    Cast(F32, wide(A)),
    Cast(F32, Cast(U8, wide(S))),
    Cast(I32, Add(Cast(I64, wide(A)), Cast(I64, wide(S)))),
    Add(wide(A), Const(I32, -3)),
    Sub(wide(S), Const(I32, -128)),
    Sub(S, Const(I8, -128)),
    Min(Max(wide(S), Const(I32, 3)), Const(I32, 90)),
    Min(Max(wide(S), Const(I32, 90)), Const(I32, 3)),
    LT(Const(I32, 77), wide(A)),
    GE(wide(A), Const(I32, 256)),
    GE(wide(A), Const(I32, 255)),
    LT(wide(S), Const(I32, -1)),
    LT(Cast(U32, A), Cast(U32, B)),
    LT(Cast(U32, S), Cast(U32, Const(I8, 5))),
    LT(Cast(U8, S), Const(U8, 200)),
    Neg(wide(S)),
    BitAnd(LT(A, B), GE(A, Const(U8, 3))),
]


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
def test_tidying_changes_no_value(expr: Expr) -> None:
    a, b = np.meshgrid(VALUES, VALUES[::17])
    values = {"a": a, "b": b, "s": a.astype(np.int8)}
    assert np.array_equal(evaluate(expr, values), evaluate(tidy(expr), values))
    assert tidy(expr).type is expr.type


@pytest.mark.parametrize(
    ("expr", "tidied"),
    [
        (Cast(U8, Cast(I32, A)), A),
        (LT(Const(I32, 77), wide(A)), tidy(LT(Const(U8, 77), A))),
        (BitAnd(LT(A, B), LT(B, A)), And(LT(A, B), LT(B, A))),
    ],
    ids=str,
)
def test_what_says_nothing_goes(expr: Expr, tidied: Expr) -> None:
    assert tidy(expr) is tidied


@pytest.mark.parametrize(
    "expr",
    [
        Cast(I32, Cast(U8, Variable("i", I32))),
        GE(wide(A), Const(I32, 256)),
        LT(Cast(U32, S), Const(U32, 5)),
        Cast(F32, Cast(U8, Variable("i", I32))),
    ],
    ids=str,
)
def test_what_says_something_stays(expr: Expr) -> None:
    assert tidy(expr) is expr


TYPES = ("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
         "float32", "float64")  # fmt: skip


def _halide(type: Type) -> hl.Expr:
    made = {"uint": hl.UInt, "int": hl.Int, "float": hl.Float}[type.code](type.bits)
    return hl.Param(made, f"p_{type.code}{type.bits}") + hl.cast(made, 0)


def test_operators_promote_as_in_the_real_language() -> None:
    from lifter.emit.expression_json import type_from_text

    types = [type_from_text(t) for t in TYPES]
    for a, b in itertools.product(types, types):
        assert str((_halide(a) + _halide(b)).type()) == str(arithmetic(a, b)), (a, b)
        try:
            both = str((_halide(a) & _halide(b)).type())
        except hl.HalideError:
            both = "None"
        if a.is_integer and b.is_integer:
            assert both == str(bitwise(a, b)), (a, b)


def test_a_wider_type_of_the_same_sign_keeps_values_and_the_other_sign_does_not() -> None:
    assert I16.contains_all(U8) and I32.contains_all(I8) and U8.contains_all(U8)
    assert not (U32.contains_all(I8) or I32.contains_all(U32) or I32.contains_all(F32))


EQUATIONS = [
    (rule, type) for rule in TIDY_RULES.rules if isinstance(rule, Rule)
    for type in BYTES_AND_FLOATS if rule.applies_to(type)
]  # fmt: skip


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(("rule", "type"), EQUATIONS, ids=lambda x: getattr(x, "name", str(x)))
def test_both_sides_of_an_equation_are_equal_for_all_values(rule: Rule, type: Type) -> None:
    assert counterexamples(rule, type) == 0
    for left, _ in rule.instances(type):
        numbers = {"c": -3, "d": 5} if type.is_int else {"c": 3, "d": 5}
        found = {
            v: Const(v.type, numbers[v.name]) if is_constant(v) else Variable(v.name, v.type)
            for v in wildcards(left)
        }
        assert tidy(substitute(left, found)) is not substitute(left, found)
