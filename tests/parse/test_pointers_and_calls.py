"""Pointers as array and offset; calls inlined, kept by name, modelled or refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compiler.ir import to_text
from lifter.model.kernel import Kernel
from lifter.parse import functions
from lifter.parse.program import SourceProgram
from lifter.parse.translation import Known, Translation

from .parsing import body, failure, kernel, lines, parse


def test_a_moved_parameter_is_an_offset_of_its_own_name() -> None:
    text = "void f(char *d, const char *s, int pitch) { d[1] = s[0]; s += pitch; d[2] = s[-1]; }"
    assert body(text) == "s = 0\nd[1] = s[s]\ns = s + int64(pitch)\nd[2] = s[s + -1]\n"


def test_an_array_parameter_is_as_constant_as_its_elements() -> None:
    text = "void f(float *d, const float m[6], const float k[2][3], float t[4]) { d[0] = m[1]; }"
    assert [p.is_const for p in kernel(text).params] == [False, True, True, False]


def test_local_pointers_keep_their_base() -> None:
    text = """
        void f(int *d, int w, int y) {
            int *row = d + y * w;
            int *next = &row[w];
            *next++ = row[1];
            next[0] = next - row;
        }"""
    assert body(text) == lines("""
        row = int64(y * w)
        next = row + int64(w)
        d[next] = d[row + 1]
        next = next + 1
        d[next] = int32(next - row)
    """)


def test_row_tables_have_rank_two_and_row_pointers_a_row() -> None:
    text = "void f(int **d, int y) { int *p = d[y]; p[2] = d[y + 1][3]; *p++ = 0; }"
    found = kernel(text)
    assert found.arrays["d"].rank == 2 and found.params[0].kind == "rows"
    assert body(text) == lines("""
        p.row = int64(y)
        p = 0
        d[p.row][p + 2] = d[int64(y + 1)][3]
        d[p.row][p] = 0
        p = p + 1
    """)


def test_pointer_loops_compare_offsets() -> None:
    text = "void f(char *d, int n) { for (char *e = d + n; d != e; ++d) *d = 0; }"
    assert "while (d != e) {\n  d[d] = 0\nstep\n  d = d + 1\n" in body(text)


def test_a_pointer_set_to_another_array_gets_a_new_name() -> None:
    text = "void f(int *a, int *b, int n) { int *p = a + n; p[0] = 1; p = b + n; p[0] = 2; }"
    assert body(text) == "p = int64(n)\na[p] = 1\np.1 = int64(n)\nb[p.1] = 2\n"


def test_the_same_array_may_be_chosen_on_both_paths() -> None:
    text = "void f(int *a, int n) { int *p = n > 3 ? a : a + n; p[0] = 1; }"
    assert body(text) == "p = select(n > 3, 0, int64(n))\na[p] = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        "void f(int *a, int *b, int n) { int *p = a; for (; n--;) { *p = n; p = b; } }",
        "void f(int *a, int *b, int n) { int *p; if (n) p = a; else p = b; *p = 1; }",
        "#include <utility>\nvoid f(int *a, int *b, int n) { if (n) std::swap(a, b); a[0] = 1; }",
        "void f(int *a, int *b) { if (a < b) a[0] = 1; }",
    ],
)
def test_a_pointer_into_one_of_two_arrays_is_refused(text: str) -> None:
    assert failure(text).code == "pointer-base"


def test_pointers_that_swap_are_known() -> None:
    text = "#include <utility>\nvoid f(int *a, int *b) { std::swap(a, b); a[0] = 1; b[1] = 2; }"
    assert body(text).splitlines()[-2:] == ["b[a.1] = 1", "a[b.1 + 1] = 2"]


def test_a_cast_of_signedness_is_a_view() -> None:
    text = "void f(char *d) { unsigned char *u = (unsigned char *)d; u[1] = u[0] + 1; }"
    assert body(text) == "d[1] = int8(uint8(int32(uint8(d[0])) + 1))\n"


def kinds(found: Kernel) -> list[tuple[str, str, bool]]:
    return [(p.name, p.kind, p.is_const) for p in found.params]


def test_the_kinds_of_parameters() -> None:
    found = kernel("""
        #include <vector>
        void f(int *d, const short *s, float **rows, const std::vector<int> &v, int &total,
               int *count, int n) {
            for (int i = 0; i < n; i++) d[i] = s[i] + v[i] + (int)rows[i][0];
            total = *count = 0;
        }""")
    assert kinds(found) == [
        ("d", "array", False), ("s", "array", True), ("rows", "rows", False),
        ("v", "vector", True), ("total", "reference", False), ("count", "reference", False),
        ("n", "scalar", False),
    ]  # fmt: skip


def test_pure_functions_stay_calls_and_early_returns_are_selects() -> None:
    found = kernel("""
        static int clamp255(int v) { if (v < 0) return 0; if (v > 255) return 255; return v; }
        void f(unsigned char *d, int n) { d[0] = clamp255(n * 2); }""")
    assert str(found.functions["clamp255"].body) == "select(v < 0, 0, select(v > 255, 255, v))"
    assert not found.functions["clamp255"].is_model


def test_loops_with_constant_bounds_fold_in_pure_functions() -> None:
    found = kernel("""
        static int three(int v) { int s = 0; for (int i = 0; i < 3; i++) s += v >> i; return s; }
        void f(int *d, int n) { d[0] = three(n); }""")
    assert str(found.functions["three"].body) == "0 + (v >> 0) + (v >> 1) + (v >> 2)"


def test_helpers_are_inlined_with_locals_renamed() -> None:
    text = """
        static void add(int *p, int n, int by) { for (int i = 0; i < n; i++) *p++ += by; }
        void f(int *d, int n) { int i = 4; add(d + i, n - 1, i); }"""
    assert body(text) == lines("""
        i = 4
        p = int64(i)
        n.1 = n - 1
        i.1 = 0
        while (i.1 < n.1) {
          d[p] = d[p] + i
          p = p + 1
        step
          i.1 = i.1 + 1
        }
    """)


def test_out_parameters_change_the_callers_scalars() -> None:
    text = """
        static void both(int *low, int &high) { *low -= 1; high += 1; }
        void f(int *d) { int a = 5, b = 6; both(&a, b); d[a] = b; }"""
    assert body(text) == "a = 5\nb = 6\na = a - 1\nb = b + 1\nd[int64(a)] = b\n"


def test_an_argument_keeps_its_value_while_the_caller_changes() -> None:
    text = """
        static void bump(int *x, int old, int *d) { *x = 9; d[0] = old; }
        void f(int *d) { int a = d[1]; bump(&a, a, d); d[2] = a; }"""
    assert body(text) == "a = d[1]\nold = a\na = 9\nd[0] = old\nd[2] = a\n"


def test_mutual_recursion_is_refused() -> None:
    text = "int g(int *d, int n);\nint f(int *d, int n) { return g(d, n); }\n"
    text += "int g(int *d, int n) { d[n] = 0; return f(d, n - 1); }"
    assert failure(text).code == "recursion"


def test_a_model_gives_meaning_to_a_function_without_a_body(tmp_path: Path) -> None:
    model = tmp_path / "models.cpp"
    model.write_text("int outside(int a) { return a * 3; }\n")
    text = "int outside(int);\nvoid f(int *d, int n) { d[0] = outside(n); }"
    assert failure(text).code == "unmodelled-call"
    found = kernel(text, models=[model])
    assert found.functions["outside"].is_model
    assert str(found.functions["outside"].body) == "a * 3"


def test_a_models_definition_wins_over_assembly(tmp_path: Path) -> None:
    model = tmp_path / "models.cpp"
    model.write_text("int fast(int a) { return a + 1; }\n")
    text = 'int fast(int a) { asm("incl %0" : "+r"(a)); return a; }\n'
    text += "void f(int *d, int n) { d[0] = fast(n); }"
    found = parse(text, models=[model])
    assert [k.name for k in found.kernels] == ["f"]
    assert [(s.name, s.diagnostic.code) for s in found.skipped] == [("fast", "not-a-kernel")]


def test_memory_functions_are_loops() -> None:
    text = "#include <cstring>\nvoid f(short *d, const short *s, int n) { memcpy(d, s, n * 2); }"
    assert body(text) == lines("""
        i = 0
        while (i < int64(n)) {
          d[i] = s[i]
        step
          i = i + 1
        }
    """)
    assert failure(text.replace("n * 2", "n")).code == "byte-count"


def test_allocations_are_local_arrays_with_their_size() -> None:
    found = kernel("""
        #include <cstdlib>
        #include <vector>
        void f(int *d, int n) {
            float *a = new float[n * 2];
            short *b = (short *)malloc(n * sizeof(short));
            std::vector<int> c(n);
            int e[2][3];
            a[0] = b[0] = c[0] = e[1][2] = d[0];
            d[0] = a[0] + e[0][0];
            delete[] a; free(b);
        }""")
    sizes = {a.name: str(a.size) for a in found.arrays.values() if a.origin == "local"}
    assert sizes == {"a": "int64(n * 2)", "b": "int64(n)", "c": "int64(n)", "e": "6"}
    assert found.arrays["e"].shape == (2, 3)


def test_asserts_at_entry_are_preconditions_and_later_ones_assumptions() -> None:
    found = kernel("""
        #include <cassert>
        void f(int *d, int n) {
            int m = n / 2;
            assert(n > 0 && "needs pixels");
            assert(m < 9);
            d[0] = m;
            assert(n < 5);
        }""")
    assert [p.text for p in found.preconditions] == ['n > 0 && "needs pixels"']
    assert [str(p.condition) for p in found.preconditions] == ["n > 0"]
    assert "assume m < 9" in body_of(found) and "assume n < 5" in body_of(found)


def test_asserts_are_seen_with_ndebug() -> None:
    text = "#include <cassert>\nvoid f(int *d, int n) { assert(n > 0); d[n] = 0; }"
    assert len(kernel(text, defines=["NDEBUG"]).preconditions) == 1


def body_of(found: Kernel) -> str:
    from lifter.parse import body_to_text

    return body_to_text(found.body)


def test_assumptions_from_comments_and_from_the_command_line() -> None:
    text = "// lift: assume(w <= pitch)\nvoid f(int *d, int w, unsigned pitch) { d[w] = pitch; }"
    found = kernel(text, assumptions=["w % 4 == 0", "height > 0", "(w >> 1) + 1 > 0 || !w"])
    assert [str(p.condition) for p in found.preconditions] == [
        "uint32(w) <= pitch",
        "w %t 4 == 0",
        "(w >> 1) + 1 > 0 || w == 0",
    ]


@pytest.mark.parametrize("condition", ["w <", "w = 3", "w > 3)", "d > 3", "w $ 2", ""])
def test_a_wrong_assumption_is_refused(condition: str) -> None:
    text = f"// lift: assume({condition})\nvoid f(int *d, int w) {{ d[w] = 1; }}"
    assert failure(text).code == "bad-assumption"


def test_openmp_pragmas_are_warned_about() -> None:
    (warning,) = kernel(
        "void f(int *d, int n) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) d[i] = i; }"
    ).warnings
    assert (warning.code, warning.severity) == ("openmp", "warning")
    assert warning.span is not None and warning.span.line == 2


def test_only_the_wanted_functions_are_parsed() -> None:
    text = (
        "void f(int *d) { d[0] = 1; }\nvoid g(int *d) { d[0] = 2; }\nvoid g(short *d) { d[0] = 3; }"
    )
    assert [k.name for k in parse(text).kernels] == ["f", "g", "g_2"]
    assert [k.name for k in parse(text, functions=["g_2"]).kernels] == ["g_2"]


def test_a_pointer_is_not_what_it_points_to() -> None:
    chained = "void f(unsigned char *p, int n) { while (n--) { p[0] = p[1] = 0; p += 2; } }"
    assert "p[p + 1] = 0" in body(chained, name="a.c")
    moved = "void f(unsigned char *p, int n) { while (n--) p[0] = *p++; }"
    assert failure(moved, name="a.c").code == "unsequenced"
    index = "void f(int *p, int n) { for (int i = 0; i < n; i++) p[p[i]] = p[i] = 0; }"
    assert failure(index, name="a.c").code == "unsequenced"


PATHS = {
    "used before the branch": "d[i] = q[i]; if (m) q = t;",
    "used before two branches": "d[i] = q[i]; if (m) { if (n) q = t; else q = s; }",
    "used after a jump": "d[i] = q[i]; if (m) { q = t; continue; }",
    "used before a switch": "d[i] = q[i]; switch (m) { case 1: q = t; break; case 2: q = s; }",
    "used in an inner loop": "for (int k = 0; k < n; k++) d[k] = q[k]; if (m) q = t;",
}


@pytest.mark.parametrize("way", PATHS)
def test_a_pointer_that_some_iteration_leads_elsewhere_has_no_array(way: str) -> None:
    """What an iteration finds is what any before it may have left."""
    head = "void f(char *d, const char *s, const char *t, int n, int m) { const char *q = s; "
    loop = f"{head} for (int i = 0; i < n; i++) {{ {PATHS[way]} }} }}"
    assert failure(loop).code == "pointer-base"
    assert kernel(loop.replace("q = t", "q = s"))


def test_a_pointer_that_a_branch_leads_elsewhere_has_no_array_afterwards() -> None:
    text = """void f(char *d, char *s, int n, int m) {
        char *q = s;
        for (int i = 0; i < n; i++) { d[i] = s[i]; if (m == i) q = d; }
        q[0] = 3; }"""
    assert failure(text).code == "pointer-base"
    assert kernel(text.replace("q = d", "q = s + i"))


WEAK = {
    "its definition": "__attribute__((weak)) int more(int x) { return x + 1; }",
    "its declaration": "int more(int x) __attribute__((weak)); int more(int x) { return x + 1; }",
    "a macro": "#define WEAK __attribute__((weak))\nWEAK int more(int x) { return x + 1; }",
    "C++'s form": "[[gnu::weak]] int more(int x) { return x + 1; }",
    "a pragma": 'extern "C" int more(int x);\n#pragma weak more\nint more(int x) { return x + 1; }',
    "an operator": 'extern "C" int more(int x) { return x + 1; }\n_Pragma("weak more")\n',
}


@pytest.mark.parametrize("marked", WEAK)
def test_what_the_linker_may_replace_is_no_callee(marked: str) -> None:
    caller = "\nvoid f(char *d, int n) { for (int i = 0; i < n; i++) d[i] = more(d[i]); }"
    assert failure(WEAK[marked] + caller).code == "unmodelled-call"
    kept = re.sub(r"\bweak\b", "unused", WEAK[marked])
    assert kernel(kept + caller)


def test_elements_of_an_array_of_pointers_are_pointer_variables() -> None:
    text = "void f(int *d, int w) { int *r[2] = {d, d + w}; *r[1]++ = r[0][2]; r[1][0] = 3; }"
    assert body(text) == lines("""
        r.0 = 0
        r.1 = int64(w)
        t = r.1
        r.1 = r.1 + 1
        d[t] = d[r.0 + 2]
        d[r.1] = 3
    """)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("d[0] = r[w][0];", "pointer-base"),
        ("r[w] = d;", "pointer-base"),
        ("d[0] = r[2][0];", "pointer-base"),
        ("d[0] = *r[1];", "uninitialised"),
        ("r[0] = w > 3 ? d : e; d[0] = r[0][0];", "pointer-base"),
        ("d[0] = *r[0]++ + *r[0]++;", "unsequenced"),
        ("d[0] = *r[0]++ + r[w][0];", "unsequenced"),
        ("d[0] = **r;", "unsupported-expression"),
        ("int **p = r; d[0] = p[0][1];", "unsupported-expression"),
    ],
)
def test_pointers_of_an_array_are_known_one_by_one(statement: str, code: str) -> None:
    text = f"void f(int *d, int *e, int w) {{ int *r[2]; r[0] = d; {statement} }}"
    assert failure(text).code == code


def test_a_static_array_of_pointers_keeps_what_calls_before_left() -> None:
    text = "void f(int *d) { static int *r[2]; r[0] = d; d[0] = r[0][1]; }"
    assert failure(text).code == "static-state"


NEXT = "static int next(int a, int &k) { k += 1; return a + k; }\n"
"""`a` is what `k` was, though both may be the same number's name."""


def test_arguments_that_callees_change_are_found_in_one_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attempts: list[Translation] = []

    def made(program: SourceProgram, known: Known) -> Translation:
        attempts.append(Translation(program, known))
        return attempts[-1]

    monkeypatch.setattr(functions, "Translation", made)
    calls = "".join(f"d[{i}] = next(k, k);\n" for i in range(30))
    text = body(f"{NEXT}void f(int *d, int k) {{ {calls} }}")
    assert [len(t.known.held) for t in attempts] == [0, 30]
    assert text.startswith("a = k\nk = k + 1\nd[0] = a + k\na.1 = k\nk = k + 1\nd[1] = a.1 + k\n")


def test_arguments_of_constructors_and_in_functions_of_numbers_are_copied() -> None:
    made = "struct Made { int v; Made(int a, int &k) { k += 1; v = a + k; } };\n"
    text = body(f"{made}void f(int *d, int k) {{ Made m(k, k); d[0] = m.v; }}")
    assert text == "int32 m.v\na = k\nk = k + 1\nm.v = a + k\nd[0] = m.v\n"
    twice = "static int twice(int k) { int r = next(k, k); return r + next(k, k); }\n"
    found = kernel(
        f"{NEXT}{twice}void f(int *d, int n) {{ for (int i = 0; i < n; i++) d[i] = twice(i); }}"
    )
    (function,) = found.functions.values()
    assert to_text(function.body) == "k + (k + 1) + (k + 1 + (k + 1 + 1))"
