"""Every kind of expression that names a place, with the places that using it may change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .case import Number


@dataclass(frozen=True)
class PlaceForm:
    """An lvalue: `setup` comes before it; `{T}` is the number type in all texts."""

    name: str
    setup: str
    text: str
    watched: str = ""
    """Places, apart by `;`, that are observed beside `x`, `y` and `o`."""
    acts: bool = False
    """Whether to evaluate it changes something: it stands once in a statement then."""
    type: str = ""
    """Its type where that isn't the number type."""


_ARRAY = "{T} a[3] = {{x, y, 2}};"
_ROWS = "{T} a[2][2] = {{{{x, y}}, {{2, 3}}}};"
_OBJECT = "S_{N} w = {{x, y, {{1, 2}}}};"
_TWO = _OBJECT + " S_{N} z = {{y, x, {{3, 4}}}};"
_OBJECTS = "S_{N} t[2] = {{{{x, y, {{1, 2}}}}, {{y, x, {{3, 4}}}}}};"
_W = "w.a;w.b;w.e[0];w.e[1]"
_Z = "z.a;z.b"
_A, _R, _T = "a[0];a[1];a[2]", "a[0][0];a[0][1];a[1][0];a[1][1]", "t[0].a;t[0].b;t[1].a;t[1].b"
_D = "d[i]"

_FORMS = (
    PlaceForm("name", "", "x"),
    PlaceForm("parentheses", "", "((x))"),
    PlaceForm("reference", "{T} &r = x;", "r"),
    PlaceForm("reference-of-reference", "{T} &q1 = x; {T} &r = q1;", "r"),
    PlaceForm("forwarding-reference", "auto &&r = x;", "r"),
    PlaceForm("reference-in-parentheses", "{T} &r = (x);", "(r)"),
    PlaceForm("dereferenced-address", "", "*&x"),
    PlaceForm("pointer", "{T} *p = &x;", "*p"),
    PlaceForm("pointer-element", "{T} *p = &x;", "p[0]"),
    PlaceForm("pointer-copied", "{T} *p1 = &x; {T} *p = p1;", "*p"),
    PlaceForm("pointer-to-reference", "{T} &r = x; {T} *p = &r;", "*p"),
    PlaceForm("reference-to-pointee", "{T} *p = &x; {T} &r = *p;", "r"),
    PlaceForm("array-element", _ARRAY, "a[1]", _A),
    PlaceForm("array-element-by-variable", _ARRAY, "a[j]", _A),
    PlaceForm("array-element-turned", _ARRAY, "j[a]", _A),
    PlaceForm("array-element-by-offset", _ARRAY, "*(a + j)", _A),
    PlaceForm("array-by-pointer", _ARRAY + " {T} *p = a + 1;", "p[-1]", _A),
    PlaceForm("array-by-moved-pointer", _ARRAY + " {T} *p = a; p += j;", "*p", _A),
    PlaceForm("array-by-stepped-pointer", _ARRAY + " {T} *p = a;", "*p++", _A, True),
    PlaceForm("array-by-stepping-pointer", _ARRAY + " {T} *p = a;", "*++p", _A, True),
    PlaceForm("array-reference", _ARRAY + " {T} (&q1)[3] = a;", "q1[2]", _A),
    PlaceForm("element-reference", _ARRAY + " {T} &r = a[j]; j = 2;", "r", _A),
    PlaceForm("row-element", _ROWS, "a[j][1]", _R),
    PlaceForm("row-reference", _ROWS + " {T} (&q1)[2] = a[j]; j = 1 - j;", "q1[1]", _R),
    PlaceForm("row-pointer", _ROWS + " {T} *p = a[j];", "p[1]", _R),
    PlaceForm("pixel", "", "d[i]", _D),
    PlaceForm("pixel-by-offset", "", "*(d + i)", _D),
    PlaceForm("pixel-turned", "", "i[d]", _D),
    PlaceForm("pixel-by-pointer", "{T} *p = d + i;", "*p", _D),
    PlaceForm("pixel-by-address", "{T} *p = &d[i];", "*p", _D),
    PlaceForm("pixel-reference", "{T} &r = d[i];", "r", _D),
    PlaceForm("pixel-by-stepped-pointer", "{T} *p = d + i;", "*p++", _D, True),
    PlaceForm("pixel-cast", "", "({T} &)d[i]", _D),
    PlaceForm("pixel-static-cast", "", "static_cast<{T} &>(d[i])", _D),
    PlaceForm("pixel-reinterpreted", "", "reinterpret_cast<{T} &>(d[i])", _D),
    PlaceForm("pixel-reinterpreted-reference",
              "{T} &r = reinterpret_cast<{T} &>(d[i]);", "r", _D),
    PlaceForm("pixel-by-cast-address", "", "*({T} *)&d[i]", _D),
    PlaceForm("pixel-other-sign", "", "({U} &)d[i]", _D, type="{U}"),
    PlaceForm("pixel-other-sign-reference", "{U} &r = reinterpret_cast<{U} &>(d[i]);", "r", _D,
              type="{U}"),
    PlaceForm("pixel-other-sign-pointer", "{U} *p = ({U} *)d;", "p[i]", _D, type="{U}"),
    PlaceForm("pixel-other-kind", "", "({F} &)d[i]", _D, type="{F}"),
    PlaceForm("local-other-sign", "", "({U} &)x", type="{U}"),
    PlaceForm("local-other-sign-pointer", "{U} *p = ({U} *)&x;", "*p", type="{U}"),
    PlaceForm("local-other-kind", "", "({F} &)x", type="{F}"),
    PlaceForm("local-bytes", "", "*(uint8_t *)&x", type="uint8_t"),
    PlaceForm("conditional", "", "(c ? x : y)"),
    PlaceForm("conditional-of-elements", _ARRAY, "(c ? a[j] : x)", _A),
    PlaceForm("conditional-of-pixels", "", "(c ? d[i] : x)", _D),
    PlaceForm("conditional-pointer", _ARRAY, "*(c ? a : a + 2)", _A),
    PlaceForm("conditional-nested", "", "(c ? j ? x : o : y)"),
    PlaceForm("conditional-reference", "{T} &r = c ? x : y; c = !c;", "r"),
    PlaceForm("elvis", "{T} *p = &x;", "*(p ?: &y)"),
    PlaceForm("comma", "", "(y = 5, x)", acts=True),
    PlaceForm("comma-without-effect", "", "(y, x)"),
    PlaceForm("increment", "", "++x", acts=True),
    PlaceForm("decrement", "", "--x", acts=True),
    PlaceForm("increment-of-element", _ARRAY, "++a[j]", _A, True),
    PlaceForm("assignment", "", "(x = y)", acts=True),
    PlaceForm("assignment-of-element", _ARRAY, "(a[j] = x)", _A, True),
    PlaceForm("compound-assignment", "", "(x += 3)", acts=True),
    PlaceForm("compound-assignment-of-pixel", "", "(d[i] += 3)", _D, True),
    PlaceForm("cast", "", "({T} &)x"),
    PlaceForm("static-cast", "", "static_cast<{T} &>(x)"),
    PlaceForm("const-cast", "const {T} &q1 = x;", "const_cast<{T} &>(q1)"),
    PlaceForm("reinterpret-cast", "", "reinterpret_cast<{T} &>(x)"),
    PlaceForm("cast-to-typedef", "typedef {T} &Ref;", "(Ref)x"),
    PlaceForm("cast-by-macro", "", "AS_REFERENCE({T}, x)"),
    PlaceForm("static-cast-by-macro", "", "STATIC_REFERENCE({T}, x)"),
    PlaceForm("in-macro", "", "PLAIN(x)"),
    PlaceForm("field", _OBJECT, "w.b", _W),
    PlaceForm("field-element", _OBJECT, "w.e[j]", _W),
    PlaceForm("field-by-pointer", _OBJECT + " S_{N} *p = &w;", "p->b", _W),
    PlaceForm("field-of-dereferenced", _OBJECT + " S_{N} *p = &w;", "(*p).b", _W),
    PlaceForm("field-by-reference", _OBJECT + " S_{N} &q1 = w;", "q1.b", _W),
    PlaceForm("field-reference", _OBJECT + " {T} &r = w.b;", "r", _W),
    PlaceForm("field-pointer", _OBJECT + " {T} *p = &w.b;", "*p", _W),
    PlaceForm("field-element-reference", _OBJECT + " {T} &r = w.e[j]; j = 1 - j;", "r", _W),
    PlaceForm("field-of-parentheses", _OBJECT, "(w).b", _W),
    PlaceForm("field-of-conditional", _TWO, "(c ? w : z).b", _W + ";" + _Z),
    PlaceForm("field-of-conditional-reference", _TWO + " S_{N} &r = c ? w : z;", "r.b",
              _W + ";" + _Z),
    PlaceForm("field-of-conditional-pointer", _TWO + " S_{N} *p = c ? &w : &z;", "p->b",
              _W + ";" + _Z),
    PlaceForm("field-of-assignment", _TWO, "(w = z).b", _W + ";" + _Z, True),
    PlaceForm("field-of-comma", _OBJECT, "(o = 2, w).b", _W, True),
    PlaceForm("field-of-cast", _OBJECT, "((S_{N} &)w).b", _W),
    PlaceForm("field-of-mixed", "M_{N} m = {{x, 5, y}};", "m.b", "m.a;m.h;m.b"),
    PlaceForm("field-of-inner", "N_{N} m = {{{{x, y, {{1, 2}}}}, 4}};", "m.w.b",
              "m.w.a;m.w.b;m.t"),
    PlaceForm("field-of-inner-reference", "N_{N} m = {{{{x, y, {{1, 2}}}}, 4}}; S_{N} &r = m.w;",
              "r.a", "m.w.a;m.w.b;m.t"),
    PlaceForm("field-of-base", "D_{N} m; m.a = x; m.b = y; m.f = 3;", "m.a", "m.a;m.b;m.f"),
    PlaceForm("field-of-base-reference",
              "D_{N} m; m.a = x; m.b = y; m.f = 3; B_{N} &r = m;", "r.b", "m.a;m.b;m.f"),
    PlaceForm("field-of-base-cast", "D_{N} m; m.a = x; m.b = y; m.f = 3;",
              "static_cast<B_{N} &>(m).a", "m.a;m.b;m.f"),
    PlaceForm("method", _OBJECT, "w.ref()", _W),
    PlaceForm("method-element", _OBJECT, "w.at(j)", _W),
    PlaceForm("method-operator", _OBJECT, "w[j]", _W),
    PlaceForm("method-of-itself", _OBJECT, "w.self().b", _W),
    PlaceForm("member-reference", "R_{N} w = {{x}};", "w.r"),
    PlaceForm("member-reference-to-element", _ARRAY + " R_{N} w = {{a[j]}}; j = 2;", "w.r", _A),
    PlaceForm("member-reference-by-constructor", "H_{N} w(x);", "w.r"),
    PlaceForm("member-pointer", "P_{N} w = {{&x}};", "*w.p"),
    PlaceForm("function", "", "ref_{N}(x)"),
    PlaceForm("function-of-element", _ARRAY, "ref_{N}(a[j])", _A),
    PlaceForm("function-of-pixel", "", "ref_{N}(d[i])", _D),
    PlaceForm("function-of-function", "", "ref_{N}(ref_{N}(x))"),
    PlaceForm("function-that-chooses", "", "choose_{N}(c, x, y)"),
    PlaceForm("function-that-branches", "", "branch_{N}(c, x, y)"),
    PlaceForm("function-that-changes", "", "bump_{N}(x)", acts=True),
    PlaceForm("function-of-pointer", "", "*address_{N}(x)"),
    PlaceForm("function-reference", "{T} &r = ref_{N}(x);", "r"),
    PlaceForm("function-of-object", _OBJECT, "part_{N}(w)", _W),
    PlaceForm("lambda", "auto g = [&]() -> {T} & {{ return x; }};", "g()"),
    PlaceForm("lambda-of-argument", "auto g = []({T} &v) -> {T} & {{ return v; }};", "g(x)"),
    PlaceForm("structured-binding-reference", _OBJECT + " auto &[u, q1, e1] = w;", "q1", _W),
    PlaceForm("structured-binding-copy", _OBJECT + " auto [u, q1, e1] = w;", "q1", _W + ";u;q1"),
    PlaceForm("structured-binding-array", _OBJECT + " auto &[u, q1, e1] = w;", "e1[j]", _W),
    PlaceForm("object-element", _OBJECTS, "t[j].b", _T),
    PlaceForm("object-element-reference", _OBJECTS + " S_{N} &r = t[j]; j = 1 - j;", "r.a", _T),
    PlaceForm("object-element-pointer", _OBJECTS + " S_{N} *p = t + j;", "p->a", _T),
    PlaceForm("object-element-method", _OBJECTS, "t[j].ref()", _T),
    PlaceForm("vector-element", "std::vector<{T}> v(2); v[0] = x; v[1] = y;", "v[j]",
              "v[0];v[1]"),
    PlaceForm("vector-front", "std::vector<{T}> v(2); v[0] = x; v[1] = y;", "v.front()",
              "v[0];v[1]"),
    PlaceForm("vector-reference",
              "std::vector<{T}> v(2); v[0] = x; v[1] = y; std::vector<{T}> &r = v;", "r[j]",
              "v[0];v[1]"),
    PlaceForm("standard-array", "std::array<{T}, 2> v = {{x, y}};", "v[j]", "v[0];v[1]"),
    PlaceForm("minimum", "", "const_cast<{T} &>(std::min(x, y))"),
    PlaceForm("moved", "{T} &&r = std::move(x);", "r"),
    PlaceForm("static-forward", "{T} &&r = static_cast<{T} &&>(x);", "r"),
    PlaceForm("temporary", "{T} &&r = x + y;", "r", "r"),
    PlaceForm("copied-temporary", "{T} &&r = ({T})x;", "r", "r"),
    PlaceForm("extended-temporary", "const {T} &q1 = y + x; {T} r = q1;", "r", "r"),
)  # fmt: skip


def places(number: Number) -> Iterator[PlaceForm]:
    """All forms over one number type."""
    for form in _FORMS:
        texts = (form.setup, form.text, form.type)
        if any("{U}" in t for t in texts) and number.other_sign is None:
            continue
        if any("{F}" in t for t in texts) and number.same_width is None:
            continue
        setup, text, type = (
            t.format(T=number.spelling, N=number.name, U=number.other_sign, F=number.same_width)
            for t in texts
        )
        yield PlaceForm(form.name, setup, text, form.watched, form.acts, type or number.spelling)
