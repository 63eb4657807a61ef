"""`specialize`: other loops where a condition holds, and what the condition says about them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

import compiler as hl
from compiler.ir import (
    EQ,
    F32,
    FALSE,
    GE,
    I32,
    I64,
    LT,
    TRUE,
    And,
    Expr,
    Max,
    Min,
    Neg,
    Or,
    Variable,
    const,
)
from compiler.lower.facts import Facts

from .both_packages import assert_same, assert_same_refusal


def test_the_first_condition_that_holds_counts() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        f, p = hl.Func("f"), hl.Param(hl.Int(32), "p", 5)
        f[i.x, i.y] = hl.select(p > 3, hl.i32(i.a[i.x, i.y]) * 2, p)
        f.specialize(p > 3).vectorize(i.x, 8)
        f.specialize(p == 2).vectorize(i.x, 4).unroll(i.y, 2)
        made = []
        for value in (5, 2, 0):
            p.set(value)
            made.append(f.realize([40, 5]))
        return made

    assert_same(program)


def test_a_specialization_may_be_specialized() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        f, p = hl.Func("f"), hl.Param(hl.Int(32), "p", 5)
        f[i.x] = i.x * p
        often = f.specialize(p > 3)
        often.specialize(p == 7).vectorize(i.x, 8)
        often.vectorize(i.x, 4)
        made = []
        for value in (5, 7, 0):
            p.set(value)
            made.append(f.realize([40]))
        return made

    assert_same(program)


def test_updates_are_specialized_alone() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        f, p = hl.Func("f"), hl.Param(hl.Int(32), "p", 5)
        r = hl.RDom([(0, 9)])
        f[i.x] = 0
        f[i.x] += hl.i32(i.a[i.x, r]) * p
        f.update().specialize(p == 5).vectorize(i.x, 8).unroll(r, 3)
        return f.realize([41])

    assert_same(program)


def test_a_known_stride_makes_rows_dense() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        image = hl.ImageParam(hl.UInt(8), 2, "image")
        f = hl.Func("f")
        f[i.x, i.y] = hl.i32(image[i.x, i.y]) * 2
        f.specialize(image.dim(0).stride() == 1).vectorize(i.x, 8)
        f.specialize(image.width() >= 32).vectorize(i.x, 4)
        image.set(i.a)
        return f.realize([40, 5])

    assert_same(program)


def test_failing_specializations_fail_where_nothing_else_holds() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        f, p = hl.Func("f"), hl.Param(hl.Int(32), "p", 1)
        f[i.x] = i.x * p
        f.specialize(p > 3).vectorize(i.x, 8)
        f.specialize_fail("{} is too small: 5%")
        return f.realize([40])

    assert_same_refusal(
        program,
        "A schedule specialized with specialize_fail() was chosen: {} is too small: 5%",
    )


def test_failing_specializations_let_others_pass() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        f, p = hl.Func("f"), hl.Param(hl.Int(32), "p", 4)
        f[i.x] = i.x * p
        f.specialize(p > 3).vectorize(i.x, 8)
        f.specialize_fail("too small")
        return f.realize([40])

    assert_same(program)


X, W = Variable("x", I32), Variable("w", I32)


def simplified(e: Expr, *conditions: tuple[Expr, bool]) -> Expr:
    facts = Facts()
    for condition, holds in conditions:
        facts = facts.with_condition(condition, holds)
    return facts.simplified(e)


def test_facts_decide_what_follows_from_them() -> None:
    wide = (GE(W, const(32)), True)
    assert simplified(LT(W, const(8)), wide) is FALSE
    assert simplified(Min(W, const(16)), wide) is const(16)
    assert simplified(Max(W, const(32)), wide) is W
    assert simplified(EQ(W, const(3)), wide) is FALSE
    assert simplified(LT(const(0), W), (LT(W, const(1)), False)) is TRUE


def test_facts_decide_nothing_else() -> None:
    wide = (GE(W, const(32)), True)
    for open_ in (LT(W, const(33)), LT(X, const(8)), EQ(W, const(32))):
        assert simplified(open_, wide) is open_
    either = (Or(GE(W, const(32)), LT(X, const(3))), True)
    assert simplified(LT(W, const(8)), either) is not FALSE


def test_facts_of_both_sides_of_a_conjunction_hold() -> None:
    both = (And(GE(W, const(32)), EQ(X, const(7))), True)
    assert simplified(LT(X, W), both) is TRUE


def test_facts_about_large_numbers_are_exact() -> None:
    big = Variable("big", I64)
    limit = const((1 << 62) + 1, I64)
    facts = (GE(big, limit), True)
    kept = GE(big, const((1 << 62) + 2, I64))
    assert simplified(kept, facts) is kept


def test_strides_of_one_are_seen_by_the_vectorizer() -> None:
    from compiler.ir import Load, Ramp, postorder
    from compiler.ir.stmt_transform import expressions_of, walk
    from compiler.lower import lower

    image = hl.ImageParam(hl.UInt(8), 2, "image")
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = image[x, y]
    f.specialize(image.dim(0).stride() == 1).vectorize(x, 8)

    class Plain:
        natural_vector_bits, permutes_bytes, masks_lanes = 128, False, False

    body = lower([f.function], "f", Plain()).body
    strides = {
        e.indices[0].stride
        for st in walk(body)
        for e in postorder(*expressions_of(st))
        if isinstance(e, Load) and isinstance(e.indices[0], Ramp)
    }
    assert strides == {const(1, I64)}


def test_zero_says_nothing_of_its_sign() -> None:
    p = Variable("p", F32)
    for value, known in ((0.0, False), (-0.0, False), (2.0, True)):
        number = const(value, F32)
        facts = Facts().with_condition(EQ(p, number), True)
        assert (facts.simplified(Neg(p)) is const(-value, F32)) == known


def test_a_specialization_for_zero_keeps_the_sign_of_minus_zero() -> None:
    """The real package takes the parameter for +0.0 here, and gives +inf."""
    x, p = hl.Var("x"), hl.Param(hl.Float(32), "p", -0.0)
    f = hl.Func("f")
    f[x] = 1.0 / (hl.f32(x + 1) * p)
    f.specialize(p == 0.0).vectorize(x, 8)
    assert (np.asarray(f.realize([40])) == -np.inf).all()
