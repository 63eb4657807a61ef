"""Pointers into the rows of a table: which of them may be compared."""

from __future__ import annotations

import pytest

from .parsing import body, failure, kernel

ROWS = "void f(unsigned char **d, const unsigned char **s, int n, int h) "


@pytest.mark.parametrize(
    "iteration",
    [
        "unsigned char *p = d[y]; const unsigned char *end = p + n; while (p < end) *p++ = 1;",
        "for (unsigned char *p = d[y], *const end = p + n; p != end; ++p) *p = 2;",
        "const unsigned char *q = s[y], *end = q + n; while (q < end) d[y][0] += *q++;",
    ],
)
def test_a_row_ends_where_its_end_pointer_is(iteration: str) -> None:
    assert ".row" in body(f"{ROWS}{{ for (int y = 0; y < h; y++) {{ {iteration} }} }}")


@pytest.mark.parametrize(
    "iteration",
    [
        "unsigned char *p = d[y], *end = p + n; p = d[0]; while (p < end) *p++ = 1;",
        "unsigned char *p = d[y], *end = d[y + 1]; while (p < end) *p++ = 1;",
        "unsigned char *p = d[y], *end = p + n, *&r = p; r = d[h]; while (p < end) *p++ = 1;",
    ],
)
def test_pointers_that_may_be_in_different_rows_are_not_compared(iteration: str) -> None:
    found = failure(f"{ROWS}{{ for (int y = 0; y < h; y++) {{ {iteration} }} }}")
    assert found.code in ("pointer-base", "unsupported-type")


LOCK = """
#include <cstring>
#include <vector>
typedef unsigned char U8;
class Lock {
public:
    std::vector<U8 *> lines;
    std::vector<const float *> planes;
    std::vector<volatile U8 *> ports;
    long width, height;
    U8 *line(long y) { return lines[y]; }
    const U8 *line(long y) const { return lines[y]; }
};
"""


@pytest.mark.parametrize(
    "iteration",
    [
        "U8 *p = k.line(y); for (long x = 0; x < k.width; x++) p[x] = 255 - p[x];",
        "for (long x = 0; x < k.width; x++) k.lines[y][x] = k.lines.data()[y][x] + 1;",
        "memset(k.lines[y], 0, k.width);",
        "k.lines.front()[y] = k.lines.begin()[2][y];",
        "const float *s = k.planes[y]; for (long x = 0; x < 9; x++) k.line(0)[x] = s[x] > 0;",
    ],
)
def test_a_vector_of_pointers_is_a_table_of_rows(iteration: str) -> None:
    found = kernel(
        f"{LOCK}void f(Lock &k) {{ for (long y = 0; y < k.height; y++) {{ {iteration} }} }}"
    )
    tables = {p.name: p.is_const for p in found.params if p.kind == "rows"}
    assert tables.items() >= {"k.lines": False}.items()
    assert tables.get("k.planes", True)


@pytest.mark.parametrize(
    "iteration",
    [
        "k.lines[y] = k.lines[0]; k.lines[y][0] = 1;",
        "k.lines.at(y)[0] = 1;",  # it may throw
        "k.lines[y][0] = k.lines.size();",
        "k.lines.push_back(k.lines[y]); k.lines[y][0] = 1;",
        "k.lines.pop_back(); k.lines[y][0] = 1;",
        "k.lines.swap(o.lines); k.lines[y][0] = 1;",
        "k.lines = o.lines; k.lines[y][0] = 1;",
        "std::vector<U8 *> own(k.lines); own[y][0] = 1;",
        "U8 *&p = k.lines[y]; p++; *p = 1;",
        "k.lines[y]++; k.lines[y][0] = 1;",
        "k.ports[y][0] = 1;",
    ],
)
def test_what_changes_such_a_table_or_asks_for_its_size_is_refused(iteration: str) -> None:
    loop = f"for (long y = 0; y < k.height; y++) {{ {iteration} }}"
    assert failure(f"{LOCK}void f(Lock &k, Lock &o) {{ {loop} }}").code in (
        "unsupported-type", "unsupported-expression", "pointer-base", "pointer-cast",
    )  # fmt: skip
