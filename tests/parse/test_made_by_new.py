"""What `new` makes, what arrays begin with, atomic operations: read as they are, or refused.
None of them is taken for something else, and none is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import compile_original, may_be_called

KERNEL = """\
void f({T} *d, const {T} *s, int n, unsigned char *room)
{{
    {before}
    for (int i = 0; i < n; i++) {{ {body} }}
}}
"""
HEAD = """\
#include <new>
typedef int Pair[2];
#define MANY(t, n) new t[n]
#define ONE(t, v) new t(v)
#define EACH(t, n) t *u = new t[n]
struct Named { char u[4]; int a; };
struct Kept { char u[4] = "xy"; int a = 2; };
struct Plain { int a, b; };
struct Begun { int a = 3, b = 4; };
struct Built { int a, b; Built() : a(5), b(6) {} };
union Bytes { unsigned w; unsigned char b[4]; };
union Filled { unsigned w = 7; unsigned char b[4]; };
"""


def source(body: str, before: str, type: str, head: str = HEAD) -> str:
    return head + KERNEL.format(T=type, before=before, body=body)


def differences(tmp_path: Path, text: str) -> list[str]:
    """Where the kernel differs from g++'s code."""
    path = tmp_path / "made.cpp"
    path.write_text(text)
    (kernel,) = parse_file(path).kernels
    original = compile_original(path, [kernel], (), ("-O0", "-fwrapv"))
    found, calls = [], 0
    for case in cases(kernel, 5, 8):
        outcome = run_case(kernel, case)
        found += [e.detail for e in outcome.undefined if e.kind == "uninitialised"]
        if may_be_called(outcome):
            calls += 1
            found += map(str, original.differences(kernel, case, outcome))
    assert calls >= 4
    return found


@pytest.mark.sampled(every=32)
@pytest.mark.parametrize("type", ("int", "unsigned long", "float"))
@pytest.mark.parametrize(
    ("body", "before"),
    (
        ("{T} *u = new {T}(s[i]); *u += 1; d[i] = *u; delete u;", ""),
        ("{T} *u = new {T}{s[i]}; d[i] = *u + 1; delete u;", ""),
        ("{T} *u = new {T}(); d[i] = *u + s[i]; delete u;", ""),
        ("{T} *u = new {T}; *u = s[i]; d[i] = *u; delete u;", ""),
        ("auto u = ONE({T}, s[i]); d[i] = *u + 1;", ""),
        ("u[i] = s[i]; d[i] = u[i] + 1;", "{T} *u = new {T}[n];"),
        ("u[i] = s[i]; d[i] = u[i] + 1;", "auto u = MANY({T}, n);"),
        ("u[i] = s[i]; d[i] = u[i] + 1;", "EACH({T}, n);"),
        ("d[i] = u[i] + s[i];", "{T} *u = ::new {T}[n]();"),
    ),
)
def test_a_value_and_a_count_are_told_apart(
    tmp_path: Path, type: str, body: str, before: str
) -> None:
    text = source(body.replace("{T}", type), before.replace("{T}", type), type)
    assert not differences(tmp_path, text)


def test_the_count_of_a_type_name_is_known(tmp_path: Path) -> None:
    body = "int *u = new Pair; u[1] = s[i]; u[0] = 3; d[i] = u[1] + u[0]; delete[] u;"
    assert not differences(tmp_path, source(body, "", "int"))


@pytest.mark.parametrize(
    ("body", "code"),
    (
        ("int *u = new (room) int(s[i]); d[i] = *u;", "unsupported-expression"),
        ("int *u = new int[2]{s[i], 3}; d[i] = u[1];", "unsupported-expression"),
        ("auto u = new decltype(s[i] + 0)[2]; u[0] = 3; d[i] = u[0];", "unsupported-expression"),
        ('char u[] = "abc"; d[i] = u[0] + s[i];', "unsupported-expression"),
        ('wchar_t u[] = L"abc"; d[i] = u[0] + s[i];', "unsupported-expression"),
        ('char u[8] = {"ab"}; d[i] = u[1] + s[i];', "unsupported-expression"),
        ('Named u = {"ab", 3}; d[i] = u.u[1] + s[i];', "unsupported-expression"),
        ('Named u[2] = {{"ab", 3}, {"cd", 4}}; d[i] = u[1].u[1] + s[i];', "unsupported-type"),
        ("Kept u; d[i] = u.u[1] + s[i];", "unsupported-expression"),
        ("Begun t[2]; d[i] = t[1].a + s[i];", "unsupported-expression"),
        ("Begun t[2][2]; d[i] = t[1][1].a + s[i];", "unsupported-expression"),
        ("Built t[2]; d[i] = t[1].a + s[i];", "unsupported-expression"),
        ("Filled t[2]; d[i] = t[1].b[0] + s[i];", "unsupported-expression"),
        ("d[i] = s[i]; __atomic_fetch_add(&d[i], 2, __ATOMIC_RELAXED);", "unsupported-expression"),
        ("d[i] = s[i]; __atomic_store_n(&d[i], 2, 0);", "unsupported-expression"),
        ("d[i] = s[i]; (void)__atomic_exchange_n(&d[i], 2, 0);", "unsupported-expression"),
        ("d[i] = __atomic_load_n(&s[i], 0);", "unsupported-expression"),
        ("d[i] = s[i]; __sync_fetch_and_add(&d[i], 2);", "unmodelled-call"),
        ("d[i] = s[i]; d[i] ?: (d[i] = 3);", "unsupported-expression"),
    ),
)
def test_what_is_not_understood_is_refused(tmp_path: Path, body: str, code: str) -> None:
    path = tmp_path / "made.cpp"
    path.write_text(source(body, "", "int"))
    parsed = parse_file(path)
    assert not parsed.kernels
    (failed,) = (s.diagnostic for s in (*parsed.failed, *parsed.skipped) if s.name == "f")
    assert failed.code == code, failed


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "body",
    (
        "char u[4] = {'a', 'b'}; d[i] = u[1] + u[3] + s[i];",
        "Named u = {{'a', 'b'}, 3}; d[i] = u.u[1] + u.u[2] + s[i];",
        "Named u = {}; d[i] = u.u[1] + s[i];",
        "Plain t[2]; t[1].a = s[i]; d[i] = t[1].a;",
        "Bytes t[2]; t[1].w = s[i]; d[i] = t[1].b[0];",
        "d[i] = s[i]; (void)d[i]; (char)d[i]; +d[i]; d[i] + 1;",
    ),
)
def test_lists_and_conversions_are_read_as_before(tmp_path: Path, body: str) -> None:
    assert not differences(tmp_path, source(body, "", "int"))
