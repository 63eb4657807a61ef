"""References are aliases of places; arguments by value are copies; what is neither is refused."""

from __future__ import annotations

import pytest

from lifter.model.kernel import Kernel

from .galleries import Gallery
from .parsing import body, failure, lines

GALLERY = Gallery("references.cpp")
REFUSED = {"seen_as_it_was", "left_early_for_another"}


def test_all_of_the_gallery_is_understood() -> None:
    assert not GALLERY.parsed.diagnostics
    failed = {s.name: str(s.diagnostic) for s in GALLERY.parsed.failed}
    assert set(failed) == REFUSED, failed


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("kernel", GALLERY.parsed.kernels, ids=lambda kernel: kernel.name)
def test_interpreting_the_kernel_leaves_what_the_original_leaves(kernel: Kernel) -> None:
    GALLERY.check(kernel)


@pytest.mark.parametrize(
    "statement",
    [
        "int &r = (int &)f; r = 1065353216;",
        "put((int &)f, 3);",
        "int v = (int &)f; d[0] = v;",
        "*reinterpret_cast<int *>(&f) = 3;",
        "long &r = (long &)x; r = 3;",
        "uint8_t &r = (uint8_t &)x; r = 3;",
        "d[0] = __builtin_bit_cast(int, f);",
        "P *r = x > 3 ? &p : &q; r->a = 5; d[0] = p.a;",
        "int *r = x > 3 ? &x : d; *r = 5; d[0] = x;",
        "d[0] = x ?: 5;",
        "d[0] = __builtin_choose_expr(1, x, 5);",
        "int *const &r = d; d[0] = r[1];",
        "int *(&&r) = d + 1; r++; d[0] = *r;",
        "int *at[2] = {d, d + 1}; int *&r = at[1]; r++; d[0] = *r;",
    ],
)
def test_what_is_no_place_of_a_kernel_is_refused(statement: str) -> None:
    text = f"""
        #include <cstdint>
        struct P {{ int a, b; }};
        static void put(int &r, int v) {{ r = v; }}
        void f(int *d, int x, float f) {{ P p = {{1, 2}}, q = {{3, 4}}; {statement} }}"""
    found = failure(text)
    no_type = ("pointer-cast", "syntax-error", "unsupported-type")
    assert found.code in (*no_type, "pointer-base", "unsupported-expression")


@pytest.mark.parametrize(
    "statement",
    [
        "d[0] = next(&x) + x;",
        "d[0] = x + next(&x);",
        "d[0] = sum(next(&x), x);",
        "d[0] = sum(x, next(&x));",
        "d[0] = next(&x) * next(&x);",
        "int &r = x; d[0] = r++ + x;",
        "int &r = x; x = r++ + 1; d[0] = x;",
        "int *p = &x; d[0] = x++ + *p;",
        "auto get = [&] { return x; }; d[0] = x++ + get();",
        "int *&r = d; *r = *d++;",
        "int *&r = d; *d = r++ - d;",
        "d[0] = taken(d) + taken(d);",
        "d[0] = taken(d) + *d;",
        "int *&r = d; d[0] = taken(r) + *d;",
    ],
)
def test_an_order_that_is_open_is_refused(statement: str) -> None:
    text = f"""
        static int next(int *p) {{ *p = *p * 3 + 1; return *p; }}
        static int sum(int a, int b) {{ return a - b; }}
        static int taken(int *&p) {{ return *p++; }}
        void f(int *d, int x) {{ {statement} }}"""
    assert failure(text).code == "unsequenced"


@pytest.mark.parametrize(
    "statement",
    [
        "d[0] = next(&x) + next(&y);",
        "d[0] = sum(next(&x), y);",
        "d[0] = next(&x), d[1] = x;",
        "d[0] = x++ + y++;",
        "int &r = x; d[0] = r++ + y;",
        "int *e = d + 1; d[0] = taken(e) + *d;",
    ],
)
def test_an_order_that_does_not_matter_is_none(statement: str) -> None:
    text = f"""
        static int next(int *p) {{ *p = *p * 3 + 1; return *p; }}
        static int sum(int a, int b) {{ return a - b; }}
        static int taken(int *&p) {{ return *p++; }}
        void f(int *d, int x, int y) {{ {statement} }}"""
    assert "d[0] = " in body(text)


def test_an_argument_that_nobody_changes_needs_no_copy() -> None:
    text = """
        static void put(int &r, int v, int *d) { d[v] = r; }
        void f(int *d) { int x = d[1]; int y = d[2]; put(y, x, d); }"""
    assert body(text) == lines("""
        x = d[1]
        y = d[2]
        d[int64(x)] = y
    """)


@pytest.mark.parametrize("call", ["std::max(d[0], d[1])", "(n ? d[0] : d[1])", "larger(d[0], n)"])
def test_a_reference_to_one_of_two_places_reads_it_as_it_is_then(call: str) -> None:
    text = """
        #include <algorithm>
        template <class T> const T &larger(const T &a, const T &b) { return a < b ? b : a; }
        void f(int *d, int n) { const int &m = CALL; d[0] = 7; d[1] += m; }"""
    found = body(text.replace("CALL", call))
    assert "d[1] = d[1] + select(" in found.splitlines()[-1]
    value = body(text.replace("const int &m", "const int m").replace("CALL", call))
    assert value.splitlines()[-1] == "d[1] = d[1] + m"


def test_captures_that_a_macro_hides_are_refused() -> None:
    text = """
        #define KEEP =
        #define MAKE(kept) [kept] { return x; }
        void f(int *d, int x) { auto g = LAMBDA; x = 3; d[0] = g(); }"""
    for hidden in ("[KEEP] { return x; }", "MAKE(x)"):
        assert failure(text.replace("LAMBDA", hidden)).code == "lambda"
    assert "d[0] = x.1" in body(text.replace("LAMBDA", "[=] { return x; }"))


@pytest.mark.parametrize(
    "statement",
    [
        "d[i] = next(&i);",
        "d[i] += next(&i);",
        "i += next(&i);",
        "d[i & 3] = d[next(&i)];",
        "d[i] = (i = 2);",
    ],
)
def test_the_sides_of_an_assignment_have_an_order_since_cpp17(statement: str) -> None:
    text = f"""
        static int next(int *p) {{ *p = *p * 3 + 1; return *p; }}
        void f(int *d, int i) {{ {statement} d[9] = i; }}"""
    assert "d[9] = i" in body(text, std="c++17") and "d[9] = i" in body(text)
    assert failure(text, std="c++14").code == "unsequenced"
    assert failure(text, name="snippet.c").code == "unsequenced"
    assert failure(text, clang_args=("-std=gnu++11",)).code == "unsequenced"


def test_an_assignment_without_conflict_needs_no_order() -> None:
    text = """
        static int next(int *p) { *p = *p * 3 + 1; return *p; }
        void f(int *d, int i, int k) { d[i] = next(&k); d[i + 1] += next(&k); k = next(&k); }"""
    for options in ({"std": "c++11"}, {"name": "snippet.c"}):
        assert "d[int64(i)] = " in body(text, **options)
