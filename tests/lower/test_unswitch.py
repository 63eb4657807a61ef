"""Conditions on parameters are decided outside of the loops, and only those."""

from __future__ import annotations

import numpy as np

import compiler as hl
from compiler.ir import stmts as s
from compiler.ir.nodes import Select, postorder
from compiler.ir.stmt_transform import expressions_of, walk


def lowered(choose: object) -> s.Stmt:
    x, y = hl.vars("x y")
    image, mode = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.Int(32), "mode")
    f = hl.Func("f")
    f[x, y] = choose(image[x, y], mode)  # type: ignore[operator]
    return f.lowered().body


def selects_in_loops(body: s.Stmt) -> int:
    loops = [st for st in walk(body) if isinstance(st, s.For)]
    return sum(
        isinstance(node, Select)
        for loop in loops
        for st in walk(loop)
        for e in expressions_of(st)
        for node in postorder(e)
    )


def parallel_nests(body: s.Stmt) -> int:
    return sum(isinstance(st, s.For) and st.kind == "parallel" for st in walk(body))


def test_a_switch_over_a_mode_is_one_nest_a_case() -> None:
    body = lowered(
        lambda v, mode: hl.select(mode == 0, v, mode == 1, 255 - v, mode == 2, v / 2, v * 3)
    )
    assert parallel_nests(body) == 4
    assert selects_in_loops(body) == 0


def test_a_condition_on_a_pixel_stays_inside() -> None:
    body = lowered(lambda v, mode: hl.select(v > 3, v, 255 - v))
    assert parallel_nests(body) == 1
    assert selects_in_loops(body) > 0


def test_the_number_of_versions_is_bounded() -> None:
    def many(v: hl.Expr, mode: hl.Param) -> hl.Expr:
        for bit in range(8):
            v = hl.select((mode & (1 << bit)) == 0, v + bit, v * 3)
        return v

    assert 1 < parallel_nests(lowered(many)) <= 32


def test_what_either_of_two_conditions_says_of_each_is_right() -> None:
    x, p, q = hl.Var("x"), hl.Param(hl.Int(32), "p"), hl.Param(hl.Int(32), "q")
    f = hl.Func("f")
    each = hl.select(p > 3, 1, 2) + hl.select(q > 3, 4, 8)
    f[x] = hl.select((p > 3) | (q > 3), each, 20)
    g = hl.Func("g")
    g[x] = hl.select((p > 3) & (q > 3), 20, each)
    for one in (1, 9):
        for other in (1, 9):
            p.set(one)
            q.set(other)
            a, b = one > 3, other > 3
            both = (1 if a else 2) + (4 if b else 8)
            assert set(np.asarray(f.realize([9]))) == {both if a or b else 20}
            assert set(np.asarray(g.realize([9]))) == {20 if a and b else both}


def test_a_parameter_that_equals_zero_keeps_its_sign() -> None:
    x = hl.Var("x")
    image, p = hl.ImageParam(hl.Float(32), 1, "image"), hl.Param(hl.Float(32), "p")
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = hl.select(p == 0.0, image[x] * p, 7.0)
    g[x] = hl.select(p == 2.0, image[x] * p, 7.0)  # here the number is the parameter
    image.set(hl.Buffer(np.ones(20, np.float32)))
    p.set(-0.0)
    assert np.signbit(np.asarray(f.realize([20]))).all()
    p.set(2.0)
    assert (np.asarray(g.realize([20])) == 2.0).all()
