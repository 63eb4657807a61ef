"""Nearest neighbours whose step is a quotient that is computed before the loops."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_put_back import lifted, put, same

TEXT = """
typedef unsigned char byte;
void stretch(byte *d, int dp, const byte *s, int sp, int dw, int dh, int sw, int sh)
{
    if (dw < 1 || dh < 1) return;
    int xs = (sw << 16) / dw, ys = (sh << 16) / dh;
    for (int y = 0; y < dh; y++)
        for (int x = 0; x < dw; x++) d[y * dp + x] = s[(y * ys >> 16) * sp + (x * xs >> 16)];
}
void stepped(byte *d, const byte *s, int dw, int sw)
{
    const unsigned step = dw ? ((unsigned)sw << 16) / (unsigned)dw : 0;
    unsigned at = step / 2;
    for (int x = 0; x < dw; x++, at += step) d[x] = s[at >> 16];
}
void wrapped(byte *d, const byte *s, int dw, int m, unsigned k)
{
    unsigned by = k % (unsigned)m;
    for (int x = 0; x < dw; x++) d[x] = s[(by * x) & 255];
}
"""

MAIN = r"""
#include <stdio.h>
#include <string.h>
typedef unsigned char byte;
void stretch(byte *, int, const byte *, int, int, int, int, int);
void stepped(byte *, const byte *, int, int);
void wrapped(byte *, const byte *, int, int, unsigned);
int main(void)
{
    static byte s[90000], d[90000];
    unsigned hash = 0;
    for (int i = 0; i < 90000; i++) s[i] = i * 7 + i / 251;
    for (int call = 0; call < 300; call++) {
        int dw = call % 37 - 1, dh = call % 23, sw = call % 53 + 1, sh = call % 41 + 1;
        memset(d, call, sizeof d);
        stretch(d, 40 + call % 3, s, 60, dw, dh, sw, sh);
        stepped(d + 3000, s, dw, sw * (call % 5 ? 1 : 1200));
        wrapped(d + 5000, s, dw, call % 9 + 1, call * 0x9e3779b9u);
        /* from below, and over itself */
        if (dw > 0) stretch(d + 200, 40, d + 150 + call % 60, -3, dw, dh % 7, sw, sh);
        for (int i = 0; i < 6000; i++) hash = hash * 31 + d[i];
    }
    printf("%u\n", hash);
    return 0;
}
"""


@pytest.mark.slow
def test_steps_that_are_quotients_are_numbers_to_the_loops(tmp_path: Path) -> None:
    done = put(tmp_path, "gcc", "k.c", TEXT)
    assert lifted(done) >= {"stretch#1", "stepped", "wrapped"}, done.err
    same(tmp_path, "gcc", "k.c", MAIN)
