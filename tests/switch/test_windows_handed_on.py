"""Sums that a loop hands on from one iteration to the next go back into their functions."""

from __future__ import annotations

from pathlib import Path

from tests.build.programs import lift, need, run

SOURCE = r"""
typedef unsigned char u8;
int doubled(u8 *d, const u8 *p, const u8 *q, int n, int cur, int prv)
{
    int nxt;
    for (int x = 0; x < n; x++) {
        nxt = *p++ * 3 + *q++;
        *d++ = (cur * 3 + prv + 8) >> 4;
        *d++ = (cur * 3 + nxt + 7) >> 4;
        prv = cur;
        cur = nxt;
    }
    return cur * 65536 + prv;
}
"""
MAIN = r"""
#include <stdio.h>
#include "FENCED"
int doubled(unsigned char *, const unsigned char *, const unsigned char *, int, int, int);
int main(void)
{
    for (int call = 0; call < 90; call++) {
        int at_end = call & 1, w = call / 2;
        unsigned char *d = fenced(2 * w, at_end), *p = fenced(w, at_end), *q = fenced(w, at_end);
        unsigned hash = doubled(d, p, q, w, call, 7 * call);
        for (int i = 0; i < 2 * w; i++) hash = hash * 31 + d[i];
        printf("%u\n", hash);
    }
    return 0;
}
"""


def test_what_is_handed_on_begins_and_ends_as_in_the_original(tmp_path: Path) -> None:
    need("gcc")
    (tmp_path / "k.c").write_text(SOURCE)
    fenced = str(Path(__file__).parents[1] / "fenced.h")
    (tmp_path / "main.c").write_text("#define _GNU_SOURCE\n" + MAIN.replace("FENCED", fenced))
    plain = run(["gcc", "-O1", "k.c", "main.c", "-o", "plain"], tmp_path)
    assert plain.status == 0, plain.err
    made = lift("cc", "-j1", "gcc", "-O2", "-c", "k.c", "-o", "k.o", cwd=tmp_path)
    assert "lifted code for doubled#1" in made.err, made.err
    linked = run(["gcc", "main.c", "k.o", "-o", "program", "-lpthread", "-lm"], tmp_path)
    assert linked.status == 0, linked.err
    expected, got = run([tmp_path / "plain"]), run([tmp_path / "program"])
    assert got.status == 0 and got.out == expected.out
