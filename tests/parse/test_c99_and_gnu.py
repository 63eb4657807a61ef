"""Forms of C99 and of GNU C mean what GCC makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from .parsing import parse
from .plain_library import assert_equal_to_original, written

HEAD = "typedef unsigned char u8;\n"
LISTS = {
    "element": "static const int T[4] = {[1] = 5, [3] = 7};",
    "by a macro": "#define AT [1] = 5\nstatic const int T[2] = {AT};",
    "range": "static const u8 T[8] = {[0 ... 3] = 1, [6] = 9, 10, [1] = 4};",
    "rows": "static const int R[2][2] = {[1] = {[0] = 3}, [0][1] = 8};\n#define T R[i % 2]",
    "anew": "static const int R[2][2] = {[0] = {4, 5}, [0] = {[1] = 6}};\n#define T R[i % 2]",
    "without braces": "static const int R[3][3] = {1, 2, 3, {4}, 5};\n#define T R[i % 3]",
    "fewer in braces": "static const int R[2][2][2] = {{{1}, {2}}, {{3}}};\n"
    "#define T R[1 - i % 2][i % 2]",
    "fewer in a structure": "static const struct { int a[3], b; } R[2] = {{{1}, 5}, {{1, 2}, 6}};\n"
    "static int T(int i) { return R[i % 2].b + R[i % 2].a[i % 3]; }\n#define T(i) T(i)",
    "rows in a structure": "static const struct { int a[2][2], b; } R[2] = "
    "{{{{1}, {2}}, 5}, {{{3}}, 6}};\n"
    "static int f(int i) { return R[i % 2].b + R[i % 2].a[i % 2][0]; }\n#define T(i) f(i)",
    "a structure without braces": "static const struct { int a[3], b; } R[3] = {1, {2}, 3};\n"
    "static int f(int i) { return R[i % 3].b + R[i % 3].a[i % 3]; }\n#define T(i) f(i)",
    "members": "static const struct { int a[3], b; } R[] = "
    "{[1].a[1] = 5, 6, 7, [0] = {.b = 1, .a = {2, 3}}};\n"
    "static int f(int i) { return R[i % 2].b + R[i % 2].a[i % 3]; }\n#define T(i) f(i)",
}  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("table", LISTS.values(), ids=LISTS)
def test_a_table_has_the_values_that_its_list_gives(tmp_path: Path, table: str) -> None:
    size = 8 if "T[8]" in table else 4 if "T[4]" in table else 3 if "[3] = {1, 2" in table else 2
    read = "T(i)" if "T(i)" in table else f"T[i % {size}]"
    text = f"{HEAD}{table}\nvoid k(u8 *d, int n) {{ for (int i = 0; i < n; i++) d[i] = {read}; }}\n"
    found = assert_equal_to_original(written(text, tmp_path, "k.c"))
    assert [k.name for k in found.kernels] == ["k"], [str(s.diagnostic) for s in found.failed]


def test_a_list_that_is_not_of_numbers_or_too_long_is_none() -> None:
    for table in (
        "static const struct { unsigned a : 4, b : 4; } T[] = {{1, 2}, {3, 4}, {5}};\n"
        "#define V T[i % 3].b",
        'static const char T[3] = "ab";\n#define V T[i % 3]',
        'static const char T[2][3] = {"ab", "cd"};\n#define V T[i % 2][1]',
        "static const int T[2] = {1, 2, 3};\n#define V T[i % 2]",
        "int g(void);\nvoid h(int *);\n#define V ({ int t[3] = {[0 ... 2] = g()}; t[0]; })",
    ):
        text = f"{HEAD}{table}\nvoid k(u8 *d, int n) {{ for (int i = 0; i < n; i++) d[i] = V; }}\n"
        assert not [k for k in parse(text, "k.c").kernels if k.name == "k"], table


BODIES = {
    "converted": "for (int i = 0; i < n; i++) { unsigned r = k; d[i] = (u8)(r += s[i] * 9u);"
    " d[i] ^= (signed char)(r = 700 + i); d[i] += (u8)(++r) >> 1; }",
    "largest": "for (int i = 0; i < n; i++) d[i] = MAX(MAX(s[i], k), MAX(d[i], 3));",
    "steps": "while (n-- > 0) *d++ = ({ int v = *s++; v += k; v > 255 ? 255 : v; });",
    "value before": "for (int i = 0; i < n; i++)"
    " { int a = 1; d[i] = ({ int t = a++; t; }) + s[i]; d[i] += a; }",
    "one side": "for (int i = 0; i < n; i++) d[i] = s[i] > k ? ({ int t = s[i]; t / 2; }) : 9;",
    "no value": "for (int i = 0; i < n; i++) { ({ d[i] = s[i] / 2; if (k) d[i]++; }); }",
    "cases": "for (int i = 0; i < n; i++) switch (s[i]) { case 0 ... 63: d[i] = 0; break;"
    " case 64 ... 190: d[i] = 128; case 200: d[i] += 9; break; case 230 ... 220: d[i] = 1;"
    " default: d[i] = 7; }",
    "cases that step": "for (int i = 0; i < n; i++)"
    " switch (s[i] & 7) { case 1 ... 2: case 5: d[i] = 4; }",
    "structures": "struct c { u8 r, g; int b; }; for (int i = 0; i < n; i++)"
    " { struct c v = (struct c){ s[i], .b = k }; d[i] = v.r + v.g + v.b; }",
    "structure by call": "for (int i = 0; i < n; i++)"
    " d[i] = norm((struct point){ s[i], .y = k & 15 });",
    "an array of any size": "if (n < 1) return; int t[n + 1]; t[n] = 3;"
    " for (int i = 0; i < n; i++) t[i] = s[i] * 2;"
    " for (int i = 0; i < n; i++) d[i] = t[i] + t[i + 1];",
    "barriers": "for (int i = 0; i < n; i++) { d[i] = s[i] / 3; barrier(); __asm__(\"\"); }",
    "functions in a table": "for (int i = 0; i < n; i++) d[i] = OPS[s[i] & 1](d[i], s[i]);",
    "functions by a number": "for (int i = 0; i < n; i++) d[i] = (*OPS[k & 1])(d[i], s[i]);",
    "a flexible end": "const struct tail *t = (const struct tail *)s;"
    " if (n > 4) for (int i = 0; i < n - 4; i++) d[i] = t->v[i];",
}  # fmt: skip
BUILTINS = {
    "bytes": "d[i] = __builtin_bswap16(v) + (__builtin_bswap32(v * 77u) >> 9)"
    " + (__builtin_bswap64(v * 777777ull) >> 30);",
    "bits": "d[i] = __builtin_popcount(v * 37u) + 8 * __builtin_popcountll(v * 123456789ull);",
    "parity": "d[i] = __builtin_parity(v) + 2 * __builtin_parityll(v * 999ull);",
    "first": "d[i] = v ? __builtin_ctz(v) + 8 * __builtin_ctzll((unsigned long long)v << 33) : 99;",
    "last": "d[i] = v ? __builtin_clz(v) + 3 * __builtin_clzll(v) : 99;",
    "ffs": "d[i] = __builtin_ffs(v) + 5 * __builtin_ffsll((long long)v << 40);",
    "signs": "d[i] = __builtin_clrsb(v) + __builtin_clrsb(-v) * 2;",
    "likely": "if (__builtin_expect(v > 9, 1)) d[i] = __builtin_expect(v, 3) + 1; else d[i] = 0;",
    "hints": "__builtin_prefetch(s + i + 64, 0, 1); d[i] = v;"
    " if (v > 255) __builtin_unreachable();",
}  # fmt: skip
BODIES |= {
    f"builtins: {name}": f"for (int i = 0; i < n; i++) {{ unsigned v = s[i]; {body} }}"
    for name, body in BUILTINS.items()
}
FORMS = r"""
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define barrier() __asm__ __volatile__("" ::: "memory")
struct point { int x, y; };
struct tail { unsigned char head[4]; unsigned char v[]; };
static int norm(struct point p) { return p.x + 3 * p.y; }
static int plus(int a, int b) { return a + b; }
static int less(int a, int b) { return a - b; }
static int (*const OPS[2])(int, int) = { [1] = plus, [0] = less };
"""


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_form_does_what_gcc_makes_of_it(tmp_path: Path, body: str) -> None:
    text = f"{HEAD}{FORMS}void k(u8 *d, const u8 *s, int n, int k) {{ {body} }}\n"
    found = assert_equal_to_original(written(text, tmp_path, "k.c"))
    assert [k.name for k in found.kernels] == ["k"], [str(s.diagnostic) for s in found.failed]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("d[i] = ({ if (k) break; 3; });", id="a jump out of an expression"),
        pytest.param("d[i] = ({ int t = 0; while (t < k) t++; t; });", id="a loop in one"),
        pytest.param("int v = s[i]; __asm__(\"\" : \"+r\"(v)); d[i] = v;", id="an operand"),
        pytest.param("__asm__ volatile(\"emms\"); d[i] = 1;", id="an instruction"),
        pytest.param("d[i] = __builtin_constant_p(k);", id="what compilers decide"),
        pytest.param("d[i] = FREE[s[i] & 1](1, 2);", id="a table that may be another"),
        pytest.param("d[i] = OWN[s[i] & 1];", id="numbers that may be others"),
        pytest.param("d[i] = HOLES[s[i] & 1](1, 2);", id="a table with holes"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_refused(body: str) -> None:
    more = (
        "static int (*FREE[2])(int, int) = { plus, less };\n"
        "static int (*const HOLES[2])(int, int) = { plus };\n"
        "__attribute__((weak)) const int OWN[2] = { 1, 2 };\n"
    )
    loop = f"for (int i = 0; i < n; i++) {{ {body} }}"
    text = f"{HEAD}{FORMS}{more}void k(u8 *d, const u8 *s, int n, int k) {{ {loop} }}\n"
    assert not [k for k in parse(text, "k.c").kernels if k.name == "k"]
