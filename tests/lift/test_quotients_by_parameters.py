"""Quotients and remainders by parameters and counters, of 32 and of 64 bits: contrast by a window's
width, mixtures by parts of a whole, patterns by the size of a cell."""

from __future__ import annotations

import pytest

from compiler.ir import (
    EQ,
    GE,
    I32,
    I64,
    LE,
    LT,
    NE,
    Add,
    Cast,
    Div,
    Expr,
    Select,
    Sub,
    TruncDiv,
    Variable,
    const,
)
from lifter.verify.decide import Prover
from tests.verify.differential import difference, lifted

WINDOW = """
void f(u8 *d, const int16_t *s, int n, int level, int width) {
    assert(width >= 1 && width <= 65536);
    assert(level >= -32768 && level <= 32767);
    NUMBER lo = level - width / 2;
    for (int i = 0; i < n; i++) {
        NUMBER v = s[i] - lo;
        if (v <= 0) d[i] = 0;
        else if (v >= width - 1) d[i] = 255;
        else d[i] = (u8)(v * 255 / (width - 1));
    }
}
"""
OTHERS = {
    "a part of a whole": "void f(u8 *d, const u8 *a, const u8 *b, int n, int t, int total) {"
    " assert(total > 0 && t >= 0 && t <= total);"
    " for (int i = 0; i < n; i++) d[i] = (u8)(((long)a[i] * (total - t) + (long)b[i] * t) / total);"
    " }",
    "a clamped range": "void f(u8 *d, const uint16_t *s, int n, int black, int white) {"
    " assert(white > black && black >= 0 && white <= 65535);"
    " for (int i = 0; i < n; i++) { long v = s[i]; if (v < black) v = black; if (v > white)"
    " v = white; d[i] = (u8)((v - black) * 255L / (white - black)); } }",
    "a ramp": "void f(u8 *d, int w, int h, int a, int b) { for (int y = 0; y < h; y++)"
    " for (int x = 0; x < w; x++) d[y * w + x] = (u8)(a + (b - a) * y / (h - 1)); }",
    "a chequered board": "void f(u8 *d, const u8 *s, int w, int h, int pitch, int cell) {"
    " assert(cell > 0); for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
    " d[y * pitch + x] = (x / cell + y / cell) & 1 ? s[y * pitch + x] : 255 - s[y * pitch + x]; }",
    "places in a cell": "void f(u8 *d, const u8 *s, int n, int cell, int k) { assert(cell >= 1);"
    " for (int i = 0; i < n; i++) d[i] = (u8)(s[i] * k % cell + i % cell); }",
}


@pytest.mark.parametrize("number", ["int", "long"])
def test_a_window_of_levels_is_proved(number: str) -> None:
    result = lifted(WINDOW.replace("NUMBER", number))
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("source", OTHERS.values(), ids=OTHERS)
def test_what_is_divided_by_parameters_is_proved(source: str) -> None:
    result = lifted(source)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


N, D = Variable("n", I32), Variable("d", I32)
ZERO, ONE = const(0, I32), const(1, I32)
KNOWN: list[Expr] = [
    GE(D, ZERO), LE(D, const(65535, I32)),
    GE(N, const(-(1 << 24), I32)), LT(N, const(1 << 24, I32)),
]  # fmt: skip
MOVED = Div(Add(N, Select(LT(N, ZERO), Sub(D, ONE), ZERO)), D)


def test_a_quotient_is_what_candidates_say_in_32_bits_and_in_64() -> None:
    prover = Prover({})
    wide = Cast(I32, TruncDiv(Cast(I64, N), Cast(I64, D)))
    for original in (TruncDiv(N, D), wide):
        assert prover.equal(MOVED, original, [*KNOWN, NE(D, ZERO)]).proved


@pytest.mark.parametrize("at_zero", [N, ONE, const(-1, I32)], ids=repr)
def test_what_an_original_says_where_it_doesnt_divide_counts(at_zero: Expr) -> None:
    """The DSL's quotient by 0 is 0: Z3's and numpy's aren't, and must not stand for it."""
    original = Select(EQ(D, ZERO), at_zero, TruncDiv(N, D))
    assert not Prover({}).equal(MOVED, original, KNOWN, 0.5).proved


@pytest.mark.parametrize(
    "wrong",
    [
        Div(N, D),
        Div(Add(N, Select(LT(N, ZERO), D, ZERO)), D),
        Div(Add(N, Select(LT(N, ZERO), Sub(D, ONE), ONE)), D),
    ],
    ids=repr,
)
def test_other_quotients_arent_proved(wrong: Expr) -> None:
    assert not Prover({}).equal(wrong, TruncDiv(N, D), KNOWN, 0.5).proved
