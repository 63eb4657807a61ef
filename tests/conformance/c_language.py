"""The same in C: without references, methods and templates, and with fewer kinds of places."""

from __future__ import annotations

from collections.abc import Iterator

from .case import NUMBERS, Case, Number, in_loop

_ARRAY = "{T} a[3] = {{x, y, 2}};"
_OBJECT = "struct S_{N} w = {{x, y, {{1, 2}}}};"
_PLACES = {
    "name": ("", "x", ""),
    "parentheses": ("", "((x))", ""),
    "pointer": ("{T} *p = &x;", "*p", ""),
    "element": (_ARRAY, "a[j]", "a[0];a[1];a[2]"),
    "element-turned": (_ARRAY, "j[a]", "a[0];a[1];a[2]"),
    "element-by-pointer": (_ARRAY + " {T} *p = a + 1;", "p[-1]", "a[0];a[1];a[2]"),
    "pixel": ("", "d[i]", "d[i]"),
    "pixel-by-pointer": ("{T} *p = &d[i];", "*p", "d[i]"),
    "field": (_OBJECT, "w.b", "w.a;w.b;w.e[0]"),
    "field-element": (_OBJECT, "w.e[j]", "w.a;w.b;w.e[0];w.e[1]"),
    "field-by-pointer": (_OBJECT + " struct S_{N} *p = &w;", "p->b", "w.a;w.b"),
    "designated": ("struct S_{N} w = {{.b = x, .a = y}};", "w.b", "w.a;w.b;w.e[0]"),
    "compound-literal-array": ("{T} *p = ({T}[]){{x, y, 3}};", "p[j]", ""),
    "compound-literal": ("struct S_{N} *p = &(struct S_{N}){{x, y, {{1, 2}}}};", "p->b", ""),
    "designated-element": ("{T} a[3] = {{[1] = x, y}};", "a[1]", "a[0];a[1];a[2]"),
    "restrict": ("{T} *restrict p = d + i;", "*p", "d[i]"),
}
_USES = {
    "value": "o = L;",
    "sum": "o = L + y;",
    "initializer": "{T} q = L; x = 2; o = q;",
    "constant": "const {T} q = L; x = 2; o = q;",
    "converted": "double q = L; o = ({T})(q / 2);",
    "pointer-to-it": "{T} *q = &(L); *q = 7; o = *q;",
    "assigned": "L = y + 1;",
    "assigned-value": "o = (L = y + 2);",
    "chain": "L = o = 5;",
    "add": "L += 3;",
    "multiply": "L *= 2;",
    "divide": "L /= 3;",
    "compound-value": "o = (L += 2);",
    "step": "(L)++;",
    "step-value": "o = (L)++;",
    "step-before-value": "o = ++L;",
    "condition": "if (L > 3) o = 2; else y = 9;",
    "condition-value": "o = !L;",
    "conditional": "o = L > y ? 2 : 3;",
    "chosen": "o = c ? L : y;",
    "and": "o = L > 1 && y;",
    "switched": "switch ((int)L & 3) {{ case 0: o = 5; break; case 2: o = 6; default: o += 2; }}",
    "index": "{T} tb[4] = {{1, 5, 2, 8}}; o = tb[(int)L & 3];",
    "by-value": "o = add_{N}(L, y);",
    "by-pointer": "set_{N}(&(L), 7);",
    "by-value-beside-pointer": "o = twist_{N}(&x, L);",
    "by-value-beside-held-pointer": "{T} *q = &x; o = twist_{N}(q, (L));",
    "comma": "o = (L = 5, x);",
    "discarded": "(void)L;",
    "size": "o = sizeof(L);",
    "block": "{{ {T} q = L; {{ {T} x = q; x += 1; o = x; }} }}",
    "loop": "for (int q = 0; q < 3; q++) L += q;",
    "do": "do {{ L = 4; }} while (0);",
    "generic": "o = _Generic(L, int: 3, float: 4, default: 5);",
    "elvis": "o = L ?: 5;",
    "copied-object": "struct S_{N} q = {{L, y, {{1, 2}}}}, r = q; q.a = 3; o = r.a;",
    "boolean": "_Bool q = L; o = q ? 3 : 4;",
    "by-variable-array": "memcpy(&o, &(L), sizeof(o));",
}
_STATEMENTS = {
    "complex": "o = __real__(2.0i + 3.0);",
    "complex-parts": "_Complex double u = 2.0; __imag__ u = 3; o = __real__ u + __imag__ u;",
    "designated-range": "{T} a[4] = {{[1 ... 2] = x}}; o = a[1] + a[3];",
    "designated-inner": "struct S_{N} u = {{.e[1] = x, .a = 2}}; o = u.e[1] + u.e[0];",
    "array-of-variable-size": "int m = k & 3; {T} a[m + 1]; a[m] = x; o = a[m];",
    "declared-by-type-of": "__typeof__(x) u = y; o = u;",
    "declared-by-auto-type": "__auto_type u = x; o = u;",
    "implicit-conversion-of-void": "void *u = &x; {T} *p = u; *p = 3;",
    "compound-literal-assigned": "struct S_{N} u; u = (struct S_{N}){{x, y, {{1, 2}}}}; o = u.b;",
    "compound-literal-changed": "(struct S_{N}){{x, y, {{1, 2}}}}.a += 2; o = 2;",
    "object-returned": "struct S_{N} u = pair_{N}(x, y); o = u.a + u.e[1];",
    "object-passed": "struct S_{N} u = {{x, y, {{1, 2}}}}; o = spent_{N}(u) + u.a;",
    "object-chosen": "struct S_{N} u = {{x}}, v = {{y}}; struct S_{N} w = c ? u : v; o = w.a;",
    "enumerator": "enum {{ SMALL, LARGE = 4 }}; o = SMALL + LARGE;",
    "choose": "o = __builtin_choose_expr(sizeof(x) > 2, 3, 4);",
    "types-compatible": "o = __builtin_types_compatible_p({T}, int) ? 2 : 3;",
    "align-of": "o = _Alignof({T});",
    "static-assert": '_Static_assert(sizeof({T}) > 0, ""); o = 2;',
    "null": "{T} *u = NULL; if (!u) u = &x; o = *u;",
    "goto-back": "int q = 0; again: o += q; if (++q < 3) goto again;",
    "goto-forward": "if (c) goto end; o = 2; end: x += 1;",
    "goto-computed": "static void *to[] = {{&&first, &&second}}; goto *to[j]; first: o = 2; "
        "second: o += 3;",
    "switch-falling": "switch (k & 3) {{ case 3: o += 1; case 2: o += 2; break; default: o = 9; }}",
    "switch-into-loop": "int q = 2; switch (j) {{ case 0: do {{ o += 1; case 1: o += 2; "
        "}} while (--q > 0); }}",
    "for-declared": "for (int q = 0, r = 3; q < r; q++, r--) o += q * r;",
    "while": "int q = 3; while (q--) o += q; o += q;",
    "do": "int q = 0; do {{ o += q; if (q == 1) continue; q++; }} while (q++ < 3);",
    "empty": ";",
    "register": "register {T} u = x; o = u;",
    "atomic": "_Atomic int u = 3; u += 2; o = u;",
    "function-pointer": "{T} (*f)({T}, {T}) = add_{N}; o = f(x, 2) + (*f)(y, 1);",
    "character": "o = sizeof('a') + 'a';",
    "string": 'const char *u = "abc"; o = u[j] + "xyz"[j];',
    "function-name": "o = __func__[0] == 'k' ? 2 : 3;",
    "asm": 'asm(""); o = 2;',
    "variadic": "o = variadic(2, 3, 4);",
    "statement-expression": "o = ({{ {T} u = x; u += 2; u; }});",
    "sequenced-steps": "int q = 0; {T} a[3]; a[q++] = x; a[q++] = y; a[q] = 2; o = a[1] + q;",
    "union": "union {{ {T} a; unsigned char b[8]; }} u = {{x}}; o = u.a;",
    "bit-field": "struct {{ unsigned a : 3, b : 5; }} u = {{1, 2}}; u.a += 9; o = u.a + u.b;",
    "array-of-rows": "{T} a[2][3] = {{{{x, y, 2}}, {{y, x, 3}}}}; {T} (*p)[3] = a + j; "
        "o = p[0][1] + **a;",
    "pointer-to-pointer": "{T} *p = &x, **q = &p; **q = 5; o = *p;",
    "bytes-moved": "{T} a[3] = {{x, y, 2}}; memmove(a, a + 1, 2 * sizeof(a[0])); o = a[0] + a[1];",
    "vector-extension": "typedef int V4 __attribute__((vector_size(16))); V4 u = {{1, 2, 3}}; "
        "u += u; o = u[j];",
}  # fmt: skip
HEADERS = """\
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
"""
_SHARED = """\
struct S_{N} {{ {T} a, b; {T} e[2]; }};
static {T} add_{N}({T} a, {T} b) {{ return a + b; }}
static void set_{N}({T} *p, {T} v) {{ *p = v; }}
static {T} twist_{N}({T} *p, {T} v) {{ *p = v + 1; return v * 2; }}
static struct S_{N} pair_{N}({T} a, {T} b)
{{
    struct S_{N} v = {{a, b, {{5, 6}}}};
    v.a += 1;
    return v;
}}
static {T} spent_{N}(struct S_{N} v) {{ v.a += v.b; v.e[0] = 9; return v.a + v.e[1]; }}
"""
_VARIADIC = """\
static int variadic(int n, ...)
{
    va_list list;
    va_start(list, n);
    int sum = 0;
    while (n-- > 0) sum += va_arg(list, int);
    va_end(list);
    return sum;
}
"""


def c_prelude() -> str:
    return HEADERS + _VARIADIC + "".join(_SHARED.format(T=n.spelling, N=n.name) for n in NUMBERS)


def c_cases() -> Iterator[Case]:
    """Every place of C in every context over every number type, and what else C has of its own."""
    for number in NUMBERS:
        for name, text in _STATEMENTS.items():
            body = in_loop(number, [_filled(text, number)], ["x", "y", "o"])
            yield Case(f"c/statement/{name}/{number.name}", body, "c")
        for name, (setup, place, watched) in _PLACES.items():
            for use, statement in _USES.items():
                lines = [_filled(t, number) for t in (setup, statement.replace("L", place)) if t]
                observed = ["x", "y", "o", *filter(None, watched.split(";"))]
                text = in_loop(number, lines, observed)
                yield Case(f"c/{name}/{use}/{number.name}", text, "c")


def _filled(text: str, number: Number) -> str:
    return text.format(T=number.spelling, N=number.name)
