"""Every kind of statement, alone and in one another, with jumps out of each (`statements.txt`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .case import Number

_LINES = [
    line
    for line in Path(__file__).with_name("statements.txt").read_text().splitlines()
    if not line.startswith("#")
]
PRELUDE = """\
struct C_{N} {{ {T} a, b; C_{N}() : a(2), b(3) {{}}
    explicit C_{N}({T} v) : a(v) {{ b = a + 1; }} }};
struct V_{N} {{
    {T} a, b;
    V_{N} operator+(const V_{N} &o) const {{ return {{({T})(a + o.a), ({T})(b + o.b)}}; }}
    V_{N} &operator+=(const V_{N} &o) {{ a += o.a; b += o.b; return *this; }}
    explicit operator int() const {{ return (int)(a + b); }}
}};
static {T} total_{N}(S_{N} w) {{ w.a += w.b; w.e[0] = 9; return w.a + w.e[1]; }}
static S_{N} pair_{N}({T} a, {T} b) {{ S_{N} w = {{a, b, {{5, 6}}}}; w.a += 1; return w; }}
static {T} *after_{N}({T} *p, int by) {{ return p + by + 1; }}
static {T} filled_{N}({T} (&a)[3]) {{ a[1] = 8; return a[0] + a[2]; }}
template <class F> static {T} applied_{N}(F f, {T} v) {{ return f(v) * 2; }}
struct X_{N} {{ {T} a; virtual {T} f() {{ return a; }} virtual ~X_{N}() {{}} }};
struct Y_{N} : X_{N} {{ {T} f() override {{ return a + 1; }} }};
struct Span_{N} {{ {T} *p, *q; {T} *begin() {{ return p; }} {T} *end() {{ return q; }} }};
static {T} thrown_{N}({T} v) {{ if (v > 50) throw 3; return v; }}
template <class... A> static {T} summed_{N}(A... v) {{ return (v + ...); }}
template <class... A> static int counted_{N}(A...) {{ return sizeof...(A); }}
template <class... A> static {T} passed_{N}(A &&...v) {{ return add_{N}(std::forward<A>(v)...); }}
"""


def statements(number: Number) -> Iterator[tuple[str, list[str]]]:
    """Every statement: its name, and its lines."""
    for line in _LINES:
        name, _, text = line.partition(": ")
        yield name, [text.replace("{T}", number.spelling).replace("{N}", number.name)]
