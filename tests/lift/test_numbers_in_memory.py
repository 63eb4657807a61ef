"""Numbers in memory that a loop changes as it goes: out-parameters, fields of objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.dag import build_stage_graph
from lifter.dag.numbers_in_memory import with_numbers_as_scalars
from lifter.emit import build_program, emitted_texts
from lifter.lift.emitted_difference import compare_emitted
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.diagnostic import LiftError
from lifter.model.kernel import Store, WhileLoop, statements
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel
from tests.verify.differential import difference, lifted, parsed

BOX = "struct Box { int low, high; bool any; };\n"
LOOP = "for (int i = 0; i < n; i++)"
WIDENED = (
    f"{BOX}void f(Box *b, const int *s, int n) {{ {LOOP} if (s[i] > 3) {{"
    " if (!b->any) { b->low = i; b->high = i; b->any = true; }"
    " else { if (i < b->low) b->low = i; if (i > b->high) b->high = i; } } }"
)
DELAYS = "struct Delays { float a, b, z1, z2; };\n"
FILTERED = (
    f"{DELAYS}void f(Delays *f, float *d, const float *s, int n) {{ {LOOP} {{"
    " const float v = f->a * s[i] + f->z1; f->z1 = f->b * v + f->z2; f->z2 = s[i] - v; d[i] = v;"
    " } }"
)
PROVED = {
    "a greatest number": f"void f(int &m, const int *s, int n) {{ {LOOP} if (s[i] > m)"
    " m = s[i]; }",
    "the last hit": f"void f(int &m, const int *s, int n) {{ {LOOP} if (s[i] > 7) m = i; }}",
    "a box of an object": WIDENED,
    "two numbers of one array": "void f(int *m, const int *s, int n) { m[0] = m[1] = s[0];"
    f" {LOOP} {{ if (s[i] < m[0]) m[0] = s[i]; if (s[i] > m[1]) m[1] = s[i]; }} }}",
    "floats that are stored before": "void f(float *m, int *at, const float *s, int n) {"
    f" *m = s[0]; *at = 0; {LOOP} if (s[i] > *m) {{ *m = s[i]; *at = i; }} }}",
    "delays of a filter": FILTERED,
    "a float that either branch stores": "void f(float &m, float *d, const float *s, int n) {"
    " do { if (*s > m) m = *s; else m -= (m - *s) / 2; *d++ = m; s++; } while (--n > 0); }",
}  # fmt: skip


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", PROVED)
def test_what_a_loop_leaves_of_it_is_proved(name: str) -> None:
    result = lifted(PROVED[name])
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


OTHERS = {
    "a pointer to it": f"void f(int *m, const int *s, int n) {{ {LOOP} if (s[i] > 7) *m = i; }}",
    "zeros of both signs": f"void f(float &m, const float *s, int n) {{ {LOOP} if (s[i] < m)"
    " m = s[i]; }",
    "a float that one branch stores": f"void f(float &m, float *d, const float *s, int n) {{ {LOOP}"
    " { if (s[i] > 0) m += (s[i] - m) / 2; d[i] = m; } }",
    "a sum": f"void f(int &m, const int *s, int n) {{ {LOOP} if (s[i] > 3) m += s[i]; }}",
    "places that are computed": f"void f(int *m, const int *s, int n) {{ m[0] = 0; {LOOP}"
    " if (s[i] > m[0]) m[i & 1] = s[i]; }",
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_others_stay_as_they_are(name: str) -> None:
    found = kernel(f"{HEADER}{OTHERS[name]}\n")
    with pytest.MonkeyPatch.context() as patch:
        seen = []
        import lifter.dag.graph as graph

        walk = graph._Walk
        patch.setattr(graph, "_Walk", lambda k, refused: (seen.append(k), walk(k, refused))[1])
        build_stage_graph(found)
    loops = [s for s in statements(seen[0].kernel.body) if isinstance(s, WhileLoop)]
    assert any(isinstance(s, Store) and s.array == "m" for s in statements(tuple(loops)))


BOTH = f"int a = m[0], b = m[1]; {LOOP} {{ a += s[i]; b += a; }}"
ONE_BY_ONE = {
    "in order": f"{BOTH} m[0] = a; m[1] = b;",
    "the last one first": f"{BOTH} m[1] = b; m[0] = a;",
    "with another between": f"{BOTH} m[0] = a; *o = b + 1; m[1] = b;",
    "if a third one says so": f"int a = m[0], b = 3; if (m[2] > 0) b = m[1]; {LOOP}"
    " { a += s[i]; b += s[i] * s[i]; } m[0] = a; m[1] = b;",
    "beside what a loop stores": f"int a = m[0], b = m[1]; {LOOP} q[i] = s[i]; m[0] = a + 1;"
    " m[1] = b + 1;",
    "in a branch": f"int a = m[0], b = m[1]; if (k) {{ {LOOP} {{ a += s[i]; b += s[i] * 2; }}"
    " m[0] = a; } m[1] = b;",
}  # fmt: skip
SUMS = f"{LOOP} {{ a += s[i]; b += s[i] * 2; }}"
TWICE = {
    "extremes": PROVED["two numbers of one array"],
    "turned round": f"void f(int *m, const int *s, int n) {{ m[1] = s[0]; m[0] = s[1]; {LOOP} {{"
    " if (s[i] < m[0]) m[0] = s[i]; if (s[i] > m[1]) m[1] = s[i]; } }",
}
OVERWRITTEN = {
    "crosswise": f"int a = m[0], b = m[1]; {SUMS} m[1] = a; m[0] = b;",
    "where that is isn't known": f"int a = m[0], b = m[k]; {SUMS} m[0] = a; m[1] = b;",
    "at a place that isn't known": f"int a = m[0], b = m[1]; {SUMS} m[k] = a; m[1] = b;",
    "by a later store": f"int a = m[0], b = m[1]; {SUMS} m[0] = a; m[1] = 3; m[2] = b;",
    "by a later loop": f"int a = m[0], b = m[1]; {SUMS} m[0] = a; {LOOP} m[s[i]] = 1; m[1] = b;",
    "where it is read": f"int a = m[0], b = s[m[0]]; {SUMS} m[0] = a; m[1] = b;",
    "if it is read": f"int a = m[0], b = 0; if (m[0] > 3) b = m[1]; {SUMS} m[0] = a; m[1] = b;",
}


def of_numbers(body: str) -> str:
    return f"void f(int *m, const int *s, int *o, int *q, int n, int k) {{ {body} }}"


@pytest.mark.parametrize("name", ("in order", "with another between", "if a third one says so"))
def test_numbers_of_one_array_are_stored_one_by_one(name: str) -> None:
    """What the second is made of is still there behind the first."""
    graph = build_stage_graph(parsed(of_numbers(ONE_BY_ONE[name])))
    assert [s.output for s in graph.order][-2:] in (["m", "m"], ["o", "m"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_numbers_of_one_array_are_proved(name: str) -> None:
    result = lifted(of_numbers(ONE_BY_ONE[name]))
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize("name", TWICE)
def test_numbers_that_are_set_and_made_others_are_written(name: str) -> None:
    result = lifted(TWICE[name])
    assert result.status == "proved" and difference(result, 8) is None
    program = build_program(result)
    text = emitted_texts(result, program)["pipeline.py"]
    found = compare_emitted(result, program, text, seconds=10.0)
    assert found.difference is None and found.storing


@pytest.mark.parametrize("name", OVERWRITTEN)
def test_what_is_overwritten_by_then_is_not_stored(name: str) -> None:
    with pytest.raises(LiftError) as raised:
        build_stage_graph(parsed(of_numbers(OVERWRITTEN[name])))
    assert "was read from an array that a loop before this store writes to" in str(raised.value)


def test_a_float_behind_a_way_out_stays_in_memory() -> None:
    body = "d[i] = m; if (m > 3) break; m += (s[i] - m) / 2;"
    found = kernel(f"void f(float &m, float *d, const float *s, int n) {{ {LOOP} {{ {body} }} }}")
    assert with_numbers_as_scalars(found) is found


def test_a_name_that_leads_to_the_same_number_is_no_other_one() -> None:
    text = (
        f"{BOX}void f(Box &b, const Box &c, const int *s, int n) {{ {LOOP}"
        " if (s[i] > c.low) b.low = s[i]; }"
    )
    result = lifted(text)
    if result.status == "proved":
        assert any("overlap" in p.text for p in result.proof.preconditions)


def test_what_is_not_changed_is_not_stored(tmp_path: Path) -> None:
    """An object in memory that can't be written, of which a call changes nothing."""
    result = lift_kernel(kernel(f"{HEADER}{WIDENED}\n"), LiftOptions())
    assert result.status == "proved", result.diagnostic
    main = f"""
    #include <cstring>
    #include "{Path(__file__).parents[1] / "fenced.h"}"
    void f(Box *, const int *, int) {{ puts("original"); }}
    int main() {{
        int s[9] = {{1, 2, 3, 9, 9, 9, 0, 9, 0}};
        Box *b = (Box *)fenced(sizeof(Box), 1), c = {{5, 6, true}};
        memcpy(b, &c, sizeof c);
        f_guarded(&c, s, 9);
        printf("%d,%d,%d\\n", c.low, c.high, c.any);
        read_only((uint8_t *)b, sizeof(Box));
        f_guarded(b, s, 3);
        f_guarded(b, s, 0);
        puts("done");
    }}
    """
    before = f"{BOX}void f(Box *, const int *, int);\n"
    assert run_guarded(result, main, tmp_path, before) == ["3,7,1", "done"]


@pytest.mark.slow
def test_delays_are_stored_where_anything_runs(tmp_path: Path) -> None:
    """NaNs and zeros of both signs too, and of no samples an object that can't be written."""
    result = lift_kernel(kernel(f"{HEADER}{FILTERED}\n"), LiftOptions())
    assert result.status == "proved", result.diagnostic
    main = f"""
    #include <cmath>
    #include <initializer_list>
    #include <cstring>
    #include "{Path(__file__).parents[1] / "fenced.h"}"
    int originals = 0;
    void f(Delays *, float *, const float *, int) {{ originals++; }}
    void said(Delays c, float *d) {{
        for (float v : {{c.z1, c.z2, d[0], d[1]}}) {{
            unsigned bits;
            memcpy(&bits, &v, 4);
            printf("%s,", v != v ? "nan" : (snprintf(text, 9, "%x", bits), text));
        }}
        puts("");
    }}
    int main() {{
        float s[4] = {{-0.0f, 1, -3, 0}}, d[4] = {{}};
        for (int n : {{-1, 0, 1, 2, 4}})
            for (float z : {{-0.0f, 0.0f, 2.5f, NAN}}) {{
                Delays c = {{0.5f, -0.0f, z, -0.0f}};
                f_guarded(&c, d, s, n);
                said(c, d);
                Delays o = {{0.5f, -0.0f, z, -0.0f}};
                for (int i = 0; i < n; i++) {{
                    const float v = o.a * s[i] + o.z1;
                    o.z1 = o.b * v + o.z2;
                    o.z2 = s[i] - v;
                    d[i] = v;
                }}
                said(o, d);
            }}
        Delays *b = (Delays *)fenced(sizeof(Delays), 1);
        memset(b, 0, sizeof *b);
        read_only((uint8_t *)b, sizeof(Delays));
        f_guarded(b, d, s, 0);
        puts(originals > 12 ? "original" : "done");
    }}
    """
    before = f"{DELAYS}static char text[9];\nvoid f(Delays *, float *, const float *, int);\n"
    said = run_guarded(result, main, tmp_path, before)
    assert said[-1] == "done" and len(said) == 41 and said[:-1:2] == said[1:-1:2]
