"""`specialize`: other loops where a condition holds, and what the condition says about them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

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
from .machines import PLAIN


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
    from compiler.frontend.lowering import schedule_and_lower
    from compiler.ir import Load, Ramp, postorder
    from compiler.ir.stmt_transform import expressions_of, walk

    image = hl.ImageParam(hl.UInt(8), 2, "image")
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = image[x, y]
    f.specialize(image.dim(0).stride() == 1).vectorize(x, 8)

    body = schedule_and_lower([f.function], "f", PLAIN).body
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


SMALL = np.arange(12, dtype=np.uint8).reshape(4, 3)


def _of_small(hl: Any, i: SimpleNamespace) -> tuple[Any, Any]:
    image, f = hl.ImageParam(hl.UInt(8), 2, "small"), hl.Func("f")
    image.set(hl.Buffer(SMALL))
    f[i.x, i.y] = image[i.x, i.y] * 2
    return image, f


def _by_output(hl: Any, i: SimpleNamespace) -> Any:
    _, f = _of_small(hl, i)
    f.specialize(f.output_buffer().width() >= 8).vectorize(i.x, 8)
    return f.realize([3, 4])


def _by_input(hl: Any, i: SimpleNamespace) -> Any:
    image, f = _of_small(hl, i)
    f.specialize(image.width() >= 8).vectorize(i.x, 8).parallel(i.y)
    return f.realize([3, 4])


def _the_rest_in_vectors(hl: Any, i: SimpleNamespace) -> Any:
    _, f = _of_small(hl, i)
    f.specialize(f.output_buffer().width() < 8)
    f.vectorize(i.x, 8)
    return f.realize([3, 4])


def _a_producer(hl: Any, i: SimpleNamespace) -> Any:
    _, f = _of_small(hl, i)
    g = hl.Func("g")
    g[i.x, i.y] = f[i.x, i.y] + 1
    f.compute_root().specialize(g.output_buffer().width() >= 8).vectorize(
        i.x, 8, hl.TailStrategy.ShiftInwards
    )
    return g.realize([3, 4])


def _a_consumer(hl: Any, i: SimpleNamespace) -> Any:
    _, f = _of_small(hl, i)
    g = hl.Func("g")
    g[i.x, i.y] = f[i.x, i.y] + 1
    f.compute_at(g, i.x)
    g.specialize(g.output_buffer().width() >= 8).vectorize(i.x, 8)
    return g.realize([3, 4])


def _two_sizes(hl: Any, i: SimpleNamespace) -> Any:
    _, f = _of_small(hl, i)
    width = f.output_buffer().width()
    f.specialize(width >= 16).vectorize(i.x, 16)
    f.specialize(width >= 2).vectorize(i.x, 2)
    return f.realize([3, 4])


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "program",
    [_by_output, _by_input, _the_rest_in_vectors, _a_producer, _a_consumer, _two_sizes],
)
def test_a_path_that_is_not_taken_asks_for_nothing(program: Any) -> None:
    assert_same(program)


def test_the_path_that_is_taken_asks_for_its_region() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        _, f = _of_small(hl, i)
        f.specialize(f.output_buffer().width() >= 2).vectorize(i.x, 8)
        return f.realize([3, 4])

    assert_same_refusal(program, "is accessed at -5")


def _channels(condition: Any) -> Any:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        image, f = hl.ImageParam(hl.UInt(8), 3, "three"), hl.Func("f")
        image.set(hl.Buffer(THREE))
        f[i.x, i.y, i.c] = image[i.x, i.y, i.c] + 1
        out = f.output_buffer()
        special = f.specialize(condition(image, out))
        special.reorder(i.c, i.x, i.y).unroll(i.c)
        return [f.realize([20, 2, 3]), f.realize([20, 2, 2])]

    return program


THREE = np.arange(126, dtype=np.uint8).reshape(3, 2, 21)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "condition",
    [
        lambda a, f: f.dim(2).extent() == 3,
        lambda a, f: (a.dim(2).extent() == 3) & (f.dim(2).extent() == a.dim(2).extent()),
        lambda a, f: (f.dim(2).extent() == a.dim(2).extent()) & (a.dim(2).extent() == 3),
        lambda a, f: (f.dim(2).extent() >= 3) & (f.dim(2).extent() <= 3),
        lambda a, f: f.dim(2).extent() - 1 == 2,
    ],
)
def test_an_extent_that_a_condition_fixes_is_a_constant(condition: Any) -> None:
    assert_same(_channels(condition))


def test_conditions_inside_of_conditions_fix_it_together() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        image, f = hl.ImageParam(hl.UInt(8), 3, "three"), hl.Func("f")
        image.set(hl.Buffer(THREE))
        f[i.x, i.y, i.c] = image[i.x, i.y, i.c] + 1
        same = f.specialize(f.output_buffer().dim(2).extent() == image.dim(2).extent())
        same.specialize(image.dim(2).extent() == 3).reorder(i.c, i.x, i.y).unroll(i.c)
        return [f.realize([20, 2, 3]), f.realize([20, 2, 2])]

    assert_same(program)


def test_an_extent_that_no_condition_fixes_is_none() -> None:
    assert_same_refusal(_channels(lambda a, f: f.dim(2).extent() >= 3), "constant extent")
