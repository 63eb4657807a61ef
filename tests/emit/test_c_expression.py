"""Preconditions as C: exact on 64 bits, grouped as they are, floats rounded where they are."""

from __future__ import annotations

import pytest

from compiler.ir import (
    F32,
    I32,
    I64,
    LE,
    U8,
    Add,
    Cast,
    Div,
    Expr,
    Mul,
    Neg,
    Shl,
    Sub,
    Variable,
    const,
)
from lifter.emit.c_expression import c_expression

A, B = Variable("a", I64), Variable("b", I64)
X, Y = Variable("x", F32), Variable("y", F32)


TEXTS: dict[str, Expr] = {
    "INT64_MIN": const(-(2**63), I64),
    "INT64_C(1099511627776)": const(2**40, I64),
    "7": const(7, I64),
    "(int64_t)a - ((int64_t)b - 1)": Sub(A, Sub(B, const(1, I64))),
    "((int64_t)a + (int64_t)b) * (-2)": Mul(Add(A, B), const(-2, I64)),
    "-(-(int64_t)a)": Neg(Neg(A)),
    "lift_div((int64_t)a, (int64_t)b)": Div(A, B),
    "INT64_C(1) << (int64_t)a": Shl(const(1, I64), A),
    "(int64_t)(uint8_t)((int64_t)a)": Cast(I64, Cast(U8, A)),
    "(int64_t)(int32_t)((int64_t)a)": Cast(I64, Cast(I32, A)),
    "((double)(float)((double)x + (double)y)) <= (double)x": LE(Add(X, Y), X),
}


@pytest.mark.parametrize("text", TEXTS)
def test_an_expression_reads_as_c(text: str) -> None:
    assert c_expression(TEXTS[text]) == text
