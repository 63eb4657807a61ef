"""Rows that lie anywhere, over which a loop inside of others goes: the guard copies them."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_put_back import lifted, put, same

TEXT = """
typedef unsigned char byte;
struct image { byte **row; int w, h; };
void scale(byte *d, int w, const short *const *s, const short *f, int taps)
{
    for (int x = 0; x < w; x++) {
        int sum = 1 << 5;
        for (int k = 0; k < taps; k++) sum += s[k][x] * f[k];
        d[x] = sum >> 6 < 0 ? 0 : sum >> 6 > 255 ? 255 : sum >> 6;
    }
}
int turn(struct image *d, const struct image *s)
{
    if (d->w != s->h || d->h != s->w) return -1;
    for (int y = 0; y < d->h; y++)
        for (int x = 0; x < d->w; x++) d->row[y][x] = s->row[x][y];
    return d->w;
}
/* columns that stand apart, of pixels that do */
void columns(short **s, int w, int h, const byte *a)
{
    for (int x = 0; x < w; x++)
        for (int y = 0; y < h; y++) s[y][3 * x + 1] = s[y][3 * x + 1] / 2 + a[x];
}
/* rows that a counter of all nine says: each is told apart, and none is copied */
void nine(byte **d, byte **s, int w, int h)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int sum = 0;
            for (int i = 0; i < 9; i++) {
                int m = y - 1 + i / 3;
                sum += s[m][x - 1 + i % 3] * (i + 1);
            }
            d[y][x] = sum / 45;
        }
}
void mean(byte *d, byte **s, int w, int first, int last)
{
    for (int x = 1; x < w - 1; x++) {
        int sum = 0;
        for (int y = first; y < last; y++) sum += 2 * s[y][x - 1] + s[y][x] - s[y][x + 1];
        d[x] = sum / 8;
    }
}
"""

MAIN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "FENCED"
typedef unsigned char byte;
struct image { byte **row; int w, h; };
void scale(byte *, int, const short *const *, const short *, int);
int turn(struct image *, const struct image *);
void columns(short **, int, int, const byte *);
void nine(byte **, byte **, int, int);
void mean(byte *, byte **, int, int, int);
static unsigned hash;
static void note(const void *p, long n)
{
    for (long i = 0; i < n; i++) hash = hash * 31 + ((byte *)p)[i];
}
/* A table as long as it must be, of rows as long as they are, each between pages of its own. */
static byte **table(int rows, long bytes, int end)
{
    byte **made = (byte **)fenced(rows * sizeof *made, end);
    for (int i = 0; i < rows; i++) made[i] = fenced(bytes, end);
    return made;
}
int main(void)
{
    for (int call = 0; call < 60; call++) {
        const int w = call % 10 * (call % 3 + 1), h = call / 7, end = call & 1;
        byte *d = fenced(w, end), *a = fenced(w, end);
        short *f = (short *)fenced(2 * h, end);
        short **s = (short **)table(h, 2 * w, end);
        for (int i = 0; i < h; i++) read_only(s[i], 2 * w);
        if (h > 2) s[h - 1] = s[0]; /* a border's row stands there twice */
        read_only(s, h * sizeof *s);
        scale(d, w, w ? (const short *const *)s : 0, f, h);
        note(d, w);
        byte **p = table(h, w, end), **q = table(w, h, end);
        struct image from = { p, w, h }, to = { q, h, w };
        hash += turn(&to, &from);
        for (int i = 0; i < w; i++) note(q[i], h);
        byte **e = table(h, w, end);
        nine(e, p, w, h);
        for (int i = 0; i < h; i++) note(e[i], w);
        mean(d, p, w, call % 3, h);
        note(d, w);
        short **t = (short **)table(h, w ? 6 * w - 2 : 0, end);
        columns(t, w, h, a);
        for (int i = 0; i < h; i++) note(t[i], w ? 6 * w - 2 : 0);
    }
    /* what is written lies over a row, over the table, and over another row that is written */
    static short rows[6][40], weights[6] = { 9, -3, 20, 7, 1, 30 };
    static byte pixels[8][8];
    static short arena[1 << 15] __attribute__((aligned(1 << 16)));
    for (int i = 0; i < 1 << 15; i++) arena[i] = i * 77 % 251;
    for (int i = 0; i < 240; i++) rows[i / 40][i % 40] = i * 37 % 256;
    for (int at = 0; at < 6; at++) {
        short *order[] = { rows[3], rows[0], rows[1], rows[5], rows[2], rows[4], rows[0] };
        scale((byte *)rows[at] + at, 40, (const short *const *)order, weights, 6);
        note(rows, sizeof rows);
        /* the second pixel finds another row, wherever the rows are */
        short *even[] = { arena, arena + 100, arena + 200, arena + 300, arena + 400, arena + 500 };
        if (at == 3) even[0] = arena + 7;
        scale((byte *)&even[at] + 1, 2, (const short *const *)even, weights, 6);
        note((byte *)&even[at] + 1, 2);
        short *twice[] = { rows[0], rows[2] + at, rows[2], rows[5] };
        columns(twice, 10, 4, (byte *)rows[1]);
        note(rows, sizeof rows);
        byte *own[] = { pixels[3], pixels[1], pixels[6] };
        struct image image = { own, 3, 3 };
        for (int i = 0; i < 64; i++) pixels[i / 8][i % 8] = i * 11;
        turn(&image, &image);
        note(pixels, sizeof pixels);
    }
    printf("%u\n", hash);
    return 0;
}
"""


@pytest.mark.slow
def test_rows_over_which_a_loop_inside_goes_are_copied(tmp_path: Path) -> None:
    """Each row, and each table, is as long as it must be; also where what is written lies over what
    is read."""
    done = put(tmp_path, "gcc", "k.c", TEXT, "-fno-strict-aliasing")
    assert {"scale", "turn#1", "columns", "mean", "nine#1"} <= lifted(done), done.err
    fenced = str(Path(__file__).parents[1] / "fenced.h")
    same(tmp_path, "gcc", "k.c", MAIN.replace("FENCED", fenced))
