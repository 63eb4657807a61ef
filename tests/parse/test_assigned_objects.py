"""Which side of an assignment of objects comes first, and what is assigned where it is a member."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import compile_original, may_be_called

ORDER = """\
struct Two { int a, b; };
struct Inner { Two w; int t; };
struct Own { int a, b; Own &operator+=(const Own &o) { a += o.a; b += o.b; return *this; } };
struct Holder { Own w; int t; };
"""


def _in_loop(tmp_path: Path, body: str) -> Path:
    path = tmp_path / "order.cpp"
    path.write_text(
        ORDER + f"void f(int *d, const int *s, int n, int k) {{ for (int i = 0; i < n; i++) {{"
        f" int j = k & 1; Two t[3] = {{{{s[i], 3}}, {{4, s[i]}}, {{5, 6}}}}; Two w = {{1, 2}};"
        f" {body} }} }}\n"
    )
    return path


@pytest.mark.parametrize(
    "body",
    (
        "(j = 1, w) = Two{j, 5}; d[i] = w.a;",
        "t[j++] = Two{j, 5}; d[i] = t[0].a + t[1].a;",
        "j = 0; t[j++] = t[j]; d[i] = t[0].a;",
        "Two *p = t; *p++ = Two{p->a + 10, 5}; d[i] = t[0].a;",
    ),
)
def test_an_assignment_whose_left_side_changes_the_right_one_is_refused(
    tmp_path: Path, body: str
) -> None:
    """g++ reads the left side of a plain class's assignment first, and C++ the right one."""
    parsed = parse_file(_in_loop(tmp_path, body))
    assert not parsed.kernels
    assert [s.diagnostic.code for s in parsed.failed] == ["unsequenced"]


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize(
    "body",
    (
        "Inner m[2] = {{{s[i], 3}, 4}, {{5, s[i]}, 6}}; m[j].w = Two{7, 8}; d[i] = m[0].w.a;",
        "Inner m[2] = {{{s[i], 3}, 4}, {{5, s[i]}, 6}}; m[j].w = t[0]; d[i] = m[j].w.b;",
        "Inner m = {{s[i], 3}, 4}; m.w = Two{7, 8}; d[i] = m.w.a + m.t;",
        "Inner m = {{s[i], 3}, 4}; Inner *p = &m; p->w = w; d[i] = m.w.a + m.t;",
        "Inner m = {{s[i], 3}, 4}; d[i] = (m.w = Two{7, s[i]}, m.w.b);",
        "Holder m = {{s[i], 3}, 4}; m.w += Own{7, 8}; d[i] = m.w.a + m.w.b;",
        "Holder m[2] = {{{s[i], 3}, 4}, {{1, 2}, 3}}; m[j].w += Own{7, 8}; d[i] = m[j].w.a;",
        "t[j++] = Two{s[i], 5}; d[i] = t[0].a + j;",
        "Two *p = t; *p++ = Two{s[i] + 10, 5}; *p++ = w; d[i] = t[0].a + t[1].b;",
    ),
)
def test_a_member_that_is_an_object_is_assigned(tmp_path: Path, body: str) -> None:
    path = _in_loop(tmp_path, body)
    (kernel,) = (k for k in parse_file(path).kernels if k.name == "f")
    original = compile_original(path, [kernel], (), ("-O0", "-fwrapv"))
    calls = 0
    for case in cases(kernel, 5, 8):
        outcome = run_case(kernel, case)
        if may_be_called(outcome):
            calls += 1
            assert not original.differences(kernel, case, outcome)
    assert calls > 3
