"""What isn't understood of classes and templates is refused by name and place, alone."""

from __future__ import annotations

import pytest

from .parsing import body, failure, kernel, parse

GOOD = "\nvoid good(int *d) { d[0] = 1; }\n"


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (
            "union U { int i; float f; };\nvoid f(int *d, U u) { d[0] = u.i; }",
            "unsupported-type",
            "union",
        ),
        (
            "struct S { int a : 3; };\nvoid f(int *d, S s) { d[0] = s.a; }",
            "unsupported-type",
            "bit-field",
        ),
        (
            "struct S { int a : 3; };\nvoid f(int *d) { S s; s.a = d[0]; d[0] = s.a; }",
            "unsupported-type",
            "bit-field",
        ),
        (
            "struct S { volatile int a; };\nvoid f(int *d) { S s; s.a = d[0]; d[0] = s.a; }",
            "unsupported-type",
            "volatile",
        ),
        (
            "struct S { union { int i; float f; }; };\nvoid f(int *d, S &s) { d[0] = s.i; }",
            "unsupported-type",
            "member",
        ),
        (
            "struct S { virtual int area() const; };\n"
            "void f(int *d, const S &s) { d[0] = s.area(); }",
            "virtual-call",
            "area",
        ),
        (
            "struct S { int *p; S(int *p) : p(p) {} ~S() { *p = 7; } };\n"
            "void f(int *d) { S s(d); d[1] = 2; }",
            "unsupported-type",
            "destructor",
        ),
        (
            "struct S { int a; S(int a) : a(a) {} S(const S &o) : a(o.a + 1) {} };\n"
            "void f(int *d) { S s(d[0]); S t = s; d[0] = t.a; }",
            "uncopied",
            "",
        ),
        (
            "struct I { int *data; int n; };\nvoid f(I *i) { while (i->n--) *i->data++ = 0; }",
            "unsupported-type",
            "moved",
        ),
        (
            "struct M { int a[4]; float b; };\nvoid f(M m) { m.a[0] = 1; }",
            "unsupported-type",
            "by value",
        ),
        (
            "struct M { int a : 3; float b; };\nvoid f(M *m, int n) { m[n].a = 1; }",
            "unsupported-type",
            "",
        ),
        (
            "struct N { N *next; int v; };\nvoid f(const N *n, int *d) { d[0] = n->next->v; }",
            "unsupported-type",
            "own class",
        ),
        ("struct I { int a; } g;\nvoid f(int *d) { d[0] = g.a; }", "global-state", "g"),
        (
            "struct A { int x; int *p; };\nstruct B : A { int x; };\n"
            "void f(B *b) { b->p[0] = b->x; }",
            "unsupported-type",
            "another member",
        ),
        (
            "struct P { int a; };\nvoid f(P *p, P *q, int n) { P *r = n ? p : q; r->a = 1; }",
            "pointer-base",
            "",
        ),
        ("void f(int *d, int (*op)(int)) { d[0] = op(1); }", "unsupported-type", "op"),
        (
            "int a(int), b(int);\nint a(int v) { return v; }\nint b(int v) { return -v; }\n"
            "void f(int *d, int n) { int (*op)(int) = n ? a : b; d[0] = op(1); }",
            "pointer-base",
            "",
        ),
        (
            "void f(int *d) { auto g = [k = 2](int a) { return a * k; }; d[0] = g(1); }",
            "lambda",
            "initializer",
        ),
        (
            "#include <vector>\nvoid f(int *d, const std::vector<int> &v, int n) "
            "{ for (int i = 0; i < n; i++) d[i] = v.at(i); }",
            "exception",
            "no such element",
        ),
        (
            "#include <array>\nvoid f(int *d, const std::array<int, 3> &v, int n) "
            "{ for (int i = 0; i < n; i++) d[i] = v.at(i); }",
            "exception",
            "throw",
        ),
        (
            "#include <array>\nvoid f(int *d, const std::array<int, 3> &v) { d[0] = v.at(3); }",
            "exception",
            "throw",
        ),
    ],
)  # fmt: skip
def test_it_is_refused_with_its_code_and_takes_nothing_else_down(
    text: str, code: str, words: str
) -> None:
    if code == "uncopied":
        # A copy constructor of the class's own is inlined like any other.
        assert "s.a + 1" in body(text)
        return
    found = failure(text)
    assert (found.code, found.family) == (code, "unsupported"), str(found)
    assert words in found.message and found.span is not None
    both = parse(text + GOOD)
    assert "good" in {k.name for k in both.kernels}


def test_a_field_that_nothing_uses_may_be_of_any_type() -> None:
    text = """
        #include <thread>
        struct S { std::thread t; union { int a; float b; }; int *p; S *next; int n : 4; };
        void f(S &s, int v) { for (int i = 0; i < v; i++) s.p[i] = v; }"""
    assert [p.name for p in kernel(text).params] == ["s.p", "v"]


def test_the_parameters_are_the_fields_in_their_order() -> None:
    text = """
        struct V { int w; struct { short *q; int stride; } in; float *p; };
        void f(int k, const V *v) { for (; k > 0; k--) v->p[v->w] = v->in.q[v->in.stride * k]; }"""
    found = kernel(text)
    assert [p.name for p in found.params] == ["k", "v.w", "v.in.q", "v.in.stride", "v.p"]
    assert [s.name for s in found.source_params] == ["k", "v"]
    assert [f.path for f in found.source_params[1].fields] == ["w", "in.q", "in.stride", "p"]


def test_a_template_that_nothing_uses_is_skipped_and_an_instance_is_named_by_its_arguments() -> (
    None
):
    text = "template <class T, int N> void f(T *d) { d[0] = N; }\n"
    assert [s.diagnostic.code for s in parse(text).skipped] == ["template"]
    used = text + "template void f<unsigned char, 3>(unsigned char *);\n"
    found = parse(used)
    assert [k.name for k in found.kernels] == ["f_uint8_3"] and not found.skipped
    assert found.kernels[0].qualified_name == "f<unsigned char, 3>"
    assert found.kernels[0].span.line == 1


def test_an_instance_that_clang_refuses_is_an_error_of_the_text() -> None:
    text = (
        "template <class T> void f(T *d) { d[0] = T::none; }\ntemplate void f<int>(int *);" + GOOD
    )
    found = parse(text)
    assert {k.name for k in found.kernels} == {"good"}
    assert {d.code for d in found.diagnostics} == {"syntax-error"}


def test_assumptions_name_fields_as_the_source_does() -> None:
    text = """
        struct V { int w, pitch; short *q; void m() { for (int i = 0; i < w; i++) q[i] = 1; } };
        // lift: assume(v->w <= v->pitch && n > 0)
        void f(V *v, int n) { for (int i = 0; i < v->w; i++) v->q[i * v->pitch] = n; }"""
    assert [str(a.condition) for a in kernel(text).preconditions] == ["v.w <= v.pitch && n > 0"]
    method = text.replace("void m", "\n// lift: assume(w > 2)\nvoid m")
    found = next(k for k in parse(method).kernels if k.name == "V_m")
    assert [str(a.condition) for a in found.preconditions] == ["this.w > 2"]


def test_an_element_that_is_there_throws_nothing() -> None:
    text = "#include <array>\nvoid f(int *d, const std::array<int, 3> &v) { d[0] = v.at(2); }"
    assert "d[0] = v[2]" in body(text)
