"""Memory that a function frees must be its own: what else is freed, its callers see."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.parse import parse_file

HEAD = """
#include <cstdlib>
#include <cstring>
typedef unsigned char u8;
struct Rows { int n; u8 *w; int *b; };
struct Owner {
    u8 *p; const u8 *seen; int n;
    Owner(u8 *q, int m) : p(q), seen(q), n(m) {}
    ~Owner() { free(p); }
};
struct Made {
    u8 *p;
    explicit Made(int n) : p(new u8[n]) {}
    ~Made() { delete[] p; }
};
struct Holder { Owner inner; int k; };
struct Passing {
    u8 *p;
    Passing(u8 *q) : p(q) {}
    ~Passing() { free((p)); }
    u8 operator[](int i) const { return p[i]; }
};
template <class T> struct Scoped { T *p; Scoped(T *q) : p(q) {} ~Scoped() { delete[] p; } };
static u8 first_of(const Passing &o) { return o[0]; }
static Passing passed(u8 *q) { return Passing(q); }
u8 *others;
struct Frees { u8 *p; ~Frees() { delete[] others; } };
struct Calls { u8 *p; u8 *all() { others = p; return p; } ~Calls() { free(all()); } };
struct Counted { int k; Counted(int n) : k(n) {} Counted(const Counted &o) : k(o.k + 1) {} };
struct View { const u8 *p; int n; ~View() {} };
"""
BYTES = "u8 *d, u8 *s, int n"
LOOP = "for (int i = 0; i < n; i++) d[i] = s[i];"


def outcome(tmp_path: Path, parameters: str, body: str) -> str:
    """The code with which a function is refused, or what is said of one that isn't."""
    path = tmp_path / "freed.cpp"
    path.write_text(f"{HEAD}void f({parameters}) {{ {body} }}\n")
    found = parse_file(path, functions=["f"])
    if any(kernel.name == "f" for kernel in found.kernels):
        return "a kernel"
    return f"{found.failed[0].diagnostic.code}: {found.failed[0].diagnostic.message}"


@pytest.mark.parametrize(
    "parameters,body",
    [
        (BYTES, f"{LOOP} free(s);"),
        (BYTES, f"{LOOP} delete[] s;"),
        (f"{BYTES}, void *more", f"{LOOP} free(more);"),
        ("Rows *r", "free(r->w); free(r->b); memset(r, 0, sizeof *r);"),
        ("u8 *d, Made *s, int n", "for (int i = 0; i < n; i++) d[i] = s->p[i]; delete s;"),
        (BYTES, f"Owner o(s, n); {LOOP}"),
        (BYTES, f"u8 *t = (u8 *)malloc(n); Owner o(t, n); o.p = s; {LOOP}"),
        (BYTES, f"Holder h = {{Owner(s, n), 3}}; {LOOP}"),
        (BYTES, f"u8 *t = s; if (n > 9) t = (u8 *)malloc(n); {LOOP} if (n > 9) free(t);"),
    ],
)
def test_what_frees_the_memory_of_others_is_refused(
    tmp_path: Path, parameters: str, body: str
) -> None:
    told = outcome(tmp_path, parameters, body)
    assert told != "a kernel"
    assert "frees memory that isn't" in told or "t = s" in body or "Holder" in body, told


@pytest.mark.parametrize(
    "body",
    [
        "d[0] = first_of(Passing(s));",
        "d[0] = first_of(s);",
        "d[0] = Passing(s)[1];",
        "d[0] = passed(s)[1];",
        f"Passing{{s}}; {LOOP}",
        "const Passing &o = Passing(s); for (int i = 0; i < n; i++) d[i] = o[i];",
        "Passing &&o = passed(s); for (int i = 0; i < n; i++) d[i] = o[i];",
        "d[0] = (n > 3 ? Passing(s) : Passing(d))[1];",
        "Scoped<u8> o(s); for (int i = 0; i < n; i++) d[i] = o.p[i];",
    ],
    ids=[
        "argument",
        "converted",
        "receiver",
        "result",
        "statement",
        "reference",
        "result kept",
        "chosen",
        "template",
    ],
)
def test_what_ends_within_an_expression_frees_too(tmp_path: Path, body: str) -> None:
    assert "frees memory that isn't" in outcome(tmp_path, BYTES, body)


def test_an_object_that_a_lambda_keeps_is_another_one(tmp_path: Path) -> None:
    text = "auto f = [o](int i) { return o@ + i; }; d[0] = f(n);"
    told = outcome(tmp_path, "u8 *d, const Passing &o, int n", text.replace("@", "[0]"))
    assert "frees memory that isn't" in told
    told = outcome(tmp_path, "u8 *d, const Counted &o, int n", text.replace("@", ".k"))
    assert "has a copy operation of its own" in told


@pytest.mark.parametrize("name", ["Frees", "Calls"])
def test_what_frees_no_member_does_more(tmp_path: Path, name: str) -> None:
    told = outcome(tmp_path, BYTES, f"{name} o; o.p = s; {LOOP}")
    assert "does more than to free memory" in told


@pytest.mark.parametrize(
    "body",
    [
        f"u8 *t = (u8 *)malloc(n); memcpy(t, s, n); {LOOP} free(t);",
        f"u8 *t = new u8[n]; t[0] = 1; {LOOP} delete[] t; delete[] (u8 *)0;",
        "Made m(n); for (int i = 0; i < n; i++) m.p[i] = s[i]; d[0] = m.p[0];",
        "u8 *t = (u8 *)malloc(n); Owner o(t, n); o.seen = s;"
        " for (int i = 0; i < n; i++) d[i] = o.seen[i];",
        "View v = {s, n}; for (int i = 0; i < v.n; i++) d[i] = v.p[i];",
        f"{LOOP} free(NULL);",
        f"{LOOP} u8 *t = (u8 *)malloc(4); t[0] = 1; d[0] = first_of(t);",
        "Scoped<u8> o(new u8[n]); for (int i = 0; i < n; i++) o.p[i] = s[i]; d[0] = o.p[0];",
    ],
)
def test_what_frees_its_own_is_none_of_the_callers_business(tmp_path: Path, body: str) -> None:
    assert outcome(tmp_path, BYTES, body) == "a kernel"


def test_what_is_freed_is_told(tmp_path: Path) -> None:
    told = outcome(tmp_path, BYTES, f"{LOOP} free(s);")
    assert told == "unmodelled-call: `free` frees memory that isn't the function's own"
    told = outcome(tmp_path, BYTES, f"Owner o(s, n); {LOOP}")
    assert told == "unmodelled-call: the end of `o` frees memory that isn't the function's own"
