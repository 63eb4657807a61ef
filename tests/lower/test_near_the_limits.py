"""Constants and parameters near the ends of int32 mean what they say, under every schedule.

What a schedule adds (where a loop's conditions turn, how long a region is) must not overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler import ir
from compiler.ir import EQ, GE, GT, I32, LE, LT, NE, Add, Expr, Max, Min, Select, Sub, const
from compiler.ir.simplify_coordinate import simplify_coordinate
from compiler.lower.facts import Facts

X = hl.Var("x")
LIMITS = [
    -(2**31), -(2**31) + 1, -(2**31) + 7, -(2**30) - 1, -5, 5, 2**30 + 1, 2**31 - 8, 2**31 - 2,
    2**31 - 1,
]  # fmt: skip
SCHEDULES: dict[str, Callable[[hl.Func], object]] = {
    "as it is": lambda f: f,
    "vectors": lambda f: f.vectorize(X, 8),
    "guarded vectors": lambda f: f.vectorize(X, 8, hl.TailStrategy.GuardWithIf),
    "unrolled": lambda f: f.unroll(X, 4),
}
FORMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any, int], Any]]] = {
    "min": (lambda c: hl.min(X, c), np.minimum),
    "max": (lambda c: hl.max(X, c), np.maximum),
    "less": (lambda c: hl.select(c > X, X, 7), lambda x, c: np.where(x < c, x, 7)),
    "at most": (lambda c: hl.select(c >= X, X, 7), lambda x, c: np.where(x <= c, x, 7)),
    "equal": (lambda c: hl.select(c == X, X, 7), lambda x, c: np.where(x == c, x, 7)),
    "clamped": (
        lambda c: hl.clamp(X, -3, c), lambda x, c: np.maximum(np.minimum(x, c), -3),
    ),
}  # fmt: skip
FIRST = (-20, 0, 5)


def check(f: hl.Func, plain: Callable[[Any, int], Any], limit: int) -> None:
    for first in FIRST:
        out = hl.Buffer(hl.Int(32), [24])
        out.set_min([first])
        f.realize(out)
        assert (np.array(out) == plain(np.arange(first, first + 24), limit)).all(), (limit, first)


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("form", FORMS)
def test_a_parameter_may_have_any_value(form: str, schedule: str) -> None:
    build, plain = FORMS[form]
    p = hl.Param(hl.Int(32))
    f = hl.Func()
    f[X] = build(p)
    SCHEDULES[schedule](f)
    for limit in LIMITS:
        p.set(limit)
        check(f, plain, limit)


@pytest.mark.parametrize(
    ("form", "limit", "schedule"),
    [
        ("max", 2**31 - 2, "as it is"),
        ("max", 2**31 - 8, "as it is"),
        ("max", 2**31 - 1, "vectors"),
        ("min", -(2**31) + 1, "vectors"),
        ("min", -(2**31), "guarded vectors"),
        ("less", -(2**31) + 7, "vectors"),
        ("at most", 2**31 - 2, "guarded vectors"),
        ("clamped", 2**31 - 8, "unrolled"),
        ("equal", -(2**31), "vectors"),
    ],
)
def test_a_constant_may_have_any_value(form: str, limit: int, schedule: str) -> None:
    build, plain = FORMS[form]
    f = hl.Func()
    f[X] = build(limit)
    SCHEDULES[schedule](f)
    check(f, plain, limit)


def test_what_is_kept_of_a_limit_is_its_low_bits() -> None:
    f = hl.Func()
    f[X] = hl.u16(hl.min(X, -(2**31) + 1))
    f.vectorize(X, 8)
    assert np.array(f.realize([16])).tolist() == [1] * 16


def test_a_region_that_no_coordinate_counts_is_refused() -> None:
    table = hl.Buffer(np.arange(8, dtype=np.int32))
    g, f = hl.Func("g"), hl.Func("f")
    g[X] = hl.u8(X)
    g.compute_root()
    f[X] = g[hl.clamp(table[X], -(2**30), 2**30 - 1)]
    with pytest.raises(hl.HalideError, match="overflow"):
        f.realize([8])


A, B = ir.Variable("a", I32), ir.Variable("b", I32)
END = 2**31 - 1
FAR = [
    LT(Add(A, const(END)), Sub(B, const(END))),
    LE(Sub(A, const(END)), B),
    LT(A, Sub(B, const(-END))),
    EQ(Add(A, const(END)), Sub(B, const(7))),
    NE(Sub(A, const(END)), const(-END)),
    GT(A, const(-END - 1)),
    GE(Sub(A, const(3)), const(END - 2)),
    LT(Add(A, const(9)), const(-END)),
    Min(Sub(A, const(END)), B),
    Max(Sub(A, const(5)), const(END - 1)),
    Max(Add(A, const(-END)), Add(B, const(END))),
    Add(Min(A, const(END)), const(5)),
    Sub(Max(A, const(-END)), const(5)),
    Select(LT(A, B), Sub(A, const(END)), Add(B, const(END))),
    Add(Add(A, const(END)), const(1)),
    LT(Add(Add(A, const(END)), const(1)), B),
]
VALUES = [-END - 1, -END, -END + 7, -9, -8, -1, 0, 1, 5, 8, END - 9, END - 1, END]


def exact(e: Expr, values: dict[Expr, int]) -> int | None:
    """The value over whole numbers; None where a step leaves int32."""
    if e in values:
        return values[e]
    if isinstance(e, ir.Const):
        return int(e.value)
    parts = [exact(c, values) for c in e.children]
    if isinstance(e, Select):
        condition, a, b = parts
        return None if condition is None else a if condition else b
    a, b = parts
    if a is None or b is None:
        return None
    operators: dict[type[Expr], Callable[[int, int], int]] = {
        Add: lambda x, y: x + y, Sub: lambda x, y: x - y, Min: min, Max: max,
        LT: lambda x, y: x < y, LE: lambda x, y: x <= y, GT: lambda x, y: x > y,
        GE: lambda x, y: x >= y, EQ: lambda x, y: x == y, NE: lambda x, y: x != y,
    }  # fmt: skip
    made = int(operators[type(e)](a, b))
    return made if -END - 1 <= made <= END else None


@pytest.mark.parametrize("e", FAR, ids=str)
def test_a_coordinate_near_the_limits_keeps_its_value(e: Expr) -> None:
    """Wherever the expression as written doesn't overflow."""
    simple = simplify_coordinate(e)
    seen = 0
    for a in VALUES:
        for b in VALUES:
            wanted = exact(e, {A: a, B: b})
            if wanted is None:
                continue
            seen += 1
            made = ir.evaluate(simple, {"a": np.int32(a), "b": np.int32(b)})
            assert int(made) == wanted, f"{e} -> {simple} at {a}, {b}"
    assert seen


def test_facts_compare_whole_numbers() -> None:
    facts = Facts().with_range(const(0), A, const(10))
    assert facts.decide(GT(A, const(-END - 1))) is True
    assert facts.decide(LT(A, const(-END - 1))) is False
    assert facts.decide(LT(A, const(END))) is True
    assert facts.decide(LT(Sub(A, const(END)), const(-END - 1))) is False
    assert facts.decide(LT(A, const(5))) is None
