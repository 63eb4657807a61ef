"""What an instance of a class template does when it is copied, made or ended is not overlooked,
although libclang doesn't list an instance's members."""

from __future__ import annotations

import pytest

from .parsing import body, failure, kernel

VIEW = """\
template <class T> struct View {
    T *p; int n;
    View(T *a, int b) : p(a), n(b) {}
    MORE
};
struct Outer { View<int> v; Outer(int *p, int n) : v(p, n) {} };
"""
COPY = "void f(int *d, int n) { Outer a(d, n); Outer b = a; b.v.p[0] = 1; }"
ASSIGN = "void f(int *d, int n) { Outer a(d, n), b(d, 1); b = a; b.v.p[0] = 1; }"


def view(more: str, use: str) -> str:
    return VIEW.replace("MORE", more) + use


@pytest.mark.parametrize("use", [COPY, ASSIGN])
def test_copies_of_c_plus_plus_itself_are_understood(use: str) -> None:
    assert "d[" in body(view("", use))
    assert "d[" in body(view("View(const View &) = default;", use))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (view("View(const View &o) : p(o.p + 1), n(o.n) {}", COPY), "copy operation of its own"),
        (
            view("View &operator=(const View &o) { n = o.n; return *this; }", ASSIGN),
            "copy operation of its own",
        ),
        (view("~View() { p[1] = 7; }", COPY), "destructor"),
        (
            "template <class T> struct Five { T v; Five() : v(5) {} };\n"
            "struct Outer { Five<int> x; };\nvoid f(int *d) { Outer o; d[0] = o.x.v; }",
            "constructor",
        ),
        (
            "template <class T> struct Base { T *p; ~Base() { p[0] = 7; } };\n"
            "template <class T> struct Top : Base<T> { int n; };\n"
            "void f(int *d) { Top<int> t; t.n = 3; d[1] = t.n; }",
            "base isn't seen",
        ),
    ],
)
def test_what_an_instance_does_by_itself_is_refused(text: str, words: str) -> None:
    found = failure(text)
    assert found.code == "unsupported-type" and words in found.message and found.help
    assert found.span is not None


def test_bases_that_are_arguments_or_empty_are_seen() -> None:
    found = kernel(
        "struct Twice { static int of(int v) { return 2 * v; } };\n"
        "template <class Own> struct Mark { int same(int v) const { return v; } };\n"
        "template <class Op> struct Blend : Op, Mark<Blend<Op>> {\n"
        "    int by; int operator()(int v) const { return this->same(Op::of(v)) + by; } };\n"
        "void f(int *d, const Blend<Twice> &b) { d[0] = b(d[1]); }"
    )
    assert [p.name for p in found.params] == ["d", "b.by"]
