"""Coordinates that compare with a parameter at the ends of int, where compilers' sums overflow."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_put_back import lifted, put, same

pytestmark = pytest.mark.slow

TEXT = """
typedef unsigned char byte;
void from_end(byte *d, const byte *s, int n, int a)
{ for (int x = 0; x < n; x++) d[x] = s[n - x > a ? x : 0]; }
void shifted(byte *d, const byte *s, int n, int a, int b)
{ for (int x = 0; x < n; x++) d[x] = s[x - b < a ? x : 0]; }
void rows(byte *d, const byte *s, int w, int h, int a)
{ for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)
    d[y * w + x] = s[y * w + (x - y < a ? x : 0)]; }
"""

MAIN = r"""
#include <stdio.h>
typedef unsigned char byte;
void from_end(byte *, const byte *, int, int);
void shifted(byte *, const byte *, int, int, int);
void rows(byte *, const byte *, int, int, int);
int main(void)
{
    static byte s[800], d[800];
    const int ends[] = {0, 3, 10, 2147483647, 2147483640, 2147483600, -2147483647, -2147483600};
    for (int i = 0; i < 800; i++) s[i] = i * 7 + i / 256;
    for (int k = 0; k < 8; k++)
        for (int way = 0; way < 3; way++) {
            unsigned sum = 0;
            if (way == 0 && ends[k] >= 0) from_end(d, s, 40, ends[k]);
            if (way == 1) shifted(d, s, 40, ends[k], 5);
            if (way == 1 && ends[k] >= 0) shifted(d + 40, s, 40, 4, ends[k]);
            if (way == 2) rows(d, s, 20, 20, ends[k]);
            for (int i = 0; i < 800; i++) sum = sum * 31 + d[i];
            printf("%d %d %u\n", k, way, sum);
        }
    return 0;
}
"""


def test_no_sum_of_the_compiler_overflows(tmp_path: Path) -> None:
    done = put(tmp_path, "gcc", "k.c", TEXT)
    assert lifted(done) == {"from_end", "shifted", "rows"}, done.err
    same(tmp_path, "gcc", "k.c", MAIN)
