"""Searches that nothing bounds but the end of the array that they read."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import compile_original, may_be_called
from tests.verify.differential import difference, lifted

from .parsing import body

COUNTED = "int h[256] = {0}; for (int i = 0; i < n; i++) h[s[i]]++;"
BOUNDED = (
    ("int k = 0; while (h[k] == 0) k++;", "k < 256"),
    ("int k; for (k = 255; !h[k]; --k) ;", "k >= 0"),
    ("unsigned k = n; while (h[k] == 0) ++k;", "k < 256"),
    ("int k = 3; while (h[k + 1] < 2) k++;", "k < 255"),
    ("int k = 3; while (h[k - 2] < 2) k--;", "k >= 2"),
    ("long k = 0; for (;; k++) if (h[k]) break;", "k < 256"),
    ("int k = 0; for (int a = h[0]; a <= n; a += h[k]) k++;", "k < 255"),
    ("int k = 256, a = 0; do a += h[--k]; while (a <= n);", "k >= 1"),
    ("unsigned k = 3, a = 0; while (a <= 9) a += h[++k];", "k < 255"),
)
WALKS = (
    "int k = 0; for (int a = h[0]; a <= r; a += h[k]) k++;",
    "int k = 0, a = h[0]; while (a <= r) a += h[++k];",
    "int k, a = 0; for (k = 0; k < 256; k++) { a += h[k]; if (a > r) break; }",
    "int k, a = 0; for (k = 0; k < 256 && a <= r; k++) a += h[k];",
    "int k = 0, a = 0; while (a <= r && k < 256) a += h[k++];",
    "int k = 0, a = 0; while ((a += h[k]) <= r) k++;",
    "int k = 0, a = 0; while (k < 255 && (a += h[k]) <= r) k++;",
    "int k, a = 0; for (k = 255; k > 0 && (a += h[k]) <= r; --k) ;",
    "int k = -1, a = 0; do { k++; a += h[k]; } while (a <= r);",
    "int k = 0, a = 0; do a += h[k++]; while (a <= r && k < 256);",
    "int k = 256, a = 0; do a += h[--k]; while (a <= r);",
    "int k = 256, a = 0; while (a <= r) a += h[--k];",
    "unsigned k = 255, a = h[k]; while ((int)a <= r) a += h[--k];",
    "size_t k = 0; int a = h[0]; while (a <= r) a += h[++k];",
    "unsigned k = 0, a = 0; for (;;) { a += h[k]; if (a > (unsigned)r) break; k++; }",
    "int k = 0, left = r; while (left >= h[k]) left -= h[k++];",
    "int k = 0; for (; r >= 0; k++) r -= h[k];",
    "int k = -1; while (k < 255 && r >= 0) { k++; if (h[k]) r -= h[k]; }",
    "int k = 0, a = 0, m = 0; while (a <= r) { a += h[k]; m += k * h[k]; k++; } k = m;",
)
"""From one end of a histogram to the place at which the sum is more than `r`."""
OTHERS = (
    "unsigned k = n; while (h[k + 1] == 0) k++;",
    "unsigned k = 255; while (h[k] == 0) k--;",
    "unsigned char k = 0; while (h[k] == 0) k++;",
    "int k = 0; while (s[k] == 0) k++;",
    "int k = 0; while ((n > 3 ? h[k] : s[k]) == 0) k++;",
    "long k = 0; while (h[(int)k] == 0) k++;",
    "int k = 0; while (h[k & 255] == 0) k++;",
    "int k = 0; while (h[k] == 0) { k++; if (s[k] > 3) k += 2; }",
    "int k = 0, a = 0; while (a <= n) { if (s[k] > 3) { if (d[k]) break; } else a += h[k]; k++; }",
    "int k = 0, a = 0; while (a <= n) { if (s[a]) a += h[k]; k++; a++; }",
    "int k = 0, a = 0; while (a <= n) { a += h[k]; k = h[k]; }",
    "int k = 0, a = 0; while (a <= n) { a += s[k]; k++; }",
    "unsigned k = n, a = 0; while (a <= 9) a += h[++k];",
    "unsigned k = n; int a = 0; do a += k < 9 ? h[k] : 1; while (++k, a < 5);",
    "int k = 0, a = 0; while (a <= n) { for (int j = 0; j < a; j++) d[j] = 1; a += h[k++]; }",
)


def function(search: str) -> str:
    return f"""
        #include <cstdint>
        void f(int *d, const uint8_t *s, int n) {{ {COUNTED} {search} d[0] = (int)k; }}"""


@pytest.mark.parametrize("number", range(len(BOUNDED)))
def test_the_end_of_an_array_bounds_a_search(number: int) -> None:
    search, bound = BOUNDED[number]
    assert bound in body(function(search)).replace("int64(k)", "k").replace("uint32", "")


@pytest.mark.parametrize(
    "made",
    [
        "std::vector<int> h(256, 0);",
        "std::array<int, 256> h{};",
        "int *h = (int *)calloc(256, sizeof(int));",
    ],
)
def test_any_array_of_a_known_size_bounds_a_walk(made: str) -> None:
    walk = "int k = 0, a = h[0]; while (a <= n) a += h[++k];"
    text = function(walk).replace("int h[256] = {0};", made)
    assert "while (k < 255)" in body(
        "#include <array>\n#include <cstdlib>\n#include <vector>" + text
    )


def test_arrays_in_structures_have_ends_but_for_a_last_one() -> None:
    walk = "int f(const H *p, int r) { int k = 0, a = p->h[0]; while (a <= r) a += p->h[++k];"
    for fields, is_bounded in (("int h[256], n;", True), ("int n, h[256];", False)):
        text = f"struct H {{ {fields} }}; {walk} return k; }}"
        assert ("k < 255" in body(text)) is is_bounded


def test_a_walk_along_a_histogram_ends_where_gcc_says(tmp_path: Path) -> None:
    path = tmp_path / "walks.cpp"
    head = "void NAME(int *d, const uint8_t *s, int n, int r) { assert(n > 0 && r >= 0 && r < n); "
    path.write_text(
        "#include <cassert>\n#include <cstddef>\n#include <cstdint>\n"
        + "".join(
            head.replace("NAME", f"walk{i}") + f"{COUNTED} {walk} d[0] = (int)k; }}\n"
            for i, walk in enumerate(WALKS)
        )
    )
    found = parse_file(path)
    assert len(found.kernels) == len(WALKS)
    original = compile_original(path, found.kernels)
    for one in found.kernels:
        assert any(name.startswith("first") for name in one.arrays), one.source
        called = 0
        for case in cases(one, 3, 12):
            outcome = run_case(one, case)
            if may_be_called(outcome):
                differences = original.differences(one, case, outcome)
                assert not differences, f"{one.source}\n{case}\n{differences[0]}"
                called += 1
        assert called > 3, one.source


@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_other_loops_stay_without_a_bound(number: int) -> None:
    text = body(function(OTHERS[number]))
    assert "first" not in text and "256" not in text.replace("i < 256", "").replace("256)", "")


@pytest.mark.parametrize(
    "number",
    [0, *(pytest.param(i, marks=pytest.mark.slow) for i in range(1, len(WALKS) - 1))],
)
def test_walks_lift(number: int) -> None:
    asked = "assert(n > 0 && r >= 0 && r < n);"
    text = f"{{ {asked} {COUNTED} {WALKS[number]} d[0] = (int)k; }}"
    result = lifted(f"void f(int *d, const u8 *s, int n, int r) {text}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("number", range(3))
def test_they_lift(number: int) -> None:
    search, _ = BOUNDED[number]
    asserted = "assert(n >= 0 && n < 256);" if "= n" in search else ""
    text = f"void f(int *d, const u8 *s, int n) {{ {asserted} {COUNTED} {search} d[0] = (int)k; }}"
    result = lifted(text)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None
