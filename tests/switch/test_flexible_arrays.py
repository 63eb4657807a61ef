"""Arrays at the end of a structure go into a call as what they are: memory, and no pointer."""

from __future__ import annotations

from pathlib import Path

from tests.switch.test_put_back import lifted, put, same

C = """\
typedef struct { int n; unsigned char v[]; } flexible;
typedef struct { int n; unsigned char v[0]; } zero;
void invert(flexible *f) { for (int i = 0; i < f->n; i++) f->v[i] = ~f->v[i]; }
void halve(zero *z) { for (int i = 0; i < z->n; i++) z->v[i] /= 2; }
int told(int);
void loops(unsigned char *d, int n)
{
    flexible *f = (flexible *)(void *)d;
    told(n);
    for (int i = 0; i < n; i++) f->v[i] += 3;
}
"""
MAIN = """\
#include <stdio.h>
#include <string.h>
void invert(void *), halve(void *), loops(unsigned char *, int);
int told(int n) { return n; }
int main(void)
{
    static int m[40];
    unsigned char *v = (unsigned char *)(m + 1);
    for (int n = 0; n < 60; n++) {
        m[0] = n;
        for (int i = 0; i < 80; i++) v[i] = i * n + 7;
        invert(m); halve(m); loops((unsigned char *)m, n);
        for (int i = 0; i < 80; i++) printf("%d ", v[i]);
    }
    return 0;
}
"""


def test_an_array_without_a_size_is_memory(tmp_path: Path) -> None:
    done = put(tmp_path, "gcc", "k.c", C)
    assert done.status == 0, done.err
    assert {"invert", "halve", "loops#1"} <= lifted(done), done.err
    same(tmp_path, "gcc", "k.c", MAIN)
