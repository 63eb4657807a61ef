"""What the simplifier does in code rather than by a rule is proved too: casts, selects, sums.

Casts of casts are enumerated completely over sources of up to 16 bits and proved by Z3 above that;
selects are enumerated, and so is every sum of two operators over bytes; Z3 proves a part of those
over int32.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import z3

from compiler.ir import (
    BOOL,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Add,
    Cast,
    Div,
    Expr,
    Mod,
    Mul,
    Neg,
    Select,
    Sub,
    Type,
    Variable,
    const,
    dtype_of,
    evaluate,
    simplify,
)
from compiler.ir.nodes import LT, Not
from compiler.ir.types import F32, F64
from lifter.verify.encode import ValueEncoder

INTEGERS = (I8, U8, I16, U16, I32, U32, I64, U64)


def are_equal(a: Expr, b: Expr) -> bool:
    """Whether Z3 proves that two integer expressions agree for all values of their variables."""
    encode = ValueEncoder()
    left, right = encode(a), encode(b)
    if z3.is_bool(left) != z3.is_bool(right):
        return False
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", 20_000)
    solver.add(left != right)
    return bool(solver.check() == z3.unsat)


def every_value(type: Type) -> np.ndarray[Any, Any]:
    return np.arange(type.min, type.max + 1).astype(dtype_of(type))


@pytest.mark.parametrize("source", INTEGERS, ids=str)
def test_casts_of_casts_keep_every_value(source: Type) -> None:
    x = Variable("x", source)
    shorter = 0
    for middle, target in itertools.product((*INTEGERS, BOOL), (*INTEGERS, BOOL, F32, F64)):
        written = Cast(target, Cast(middle, x))
        made = simplify(written)
        shorter += made is not written
        if made is written:
            continue
        if source.bits <= 16:
            values = every_value(source)
            before, after = (evaluate(e, {"x": values}) for e in (written, made))
            np.testing.assert_array_equal(before, after, str(written))
        elif target.is_float:
            # Rounding of 32- and 64-bit numbers: no cast between integers may be left out.
            assert all(source.contains(v) for v in (middle.min, middle.max)) or (
                middle.contains(source.min) and middle.contains(source.max)
            )
        else:
            assert are_equal(written, made), f"{written} is not {made}"
    assert shorter > 10


def test_selects_keep_every_value() -> None:
    p, q = Variable("p", BOOL), Variable("q", BOOL)
    x, y = Variable("x", U8), Variable("y", U8)
    true, false = const(1, BOOL), const(0, BOOL)
    values: dict[str, Any] = dict(
        zip("pqxy", np.meshgrid([False, True], [False, True], *[every_value(U8)] * 2), strict=True)
    )
    for condition in (p, Not(p), LT(x, y), Not(LT(x, y)), true, false):
        branches = [(x, y), (x, x), (Add(x, y), Sub(x, y))]
        for a, b in (*branches, (p, q), (true, false), (false, true), (true, q), (p, false)):
            written = Select(condition, a, b)
            before, after = (evaluate(e, values) for e in (written, simplify(written)))
            before, after = np.broadcast_arrays(before, after)
            np.testing.assert_array_equal(before, after, str(written))


def sums(type: Type, operators: int) -> Iterator[Expr]:
    """Every sum with so many operators over x, y, a quotient, its remainder, and constants."""
    x, y = Variable("x", type), Variable("y", type)
    three = const(3, type)
    if operators == 0:
        yield from (x, y, three, Mul(Div(x, three), three), Mod(x, three))
        return
    for left in range(operators):
        for a in sums(type, left):
            if operators == 1:
                yield Neg(a)
                yield Mul(a, const(type.max, type))
            for b in sums(type, operators - 1 - left):
                yield Add(a, b)
                yield Sub(a, b)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("type", "step"),
    [(I8, 1), (U8, 1), (I32, 149), pytest.param(I32, 29, marks=pytest.mark.slow)],
    ids=str,
)
def test_sums_are_put_together_exactly(type: Type, step: int) -> None:
    """Of sums of 32 bits, every 149th is proved; the slow test proves every 29th."""
    changed = 0
    for number, written in enumerate(sums(type, 2)):
        if number % step or (made := simplify(written)) is written:
            continue
        changed += 1
        if type.bits == 8:
            grid = np.meshgrid(every_value(type), every_value(type))
            values = {"x": grid[0], "y": grid[1]}
            before, after = (evaluate(e, values) for e in (written, made))
            assert np.array_equal(*np.broadcast_arrays(before, after)), f"{written} is not {made}"
        else:
            assert are_equal(written, made), f"{written} is not {made}"
    assert changed > 5


def test_the_solver_tells_a_wrong_sum_from_a_right_one() -> None:
    x, y = Variable("x", I32), Variable("y", I32)
    assert are_equal(Sub(Add(x, y), y), x)
    assert not are_equal(Sub(Add(x, y), x), x)
    assert not are_equal(Cast(I32, Cast(U16, x)), x)
