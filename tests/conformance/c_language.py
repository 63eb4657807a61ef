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
HEADERS = "#include <stdint.h>\n#include <string.h>\n#include <stdlib.h>\n#include <stdbool.h>\n"
_SHARED = """\
struct S_{N} {{ {T} a, b; {T} e[2]; }};
static {T} add_{N}({T} a, {T} b) {{ return a + b; }}
static void set_{N}({T} *p, {T} v) {{ *p = v; }}
static {T} twist_{N}({T} *p, {T} v) {{ *p = v + 1; return v * 2; }}
"""


def c_prelude() -> str:
    return HEADERS + "".join(_SHARED.format(T=n.spelling, N=n.name) for n in NUMBERS)


def c_cases() -> Iterator[Case]:
    """Every place of C in every context over every number type."""
    for number in NUMBERS:
        for name, (setup, place, watched) in _PLACES.items():
            for use, statement in _USES.items():
                lines = [_filled(t, number) for t in (setup, statement.replace("L", place)) if t]
                observed = ["x", "y", "o", *filter(None, watched.split(";"))]
                text = in_loop(number, lines, observed)
                yield Case(f"c/{name}/{use}/{number.name}", text, "c")


def _filled(text: str, number: Number) -> str:
    return text.format(T=number.spelling, N=number.name)
