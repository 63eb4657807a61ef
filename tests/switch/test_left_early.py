"""Loops that leave their function, put back: `return` stands behind the call, in its own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.switch.test_put_back import lifted, put, same

C = r"""
typedef unsigned char byte;
#define TRUE 1
#define BAIL return -9;
#define FIND(p, n) for (int f = 0; f < (n); f++) if ((p)[f] == 77) return f;
struct image { byte *data; int w, h, pitch; byte key; };
struct pair { int a, b; };
int told(const char *);

/* any, in two loops, with a constant that a macro names */
int hit(const struct image *a, int k)
{
    told("hit");
    for (int y = 0; y < a->h; y++) {
        const byte *p = a->data + y * a->pitch;
        for (int x = 0; x < a->w; x++)
            if (p[x] == a->key && p[x] != k)
                return TRUE;
    }
    return !TRUE;
}
/* where, and how often before; a variable that is declared outside */
int where(const byte *p, int n, int k, int *before)
{
    int i, c = 0;
    told("where");
    for (i = 0; i < n; i++) {
        if (p[i] == k) return i;
        if (p[i] > 250) { *before = c; return (-i - 1); }
        c += p[i] < 9;
    }
    *before = c;
    return n + c;
}
/* nothing to return; stores up to the first */
void until(byte *d, const byte *s, int n)
{
    told("until");
    for (int i = 0; i < n; i++) {
        if (!s[i]) return;
        d[i] = s[i] / 2;
    }
    told("all");
    d[0] = 1;
}
/* a pointer that stays where the hit was; the only statement of a branch */
const byte *skip(const byte *p, const byte *e, int how)
{
    if (told("skip") && how)
        for (; p != e; p++)
            if (*p != 3) return p;
    return p;
}
/* an object */
struct pair both(const byte *p, int n)
{
    struct pair r = { 1, n };
    told("both");
    for (r.a = 0; r.a < n; r.a++) if (p[r.a] > 200) { r.b = 7; return r; }
    for (int i = 0; i < n; i++) if (p[i] == 5) return r;
    r.b++;
    return r;
}
/* checks beside other loops, and a macro */
int macros(const byte *p, int n)
{
    told("macros");
    for (int i = 0; i < n; i++) if (p[i] == 9) BAIL
    for (int i = 0; i < n; i++) if (p[i] == 11) return told("out");
    FIND(p, n)
    return 0;
}
/* what the loop alone knows */
int own(const byte *p, int n, int k)
{
    told("own");
    for (int i = 0; i < n; i++) if (p[i] == k) return i;
    told("none");
    for (int y = 0; y < n / 4; y++)
        for (int x = 0; x < 4; x++)
            if (p[y * 4 + x] == 2) return y * 100 + x; else if (p[y * 4 + x] == 99) return -n;
    return -1;
}
byte clipped(const byte *p, int n)
{
    told("clipped");
    for (int i = 0; i < n; i++) { const int v = p[i] * 3; if (v > 255) return v - 200; }
    return 3;
}
/* a flag, a break, and the index behind the loop */
int found(const byte *p, int n, byte k)
{
    int i, t = 0;
    told("found");
    for (i = n - 1; i >= 0; i--)
        if (p[i] == k) { t = 1; break; }
    told("behind");
    return t ? i : -5;
}
"""
C_MAIN = r"""
#include <stdio.h>
typedef unsigned char byte;
struct image { byte *data; int w, h, pitch; byte key; };
struct pair { int a, b; };
int hit(const struct image *, int); int where(const byte *, int, int, int *);
void until(byte *, const byte *, int); const byte *skip(const byte *, const byte *, int);
struct pair both(const byte *, int); int macros(const byte *, int);
int found(const byte *, int, byte); int own(const byte *, int, int);
byte clipped(const byte *, int);
static unsigned calls; int told(const char *s) { calls = calls * 7 + s[0]; return 1; }
int main(void)
{
    static byte s[900], d[900];
    unsigned v = 1;
    for (int round = 0; round < 300; round++) {
        int n = round % 41, most = round % 3 ? 255 : 12;
        for (int i = 0; i < 900; i++) {
            v = v * 1103515245u + 12345u; s[i] = (v >> 16) % most; d[i] = i;
            if (round % 5 == 4) s[i] = 3;
        }
        struct image a = { s, n % 13, n / 3, 17, (byte)(round % 60) };
        int before = -4;
        unsigned h = hit(&a, round % 7) * 3 + where(s, n, round % 255, &before);
        h = h * 31 + before; until(d, s, n);
        h = h * 31 + (skip(s, s + n, round & 1) - s);
        struct pair p = both(s, n); h = h * 31 + p.a + p.b * 5;
        h = h * 31 + macros(s, n); h = h * 31 + found(s, n, round % 50);
        h = h * 31 + own(s, n, round % 90) * 5 + clipped(s, n);
        for (int i = 0; i < 900; i++) h = h * 31 + d[i];
        printf("%u %u\n", h, calls);
    }
    return 0;
}
"""


@pytest.mark.slow
def test_functions_are_left_behind_the_call(tmp_path: Path) -> None:
    done = put(tmp_path, "gcc", "k.c", C, "-Wall", "-Wextra", "-Werror", "-std=c99", "-pedantic")
    assert done.status == 0, done.err
    names = lifted(done)
    assert {"hit#1", "where#1", "until#1", "skip#1", "both#1", "found#1"} <= names, done.err
    assert {"own#1", "own#2", "clipped#1"} <= names, done.err
    # A macro that is a loop has it around its name.
    assert "macros#1" in names and "macros#2" not in names, done.err
    same(tmp_path, "gcc", "k.c", C_MAIN)
