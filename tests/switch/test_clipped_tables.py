"""Tables that are looked up by the high bits of a number, which parameters clip."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_put_back import lifted, put, same

TEXT = """
typedef unsigned char byte;
typedef unsigned short word;
int gamma(const word *s, byte *d, const byte *curve, unsigned bits, int n)
{
    if (bits < 6 || bits > 16) return -1;
    const unsigned seg = bits - 5, mask = (1u << seg) - 1, half = 1u << (seg - 1);
    for (; n > 0; n--) {
        unsigned v = *s++, i, f;
        if (v >> bits) v = (1u << bits) - 1;
        i = v >> seg;
        f = v & mask;
        *d++ = (byte)((curve[i] * (mask + 1 - f) + curve[i + 1] * f + half) >> seg);
    }
    return 0;
}
"""

MAIN = r"""
#include <stdio.h>
#include "FENCED"
typedef unsigned char byte;
typedef unsigned short word;
int gamma(const word *, byte *, const byte *, unsigned, int);
int main(void)
{
    unsigned hash = 0;
    for (unsigned bits = 4; bits < 19; bits++)
        for (int n = -1; n < 300; n += 43) {
            word *s = (word *)fenced(n > 0 ? 2 * n : 0, bits & 1);
            byte *d = fenced(n > 0 ? n : 0, n & 1), *curve = fenced(33, bits & 1);
            for (int i = 0; i < n; i++) s[i] = i * 65521 + bits;
            hash = hash * 31 + gamma(s, d, curve, bits, n);
            for (int i = 0; i < n; i++) hash = hash * 31 + d[i];
            /* the curve in what is written */
            static byte both[400];
            for (int i = 0; i < 400; i++) both[i] = i * 3;
            gamma(s, both + n / 8, both + 33, bits, n > 300 ? 300 : n);
            for (int i = 0; i < 400; i++) hash = hash * 31 + both[i];
        }
    printf("%u\n", hash);
    return 0;
}
"""


@pytest.mark.slow
def test_the_guard_knows_how_far_a_clipped_number_reaches(tmp_path: Path) -> None:
    done = put(tmp_path, "gcc", "k.c", TEXT)
    assert lifted(done) & {"gamma", "gamma#1"}, done.err
    fenced = str(Path(__file__).parents[1] / "fenced.h")
    same(tmp_path, "gcc", "k.c", MAIN.replace("FENCED", fenced))
