"""How statements, loops and jumps read in Kernel IR."""

from __future__ import annotations

import pytest

from lifter.model.kernel import Break, WhileLoop, statements

from .parsing import body, failure, kernel, lines


def test_a_post_decrement_in_a_condition_steps_on_both_ways_out() -> None:
    text = "void f(char *d, const char *s, int n) { while (n--) *d++ = *s++; }"
    assert body(text) == lines("""
        d = 0
        s = 0
        while (n != 0) {
          n = n - 1
          d[d] = s[s]
          s = s + 1
          d = d + 1
        }
        n = n - 1
    """)


def test_a_step_is_kept_apart_from_the_body() -> None:
    (loop,) = kernel("void f(int *d, int n) { for (int i = 0; i < n; ++i) d[i] = 0; }").body[1:]
    assert isinstance(loop, WhileLoop) and loop.test_first and len(loop.step) == 1


def test_do_while_tests_last_and_steps_before_its_test() -> None:
    assert body("void f(int *d, int n) { do { d[n] = 1; } while (--n); }") == lines("""
        do {
          d[int64(n)] = 1
        step
          n = n - 1
        } while (n != 0)
    """)


def test_continue_moves_what_follows_into_the_other_branch() -> None:
    text = "void f(int *d, int n) { for (int i = 0; i < n; i++) { if (d[i]) continue; d[i] = 1; } }"
    assert "if (d[int64(i)] == 0) {\n    d[int64(i)] = 1\n  }\nstep" in body(text)


def test_a_guard_wraps_the_rest_and_null_tests_of_parameters_are_gone() -> None:
    assert body("void f(int *d, int n) { if (!d || n <= 0) return; d[n] = 1; }") == lines("""
        if (n > 0) {
          d[int64(n)] = 1
        }
    """)


def test_two_falling_branches_with_a_jump_use_a_flag() -> None:
    text = """
        void f(int *d, int n) {
            if (n > 1) { d[0] = 1; if (n == 2) return; d[1] = 2; }
            d[2] = 3;
        }"""
    assert body(text) == lines("""
        skip = false
        if (n > 1) {
          d[0] = 1
          if (n == 2) {
            skip = true
          } else {
            d[1] = 2
          }
        }
        if (!skip) {
          d[2] = 3
        }
    """)


def test_break_leaves_its_loop() -> None:
    found = kernel("void f(int *d, int n) { while (n) { d[n] = 2; if (d[0]) break; d[n--] = 1; } }")
    assert sum(isinstance(s, Break) for s in statements(found.body)) == 1


def test_a_switch_is_a_chain_with_fallthrough_followed() -> None:
    text = """
        void f(int *d, int m) {
            switch (m) {
            case 1: d[0] = 1;
            case 2: case 3: d[0] = 2; break;
            default: d[0] = 3;
            }
        }"""
    assert body(text) == lines("""
        if (m == 1) {
          d[0] = 1
          d[0] = 2
        } else {
          if (m == 2 || m == 3) {
            d[0] = 2
          } else {
            d[0] = 3
          }
        }
    """)


def test_a_return_inside_a_loop_leaves_it_and_skips_the_rest() -> None:
    text = """
        int f(const int *s) {
            for (int i = 0;; i++) if (s[i] > 9) { if (s[i] > 99) return i; }
            return -1;
        }"""
    assert body(text) == lines("""
        i = 0
        returned = false
        while (true) {
          if (s[int64(i)] > 9) {
            if (s[int64(i)] > 99) {
              result = i
              returned = true
              break
            }
          }
        step
          i = i + 1
        }
        if (!returned) {
          result = -1
        }
        return result
    """)


def test_shadowed_names_are_renamed() -> None:
    text = "void f(int *d, int n) { int a = 1; { int a = 2; d[n] = a; } d[0] = a; }"
    assert body(text) == "a = 1\na.1 = 2\nd[int64(n)] = a.1\nd[0] = a\n"


@pytest.mark.parametrize(
    "head", ["for (; n > 0;)", "for (; n > 0; )", "while (n > 0)", "for (int k = 0; n > 0;)"]
)
def test_parts_of_a_for_may_be_missing(head: str) -> None:
    assert "while (n > 0) {" in body(f"void f(int *d, int n) {{ {head} {{ d[n] = 0; n--; }} }}")


def test_a_step_alone_is_a_step() -> None:
    text = "void f(int *d, int n) { for (;; n++) { if (n > 9) break; d[n] = 0; } }"
    assert "step\n  n = n + 1\n" in body(text)


def test_every_statement_has_its_own_place() -> None:
    found = kernel("void f(int *d, int n) {\n  d[0] = 1;\n\n  d[1] = n;\n}")
    assert [(s.span.line, s.span.column) for s in found.body] == [(2, 3), (4, 3)]


@pytest.mark.slow
def test_long_functions_need_no_deep_recursion() -> None:
    many = "\n".join(
        f"if (n > {i}) d[{i}] = n; switch (n) {{ case {i}: d[0]++; }}" for i in range(200)
    )
    assert len(kernel(f"void f(int *d, int n) {{ {many} }}").body) == 400


def test_an_array_begins_with_values_that_need_temporaries() -> None:
    """clang keeps the arguments of `std::max<int>` in an expression around the whole list."""
    text = """#include <algorithm>
    void f(unsigned char *d, int k) { int t[3] = { k, std::max<int>(d[0], d[1]), 5 };
        for (int i = 0; i < 3; i++) d[i] = t[i]; }"""
    found = body(text)
    assert "t[0] = k\nt[1] = max(int32(d[0]), int32(d[1]))\nt[2] = 5\n" in found


@pytest.mark.parametrize(
    "text",
    [
        "void f(int *d, int k) { int x = 1; switch (x += 2; k) { case 1: d[0] = x; } }",
        "#define SW(a) switch (x += 2; a)\n"
        "void f(int *d, int k) { int x = 1; SW(k) { case 1: d[0] = x; } }",
        "void f(int *d, int k) { auto g = [&](int v) { int x = 1;"
        " switch (x += 2; v) { case 1: d[0] = x; } }; g(k); }",
        "template <class T> static void h(T *d, int k) { int x = 1;"
        " switch (x += 2; k) { case 1: d[0] = x; } }\nvoid f(int *d, int k) { h(d, k); }",
        "#define EACH(v, a) for (int q = 2; int v : a)\n"
        "void f(int *d) { int a[2] = {1, 2}; EACH(v, a) d[0] = v; }",
    ],
)
def test_a_statement_that_clang_does_not_show_is_refused(text: str) -> None:
    assert failure(text, std="c++20").code == "unsupported-statement"


def test_a_variable_of_a_switch_is_one_of_the_block_around() -> None:
    text = "void f(int *d, int k) { switch (int r = k & 3) { case 1: d[0] = r; } }"
    assert body(text) == "r = k & 3\nif (r == 1) {\n  d[0] = r\n}\n"


def test_what_stands_in_front_of_the_first_case_never_runs() -> None:
    text = """void f(int *d, int k, int t)
{
    switch (k) { int v; t = 1; case 1: v = 5; case 2: v = 6; d[v] = t; break; default: d[0] = t; }
}"""
    found = body(text)
    assert "t = 1" not in found and found.count("d[") == 3


@pytest.mark.parametrize("front", ["int v = 9;", "{ case 3: t = 1; }"])
def test_what_a_switch_skips_is_refused_where_cases_may_rely_on_it(front: str) -> None:
    text = f"void f(int *d, int k, int t) {{ switch (k) {{ {front} case 1: d[0] = t; }} }}"
    assert failure(text, name="t.c").code == "unsupported-statement"


def test_what_a_condition_does_is_over_before_what_it_guards() -> None:
    text = "void f(int *d, int q, int k) { if (q++ == 0 && q == 1) d[0] = q; d[1] = k++ ? k : 5; }"
    found = body(text)
    assert "q = q + 1" in found and "k = k + 1" in found


LASTING = {
    "thread_local int t = 0;": "t = n;",
    "thread_local struct { int a; } t;": "t.a = n;",
    "extern int t;": "t = n;",
    "extern int t[4];": "t[1] = n;",
    "extern char *t;": "t = d;",
    "static char *t;": "t = d;",
    "static char &t = d[0];": "t = 3;",
    "static int t;": "t = n;",
    "static auto t = [n](int k) { return k * n; };": "d[0] = t(1);",
    "static const auto t = [n](int k) { return k * n; };": "d[0] = t(1);",
}


@pytest.mark.parametrize("declared", LASTING)
def test_a_variable_of_a_block_that_outlives_the_call_is_state(declared: str) -> None:
    text = f"void f(char *d, int n) {{ {declared} d[1] = 2; {LASTING[declared]} }}"
    assert failure(text).code in ("static-state", "global-state")


@pytest.mark.parametrize(
    "declared",
    [
        "static const int t[2] = {1, 2};",
        "static constexpr int t = 3;",
        "static auto t = [](int k) { return k * 2; };",
    ],
)
def test_lasting_variables_that_hold_known_constants_are_as_good_as_those(declared: str) -> None:
    use = "t(1)" if "[](" in declared else "t[1]" if "[2]" in declared else "t"
    assert kernel(f"void f(char *d, int n) {{ {declared} d[1] = {use}; }}")


@pytest.mark.parametrize("name", ["t.c", "t.cpp"])
def test_a_function_that_a_scope_runs_at_its_end_isnt_forgotten(name: str) -> None:
    text = """
        static void last(char **p) { **p = 7; }
        void f(char *d, const char *s, int n) {
            MARK char *p = d;
            d[0] = s[0];
        }"""
    marked = text.replace("MARK", "__attribute__((cleanup(last)))")
    assert failure(marked, name=name).code == "unsupported-statement"
    assert kernel(text.replace("MARK", "__attribute__((unused))"), name=name)
