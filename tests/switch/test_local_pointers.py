"""Pointers in a local array are those that the function has by then, whatever has changed them."""

from __future__ import annotations

from pathlib import Path

from tests.switch.test_put_back import lifted, put, same

C = """\
#include <string.h>
typedef unsigned char u8;
static void fill(const u8 **r, const u8 *s) { r[0] = s + 3; }
void by_number(u8 *d, const u8 *s, int n, int k) { ROWS r[k & 1] = s + 3; ADD }
void by_alias(u8 *d, const u8 *s, int n, int k) { ROWS const u8 **q = r; *q = s + 3; ADD }
void by_call(u8 *d, const u8 *s, int n, int k) { ROWS fill(r, s); ADD }
void by_loop(u8 *d, const u8 *s, int n, int k) { ROWS for (int i = 0; i < 2; i++) r[i]++; ADD }
void by_bytes(u8 *d, const u8 *s, int n, int k)
{ ROWS const u8 *u[2] = {s + 1, s + 2}; memcpy(r, u, sizeof r); ADD }
void by_turns(u8 *d, const u8 *s, int n, int k)
{ ROWS for (int y = 0; y < 2; y++, d += 4) { ADD const u8 *t = r[0]; r[0] = r[1] + k; r[1] = t; } }
void by_none(u8 *d, const u8 *s, int n, int k) { const u8 *const r[2] = {s, s + 9}; ADD }
"""
C = C.replace("ROWS", "const u8 *r[2] = {s, s + 9};").replace(
    "ADD", "for (int x = 0; x < n; x++) d[x] = r[0][x] + r[1][x];"
)
NAMES = ("by_number", "by_alias", "by_call", "by_loop", "by_bytes", "by_turns", "by_none")
CALLS = "".join(f"show({name}, n, k); " for name in NAMES)
MAIN = (
    "#include <stdio.h>\n#include <string.h>\n"
    + "".join(f"void {name}(unsigned char *, const unsigned char *, int, int);\n" for name in NAMES)
    + """
static void show(void (*f)(unsigned char *, const unsigned char *, int, int), int n, int k)
{
    static unsigned char s[99], d[99];
    for (int i = 0; i < 99; i++) s[i] = 10 * i, d[i] = i;
    f(d, s, n, k);
    for (int i = 0; i < 40; i++) printf("%d ", d[i]);
}
int main(void) { for (int n = 0; n < 30; n += 3) for (int k = 0; k < 3; k++) { """
    + CALLS
    + "} return 0; }\n"
)


def test_changed_pointers_are_passed(tmp_path: Path) -> None:
    done = put(tmp_path, "gcc", "k.c", C)
    assert done.status == 0, done.err
    assert {"by_none", "by_turns#1"} <= lifted(done), done.err
    same(tmp_path, "gcc", "k.c", MAIN)
