"""Scalars that a loop reads and leaves changed: lifted code does what the original does."""

from __future__ import annotations

from pathlib import Path

from tests.build.programs import lift, need, run

SOURCE = r"""
unsigned through(unsigned char *d, const unsigned char *s, int n, unsigned u, unsigned du)
{
    for (int x = 0; x < n; x++) { d[x] = s[u >> 24]; u += du; }
    return u;
}
"""
MAIN = r"""
#include <stdio.h>
unsigned through(unsigned char *, const unsigned char *, int, unsigned, unsigned);
int main(void)
{
    static const int sizes[] = { -3, 0, 1, 2, 33, 200 };
    static unsigned char a[600], b[256];
    for (int call = 0; call < 48; call++) {
        for (int i = 0; i < 600; i++) a[i] = i * 7;
        for (int i = 0; i < 256; i++) b[i] = i * 11 + 3;
        const unsigned char *s = call % 4 ? b : a + 190;
        unsigned hash = through(a + 200, s, sizes[call % 6], call * 3000000001u, -call * 77777777u);
        for (int i = 0; i < 600; i++) hash = hash * 31 + a[i];
        printf("%u\n", hash);
    }
    return 0;
}
"""


def test_a_number_without_sign_that_wraps_is_left_as_the_original_leaves_it(tmp_path: Path):
    need("gcc")
    (tmp_path / "k.c").write_text(SOURCE)
    (tmp_path / "main.c").write_text(MAIN)
    plain = run(["gcc", "-O1", "k.c", "main.c", "-o", "plain"], tmp_path)
    assert plain.status == 0, plain.err
    made = lift("cc", "-j1", "gcc", "-O2", "-c", "k.c", "-o", "k.o", cwd=tmp_path)
    assert "lifted code for through#1" in made.err, made.err
    linked = run(["gcc", "main.c", "k.o", "-o", "program", "-lpthread", "-lm"], tmp_path)
    assert linked.status == 0, linked.err
    expected, got = run([tmp_path / "plain"]), run([tmp_path / "program"])
    assert got.status == 0 and got.out == expected.out
