"""Regions: which loops of a function are kernels of their own, over which variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.kernel import (
    Kernel,
    ParsedFile,
    divides_beside_loops,
    has_a_loop_beside_stores,
)
from lifter.parse import kernel_to_text, parse_file

BEFORE = "void out(int); int get(int *); void *grab(int); void drop(void *);\n"


def parsed(tmp_path: Path, text: str, suffix: str = ".cpp", **more: object) -> ParsedFile:
    path = tmp_path / f"a{suffix}"
    path.write_text(BEFORE + text if suffix == ".cpp" else text)
    return parse_file(path, **more)  # type: ignore[arg-type]


def regions(tmp_path: Path, text: str, suffix: str = ".cpp") -> list[Kernel]:
    return list(parsed(tmp_path, text, suffix).kernels)


def text_of(kernel: Kernel) -> str:
    return kernel_to_text(kernel)


AROUND = {
    "a call before": "out(n);\n{LOOP}",
    "a call behind": "{LOOP}\nout(n);",
    "memory": "void *p = grab(n);\nif (!p) return -1;\n{LOOP}\ndrop(p);",
    "a jump to the end": "if (get(&m)) goto fail;\n{LOOP}\nreturn 0;\nfail:\nout(2);",
    "a branch": "if (get(&m)) {\n{LOOP}\n} else out(3);",
    "a branch by mode": "switch (get(&m)) {\ncase 1:\n{LOOP}\nbreak;\ndefault: out(1);\n}",
    "a loop with a call": "for (int r = 0; r < m; r++) {\nout(r);\n{LOOP}\n}",
    "an exception": "if (n < 0) throw n;\n{LOOP}",
    "a handler": "try { out(1);\n{LOOP}\n} catch (int) { return 2; }",
    "assembly": '{LOOP}\n__asm__ volatile("nop" ::: "memory");',
    "a macro's `do`": "do { if (get(&m)) return 1; } while (0);\n{LOOP}",
    "a lock": "struct Lock { Lock() { out(1); } ~Lock() { out(2); } } lock;\n{LOOP}",
}


@pytest.mark.parametrize("around", AROUND)
def test_what_stands_around_a_loop_is_no_obstacle_to_it(tmp_path: Path, around: str) -> None:
    loop = "for (int i = 0; i < n; i++) d[i] = s[i] / 2;"
    body = AROUND[around].replace("{LOOP}", loop)
    head = "int f(unsigned char *d, const unsigned char *s, int n, int m)"
    (found,) = regions(tmp_path, f"{head}\n{{\n{body}\nreturn 0;\n}}\n")
    assert found.name == "f#1"
    assert found.qualified_name == "f#1"
    assert found.region is not None and found.region.function == "f"
    assert [p.name for p in found.params if p.kind != "scalar"] == ["d", "s"]
    assert not found.region.outputs


def test_loops_side_by_side_are_one_region_and_a_call_between_parts_them(tmp_path: Path) -> None:
    loops = ["for (int i = 0; i < n; i++) d[i] = 1;", "for (int i = 0; i < n; i++) d[i] += 2;"]
    together = regions(tmp_path, "void f(int *d, int n) { out(1); " + " ".join(loops) + " }")
    assert [k.name for k in together] == ["f#1"]
    apart = regions(tmp_path, "void f(int *d, int n) { " + " out(1); ".join(loops) + " }")
    assert [k.name for k in apart] == ["f#1", "f#2"]


def test_a_value_that_is_declared_between_loops_and_read_after_them_is_given_out(
    tmp_path: Path,
) -> None:
    text = """int f(unsigned char *d, const unsigned char *s, int n) {{
        out(1);
        for (int i = 0; i < n; i++) d[i] = 1;
        {0}
        for (int i = 0; i < n; i++) t += s[i] * k;
        return t; }}"""
    declared = regions(tmp_path, text.format("int t = 0; const int k = 3;"))
    assert [k.name for k in declared] == ["f#1", "f#2"]
    assert declared[1].region is not None
    assert [o.variable for o in declared[1].region.outputs] == ["t"]
    together = text.format("int t = 0; const int k = 3;").replace("return t;", "return n;")
    assert [k.name for k in regions(tmp_path, together)] == ["f#1"]


def test_a_function_that_is_understood_is_no_region(tmp_path: Path) -> None:
    (found,) = regions(tmp_path, "void f(int *d, int n) { for (int i = 0; i < n; i++) d[i] = 1; }")
    assert found.region is None and found.name == "f"


def outputs(tmp_path: Path, body: str) -> dict[str, str]:
    """What is given out of the only region of a function, with the statement that does."""
    text = f"int f(unsigned char *d, const unsigned char *s, int n, int m) {{\n{body}\n}}\n"
    (found,) = regions(tmp_path, text)
    assert found.region is not None
    lines = text_of(found).split("\n")
    return {
        o.variable: next(line.strip() for line in lines if line.strip().startswith(f"{o.param}[0]"))
        for o in found.region.outputs
    }


def test_a_value_that_is_read_afterwards_is_given_out(tmp_path: Path) -> None:
    body = "int t = m; out(t); for (int i = 0; i < n; i++) t += s[i]; return t;"
    assert outputs(tmp_path, body) == {"t": "t[0] = t.1"}


def test_a_value_that_is_set_again_before_it_is_read_stays_inside(tmp_path: Path) -> None:
    body = """
    int t = m; out(t);
    for (int i = 0; i < n; i++) { t = s[i]; d[i] = t; }
    t = m; return t;"""
    assert outputs(tmp_path, body) == {}


SET_AGAIN = {
    "another case": "switch (m) { case 1: {LOOP} break; case 2: t = 1; out(t); }",
    "another switch": "{LOOP} switch (m) { case 1: t = 3; out(t); break; default: t = 4; }",
    "a loop": "{LOOP} for (t = 0; t < 3; t++) out(t);",
    "a nested loop": "{LOOP} for (int r = 0; r < m; r++) for (t = 0; t < 3; t++) out(t);",
    "a return": "if (m) { {LOOP} return 1; } out(t);",
    "a jump to the end": "{LOOP} if (m) goto end; t = 2; out(t); end:",
    "after rows that are passed over": "for (int r = 0; r < m; r++) { if (get(&n)) continue; "
    "t = 1; out(t); {LOOP} t = 2; out(t); }",
    "after a loop that is left": "for (;;) { {LOOP} if (get(&n)) break; t = 1; out(t); } t = 4;",
    "after a loop that runs once at least": "{LOOP} do { t = get(&n); out(t); } while (m--);",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("way", SET_AGAIN)
def test_what_is_set_before_it_is_read_stays_inside(tmp_path: Path, way: str) -> None:
    loop = "for (int i = 0; i < n; i++) { t = s[i]; d[i] = t; }"
    body = "int t = 7; out(n); " + SET_AGAIN[way].replace("{LOOP}", loop) + " return 0;"
    assert outputs(tmp_path, body) == {}


STAYS = {
    "another iteration around": "for (int r = 0; r < m; r++) { out(t); {LOOP} } return 0;",
    "a range that sets it once": "int a[2] = {1, 2}; for (int &k : (t = 3, a)) "
    "{ out(k + t); {LOOP} } return 0;",
    "a label": "again: out(t); {LOOP} if (get(&m)) goto again; return 0;",
    "one of two branches": "{LOOP} if (m) t = 1; return t;",
    "a loop that may not run": "{LOOP} while (m--) { t = 1; out(m); } return t;",
    "rows that are passed over": "for (int r = 0; r < m; r++) { if (get(&n)) { out(t); continue; } "
    "t = 1; out(t); {LOOP} if (get(&n)) continue; t = 2; } return 0;",
    "a loop that is left": "for (;;) { {LOOP} if (get(&n)) break; t = 1; out(t); } return t;",
    "a case that ends early": "{LOOP} switch (m) { case 1: if (get(&n)) break; t = 3; break; "
    "default: t = 4; } return t;",
    "a loop that may end before": "{LOOP} do { if (get(&n)) break; t = 1; } while (m--); return t;",
    "an address": "int *p = &t; {LOOP} out(*p); return 0;",
    "a reference": "int &r = t; {LOOP} out(r); return 0;",
    "a lambda": "auto show = [&] { out(t); }; {LOOP} show(); return 0;",
    "a handler": "try { {LOOP} out(1); } catch (int) { return t; } return 0;",
    "assembly": '{LOOP} __asm__ volatile("" : "+r"(t)); return 0;',
    "the next case": "switch (m) { case 1: {LOOP} case 2: out(t); } return 0;",
    "another switch": "{LOOP} switch (m) { case 1: t = 3; break; case 2: out(t); } return 0;",
    "a label in a case": "{LOOP} switch (m) { case 1: t = 3; { case 2: out(t); } } return 0;",
    "behind another switch": "{LOOP} switch (m) { case 1: t = 3; } return t;",
    "a break": "for (;;) { {LOOP} if (get(&m)) break; t = 3; out(t); } return t;",
}


@pytest.mark.parametrize("way", STAYS)
def test_every_way_back_to_a_value_is_seen(tmp_path: Path, way: str) -> None:
    loop = "for (int i = 0; i < n; i++) { t = s[i]; d[i] = t; }"
    body = "int t = 7; out(n); " + STAYS[way].replace("{LOOP}", loop)
    assert set(outputs(tmp_path, body)) == {"t"}


def test_what_a_variable_held_stays_in_it_where_no_iteration_runs(tmp_path: Path) -> None:
    text = """int f(unsigned char *d, int n, int m) {
        int last = get(&m);
        for (int i = 0; i < n; i++) { d[i] = 3; last = i; }
        return last; }"""
    (found,) = regions(tmp_path, text)
    assert "last.1 = last[0]" in text_of(found)


@pytest.mark.parametrize("kind", ["static int", "static __thread int"])
def test_variables_that_outlive_the_call_are_given_out(tmp_path: Path, kind: str) -> None:
    body = f"{kind} seen; for (int i = 0; i < n; i++) {{ d[i] = 3; seen = i; }} out(1); return 0;"
    assert set(outputs(tmp_path, body)) == {"seen"}


def test_a_global_number_is_a_parameter_and_is_given_out(tmp_path: Path) -> None:
    text = """int g, k; void f(unsigned char *d, int n) {
        for (int i = 0; i < n; i++) { d[i] = d[i] * k / 4; g = d[i]; } }"""
    (found,) = regions(tmp_path, text)
    assert found.region is not None
    assert [o.variable for o in found.region.outputs] == ["g"]
    assert {p.name for p in found.params} == {"d", "n", "g", "k"}


def test_what_a_function_changes_that_is_called_is_given_out(tmp_path: Path) -> None:
    text = """int g; static void more() { g++; } void f(unsigned char *d, int n) {
        out(g);
        for (int i = 0; i < n; i++) { d[i] = d[i] * g / 4; more(); } }"""
    (found,) = regions(tmp_path, text)
    assert found.region is not None
    assert [o.variable for o in found.region.outputs] == ["g"]
    assert "g.1 = g[0]" in text_of(found)


def test_a_pointer_that_is_moved_says_by_how_many_elements(tmp_path: Path) -> None:
    body = (
        "for (int r = 0; r < m; r++) { out(r); for (int i = 0; i < n; i++) *d++ = *s++; } return 0;"
    )
    assert outputs(tmp_path, body) == {"d": "d.moved[0] = d", "s": "s.moved[0] = s"}


CALLS = {
    "a function of the library's": "out(n); std::transform(s, s + n, d, "
    "[](unsigned char v) { return (unsigned char)(v / 2); });",
    "one that adds up": "int sum = 0; out(n); std::for_each(s, s + n, "
    "[&](unsigned char v) { sum += v; }); return sum;",
    "a template": "if (n < 0) throw 3; each(s, s + n, d);",
    "the loop over a row": "for (int y = 0; y < m; y++) { out(y); memset(d + y * n, 0, n); }",
    "a row that is copied or set": "for (int y = 0; y < m; y++) { out(y); "
    "if (y & 1) memcpy(d + y * n, s, n); else memset(d + y * n, 0, n); }",
}


@pytest.mark.parametrize("way", CALLS)
def test_a_call_that_loops_is_a_loop_where_it_stands(tmp_path: Path, way: str) -> None:
    text = f"""#include <algorithm>
        #include <cstring>
        template <class I, class O> void each(I a, I end, O o) {{
            for (; a != end; ++a, ++o) *o = *a + 1; }}
        int f(unsigned char *d, const unsigned char *s, int n, int m)
        {{ {CALLS[way]} return 0; }}"""
    found = [k for k in regions(tmp_path, text) if k.name.startswith("f#")]
    assert len(found) == 1 + ("copied" in way)
    for kernel in found:
        assert kernel.put_back is not None
        refused = kernel.put_back.refused
        assert ("as fast" in refused) if "row" in way and refused else refused is None
    if "adds up" in way:
        assert found[0].region is not None
        assert [o.variable for o in found[0].region.outputs] == ["sum"]


def test_a_call_that_loops_has_no_parts(tmp_path: Path) -> None:
    text = """#include <algorithm>
        #include <cstring>
        void f(unsigned char *d, const unsigned char *s, int n) {
        out(n); std::copy(s, s + n, d); std::fill(d + n, d + n + n, 3); out(2);
        for (int y = 0; y < n; y++) { out(y); memset(d + y, 0, n); } }"""
    split = {"f#1", "f#1.1", "f#2"}
    names = [k.name for k in parsed(tmp_path, text, split=split).kernels]
    assert names == ["f#1.2"]


IN_BRANCHES = {
    "of a switch": "switch (m) { case 1: each(s, s + n, d); break; case 2: out(2); "
    "each(t, t + n, e); }",
    "of an if": "if (m) each(s, s + n, d); else each(t, t + n, e);",
    "that the function is left from": "if (m) { each(s, s + n, d); return; } each(t, t + n, e);",
}


@pytest.mark.parametrize("way", IN_BRANCHES)
def test_calls_that_loop_in_branches_are_regions_of_their_own(tmp_path: Path, way: str) -> None:
    text = f"""template <class T> void each(const T *a, const T *end, T *o) {{
            for (; a != end; ++a, ++o) *o = *a + 1; }}
        void f(unsigned char *d, unsigned char *s, short *e, short *t, int n, int m)
        {{ out(n); {IN_BRANCHES[way]} }}"""
    split = {"f#1"} if way == "of an if" else ()
    found = [k for k in parsed(tmp_path, text, split=split).kernels if k.name.startswith("f#")]
    assert all(k.put_back is not None and k.put_back.refused is None for k in found)
    arrays = [{p.name for p in k.params if p.kind != "scalar"} for k in found]
    assert [a & set("dset") for a in arrays] == [{"d", "s"}, {"e", "t"}]


def test_a_call_in_the_condition_of_a_branch_is_no_region(tmp_path: Path) -> None:
    text = """template <class T> bool any(T *a, T *end) {
            for (; a != end; ++a) if (*a) return true;
            return false; }
        void f(unsigned char *d, int n) { out(n); if (any(d, d + n)) out(2); }"""
    assert not [k for k in regions(tmp_path, text) if k.name.startswith("f#")]


NO_LOOPS = {
    "what the library does once": "out(n); memset(d, 0, 16); std::swap(d[0], d[1]);",
    "a table of rows": "unsigned char *row[9]; for (int y = 0; y < 9; y++) row[y] = d + y * n; "
    "out(row[3][0]);",
}


CHECKS = {
    "an error code": (True, "for (int i = 0; i < n; i++) if (s[i] > 9) return -1;"),
    "in rows": (
        True,
        "int y, x; for (y = 0; y < n; y++) for (x = 0; x < n; x++) if (s[y * n + x]) return y1();",
    ),
    "an exception": (True, "for (int i = 0; i < n; i++) { const int t = s[i]; if (t) throw n; }"),
    "which one": (False, "for (int i = 0; i < n; i++) if (s[i] > 9) return i;"),
    "which one is read later": (
        False,
        "int i; for (i = 0; i < n; i++) if (s[i] > 9) return 1; out(i);",
    ),
    "a store": (False, "for (int i = 0; i < n; i++) { if (s[i]) return 1; d[i] = 0; }"),
    "a store by a reference": (
        False,
        "for (int i = 0; i < n; i++) { if (s[i]) return 1; unsigned char &p = d[i]; p = 0; }",
    ),
    "a global variable": (False, "for (int i = 0; i < n; i++) { if (s[i]) return 1; seen++; }"),
    "a call": (False, "for (int i = 0; i < n; i++) { if (s[i]) return 1; out(i); }"),
}


LEFT = ["which one", "which one is read later", "a store", "a store by a reference",
        "a global variable"]  # fmt: skip
"""Those that are regions, which leave the function by themselves."""


@pytest.mark.parametrize("way", CHECKS)
def test_a_loop_that_only_looks_whether_to_leave_is_no_region(tmp_path: Path, way: str) -> None:
    only_checks, loop = CHECKS[way]
    text = f"""int seen; int y1();
        int f(unsigned char *d, const unsigned char *s, int n) {{ out(n); {loop}
        for (int i = 0; i < n; i++) d[i] = s[i];
        return 0; }}"""
    found = parsed(tmp_path, text)
    unread = [s.name for s in found.failed if "#" in s.name]
    kernels = [k.name for k in found.kernels]
    if only_checks:
        assert (unread, kernels) == ([], ["f#1"])
    else:
        assert {*unread, *kernels} == {"f#1", "f#2"}
        assert unread == ([] if way in LEFT else ["f#1"])


def test_a_loop_that_only_looks_whether_to_leave_is_one_by_itself(tmp_path: Path) -> None:
    text = """int f(const unsigned char *s, int n) { out(n);
        for (int i = 0; i < n; i++) if (s[i] > 9) return -1;
        return 0; }"""
    (found,) = regions(tmp_path, text)
    assert found.region is not None and found.region.left == "left"


def test_what_a_return_names_is_left_behind(tmp_path: Path) -> None:
    body = "int i; out(n); for (i = 0; i < n; i++) if (s[i] > 9) return i; return 0;"
    assert outputs(tmp_path, body) == {"i": "i[0] = i.1"}


def test_a_number_that_counts_a_loop_down_is_passed_by_value(tmp_path: Path) -> None:
    body = "out(1); while (n >= 4) { d[n] = 1; n -= 4; } return n;"
    assert outputs(tmp_path, body) == {"n": "n.left[0] = n.1"}
    (found,) = regions(tmp_path, f"int f(unsigned char *d, int n) {{ {body} }}")
    assert [(p.name, p.kind) for p in found.params][1:] == [
        ("n", "scalar"),
        ("n.left", "reference"),
    ]
    assert found.put_back is not None
    told = {a.param: a.text for a in found.put_back.arguments}
    assert (told["n"], told["n.left"]) == ("n", "n")
    # Who has its address might change it.
    known = body.replace("out(1);", "int *p = &n; out(*p);")
    assert outputs(tmp_path, known) == {"n": "n[0] = n.1"}


HANDED_ON = "for (int i = 0; i < n; i++) {{ d[i] = a - b; {} a = s[i]; }} return a + b;"


@pytest.mark.parametrize("step", ["b = a;", "{ int t = a; b = t / 2; }", "b += a;"])
def test_numbers_that_hand_on_to_each_other_are_passed_by_value(tmp_path: Path, step: str) -> None:
    body = f"int a = m, b = n; out(a); {HANDED_ON.format(step)}"
    assert outputs(tmp_path, body) == {"a": "a.left[0] = a.1", "b": "b.left[0] = b.1"}


def test_other_numbers_are_not(tmp_path: Path) -> None:
    alone = f"int a = m, b = n; out(a); {HANDED_ON.format('b += s[i];')}"
    assert outputs(tmp_path, alone) == {"a": "a[0] = a.1", "b": "b[0] = b.1"}
    # Who has an address might change it.
    known = f"int a = m, b = n, *p = &a; out(*p); {HANDED_ON.format('b = a;')}"
    assert outputs(tmp_path, known) == {"a": "a[0] = a.1", "b": "b.left[0] = b.1"}


def test_a_loop_beside_other_stores_is_a_part_of_its_function(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; i++) d[i] = 1;"
    for behind, parts in (("if (n) d[n] = 2;", ["f#1"]), ("", [])):
        text = f"void f(unsigned char *d, int n) {{ {loop} {behind} }}"
        (whole,) = parsed(tmp_path, text).kernels
        assert has_a_loop_beside_stores(whole) == bool(parts)
        assert [k.name for k in parsed(tmp_path, text, split={"f"}).kernels] == parts


def test_a_quotient_beside_a_loop_makes_it_a_part_of_its_function(tmp_path: Path) -> None:
    for step, parts in (("(w << 16) / n", ["f#1"]), ("(w << 16) / 3", [])):
        text = f"""void f(unsigned char *d, const unsigned char *s, int n, int w) {{
            int step = {step};
            for (int i = 0; i < n; i++) d[i] = s[i * step >> 16]; }}"""
        (whole,) = parsed(tmp_path, text).kernels
        assert divides_beside_loops(whole) == bool(parts)
        found = parsed(tmp_path, text, split={"f"}).kernels
        assert [k.name for k in found] == parts
        # To the loop the quotient is any number.
        assert all([p.name for p in k.params] == ["d", "s", "n", "step"] for k in found)


CALLERS = {
    "rows": (True, "for (int i = 0; i < n; i++) row(ring[i % 3], s + i * m, m);"),
    "lines that change places": (
        True,
        "for (int i = 0; i < n; i++) { unsigned char *t = a; row(a, b, m); a = b; b = t; out(i); }",
    ),
    "the least sum": (
        True,
        "for (int i = 0; i < n; i++) { int t = row(a, b, m); if (t < l) l = t; }",
    ),
    "a pixel too": (False, "for (int i = 0; i < n; i++) { row(a, b, m); a[m] = b[m] + get(&n); }"),
    "a sum too": (False, "for (int i = 0; i < n; i++) { row(a, b, m); l += b[i] + get(&n); }"),
    "a copy too": (False, "for (int i = 0; i < n; i++) { row(a, b, m); memcpy(b, a, get(&n)); }"),
    "what has no loops": (False, "for (int i = 0; i < n; i++) one(a + i, get(&n));"),
    "nothing in memory": (False, "for (int i = 0; i < n; i++) l = l * 3 + get(&n);"),
}


@pytest.mark.parametrize("way", CALLERS)
def test_a_loop_that_only_calls_functions_with_loops_is_no_region(tmp_path: Path, way: str) -> None:
    only_calls, loop = CALLERS[way]
    text = f"""#include <string.h>
        static int row(unsigned char *p, const unsigned char *q, int n) {{
            int i; for (i = 0; i < n; i++) {{ p[i] = q[i]; if (q[i] > 250) break; }} return i; }}
        static void one(unsigned char *p, int v) {{ *p = v; }}
        int f(unsigned char *d, unsigned char *s, int n, int m) {{
        unsigned char *a = d, *b = s, *ring[3] = {{ d, s, d + m }}; int l = m; out(n); {loop}
        out(l);
        for (int i = 0; i < n; i++) d[i] = s[i];
        return a == b; }}"""
    unread = [s.name for s in parsed(tmp_path, text).failed if s.name.startswith("f#")]
    assert unread == ([] if only_calls else ["f#1"])


@pytest.mark.parametrize("way", NO_LOOPS)
def test_what_computes_no_pixels_is_no_region(tmp_path: Path, way: str) -> None:
    text = f"""#include <algorithm>
        #include <cstring>
        int f(unsigned char *d, int n) {{ {NO_LOOPS[way]} return 0; }}"""
    found = parsed(tmp_path, text)
    assert not found.kernels and [s.name for s in found.failed] == ["f"]


@pytest.mark.parametrize(
    ("result", "names"), [("return 0;", ["f#1"]), ("return n & 1;", ["f#1.1"])]
)
def test_what_a_function_returns_beside_its_loops_makes_them_a_region(
    tmp_path: Path, result: str, names: list[str]
) -> None:
    text = f"""int f(int *d, int n) {{
        for (int y = 0; y < n; y++) for (int x = 0; x < n; x++) d[y * n + x] = 1;
        {result} }}"""
    assert [k.name for k in parsed(tmp_path, text, split={"f"}).kernels] == ["f#1"]
    assert [k.name for k in parsed(tmp_path, text, split={"f", "f#1"}).kernels] == (
        [] if result == "return 0;" else names
    )


ENDS = {
    "a loop up to it": "while (s < end) *d++ = *s++;",
    "another one that moves": "for (q = s; q != end; ++q) *d++ = *q;",
    "how many are left": "for (int i = 0; i < end - s; i++) d[i] = s[i];",
    "a range of the library's": "for (int i = 0; i < n; i++) d = std::copy(s, end, d);",
}


@pytest.mark.parametrize("way", ENDS)
def test_an_end_is_told_by_how_far_it_stands_from_the_pointer_that_moves(
    tmp_path: Path, way: str
) -> None:
    text = f"""#include <algorithm>
        void f(unsigned char *d, const unsigned char *s, const unsigned char *end, int n) {{
        const unsigned char *q; out(n);
        {ENDS[way]} }}"""
    (found,) = regions(tmp_path, text)
    assert found.region is not None
    (told,) = found.region.distances
    assert (told.param, told.pointer, told.base) == ("end.ahead", "end", "s")
    assert "end" not in {p.name for p in found.params}
    assert found.put_back is not None and found.put_back.refused is None
    texts = {a.param: a.text for a in found.put_back.arguments}
    assert texts["end.ahead"] == "(const char *)(end) - (const char *)(s)"


def test_an_end_that_stands_between_elements_is_no_place_among_them(tmp_path: Path) -> None:
    text = """void f(short *d, short *end) {
        out(1); while (d < end) *d++ = 1; }"""
    (found,) = regions(tmp_path, text)
    assert [a.text for a in found.preconditions] == ["end.ahead % 2 == 0"]


NO_ENDS = {
    "which of two images comes first": "if (d < s) d[0] = s[0];",
    "whether two images are one": "if (d != s) d[i] = s[i];",
    "what lies before it": "if (s + i < end) d[i] = end[-1];",
    "another type": "if ((const void *)(s + i) < (const void *)t) d[i] = 1;",
    "an end that may be null": "while (end && s < end) *d++ = *s++;",
}


@pytest.mark.parametrize("way", NO_ENDS)
def test_pointers_that_may_lead_anywhere_are_told_by_no_distance(tmp_path: Path, way: str) -> None:
    """Between the one and the other there may be no memory."""
    text = f"""void f(unsigned char *d, const unsigned char *s, const unsigned char *end,
        const short *t, int n) {{
        out(n);
        for (int i = 0; i < n; i++) {{ {NO_ENDS[way]} }} }}"""
    found = parsed(tmp_path, text)
    assert not found.kernels
    assert {s.diagnostic.code for s in found.failed} == {"pointer-base"}


def test_what_a_variable_begins_with_is_known_where_it_shows(tmp_path: Path) -> None:
    text = """void f(unsigned char *d, int n, int m) {
        for (int r = 0; r < m; r++) {
            int turn = 9; out(turn); turn = 1;
            for (int i = 0; i < n; i++) { *d++ = turn; turn ^= 1; } } }"""
    (found,) = regions(tmp_path, text)
    assert "turn = 1" in text_of(found) and "turn" not in {p.name for p in found.params}
    (found,) = regions(tmp_path, text.replace("turn = 1;", "if (m > 5) turn = 1;"))
    assert "turn" in {p.name for p in found.params}
    (found,) = regions(tmp_path, text.replace("turn = 1;", "turn = 1; out(2); get(&turn);"))
    assert "turn" in {p.name for p in found.params}


def test_constants_and_what_follows_from_parameters_are_known_inside(tmp_path: Path) -> None:
    text = """void f(unsigned char *d, int w, int m) {
        const int step = 4; int half = w / 2; out(half);
        for (int i = 0; i < half; i++) d[i * step] = 1; }"""
    (found,) = regions(tmp_path, text)
    assert {p.name for p in found.params} == {"d", "w"}
    assert "half = w /t 2" in text_of(found)


@pytest.mark.parametrize("type", ["long long", "int"])
def test_what_is_made_of_high_bits_is_a_parameter(tmp_path: Path, type: str) -> None:
    text = f"""void f(unsigned char *d, {type} at) {{
        const int whole = (int)(at >> 16); out(whole);
        for (int i = 0; i < whole; i++) d[i] = 1; }}"""
    (found,) = regions(tmp_path, text)
    assert {p.name for p in found.params} == {"d", "at" if type == "int" else "whole"}


CHANGED = {
    "an assignment": "w = m;",
    "an address": "get(&w);",
    "a reference": "int &r = w; r = 3;",
    "assembly": '__asm__ volatile("" : "+r"(w));',
    "a lambda": "auto f = [&] { w = 3; }; f();",
}


@pytest.mark.parametrize("way", CHANGED)
def test_what_follows_from_a_variable_that_changes_isnt_computed_again(
    tmp_path: Path, way: str
) -> None:
    text = f"""void f(unsigned char *d, int w, int m) {{
        int half = w / 2; {CHANGED[way]} out(half);
        for (int i = 0; i < half; i++) d[i] = 1; }}"""
    (found,) = regions(tmp_path, text)
    assert {p.name for p in found.params} == {"d", "half"}


def test_a_jump_back_finds_what_the_loops_left(tmp_path: Path) -> None:
    text = """void f(unsigned char *d, const unsigned char *s, int n) {
        unsigned char last;
        again: for (int i = 0; i < n; i++) { d[i] = last; last = s[i]; }
        if (n-- > 3) goto again; }"""
    (found,) = regions(tmp_path, text)
    assert found.region is not None
    assert [o.variable for o in found.region.outputs] == ["last"]


FIRST = {
    "declared": ("int t = 5;", "t.1 = 5"),
    "assigned": ("int t; out(1); t = 6; out(2);", "t.1 = 6"),
    "in a branch": ("int t = 5; if (m) t = get(&m);", "t.1 = t[0]"),
    "handed out": ("int t = 5; get(&t);", "t.1 = t[0]"),
    "handed out before": ("int t, *p = &t; t = 5; *p = get(&m);", "t.1 = t[0]"),
    "behind a label": ("int t = 5; again: out(1);", "t.1 = t[0]"),
}


@pytest.mark.parametrize("way", FIRST)
def test_what_a_sum_begins_with_is_known_where_it_shows(tmp_path: Path, way: str) -> None:
    before, expected = FIRST[way]
    text = f"""int f(unsigned char *d, const unsigned char *s, int n, int m) {{
        {before}
        for (int i = 0; i < n; i++) t += s[i];
        {"if (t < 9) goto again;" if "again" in before else ""} out(t); return t; }}"""
    (found,) = regions(tmp_path, text)
    assert expected in text_of(found)


def test_a_case_may_be_entered_behind_what_stands_before_it(tmp_path: Path) -> None:
    text = """int f(unsigned char *d, const unsigned char *s, int n, int m) {
        int t = get(&m);
        switch (m) { t = 0; case 1: for (int i = 0; i < n; i++) t += s[i]; }
        return t; }"""
    (found,) = regions(tmp_path, text)
    assert "t.1 = t[0]" in text_of(found)


def test_loops_that_a_case_leads_into_are_no_regions(tmp_path: Path) -> None:
    text = """int f(unsigned char *d, int n, int m) {
        out(n);
        switch (m) {
        case 0: do { d[n] = 1; n--;
        case 1: d[n] = 2; n--; } while (n > 0);
        }
        return n; }"""
    assert not any(k.region for k in parsed(tmp_path, text).kernels)


LEAVES = {
    "return with a call": "for (int i = 0; i < n; i++) { if (s[i]) return out(1); d[i] = 1; }",
    "return from an expression": "for (int i = 0; i < n; i++) d[i] = ({ if (s[i]) return 1; 3; });",
    "goto": "for (int i = 0; i < n; i++) { if (s[i]) goto end; d[i] = 1; } end:",
    "break of a loop around": "for (;;) { for (int i = 0; i < n; i++) d[i] = 1; out(1); break; }",
}


@pytest.mark.parametrize(
    ("before", "told"),
    [
        pytest.param("assert(k > 0 && n < 90); out(n);", ["k > 0", "n < 90"], id="before"),
        pytest.param("out(n); assert(k > 0 || n < 90);", ["k > 0 || n < 90"], id="a choice"),
        pytest.param("assert(k > 0); out(n); k += n;", [], id="of what changes"),
        pytest.param("if (n > 9) { assert(k > 0); } out(n);", [], id="elsewhere"),
        pytest.param("assert(d[0] == k); out(n);", [], id="of what is read"),
    ],
)
@pytest.mark.parametrize("suffix", [".cpp", ".c"])
def test_what_was_asserted_before_holds_where_loops_stand(
    tmp_path: Path, before: str, told: list[str], suffix: str
) -> None:
    text = f"""#include <assert.h>
    void out(int);
    void f(unsigned char *d, int n, int k) {{ {before} for (int i = 0; i < n; i++) d[i] = i / k; }}
    """
    (found,) = [k for k in parsed(tmp_path, text, suffix).kernels if k.region]
    assert sorted(a.text for a in found.preconditions) == told


def test_loops_that_are_left_for_elsewhere_are_no_regions(tmp_path: Path) -> None:
    for way, body in LEAVES.items():
        text = (
            f"int f(unsigned char *d, const unsigned char *s, int n) {{ out(n); {body} return 0; }}"
        )
        found = parsed(tmp_path, text)
        assert len(found.kernels) == (way == "break of a loop around"), way


@pytest.mark.parametrize("way", ["return 2", "break", "continue"])
def test_what_may_be_left_between_two_loops_are_two_regions(tmp_path: Path, way: str) -> None:
    text = f"""int f(unsigned char *d, int n) {{
        for (int k = 0; k < 4; k++) {{
            out(k);
            for (int i = 0; i < n; i++) d[i] = 1;
            if (n > 7) {way};
            for (int i = 0; i < n; i++) d[i] += 1;
        }} return 0; }}"""
    assert [k.name for k in regions(tmp_path, text)] == ["f#1", "f#2"]


@pytest.mark.parametrize(
    "variable", ["volatile int t = 3", "static volatile int t", "extern volatile int t"]
)
def test_volatile_variables_are_no_parameters(tmp_path: Path, variable: str) -> None:
    text = f"""void f(unsigned char *d, int n) {{
        {variable}; out(1);
        for (int i = 0; i < n; i++) d[i] = t; }}"""
    assert not regions(tmp_path, text)


def test_members_of_the_object_at_hand_are_reached_through_it(tmp_path: Path) -> None:
    text = """struct Image { unsigned char *data; int w; void clear(); };
        void Image::clear() { out(w); for (int i = 0; i < w; i++) data[i] = 0; }"""
    (found,) = regions(tmp_path, text)
    assert {p.name for p in found.params} == {"this.data", "this.w"}


def test_regions_of_c(tmp_path: Path) -> None:
    text = """#include <stdlib.h>
        struct image { int w, h; unsigned char *data; };
        int f(struct image *img, void (*tell)(int)) {
            int x, y;
            if (!img) return -1;
            tell(0);
            for (y = 0; y < img->h; y++)
                for (x = 0; x < img->w; x++) img->data[y * img->w + x] = 0;
            tell(1);
            for (y = 0; y < img->h; y++) tell(y);
            return 0; }"""
    (found,) = regions(tmp_path, text, ".c")
    assert found.region is not None and not found.region.outputs


def test_parts_of_a_region_are_named_below_it(tmp_path: Path) -> None:
    text = """void f(int *d, int n) { out(1);
        for (int i = 0; i < n; i++) d[i] = 1;
        for (int i = 1; i < n; i++) d[i] += d[i - 1]; }"""
    assert [k.name for k in regions(tmp_path, text)] == ["f#1"]
    both = parsed(tmp_path, text, split=("f#1",))
    assert [k.name for k in both.kernels] == ["f#1.1", "f#1.2"]
    one = parsed(tmp_path, text, functions=("f#1.2",))
    assert [k.name for k in one.kernels] == ["f#1.2"]
    assert one.kernels[0].span.line == 4


IN_EXPRESSIONS = {
    "an operand": "int x = ({ {LOOP} 3; }) + t; return x;",
    "an assigned value": "int x; x = ({ {LOOP} 3; }) + t; return x;",
    "a result": "return ({ {LOOP} 3; }) + t;",
    "a condition": "while (({ {LOOP} 3; }) < t) t--; return 0;",
    "a loop's beginning": "for (int k = ({ {LOOP} 3; }); k < t; k++) out(k); return 0;",
    "a step": "for (int k = 0; k < m; ({ t = 0; {LOOP} k++; })) out(t); return 0;",
}


@pytest.mark.parametrize("where", IN_EXPRESSIONS)
def test_loops_inside_of_expressions_are_no_regions(tmp_path: Path, where: str) -> None:
    loop = "for (int i = 0; i < n; i++) { t = s[i]; d[i] = t; }"
    body = "int t = m; out(1); " + IN_EXPRESSIONS[where].replace("{LOOP}", loop)
    head = "int f(unsigned char *d, const unsigned char *s, int n, int m)"
    assert not regions(tmp_path, f"{head} {{ {body} }}")


CLEANUPS = {
    "before": "__attribute__((cleanup(show))) int t = 1;",
    "behind the type": "int __attribute__((cleanup(show))) t = 1;",
    "by a macro": "SHOWN int t = 1;",
}


@pytest.mark.parametrize("way", CLEANUPS)
def test_what_runs_at_the_end_of_a_scope_reads_what_the_loops_left(
    tmp_path: Path, way: str
) -> None:
    text = f"""#define SHOWN __attribute__((cleanup(show)))
        void show(int *p);
        int f(unsigned char *d, const unsigned char *s, int n) {{
        out(1); {CLEANUPS[way]}
        for (int i = 0; i < n; i++) {{ t = s[i]; d[i] = t; }} return 0; }}"""
    (found,) = regions(tmp_path, text)
    assert found.region is not None
    assert [o.variable for o in found.region.outputs] == ["t"]


def test_a_function_with_a_cleanup_is_no_kernel_but_its_loops_are(tmp_path: Path) -> None:
    text = """static void last(unsigned char **p) { **p = 7; }
        void f(unsigned char *d, const unsigned char *s, int n) {
        {MARK} unsigned char *p = d;
        for (int i = 0; i < n; i++) d[i] = s[i]; }"""
    marked = regions(tmp_path, text.replace("{MARK}", "__attribute__((cleanup(last)))"))
    assert "f" not in [k.name for k in marked] and "f#1" in [k.name for k in marked]
    plain = regions(tmp_path, text.replace("{MARK}", "__attribute__((unused))"))
    assert "f" in [k.name for k in plain]


HIDDEN = {
    "a variable": "{ int n = 7; out(n); {LOOP} }",
    "another type": "{ double n = 2.5; out(n > 1); {LOOP} }",
    "a loop's counter": "for (int n = 0; n < 3; n++) { out(n); {LOOP} }",
    "a class": "{ struct n {}; out(1); {LOOP} }",
    "a binding": "{ int a[2] = {1, 2}; auto [n, m] = a; out(m); {LOOP} }",
    "a handler": "try { out(1); } catch (int n) { out(n); {LOOP} }",
}


@pytest.mark.parametrize("by", HIDDEN)
def test_what_is_computed_again_names_nothing_that_is_hidden_there(tmp_path: Path, by: str) -> None:
    loop = "for (int i = 0; i < half; i++) d[i] = s[i];"
    head = "void f(unsigned char *d, const unsigned char *s, int n)"
    body = HIDDEN[by].replace("{LOOP}", loop)
    (found,) = regions(tmp_path, f"{head} {{ int half = n / 2; out(half); {body} }}")
    assert {p.name for p in found.params} == {"d", "s", "half"}
    (other,) = regions(tmp_path, f"{head} {{ int half = n / 2; out(half); {{ {loop} }} }}")
    assert {p.name for p in other.params} == {"d", "s", "n"}


SEEN = {
    "in another branch": "if (n > 9) { int n = 7; out(n); } else { {LOOP} }",
    "in a block before": "{ int n = 7; out(n); } {LOOP}",
    "in a loop before": "for (int n = 0; n < 3; n++) out(n); {LOOP}",
    "in the loop's own block": "for (int i = 0; i < half; i++) { int n = s[i]; d[i] = n; }",
}


@pytest.mark.parametrize("where", SEEN)
def test_what_is_computed_again_names_what_is_seen_there(tmp_path: Path, where: str) -> None:
    loop = "for (int i = 0; i < half; i++) d[i] = s[i];"
    head = "void f(unsigned char *d, const unsigned char *s, int n)"
    body = SEEN[where].replace("{LOOP}", loop)
    (found,) = regions(tmp_path, f"{head} {{ int half = n / 2; out(half); {body} }}")
    assert {p.name for p in found.params} == {"d", "s", "n"}


def test_a_global_that_a_local_hides_is_no_parameter(tmp_path: Path) -> None:
    text = """int gain; int f(unsigned char *d, int n) {
        int gain = 9; out(gain);
        for (int i = 0; i < n; i++) { extern int gain; d[i] = d[i] * gain; } return gain; }"""
    assert not regions(tmp_path, text)


@pytest.mark.parametrize("more", ["u = t++", "u = (t = 7)", "&u = t"])
def test_a_declaration_that_goes_on_with_a_variable_tells_no_constant(
    tmp_path: Path, more: str
) -> None:
    text = f"""long f(const unsigned char *s, int n) {{
        long t = 5, {more}; out(1);
        for (int i = 0; i < n; i++) t += s[i]; out(u); return t; }}"""
    (found,) = regions(tmp_path, text)
    assert "t.1 = t[0]" in text_of(found)


COLOUR = """
struct C; void see(const C *);
struct C {{ unsigned char b, g; C() : b(0), g(0) {{}} C(int x, int y) : b(x), g(y) {{}} {MORE} }};
static C get(const unsigned char *p, int x) {{ return C(p[2 * x], p[2 * x + 1]); }}
void f(unsigned char *d, const unsigned char *s, int n) {{ {BEFORE} out(1);
    for (int k = 0; k < n; k++) {{ out(k); for (int i = 0; i < n; i++) {{ {SET} d[i] = c.g; }} }}
    {AFTER} }}"""
SET = {"BEFORE": "C c;", "SET": "c = get(s, i);", "AFTER": "out(2);", "MORE": ""}


def test_an_object_that_is_set_in_each_iteration_is_the_loops_own(tmp_path: Path) -> None:
    (found,) = regions(tmp_path, COLOUR.format(**SET))
    assert {p.name for p in found.params} == {"d", "s", "n"}
    lifted = lift_kernel(found, LiftOptions())
    assert lifted.status == "proved", lifted.diagnostic


OF_OTHERS = {
    "it is read afterwards": {"AFTER": "out(c.b);"},
    "a member is read first": {"SET": "d[i] = c.b; c = get(s, i);"},
    "it is set in some": {"SET": "if (s[i]) c = get(s, i);"},
    "a member is set in some": {"SET": "if (s[i]) c.g = s[i];"},
    "somebody knows it": {"BEFORE": "C c; see(&c);"},
    "it is there in the next call": {"BEFORE": "static C c;"},
    "it is a reference": {"BEFORE": "static C all; C &c = all;"},
    "its end is seen": {"MORE": "~C() { out(b); }"},
    "somebody knows a member": {"BEFORE": "C c; unsigned char &r = c.g;", "AFTER": "out(r);"},
    "its own method tells": {
        "BEFORE": "C c; C &r = c.self();",
        "AFTER": "out(r.g);",
        "MORE": "C &self() { return *this; }",
    },
    "what makes it tells": {"BEFORE": "C c(0);", "MORE": "C(int x) : b(x), g(x) { see(this); }"},
    "its copy is its own": {
        "MORE": "C &operator=(const C &o) { out(o.b); b = o.b; return *this; }"
    },
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("why", OF_OTHERS)
def test_an_object_that_others_may_see_isnt(tmp_path: Path, why: str) -> None:
    for found in regions(tmp_path, COLOUR.format(**{**SET, **OF_OTHERS[why]})):
        assert any(p.name.startswith(("c.", "all.")) for p in found.params), why


@pytest.mark.parametrize("leak", ["last = &c.g;", "all = &c;", "c.tell();"])
def test_an_object_that_a_region_tells_of_is_no_matter_of_its_own(
    tmp_path: Path, leak: str
) -> None:
    text = COLOUR.format(**{**SET, "SET": "c = get(s, i); " + leak, "MORE": "void tell();"})
    told = (
        "unsigned char *last; struct C *all;\n" + text + "\ninline void C::tell() { all = this; }"
    )
    assert not [f for f in regions(tmp_path, told) if not any("c." in p.name for p in f.params)]


COUNTED = """
struct Stats {{ long sum; int least; int count; }};
int known(Stats *);
long f(const int *s, int n) {{ {BEFORE} out(1);
    for (int i = 0; i < n; i++) {{ m.sum += s[i]; if (s[i] < m.least) m.least = s[i]; m.count++; }}
    out(2); return m.sum + m.least; }}"""


def test_numbers_of_an_object_of_the_function_are_held_until_the_loops_end(tmp_path: Path) -> None:
    (found,) = regions(tmp_path, COUNTED.format(BEFORE="Stats m = {0, 9, 0};"))
    text = text_of(found)
    assert text.index("m.least.1 = m.least[0]") < text.index("while")
    assert text.index("while") < text.index("m.least[0] = m.least.1")
    assert text.count("m.sum[0] = ") == 1
    lifted = lift_kernel(found, LiftOptions())
    assert lifted.status == "proved", lifted.diagnostic


@pytest.mark.parametrize(
    "before",
    [
        "static Stats m = {0, 9, 0};",
        "Stats m = {0, 9, 0}; known(&m);",  # who knows it may look at it
        "extern Stats m;",
        "static Stats all; Stats &m = all;",
    ],
)
def test_numbers_of_objects_that_others_know_are_where_they_are(
    tmp_path: Path, before: str
) -> None:
    for found in regions(tmp_path, COUNTED.format(BEFORE=before)):
        assert "m.least.1" not in text_of(found)


def test_a_call_that_loops_beside_a_loop_makes_it_a_part_of_its_function(tmp_path: Path) -> None:
    text = """static void any(int *d, int n, int t) {
            for (int i = 0; i < n; i++) for (int k = 0; k < t; k++) d[i] += k; }
        void f(int *d, int n, int t) {
            if (t != 4) { any(d, n, t); return; }
            for (int i = 0; i < n; i++) d[i] += 6; }"""
    whole = parsed(tmp_path, text).kernels
    assert [k.name for k in whole] == ["f"]
    found = parsed(tmp_path, text, split=("f",)).kernels
    (part,) = [k for k in found if k.region is not None]
    assert part.name == "f#1"
    assert "d[int64(i)] + 6" in text_of(part)


LAMBDAS = {
    "that keeps nothing": "auto f = [](int v) { int t = v / 2; return t + 1; };",
    "that sees what never changes": "auto f = [&](int v) { return v * k + s[v]; };",
    "that keeps a number": "const auto f = [k](int v) { return v * k; };",
    "that keeps all it names": "auto f = [=](int v) { return v * k + s[v]; };",
    "that calls another one": "auto g = [&](int v) { return v * k; }; "
    "auto f = [&](int v) { return g(v) + 1; };",
    "that sees memory": "std::vector<int> t(n); lost(t); "
    "auto f = [&](int v) { return v < (int)t.size() ? t[v] : 0; };",
    "that sees a constant of the file": "auto f = [](int v) { return table[v & 3]; };",
}
OTHER_LAMBDAS = {
    "that has kept what has changed": "auto f = [k](int v) { return v * k; }; k++;",
    "that sees what changes": "auto f = [&](int v) { return v * k; }; k = get(&n);",
    "that sees what others change": "auto f = [&](int v) { return v * k; }; get(&k);",
    "that has kept a copy of an array": "int t[4] = {n}; auto f = [t](int v) { return t[v & 3]; };",
    "that has kept a copy of a vector": "std::vector<int> t(n); auto f = [=](int v) "
    "{ return t[v]; };",
    "that has kept what a reference led to": "const int &r = get(&n) ? k : n; "
    "auto f = [r](int v) { return v * r; };",
    "that makes an array longer": "std::vector<int> t(n); "
    "auto f = [&](int v) { t.resize(v); return t[0]; };",
    "that hands an array on": "std::vector<int> t(n); "
    "auto f = [&](int v) { lost(t); return t[v]; };",
    "that changes what it keeps": "auto f = [k](int v) mutable { return v * k++; };",
    "that keeps something new": "auto f = [a = k + 1](int v) { return v * a; };",
    "that changes a global": "auto f = [](int v) { return v * seen++; };",
    "of the first call": "static auto f = [k](int v) { return v * k; };",
    "that is one of two": "auto g = [](int v) { return v; }; auto h = [](int v) { return -v; }; "
    "int (*f)(int) = n ? +g : +h;",
}
FILE = """#include <vector>
    void lost(std::vector<int> &); int seen; static const int table[4] = {3, 5, 7, 9};
"""


def with_lambda(tmp_path: Path, said: str, loop: str) -> ParsedFile:
    text = f"""{FILE} void f(unsigned char *d, const unsigned char *s, int n, int k) {{
        {said} out(n); {loop} out(2); }}"""
    return parsed(tmp_path, text)


@pytest.mark.parametrize("way", LAMBDAS)
def test_a_lambda_is_said_again_where_a_loop_calls_it(tmp_path: Path, way: str) -> None:
    loop = "for (int i = 0; i < n; i++) d[i] = f(s[i]);"
    (found,) = with_lambda(tmp_path, LAMBDAS[way], loop).kernels
    assert found.put_back is not None and found.put_back.refused is None
    used = {p.name for p in found.params}
    assert {"d", "s", "n"} <= used and ("k" in used) == (" k" in LAMBDAS[way])


@pytest.mark.parametrize("way", OTHER_LAMBDAS)
def test_a_lambda_that_may_be_another_one_by_then_is_not(tmp_path: Path, way: str) -> None:
    loop = "for (int i = 0; i < n; i++) d[i] = f(s[i]);"
    found = with_lambda(tmp_path, OTHER_LAMBDAS[way], loop)
    assert not found.kernels and [f.name for f in found.failed] == ["f"]


def test_a_lambda_whose_variable_is_hidden_is_not_said_again(tmp_path: Path) -> None:
    loop = "{ int k = get(&n); for (int i = 0; i < n; i++) d[i] = g(s[i]); out(k); }"
    found = with_lambda(tmp_path, "auto g = [&](int v) { return v * k; };", loop)
    assert not found.kernels
