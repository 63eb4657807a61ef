"""Pointers that the source tests for null: the precondition, where it is told, and the guard."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from compiler.ir import to_text
from lifter.build.build import build_function
from lifter.emit import emit, record_of
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import kernel, parse

HEADER = """\
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <vector>
struct Image { uint8_t *data; int width; const uint8_t *mask; };
"""
COPY = "for (int i = 0; i < n; i++) d[i] = 255 - m[i];"


def lift(body: str, parameters: str = "uint8_t *d, const uint8_t *m, int n") -> FunctionResult:
    return lift_kernel(kernel(f"{HEADER}void f({parameters}) {{ {body} }}\n"), LiftOptions())


def not_null(result: FunctionResult) -> list[tuple[str, str]]:
    assert result.status == "proved", result.diagnostic
    assert result.proof is not None
    return [(p.arrays[0], p.origin) for p in result.proof.preconditions if p.kind == "not-null"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        (f"if (!d || m == nullptr) return; {COPY}", ["d", "m"]),
        (f"if (n <= 0 || !d || n > 99 || m == 0) {{ return; }} {COPY}", ["d", "m"]),
        (f"if (n > 0 && m) {COPY}", ["m"]),
        (f"if (m != nullptr && n > 0) {{ {COPY} }}", ["m"]),
        (f"if (m + 1) {COPY}", ["m"]),
        (COPY, []),
    ],
)
def test_a_test_for_null_is_a_precondition(body: str, pointers: list[str]) -> None:
    assert not_null(lift(body)) == [(p, "inferred") for p in pointers]


BOTH = {
    "another loop": f"if (!m) {{ for (int i = 0; i < n; i++) d[i] = 0; }} else {COPY}",
    "a choice of values": "for (int i = 0; i < n; i++) d[i] = m ? m[i] : 7;",
    "a comparison in the loop": "for (int i = 0; i < n; i++) { int v = i; if (m != 0) v *= m[i];"
    " d[i] = v; }",
    "a flag": f"const uint8_t *p = m; bool has = p != 0; if (has) {COPY}",
    "a name of its own": "const uint8_t *p = m; for (int i = 0; i < n; i++)"
    " { if (p == nullptr) d[i] = 9; else d[i] = p[i] / 2; }",
    "something behind": f"if (m) {COPY} if (n > 0) d[n] = 3;",
    "something before": f"d[n] = 5; if (!m) return; {COPY}",
    "a size, too": f"if (n < 5 && !m) return; if (m) {COPY}",
    "!!": "const int has = !!m; for (int i = 0; i < n; i++) d[i] = has ? m[i] : d[i];",
}
"""Where null and another pointer both do something."""


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("body", BOTH.values(), ids=BOTH)
def test_a_branch_for_null_that_does_something_is_lifted(body: str) -> None:
    assert "m" not in dict(not_null(lift(body)))
    # Where the source says that there is none, the choice is no part of what is lifted.
    for stated in (f"assert(m); {body}", f"// lift: assume(m isn't null)\n{body}"):
        result = lift(stated)
        assert dict(not_null(result))["m"] != "inferred"
        assert "given" not in to_text(result.summaries[0].expression)


@pytest.mark.parametrize(
    "body",
    [
        # the pointer is null from the third element on
        "for (int i = 0; i < n; i++) { d[i] = m ? m[i] : 7; if (i == 2) m = 0; }",
        "const uint8_t *p = m; for (int i = 0; i < n; i++) { d[i] = !p; p = i & 1 ? m : 0; }",
    ],
)
def test_what_isn_t_one_choice_for_the_call_is_refused(body: str) -> None:
    text = f"{HEADER}void f(uint8_t *d, const uint8_t *m, int n) {{ {body} }}\n"
    found = parse(text)
    assert found.failed or lift_kernel(found.kernels[0], LiftOptions()).status != "proved"


def test_it_is_told_in_text_and_json_and_noted_at_the_test() -> None:
    result = lift(f"if (!m) return; {COPY}")
    shown = record_of(result).entry()
    assert "m isn't null" in shown["preconditions"]
    notes = [w for w in result.warnings if "isn't null" in w.message]
    assert [(w.code, w.severity) for w in notes] == [("assumed", "note")]
    assert notes[0].span is not None and notes[0].span.line == 6


def test_an_assert_states_it_and_needs_no_note() -> None:
    result = lift(f"assert(d && m != nullptr); {COPY}")
    assert not_null(result) == [("d", "assert"), ("m", "assert")]
    assert not [w for w in result.warnings if "null" in w.message]


def test_an_assert_of_something_else_does_not_state_it() -> None:
    result = lift(f"assert(!m || n < 100); {COPY}")
    assert not_null(result) == [("m", "inferred")]


def test_references_tables_and_locals_are_never_null() -> None:
    body = "uint8_t t[4] = {1, 2, 3, 4}; if (t && &d) d = m[n & 3] + t[0];"
    assert not_null(lift(body, "uint8_t &d, const uint8_t *m, int n")) == []


def test_members_and_pointers_to_objects_are_named() -> None:
    body = "if (!g || !g->data) return; for (int x = 0; x < g->width; x++) g->data[x] = v;"
    assert not_null(lift(body, "Image *g, int v")) == [("g", "inferred"), ("g.data", "inferred")]


def test_a_member_that_is_only_tested_stays_a_parameter() -> None:
    body = "if (g.mask) return; for (int x = 0; x < g.width; x++) g.data[x] = v;"
    result = lift(body, "Image &g, int v")
    assert not_null(result) == [("g.data", "inferred")]
    assert to_text(result.summaries[0].expression) == "select(g.mask.given, g.data(x), uint8(v))"
    body = "if (!g.mask) return; for (int x = 0; x < g.width; x++) g.data[x] = v;"
    assert not_null(lift(body, "Image &g, int v")) == [("g.mask", "inferred")]


def test_a_row_that_may_be_null_is_refused() -> None:
    body = "for (int y = 0; y < n; y++) { if (!d[y]) continue; d[y][0] = 1; }"
    (failed,) = parse(f"{HEADER}void f(uint8_t **d, int n) {{ {body} }}\n").failed
    assert failed.diagnostic.code == "pointer-base"
    assert "row of `d`" in failed.diagnostic.message


def test_an_allocation_that_is_tested_is_noted() -> None:
    body = (
        "uint8_t *t = (uint8_t *)malloc(n); if (!t) return;"
        "for (int i = 0; i < n; i++) t[i] = m[i] / 2;"
        "for (int i = 0; i < n; i++) d[i] = t[i] + 1; free(t);"
    )
    result = lift(body)
    assert not_null(result) == []
    assert [w.message for w in result.warnings if "allocation" in w.message]


def run_guarded(result: FunctionResult, main: str, folder: Path, before: str = "") -> list[str]:
    emit(result, folder / "out")
    built = build_function(folder / "out")
    program = folder / "main.cpp"
    program.write_text(f'#include <cstdio>\n{HEADER}{before}#include "{built.header}"\n{main}')
    command = ["g++", "-DLIFT_WITH_ORIGINAL", "-Wall", "-Wextra", str(program), str(built.archive),
               "-lpthread", "-lm", "-o", str(folder / "main")]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, text=True)
    done = subprocess.run([folder / "main"], check=True, capture_output=True, text=True)
    return done.stdout.split()


def test_the_guarded_entry_calls_the_original_with_null(tmp_path: Path) -> None:
    result = lift(f"if (!m) return; {COPY}")
    main = """
    void f(uint8_t *, const uint8_t *m, int) { printf("original:%d\\n", m != 0); }
    int main() {
        uint8_t d[4] = {9, 9, 9, 9}, m[4] = {1, 2, 3, 4};
        f_guarded(d, 0, 4);
        f_guarded(d, m, 4);
        printf("%d\\n", d[3]);
    }
    """
    assert run_guarded(result, main, tmp_path) == ["original:0", "251"]


PARAMETERS = "uint8_t *d, const uint8_t *m, int n, uint8_t *e, uint8_t **rows"
LIFTED_WITH_NULL = {
    "read": "for (int i = 0; i < n; i++) d[i] = m ? m[i] : 7;",
    "written": "for (int i = 0; i < n; i++) { d[i] = m[i]; if (e) e[i] = 255 - m[i]; }",
    "a number": "int c = 0; for (int i = 0; i < n; i++) { d[i] = m[i]; c += m[i]; } if (e) *e = c;",
    "numbers alone": "int c = 3; for (int i = 0; i < n; i++) c += m[i]; if (e) *e = c; *d = c / 2;",
    "an index": "for (int i = 0; i < n; i++) d[i] = m[e ? e[i] : i];",
    "returned": "for (int i = 0; i < n; i++) d[i] = e ? 1 : 2;",
    "rows": "// lift: assume(the rows of rows are evenly spaced)\n"
    "for (int y = 0; y < 2; y++) for (int x = 0; x < n; x++)"
    " d[y * n + x] = rows ? rows[y][x] : 5;",
}
"""What is done with pointers that may be null."""


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("body", LIFTED_WITH_NULL.values(), ids=LIFTED_WITH_NULL)
def test_lifted_code_runs_with_null_and_without(body: str, tmp_path: Path) -> None:
    result = lift(body, PARAMETERS)
    assert result.status == "proved", result.diagnostic
    main = f"""
    static void plain({PARAMETERS}) {{ {body.rpartition(chr(10))[2]} }}
    void f({PARAMETERS}) {{ printf("original"); plain(d, m, n, e, rows); }}
    int main() {{
        for (int n = 1; n < 300; n = 2 * n + 1)
            for (int null = 0; null < 2; null++) {{
                static uint8_t a[2][2048], m[2048];
                for (int i = 0; i < 2048; i++) a[0][i] = a[1][i] = i * 7, m[i] = i * 5;
                for (int k = 0; k < 2; k++) {{
                    uint8_t *rows[2] = {{m, m + 600}}, *e = a[k] + 1024;
                    bool reads = {int("m ?" in body)};
                    (k ? f_guarded : plain)(a[k], null && reads ? 0 : m, n, null ? 0 : e,
                                            null ? 0 : rows);
                }}
                if (memcmp(a[0], a[1], 2048)) printf("differs:%d:%d ", n, null);
            }}
        printf("done");
    }}
    """
    assert run_guarded(result, main, tmp_path, "#include <cstring>\n") == ["done"]


def test_the_guarded_entry_looks_at_an_object_only_where_there_is_one(tmp_path: Path) -> None:
    body = "if (!g || !g->data) return; for (int x = 0; x < g->width; x++) g->data[x] = v;"
    result = lift(body, "Image *g, int v")
    main = """
    void f(Image *g, int) { printf("original:%d\\n", g != 0); }
    int main() {
        uint8_t d[2] = {9, 9};
        Image some = {d, 2, 0}, none = {0, 2, 0};
        f_guarded(&some, 5);
        f_guarded(0, 5);
        f_guarded(&none, 5);
        printf("%d\\n", d[1]);
    }
    """
    assert run_guarded(result, main, tmp_path, "void f(Image *, int);\n") == [
        "original:0", "original:1", "5",
    ]  # fmt: skip


OBJECTS = "struct Row { std::vector<uint8_t> v; };\n"


@pytest.mark.parametrize("branches", ["if (n > 9) b = a;", "if (n > 9) { } else { b = a; }"])
def test_a_container_that_is_copied_on_one_path_is_refused(branches: str) -> None:
    loop = "for (int i = 0; i < n; i++) d[i] = {}.v[i];"
    for used in ("a", "b"):  # the caller's own object changes
        text = f"void f(Row &a, Row &b, uint8_t *d, int n) {{ {branches} {loop.format(used)} }}"
        (failed,) = parse(f"{HEADER}{OBJECTS}{text}\n").failed
        assert failed.diagnostic.code == "unsupported-type"
    copy = f"void f(const Row &a, const Row &c, uint8_t *d, int n) {{ Row b = c; {branches}"
    (failed,) = parse(f"{HEADER}{OBJECTS}{copy} {loop.format('b')} }}\n").failed
    assert failed.diagnostic.code == "unsupported-type"


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("stored", "is_proved"),
    [
        ("if (k) *e = c;", True),
        ("if (k) e[k] = c;", True),
        ("if (c > 9) *e = 1;", False),
        ("if (k) *e = c; else *e = *e + 1;", False),
    ],
)
def test_a_number_that_is_stored_in_some_calls_alone(stored: str, is_proved: bool) -> None:
    begin = "int c = 0; for (int i = 0; i < n; i++) c += m[i];"
    result = lift(f"{begin} {stored}", "int *e, const uint8_t *m, int n, int k")
    assert (result.status == "proved") is is_proved
    if is_proved:
        shown = to_text(result.summaries[0].expression)
        assert shown == "select(k != 0, add(int32(m(int32(i0))) for i0 < n), e())"
