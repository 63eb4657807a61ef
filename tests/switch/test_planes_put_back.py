"""Loops over rows of planes, `in[plane][row][x]`, go back into their functions; no table is looked
at that the original leaves alone."""

from __future__ import annotations

from pathlib import Path

from tests.build.programs import lift, need, run

SOURCE = r"""
typedef unsigned char *ROW;
typedef ROW *ROWS;
void join(ROWS *in, unsigned row, ROWS out, int planes, unsigned width, int n)
{
    for (; n > 0; n--, row++, out++)
        for (int p = 0; p < planes; p++)
            for (unsigned x = 0; x < width; x++)
                (*out)[x * planes + p] = in[p][row][x];
}
"""
MAIN = r"""
#include <stdio.h>
#include <string.h>
#include "FENCED"
typedef unsigned char *ROW;
typedef ROW *ROWS;
void join(ROWS *, unsigned, ROWS, int, unsigned, int);
static void *table(int n, int end) { return n ? fenced(n * sizeof(void *), end) : (void *)8; }
int main(void)
{
    for (int call = 0; call < 240; call++) {
        int end = call & 1, w = call / 2 % 10, h = call / 20 % 3, planes = call / 60;
        ROWS *in = table(w ? planes : 0, end), out = table(h, end);
        for (int p = 0; w && p < planes; p++) {
            in[p] = table(h, end);
            for (int y = 0; y < h; y++) memset(in[p][y] = fenced(w, end), p * 50 + y, w);
        }
        for (int y = 0; y < h; y++) out[y] = fenced(w * planes, end);
        join(in, 0, out, planes, w, h);
        unsigned hash = 0;
        for (int y = 0; y < h; y++)
            for (int i = 0; i < w * planes; i++) hash = hash * 31 + out[y][i];
        printf("%u\n", hash);
    }
    return 0;
}
"""


def test_planes_are_looked_up_as_in_the_original(tmp_path: Path) -> None:
    need("gcc")
    (tmp_path / "k.c").write_text(SOURCE)
    fenced = str(Path(__file__).parents[1] / "fenced.h")
    (tmp_path / "main.c").write_text("#define _GNU_SOURCE\n" + MAIN.replace("FENCED", fenced))
    plain = run(["gcc", "-O1", "k.c", "main.c", "-o", "plain"], tmp_path)
    assert plain.status == 0, plain.err
    made = lift("cc", "-j1", "gcc", "-O2", "-c", "k.c", "-o", "k.o", cwd=tmp_path)
    assert "lifted code for join#1" in made.err, made.err
    linked = run(["gcc", "main.c", "k.o", "-o", "program", "-lpthread", "-lm"], tmp_path)
    assert linked.status == 0, linked.err
    expected, got = run([tmp_path / "plain"]), run([tmp_path / "program"])
    assert got.status == 0 and got.out == expected.out
